// Which puzzle to play: a dialog.

import { post } from "./api.js";
import { kindOf } from "./asked.js";
import { today } from "./days.js";
import { field, h, problemNote, select } from "./dom.js";
import { gameFields, lengthOf } from "./games.js";
import { adapted, fitted, kindsOf, offerOf, offers } from "./offers.js";
import { VARIANTS, anyNumber } from "./puzzle.js";

const BOARDS = [1, 2, 4, 8, 16, 32];

/** Ask which puzzle to play, in a dialog. */
export function settings(puzzle, begin) {
  let choice = kindOf(puzzle);
  const daily = puzzle.number === today();
  const which = select(
    [
      ["daily", "Today's"],
      ["random", "A random one"],
      ["number", "By number"],
    ],
    daily ? "daily" : "random",
    () => {
      numbered.hidden = which.value !== "number";
      number.required = !numbered.hidden;
    },
  );
  const number = h("input", {
    type: "number",
    min: 0,
    max: 999999999,
    value: daily ? today() : puzzle.number,
  });
  const numbered = field("Number", number);
  numbered.hidden = true;
  const kind = h("div", { class: "two" });
  const fields = h("div", {});
  const remark = h("p", { class: "small soft", role: "status" });
  /** @type {import("./offers.js").Offer[]} */
  let all = [];

  /** Choose another board, variant or game; what does not go with it gives way, and a remark says so. */
  function choose(part, to) {
    const before = { ...choice, ...to };
    choice = fitted(before, part, kinds(before.game));
    remark.textContent = adapted(before, choice);
    if (part !== "game" && choice.game.mode !== before.game.mode) drawFields();
    drawKind();
  }

  /** Return the kinds of a game; none until they are known. */
  function kinds(game) {
    const offer = offerOf(all, game);
    return offer ? kindsOf(offer, lengthOf(game)) : [];
  }

  function drawKind() {
    const known = kinds(choice.game);
    const focused = [...kind.querySelectorAll("select")].findIndex((one) => one === document.activeElement);
    const isThere = (variant) => known.length === 0 || known.some((one) => one.variant === variant);
    kind.replaceChildren(
      field(
        "Boards",
        select(
          BOARDS.map((n) => [n, n === 1 ? "1 board" : `${n} boards`]),
          choice.boards,
          ({ target }) => choose("boards", { boards: Number(target.value) }),
        ),
      ),
      field(
        "Variant",
        select(
          VARIANTS.filter(([id]) => isThere(id)),
          choice.variant,
          ({ target }) => choose("variant", { variant: target.value }),
        ),
      ),
    );
    kind.querySelectorAll("select")[focused]?.focus();
  }

  function drawFields() {
    fields.replaceChildren(gameFields(choice.game, (game) => choose("game", { game })));
  }

  const problem = h("div", {});
  async function submit(event) {
    event.preventDefault();
    const asked =
      which.value === "daily" ? today() : which.value === "number" ? Number(number.value) : anyNumber();
    try {
      const answer = await post("/puzzle", { ...choice, number: asked });
      begin({ ...choice, number: answer.puzzle.number }, which.value === "daily");
      dialog.close();
    } catch (error) {
      problem.replaceChildren(problemNote(error));
    }
  }
  const dialog = h(
    "dialog",
    { "aria-labelledby": "settings-title" },
    h(
      "form",
      { class: "stack", onsubmit: submit },
      h("h2", { id: "settings-title" }, "Choose a puzzle"),
      h(
        "div",
        { class: "two" },
        field("Puzzle", which),
        numbered,
      ),
      kind,
      fields,
      h("div", {}, remark, problem),
      h(
        "div",
        { class: "cluster" },
        h("button", { class: "button primary" }, "Play"),
        h("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"),
      ),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") dialog.close();
  });
  drawKind();
  drawFields();
  offers().then(
    (found) => {
      all = found;
      drawKind();
    },
    () => {}, // what the server does not take it refuses in words
  );
  document.body.append(dialog);
  dialog.showModal();
}

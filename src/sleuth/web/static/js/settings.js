// Which puzzle to play: a dialog.

import { post } from "./api.js";
import { today } from "./days.js";
import { field, h, problemNote, select } from "./dom.js";
import { gameFields } from "./games.js";
import { VARIANTS, anyNumber } from "./puzzle.js";

/** Ask which puzzle to play, in a dialog. */
export function settings(puzzle, begin) {
  let { game } = puzzle;
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
  const boards = select(
    [1, 2, 4, 8].map((n) => [n, n === 1 ? "1 board" : `${n} boards`]),
    puzzle.boards,
  );
  const variant = select(VARIANTS, puzzle.variant);
  const problem = h("div", {});
  async function submit(event) {
    event.preventDefault();
    const chosen = { game, boards: Number(boards.value), variant: variant.value };
    const asked =
      which.value === "daily" ? today() : which.value === "number" ? Number(number.value) : anyNumber();
    try {
      const answer = await post("/puzzle", { ...chosen, number: asked });
      begin({ ...chosen, number: answer.puzzle.number }, which.value === "daily");
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
        field("Boards", boards),
        field("Variant", variant),
      ),
      gameFields(game, (next) => {
        game = next;
      }),
      problem,
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
  document.body.append(dialog);
  dialog.showModal();
}

// Which game is looked at: its words and mode, boards and variant, and the answers where they are known.

import { field, h, select } from "../dom.js";
import { gameFields, lengthOf } from "../games.js";
import { adapted, fitted, kindsOf, offerOf, offers } from "../offers.js";
import { VARIANTS } from "../puzzle.js";
import { ofGame, startedOver } from "./edits.js";

const BOARDS = [1, 2, 4, 8];

/** @typedef {import("./address.js").State} State */
/** @typedef {import("../offers.js").Choice} Choice */

/**
 * Return the form, and how to draw it. `edit(change)` is called with a function from the state to an edit,
 * `answered(answers)` when an answer is written.
 * @param {{ edit: (change: (state: State) => import("./edits.js").Edit) => void, answered: (answers: string[]) => void }} actions
 */
export function settingForm({ edit, answered }) {
  const fields = h("div", { class: "stack" });
  const answers = h("div", { class: "two" });
  const said = h("p", { class: "soft small", role: "status" });
  /** @type {import("../offers.js").Offer[]} */
  let all = [];
  let drawn = "";
  offers().then(
    (found) => {
      all = found;
    },
    () => {}, // what the server does not take it refuses in words
  );

  /** Return the kinds of a game that the server takes; none until that is known. */
  function kindsFor(/** @type {any} */ game) {
    const offer = offerOf(all, game);
    return offer ? kindsOf(offer, lengthOf(game)) : [];
  }

  /** Choose a part of what is looked at; what does not go with it gives way, and a line says so. */
  function choose(/** @type {"boards" | "variant" | "game"} */ chosen, /** @type {Partial<Choice>} */ other) {
    edit(({ ...state }) => {
      const meant = { game: state.game, boards: state.boards, variant: state.variant, ...other };
      const next = fitted(meant, chosen, kindsFor(meant.game));
      said.textContent = adapted(meant, next);
      if (next.boards !== state.boards) return startedOver(state, next);
      const [changed, name] = ofGame(state, next.game);
      return [{ ...changed, variant: next.variant }, name];
    });
  }

  /** Return the variants that there are of a game, all until that is known. */
  function variantsFor(/** @type {any} */ game) {
    const kinds = kindsFor(game);
    return VARIANTS.filter(([id]) => !kinds.length || kinds.some((kind) => kind.variant === id));
  }

  function drawFields(/** @type {State} */ { game, boards, variant }) {
    const key = JSON.stringify([game, boards, variant, all.length]);
    if (key === drawn) return;
    drawn = key;
    const many = BOARDS.includes(boards) ? BOARDS : [...BOARDS, boards].sort((a, b) => a - b);
    fields.replaceChildren(
      gameFields(game, (next) => choose("game", { game: next })),
      h(
        "div",
        { class: "two" },
        field(
          "Boards",
          select(
            many.map((n) => [n, String(n)]),
            boards,
            ({ target }) => choose("boards", { boards: Number(target.value) }),
          ),
        ),
        field(
          "Variant",
          select(variantsFor(game), variant, ({ target }) => choose("variant", { variant: target.value })),
        ),
      ),
    );
  }

  function drawAnswers(/** @type {State} */ { game, boards, answers: known }) {
    if (answers.contains(document.activeElement)) return;
    answers.replaceChildren();
    const inputs = known.map((answer, i) => {
      const input = h("input", {
        type: "text",
        autocomplete: "off",
        autocapitalize: "none",
        spellcheck: "false",
        maxlength: lengthOf(game),
        placeholder: "if you know it",
        value: answer,
        oninput: () => {
          const all = inputs.map(({ value }) => value.trim().toLowerCase());
          if (all.every((word) => !word || [...word].length === lengthOf(game))) answered(all);
        },
      });
      answers.append(field(boards > 1 ? `The answer of board ${i + 1}` : "The answer", input));
      return input;
    });
  }

  return {
    element: h("div", { class: "stack" }, fields, said, answers),
    draw(/** @type {State} */ state) {
      drawFields(state);
      drawAnswers(state);
    },
  };
}

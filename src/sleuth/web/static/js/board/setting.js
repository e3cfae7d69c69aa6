// Which game is looked at: its words and mode, boards and variant, and the answers where they are known.

import { field, h, select } from "../dom.js";
import { gameFields, lengthOf } from "../games.js";
import { VARIANTS } from "../puzzle.js";
import { ofGame, startedOver } from "./edits.js";

const BOARDS = [1, 2, 4, 8];

/** @typedef {import("./address.js").State} State */

/**
 * Return the form, and how to draw it. `edit(change)` is called with a function from the state to an edit,
 * `answered(answers)` when an answer is written.
 * @param {{ edit: (change: (state: State) => import("./edits.js").Edit) => void, answered: (answers: string[]) => void }} actions
 */
export function settingForm({ edit, answered }) {
  const fields = h("div", { class: "stack" });
  const answers = h("div", { class: "two" });
  let drawn = "";

  function drawFields(/** @type {State} */ { game, boards, variant }) {
    const key = JSON.stringify([game, boards, variant]);
    if (key === drawn) return;
    drawn = key;
    const many = BOARDS.includes(boards) ? BOARDS : [...BOARDS, boards].sort((a, b) => a - b);
    fields.replaceChildren(
      gameFields(game, (next) => edit((state) => ofGame(state, next))),
      h(
        "div",
        { class: "two" },
        field(
          "Boards",
          select(
            many.map((n) => [n, String(n)]),
            boards,
            ({ target }) => {
              const n = Number(target.value);
              edit((state) => startedOver(state, { boards: n, variant: n > 1 ? "standard" : state.variant }));
            },
          ),
        ),
        field(
          "Variant",
          select(VARIANTS, variant, ({ target }) => {
            const other = { variant: target.value };
            edit((state) =>
              state.boards > 1
                ? startedOver(state, { ...other, boards: 1 })
                : [{ ...state, ...other }, "variant"],
            );
          }),
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
    element: h("div", { class: "stack" }, fields, answers),
    draw(/** @type {State} */ state) {
      drawFields(state);
      drawAnswers(state);
    },
  };
}

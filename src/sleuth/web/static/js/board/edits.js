// What a person does to a game, as functions from one state to the next, each with the name of its change.

import { hasMarks, lengthOf } from "../games.js";
import { feedbackOf, likelyFeedback } from "./feedback.js";
import { isSolvedBoard, rowsOf } from "./position.js";
import {
  addAll,
  begun,
  cutAfter,
  leaveOut,
  lineOf,
  lineThrough,
  nodeAt,
  promote,
  remove,
  replace,
  rowsTo,
} from "./tree.js";

/**
 * @typedef {import("./address.js").State} State
 * @typedef {import("./tree.js").Row} Row
 * @typedef {[next: State, edit: string]} Edit
 * @typedef {{ guess: string, feedback: string[], sure: boolean }} Draft the open row. sure: whether its colours are known
 */

const boardsOf = (/** @type {State} */ { boards }) => Array.from({ length: boards }, (_, board) => board);

/** Return what a word gets after some rows: by the answer where it is known, else as the rows suggest.
 * @param {State} state @param {string} word @param {Row[]} before @returns {string[]} */
function feedbackAfter({ game, boards, variant, answers }, word, before) {
  return Array.from({ length: boards }, (_, board) => {
    if (isSolvedBoard(game, before, board)) return "";
    if (answers[board] && variant === "standard") return feedbackOf(game, word, answers[board]);
    return likelyFeedback(game, word, variant === "fibble" ? [] : rowsOf(before, board));
  });
}

/** Return a word as the open row after some rows. @param {State} state @param {string} word @param {Row[]} before
 * @returns {Draft} */
export function drafted(state, word, before) {
  const known = boardsOf(state).every(
    (board) => state.answers[board] || isSolvedBoard(state.game, before, board),
  );
  return {
    guess: word,
    feedback: feedbackAfter(state, word, before),
    sure: known && state.variant === "standard",
  };
}

/** Return an open row in which nothing stands. @returns {Draft} */
export const blank = () => ({ guess: "", feedback: [], sure: false });

/** Add a row where one stands, and go there. @param {State} state @param {Row} row @returns {Edit} */
export const placed = (state, { guess, feedback }) => extended(state, [{ guess, feedback }]);

/** Add rows of one board; the other boards get what is likely. @param {State} state
 * @param {{ guess: string, feedback: string }[]} rows @param {number} board @returns {Edit} */
export function followed(state, rows, board) {
  const made = rowsTo(state.root, state.at);
  const before = made.length;
  for (const { guess, feedback } of rows) {
    const all = feedbackAfter(state, guess, made);
    all[board] = feedback;
    made.push({ guess, feedback: all });
  }
  return extended(state, made.slice(before));
}

/** @param {State} state @param {Row[]} rows @returns {Edit} */
function extended(state, rows) {
  const { root, path } = addAll(state.root, state.at, rows);
  return [{ ...state, root, at: path, tried: "" }, `row ${path.join(".")}`];
}

/** Change the row `at` of the line one stands on; another word gets other colours. @param {State} state
 * @param {number} at @param {Row} row @returns {Edit} */
export function changed(state, at, row) {
  const path = state.at.slice(0, at + 1);
  const before = rowsTo(state.root, path);
  const feedback = before.pop()?.guess === row.guess ? row.feedback : feedbackAfter(state, row.guess, before);
  return [
    { ...state, root: replace(state.root, path, { guess: row.guess, feedback }) },
    `row ${path.join(".")}`,
  ];
}

/** Take out the row `at`: what follows moves up. @param {State} state @param {number} at @returns {Edit} */
export const takenOut = (state, at) => [
  {
    ...state,
    root: leaveOut(state.root, state.at.slice(0, at + 1)),
    at: state.at.filter((_, i) => i !== at),
  },
  `out ${at}`,
];

/** Make the line to where one stands the main line. @param {State} state @returns {Edit} */
export function promoted(state) {
  const { root, path } = promote(state.root, state.at);
  return [{ ...state, root, at: path }, "promote"];
}

/** Cut off what follows. @param {State} state @returns {Edit} */
export const cut = (state) => [{ ...state, root: cutAfter(state.root, state.at) }, "cut"];

/** Delete the row where one stands and what follows. @param {State} state @returns {Edit} */
export const deleted = (state) => [
  { ...state, root: remove(state.root, state.at), at: state.at.slice(0, -1) },
  `delete ${state.at.join(".")}`,
];

/** Whether there is more than the row after a place. @param {State} state */
export const follows = ({ root, at }) => nodeAt(root, at).next.length > 0;

/** Begin anew. @param {State} state @param {Partial<State>} [other] @returns {Edit} */
export const startedOver = (state, other = {}) => {
  const next = { ...state, ...other };
  return [{ ...next, root: begun(), at: [], tried: "", answers: boardsOf(next).map(() => "") }, "over"];
};

/** Look at another game; rows stay where they can. @param {State} state @param {any} game @returns {Edit} */
export const ofGame = (state, game) =>
  hasMarks(game) === hasMarks(state.game) && lengthOf(game) === lengthOf(state.game)
    ? [{ ...state, game }, "game"]
    : startedOver(state, { game });

/** Put a whole game of one board on the board. @param {State} state @param {any} game
 * @param {{ guess: string, feedback: string }[]} rows @param {string} answer @returns {Edit} */
export function opened(state, game, rows, answer) {
  const root = lineOf(rows.map(({ guess, feedback }) => ({ guess, feedback: [feedback] })));
  const next = { game, boards: 1, variant: "standard", answers: [answer], root, at: lineThrough(root, []) };
  return [{ ...state, ...next, tab: "game", tried: "" }, "opened"];
}

// What is on the board at a place of a game, and how the server is asked about it.

import { turnsOf } from "../games.js";
import { isRight } from "./feedback.js";

/**
 * @typedef {import("./tree.js").Row} Row
 * @typedef {{ game: any, variant: string, boards: number }} Setting which game is looked at
 * @typedef {{ guess: string, feedback: string }} Plain a row of one board, as the API takes it
 */

/** @param {Row[]} rows @param {number} board @returns {Plain[]} the rows of a board, up to the one that solved it */
export const rowsOf = (rows, board) =>
  rows.map(({ guess, feedback }) => ({ guess, feedback: feedback[board] })).filter((row) => row.feedback);

/** Whether a board is solved by some rows. @param {any} game @param {Row[]} rows @param {number} board */
export const isSolvedBoard = (game, rows, board) =>
  rows.some(({ feedback }) => feedback[board] && isRight(game, feedback[board]));

/** Whether all boards are solved. @param {Setting} setting @param {Row[]} rows */
export const isSolved = ({ game, boards }, rows) =>
  Array.from({ length: boards }, (_, board) => isSolvedBoard(game, rows, board)).every(Boolean);

/** Return how many guesses a game has. @param {Setting} setting */
export const turnsIn = ({ game, variant, boards }) =>
  turnsOf(game) + boards - 1 + { standard: 0, absurdle: 6, fibble: 3 }[variant];

/** Return the part of a question that says where one stands on one board.
 * @param {Setting} setting @param {Row[]} rows @param {number} [board] */
export const asked = ({ game, variant }, rows, board = 0) => ({
  game,
  rows: rowsOf(rows, board),
  ...(variant === "standard" ? {} : { variant }),
});

/** Return the same for all boards at once. @param {Setting} setting @param {Row[]} rows */
export const askedOfAll = ({ game, boards }, rows) => ({
  game,
  boards: Array.from({ length: boards }, (_, board) => rowsOf(rows, board)),
});

// Which row of a line cannot be: no answer fits it together with the rows before it, or the known answer does not.

import { hasMarks, nounOf } from "../games.js";
import { feedbackOf } from "./feedback.js";
import { asked } from "./position.js";
import { question, remembered } from "./questions.js";

/**
 * @typedef {import("./address.js").State} State
 * @typedef {import("./tree.js").Row} Row
 * @typedef {{ row: number, says: string }} Misfit the row, from 1, and why it does not fit. The board tells of a row that is on
 *   it, see advice.js
 */

const boardsOf = (/** @type {State} */ { boards }) => Array.from({ length: boards }, (_, board) => board);

/** Return the first row that a known answer does not fit, with its board (from 0) and the places (from 1) that are not as the
 * answer has them; nothing where there is none. @param {State} state @param {Row[]} line
 * @returns {Misfit & { board: number, places: number[] } | null} */
export function byAnswers({ game, variant, answers }, line) {
  if (variant !== "standard") return null;
  for (const [at, { guess, feedback }] of line.entries()) {
    const board = answers.findIndex((answer, i) => answer && feedback[i] && feedbackOf(game, guess, answer) !== feedback[i]);
    if (board < 0) continue;
    const answer = answers[board];
    const due = feedbackOf(game, guess, answer);
    const places = hasMarks(game) ? [...due].flatMap((mark, i) => (mark === feedback[board][i] ? [] : [i + 1])) : [];
    const got = hasMarks(game) ? due : `${due.replace(",", " in place and ")} elsewhere`;
    const says = `${guess.toUpperCase()} would have got ${got} where ${answer.toUpperCase()} is the answer.`;
    return { row: at + 1, board, places, says };
  }
  return null;
}

/** Return the questions that tell whether rows fit, one a board. @param {State} state @param {Row[]} line */
const questions = (state, line) =>
  boardsOf(state)
    .map((board) => asked(state, line, board))
    .filter(({ rows }) => rows.length);

/** Return what an answer of /check says. @param {State} state @param {Row[]} line @param {any} found @returns {Misfit | null} */
function byCheck({ game }, line, { contradiction }) {
  const row = contradiction?.first ?? contradiction?.row;
  if (!row) return null;
  const { guess } = line[row - 1];
  const which = row > 1 ? " together with the rows before it" : "";
  return { row, says: `No ${nounOf(game)} fits what ${guess.toUpperCase()} got${which}.` };
}

/** Return which row does not fit as far as that is known: null where all do, undefined where it has to be asked.
 * @param {State} state @param {Row[]} line @returns {Misfit | null | undefined} */
export function knownMisfit(state, line) {
  const found = byAnswers(state, line);
  if (found) return found;
  for (const body of questions(state, line)) {
    const answer = remembered("/check", body);
    if (!answer) return undefined;
    const misfit = byCheck(state, line, answer);
    if (misfit) return misfit;
  }
  return null;
}

/** Return the same, asked where it is not known. Throws Problem. @param {State} state @param {Row[]} line
 * @returns {Promise<Misfit | null>} */
export async function misfit(state, line) {
  for (const body of byAnswers(state, line) ? [] : questions(state, line)) await question("/check", body, {});
  return knownMisfit(state, line) ?? null;
}

// What a person put in of a game: a grid, or words, each with what it got or without.

import { hasMarks, lengthOf } from "../games.js";
import { feedbackOf } from "./feedback.js";

const SQUARES = /[\u{1F7E5}-\u{1F7EB}\u{2B1B}\u{2B1C}⚫⚪➖]/u;
const NUMBER = /^\s*\d{1,2}[.)]\s+/;
const MARKS = /^([byg]+|[012]+)$/;
const NUMBERS = /^\d{1,2},\d{1,2}$/;
const WORD = /^[\p{L}\p{N}]+$/u;

/**
 * @typedef {{ guess: string, feedback?: string }} Row
 * @typedef {{ text?: string, isGrid?: boolean, rows?: Row[] }} Pasted what /review takes. text: what is neither rows nor
 *   words, as it is. isGrid: whether it has colours without words, which are to be found
 */

/** Return what a text holds. Throws an Error that says what of it is not understood. @param {string} text @param {any} game
 * @returns {Pasted} */
export function readPasted(text, game) {
  if (SQUARES.test(text)) return { text, isGrid: !hasWord(text, game) };
  const isFeedback = (/** @type {string} */ part) => (hasMarks(game) ? MARKS : NUMBERS).test(part);
  const parts = text
    .toLowerCase()
    .split("\n")
    .flatMap((line) => line.replace(NUMBER, "").split(/[\s:;]+/))
    .flatMap((part) => (isFeedback(part) ? [part] : part.split(",")))
    .filter(Boolean);
  if (!parts.every((part) => isFeedback(part) || WORD.test(part))) return { text };
  /** @type {Row[]} */
  const rows = [];
  for (const part of parts) {
    const last = rows.at(-1);
    if (!isFeedback(part)) rows.push({ guess: part });
    else if (!last || last.feedback) return { text, isGrid: true };
    else if (hasMarks(game) && [...last.guess].length !== part.length)
      throw new Error(
        `“${part}” is ${part.length} colours, and ${last.guess.toUpperCase()} has ${[...last.guess].length} letters`,
      );
    else last.feedback = part;
  }
  return { rows };
}

/** Whether a text has something as long as the words of a game. @param {string} text @param {any} game */
const hasWord = (text, game) =>
  text.split(/[^\p{L}\p{N}]+/u).some((part) => [...part].length === lengthOf(game));

/** Return the answer where rows name it: a game as a rule ends with it, and what the others got must fit it.
 * @param {Row[]} rows @param {any} game */
export function answerIn(rows, game) {
  const last = rows.at(-1);
  if (rows.length < 2 || !last || last.feedback) return "";
  const fits = (/** @type {Row} */ { guess, feedback }) =>
    !feedback || !hasMarks(game) || feedbackOf(game, guess, last.guess) === inLetters(feedback);
  return rows.every(fits) ? last.guess : "";
}

const inLetters = (/** @type {string} */ marks) => marks.replace(/[012]/g, (digit) => "byg"[Number(digit)]);

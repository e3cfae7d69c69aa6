// What a person put in of a game: a grid, rows with what they got, or words alone.

const SQUARES = /[\u{1F7E5}-\u{1F7EB}\u{2B1B}\u{2B1C}⚫⚪➖]/u;
const NUMBER = /^\s*\d{1,2}[.)]\s+/;
const GOT = /^([byg]+|[012]+)$/;
const ROW = /^([\p{L}\p{N}]+):([byg]+|[012]+|\d{1,2},\d{1,2})$/u;
const WORD = /^[\p{L}\p{N}]+$/u;

/**
 * @typedef {{ guess: string, feedback: string }} Row
 * @typedef {{ text?: string, rows?: Row[], guesses?: string[] }} Pasted what /review takes. text: a grid, or what is
 *   neither rows nor words
 */

/** Return what a text holds. @param {string} text @returns {Pasted} */
export function readPasted(text) {
  if (SQUARES.test(text)) return { text };
  const lines = text
    .toLowerCase()
    .split("\n")
    .map((line) => line.replace(NUMBER, "").trim())
    .filter(Boolean);
  const parts = lines.join("\n").replace(/:\s+/g, ":").split(/[\s;]+/);
  const rows = (parts.every((part) => ROW.test(part)) && parts.map(rowOf)) || lines.map(besideOf);
  if (rows.every((row) => row !== null)) return { rows: /** @type {Row[]} */ (rows) };
  const words = lines.join(" ").split(/[\s,;]+/).filter(Boolean);
  return words.every((word) => WORD.test(word)) && !words.every((word) => GOT.test(word))
    ? { guesses: words }
    : { text };
}

/** Return the row of a part such as salet:bbybb. @param {string} part */
function rowOf(part) {
  const [guess, feedback] = part.split(":");
  return { guess, feedback };
}

/** Return the row of a line such as "salet bbybb", nothing where it is none. @param {string} line */
function besideOf(line) {
  const [guess, feedback, ...more] = line.split(/\s+/);
  return !more.length && WORD.test(guess) && GOT.test(feedback ?? "") && guess.length === feedback.length
    ? { guess, feedback }
    : null;
}

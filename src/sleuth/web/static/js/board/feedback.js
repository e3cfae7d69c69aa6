// What guesses get: from an answer that is known, and from what earlier rows settle.

import { hasMarks, lengthOf } from "../games.js";

/** Return what a guess gets where the answer is known: marks, or two numbers in games of pegs.
 * @param {any} game @param {string} guess @param {string} answer @returns {string} */
export function feedbackOf(game, guess, answer) {
  const [made, wanted] = [[...guess], [...answer]];
  const right = made.map((letter, i) => letter === wanted[i]);
  const left = new Map();
  wanted.forEach((letter, i) => right[i] || left.set(letter, (left.get(letter) ?? 0) + 1));
  const elsewhere = made.map((letter, i) => {
    if (right[i] || !left.get(letter)) return false;
    left.set(letter, left.get(letter) - 1);
    return true;
  });
  if (hasMarks(game)) return made.map((_, i) => (right[i] ? "g" : elsewhere[i] ? "y" : "b")).join("");
  const count = (/** @type {boolean[]} */ marks) => marks.filter(Boolean).length;
  return `${count(right)},${count(elsewhere)}`;
}

/** Return what a guess surely gets by earlier rows: greens again, known letters yellow; a first guess of the rest.
 * @param {any} game @param {string} guess @param {{ guess: string, feedback: string }[]} rows @returns {string} */
export function likelyFeedback(game, guess, rows) {
  if (!hasMarks(game)) return "0,0";
  const letters = [...guess];
  return letters
    .map((letter, i) => {
      const seen = rows.flatMap((row) =>
        [...row.guess].flatMap((other, j) => (other === letter ? [[j, row.feedback[j]]] : [])),
      );
      if (seen.some(([j, mark]) => mark === "g" && j === i)) return "g";
      return seen.some(([, mark]) => mark !== "b") && letters.indexOf(letter) === i ? "y" : "b";
    })
    .join("");
}

/** Return what a right guess gets. @param {any} game */
export const rightFeedback = (game) => (hasMarks(game) ? "g".repeat(lengthOf(game)) : `${lengthOf(game)},0`);

/** Whether a feedback says that a guess was right. @param {any} game @param {string} feedback */
export const isRight = (game, feedback) => feedback === rightFeedback(game);

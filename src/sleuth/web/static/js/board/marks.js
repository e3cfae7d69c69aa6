// What a guess got, without its letters, whatever the game.

import { h } from "../dom.js";
import { hasMarks, lengthOf } from "../games.js";
import { SYMBOLS, keyPegs, peg, pegName, pegRow } from "../pegs.js";
import { glyph, guessed, marks } from "../tiles.js";

/** The signs of Bulls and Cows: in the right place, and elsewhere. */
export const PEGS = ["●", "○"];

/** Whether a game is played with coloured pegs. */
export const hasColours = (/** @type {any} */ game) => game.game === "mastermind";

/** Return a feedback as it is shown: small tiles, key pegs, or two numbers. @param {any} game @param {string} feedback */
export function shownFeedback(game, feedback) {
  if (hasMarks(game)) return marks(feedback);
  if (hasColours(game)) return keyPegs(feedback, lengthOf(game));
  const [right, elsewhere] = feedback.split(",");
  return h(
    "span",
    { class: "peg-feedback", role: "img", "aria-label": `${right} in place, ${elsewhere} elsewhere` },
    h("span", {}, `${PEGS[0]} ${right}`),
    h("span", {}, `${PEGS[1]} ${elsewhere}`),
  );
}

/** Return a guess in the middle of a text: in Mastermind its pegs. @param {any} game @param {string} guess */
export const faceOfGuess = (game, guess) =>
  hasColours(game)
    ? h(
        "span",
        { class: "code", role: "img", "aria-label": [...guess].map(pegName).join(", ") },
        [...guess].map((symbol) => h("span", { class: "hole" }, peg(symbol))),
      )
    : guess;

/** Return a sentence of the server with the guesses that it names as they are drawn: in Mastermind as pegs. Numbers that
 * count something stay. @param {any} game @param {string} text @param {string[]} named */
export function worded(game, text, named) {
  if (!hasColours(game) || !named.length) return [text];
  const guesses = new RegExp(`\\b(${named.join("|")})\\b(?! (?:were |are |still )?possible| that were| answers| words)`, "gi");
  return text.split(guesses).map((part, i) => (i % 2 ? faceOfGuess(game, part.toLowerCase()) : part));
}

/** Return some guesses, one after the other. @param {any} game @param {string[]} guesses */
export const facesOf = (game, guesses) =>
  hasColours(game) ? guesses.flatMap((guess) => [faceOfGuess(game, guess), " "]) : guesses.join(" ");

/** Return a guess with what it got. @param {any} game @param {string} guess @param {string} feedback @param {string} [className] */
export const guessedIn = (game, guess, feedback, className = "mini") =>
  hasColours(game)
    ? h("span", { class: "cluster guessed-code" }, pegRow(guess, className), shownFeedback(game, feedback))
    : guessed(guess, feedback, className);

/** Return a letter of a guess as it is drawn: in Mastermind a peg. @param {any} game @param {string} letter */
export const faceOf = (game, letter) =>
  hasColours(game) && SYMBOLS.includes(letter) && letter ? peg(letter) : glyph(letter);

/** Return what the signs of games of pegs mean. @param {any} game */
export const pegLegend = (game) =>
  h(
    "ul",
    { class: "key-legend", "aria-label": "What the signs mean" },
    [
      ["1,0", "in the right place"],
      ["0,1", "elsewhere"],
    ].map(([feedback, meaning], i) => h("li", {}, hasColours(game) ? keyPegs(feedback, 1) : h("span", {}, PEGS[i]), meaning)),
  );

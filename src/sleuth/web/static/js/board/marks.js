// What a guess got, without its letters, whatever the game.

import { h } from "../dom.js";
import { hasMarks } from "../games.js";
import { SYMBOLS, peg, pegName } from "../pegs.js";
import { glyph, marks } from "../tiles.js";

/** The signs of games of pegs: in the right place, and elsewhere. */
export const PEGS = ["●", "○"];

/** Return a feedback as it is shown: small tiles, or two numbers of pegs. @param {any} game @param {string} feedback */
export function shownFeedback(game, feedback) {
  if (hasMarks(game)) return marks(feedback);
  const [right, elsewhere] = feedback.split(",");
  return h(
    "span",
    { class: "peg-feedback", role: "img", "aria-label": `${right} in place, ${elsewhere} elsewhere` },
    h("span", {}, `${PEGS[0]} ${right}`),
    h("span", {}, `${PEGS[1]} ${elsewhere}`),
  );
}

const hasColours = (/** @type {any} */ game) => game.game === "mastermind";

/** Return a letter of a guess as it is drawn: in Mastermind a peg. @param {any} game @param {string} letter */
export const faceOf = (game, letter) =>
  hasColours(game) && SYMBOLS.includes(letter) && letter ? peg(letter) : glyph(letter);

/** Return what the signs of games of pegs mean, and in Mastermind which colour each digit is. @param {any} game */
export const pegLegend = (game) => [signs(), ...(hasColours(game) ? [colours(game.colours ?? 6)] : [])];

const colours = (/** @type {number} */ n) =>
  h(
    "ul",
    { class: "key-legend colour-legend", "aria-label": "Which colour a digit is" },
    [...SYMBOLS.slice(0, n)].map((symbol) =>
      h("li", {}, symbol, h("span", { class: "tile" }, peg(symbol)), pegName(symbol)),
    ),
  );

const signs = () =>
  h(
    "ul",
    { class: "key-legend", "aria-label": "What the signs mean" },
    h("li", {}, `${PEGS[0]} in the right place`),
    h("li", {}, `${PEGS[1]} elsewhere`),
  );

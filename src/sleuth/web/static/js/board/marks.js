// What a guess got, without its letters, whatever the game.

import { h } from "../dom.js";
import { hasMarks } from "../games.js";
import { marks } from "../tiles.js";

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

/** Return what the signs of games of pegs mean. */
export const pegLegend = () =>
  h(
    "ul",
    { class: "key-legend", "aria-label": "What the signs mean" },
    h("li", {}, `${PEGS[0]} in the right place`),
    h("li", {}, `${PEGS[1]} elsewhere`),
  );

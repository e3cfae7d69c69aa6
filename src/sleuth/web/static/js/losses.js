// What a guess costs beside the best one, in words: the same everywhere, and as the sentences of reviews have it.

import { fixed } from "./dom.js";

const NONE = 1e-9;
const HARDLY = 0.005;

/** Return how many guesses one guess takes more than another, as the two numbers are shown; of a difference that is too small
 * to be seen, hardly any. @param {number} value @param {number} best */
export function shownLoss(value, best) {
  const shown = Number((Number(fixed(value)) - Number(fixed(best))).toFixed(2));
  return shown > 0 || value - best <= NONE ? Math.max(0, shown) : HARDLY / 2;
}

/** Return a number of guesses that something costs: "0", "less than 0.01", "0.06", "1". @param {number} loss */
export function lossText(loss) {
  if (loss <= NONE) return "0";
  return loss < HARDLY ? "less than 0.01" : fixed(loss).replace(/\.00$/, "");
}

/** Return the same with its noun. @param {number} loss */
export function lossInGuesses(loss) {
  const text = lossText(loss);
  return `${text} ${text === "1" ? "guess" : "guesses"}`;
}

// What a guess costs beside the best one, in words: the same everywhere, and as the sentences of reviews have it.

import { fixed } from "./dom.js";

const NONE = 1e-9;
const HARDLY = 0.005;

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

// How a number is known, and what the numbers of a guess mean.

import { fixed, h } from "../dom.js";
import { explained } from "../explain.js";

const KINDS = {
  proved: ["=", "proved", "Proved: no strategy that finds every answer needs fewer guesses than this."],
  "at most": ["≤", "at most", "At most: a strategy was found that needs no more; there may be a better one."],
  estimate: [
    "≈",
    "estimate",
    "Estimate: worked out from how the guess splits what is left; nothing was played out.",
  ],
};

/** Return a number of guesses with how it is known, said in a word; a dash where there is none.
 * @param {number | null} value @param {string | null | undefined} kind @param {number} [decimals] */
export function valued(value, kind, decimals = 2) {
  if (value === null || value === undefined) return ["–"];
  return kind && KINDS[kind] ? [fixed(value, decimals), " ", kindTag(kind)] : [fixed(value, decimals)];
}

/** Return how a number is known as a word that explains itself. @param {string} kind */
export function kindTag(kind) {
  const [, word, meaning] = KINDS[kind];
  return explained(word, meaning, `kind ${kind.replace(" ", "-")}`);
}

/** Return the sign of a kind, for where there is room for nothing else. @param {string} kind */
export const signOf = (kind) => KINDS[kind]?.[0] ?? "";

/** Return what the signs of some kinds mean. @param {(string | null)[]} kinds */
export const signLegend = (kinds) =>
  h(
    "p",
    { class: "cluster small soft" },
    Object.keys(KINDS)
      .filter((kind) => kinds.includes(kind))
      .map((kind) => h("span", {}, `${signOf(kind)} `, kindTag(kind))),
  );

export const MEANINGS = {
  guesses:
    "Guesses expected from here until the answer is found, this one included. A lost game counts as twice the guesses there are.",
  bits: "Information expected, in bits: each bit halves what may be the answer. A full bar would tell all of it.",
  chance: "How likely it is the answer.",
  left: "Possible answers expected to be left after it.",
  worst: "The most possible answers that may be left after it.",
  solves: "Boards expected to be solved by it.",
  wins: "How likely all boards are solved in time.",
  groups: "How many kinds of feedback it may get.",
};

// The best guesses of a position, with how their numbers are known.

import { bar, count, fixed, h, percent, whole } from "../dom.js";
import { PROVISIONAL } from "../preparing.js";
import { hasLongWords, nounOf } from "../games.js";
import { MEANINGS, valued } from "./kinds.js";
import { explained } from "../explain.js";
import { faceOfGuess, hasColours } from "./marks.js";

// Which play the numbers are of, where that is not plain; how they are known each number says.
const METHODS = {
  "noisy-expected-guesses": "through the lies",
  absurdle: "against its host",
  "joint-rollout": "over all boards",
  "joint-information": "over all boards",
};

// Guesses with which a phone has no room for all columns; trying one shows them.
export const LONG = 7;
const LONGEST = 9;

/** @typedef {[name: string, meaning: string, show: (one: any, found: any) => any, className?: string]} Column */

/** Return how many bits would tell everything: all words left apart, on every board. */
const allBits = (/** @type {any} */ { candidates }) =>
  [candidates].flat().reduce((sum, left) => sum + Math.log2(Math.max(1, left)), 0);
const bits = (/** @type {any} */ one, /** @type {any} */ found) =>
  h("span", { class: "bits" }, bar(one.bits / Math.max(allBits(found), one.bits, 0.01)), fixed(one.bits));
/** @type {Column[]} */
const COLUMNS = [
  ["Guesses", MEANINGS.guesses, (one, found) => valued(one.expected_guesses, one.kind, decimalsOf(found)), "value"],
  ["Bits", MEANINGS.bits, bits],
  ["Chance", MEANINGS.chance, (one) => percent(one.chance)],
  ["Left", MEANINGS.left, (one) => fixed(one.expected_left, one.expected_left < 10 ? 1 : 0)],
];
/** @type {Column[]} */
const COLUMNS_OF_BOARDS = [
  COLUMNS[0],
  COLUMNS[1],
  ["Solves", MEANINGS.solves, (one) => fixed(one.solves)],
  ["Wins", MEANINGS.wins, (one) => percent(one.win)],
];

/** Return a word that is tried when it is pressed. @param {string} word @param {(word: string) => void} use @param {any} game */
export const wordButton = (word, use, game) =>
  h(
    "button",
    {
      type: "button",
      class: "link word",
      title: "Try it",
      "aria-label": `Try ${word}`,
      onclick: () => use(word),
    },
    faceOfGuess(game, word),
  );

/** Whether a method says how often all boards are solved: only games played on do. */
const isKnown = (/** @type {string} */ name, { method }) => name !== "Wins" || method === "joint-rollout";

/** Return how many decimals guesses expected have: the host of Absurdle leaves nothing to chance. */
const decimalsOf = (/** @type {any} */ { method }) => (method === "absurdle" ? 0 : 2);

/** Return the best guesses as a table with its heading. @param {any} found @param {(word: string) => void} use @param {any} game */
export const ranking = (found, use, game) => [
  h(
    "div",
    { class: "spread" },
    h("h2", {}, ["hard", "strict"].includes(game.mode) ? `Best guesses in ${game.mode} mode` : "Best guesses"),
    h(
      "p",
      { class: "soft small method" },
      found.provisional ? PROVISIONAL : (METHODS[found.method] ?? ""),
    ),
  ),
  rankingTable(found, use, game),
  ...(found.widened
    ? [h("p", { class: "small" }, "No listed answer fits, so every allowed guess is considered.")]
    : []),
  ...(found.notes ?? []).map((note) => h("p", { class: "soft small" }, note)),
];

/** Return the best guesses as a table. @param {any} found @param {(word: string) => void} use @param {any} game */
export function rankingTable(found, use, game) {
  const columns = found.boards ? COLUMNS_OF_BOARDS.filter(([name]) => isKnown(name, found)) : COLUMNS;
  const rows = found.guesses.map((one) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, wordButton(one.guess, use, game)),
      columns.map(([, , show, className]) => h("td", { class: className }, show(one, found))),
    ),
  );
  const wider = hasColours(game) ? 2 : 0; // than letters
  const letters = Math.max(0, ...found.guesses.map(({ guess }) => [...guess].length + wider));
  return h(
    "table",
    {
      "data-close": String(hasLongWords(game)),
      class: `ranking${found.boards ? " of-boards" : ""}${letters >= LONGEST ? " long longest" : letters >= LONG ? " long" : ""}`,
    },
    h("caption", { class: "vh" }, "The best guesses with their numbers, best first"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "Guess"),
        columns.map(([name, meaning]) => h("th", { scope: "col" }, explained(name, meaning))),
      ),
    ),
    h("tbody", {}, rows),
  );
}

/** Return how many words or codes are left, or how many on each board.
 * @param {number | number[]} candidates @param {any} game */
export const leftText = (candidates, game) =>
  !Array.isArray(candidates)
    ? `${count(candidates, nounOf(game))} left`
    : candidates.every((left) => left === candidates[0])
      ? `${count(candidates[0], nounOf(game))} left on each board`
      : `${candidates.map(whole).join(" · ")} ${nounOf(game)}s left`;

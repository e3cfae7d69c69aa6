// The best guesses of a position, with how their numbers are known.

import { bar, count, fixed, h, percent } from "../dom.js";
import { PROVISIONAL } from "../preparing.js";
import { MEANINGS, valued } from "./kinds.js";
import { tip } from "./tip.js";

const METHODS = {
  book: "computed ahead",
  exact: "exact",
  rollout: "by rollout",
  beam: "by beam search",
  "expected-guesses": "estimated",
};

/** Return a word that is tried when it is pressed. @param {string} word @param {(word: string) => void} use */
export const wordButton = (word, use) =>
  h(
    "button",
    { type: "button", class: "link word", title: "Try it", "aria-label": `Try ${word}`, onclick: () => use(word) },
    word,
  );

/** Return the best guesses as a table. @param {any} found @param {(word: string) => void} use */
export function ranking(found, use) {
  const most = Math.max(...found.guesses.map((one) => one.bits), 0.01);
  const rows = found.guesses.map((one) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, wordButton(one.guess, use)),
      h("td", { class: "value" }, valued(one.expected_guesses, one.kind)),
      h("td", {}, h("span", { class: "bits" }, bar(one.bits / most), fixed(one.bits))),
      h("td", {}, percent(one.chance)),
      h("td", {}, fixed(one.expected_left, one.expected_left < 10 ? 1 : 0)),
    ),
  );
  const head = [
    ["Guesses", MEANINGS.guesses],
    ["Bits", MEANINGS.bits],
    ["Chance", MEANINGS.chance],
    ["Left", MEANINGS.left],
  ];
  return [
    h(
      "div",
      { class: "spread" },
      h("h2", {}, "Best guesses"),
      h("p", { class: "soft small method" }, found.provisional ? PROVISIONAL : (METHODS[found.method] ?? found.method ?? "")),
    ),
    h(
      "table",
      { class: "ranking" },
      h("caption", { class: "vh" }, "The best guesses with their numbers, best first"),
      h(
        "thead",
        {},
        h("tr", {}, h("th", { scope: "col" }, "Guess"), head.map(([name, meaning]) => h("th", { scope: "col" }, tip(name, meaning)))),
      ),
      h("tbody", {}, rows),
    ),
    ...(found.widened
      ? [h("p", { class: "small" }, "No listed answer fits, so every allowed guess is considered.")]
      : []),
    ...(found.notes ?? []).map((note) => h("p", { class: "soft small" }, note)),
  ];
}

/** Return how many words or codes are left. @param {number} candidates @param {boolean} areWords */
export const leftText = (candidates, areWords) => `${count(candidates, areWords ? "word" : "code")} left`;

// The story of a game: skill and luck, each move in a sentence, and how Sleuth plays it.

import { bar, count, fixed, grouped, h, whole } from "../dom.js";
import { titleOf } from "../games.js";
import { row } from "../tiles.js";
import { explained } from "../explain.js";
import { betterButton } from "./better.js";
import { kindTag, valued } from "./kinds.js";
import { faceOfGuess, guessedIn, shownFeedback, worded } from "./marks.js";
import { annotated, isUnjudged } from "./moves.js";

const SKILL =
  "How good the choice was among all guesses, from 0 to 99. The best guess has 99, whatever came of it.";
const LUCK = "How kind the answer was among all that the guess might have got, from 0 to 99.";
/** Return how many answers are possible: on several boards of each. @param {number} all @param {number[]} [each] */
const possible = (all, each = []) =>
  h("b", {}, each.length > 1 ? each.map((n) => (n ? whole(n) : "solved")).join(" · ") : whole(all));

/** Return a review as cards. `go(move)` is called with the number of a move that one wants to see, `findBetter(move)` with
 * a mistake that is to be a puzzle; without it there are none. decimals: of guesses expected.
 * @param {any} review @param {any} game @param {(move: number) => void} go
 * @param {((move: any) => void) | null} findBetter @param {number} [decimals] */
export const story = (review, game, go, findBetter, decimals = 2) => [
  summary(review, game),
  h(
    "ol",
    { class: "moves" },
    review.moves.map((move) => h("li", {}, drawMove(move, game, go, review.luck !== null, findBetter, decimals))),
  ),
  ...line(review, game),
];

/** Return what a review is about, for where there is none yet. */
export const invitation = () =>
  h(
    "div",
    { class: "stack invitation" },
    h(
      "div",
      { class: "cluster", "aria-hidden": "true" },
      row("skill", "ggggg", { className: "mini" }),
      row("luck", "yyyy", { className: "mini" }),
    ),
    h(
      "p",
      {},
      h("b", {}, "Skill"),
      " is how good the choice was among all guesses, from 0 to 99. ",
      h("b", {}, "Luck"),
      " is how kind the answer was. The best guess has skill 99 even when luck is against it.",
    ),
    h(
      "p",
      { class: "soft small" },
      "Every guess is judged by what was known when it was made: ",
      "of the answer nothing is assumed but the list it comes from.",
    ),
  );

function summary(review, game) {
  const figures = [
    [
      review.solved ? "Solved in" : review.lost ? "Not found in" : "So far",
      count(review.turns, "guess", "guesses"),
    ],
    [explained("Skill", SKILL), review.skill_shown ?? "–"],
    ...(review.luck === null ? [] : [[explained("Luck", LUCK), review.luck_shown]]),
    ...(review.hard_mode === null || review.hard_mode === undefined
      ? []
      : [["Hard mode", review.hard_mode ? "kept" : "not kept"]]),
  ];
  return h(
    "div",
    { class: "stack" },
    h(
      "dl",
      { class: "figures" },
      figures.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    ),
    h("p", { class: "verdict" }, worded(game, review.summary, review.answer ? [review.answer] : [])),
    h("p", { class: "soft small" }, grouped(review.assumed)),
    ...(review.notes ?? []).map((note) => h("p", { class: "soft small" }, grouped(note))),
    h("p", { class: "soft small" }, titleOf(game)),
  );
}

/** Return the guesses that the sentence of a move may name. @param {any} move @returns {string[]} */
export const namedIn = ({ guess, best, sleuth, words_before: before = [], words_after: after = [] }) => [
  ...new Set([guess, best.guess, sleuth?.guess ?? guess, ...before, ...after]),
];

function meter(name, value, absent) {
  const none = value === null || value === undefined;
  return h(
    "div",
    { class: `move-bar ${name.toLowerCase()}` },
    h("span", {}, name),
    none
      ? h("span", { class: "soft small absent" }, absent)
      : [bar(value / 99), h("b", {}, `${Math.round(value)}`, h("span", { class: "soft small" }, " of 99"))],
  );
}

function drawMove(move, game, go, hasLuck, findBetter, decimals) {
  const guesses = (/** @type {any} */ { expected_guesses: expected, kind }) => valued(expected, kind, decimals);
  const isBest = move.best.guess === move.guess || move.value === move.expected_before;
  const bestWord = h("b", { class: "word" }, faceOfGuess(game, move.best.guess));
  const best = isBest
    ? ["the best: ", h("b", {}, fixed(move.value, decimals)), " guesses, ", kindTag(move.played.kind)]
    : ["best ", bestWord, ": ", guesses(move.best), ", here ", guesses(move.played)];
  const facts = [
    move.solved
      ? [possible(move.candidates_before, move.left_before), " possible before it"]
      : [
          possible(move.candidates_before, move.left_before),
          " → ",
          possible(move.candidates_after, move.left),
          " possible",
        ],
    move.choice ? best : null,
    move.bits_gained === null || move.candidates_before === 1
      ? null
      : [h("b", {}, fixed(move.bits_gained, 1)), ` bits learnt, ${fixed(move.bits_expected, 1)} expected`],
    move.hard === false ? ["not a hard-mode guess"] : null,
  ];
  return h(
    "article",
    { class: "move", "aria-label": `Move ${move.turn}` },
    h(
      "div",
      { class: "move-tiles" },
      h(
        "button",
        {
          type: "button",
          class: "move-row",
          "aria-label": `Go to move ${move.turn}`,
          onclick: () => go(move.turn),
        },
        Array.isArray(move.feedback)
          ? [
              h("span", { class: "word" }, faceOfGuess(game, move.guess)),
              h(
                "span",
                { class: "cluster" },
                move.feedback.map((one) => (one ? shownFeedback(game, one) : null)),
              ),
            ]
          : guessedIn(game, move.guess, move.feedback, "story"),
      ),
      h(
        "div",
        { class: "move-bars" },
        meter("Skill", move.choice ? move.skill : null, isUnjudged(move) ? "not known" : "no choice"),
        hasLuck ? meter("Luck", move.luck, "no luck in it") : null,
      ),
    ),
    h(
      "div",
      { class: "stack" },
      h(
        "p",
        { class: "verdict" },
        h("b", {}, `${move.turn}. `),
        annotated(move.annotation),
        worded(game, move.sentence, namedIn(move)),
      ),
      h(
        "ul",
        { class: "facts" },
        facts.filter(Boolean).map((fact) => h("li", {}, fact)),
      ),
      findBetter ? h("div", {}, betterButton(move, findBetter)) : null,
    ),
  );
}

/** Return how Sleuth plays on from the same opener. */
function line(review, game) {
  if (!review.line) return [];
  const { turns, solved } = review;
  return [
    h(
      "div",
      { class: "stack" },
      h("h3", {}, "Sleuth, from the same first guess"),
      h(
        "ol",
        { class: "line-of-play" },
        review.line.map(({ guess, feedback }) => h("li", {}, guessedIn(game, guess, feedback))),
      ),
      h(
        "p",
        { class: "soft small" },
        count(review.line.length, "guess", "guesses"),
        solved ? `; you took ${turns}.` : ".",
      ),
    ),
  ];
}

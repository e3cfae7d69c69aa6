// What finished games add up to: pure functions of the games that history.js keeps.

import { today } from "./days.js";
import { grouped } from "./dom.js";
import { gameOf } from "./puzzle.js";

const MISTAKE = 0.1; // guesses that a move must cost to be one worth another try

/** Return the kind of a game, as old totals were counted by. */
export const kindOf = ({ title, boards, variant }) => `${title}, ${boards}, ${variant}`;

/** Return the kind of old totals in words. */
export function keptKindText(kind) {
  const [, title, boards, variant] = /^(.*), (\d+), (\w+)$/.exec(kind) ?? [];
  return title ? kindText({ title, boards: Number(boards), variant }) : kind;
}

/** Return a kind of game in words. */
export function kindText({ title, boards, variant }) {
  const special = variant === "standard" ? "" : variant.charAt(0).toUpperCase() + variant.slice(1);
  return [special, grouped(title), boards > 1 ? `${boards} boards` : ""].filter(Boolean).join(" · ");
}

/** Return the sums of games and of totals from before games were kept. */
export function summary(games, totals = []) {
  const histogram = {};
  const add = (turns, n) => {
    histogram[turns] = (histogram[turns] ?? 0) + n;
  };
  for (const game of games) if (game.won) add(game.guesses.length, 1);
  for (const total of totals) for (const [turns, n] of Object.entries(total.histogram)) add(turns, n);
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const played = games.length + sum(totals.map((total) => total.played));
  const won = games.filter((game) => game.won).length + sum(totals.map((total) => total.won));
  const taken = sum(Object.entries(histogram).map(([turns, n]) => Number(turns) * n));
  return {
    played,
    won,
    histogram,
    mean: won ? taken / won : null,
    hinted: games.filter((game) => game.hints > 0).length,
  };
}

/** Whether a game was the daily puzzle of the day on which it was begun. */
export const isDaily = (game) => today(new Date(game.started)) === game.number;

/**
 * Return on how many days in a row a daily puzzle was won, up to today or yesterday, and the most there were. A
 * day counts once, however many games were played, and by the day on which the game was begun.
 */
export function streaks(games, now = today()) {
  const days = new Set(games.filter((game) => game.won && isDaily(game)).map(({ number }) => number));
  let longest = 0;
  let run = 0;
  let last = null;
  for (const day of [...days].sort((a, b) => a - b)) {
    run = day - 1 === last ? run + 1 : 1;
    longest = Math.max(longest, run);
    last = day;
  }
  return { streak: last !== null && last >= now - 1 ? run : 0, longest };
}

/** Whether the server has reviews of such games: all but Fibble on several boards. */
export const isReviewed = ({ boards, variant }) => boards === 1 || variant === "standard";

/** Whether there is luck in the reviews of such games. */
export const hasLuck = ({ boards, variant }) => boards === 1 && variant === "standard";

/** Whether what moves of such games cost is an estimate. */
export const isEstimated = ({ boards }) => boards > 1;

/**
 * Return games by how they stand with the server: `done` have a review, `waiting` have none yet, `lost` cannot be
 * asked about, since the browser has other words of one's own than `here`, and of `none` there is no review.
 */
export function reviews(games, here) {
  /** @type {Record<"done" | "waiting" | "lost" | "none", any[]>} */
  const stands = { done: [], waiting: [], lost: [], none: [] };
  for (const game of games) {
    if (game.review?.moves.length) stands.done.push(game);
    else if (game.review || !isReviewed(game)) stands.none.push(game);
    else stands[gameOf(game, here) ? "waiting" : "lost"].push(game);
  }
  return stands;
}

/** Whether it is known what a move costs: what is more than a little, and no mistake, may be chance or is only estimated. */
const isKnown = ({ choice, loss, annotation }) => choice && loss !== null && (annotation !== "" || loss <= MISTAKE);

/** Return what is kept of the server's review. */
export const judged = (review) => ({
  skill: review.skill_shown,
  luck: review.luck_shown,
  moves: review.moves.map((move) => ({
    loss: isKnown(move) ? move.loss : null,
    best: move.best.guess,
    left: move.candidates_before,
  })),
});

/** Return the openers, most played first: how often, how they went, and what they cost against the best one. */
export function openers(games) {
  const found = new Map();
  for (const game of games) {
    const key = `${kindOf(game)}: ${game.guesses[0]}`;
    const one = found.get(key) ?? {
      ...{ guess: game.guesses[0], game: game.game, kind: kindText(game) },
      ...{ times: 0, won: 0, taken: 0, cost: null },
    };
    one.times += 1;
    if (game.won) {
      one.won += 1;
      one.taken += game.guesses.length;
    }
    one.cost = game.review?.moves[0]?.loss ?? one.cost;
    found.set(key, one);
  }
  return [...found.values()]
    .map((one) => ({ ...one, mean: one.won ? one.taken / one.won : null }))
    .sort((a, b) => b.times - a.times || (a.mean ?? 99) - (b.mean ?? 99));
}

/** Return the games that took most of the guesses they had, lost ones first. */
export function slowest(games) {
  const share = ({ won, guesses, turns }) => (won ? guesses.length / turns : 2);
  return [...games].sort((a, b) => share(b) - share(a) || b.finished - a.finished);
}

/**
 * Return the moves that cost most: each with the rows before it, { guess, feedback: one a board },
 * which make a puzzle to try again.
 */
export function mistakes(games) {
  return games
    .flatMap((game) =>
      (game.review?.moves ?? []).map((move, i) => ({ game, at: i, guess: game.guesses[i], ...move })),
    )
    .filter(({ loss, at }) => loss > MISTAKE && at > 0)
    .sort((a, b) => b.loss - a.loss)
    .map(({ game, at, ...move }) => ({
      ...{ game, ...move },
      rows: game.guesses.slice(0, at).map((guess, i) => ({ guess, feedback: game.feedback[i] })),
    }));
}

/** Return the guesses to draw bars for: all that a game allows, or those that there are. */
export function turnsShown(histogram, turns) {
  const most = Math.max(turns, ...Object.keys(histogram).map(Number));
  return Array.from({ length: most }, (_, i) => i + 1).filter((n) => most <= 8 || histogram[n]);
}


/** What the numbers mean. */
export const WHY = {
  played: "Puzzles that were played to their end, won or lost.",
  won: "How many of the puzzles played were solved within their guesses.",
  streak: "Days in a row on which you won the daily puzzle, of any kind, on its own day. Playing more on one day changes nothing.",
  longest: "The most days in a row so far.",
  mean: "Guesses that the puzzles you won took on average.",
  hinted: "Games in which at least one hint was shown.",
  skill: "How good the choices were among all guesses, from 0 to 99, whatever came of them: the average of your games.",
  luck: "How kind the answers were, from 0 to 99, with 50 as the middle: the average of your games.",
  cost: "How many guesses more than the best first guess this one takes on average, by the server's review; a dash where that is not known.",
  loss: "How many guesses more than the best one this guess takes on average from where it was played.",
};

// What came of a list, in words: sentences, names of players, numbers as people read them.

import { count, fixed, percent } from "../dom.js";
import { titleOf } from "../compare/contestants.js";
import { some } from "./question.js";

/** @typedef {import("./kept.js").Report} Report */
/** @typedef {import("./kept.js").Change} Change */
/** @typedef {import("./kept.js").Player} Player */

/** The share of games that a turn limit is asked for, in words. */
export const MADE = "99 %";

/** Return what a player is called. */
export const nameOf = (/** @type {Player} */ { player, proved }) =>
  player === "best" ? (proved ? "Best play" : "Best play known") : player === "casual" ? "Casual player" : titleOf(player);

/** Return the simulated person. */
export const casualOf = (/** @type {Report} */ { players }) => players[players.length - 1];

/** Return a family as people write it: -ight. */
export const labelOf = (/** @type {{ pattern: string }} */ { pattern }) => pattern.replace("_", "-");

const turns = (/** @type {number} */ n) => `${count(n, "turn")} ${n === 1 ? "is" : "are"}`;
const means = (/** @type {Player} */ { mean }) => fixed(mean, 2);

/** Return how hard a list is, in a sentence. */
export function headline(/** @type {Report} */ report) {
  const [casual, [best]] = [casualOf(report), report.players];
  const known = best.proved ? "the best play" : "the best play known";
  return `A casual player takes ${means(casual)} guesses on average and loses ${percent(casual.lost)} of the games; ${known} takes ${means(best)}.`;
}

/** Return what else there is to say of it. */
export function remarks(/** @type {Report} */ report) {
  const { unfair, families } = report;
  const { turn_limit: enough } = casualOf(report);
  const limit =
    enough <= report.max_turns
      ? `${turns(report.max_turns)} enough: a casual player makes ${MADE} of the games in ${enough}.`
      : `${turns(report.max_turns)} few: it takes ${enough} for a casual player to make ${MADE} of the games.`;
  const words = unfair.length
    ? `${count(unfair.length, "word")} ${unfair.length === 1 ? "is" : "are"} unfair.`
    : "No word is unfair.";
  const largest = families.length
    ? `The largest family is ${labelOf(families[0])} with ${count(families[0].words.length, "word")}.`
    : "";
  return [limit, words, largest].filter(Boolean).join(" ");
}

/** Return what a change does, in a sentence. */
export function headlineOfChange(/** @type {Change} */ { added, removed, before, after }) {
  const parts = [added.length ? `With ${some(added)}` : "", removed.length ? `without ${some(removed)}` : ""];
  const said = parts.filter(Boolean).join(" and ");
  const [old, now] = [casualOf(before), casualOf(after)];
  return `${said[0].toUpperCase()}${said.slice(1)}, a casual player takes ${means(now)} guesses on average instead of ${means(old)}, and loses ${percent(now.lost)} of the games instead of ${percent(old.lost)}.`;
}

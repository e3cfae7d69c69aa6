// What a comparison asks, as an address; and results, kept in this browser so that a reload shows them again.

import { fromQuery, toQuery } from "../games.js";
import { load, save } from "../storage.js";
import { contestantFrom, specOf } from "./contestants.js";

/**
 * @typedef {{ game: any, opener: string, specs: string[] }} Question
 *   A game, the first guess for all, and the strategies as the API takes them.
 * @typedef {{ total: number, mean: number, opener: string }} Optimum
 * @typedef {object} Report
 * @property {string} strategy
 * @property {string} opener
 * @property {number} answers
 * @property {number} failures
 * @property {number} total
 * @property {number} mean
 * @property {number} worst
 * @property {number} max_turns
 * @property {Record<string, number>} histogram
 * @property {number[]} turns  the guesses of each answer, in the order of the game's answers
 * @property {Optimum | null} optimum
 * @typedef {{ question: Question, reports: Report[], at: number }} Comparison
 *   Reports in the order of the specs; `at`: when, in milliseconds.
 */

export const MOST = 4;
const KEPT = 12;
const SIZE = 1_000_000; // characters of all that is kept
const JOBS = 8;

/** Return the address of a question. */
export function addressOf(/** @type {Question} */ { game, opener, specs }) {
  const query = toQuery(game);
  for (const spec of specs) query.append("strategy", spec);
  if (opener) query.set("opener", opener);
  return `/compare?${query}`;
}

/**
 * Return the question of an address; `specs` is empty where it asks none. Adds to `remarks` what it left out.
 *
 * @param {URLSearchParams} query
 * @param {import("./contestants.js").Strategy[]} strategies
 * @param {string[]} remarks
 * @returns {Question}
 */
export function questionFrom(query, strategies, remarks) {
  const game = fromQuery(query, remarks);
  const specs = [];
  const asked = query.getAll("strategy");
  for (const text of asked) {
    const contestant = contestantFrom(text, strategies, remarks);
    if (contestant) specs.push(specOf(contestant));
  }
  const different = [...new Set(specs)];
  if (asked.length && (asked.length < 2 || different.length > MOST || different.length < specs.length))
    remarks.push(`a comparison takes 2 to ${MOST} strategies, no two of them the same`);
  return {
    game,
    opener: (query.get("opener") ?? "").trim().toLowerCase().slice(0, 40),
    specs: different.slice(0, MOST),
  };
}

/** Return the comparisons that are kept, the newest first. */
export function kept() {
  const found = load("comparisons");
  return /** @type {Comparison[]} */ (Array.isArray(found) ? found : []);
}

/** Whether two questions are the same; the address does not tell words of one's own apart. */
const same = (/** @type {Question} */ a, /** @type {Question} */ b) =>
  addressOf(a) === addressOf(b) && String(a.game.answers) === String(b.game.answers);

/** Return what came of a question before, undefined where that is not kept. */
export const recall = (/** @type {Question} */ question) =>
  kept().find((one) => same(one.question, question));

/** Keep a comparison, and forget old ones that there is no room for. */
export function keep(/** @type {Comparison} */ comparison) {
  const others = kept().filter((one) => !same(one.question, comparison.question));
  const all = [comparison, ...others].slice(0, KEPT);
  while (all.length > 1 && JSON.stringify(all).length > SIZE) all.pop();
  save("comparisons", all);
}

/** Forget all comparisons. */
export const forget = () => save("comparisons", []);

/** @typedef {[address: string, id: string][]} Open */

const nameOf = (/** @type {Question} */ question, /** @type {string} */ spec) =>
  addressOf({ ...question, specs: [spec] });
const openJobs = () => /** @type {Open} */ (load("comparing") ?? []);

/** Return the id of an evaluation that was begun and not seen to end, "" where there is none. */
export function jobOf(/** @type {Question} */ question, /** @type {string} */ spec) {
  return openJobs().find(([name]) => name === nameOf(question, spec))?.[1] ?? "";
}

/** Keep the id of an evaluation that was begun; "" forgets it. Those of words of one's own begin anew. */
export function keepJob(
  /** @type {Question} */ question,
  /** @type {string} */ spec,
  /** @type {string} */ id,
) {
  const name = nameOf(question, spec);
  /** @type {Open} */
  const others = openJobs().filter(([other]) => other !== name);
  save("comparing", id && !question.game.answers ? [[name, id], ...others].slice(0, JOBS) : others);
}

// What is asked for on the view of planning: an episode; as an address, and as the API takes it.

import { isOneOf, isWhole, reader } from "../games.js";

/**
 * @typedef {{ name: string, title: string, summary: string, amounts: string, methods: string[], timed: boolean }} Problem
 *   amounts: "reward" or "cost"; timed: whether seconds for a decision count, or methods go by limits of their own.
 * @typedef {{ name: string, summary: string }} Method
 * @typedef {{ problems: Problem[], methods: Method[], seconds: number, turns: number }} Offered
 *   What there is, and the most seconds a decision and turns of an episode.
 * @typedef {{ problem: string, method: string, seconds: number, turns: number, seed: number, actions: number[] }} Question
 *   actions: of an episode that was played, with which it is the same wherever its link is opened; else empty.
 */

/** The largest seed that the server takes. */
export const MOST_SEED = 1e9;
/** The steps in which the form asks for seconds. */
export const STEP = 0.01;
/** @type {Question} */
export const USUAL = { problem: "tiger", method: "tree", seconds: 0.1, turns: 30, seed: 0, actions: [] };

/** Return the methods that play a problem.
 * @param {Pick<Offered, "problems" | "methods">} offered @param {string} problem */
export function methodsOf({ problems, methods }, problem) {
  const plays = problems.find(({ name }) => name === problem)?.methods ?? [];
  return plays.flatMap((method) => methods.filter(({ name }) => name === method));
}

/** Return the address of a question. */
export function addressOf(/** @type {Question} */ { actions, ...asked }) {
  const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]));
  if (actions.length) query.set("actions", actions.join("."));
  return `/plan?${query}`;
}

/**
 * Return the question of an address. Adds to `remarks` what it left out.
 *
 * @param {URLSearchParams} query
 * @param {Offered} offered
 * @param {string[]} remarks
 * @returns {Question}
 */
export function questionFrom(query, { problems, methods, seconds, turns }, remarks) {
  const read = reader(query, remarks);
  const ofProblems = problems.map(({ name }) => name);
  const isTime = (/** @type {string} */ text) =>
    /^\d{1,3}(\.\d{1,6})?$/.test(text) && Number(text) > 0 && Number(text) <= seconds;
  const areActions = (/** @type {string} */ text) =>
    /^\d{1,3}(\.\d{1,3})*$/.test(text) && text.split(".").length <= turns;
  const actions = read("actions", "", areActions, `actions are up to ${turns} numbers with dots between them`);
  const problem = read("problem", USUAL.problem, isOneOf(ofProblems), `problems are ${ofProblems.join(", ")}`);
  const ofMethods = methodsOf({ problems, methods }, problem).map(({ name }) => name);
  return {
    problem,
    method: read("method", USUAL.method, isOneOf(ofMethods), `methods of ${problem} are ${ofMethods.join(", ")}`),
    seconds: Number(read("seconds", USUAL.seconds, isTime, `a decision has up to ${seconds} seconds`)),
    turns: Number(read("turns", USUAL.turns, isWhole(1, turns), `an episode has 1 to ${turns} turns`)),
    seed: Number(read("seed", USUAL.seed, isWhole(0, MOST_SEED), "seeds are whole numbers up to a billion")),
    actions: actions ? actions.split(".").map(Number) : [],
  };
}

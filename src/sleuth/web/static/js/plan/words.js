// Problems and methods of planning in words.

import { fixed } from "../dom.js";

/** @typedef {import("./question.js").Offered} Offered */
/** @typedef {import("./question.js").Question} Question */

/** @type {Record<string, [title: string, says: string]>} */
const METHODS = {
  tree: ["Tree search", "Searches a tree of beliefs from here, more often where it may pay."],
  despot: ["Search over scenarios", "Draws scenarios of what may come, and looks for the policy that suits them all (DESPOT)."],
  pomcp: ["Search over histories", "Plays on at random from here many times, and notes what went well (POMCP)."],
  hsvi: ["Planned before play", "Works out a policy between two proven bounds first, then follows it (HSVI)."],
  "oracle-lookahead": ["As if all were seen next", "Acts as if the truth were seen after one step, so it never asks (QMDP)."],
  avts: ["Action value tree search", "Searches a tree of beliefs, by simulations from what each state would be worth at best."],
  bamcp: ["Search with a drawn truth", "Draws what may be true from the belief, and plays on from it, many times (BAMCP)."],
  rollout: ["A step, then the likeliest", "Tries each action, and then acts as if the likeliest were true."],
  "certainty-equivalence": ["As if the likeliest were true", "Takes what is likeliest for the truth, so it never asks."],
  "posterior-sampling": ["As if a draw were true", "Draws what may be true from the belief, and acts as if it were (Thompson)."],
  "information-directed": ["Regret for information", "Weighs what an action may lose against what it tells."],
  random: ["Anything", "Any action, each as likely."],
};

/** Return what a method is called; its name where nothing better is known. */
export const methodTitle = (/** @type {string} */ name) => METHODS[name]?.[0] ?? name;

/** Return what a method does, in a sentence. */
export const methodSays = (/** @type {import("./question.js").Method} */ { name, summary }) => METHODS[name]?.[1] ?? summary;

/** Return what a problem is called. */
const problemTitle = (/** @type {Offered} */ { problems }, /** @type {string} */ name) =>
  problems.find((one) => one.name === name)?.title ?? name;

/** Return what is asked for, in a few words. */
export const titleOf = (/** @type {Offered} */ offered, /** @type {Question} */ { problem, method }) =>
  `${problemTitle(offered, problem)}, ${methodTitle(method).toLowerCase()}`;

/** Return what else is asked for. */
export const detailsOf = (/** @type {Offered} */ { problems }, /** @type {Question} */ { problem, seconds, seed }) =>
  problems.find(({ name }) => name === problem)?.timed ? `${seconds} s a decision, seed ${seed}` : `seed ${seed}`;

/** Return an amount; -0 is 0. */
export const amount = (/** @type {number} */ value) => fixed(Math.round(100 * value) / 100 + 0);

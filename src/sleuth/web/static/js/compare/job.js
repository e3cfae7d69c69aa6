// The evaluation of a strategy, as a job of the server.

import { h, whole } from "../dom.js";
import { job } from "../job.js";
import { describe } from "./contestants.js";
import { jobOf, keepJob } from "./kept.js";
import { clock, inWords } from "./timeleft.js";

/** @typedef {import("./kept.js").Question} Question */
/** @typedef {import("./kept.js").Report} Report */

/**
 * Begin to play a strategy against every answer, or go on watching where that was begun before.
 *
 * @param {Question} question
 * @param {string} spec  the strategy, as the API takes it
 */
export function evaluation(question, spec) {
  const { title } = describe(spec);
  const { game, opener } = question;
  const timer = clock();
  return job({
    path: "/evaluations",
    body: { game, strategy: spec, ...(opener ? { opener } : {}) },
    name: spec,
    heading: [title, spec === title ? null : h("span", { class: "term" }, ` ${spec}`)],
    begun: jobOf(question, spec),
    keep: (id) => keepJob(question, spec, id),
    /** @param {{ done: number, total: number, turn: number }} told */
    far(told) {
      const { share, left } = timer.told(told, performance.now() / 1000);
      if (!told.total) return { share, says: "" };
      if (!share) return { share, says: "Choosing its first guess…" };
      const time = left === null ? "" : `, ${inWords(left)}`;
      return { share, says: `Guess ${told.turn}: ${whole(told.done)} of ${whole(told.total)}${time}` };
    },
    ended: (/** @type {Report} */ report) => `${report.mean.toFixed(4)} guesses on average.`,
  });
}

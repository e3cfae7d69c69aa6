// The measurement of a list, as a job of the server.

import { sentence, whole } from "../dom.js";
import { job, openJob } from "../job.js";
import { inWords } from "../compare/timeleft.js";
import { keyOf } from "./kept.js";
import { bodyOf, titleOfQuestion } from "./question.js";

/** @typedef {import("./question.js").Question} Question */
/** @typedef {{ done: number, total: number, remark: string }} Told */

const SOON = 3; // seconds before which nothing can be said of the time left

/** What is done while nothing is counted, by the player that the server names. @type {Record<string, string>} */
const DOING = {
  "best play": "the best play, ten seconds for a proof, then a search",
  "information gain": "information gain, against every answer",
};

/** Begin to measure a list, or go on watching where that was begun before. */
export function measurement(/** @type {Question} */ question) {
  let last = "";
  let began = { at: 0, done: 0 }; // when what is done now was first told of, and how much of it was done
  return job({
    path: "/difficulty",
    body: bodyOf(question),
    name: titleOfQuestion(question),
    heading: titleOfQuestion(question),
    ...openJob("measuring", keyOf(question)),
    far(/** @type {Told} */ { done, total, remark }) {
      if (!remark) return { share: 0, says: "" };
      const at = performance.now() / 1000;
      if (remark !== last) [began, last] = [{ at, done }, remark];
      const parts = remark.split(": ");
      const player = parts[parts.length - 1];
      const where = parts.length > 1 ? `${sentence(parts[0]).slice(0, -1)}: ` : "";
      if (!total) return { share: 0, says: sentence(where + (DOING[player] ?? player)) };
      const [spent, here] = [at - began.at, done - began.done];
      const time = spent > SOON && here ? `, ${inWords((spent * (total - done)) / here)}` : "";
      return {
        share: done / total,
        says: sentence(`${where}the casual player: ${whole(done)} of ${whole(total)} answers${time}`),
      };
    },
    ended: () => "Done.",
  });
}

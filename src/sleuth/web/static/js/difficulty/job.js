// The measurement of a list, as a job of the server.

import { sentence, whole } from "../dom.js";
import { job } from "../job.js";
import { inWords } from "../compare/timeleft.js";
import { jobOf, keepJob } from "./kept.js";
import { bodyOf, titleOfQuestion } from "./question.js";

/** @typedef {import("./question.js").Question} Question */
/** @typedef {{ done: number, total: number, remark: string }} Told */

/** What is done while nothing is counted, by the player that the server names. @type {Record<string, string>} */
const DOING = {
  "best play": "the best play is searched for, ten seconds for a proof, then as far as it is found",
  "information gain": "the guess that tells most is played against every answer",
};

/** Begin to measure a list, or go on watching where that was begun before. */
export function measurement(/** @type {Question} */ question) {
  let began = 0; // when the casual player did, on the list that it plays now
  let last = "";
  return job({
    path: "/difficulty",
    body: bodyOf(question),
    name: titleOfQuestion(question),
    heading: titleOfQuestion(question),
    begun: jobOf(question),
    keep: (id) => keepJob(question, id),
    far(/** @type {Told} */ { done, total, remark }) {
      if (!remark) return { share: 0, says: "" };
      const now = performance.now() / 1000;
      if (remark !== last) [began, last] = [now, remark];
      const parts = remark.split(": ");
      const player = parts[parts.length - 1];
      const where = parts.length > 1 ? `${sentence(parts[0]).slice(0, -1)}: ` : "";
      if (!total) return { share: 0, says: sentence(where + (DOING[player] ?? player)) };
      const spent = now - began;
      const time = spent > 3 ? `, ${inWords((spent * (total - done)) / done)}` : "";
      return {
        share: done / total,
        says: sentence(`${where}the casual player: ${whole(done)} of ${whole(total)} answers${time}`),
      };
    },
    ended: () => "Done.",
  });
}

// An episode that is played, as a job of the server.

import { count, sentence } from "../dom.js";
import { job, openJob } from "../job.js";
import { addressOf } from "./question.js";

/** @typedef {{ done: number, total: number, remark: string }} Told */

/** Begin to play an episode, or go on watching where that was begun before.
 * @param {import("./question.js").Question} question @param {string} title */
export const playing = (question, title) =>
  job({
    path: "/episodes",
    body: question,
    name: title,
    heading: title,
    ...openJob("playing", addressOf(question)),
    far(/** @type {Told} */ { done, total, remark }) {
      if (!remark) return { share: 0, says: "" };
      if (remark !== "playing") return { share: 0, says: sentence(`${remark}…`) };
      return { share: done / total, says: `Turn ${done + 1} of ${total}…` };
    },
    ended: (/** @type {import("./episode.js").Report} */ { turns }) => `${count(turns.length, "turn")}.`,
  });

// Episodes played before, kept in this browser by their questions: with its actions, each can be played again as it was.

import { load, save } from "../storage.js";
import { addressOf } from "./question.js";

/** @typedef {{ question: import("./question.js").Question, total: number, turns: number }} Played */

const KEPT = 12;
const NAME = "episodes-played";

/** Return the episodes that are kept, the newest first. */
export const kept = () => /** @type {Played[]} */ (load(NAME) ?? []);

/** Keep an episode, and forget what is oldest. */
export function keep(/** @type {Played} */ played) {
  const address = addressOf(played.question);
  const others = kept().filter(({ question }) => addressOf(question) !== address);
  save(NAME, [played, ...others].slice(0, KEPT));
}

/** Forget all of them. */
export const forget = () => save(NAME, []);

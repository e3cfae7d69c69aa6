// Questions to the server whose answers are kept: a step to where one was before shows at once what was known there.

import { post, superseded } from "../api.js";
import { problemNote } from "../dom.js";
import { learn } from "./known.js";

const KEPT = 300;
// Of what guesses take in a position; a strategy that was found tells what it takes itself.
const TELLING = ["/suggest", "/try", "/words", "/review"];
/** @type {Map<string, any>} */
const known = new Map();

const keyOf = (path, body) => `${path} ${JSON.stringify(body)}`;

/** Return the answer to a question where it is known already. @param {string} path @param {any} body */
export const remembered = (path, body) => known.get(keyOf(path, body));

/** Return the answer to a question, asked only where it is not known. Provisional answers are not kept.
 * @param {string} path @param {any} body @param {any} [options] of post. Throws Problem. */
export async function question(path, body, options) {
  const key = keyOf(path, body);
  if (known.has(key)) return known.get(key);
  const answer = await post(path, body, options);
  if (!answer.provisional) {
    known.set(key, answer);
    if (TELLING.includes(path)) learn(body, answer);
    if (known.size > KEPT) known.delete([...known.keys()][0]);
  }
  return answer;
}

/**
 * Return what fills a place with the answer to the latest question: at once where it is known, else the place is busy
 * until it comes; a problem stands there in words. It returns the answer, or nothing where a newer question came or none
 * could be answered.
 * @param {HTMLElement} place
 */
export function filler(place) {
  let controller = new AbortController();
  return async (
    /** @type {string} */ path,
    /** @type {any} */ body,
    /** @type {(answer: any) => any[]} */ draw,
  ) => {
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    try {
      const known = remembered(path, body);
      if (!known) place.setAttribute("aria-busy", "true");
      const answer = known ?? (await question(path, body, { signal }));
      if (signal.aborted) return null;
      place.removeAttribute("aria-busy");
      place.replaceChildren(...draw(answer).flat(Infinity).filter(Boolean));
      return answer;
    } catch (error) {
      if (signal.aborted || superseded(error)) return null;
      place.removeAttribute("aria-busy");
      place.replaceChildren(problemNote(error));
      return null;
    }
  };
}

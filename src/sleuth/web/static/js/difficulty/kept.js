// What came of lists, kept in this browser's own database, so that a reload shows it again.

import { addressOf } from "./question.js";

/**
 * @typedef {import("./question.js").Question} Question
 * @typedef {{ guess: string, expected_guesses: number | null, kind?: string, expected_by: string }} Opener
 * @typedef {{
 *   player: string, mean: number, proved: boolean, lost: number, turn_limit: number, histogram: Record<string, number>,
 * }} Player  lost and histogram: shares of all games
 * @typedef {{
 *   game: string, mode: string, max_turns: number, guesses: number, language: string | null, players: Player[],
 *   openers: Opener[], families: { pattern: string, words: string[] }[],
 *   unfair: { word: string, lost: number, reasons: string[] }[], answers: Record<string, any>[],
 * }} Report  how hard a list is, as the API tells
 * @typedef {{
 *   added: string[], removed: string[], moved: { word: string, before: number, after: number }[], before: Report, after: Report,
 * }} Change
 * @typedef {{ question: Question, report: Report | Change, at: number }} Measured  at: when, in milliseconds
 */

const KEPT = 8;
const STORE = "lists";
/** @type {Promise<IDBDatabase> | undefined} */
let opened;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("sleuth-lists", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** Do something with what is kept; return its result, or `otherwise` where the browser keeps nothing.
 * @template T @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} action @param {T} otherwise
 * @returns {Promise<T>} */
async function ask(mode, action, otherwise) {
  try {
    const request = action((await database()).transaction(STORE, mode).objectStore(STORE));
    return await new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    opened = undefined;
    return otherwise;
  }
}

/** Return what a question is kept by; its address does not tell words of one's own apart. */
export const keyOf = (/** @type {Question} */ question) =>
  [addressOf(question).address, question.game.answers, question.game.guesses].join("\n");

/** Return what is kept, the newest first. */
export async function kept() {
  const all = await ask("readonly", (store) => store.getAll(), /** @type {Measured[]} */ ([]));
  return all.sort((a, b) => b.at - a.at);
}

/** Return what came of a question before, undefined where that is not kept. @returns {Promise<Measured | undefined>} */
export const recall = (/** @type {Question} */ question) =>
  ask("readonly", (store) => store.get(keyOf(question)), undefined);

/** Keep what came of a question, and forget what is oldest. */
export async function keep(/** @type {Measured} */ measured) {
  await ask("readwrite", (store) => store.put({ ...measured, key: keyOf(measured.question) }), undefined);
  for (const { question } of (await kept()).slice(KEPT))
    await ask("readwrite", (store) => store.delete(keyOf(question)), undefined);
}

/** Forget all of it. */
export const forget = () => ask("readwrite", (store) => store.clear(), undefined);

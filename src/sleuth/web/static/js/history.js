// Every finished game, kept in this browser's own database, and what was counted before games were kept.

import { load, remove, save, saved, whenSaved } from "./storage.js";

/**
 * @typedef {object} Played a finished game
 * @property {string} id the puzzle's name: one record a puzzle
 * @property {string} title the game in words
 * @property {object} game the API's object; `own` in place of words of one's own
 * @property {number} boards
 * @property {string} variant
 * @property {number} number
 * @property {string[]} guesses
 * @property {(string | null)[][]} feedback one list a guess, one entry a board
 * @property {string[]} answers
 * @property {boolean[]} solved
 * @property {boolean} won
 * @property {number} turns the guesses allowed
 * @property {number} hints
 * @property {number} started when the first guess was made, in milliseconds
 * @property {number} finished
 * @property {Judged | null} review what the server's review says, once it was asked
 *
 * @typedef {object} Judged
 * @property {number | null} skill
 * @property {number | null} luck
 * @property {{ loss: number | null, best: string, left: number }[]} moves
 *
 * @typedef {object} Total games of one kind that were only counted
 * @property {string} kind
 * @property {number} played
 * @property {number} won
 * @property {Record<string, number>} histogram games won by guesses
 */

const CHANGED = "sleuth-games";
const FORGOTTEN = "sleuth-forgotten";
const WAITING = "finished."; // a game on its way into the database: storage has it at once, whatever becomes of the page
const told = "BroadcastChannel" in globalThis ? new BroadcastChannel(CHANGED) : null;
let opened;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("sleuth", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("games", { keyPath: "id" });
      const totals = request.result.createObjectStore("totals", { keyPath: "kind" });
      for (const total of oldTotals()) totals.put(total);
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close();
      remove("statistics"); // they are in the database now
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

/** Return the totals that an earlier version counted, as they are kept now. */
function oldTotals() {
  return Object.entries(load("statistics") ?? {}).map(([kind, { played, won, histogram }]) => ({
    kind,
    played,
    won,
    histogram,
  }));
}

/** Do something in one transaction; return what `action` gave once all of it is written. */
async function transact(mode, action) {
  const transaction = (await database()).transaction(["games", "totals"], mode);
  const [games, totals] = ["games", "totals"].map((name) => transaction.objectStore(name));
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  const found = await action(games, totals);
  await done;
  return found;
}

const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Return all games, oldest first, and the totals. Where the browser keeps nothing, there are none. */
export async function everything() {
  try {
    if (saved(WAITING).length) await takeIn().catch(() => {}); // what can be read is shown all the same
    const [games, totals] = await transact("readonly", (one, other) =>
      Promise.all([answer(one.getAll()), answer(other.getAll())]),
    );
    return { games: games.sort((a, b) => a.finished - b.finished), totals, kept: true };
  } catch {
    return { games: [], totals: [], kept: false };
  }
}

/** Keep a finished game, even if its page is left now, unless this puzzle was finished before: the first time counts. */
export async function keepGame(game) {
  save(WAITING + game.id, game);
  try {
    await takeIn(game);
    tell();
  } catch {
    // storage is off: the game was played all the same; or it is full, and the game waits
  }
}

/** Put a game, and those that wait, into the database, where it does not have their puzzles. */
async function takeIn(...given) {
  // What waits is read within the transaction: games forgotten meanwhile do not come back.
  const waiting = await transact("readwrite", async (games) => {
    const names = saved(WAITING);
    const here = new Set(await answer(games.getAllKeys()));
    for (const game of [...given, ...names.map(load)]) {
      if (!game?.id || here.has(game.id)) continue;
      games.put(game);
      here.add(game.id);
    }
    return names;
  });
  for (const name of waiting) remove(name);
}

/** Keep what a review says of a game. */
export function keepReview(id, review) {
  return transact("readwrite", async (games) => {
    const game = await answer(games.get(id));
    if (game) games.put({ ...game, review });
  });
}

/** Add games and totals of a file; return how many games are new. What is here already stays. */
export async function merge(given) {
  await takeIn();
  const added = await transact("readwrite", async (games, totals) => {
    const here = new Map((await answer(games.getAll())).map((game) => [game.id, game]));
    const counted = new Set(await answer(totals.getAllKeys()));
    for (const total of given.totals) if (!counted.has(total.kind)) totals.put(total);
    const fresh = given.games.filter(({ id }) => !here.has(id));
    for (const game of fresh) games.put(game);
    for (const game of given.games)
      if (here.has(game.id) && !here.get(game.id).review && game.review)
        games.put({ ...here.get(game.id), review: game.review });
    return fresh.length;
  });
  tell();
  return added;
}

/** Forget every game and total, also what is still on its way. */
export async function forget() {
  await transact("readwrite", (games, totals) => {
    for (const name of saved(WAITING)) remove(name);
    games.clear();
    totals.clear();
  });
  tell(FORGOTTEN);
}

function tell(what = CHANGED) {
  told?.postMessage(what);
  dispatchEvent(new Event(what));
}

/** Call a function whenever games were added or removed, in this tab or another. */
export function whenChanged(listener) {
  told?.addEventListener("message", listener);
  addEventListener(CHANGED, listener);
  addEventListener(FORGOTTEN, listener);
  whenSaved((name) => name.startsWith(WAITING) && listener());
}

/** Call a function whenever all games were forgotten, in this tab or another. */
export function whenForgotten(listener) {
  told?.addEventListener("message", ({ data }) => data === FORGOTTEN && listener());
  addEventListener(FORGOTTEN, listener);
}

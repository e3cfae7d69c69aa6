// What is asked of a list: which words, how they are played, what is added and taken out; as an address, and as the API takes it.

import { addressWith, fromQuery, isWhole, reader, titleOf, toQuery, turnsOf } from "../games.js";
import { load } from "../storage.js";

/**
 * @typedef {{ game: any, turns: number, add: string[], remove: string[] }} Question
 *   turns: guesses after which a game is lost.
 */

/** Answers that the server takes for this: MOST_MEASURED of schemas.py. */
export const MOST = 5000;
/** The most turns that it takes: MOST_TURNS of schemas.py. */
export const MOST_TURNS = 20;

/** Where words of one's own that may be guessed are kept, beside those that may be the answer. */
export const GUESSES = "own.guesses";

/** Whether a question is of a change of the list. */
export const isChange = (/** @type {Question} */ { add, remove }) => add.length + remove.length > 0;

/** Return the address of a question, and whether it opens elsewhere too. */
export function addressOf(/** @type {Question} */ { game, turns, add, remove }) {
  const query = toQuery(game);
  query.set("words", game.answers ? "own" : game.words);
  if (turns !== turnsOf(game)) query.set("turns", String(turns));
  if (add.length) query.set("add", add.join("."));
  if (remove.length) query.set("remove", remove.join("."));
  if (game.guesses) query.set("guesses", "own");
  const { address, portable } = addressWith("/difficulty", query, game);
  return { address, portable: portable && !game.guesses };
}

/**
 * Return the question of an address. Adds to `remarks` what it left out.
 *
 * @param {URLSearchParams} query
 * @param {string[]} remarks
 * @returns {Question}
 */
export function questionFrom(query, remarks) {
  let game = fromQuery(query, remarks);
  if (game.game !== "wordle") {
    remarks.push("only lists of words are looked at here");
    game = fromQuery(new URLSearchParams(), []);
  }
  if (query.get("guesses") === "own" && game.answers) {
    const guesses = load(GUESSES);
    if (guesses) game = { ...game, guesses };
    else remarks.push("the words that may be guessed were somebody's own, and this browser does not have them");
  }
  const read = reader(query, remarks);
  const turns = read("turns", turnsOf(game), isWhole(1, MOST_TURNS), `a game has 1 to ${MOST_TURNS} turns`);
  return { game, turns: Number(turns), add: wordsOf(query.get("add")), remove: wordsOf(query.get("remove")) };
}

/** Return the words of a text, with dots, commas or spaces between them. */
export const wordsOf = (/** @type {string | null} */ text) => [
  ...new Set((text ?? "").toLowerCase().split(/[\s.,;]+/).filter(Boolean)),
];

/** Return what is asked as the API takes it. */
export const bodyOf = (/** @type {Question} */ { game, turns, add, remove }) => ({
  game,
  ...(turns === turnsOf(game) ? {} : { max_turns: turns }),
  ...(add.length ? { add } : {}),
  ...(remove.length ? { remove } : {}),
});

/** Return a question in a few words. */
export function titleOfQuestion(/** @type {Question} */ { game, turns, add, remove }) {
  const changes = [
    turns === turnsOf(game) ? "" : `${turns} turns`,
    add.length ? `with ${some(add)}` : "",
    remove.length ? `without ${some(remove)}` : "",
  ];
  return [titleOf(game), ...changes.filter(Boolean)].join(", ");
}

const NAMED = 3;

/** Return some words, of many the first few: "light, might and 7 more". */
export function some(/** @type {string[]} */ words) {
  const more = words.length - NAMED;
  const named = more > 0 ? [...words.slice(0, NAMED), `${more} more`] : words;
  return named.join(", ").replace(/, ([^,]*)$/, " and $1");
}

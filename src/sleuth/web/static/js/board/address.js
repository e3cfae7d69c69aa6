// The address of what is on the board: game, rows with their variations, place, tab, answer. All of it stands after the
// #, which browsers keep to themselves.

import { addressWith, fromQuery, hasMarks, isOneOf, isWhole, lengthOf, reader, toQuery } from "../games.js";
import { count } from "../dom.js";
import { feedbackOf } from "./feedback.js";
import { isSolvedBoard } from "./position.js";
import { add, begun, isMain, lineThrough, rowsTo, size, within } from "./tree.js";

/**
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./tree.js").Path} Path
 * @typedef {{
 *   game: any, variant: string, boards: number, answers: string[], root: Node, at: Path,
 *   tab: string, tried: string, sort: string, better: string,
 * }} State all that an address says. tried: the word that is tried, or "". sort: the order of openers. better: the guess that
 *   was made where one is to find a better one, or ""
 */

export const TABS = ["guesses", "try", "words", "strategy", "openers", "game"];
export const MEASURES = ["guesses", "bits", "left", "worst", "groups", "chance"];
const VARIANTS = ["standard", "absurdle", "fibble"];
export const MOST_BOARDS = 8;
const MOST_ROWS = 32;
const MOST_NODES = 400;
const EXAMPLES = { wordle: "salet:bbybb", mastermind: "1122:1,2", "bulls-and-cows": "0123:1,2" };
const UNTOLD = "it does not say what the guess got";
const DIGITS = { 0: "b", 1: "y", 2: "g" };

/** Return the address of a state, and whether it opens elsewhere too: a long list of words of your own stays here.
 * @param {State} state @returns {{ address: string, portable: boolean }} */
export function addressOf(state) {
  const query = toQuery(state.game);
  if (state.boards > 1) query.set("boards", String(state.boards));
  if (state.variant !== "standard") query.set("variant", state.variant);
  if (state.tab !== "guesses") query.set("tab", state.tab);
  if (state.tab === "openers" && state.sort !== "guesses") query.set("sort", state.sort);
  if (state.root.next.length) query.set("rows", written(state.root));
  if (isMain(state.at)) {
    if (lineThrough(state.root, state.at).length !== state.at.length)
      query.set("at", String(state.at.length));
  } else query.set("line", state.at.join("."));
  if (state.tried) query.set("try", state.tried);
  if (state.better) query.set("better", state.better);
  if (state.answers.some(Boolean)) query.set("answer", state.answers.join("/"));
  return addressWith("/analyse", query, state.game);
}

/** Return what a guess is made of. @param {any} game */
const signOf = (game) => (hasMarks(game) ? "letter" : "sign");

/** Return a part of an address so short that it can be shown. @param {string} text */
const cutOff = (text) => (text.length > 30 ? `${text.slice(0, 30)}…` : text);

/** Return rows as text: what may be played instead of a row stands after it in brackets.
 * @param {Node} node @returns {string} */
function written({ next: [main, ...variations] }) {
  if (!main) return "";
  const one = (/** @type {Node} */ { row }) => (row ? `${row.guess}:${row.feedback.join("/")}` : "");
  const parts = [
    one(main),
    ...variations.map((node) => `(${[one(node), written(node)].filter(Boolean).join(" ")})`),
    written(main),
  ];
  return parts.filter(Boolean).join(" ");
}

/** Return the row that a part of an address stands for, or what is wrong with it, in words. Without feedback a guess got what
 * the answers give, where they are known.
 * @param {string} text @param {any} game @param {string[]} answers one a board, "" where it is not known
 * @param {import("./tree.js").Row[]} before the rows before it @returns {import("./tree.js").Row | string} */
function rowFrom(text, game, answers, before) {
  const boards = answers.length;
  const [guess, shown, ...more] = text.toLowerCase().split(":");
  const letters = count(lengthOf(game), signOf(game));
  if ([...guess].length !== lengthOf(game)) return `“${guess}” has ${[...guess].length}, not ${letters}`;
  if (more.length) return "it has more than a guess and what it got";
  if (shown === undefined && answers.every(Boolean)) {
    const got = answers.map((answer, i) =>
      isSolvedBoard(game, before, i) ? "" : feedbackOf(game, guess, answer),
    );
    return got.some(Boolean) ? { guess, feedback: got } : "the row before it is right";
  }
  if (shown === undefined) return UNTOLD;
  const feedback = shown
    .split("/")
    .map((one) => (hasMarks(game) ? one.replace(/[012]/g, (digit) => DIGITS[digit]) : one));
  const fits = (/** @type {string} */ one) =>
    hasMarks(game) ? /^[byg]+$/.test(one) && one.length === lengthOf(game) : /^\d{1,2},\d{1,2}$/.test(one);
  if (feedback.length !== boards) return `it has what ${count(feedback.length, "board")} showed, not ${boards}`;
  const odd = feedback.find((one) => one && !fits(one));
  if (odd && hasMarks(game) && /^[byg]+$/.test(odd))
    return `“${odd}” has ${count(odd.length, "mark")} for ${letters}`;
  if (odd || !feedback.some(Boolean)) return `“${odd ?? shown}” is not what a guess gets`;
  return { guess, feedback };
}

/** Return the tree that a text stands for, as far as it can be read, and what is wrong with the rest of it, in words. isUntold:
 * whether that is a guess without what it got
 * @param {string} text @param {any} game @param {string[]} answers @returns {{ root: Node, wrong: string, isUntold?: boolean }} */
function read(text, game, answers) {
  let so = { root: begun(), path: /** @type {Path} */ ([]) };
  /** @type {Path[]} */
  const left = [];
  for (const token of text.match(/[()]|[^\s()]+/g) ?? []) {
    if (token === "(") {
      if (so.path.length === 0) return { root: so.root, wrong: "a bracket comes before all rows" };
      left.push(so.path);
      so = { ...so, path: so.path.slice(0, -1) };
    } else if (token === ")") {
      const back = left.pop();
      if (!back) return { root: so.root, wrong: "a bracket is closed that was not opened" };
      so = { ...so, path: back };
    } else {
      const row = rowFrom(token, game, answers, rowsTo(so.root, so.path));
      const at = so.path.length + 1;
      if (at > MOST_ROWS || size(so.root) >= MOST_NODES) return { root: so.root, wrong: `from row ${at} on there are too many` };
      if (typeof row === "string")
        return { root: so.root, wrong: `row ${at}, “${cutOff(token)}”, is none: ${row}`, isUntold: row === UNTOLD };
      so = add(so.root, so.path, row);
    }
  }
  return { root: so.root, wrong: left.length ? "a bracket is not closed" : so.root.next.length ? "" : "there are none" };
}

/** Return the state that an address says, one that there is whatever it says; remarks tell what was left out.
 * @param {string} hash @param {boolean} hasAnswer whether its answer may be one of the game
 * @returns {{ state: State, remarks: string[] }} */
export function stateFrom(hash, hasAnswer = true) {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {string[]} */
  const remarks = [];
  let game = fromQuery(query, remarks);
  const take = reader(query, remarks);
  const boards = Number(take("boards", 1, isWhole(1, MOST_BOARDS), `1 to ${MOST_BOARDS} boards are analysed together`));
  let variant = take("variant", "standard", isOneOf(VARIANTS), `variants are ${VARIANTS.join(", ")}`);
  if (boards > 1 && variant !== "standard") {
    remarks.push(`${variant} has one board`);
    variant = "standard";
  }
  if (variant === "fibble" && !hasMarks(game)) {
    remarks.push("fibble is played with words");
    variant = "standard";
  }
  if (game.mode !== "easy" && (boards > 1 || variant === "fibble")) {
    remarks.push(`${boards > 1 ? "several boards are" : "fibble is"} played in easy mode`);
    game = { ...game, mode: "easy" };
  }
  const tab = take("tab", "guesses", isOneOf(TABS), `tabs are ${TABS.join(", ")}`);
  const sort = take("sort", "guesses", isOneOf(MEASURES), `orders are ${MEASURES.join(", ")}`);
  /** Return a word of the address where it is as long as those of the game; else nothing, and a remark. */
  const word = (/** @type {string} */ name, /** @type {string} */ text) => {
    if (!text || [...text].length === lengthOf(game)) return text;
    remarks.push(`“${name}=${text}” has not ${count(lengthOf(game), signOf(game))}`);
    return "";
  };
  const words = hasAnswer ? (query.get("answer") ?? "").toLowerCase().split("/") : [];
  const answers = Array.from({ length: boards }, (_, i) => word("answer", words[i] ?? ""));
  const known = variant === "standard" ? answers : answers.map(() => "");
  const { root, wrong, isUntold } = read(query.get("rows") ?? "", game, known);
  const isOther = query.get("words") === "own" && !game.answers;
  if (isOther) remarks.push(`${query.has("rows") ? "its rows are read against" : "here are"} the original words instead`);
  if (isUntold && !hasAnswer) remarks.push("without the answer it is not known what the guesses got");
  else if (query.has("rows") && wrong && !isOther) {
    remarks.push(`rows in an address are such as ${EXAMPLES[game.game]}; ${wrong}`);
  }
  const tried = word("try", (query.get("try") ?? "").toLowerCase());
  const better = boards === 1 ? word("better", (query.get("better") ?? "").toLowerCase()) : "";
  return {
    state: {
      game,
      variant,
      boards,
      answers,
      root,
      at: placeIn(root, query),
      tab,
      sort,
      tried,
      better,
    },
    remarks,
  };
}

/** Return the place in a tree that an address names: a number of rows of the main line, or a path.
 * @param {Node} root @param {URLSearchParams} query @returns {Path} */
function placeIn(root, query) {
  const main = lineThrough(root, []);
  const line = query.get("line");
  if (line && /^\d{1,3}(\.\d{1,3})*$/.test(line)) return within(root, line.split(".").map(Number));
  const at = query.get("at");
  return at !== null && isWhole(0, MOST_ROWS)(at) ? main.slice(0, Number(at)) : main;
}

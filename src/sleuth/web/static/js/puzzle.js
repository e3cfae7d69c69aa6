// A puzzle being played, as plain values, kept in this browser: neither a reload nor a restarted server loses
// anything, and tabs that play the same puzzle share one game.

import { hasMarks, keptTitleOf, lengthOf, nameOfList, toQuery, turnsOf } from "./games.js";
import { keepGame } from "./history.js";
import { load, remove, save, saved } from "./storage.js";
import { keySquares, squares, stronger } from "./tiles.js";

export const MOST_BOARDS = 32;
export const MOST_NUMBER = 1e9;
/** The variants, what they are, and the line of the rules about each. */
export const VARIANTS = [
  ["standard", "Standard", ""],
  [
    "absurdle",
    "Absurdle: the answer evades you",
    "No answer is fixed: each reply keeps as many words as it can, until you leave it only one.",
  ],
  [
    "fibble",
    "Fibble: one tile of every wrong row lies",
    "One tile of every wrong row lies: its colour is not the true one. Which tile it is, you find out.",
  ],
];
const EXTRA_TURNS = { standard: 0, absurdle: 6, fibble: 3 };
const KEPT = 60;
const MOST_ANALYSED = 8;

/** Return some puzzle's number that is not a day's. */
export const anyNumber = () => 1_000_000 + Math.floor(Math.random() * 8_999_999);

/** Whether two puzzles are the same one. */
export const isSame = (one, other) => nameOf(one) === nameOf(other);

/** Return the name under which a puzzle is kept in storage. */
export const keyOf = (puzzle) => `puzzle.${nameOf(puzzle)}`;

/** Return how many guesses a puzzle has. */
export const guessesOf = ({ game, boards, variant }) => turnsOf(game) + boards - 1 + EXTRA_TURNS[variant];

/** Return the line of the rules about a variant; the standard one has none. */
export const lineOf = (variant) => VARIANTS.find(([id]) => id === variant)?.[2] ?? "";

/** Return the state of a puzzle: as it was left, or new. */
export function open(puzzle) {
  return {
    guesses: [],
    feedback: [],
    solved: Array(puzzle.boards).fill(false),
    over: false,
    won: false,
    answers: null,
    length: lengthOf(puzzle.game),
    turns: guessesOf(puzzle),
    hints: 0,
    hint: null,
    started: 0,
    ...load(keyOf(puzzle)),
    puzzle,
  };
}

/** Return the state after the server's answer to a guess, and keep it; that of another tab, if that was ahead. */
export function played(state, guess, answer) {
  const kept = open(state.puzzle);
  if (kept.guesses.join() !== state.guesses.join()) return kept;
  const next = {
    ...state,
    guesses: [...state.guesses, guess],
    feedback: [...state.feedback, answer.feedback],
    solved: answer.solved,
    over: answer.over,
    won: answer.won,
    answers: answer.answers,
    turns: answer.max_turns,
    hints: Math.max(state.hints, kept.hints),
    hint: null,
    started: state.started || Date.now(),
  };
  keep(next);
  if (next.over) keepGame(recordOf(next));
  return next;
}

/** Return the state after a hint was shown, and keep both; isNew: whether it counts as one more. */
export function hinted(state, hint, isNew) {
  const next = { ...state, hint, hints: open(state.puzzle).hints + (isNew ? 1 : 0) };
  keep(next);
  return next;
}

/** Forget how finished puzzles went: they are new again. Those that are only begun stay. */
export function forgetFinished() {
  for (const name of saved("puzzle.")) if (load(name)?.over) remove(name);
}

function keep(state) {
  const name = nameOf(state.puzzle);
  save(keyOf(state.puzzle), { ...state, puzzle: undefined }); // words of your own would fill the storage
  const names = [name, ...(load("puzzles") ?? []).filter((one) => one !== name)];
  for (const old of names.splice(KEPT)) remove(`puzzle.${old}`);
  save("puzzles", names);
}

/** Return a finished game as it is kept for ever: without the words of one's own list. */
function recordOf(state) {
  const { game, boards, variant, number } = state.puzzle;
  const { guesses, feedback, answers, solved, won, turns, hints, started } = state;
  const { answers: own, ...plain } = game;
  return {
    id: nameOf(state.puzzle),
    title: keptTitleOf(game),
    game: own ? { ...plain, own: digest(own.join()) } : plain,
    ...{ boards, variant, number, guesses, feedback, answers, solved, won, turns, hints, started },
    finished: Date.now(),
    review: null,
  };
}

/** Return the words of your own that this browser has, with their digest; null without any. */
export function ownWords() {
  const words = load("own");
  return words && { words, digest: digest(words.join()) };
}

/** Return the game of a finished one as the server takes it; null where its words are others than those here. */
export function gameOf({ game: { own, ...game } }, here = ownWords()) {
  if (!own) return game;
  return own === here?.digest ? { ...game, answers: here.words } : null;
}

/** Return the rows of one board, { guess, feedback }, up to the one that solved it. */
export const rowsOf = (state, board) =>
  state.guesses
    .map((guess, i) => ({ guess, feedback: state.feedback[i][board] }))
    .filter(({ feedback }) => feedback);

/** Return what each open board knows of each letter: a Map from letters to marks, a mark a board. */
export function known(state) {
  const letters = new Map();
  if (!hasMarks(state.puzzle.game) || state.puzzle.variant === "fibble") return letters;
  for (let board = 0; board < state.puzzle.boards; board += 1) {
    if (state.solved[board] && !state.over) continue;
    for (const { guess, feedback } of rowsOf(state, board)) {
      [...guess].forEach((letter, i) => {
        if (!letters.has(letter)) letters.set(letter, Array(state.puzzle.boards).fill(""));
        letters.get(letter)[board] = stronger(letters.get(letter)[board], feedback[i]);
      });
    }
  }
  return letters;
}

/** Return a number of hints in words. */
export const hintsText = (hints) => (hints === 1 ? "1 hint" : `${hints} hints`);

/** Return the result as text to share. */
export function shareText(state) {
  const { game, boards, variant, number } = state.puzzle;
  const list = game.answers ? "own words" : nameOfList(game);
  const kind = [variant === "standard" ? "" : variant, boards > 1 ? `${boards} boards` : ""]
    .filter(Boolean)
    .join(" ");
  const score = `${state.won ? state.guesses.length : "X"}/${state.turns}${game.mode === "easy" ? "" : "*"}`;
  const grids = state.solved.map((_, board) =>
    rowsOf(state, board)
      .map(({ feedback }) => (hasMarks(game) ? squares(feedback) : keySquares(feedback, state.length)))
      .join("\n"),
  );
  const header = ["Sleuth", list, kind, number, score].filter((part) => part !== "").join(" ");
  return `${header}${state.hints ? `, ${hintsText(state.hints)}` : ""}\n${grids.join("\n\n")}`;
}

/**
 * Return the address at which rows, { guess, feedback }, are on the analysis board. feedback: of several boards
 * that of each, nothing where a board was solved before. more: what else the address says, such as its tab.
 */
export function analysisAddress(game, rows, more = {}) {
  const query = toQuery(game);
  query.set("rows", rows.map(({ guess, feedback }) => `${guess}:${[feedback].flat().join("/")}`).join(" "));
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return `/analyse#${query}`;
}

/** Whether the analysis board takes a puzzle. */
export const isAnalysed = ({ boards, variant }) => boards <= MOST_ANALYSED && (boards === 1 || variant === "standard");

/** Return the address at which a finished puzzle is reviewed. */
export function reviewAddress({ puzzle: { game, boards, variant }, guesses, feedback, answers }) {
  const rows = guesses.map((guess, i) => ({ guess, feedback: feedback[i] }));
  return analysisAddress(game, rows, {
    tab: "game",
    ...(boards > 1 ? { boards } : {}),
    ...(variant === "standard" ? { answer: answers.join("/") } : { variant }),
  });
}

/** Return the address that opens a puzzle. */
export function puzzleAddress({ game, boards, variant, number }) {
  const query = toQuery(game);
  query.set("puzzle", number);
  if (boards > 1) query.set("boards", boards);
  if (variant !== "standard") query.set("variant", variant);
  return `/?${query}`;
}

/** Return the name of a puzzle, the same for everyone. */
export function nameOf({ game, boards, variant, number }) {
  const words = game.answers
    ? `own${digest(game.answers.join())}`
    : (game.words ?? `${game.pegs}x${game.colours}`);
  return [game.game, words, game.mode, boards, variant, number].join(".");
}

/** Return a short text that other words are unlikely to have (FNV-1a). */
function digest(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

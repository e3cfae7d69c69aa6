// A puzzle being played, as plain values, kept in this browser: neither a reload nor a restarted server loses
// anything.

import { hasMarks, lengthOf, titleOf, toQuery, turnsOf } from "./games.js";
import { load, save } from "./storage.js";
import { squares, stronger } from "./tiles.js";

const FIRST_DAY = Date.UTC(2021, 5, 19);
const DAY = 86_400_000;
export const MOST_BOARDS = 32;
export const MOST_NUMBER = 1e9;
/** The variants and what they are. */
export const VARIANTS = [
  ["standard", "Standard"],
  ["absurdle", "Absurdle: the answer evades you"],
  ["fibble", "Fibble: one mark of each row lies"],
];
const EXTRA_TURNS = { standard: 0, absurdle: 6, fibble: 3 };
const KEPT = 40;

/** Return the number of today's puzzle, by the calendar on this person's wall. */
export function today(now = new Date()) {
  return Math.round((Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) - FIRST_DAY) / DAY);
}

/** Return some puzzle's number that is not a day's. */
export const anyNumber = () => 1_000_000 + Math.floor(Math.random() * 8_999_999);

/** Return the state of a puzzle: as it was left, or new. */
export function open(puzzle) {
  const left = load(`puzzle.${nameOf(puzzle)}`);
  if (left) return { ...left, puzzle };
  return {
    puzzle,
    guesses: [],
    feedback: [],
    solved: Array(puzzle.boards).fill(false),
    over: false,
    won: false,
    answers: null,
    length: lengthOf(puzzle.game),
    turns: turnsOf(puzzle.game) + puzzle.boards - 1 + EXTRA_TURNS[puzzle.variant],
  };
}

/** Return the state after the server's answer to a guess, and keep it. */
export function played(state, guess, answer) {
  const next = {
    ...state,
    guesses: [...state.guesses, guess],
    feedback: [...state.feedback, answer.feedback],
    solved: answer.solved,
    over: answer.over,
    won: answer.won,
    answers: answer.answers,
    turns: answer.max_turns,
  };
  const name = nameOf(state.puzzle);
  save(`puzzle.${name}`, { ...next, puzzle: undefined }); // words of your own would fill the storage
  const names = [name, ...(load("puzzles") ?? []).filter((one) => one !== name)];
  for (const old of names.splice(KEPT)) localStorage.removeItem(`sleuth.puzzle.${old}`);
  save("puzzles", names);
  if (next.over) record(next);
  return next;
}

/** Return the rows of one board, { guess, feedback }, up to the one that solved it. */
export const rowsOf = (state, board) =>
  state.guesses
    .map((guess, i) => ({ guess, feedback: state.feedback[i][board] }))
    .filter(({ feedback }) => feedback);

/** Return what each board knows of each letter: a Map from letters to marks, a mark a board. */
export function known(state) {
  const letters = new Map();
  if (!hasMarks(state.puzzle.game) || state.puzzle.variant === "fibble") return letters;
  for (let board = 0; board < state.puzzle.boards; board += 1) {
    for (const { guess, feedback } of rowsOf(state, board)) {
      [...guess].forEach((letter, i) => {
        if (!letters.has(letter)) letters.set(letter, Array(state.puzzle.boards).fill(""));
        letters.get(letter)[board] = stronger(letters.get(letter)[board], feedback[i]);
      });
    }
  }
  return letters;
}

/** Return the result as text to share. */
export function shareText(state) {
  const { game, boards, variant, number } = state.puzzle;
  const list = game.answers ? "own words" : (game.words ?? game.game);
  const kind = [variant === "standard" ? "" : variant, boards > 1 ? `${boards} boards` : ""]
    .filter(Boolean)
    .join(" ");
  const score = `${state.won ? state.guesses.length : "X"}/${state.turns}${game.mode === "easy" ? "" : "*"}`;
  const grids = state.solved.map((_, board) =>
    rowsOf(state, board)
      .map(({ feedback }) => (hasMarks(game) ? squares(feedback) : feedback))
      .join("\n"),
  );
  const header = ["Sleuth", list, kind, number, score].filter((part) => part !== "").join(" ");
  return `${header}\n${grids.join("\n\n")}`;
}

/** Return the address at which rows, { guess, feedback }, are reviewed. */
export function reviewAddress(game, rows, answer = "") {
  const query = toQuery(game);
  query.set("rows", rows.map(({ guess, feedback }) => `${guess}:${feedback}`).join(" "));
  if (answer) query.set("answer", answer);
  return `/review#${query}`;
}

/** Return the address that opens a puzzle. */
export function puzzleAddress({ game, boards, variant, number }) {
  const query = toQuery(game);
  query.set("puzzle", number);
  if (boards > 1) query.set("boards", boards);
  if (variant !== "standard") query.set("variant", variant);
  return `/?${query}`;
}

/** Return the statistics of puzzles of one kind. */
export const statistics = (puzzle) =>
  load("statistics")?.[kindOf(puzzle)] ?? { played: 0, won: 0, streak: 0, longest: 0, histogram: {} };

function record(state) {
  const all = load("statistics") ?? {};
  const before = statistics(state.puzzle);
  const streak = state.won ? before.streak + 1 : 0;
  const turns = state.guesses.length;
  const histogram = state.won
    ? { ...before.histogram, [turns]: (before.histogram[turns] ?? 0) + 1 }
    : before.histogram;
  all[kindOf(state.puzzle)] = {
    played: before.played + 1,
    won: before.won + (state.won ? 1 : 0),
    streak,
    longest: Math.max(streak, before.longest),
    histogram,
  };
  save("statistics", all);
}

const kindOf = ({ game, boards, variant }) => `${titleOf(game)}, ${boards}, ${variant}`;

function nameOf({ game, boards, variant, number }) {
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

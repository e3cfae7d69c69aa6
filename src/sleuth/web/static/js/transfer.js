// Games as one file: written for another browser, and checked before they are taken in.

import { VARIANTS } from "./puzzle.js";

const FORMAT = "sleuth games";
const VERSION = 1;
const LARGEST = 50 * 2 ** 20;

/** Return the text of a file that holds games and totals. */
export const fileOf = ({ games, totals }) =>
  JSON.stringify({ format: FORMAT, version: VERSION, games, totals }, null, 1);

/** Return the games and totals of a file. Throws Error that says in a sentence what is wrong with it. */
export async function readFile(file) {
  if (file.size > LARGEST) throw new Error("the file is larger than 50 MB; a file of games is far smaller");
  let found;
  try {
    found = JSON.parse(await file.text());
  } catch {
    throw new Error("the file is no file of games: it is not JSON");
  }
  if (found?.format !== FORMAT) throw new Error("the file is no file of games: Export writes one");
  if (found.version !== VERSION)
    throw new Error(`the file has version ${found.version}; this page reads version ${VERSION}`);
  const { games, totals = [] } = found;
  if (!Array.isArray(games)) throw new Error("the file has no list of games");
  if (!Array.isArray(totals)) throw new Error("the totals of the file are no list; nothing was taken in");
  games.forEach((game, i) => {
    const wrong = Object.keys(GAME).find((name) => !GAME[name](game?.[name], game));
    if (wrong) throw new Error(`game ${i + 1} of the file has no proper “${wrong}”; nothing was taken in`);
  });
  totals.forEach((total, i) => {
    const wrong = Object.keys(TOTAL).find((name) => !TOTAL[name](total?.[name]));
    if (wrong) throw new Error(`total ${i + 1} of the file has no proper “${wrong}”; nothing was taken in`);
  });
  return { games: games.map((game) => only(game, GAME)), totals: totals.map((total) => only(total, TOTAL)) };
}

const only = (value, fields) => Object.fromEntries(Object.keys(fields).map((name) => [name, value[name]]));

const isText = (most) => (value) => typeof value === "string" && value.length > 0 && value.length <= most;
const isCount = (most) => (value) => Number.isInteger(value) && value >= 0 && value <= most;
const isListOf = (fits, most) => (value) => Array.isArray(value) && value.length <= most && value.every(fits);
const isFlag = (value) => typeof value === "boolean";
const isShare = (value) => value === null || (Number.isFinite(value) && value >= 0 && value <= 99);
const isMarks = (value) => value === null || (typeof value === "string" && /^([byg]+|\d+,\d+)$/.test(value));
const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isWord = isText(40);
const isLoss = (value) => value === null || (Number.isFinite(value) && value >= 0);

const GAME = {
  id: isText(200),
  title: isText(200),
  game: (value) =>
    isPlain(value) &&
    ["wordle", "mastermind", "bulls-and-cows"].includes(value.game) &&
    Object.values(value).every((part) => ["string", "number", "boolean"].includes(typeof part)),
  boards: (value) => isCount(32)(value) && value > 0,
  variant: (value) => VARIANTS.some(([id]) => id === value),
  number: isCount(1e9),
  guesses: (value) => isListOf(isWord, 200)(value) && value.length > 0,
  feedback: (value, { guesses, boards }) =>
    isListOf((row) => isListOf(isMarks, boards)(row) && row.length === boards, 200)(value) &&
    value.length === guesses.length,
  answers: (value, { boards }) => isListOf(isWord, 32)(value) && value.length === boards,
  solved: (value, { boards }) => isListOf(isFlag, 32)(value) && value.length === boards,
  won: isFlag,
  turns: isCount(1000),
  hints: isCount(10000),
  started: isCount(1e14),
  finished: isCount(1e14),
  review: (value) =>
    value === null ||
    (isPlain(value) &&
      isShare(value.skill) &&
      isShare(value.luck) &&
      isListOf((move) => isPlain(move) && isLoss(move.loss) && isWord(move.best) && isCount(1e9)(move.left), 200)(
        value.moves,
      )),
};

const TOTAL = {
  kind: isText(300),
  played: isCount(1e9),
  won: isCount(1e9),
  histogram: (value) =>
    isPlain(value) && Object.entries(value).every(([n, many]) => /^\d{1,3}$/.test(n) && isCount(1e9)(many)),
};

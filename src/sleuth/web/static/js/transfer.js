// Games as one file: written for another browser, and checked before they are taken in.

import { hasMarks } from "./games.js";
import { VARIANTS } from "./puzzle.js";

const MODES = ["easy", "hard", "strict"];
const FORMAT = "sleuth games";
const VERSION = 1;
const LARGEST = 50 * 2 ** 20;
const OPENING = 100; // characters in which a file says what it is

/** Return the text of a file that holds games and totals. */
export const fileOf = ({ games, totals }) =>
  JSON.stringify({ format: FORMAT, version: VERSION, games, totals }, null, 1);

/** Return the games and totals of a file. Throws Error that says in a sentence what is wrong with it. */
export async function readFile(file) {
  if (file.size > LARGEST) throw new Error("the file is larger than 50 MB; a file of games is far smaller");
  const text = await file.text();
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    const isOurs = text.slice(0, OPENING).includes(`"${FORMAT}"`);
    throw new Error(
      isOurs
        ? "the file is damaged or cut off: it begins as a file of games, and is not whole; nothing was taken in"
        : "the file is no file of games: it is not JSON; nothing was taken in",
    );
  }
  if (found?.format !== FORMAT)
    throw new Error("the file is of another program: Export writes a file of games; nothing was taken in");
  if (found.version !== VERSION)
    throw new Error(`the file has version ${found.version}; this page reads version ${VERSION}; nothing was taken in`);
  const { games, totals = [] } = found;
  if (!Array.isArray(games)) throw new Error("the file has no list of games; nothing was taken in");
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
const isMarks = (value, game) =>
  value === null || (typeof value === "string" && (hasMarks(game) ? /^[byg]+$/ : /^\d+,\d+$/).test(value));
const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isWord = isText(40);
const isSize = (value) => value === undefined || (isCount(40)(value) && value > 0);
const isLoss = (value) => value === null || (Number.isFinite(value) && value >= 0);

/** Whether a value is a game as games are kept: what it lacks would be missed wherever it is shown. */
const isGame = (value) =>
  isPlain(value) &&
  Object.values(value).every((part) => ["string", "number", "boolean"].includes(typeof part)) &&
  MODES.includes(value.mode) &&
  (value.game === "wordle"
    ? isText(60)(value.own ?? value.words)
    : ["mastermind", "bulls-and-cows"].includes(value.game) && isSize(value.pegs) && isSize(value.colours));

const GAME = {
  id: isText(200),
  title: isText(200),
  game: isGame,
  boards: (value) => isCount(32)(value) && value > 0,
  variant: (value) => VARIANTS.some(([id]) => id === value),
  number: isCount(1e9),
  guesses: (value) => isListOf(isWord, 200)(value) && value.length > 0,
  feedback: (value, { guesses, boards, game }) =>
    isListOf((row) => isListOf((one) => isMarks(one, game), boards)(row) && row.length === boards, 200)(value) &&
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

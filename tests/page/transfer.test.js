// Games as a file: transfer.js.

import "./fakes.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileOf, readFile } from "../../src/sleuth/web/static/js/transfer.js";

const GAME = {
  ...{ id: "wordle.original.easy.1.standard.77", title: "Original words", boards: 1, variant: "standard", number: 77 },
  ...{
    game: { game: "wordle", words: "original", mode: "easy" },
    guesses: ["salet", "größe"],
    feedback: [["bbybb"], ["ggggg"]],
  },
  ...{ answers: ["größe"], solved: [true], won: true, turns: 6, hints: 0, started: 1, finished: 2 },
  review: { skill: 90, luck: null, moves: [{ loss: null, best: "crane", left: 99 }] },
};
const TOTAL = { kind: "Original words, 1, standard", played: 5, won: 4, histogram: { 3: 1, 4: 3 } };
const CODE = {
  ...GAME,
  game: { game: "mastermind", pegs: 4, colours: 6, mode: "easy" },
  guesses: ["1122"],
  feedback: [["1,2"]],
};
const file = (text, size = text.length) => ({ size, text: async () => text });
const written = (games = [], totals = [], more = {}) =>
  JSON.stringify({ format: "sleuth games", version: 1, games, totals, ...more });
const refused = async (text, says) => {
  const error = await readFile(file(text)).then(
    () => assert.fail(`${text.slice(0, 80)} was taken`),
    (thrown) => thrown,
  );
  assert.ok(error.message.includes(says), `${error.message}, not ${says}`);
  assert.ok(error.message.endsWith("nothing was taken in"), error.message);
};

test("games go from one browser to another as they are", async () => {
  const all = { games: [GAME, CODE, { ...GAME, review: null }], totals: [TOTAL] };
  assert.deepEqual(await readFile(file(fileOf(all))), all);
  assert.deepEqual(await readFile(file(fileOf({ games: [], totals: [] }))), { games: [], totals: [] });
});

test("games of all kinds are taken", async () => {
  const games = [
    { ...GAME, game: { game: "wordle", own: "abc12", mode: "hard" } },
    {
      ...GAME,
      boards: 2,
      feedback: [
        ["bbybb", "bbbbb"],
        ["ggggg", null],
      ],
      answers: ["größe", "crane"],
      solved: [true, false],
      won: false,
    },
    { ...CODE, game: { game: "bulls-and-cows", pegs: 4, mode: "easy" }, variant: "absurdle" },
    { ...CODE, game: { game: "mastermind", mode: "easy" } }, // of a version that kept no sizes
  ];
  assert.deepEqual((await readFile(file(written(games)))).games, games);
});

test("what a game has beside that stays outside", async () => {
  const { games, totals } = await readFile(file(written([{ ...GAME, more: "<script>" }], [{ ...TOTAL, more: 1 }])));
  assert.deepEqual([games, totals], [[GAME], [TOTAL]]);
  assert.deepEqual((await readFile(file(written([GAME], undefined)))).totals, []);
});

test("a file that is none of games is told in a sentence", async () => {
  for (const [text, says] of [
    ["nonsense", "it is not JSON"],
    ["", "it is not JSON"],
    [written([GAME, GAME]).slice(0, -20), "damaged or cut off"],
    ['{"games": []}', "of another program"],
    ["[1, 2]", "of another program"],
    ["null", "of another program"],
    [written([], [], { version: 2 }), "version 2; this page reads version 1"],
    [written({}), "no list of games"],
    [written([], {}), "totals of the file are no list"],
  ])
    await refused(text, says);
});

test("a file too large is not even read", async () => {
  const text = () => assert.fail("it was read");
  await assert.rejects(readFile({ size: 50 * 2 ** 20 + 1, text }), /larger than 50 MB/);
  assert.deepEqual(await readFile({ ...file(written()), size: 50 * 2 ** 20 }), { games: [], totals: [] });
});

test("a game that would be missed somewhere is refused, with its number and what is wrong", async () => {
  for (const [name, value] of [
    ["id", ""],
    ["id", "x".repeat(201)],
    ["title", 7],
    ["game", { game: "wordle", mode: "easy" }],
    ["game", { game: "wordle", words: "original" }],
    ["game", { game: "wordle", words: "original", mode: "easy", more: [] }],
    ["game", { game: "mastermind", mode: "easy", pegs: "4" }],
    ["game", { game: "mastermind", mode: "easy", pegs: 0 }],
    ["game", { game: "chess", mode: "easy" }],
    ["game", null],
    ["boards", 0],
    ["boards", 33],
    ["boards", 1.5],
    ["variant", "chess"],
    ["number", -1],
    ["guesses", []],
    ["guesses", ["x".repeat(41)]],
    ["guesses", Array(201).fill("crane")],
    ["feedback", [["bbybb"]]],
    ["feedback", [["bbybb"], ["<img>"]]],
    ["feedback", [["bbybb"], ["1,2"]]],
    ["feedback", [["bbybb"], ["ggggg", "ggggg"]]],
    ["answers", []],
    ["answers", ["a", "b"]],
    ["solved", [1]],
    ["won", "yes"],
    ["turns", -1],
    ["hints", null],
    ["started", 1e15],
    ["finished", undefined],
    ["review", { skill: 100, luck: 1, moves: [] }],
    ["review", { skill: 1, luck: -1, moves: [] }],
    ["review", { skill: 1, luck: 1 }],
    ["review", { skill: 1, luck: 1, moves: [{ loss: -1, best: "crane", left: 1 }] }],
    ["review", { skill: 1, luck: 1, moves: [{ loss: 1, best: "", left: 1 }] }],
    ["review", { skill: 1, luck: 1, moves: [{ loss: 1, best: "crane", left: 0.5 }] }],
  ])
    await refused(written([GAME, { ...GAME, [name]: value }]), `game 2 of the file has no proper “${name}”`);
  await refused(written([{ ...CODE, feedback: [["bbbb"]] }]), "game 1 of the file has no proper “feedback”");
  await refused(written([GAME, null]), "game 2 of the file has no proper “id”");
});

test("totals that cannot be are refused too", async () => {
  for (const [name, value] of [
    ["kind", ""],
    ["played", -1],
    ["won", "4"],
    ["histogram", []],
    ["histogram", { three: 1 }],
    ["histogram", { 3: -1 }],
  ])
    await refused(written([GAME], [{ ...TOTAL, [name]: value }]), `total 1 of the file has no proper “${name}”`);
});

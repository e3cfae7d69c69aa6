// Every finished game in this browser's database: history.js.

import { Databases, fillStorage, startOver, tellFromAnotherTab, told } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  everything,
  forget,
  keepGame,
  keepReview,
  merge,
  whenChanged,
  whenForgotten,
} from "../../src/sleuth/web/static/js/history.js";
import { load, save, saved } from "../../src/sleuth/web/static/js/storage.js";

const REVIEW = { skill: 90, luck: 50, moves: [] };
const game = (id, finished = 1, more = {}) => ({ id, finished, won: true, guesses: ["salet"], review: null, ...more });
const ids = async () => (await everything()).games.map(({ id }) => id);

beforeEach(async () => {
  startOver();
  await forget();
});

test("a history is empty at first", async () => {
  assert.deepEqual(await everything(), { games: [], totals: [], kept: true });
});

test("games come back oldest first, and nothing of them waits", async () => {
  for (const [id, finished] of [
    ["b", 2],
    ["c", 3],
    ["a", 1],
  ])
    await keepGame(game(id, finished));
  assert.deepEqual(await ids(), ["a", "b", "c"]);
  assert.deepEqual(saved("finished."), []);
});

test("the first time that a puzzle is finished counts", async () => {
  await keepGame(game("a", 1));
  await keepGame(game("a", 2, { won: false }));
  const { games } = await everything();
  assert.deepEqual(games, [game("a", 1)]);
});

test("a game whose page was gone at once is taken in later", async () => {
  save("finished.a", game("a"));
  save("finished.b", game("b", 2));
  assert.deepEqual(await ids(), ["a", "b"]);
  assert.deepEqual(saved("finished."), []);
});

test("nonsense on its way harms nothing", async () => {
  localStorage.setItem("sleuth.finished.x", "{half");
  save("finished.y", 7);
  save("finished.z", {});
  await keepGame(game("a"));
  assert.deepEqual(await ids(), ["a"]);
  assert.deepEqual(saved("finished."), []);
});

test("what is forgotten does not come back", async () => {
  await keepGame(game("a"));
  save("finished.b", game("b"));
  await forget();
  assert.deepEqual(await ids(), []);
});

test("a review is kept with its game alone", async () => {
  await keepGame(game("a"));
  await keepReview("a", REVIEW);
  await keepReview("b", REVIEW);
  assert.deepEqual((await everything()).games, [game("a", 1, { review: REVIEW })]);
});

test("games of a file are added, those that are here stay", async () => {
  await keepGame(game("a"));
  const added = await merge({
    games: [game("a", 9), game("b", 2)],
    totals: [{ kind: "k", played: 3, won: 1, histogram: {} }],
  });
  assert.equal(added, 1);
  assert.deepEqual((await everything()).games, [game("a"), game("b", 2)]);
  assert.equal(
    await merge({ games: [game("a"), game("b")], totals: [{ kind: "k", played: 5, won: 5, histogram: {} }] }),
    0,
  );
  assert.deepEqual((await everything()).totals, [{ kind: "k", played: 3, won: 1, histogram: {} }]);
});

test("a file brings the reviews that games lack, and takes none away", async () => {
  await keepGame(game("a"));
  await keepGame(game("b", 2, { review: REVIEW }));
  await merge({
    games: [game("a", 1, { review: REVIEW }), game("b", 2, { review: { ...REVIEW, skill: 1 } })],
    totals: [],
  });
  assert.deepEqual(
    (await everything()).games.map(({ review }) => review),
    [REVIEW, REVIEW],
  );
});

test("a file does not double what is on its way", async () => {
  save("finished.a", game("a"));
  assert.equal(await merge({ games: [game("a")], totals: [] }), 0);
  assert.deepEqual(await ids(), ["a"]);
});

test("changes are told here and in other tabs", async () => {
  const heard = [];
  whenChanged(() => heard.push("changed"));
  whenForgotten(() => heard.push("forgotten"));
  told.length = 0;
  await keepGame(game("a"));
  assert.deepEqual([heard, told], [["changed"], ["sleuth-games"]]);
  heard.length = 0;
  tellFromAnotherTab("sleuth-games");
  assert.deepEqual(heard, ["changed"]);
  tellFromAnotherTab("sleuth-forgotten");
  assert.deepEqual(heard, ["changed", "changed", "forgotten"]);
  heard.length = 0;
  await forget();
  assert.deepEqual(heard, ["changed", "forgotten"]);
});

test("a game is counted though storage is full", async () => {
  fillStorage(true);
  await keepGame(game("a"));
  assert.deepEqual(await ids(), ["a"]);
});

test("totals of before are taken over once, and where the browser keeps nothing the page goes on", async () => {
  const fresh = await import("../../src/sleuth/web/static/js/history.js?fresh");
  const here = globalThis.indexedDB;
  globalThis.indexedDB = new Databases();
  save("statistics", { "Original words, 1, standard": { played: 5, won: 4, streak: 2, histogram: { 3: 1, 4: 3 } } });
  const total = { kind: "Original words, 1, standard", played: 5, won: 4, histogram: { 3: 1, 4: 3 } };
  assert.deepEqual((await fresh.everything()).totals, [total]);
  assert.equal(load("statistics"), null);
  const off = await import("../../src/sleuth/web/static/js/history.js?off");
  globalThis.indexedDB = undefined;
  await off.keepGame(game("a"));
  assert.deepEqual(await off.everything(), { games: [], totals: [], kept: false });
  globalThis.indexedDB = here;
  assert.deepEqual((await off.everything()).games, [game("a")]); // it waited
});

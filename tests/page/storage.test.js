// What this browser keeps: storage.js.

import { event, fillStorage, startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, loadHere, remove, save, saved, saveHere, whenSaved } from "../../src/sleuth/web/static/js/storage.js";

beforeEach(startOver);

test("a plain value comes back as it was", () => {
  const value = { words: ["né", "ß"], n: 0, none: null };
  save("x", value);
  assert.deepEqual(load("x"), value);
  assert.equal(load("y"), null);
  remove("x");
  assert.equal(load("x"), null);
});

test("a tab keeps its own apart", () => {
  saveHere("x", 1);
  save("x", 2);
  assert.deepEqual([loadHere("x"), load("x")], [1, 2]);
});

test("what another version wrote is nothing", () => {
  localStorage.setItem("sleuth.x", "{half");
  assert.equal(load("x"), null);
});

test("the page goes on where storage is full", () => {
  save("x", 1);
  fillStorage(true);
  save("x", 2);
  saveHere("x", 2);
  assert.deepEqual([load("x"), loadHere("x")], [1, null]);
});

test("the page goes on where storage is off", (t) => {
  const storage = globalThis.localStorage;
  t.after(() => Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true }));
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get() {
      throw new Error("SecurityError");
    },
  });
  save("x", 1);
  remove("x");
  assert.equal(load("x"), null);
  assert.deepEqual(saved("x"), []);
});

test("names are found by how they begin, those of this page alone", () => {
  save("puzzle.a", 1);
  save("puzzle.b", 1);
  save("puzzles", 1);
  localStorage.setItem("other.puzzle.c", "1");
  assert.deepEqual(saved("puzzle.").sort(), ["puzzle.a", "puzzle.b"]);
});

test("another tab's saving is told, its forgetting and other pages' are not", () => {
  const heard = [];
  whenSaved((name) => heard.push(name));
  for (const [key, newValue] of [
    ["sleuth.look", "1"],
    ["sleuth.gone", null],
    ["other", "1"],
    [null, null],
  ])
    dispatchEvent(event("storage", { key, newValue }));
  assert.deepEqual(heard, ["look"]);
});

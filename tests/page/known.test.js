// What is known of guesses from all answers so far: board/known.js.

import "./fakes.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { asKnown, bestKnown, equalOf, learn, ranked } from "../../src/sleuth/web/static/js/board/known.js";

let n = 0;
/** Return a position of which nothing is known yet. */
const position = () => ({ game: { n: (n += 1) }, rows: [] });
const guess = (word, expected, kind, more = {}) => ({
  guess: word,
  expected_guesses: expected,
  kind,
  bits: 1,
  ...more,
});
const told = ({ guess: word, expected_guesses: expected, kind }) => `${word} ${kind} ${expected}`;

test("what is more certain is told everywhere", () => {
  const at = position();
  const estimate = guess("crane", 3.4, "estimate");
  assert.equal(asKnown(at, estimate), estimate);
  learn(at, { guesses: [guess("crane", 3.6, "at most")] });
  assert.equal(told(asKnown(at, estimate)), "crane at most 3.6");
  learn(at, { guess: guess("crane", 3.5, "proved", { least: 3.5 }), best: null });
  assert.equal(told(asKnown(at, estimate)), "crane proved 3.5");
  learn(at, { guesses: [estimate] });
  assert.equal(told(asKnown(at, estimate)), "crane proved 3.5"); // it is not forgotten
});

test("of two bounds the lower holds, and numbers hold over none", () => {
  const at = position();
  learn(at, { guesses: [guess("crane", 3.6, "at most")] });
  learn(at, { guesses: [guess("crane", 3.5, "at most")] });
  learn(at, { guesses: [guess("crane", 3.7, "at most")] });
  assert.equal(told(asKnown(at, guess("crane", null, "proved"))), "crane at most 3.5");
  assert.equal(told(asKnown(at, guess("crane", 3.4, "at most"))), "crane at most 3.4");
});

test("what is known of one position, host or mode says nothing of another", () => {
  const at = position();
  learn({ ...at, rows: [{ guess: "salet", feedback: "bbybb" }] }, { guesses: [guess("crane", 2, "proved")] });
  learn({ ...at, variant: "absurdle" }, { guesses: [guess("crane", 4, "proved")] });
  assert.equal(told(asKnown(at, guess("crane", 3, "estimate"))), "crane estimate 3");
  assert.equal(told(asKnown({ ...at, variant: "standard" }, guess("crane", 3, "estimate"))), "crane estimate 3");
});

test("the words left tell something, too, and a review of each of its rows", () => {
  const at = position();
  learn(at, { words: [{ word: "crane", expected_guesses: 2, kind: "proved" }] });
  assert.equal(asKnown(at, guess("crane", 3, "estimate")).expected_guesses, 2);
  const rows = [
    { guess: "salet", feedback: "bbybb" },
    { guess: "whirl", feedback: "ggggg" },
  ];
  const moves = [
    { best: guess("slate", 3.4, "proved"), played: guess("salet", 3.42, "proved") },
    { best: guess("crony", 2, "at most"), played: guess("whirl", 2.5, "at most") },
  ];
  learn({ ...at, rows }, { moves });
  assert.equal(asKnown(at, guess("salet", 3, "estimate")).expected_guesses, 3.42);
  assert.equal(asKnown({ ...at, rows: rows.slice(0, 1) }, guess("whirl", 3, "estimate")).expected_guesses, 2.5);
});

test("guesses are ranked by what was counted, estimates after it in their order", () => {
  const at = position();
  const listed = [guess("a", 2.1, "estimate"), guess("b", 2.0, "estimate"), guess("c", 3, "at most")];
  learn(at, {
    guesses: [guess("d", 2.5, "proved"), guess("e", 1, "estimate"), { ...guess("f", 2, "proved"), bits: undefined }],
  });
  assert.deepEqual(ranked(at, listed).map(told), ["d proved 2.5", "c at most 3", "a estimate 2.1"]);
  learn(at, { guesses: [guess("b", 2.4, "at most")] });
  assert.deepEqual(ranked(at, listed).map(told), ["b at most 2.4", "d proved 2.5", "c at most 3"]);
});

test("the best guess is the one that is given, or one that was counted and takes less", () => {
  const at = position();
  assert.equal(bestKnown(at, null), null);
  assert.equal(told(bestKnown(at, guess("a", 3, "at most"))), "a at most 3");
  learn(at, { guesses: [guess("b", 2.9, "at most")] });
  assert.equal(told(bestKnown(at, guess("a", 3, "at most"))), "b at most 2.9");
  assert.equal(told(bestKnown(at, guess("a", 2.8, "at most"))), "a at most 2.8");
});

test("a guess that takes as many is found, but for the last digits", () => {
  const at = position();
  learn(at, { guesses: [guess("b", 3.0000000001, "proved"), guess("c", 2, "estimate")] });
  assert.equal(equalOf(at, guess("a", 3, "proved"))?.guess, "b");
  assert.equal(equalOf(at, guess("b", 3, "proved")), undefined);
  assert.equal(equalOf(at, guess("a", 2, "estimate")), undefined);
  assert.equal(equalOf(position(), guess("a", 3, "proved")), undefined);
});

test("only so many positions are known, the oldest is forgotten", () => {
  const first = position();
  learn(first, { guesses: [guess("a", 3, "proved")] });
  for (let i = 0; i < 300; i += 1) learn(position(), { guesses: [guess("a", 3, "proved")] });
  assert.equal(told(asKnown(first, guess("a", 4, "estimate"))), "a estimate 4");
});

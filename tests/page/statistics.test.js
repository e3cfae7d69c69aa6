// What finished games add up to: statistics.js.

import "./fakes.js";
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { dayOf, today } from "../../src/sleuth/web/static/js/days.js";
import {
  hasLuck,
  isDaily,
  isEstimated,
  isReviewed,
  judged,
  keptKindText,
  kindOf,
  kindText,
  mistakes,
  openers,
  reviews,
  slowest,
  streaks,
  summary,
  turnsShown,
} from "../../src/sleuth/web/static/js/statistics.js";

const WORDS = { game: "wordle", words: "original", mode: "easy" };
const at = (number, hour = 12) => dayOf(number).setHours(hour);
/** A game of a day, begun late days after it, won with its last guess unless it is said that it was lost. */
const game = (number, { late = 0, guesses = ["salet", "whirl"], won = true, ...more } = {}) => ({
  ...{ id: String(number), title: "Original words", game: WORDS, boards: 1, variant: "standard", number, guesses, won },
  ...{ feedback: guesses.map(() => ["bbbbb"]), answers: ["whirl"], solved: [won], turns: 6, hints: 0, review: null },
  ...{ started: at(number + late), finished: at(number + late), ...more },
});
const review = (...losses) => ({
  skill: 80,
  luck: 40,
  moves: losses.map((loss) => ({ loss, best: "crane", left: 9 })),
});

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test("an empty history adds up to nothing", () => {
  assert.deepEqual(summary([]), { played: 0, won: 0, histogram: {}, mean: null, hinted: 0 });
  assert.deepEqual(streaks([]), { streak: 0, longest: 0 });
  assert.deepEqual([openers([]), slowest([]), mistakes([])], [[], [], []]);
});

test("games are counted by the guesses they took, lost ones apart", () => {
  const games = [
    game(1),
    game(2, { guesses: ["a", "b", "c"] }),
    game(3, { won: false, hints: 2 }),
    game(4, { hints: 1 }),
  ];
  assert.deepEqual(summary(games), { played: 4, won: 3, histogram: { 2: 2, 3: 1 }, mean: 7 / 3, hinted: 2 });
  assert.equal(summary([game(1, { won: false })]).mean, null);
});

test("totals of before are added", () => {
  const totals = [{ kind: "x", played: 5, won: 4, histogram: { 3: 1, 4: 3 } }];
  const found = summary([game(1, { guesses: ["whirl"] })], totals);
  assert.deepEqual([found.played, found.won, found.mean], [6, 5, 3.2]); // 1 + 3 + 3 * 4, of five games won
  assert.deepEqual(found.histogram, { 1: 1, 3: 1, 4: 3 });
});

test("a streak is of days in a row that were won on their day", () => {
  const now = 200;
  const games = [
    game(now),
    game(now - 1),
    game(now - 2, { late: 1 }), // not on its day: the row ends
    game(now - 3),
    ...[0, 1, 2, 3, 4].map((day) => game(now - 10 - day)),
    game(1_234_567, { started: at(now) }),
  ];
  assert.deepEqual(streaks(games, now), { streak: 2, longest: 5 });
});

test("a streak goes up to yesterday while today's puzzle is not played", () => {
  const games = [game(100), game(101)];
  assert.deepEqual(
    [101, 102, 103].map((now) => streaks(games, now).streak),
    [2, 2, 0],
  );
  assert.equal(streaks(games, 103).longest, 2);
});

test("a day counts once, however many games were played and in whatever order", () => {
  assert.deepEqual(streaks([game(101), game(100), game(101, { boards: 2 }), game(100)], 101), {
    streak: 2,
    longest: 2,
  });
});

test("a lost day ends a streak", () => {
  assert.deepEqual(streaks([game(100), game(101, { won: false }), game(102)], 102), { streak: 1, longest: 1 });
  assert.deepEqual(streaks([game(100), game(101, { won: false })], 101), { streak: 1, longest: 1 });
});

test("a streak goes over the end of a year, and of February", () => {
  const newYear = today(new Date(2026, 0, 1));
  assert.deepEqual(
    streaks(
      [-2, -1, 0, 1].map((n) => game(newYear + n)),
      newYear + 1,
    ),
    { streak: 4, longest: 4 },
  );
  const march = today(new Date(2028, 2, 1)); // after a leap day
  assert.equal(
    streaks(
      [-2, -1, 0].map((n) => game(march + n)),
      march,
    ).streak,
    3,
  );
});

test("a streak goes over the change of clocks, whenever one plays", () => {
  for (const TZ of ["Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe"]) {
    process.env.TZ = TZ;
    for (const hour of [0, 3, 23]) {
      const games = Array.from({ length: 365 }, (_, n) => game(n, { started: at(n, hour) }));
      assert.deepEqual(streaks(games, 364), { streak: 365, longest: 365 }, `${TZ} at ${hour}`);
    }
  }
});

test("a puzzle that goes over midnight is of the day on which it was begun", () => {
  assert.ok(isDaily(game(100, { started: at(100, 23), finished: at(101, 0) })));
  assert.ok(!isDaily(game(100, { started: at(101, 0) })));
  assert.ok(!isDaily(game(100, { started: at(99, 23) })));
});

test("kinds of games are told apart, and named", () => {
  assert.equal(kindOf(game(1)), "Original words, 1, standard");
  assert.equal(kindText({ title: "Original words", boards: 1, variant: "standard" }), "Original words");
  assert.equal(
    kindText({ title: "3000 frequent words", boards: 4, variant: "fibble" }),
    "Fibble · 3,000 frequent words · 4 boards",
  );
  assert.equal(
    keptKindText("Mastermind, 4 pegs of 6 colours, 2, standard"),
    "Mastermind, 4 pegs of 6 colours · 2 boards",
  );
  assert.equal(keptKindText("nonsense"), "nonsense");
});

test("there are reviews of all but lying hosts on several boards, and luck on one board alone", () => {
  const kinds = [
    [1, "standard"],
    [2, "standard"],
    [1, "absurdle"],
    [2, "fibble"],
  ].map(([boards, variant]) => ({ boards, variant }));
  assert.deepEqual(kinds.map(isReviewed), [true, true, true, false]);
  assert.deepEqual(kinds.map(hasLuck), [true, false, false, false]);
  assert.deepEqual(kinds.map(isEstimated), [false, true, false, true]);
});

test("games stand with the server in one of four ways", () => {
  const games = {
    done: game(1, { review: review(0.2) }),
    waiting: game(2),
    lost: game(3, { game: { game: "wordle", mode: "easy", own: "abc" } }),
    none: game(4, { boards: 2, variant: "fibble" }),
    refused: game(5, { review: { skill: null, luck: null, moves: [] } }),
  };
  const { refused, none, ...others } = games;
  assert.deepEqual(reviews(Object.values(games), null), {
    ...Object.fromEntries(Object.entries(others).map(([name, one]) => [name, [one]])),
    none: [none, refused],
  });
  const here = { words: ["katze", "hunde"], digest: "abc" };
  assert.deepEqual(reviews([games.lost], here).waiting, [games.lost]);
});

test("a loss is kept where it is known", () => {
  const moves = [
    { choice: true, loss: 0.4, annotation: "?" },
    { choice: true, loss: 0.4, annotation: "" }, // it may be chance, or is only estimated
    { choice: true, loss: 0.1, annotation: "" },
    { choice: true, loss: null, annotation: "" },
    { choice: false, loss: 0, annotation: "" },
  ].map((move) => ({ ...move, best: { guess: "crane" }, candidates_before: 9 }));
  const kept = judged({ skill_shown: 80, luck_shown: null, moves });
  assert.deepEqual([kept.skill, kept.luck], [80, null]);
  assert.deepEqual(
    kept.moves.map(({ loss }) => loss),
    [0.4, null, 0.1, null, null],
  );
  assert.deepEqual(kept.moves[0], { loss: 0.4, best: "crane", left: 9 });
});

test("openers are counted by kind, the most played first and of these the best", () => {
  const games = [
    game(1, { guesses: ["crane", "whirl"], review: review(0.1) }),
    game(2, { guesses: ["salet", "a", "whirl"] }),
    game(3, { guesses: ["salet", "a", "b"], won: false, review: review(null) }),
    game(4, { guesses: ["salet", "whirl"], boards: 2 }),
    game(5, { guesses: ["adieu", "a"], won: false }),
  ];
  const found = openers(games);
  assert.deepEqual(
    found.map(({ guess, times, won, mean, cost }) => [guess, times, won, mean, cost]),
    [
      ["salet", 2, 1, 3, null],
      ["crane", 1, 1, 2, 0.1],
      ["salet", 1, 1, 2, null],
      ["adieu", 1, 0, null, null],
    ],
  );
  assert.deepEqual(
    found.map(({ kind }) => kind),
    ["Original words", "Original words", "Original words · 2 boards", "Original words"],
  );
});

test("what took longest comes first, lost games before all", () => {
  const lost = game(1, { won: false });
  const [three, four] = [3, 4].map((n) => game(n, { guesses: Array(n).fill("crane") }));
  const later = { ...three, finished: three.finished + 1 };
  const ofMany = game(5, { guesses: Array(5).fill("crane"), turns: 13 });
  assert.deepEqual(slowest([three, ofMany, four, later, lost]), [lost, four, later, three, ofMany]);
});

test("mistakes are moves that cost more than a little, the worst first, with the rows before them", () => {
  const games = [
    game(1, { guesses: ["salet", "crony", "whirl"], review: review(0.9, 0.3, 0) }),
    game(2, { guesses: ["salet", "jazzy", "fuzzy"], review: review(0, 0.1, 0.5) }),
    game(3, { review: review(0, null) }),
    game(4),
  ];
  const found = mistakes(games);
  assert.deepEqual(
    found.map(({ guess, loss }) => [guess, loss]),
    [
      ["fuzzy", 0.5],
      ["crony", 0.3],
    ],
  ); // a first guess is none
  assert.deepEqual(found[0].rows, [
    { guess: "salet", feedback: ["bbbbb"] },
    { guess: "jazzy", feedback: ["bbbbb"] },
  ]);
});

test("bars are drawn for all guesses of a short game, else for those that there are", () => {
  assert.deepEqual(turnsShown({}, 6), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(turnsShown({ 7: 1 }, 6), [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(turnsShown({ 4: 1, 13: 2 }, 13), [4, 13]);
  assert.deepEqual(turnsShown({ 8: 1 }, 6).length, 8);
  assert.deepEqual(turnsShown({ 9: 1 }, 6), [9]);
});

// Comparisons: strategies as text, addresses, files, the chart and the time left. compare/*.js.

import { startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { chart, ticks } from "../../src/sleuth/web/static/js/compare/chart.js";
import {
  aboutOf,
  contestantFrom,
  describe,
  grouped,
  specOf,
  titleOf,
  titlesOf,
  usualOf,
} from "../../src/sleuth/web/static/js/compare/contestants.js";
import { differences, duels } from "../../src/sleuth/web/static/js/compare/differences.js";
import { answerRows, csv, resultRows } from "../../src/sleuth/web/static/js/compare/files.js";
import {
  addressOf,
  forget,
  jobOf,
  keep,
  keepJob,
  kept,
  questionFrom,
  recall,
} from "../../src/sleuth/web/static/js/compare/kept.js";
import { optionFields } from "../../src/sleuth/web/static/js/compare/options.js";
import { results, verdict } from "../../src/sleuth/web/static/js/compare/results.js";
import { clock, inWords } from "../../src/sleuth/web/static/js/compare/timeleft.js";
import { DEFAULT } from "../../src/sleuth/web/static/js/games.js";

const number = (name, kind, least, most, choices = []) => ({ name, kind, choices, least, most });
const STRATEGIES = [
  { name: "random", summary: "r", options: { seed: 0 }, fields: [number("seed", "whole", 0, 1e9)] },
  {
    name: "alpha",
    summary: "a",
    options: { ties: "list-order", alpha: 1 },
    fields: [
      { name: "ties", kind: "choice", choices: ["candidates-first", "list-order"], least: null, most: null },
      number("alpha", "number", -10, 10),
    ],
  },
  {
    name: "rollout",
    summary: "p",
    options: { width: 10, base: "alpha" },
    fields: [
      number("width", "whole", 1, 1000, ["all"]),
      { name: "base", kind: "strategy", choices: ["alpha", "random"], least: null, most: null },
    ],
  },
  { name: "worst-case", summary: "w", options: {}, fields: [] },
  { name: "mine", summary: "Somebody's own.", options: {}, fields: [] },
];
const report = (mean, more = {}) => ({
  ...{ strategy: "random", opener: "salet", answers: 3, failures: 0, total: 3 * mean, mean, worst: 4, max_turns: 6 },
  ...{ histogram: { 2: 1, 4: 2 }, turns: [2, 4, 4], optimum: null, ...more },
});
const QUESTION = { game: DEFAULT, opener: "", specs: ["random", "alpha(alpha=0.5)"] };
const read = (text) => {
  const remarks = [];
  return [contestantFrom(text, STRATEGIES, remarks), remarks];
};

beforeEach(startOver);

test("a strategy reads back from its text", () => {
  for (const spec of [
    "random",
    "random(seed=7)",
    "alpha(ties=candidates-first,alpha=-0.5)",
    "rollout(width=all)",
    "rollout(base=random(seed=1,ties=x))",
  ]) {
    const [contestant, remarks] = read(spec);
    assert.deepEqual([specOf(contestant), remarks], [spec, []]);
  }
  assert.deepEqual(read(" rollout ( width = 5 , base=alpha) ")[0], { name: "rollout", options: { width: "5" } });
});

test("options that are as usual are left out", () => {
  assert.deepEqual(read("rollout(width=10,base=alpha)")[0], { name: "rollout", options: {} });
  assert.equal(usualOf(STRATEGIES[2], "width"), "10");
});

test("what is no strategy is told with what there is", () => {
  for (const [text, says] of [
    ["nothing", "there is no strategy “nothing”: strategies are random, alpha, rollout"],
    ["<b>", "there is no strategy “<b>”"],
    ["x".repeat(61), `“${"x".repeat(60)}…”`],
    ["", "“” is not how a strategy is written: its name, with options such as rollout(width=5)"],
    ["rollout(width=5", "is not how a strategy is written"],
    ["alpha(nonsense=1)", "alpha has no option “nonsense”: its options are ties, alpha"],
    ["alpha(toString=1)", "alpha has no option “toString”"],
    ["alpha(1)", "“1” is not how an option is written, as in rollout(width=5); alpha: its options are ties, alpha"],
    ["worst-case(x=1)", "worst-case has no option “x”: it has no options"],
  ]) {
    const [contestant, remarks] = read(text);
    assert.equal(contestant, null, text);
    assert.ok(remarks.length === 1 && remarks[0].includes(says), remarks[0]);
  }
});

test("an option whose value is not taken is as usual, and that is told", () => {
  for (const [text, says] of [
    ["rollout(width=abc)", "rollout has no “width=abc”: it takes a whole number from 1 to 1000, or all"],
    ["rollout(width=-5)", "rollout has no “width=-5”"],
    ["rollout(width=1001)", "it takes a whole number from 1 to 1000"],
    ["rollout(width=1.5)", "it takes a whole number"],
    ["alpha(alpha=1.2.3)", "alpha has no “alpha=1.2.3”: it takes a number from -10 to 10"],
    ["alpha(ties=fun)", "it takes candidates-first, list-order"],
    ["rollout(base=)", "it takes a name"],
  ]) {
    const [contestant, remarks] = read(text);
    assert.deepEqual(contestant?.options, {}, text);
    assert.ok(remarks.length === 1 && remarks[0].includes(says), remarks[0]);
  }
  for (const value of ["inf", "-inf", ".5", "+1e1", "-1."])
    assert.deepEqual(read(`alpha(alpha=${value})`)[0].options, { alpha: value });
});

test("strategies have titles, and their options where these alone would be the same", () => {
  assert.equal(titleOf("information-gain"), "Most information");
  assert.equal(titleOf("mine"), "mine");
  assert.equal(aboutOf(STRATEGIES[4]), "Somebody's own.");
  assert.deepEqual(describe("rollout(width=5,base=random(seed=1))"), {
    title: "Plays it through",
    changes: "width = 5, base = random(seed = 1)",
  });
  assert.deepEqual(describe("rollout"), { title: "Plays it through", changes: "" });
  assert.deepEqual(titlesOf(["random", "alpha"]), ["Anything that fits", "In between"]);
  assert.deepEqual(titlesOf(["random", "random(seed=1)", "alpha"]), [
    "Anything that fits (as usual)",
    "Anything that fits (seed = 1)",
    "In between",
  ]);
});

test("strategies are in groups, unknown ones last", () => {
  const groups = grouped([...STRATEGIES]);
  assert.deepEqual(
    groups.map(([group, members]) => [group, members.map(({ name }) => name).join()]),
    [
      ["As beginners play", "random"],
      ["Quick and strong", "worst-case,alpha"],
      ["Close to perfect", "rollout"],
      ["Others", "mine"],
    ],
  );
});

test("options are fields, and the line above them says what is not as usual", () => {
  const contestant = { name: "rollout", options: { width: "5" } };
  const element = optionFields(STRATEGIES[2], contestant);
  const [width, base] = [element.querySelector("input"), element.querySelector("select")];
  const summary = () => element.querySelector("summary").textContent;
  assert.equal(summary(), "Options: width = 5");
  assert.deepEqual([width.value, width.min, width.max], ["5", "1", "1000"]);
  assert.match(element.textContent, /1 to 1,000; empty: all/);
  Object.assign(width, { value: " ", validity: { valid: true } }).dispatchEvent(new Event("change"));
  assert.deepEqual([contestant.options, summary()], [{ width: "all" }, "Options: width = all"]);
  Object.assign(width, { value: "10" }).dispatchEvent(new Event("change"));
  assert.deepEqual([contestant.options, summary()], [{}, "Options"]);
  Object.assign(base, { value: "random" }).dispatchEvent(new Event("change"));
  Object.assign(width, { value: "x", validity: { valid: false } }).dispatchEvent(new Event("change"));
  assert.deepEqual(contestant.options, { base: "random" });
});

test("a question reads back from its address", () => {
  for (const question of [QUESTION, { ...QUESTION, game: { ...DEFAULT, words: "nyt" }, opener: "crane" }]) {
    const remarks = [];
    const { search } = new URL(addressOf(question), "https://x");
    assert.deepEqual(questionFrom(new URLSearchParams(search), STRATEGIES, remarks), question);
    assert.deepEqual(remarks, []);
  }
  assert.deepEqual(questionFrom(new URLSearchParams(), STRATEGIES, []), { ...QUESTION, specs: [] });
});

test("a comparison takes two to four strategies, no two of them the same", () => {
  const ask = (...specs) => {
    const remarks = [];
    const query = new URLSearchParams(specs.map((spec) => ["strategy", spec]));
    return [questionFrom(query, STRATEGIES, remarks).specs.length, remarks];
  };
  const says = ["a comparison takes 2 to 4 strategies, no two of them the same"];
  assert.deepEqual(ask("random"), [1, says]);
  assert.deepEqual(ask("random", "random(seed=0)"), [1, says]);
  assert.deepEqual(ask(...[1, 2, 3, 4].map((n) => `random(seed=${n})`)), [4, []]);
  assert.deepEqual(ask(...[1, 2, 3, 4, 5].map((n) => `random(seed=${n})`)), [4, says]);
});

test("a first guess is lower case and not too long", () => {
  const opener = (text) => questionFrom(new URLSearchParams({ opener: text }), STRATEGIES, []).opener;
  assert.equal(opener(" Crane "), "crane");
  assert.equal(opener("x".repeat(99)).length, 40);
});

test("comparisons are kept, the newest first, as many as there is room for", () => {
  const comparison = (n, more = {}) => ({ question: { ...QUESTION, opener: `w${n}` }, reports: [], at: n, ...more });
  for (let n = 0; n < 13; n += 1) keep(comparison(n));
  assert.deepEqual(
    kept().map(({ at }) => at),
    [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
  );
  keep({ ...comparison(5), at: 99 });
  assert.deepEqual([kept().length, kept()[0].at, recall(comparison(5).question).at], [12, 99, 99]);
  assert.equal(recall(comparison(0).question), undefined);
  keep(comparison(20, { reports: "x".repeat(990_000) }));
  assert.ok(kept().length > 1);
  keep(comparison(21, { reports: "x".repeat(990_000) }));
  assert.deepEqual(
    kept().map(({ at }) => at),
    [21],
  );
  forget();
  assert.deepEqual(kept(), []);
});

test("words of one's own are told apart, though their address is the same", () => {
  const own = (...answers) => ({ ...QUESTION, game: { game: "wordle", answers, mode: "easy" } });
  keep({ question: own("katze", "hunde"), reports: [], at: 1 });
  assert.equal(recall(own("vogel", "fisch")), undefined);
  assert.equal(recall(own("katze", "hunde")).at, 1);
});

test("an evaluation that was begun is found again, unless it is of words of one's own", () => {
  keepJob(QUESTION, "random", "7");
  keepJob(QUESTION, "alpha", "8");
  assert.deepEqual(
    ["random", "alpha", "rollout"].map((spec) => jobOf(QUESTION, spec)),
    ["7", "8", ""],
  );
  keepJob(QUESTION, "random", "");
  assert.deepEqual(
    ["random", "alpha"].map((spec) => jobOf(QUESTION, spec)),
    ["", "8"],
  );
  const own = { ...QUESTION, game: { game: "wordle", answers: ["katze", "hunde"], mode: "easy" } };
  keepJob(own, "random", "9");
  assert.equal(jobOf(own, "random"), "");
  for (let n = 0; n < 9; n += 1) keepJob(QUESTION, `random(seed=${n})`, String(n));
  assert.deepEqual([jobOf(QUESTION, "random(seed=0)"), jobOf(QUESTION, "random(seed=1)")], ["", "1"]);
});

test("files quote what needs it", () => {
  assert.equal(
    csv([
      ["a", 'say "x"', 1.5],
      ["b,c", "line\nbreak", ""],
    ]),
    'a,"say ""x""",1.5\r\n"b,c","line\nbreak",\r\n',
  );
});

test("results as rows have every guess, answers as rows every answer", () => {
  const comparison = {
    question: QUESTION,
    reports: [report(3, { worst: 3, histogram: { 3: 3 } }), report(10 / 3, { optimum: { total: 9 } })],
    at: 0,
  };
  const [head, first, second] = resultRows(comparison);
  assert.deepEqual(head.slice(-5), ["best possible total", 1, 2, 3, 4]);
  assert.deepEqual(first, ["random", "salet", 3, 9, 3, 0, 3, "", 0, 0, 3, 0]);
  assert.deepEqual(second.slice(-5), [9, 0, 1, 0, 2]);
  assert.deepEqual(answerRows(comparison, ["a", "b"]), [
    ["answer", ...QUESTION.specs],
    ["a", 2, 2],
    ["b", 4, 4],
  ]);
});

test("who is better is said in a sentence, with the answers lost", () => {
  assert.equal(
    verdict([report(4, { failures: 1 }), report(3.5), report(3.6, { failures: 1200 })], ["A", "B", "C"]),
    "“B” takes 3.500 guesses on average, “C” 3.600 (1,200 answers lost), “A” 4.000 (1 answer lost).",
  );
  assert.equal(verdict([report(3)], ["A"]), "“A” takes 3.000 guesses on average.");
});

test("who loses answers is not held against the best who loses none", () => {
  const optimum = { total: 9, mean: 3, opener: "salet" };
  const shown = (...reports) => results({ question: QUESTION, reports, at: 0 }).element.textContent;
  const text = shown(report(3.5, { total: 10, optimum }), report(3.6, { failures: 2, optimum }));
  assert.match(text, /Above the best possible guesses in all, every answer found1loses 2/);
  assert.match(text, /One that loses some/);
  assert.doesNotMatch(shown(report(3.5, { optimum }), report(3.6, { optimum })), /One that loses some/);
  assert.match(text, /Behind the best herebest\+0\.1000/);
  assert.match(text, /1 guess002 guesses113 guesses004 guesses22/);
});

test("strategies are told apart answer by answer, the greatest difference first", () => {
  const found = duels(["a", "b", "c", "d"], [3, 4, 5, 3], [4, 4, 2, 4]);
  assert.deepEqual(
    found.map(({ answer, by }) => `${answer} ${by}`),
    ["c -3", "a 1", "d 1", "b 0"],
  );
});

test("where two differ is said in numbers", () => {
  const text = differences(
    ["a", "b", "c"],
    [report(3, { turns: [3, 4, 5] }), report(3, { turns: [4, 4, 2] })],
    ["One", "Other"],
  ).textContent;
  assert.match(text, /“One” needs fewer guesses for 1 answer \(33 %\), “Other” for 1 \(33 %\); 1 take as many\./);
  assert.match(text, /Other: 3\u00a0fewer/);
});

test("lines across the chart are round numbers", () => {
  assert.deepEqual(ticks(1), [0, 1]);
  assert.deepEqual(ticks(4), [0, 1, 2, 3, 4]);
  assert.deepEqual(ticks(9), [0, 5]);
  assert.deepEqual(ticks(100), [0, 50, 100]);
  assert.deepEqual(ticks(1159), [0, 500, 1000]);
  for (let most = 1; most < 3000; most += 7)
    assert.ok(ticks(most).length >= 2 && ticks(most).length <= 6, String(most));
});

test("columns are as tall as there are answers, and stand beside each other", () => {
  const reports = [report(3), report(3.5, { histogram: { 4: 1 } })];
  const drawn = chart(reports, ["A", "B"], 600, "label");
  const columns = drawn.querySelectorAll("rect").filter((one) => /^series/.test(one.className));
  const tall = columns.map((one) => Number(one.getAttribute("height")));
  assert.deepEqual(tall, [110, 220, 110]);
  assert.deepEqual(
    columns.map((one) => one.textContent),
    ["A: 1 with 2", "A: 2 with 4", "B: 1 with 4"],
  );
  assert.ok(Number(columns[1].getAttribute("x")) < Number(columns[2].getAttribute("x")));
});

test("numbers beside dots and lines of the chart are whole on every phone", () => {
  const optimum = { total: 10, mean: 3.4201, opener: "salet" };
  for (const width of [300, 320, 360, 390, 600])
    for (const mean of [1, 2.5, 3.4, 5, 6.4]) {
      const drawn = chart([report(mean, { optimum: { ...optimum, mean } })], ["A"], width, "label");
      for (const text of drawn.querySelectorAll(".mean")) {
        const from = Number(text.getAttribute("x"));
        assert.ok(
          from >= 0 && from + 7 * text.textContent.length <= width,
          `${width}, ${mean}: ${text.textContent} at ${from}`,
        );
      }
    }
});

test("the time left is told once something can be said of it", () => {
  const one = clock();
  assert.deepEqual(one.told({ done: 0, total: 0, turn: 0 }, 0), { share: 0, left: null });
  assert.equal(one.told({ done: 50, total: 100, turn: 1 }, 100).left, null);
  const early = one.told({ done: 5, total: 100, turn: 2 }, 104);
  assert.equal(early.left, null);
  const later = one.told({ done: 50, total: 100, turn: 2 }, 110);
  assert.ok(later.left > 0 && later.share > early.share && later.share < 1);
});

test("the time left of a run goes by how long its turns took", () => {
  const one = clock();
  const said = [
    [0, 0, 0, 1],
    [0, 2315, 1, 2],
    [2315, 2315, 1, 4],
    [1000, 2315, 2, 10],
    [2000, 2315, 2, 100],
    [0, 2300, 3, 120],
  ].map(([done, total, turn, now]) => one.told({ done, total, turn }, now).left);
  const words = said.map((left) => (left === null ? null : inWords(left)));
  assert.deepEqual(words, [null, null, null, "about 30 seconds left", "about 3 minutes left", null]);
});

test("the share done never falls, and is all at the end of the last turn", () => {
  const one = clock();
  let before = 0;
  for (let turn = 1; turn <= 7; turn += 1)
    for (const done of [0, 30, 60, 100]) {
      const { share } = one.told({ done, total: 100, turn }, 10 * turn + done / 10);
      assert.ok(share >= before - 1e-12, `turn ${turn}`);
      before = share;
    }
  assert.ok(Math.abs(before - 1) < 1e-9);
  for (let turn = 8; turn < 40; turn += 1) assert.ok(one.told({ done: 9, total: 9, turn }, 100 + turn).share <= 1);
});

test("a time left is worded as such an estimate deserves", () => {
  const words = [0, 9.9, 10, 14.9, 15, 54, 55, 89, 90, 3600].map(inWords);
  assert.deepEqual(
    words.map((text) => text.replace(" left", "")),
    [
      ...[
        "a few seconds",
        "a few seconds",
        "about 10 seconds",
        "about 10 seconds",
        "about 20 seconds",
        "about 50 seconds",
      ],
      ...["about a minute", "about a minute", "about 2 minutes", "about 60 minutes"],
    ],
  );
});

// How hard lists are, and episodes of planning: difficulty/*.js, plan/*.js.

import { Databases, event, startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { answersCard } from "../../src/sleuth/web/static/js/difficulty/answers.js";
import { changing } from "../../src/sleuth/web/static/js/difficulty/changing.js";
import * as lists from "../../src/sleuth/web/static/js/difficulty/kept.js";
import {
  GUESSES,
  addressOf,
  bodyOf,
  isChange,
  questionFrom,
  some,
  titleOfQuestion,
  wordsOf,
} from "../../src/sleuth/web/static/js/difficulty/question.js";
import { results } from "../../src/sleuth/web/static/js/difficulty/results.js";
import {
  headline,
  headlineOfChange,
  labelOf,
  nameOf,
  remarks,
} from "../../src/sleuth/web/static/js/difficulty/words.js";
import { DEFAULT } from "../../src/sleuth/web/static/js/games.js";
import { episode } from "../../src/sleuth/web/static/js/plan/episode.js";
import * as episodes from "../../src/sleuth/web/static/js/plan/kept.js";
import * as plan from "../../src/sleuth/web/static/js/plan/question.js";
import { amount, detailsOf, methodSays, methodTitle, titleOf } from "../../src/sleuth/web/static/js/plan/words.js";
import { save } from "../../src/sleuth/web/static/js/storage.js";

const QUESTION = { game: DEFAULT, turns: 6, add: [], remove: [] };
const OWN = { game: "wordle", answers: ["katze", "hunde"], mode: "easy" };
const player = (name, mean, more = {}) => ({
  player: name,
  mean,
  proved: false,
  lost: 0,
  turn_limit: 6,
  histogram: { 3: 1 },
  ...more,
});
const answer = (word, guesses, more = {}) => ({
  ...{
    answer: word,
    "best guesses": 3,
    "casual guesses": guesses,
    "casual lost": 0.25,
    frequency: 0.000012,
    family: "",
    "family words": 0,
    unfair: "",
  },
  ...more,
});
const report = (more = {}) => ({
  ...{
    game: "wordle",
    mode: "easy",
    max_turns: 6,
    guesses: 12972,
    language: "en",
    openers: [{ guess: "salet", expected_guesses: 3.42 }],
  },
  players: [player("best", 3.42, { proved: true }), player("casual", 4.1, { lost: 0.0123, turn_limit: 6 })],
  ...{ families: [], unfair: [], answers: [answer("night", 5.5), answer("crane", 3.2)], ...more },
});
const read = (text) => {
  const told = [];
  return [questionFrom(new URLSearchParams(text), told), told];
};

beforeEach(startOver);

test("a question about a list reads back from its address", () => {
  for (const [question, address] of [
    [QUESTION, "/difficulty#words=original"],
    [
      { ...QUESTION, turns: 8, add: ["light", "might"], remove: ["night"] },
      "/difficulty#words=original&turns=8&add=light.might&remove=night",
    ],
    [{ ...QUESTION, game: OWN }, "/difficulty#words=own&list=katze.hunde"],
  ]) {
    assert.deepEqual(addressOf(question), { address, portable: true });
    assert.deepEqual(read(address.split("#")[1]), [question, []]);
  }
});

test("words that may be guessed beside one's own stay in this browser", () => {
  const question = { ...QUESTION, game: { ...OWN, guesses: ["vogel"] } };
  const { address, portable } = addressOf(question);
  assert.deepEqual([address, portable], ["/difficulty#words=own&guesses=own&list=katze.hunde", false]);
  const [elsewhere, told] = read(address.split("#")[1]);
  assert.deepEqual(elsewhere.game, OWN);
  assert.match(told[0], /words that may be guessed were somebody's own/);
  save(GUESSES, ["vogel"]);
  assert.deepEqual(read(address.split("#")[1]), [question, []]);
});

test("an address of a list that says what there is not is told kindly", () => {
  for (const [text, says] of [
    ["words=none", "there is no “words=none”"],
    ["words=nyt&turns=99", "a game has 1 to 20 turns"],
    ["turns=0", "a game has 1 to 20 turns"],
    ["game=mastermind", "only lists of words are looked at here"],
    ["words=own", "somebody's own"],
    ["words=own&list=katze.hund", "must all have one length"],
  ]) {
    const [question, told] = read(text);
    assert.ok(told.length === 1 && told[0].includes(says), told[0]);
    assert.deepEqual([question.turns, question.game.game], [6, "wordle"]);
  }
});

test("words of a text stand between dots, commas and spaces, each once", () => {
  assert.deepEqual(wordsOf("Light, might;night.light\n sight"), ["light", "might", "night", "sight"]);
  assert.deepEqual([wordsOf(null), wordsOf(" ,")], [[], []]);
});

test("a question is asked with what is not as usual, and called so", () => {
  assert.deepEqual(bodyOf(QUESTION), { game: DEFAULT });
  const other = { ...QUESTION, turns: 8, add: ["light"], remove: ["night", "sight"] };
  assert.deepEqual(bodyOf(other), { game: DEFAULT, max_turns: 8, add: ["light"], remove: ["night", "sight"] });
  assert.equal(titleOfQuestion(QUESTION), "Original words");
  assert.equal(titleOfQuestion(other), "Original words, 8 turns, with light, without night and sight");
  assert.deepEqual([isChange(QUESTION), isChange(other)], [false, true]);
});

test("some words are named, of many the first few", () => {
  assert.deepEqual(
    ["a", "a b", "a b c", "a b c d", "a b c d e"].map((words) => some(words.split(" "))),
    [...["a", "a and b", "a, b and c", "a, b, c and 1 more", "a, b, c and 2 more"]],
  );
});

test("players have names, and so do families", () => {
  const names = [
    player("best", 3, { proved: true }),
    player("best", 3),
    player("casual", 4),
    player("information-gain", 4),
  ].map(nameOf);
  assert.deepEqual(names, ["Best play", "Best play known", "Casual player", "Most information"]);
  assert.deepEqual(
    ["_ight", "sta_e"].map((pattern) => labelOf({ pattern })),
    ["-ight", "sta-e"],
  );
});

test("how hard a list is stands in sentences", () => {
  assert.equal(
    headline(report()),
    "A casual player takes 4.10 guesses on average and loses 1.2 % of the games; the best play takes 3.42.",
  );
  assert.equal(
    remarks(report()),
    "6 turns are enough: a casual player makes 99 % of the games in 6. No word is unfair.",
  );
  const hard = report({
    max_turns: 1,
    players: [player("best", 3.42), player("casual", 4.1, { turn_limit: 7 })],
    unfair: [{ word: "night" }],
    families: [{ pattern: "_ight", words: ["light", "might", "night", "sight"] }],
  });
  assert.match(headline(hard), /; the best play known takes 3\.42\.$/);
  assert.equal(
    remarks(hard),
    "1 turn is few: it takes 7 for a casual player to make 99 % of the games. 1 word is unfair. The largest family is -ight with 4 words.",
  );
});

test("a change is told before and after", () => {
  const change = {
    added: ["light"],
    removed: ["night"],
    before: report(),
    after: report({ players: [player("casual", 3.9)] }),
  };
  assert.equal(
    headlineOfChange(change),
    "With light and without night, a casual player takes 3.90 guesses on average instead of 4.10, and loses 0 % of the games instead of 1.2 %.",
  );
  assert.match(headlineOfChange({ ...change, added: [] }), /^Without night, a casual/);
});

test("all words of a list are searched by letters and sorted by a column", () => {
  const card = answersCard(report());
  const words = () => card.querySelectorAll("tbody th").map((one) => one.textContent);
  const said = () => card.querySelector("[role=status]").textContent;
  assert.deepEqual([words(), said()], [["night", "crane"], "2 of 2 words."]);
  const sort = card.querySelectorAll("button.sort").find((one) => one.textContent === "Word");
  sort.click();
  assert.deepEqual(words(), ["crane", "night"]);
  sort.click();
  assert.deepEqual(words(), ["night", "crane"]);
  sort.click();
  assert.deepEqual(words(), ["night", "crane"]);
  const search = card.querySelector("input");
  Object.assign(search, { value: " RAN " }).dispatchEvent(new Event("input"));
  assert.deepEqual([words(), said()], [["crane"], "1 of 1 word."]);
  Object.assign(search, { value: "zz" }).dispatchEvent(new Event("input"));
  assert.deepEqual([words(), said()], [[], "No word has these letters."]);
});

test("numbers of words have no more decimals than they need", () => {
  const row = answersCard(
    report({
      answers: [answer("night", 5, { frequency: 0.00012345, family: "_ight", "family words": 9, unfair: "yes" })],
    }),
  ).querySelector("tbody tr");
  assert.deepEqual(
    row.children.map((cell) => cell.textContent),
    ["night", "3", "5", "25 %", "123", "-ight 9", "unfair"],
  );
  const plain = answersCard(report({ language: null, answers: [answer("night", 5.25)] })).querySelector("tbody tr");
  assert.deepEqual(
    plain.children.map((cell) => cell.textContent),
    ["night", "3", "5.25", "25 %", "", ""],
  );
});

test("a long list is shown in parts", () => {
  const many = Array.from({ length: 20 }, (_, i) => answer(`word${i}`, 3));
  const card = answersCard(report({ answers: many }));
  const more = card.querySelectorAll("button").at(-1);
  assert.deepEqual([card.querySelectorAll("tbody tr").length, more.hidden], [15, false]);
  more.click();
  assert.deepEqual([card.querySelectorAll("tbody tr").length, more.hidden], [20, true]);
});

test("a word is taken out of a list, or not added after all", () => {
  const asked = [];
  const { element, take } = changing({ ...QUESTION, add: ["light"] }, (question) => asked.push(question));
  take("light");
  take("night");
  take("night");
  element.dispatchEvent(event("submit"));
  assert.deepEqual(asked, [{ ...QUESTION, add: [], remove: ["night"] }]);
});

test("a change without a word is none", () => {
  const asked = [];
  const { element } = changing(QUESTION, (question) => asked.push(question));
  element.dispatchEvent(event("submit"));
  assert.deepEqual(asked, []);
  assert.equal(element.querySelector("[role=alert]").textContent, "Give a word to add or to take out.");
});

test("what came of a list is told in cards", () => {
  const unfair = [{ word: "night", lost: 0.4, reasons: ["too many like it"] }];
  const { element, said } = results(
    { question: QUESTION, report: report({ unfair }), at: Date.UTC(2025, 0, 1, 12) },
    true,
    () => {},
  );
  assert.equal(said, headline(report()));
  const text = element.textContent;
  assert.match(
    text,
    /Original words: 2 words, 12,972 that may be guessed, 6 turns\. .* written in English\. Measured on 1 January 2025\./,
  );
  assert.match(text, /Unfair words: 1/);
  assert.match(text, /FamiliesFour words or more [^.]*\.There are none\./);
  assert.match(text, /Hardest words.*night5\.50, 25 % lostcrane3\.20, 25 % lost/);
  assert.match(text, /proved\..*salet3\.420/);
});

test("lists are kept in this browser, the newest first, and eight of them", async () => {
  globalThis.indexedDB = new Databases();
  const measured = (n) => ({ question: { ...QUESTION, add: [`w${n}`] }, report: { n }, at: n });
  for (let n = 0; n < 9; n += 1) await lists.keep(measured(n));
  assert.deepEqual(
    (await lists.kept()).map(({ at }) => at),
    [8, 7, 6, 5, 4, 3, 2, 1],
  );
  assert.equal((await lists.recall(measured(3).question)).report.n, 3);
  assert.equal(await lists.recall(measured(0).question), undefined);
  await lists.forget();
  assert.deepEqual(await lists.kept(), []);
});

test("words of one's own are told apart, though their address is too long for them", () => {
  const many = Array.from({ length: 500 }, (_, i) => `w${1000 + i}`);
  const [one, other] = [many, [...many.slice(1), "w2000"]].map((answers) => ({
    ...QUESTION,
    game: { ...OWN, answers },
  }));
  assert.equal(addressOf(one).address, addressOf(other).address);
  assert.notEqual(lists.keyOf(one), lists.keyOf(other));
});

const OFFERED = {
  problems: [
    { name: "tiger", title: "Tiger", summary: "", amounts: "reward", methods: ["tree", "despot"], timed: true },
    { name: "tag", title: "Tag", summary: "", amounts: "cost", methods: ["despot", "mine"], timed: false },
  ],
  methods: [
    { name: "tree", summary: "t" },
    { name: "despot", summary: "d" },
    { name: "mine", summary: "Somebody's own." },
  ],
  ...{ seconds: 2, turns: 100 },
};
const readPlan = (text) => {
  const told = [];
  return [plan.questionFrom(new URLSearchParams(text), OFFERED, told), told];
};

test("an episode reads back from its address", () => {
  for (const question of [
    plan.USUAL,
    { problem: "tag", method: "despot", seconds: 0.25, turns: 7, seed: 1e9, actions: [0, 12, 3] },
  ])
    assert.deepEqual(readPlan(new URL(plan.addressOf(question), "https://x").search), [question, []]);
  assert.deepEqual(readPlan(""), [plan.USUAL, []]);
});

test("an address of an episode that says what there is not is told kindly", () => {
  for (const [text, says] of [
    ["problem=chess", "there is no “problem=chess”: problems are tiger, tag"],
    ["problem=tag&method=exact", "methods of tag are despot, mine"],
    ["method=mine", "methods of tiger are tree, despot"],
    ["turns=0", "an episode has 1 to 100 turns"],
    ["turns=101", "an episode has 1 to 100 turns"],
    ["seconds=9", "a decision has up to 2 seconds"],
    ["seconds=0", "a decision has up to 2 seconds"],
    ["seconds=1e-3", "a decision has up to 2 seconds"],
    ["seed=-1", "seeds are whole numbers up to a billion"],
    ["seed=1000000001", "seeds are whole numbers up to a billion"],
    ["actions=0.x", "actions are up to 100 numbers with dots between them"],
    [`actions=${Array(101).fill(1).join(".")}`, "actions are up to 100 numbers"],
  ]) {
    const told = readPlan(text)[1];
    assert.ok(told.length === 1 && told[0].includes(says), told[0]);
  }
});

test("problems and methods have titles, or their names", () => {
  assert.deepEqual(
    plan.methodsOf(OFFERED, "tag").map(({ name }) => name),
    ["despot", "mine"],
  );
  assert.deepEqual(plan.methodsOf(OFFERED, "chess"), []);
  assert.deepEqual([methodTitle("tree"), methodTitle("mine")], ["Tree search", "mine"]);
  assert.equal(methodSays(OFFERED.methods[2]), "Somebody's own.");
  assert.equal(titleOf(OFFERED, plan.USUAL), "Tiger, tree search");
  assert.equal(titleOf(OFFERED, { ...plan.USUAL, problem: "chess", method: "mine" }), "chess, mine");
  assert.equal(detailsOf(OFFERED, plan.USUAL), "0.1 s a decision, seed 0");
  assert.equal(detailsOf(OFFERED, { ...plan.USUAL, problem: "tag" }), "seed 0");
});

test("an amount has two decimals, and nothing is no minus", () => {
  assert.deepEqual([-0.001, -0, 0.004, -1.005, 12.345].map(amount), ["0.00", "0.00", "0.00", "-1.00", "12.35"]);
});

test("twelve episodes are kept, each once, the newest first", () => {
  const played = (seed, total = 0) => ({ question: { ...plan.USUAL, seed }, total, turns: 1 });
  for (let seed = 0; seed < 13; seed += 1) episodes.keep(played(seed));
  episodes.keep(played(5, 9));
  const seeds = episodes.kept().map(({ question }) => question.seed);
  assert.deepEqual([seeds.length, seeds[0], seeds.at(-1), episodes.kept()[0].total], [12, 5, 1, 9]);
  episodes.forget();
  assert.deepEqual(episodes.kept(), []);
});

test("an episode is walked through turn by turn", () => {
  const share = (name, likely, before, isTrue) => ({ name, share: likely, before, true: isTrue });
  const start = {
    hidden: "left",
    observation: "",
    belief: [share("left", 0.5, null, true), share("right", 0.5, null, false)],
    rest: null,
  };
  const turn = (action, sum) => ({ ...start, observation: "heard left", action, amount: -1, sum, discounted: sum });
  const moved = [];
  const one = episode(
    OFFERED,
    plan.USUAL,
    {
      problem: "tiger",
      method: "tree",
      discount: 0.95,
      amounts: "reward",
      final: 0,
      actions: [0, 0],
      start,
      turns: [turn("listen", -1), turn("open", 9)],
    },
    (at) => moved.push(at),
  );
  const where = () => one.element.querySelector(".turn-control b").textContent;
  const facts = () => one.element.querySelector(".turn-facts").textContent;
  assert.equal(one.said, "Tiger, tree search: 9.00 in 2 turns");
  assert.equal(where(), "At first, before 2 turns");
  assert.match(facts(), /Done–Seen–Truth.*left/);
  one.step(1);
  assert.deepEqual(
    [where(), one.element.querySelector("[aria-current]").children[1].textContent],
    ["Turn 1 of 2", "listen"],
  );
  assert.match(facts(), /Donelisten/);
  one.step(9);
  one.go(-3);
  assert.deepEqual(moved, [1, 2, 0]);
  assert.match(one.element.textContent, /left \(true\)50 %/);
});

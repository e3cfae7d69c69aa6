// What the analysis board says of guesses and games: board/graph.js, story.js, moves.js, guesses.js, kinds.js, better.js,
// trying.js, words.js, strategy.js, icicle.js, openers.js, advice.js, blanks.js, enter.js, tabs.js, keys.js, waiting.js.

import { Element, event, serve, settled, startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { advice } from "../../src/sleuth/web/static/js/board/advice.js";
import { stateFrom } from "../../src/sleuth/web/static/js/board/address.js";
import { betterButton, betterPanel } from "../../src/sleuth/web/static/js/board/better.js";
import { enterForm } from "../../src/sleuth/web/static/js/board/enter.js";
import { graph, pointsOf } from "../../src/sleuth/web/static/js/board/graph.js";
import { leftText, ranking } from "../../src/sleuth/web/static/js/board/guesses.js";
import { branchesTo, breadcrumbs, icicle, wordsOf } from "../../src/sleuth/web/static/js/board/icicle.js";
import { listen } from "../../src/sleuth/web/static/js/board/keys.js";
import { signLegend, signOf, valued } from "../../src/sleuth/web/static/js/board/kinds.js";
import { annotated, annotationLegend, isUnjudged, moves } from "../../src/sleuth/web/static/js/board/moves.js";
import { openersPanel } from "../../src/sleuth/web/static/js/board/openers.js";
import { namedIn, story } from "../../src/sleuth/web/static/js/board/story.js";
import { strategyPanel } from "../../src/sleuth/web/static/js/board/strategy.js";
import { tabs } from "../../src/sleuth/web/static/js/board/tabs.js";
import { tryPanel } from "../../src/sleuth/web/static/js/board/trying.js";
import { waiting } from "../../src/sleuth/web/static/js/board/waiting.js";
import { wordsPanel } from "../../src/sleuth/web/static/js/board/words.js";
import { h } from "../../src/sleuth/web/static/js/dom.js";
import { DEFAULT } from "../../src/sleuth/web/static/js/games.js";

const MASTERMIND = { game: "mastermind", pegs: 4, colours: 6, mode: "easy" };
const all = (element, selector) => element.querySelectorAll(selector);
const texts = (element, selector) => all(element, selector).map((one) => one.textContent);
const plain = (parts) => h("p", {}, parts).textContent;
const press = (element, name) =>
  all(element, "button")
    .find((one) => one.textContent === name)
    .click();
const guess = (word, expected, kind = "proved", more = {}) => ({
  ...{
    guess: word,
    expected_guesses: expected,
    kind,
    bits: 2,
    chance: 0.25,
    expected_left: 3.14,
    worst_left: 9,
    classes: 7,
  },
  ...more,
});

beforeEach(startOver);

const move = (turn, word, more = {}) => ({
  ...{ turn, guess: word, feedback: "bbybb", solved: false, candidates_before: 99, candidates_after: 1, choice: true },
  ...{
    expected_before: 2.5,
    expected_kind: "proved",
    expected_after: 1.5,
    expected_after_kind: "at most",
    annotation: null,
  },
  ...{
    best: guess("courd", 2.5),
    played: guess(word, 2.75),
    value: 2.75,
    skill: 80,
    luck: 50,
    bits_gained: 3.14,
    bits_expected: 2,
  },
  ...{ sentence: `${word.toUpperCase()} saves nothing.`, ...more },
});
const review = (more = {}) => ({
  ...{
    solved: true,
    lost: false,
    turns: 2,
    skill_shown: 80,
    luck_shown: 50,
    luck: 50,
    hard_mode: null,
    summary: "Well played.",
    assumed: "",
  },
  moves: [
    move(1, "salet", { annotation: "?" }),
    move(2, "whirl", { solved: true, choice: false, expected_after: 0, candidates_before: 1 }),
  ],
  ...more,
});

test("a graph begins before the first move and ends with nothing left", () => {
  assert.deepEqual(pointsOf({ moves: [] }), []);
  assert.deepEqual(pointsOf(review()), [
    { move: 0, guess: "", mark: "", expected: 2.5, kind: "proved", left: [99] },
    { move: 1, guess: "salet", mark: "?", expected: 1.5, kind: "at most", left: [1] },
    { move: 2, guess: "whirl", mark: "", expected: 0, kind: "at most", left: [0] },
  ]);
  const boards = pointsOf({ moves: [move(1, "salet", { left_before: [99, 99], left: [18, 0] })] });
  assert.deepEqual(
    boards.map(({ left }) => left),
    [
      [99, 99],
      [18, 0],
    ],
  );
});

test("a graph is spoken point by point, and walked by keys", () => {
  const gone = [];
  const drawn = graph(pointsOf(review()), 1, DEFAULT, (to) => gone.push(to), 2);
  const spots = all(drawn, ".spot");
  assert.deepEqual(
    spots.map((spot) => spot.getAttribute("aria-label")),
    [
      "At the start, 2.50 guesses expected, proved, 99 words left",
      "After move 1, salet?, 1.50 guesses expected, at most, 1 word left",
      "After move 2, whirl, 0.00 guesses expected, at most, 0 words left",
    ],
  );
  assert.deepEqual(
    spots.map((spot) => spot.getAttribute("aria-current")),
    ["false", "step", "false"],
  );
  const svg = drawn.querySelector("svg");
  const key = (name, at) => {
    const pressed = event("keydown", { key: name });
    Object.defineProperty(pressed, "target", { value: { closest: () => (at === undefined ? null : spots[at]) } });
    svg.dispatchEvent(pressed);
  };
  for (const name of ["ArrowLeft", "ArrowRight", "Home", "End", "Enter", "x"]) key(name, 1);
  key("ArrowRight", 2); // there is nothing after the last
  key("ArrowLeft");
  assert.deepEqual(gone, [0, 2, 0, 2, 1, 0]);
});

test("a game that was not found and words left on several boards are told in the graph", () => {
  const lost = graph(
    pointsOf({ moves: [move(1, "salet", { expected_after: null, left: [18, 3] })] }),
    0,
    DEFAULT,
    () => {},
    2,
  );
  assert.equal(all(lost, ".spot")[1].getAttribute("aria-label"), "After move 1, salet, not found, 18 · 3 words left");
});

test("what is left is told of all boards, or of each", () => {
  assert.equal(leftText(1, DEFAULT), "1 word left");
  assert.equal(leftText(2315, DEFAULT), "2,315 words left");
  assert.equal(leftText([99, 99], MASTERMIND), "99 codes left on each board");
  assert.equal(leftText([1296, 1], MASTERMIND), "1,296 · 1 codes left");
});

test("a number says how it is known", () => {
  assert.equal(plain(valued(3.4201, "proved")), "3.42 proved");
  assert.equal(plain(valued(3.4201, "at most", 0)), "3 at most");
  assert.equal(plain(valued(3.4201, null)), "3.42");
  assert.equal(plain(valued(null, "proved")), "–");
  assert.deepEqual(["proved", "at most", "estimate", "chess"].map(signOf), ["=", "≤", "≈", ""]);
  assert.equal(signLegend(["estimate", null, "proved"]).textContent, "= proved≈ estimate");
});

test("a mark of a move is named with it", () => {
  assert.deepEqual(
    ["!", "?!", "?", "??"].map((mark) => annotated(mark).textContent),
    ["! The only best guess, and hard to find. ", "?! Inexact. ", "? A mistake. ", "?? A blunder. "],
  );
  assert.equal(annotated(""), null);
  assert.equal(annotationLegend().children.length, 4);
  assert.deepEqual(
    [
      { choice: true, skill: null },
      { choice: true, skill: 9 },
      { choice: false, skill: null },
    ].map(isUnjudged),
    [true, false, false],
  );
});

test("moves are a list, with what may be played instead in brackets", () => {
  const { state } = stateFrom("#rows=salet:bbybb+courd:bbbgb+(crony:bgbbb+grill:bbbbb)+whirl:ggggg&at=1");
  const gone = [];
  const list = moves(state, {
    go: (path) => gone.push(path.join(".")),
    annotationOf: (path) => (path.join(".") === "0" ? "?" : ""),
    misfit: "0.1",
  });
  const buttons = all(list, "button");
  assert.deepEqual(
    buttons.map((one) => one.dataset.path),
    ["", "0", "0.0", "0.1", "0.1.0", "0.0.0"],
  );
  assert.deepEqual(
    buttons.map((one) => one.textContent),
    ["Start", "1salet?", "2courd", "2cronydoes not fit", "3grill", "3whirl"],
  );
  assert.deepEqual(
    buttons.map((one) => one.getAttribute("aria-current")),
    [null, "step", null, null, null, null],
  );
  assert.equal(list.querySelector(".variation ol").getAttribute("aria-label"), "Instead of move 2");
  for (const one of buttons) one.click();
  assert.deepEqual(gone, ["", "0", "0.0", "0.1", "0.1.0", "0.0.0"]);
});

test("a story tells skill and luck, each move, and what there is to find", () => {
  const found = [];
  const cards = story(
    review(),
    DEFAULT,
    () => {},
    (one) => found.push(one.turn),
  );
  const [head, list] = cards;
  assert.deepEqual(texts(head, "dl div"), ["Solved in2 guesses", "Skill80", "Luck50"]);
  const [first, second] = all(list, ".move");
  assert.match(first.textContent, /1\. \? A mistake\. SALET saves nothing\./);
  assert.deepEqual(texts(first, ".facts li"), [
    "99 → 1 possible",
    "best courd: 2.50 proved, here 2.75 proved",
    "3.1 bits learnt, 2.0 expected",
  ]);
  assert.deepEqual(texts(second, ".facts li"), ["1 possible before it"]);
  assert.match(second.textContent, /no choice/);
  press(first, "Find a better guess");
  assert.deepEqual(found, [1]);
  assert.equal(all(second, "button").length, 1);
});

test("a lost game, one without luck and hard mode are told as they are", () => {
  const head = (more) => texts(story(review(more), DEFAULT, () => {}, null)[0], "dl div");
  assert.deepEqual(head({ solved: false, lost: true, luck: null, hard_mode: false, skill_shown: null }), [
    "Not found in2 guesses",
    "Skill–",
    "Hard modenot kept",
  ]);
  assert.deepEqual(head({ solved: false, turns: 1, luck: null, hard_mode: true }), [
    "So far1 guess",
    "Skill80",
    "Hard modekept",
  ]);
  const line = story(review({ line: [{ guess: "salet", feedback: "bbybb" }] }), DEFAULT, () => {}, null)[2];
  assert.match(line.textContent, /1 guess; you took 2\.$/);
});

test("what is left is told of each board, those that are solved as such", () => {
  const one = move(2, "whirl", {
    feedback: ["ggggg", ""],
    candidates_before: 101,
    left_before: [99, 2],
    candidates_after: 2,
    left: [0, 2],
  });
  const text = story(review({ moves: [one] }), DEFAULT, () => {}, null)[1].querySelector(".facts li").textContent;
  assert.equal(text, "99 · 2 → solved · 2 possible");
});

test("the best guess is told as such", () => {
  const best = move(1, "courd", { played: guess("courd", 2.5), value: 2.5, hard: false });
  assert.deepEqual(texts(story(review({ moves: [best] }), DEFAULT, () => {}, null)[1], ".facts li").slice(1), [
    ...["the best: 2.50 guesses, proved", "3.1 bits learnt, 2.0 expected", "not a hard-mode guess"],
  ]);
  assert.deepEqual(namedIn(move(1, "salet", { words_after: ["whirl", "salet"], sleuth: { guess: "crane" } })), [
    "salet",
    "courd",
    "crane",
    "whirl",
  ]);
});

test("a mistake alone is a puzzle", () => {
  assert.deepEqual(
    ["!", "", "?!", "?", "??"].map((annotation) => betterButton({ annotation }, () => {}).length),
    [0, 0, 1, 1, 1],
  );
  assert.deepEqual(
    betterButton(undefined, () => {}),
    [],
  );
});

/** Begin to find a better guess than jazzy, which takes 4, where fuzzy takes 3.5 and crane, the best, 3. */
function riddle(more = {}) {
  const takes = { jazzy: 4, fuzzy: 3.5, crane: 3, salet: 3.004, vague: 4.5, ...more };
  const position = { game: { ...DEFAULT, n: Math.random() }, rows: [] };
  serve(({ body }) =>
    takes[body.guess]
      ? { guess: guess(body.guess, takes[body.guess]), best: guess("crane", 3), loss: takes[body.guess] - 3 }
      : [422, { detail: `${body.guess} is no word` }],
  );
  const place = h("div");
  const done = [];
  const panel = betterPanel(place, { ended: () => done.push("ended"), shown: (word) => done.push(word) });
  panel.begin("jazzy", position);
  return {
    place,
    done,
    panel,
    judge: async (word) => (await panel.judge(word), place.querySelector("h2")?.textContent),
  };
}

test("a better guess is found at the first try or the second, or the best is shown", async () => {
  const one = riddle();
  assert.match(one.place.textContent, /jazzy was played here/);
  assert.equal(await one.judge("fuzzy"), "Better than what was played, and not yet the best.");
  assert.match(one.place.textContent, /fuzzy takes 3\.50 guesses, jazzy 4\.00\. One more try\./);
  assert.equal(await one.judge("vague"), "Not this time.");
  assert.match(one.place.textContent, /The best was crane: 3\.00 guesses\./);
  assert.deepEqual([one.done, one.panel.isOpen(), one.panel.isShown()], [["crane"], false, true]);
  press(one.place, "Back to the game");
  assert.deepEqual([one.done, one.panel.isShown()], [["crane", "ended"], false]);
  const other = riddle();
  assert.equal(await other.judge("crane"), "That is it.");
  assert.match(other.place.textContent, /Nothing is better/);
});

test("a guess is good enough where nobody would see that another is better", async () => {
  const one = riddle();
  assert.equal(await one.judge("salet"), "That is it.");
  assert.match(one.place.textContent, /Only crane takes fewer, by less than 0\.01\./);
});

test("a guess that is no word, or was played, is told", async () => {
  const one = riddle();
  assert.equal(await one.judge("qqqqq"), "Find a better guess");
  assert.match(one.place.textContent, /Qqqqq is no word\./);
  assert.equal(await one.judge("jazzy"), "No, that is no better.");
  assert.match(one.place.textContent, /jazzy is what was played\. One more try\./);
  assert.equal(await one.judge("fuzzy"), "Better, and there was more in it.");
});

test("the answer of a riddle is shown where that is wished", async () => {
  const one = riddle();
  press(one.place, "Show the answer");
  await settled();
  assert.match(one.place.textContent, /crane was the best guess: 3\.00 guesses expected\./);
  assert.deepEqual(one.done, ["crane"]);
});

test("the best guesses are a table with how their numbers are known", () => {
  const used = [];
  const found = {
    guesses: [guess("crane", 3.4201), guess("salet", null, "estimate", { expected_left: 34.4 })],
    candidates: 4,
    method: "x",
  };
  const parts = ranking(found, (word) => used.push(word), { ...DEFAULT, mode: "hard" });
  const rows = all(h("div", {}, parts), "tbody tr").map((row) => row.children.map((cell) => cell.textContent));
  assert.deepEqual(rows, [
    ["crane", "3.42 proved", "2.00", "25 %", "3.1"],
    ["salet", "–", "2.00", "25 %", "34"],
  ]);
  assert.match(parts[0].textContent, /^Best guesses in hard mode$/);
  press(parts[1], "crane");
  assert.deepEqual(used, ["crane"]);
});

test("guesses of several boards say what they solve, and how often all are solved where that is known", () => {
  const heads = (method) =>
    texts(ranking({ boards: [], guesses: [], candidates: [4, 2], method }, () => {}, DEFAULT)[1], "th");
  assert.deepEqual(heads("joint-rollout"), ["Guess", "Guesses", "Bits", "Solves", "Wins"]);
  assert.deepEqual(heads("joint-information"), ["Guess", "Guesses", "Bits", "Solves"]);
  const text = plain(
    ranking({ guesses: [], candidates: 0, widened: true, notes: ["A note."], provisional: true }, () => {}, DEFAULT),
  );
  assert.match(text, /a quick estimate; better follows.*No listed answer fits.*A note\.$/);
  assert.match(
    plain(ranking({ guesses: [guess("crane", 4)], candidates: 9, method: "absurdle" }, () => {}, DEFAULT)),
    /against its host.*crane4 proved/,
  );
});

/** Try a word; return what is shown of it. */
async function tried(answer, { variant, alone = 0, game = DEFAULT } = {}) {
  serve(() => ({ groups: [], candidates: 9, ...answer }));
  const place = h("div");
  const done = [];
  const panel = tryPanel(place, {
    tryWord: (word) => done.push(word),
    follow: (...given) => done.push(given),
    strategyOf() {},
  });
  const question = { game: { ...game, n: Math.random() }, rows: [], ...(variant ? { variant } : {}) };
  panel.show(question, { guess: answer.guess.guess, game, length: 5, alone });
  await settled();
  return { place, done, verdict: place.querySelector(".verdict").textContent };
}

test("a word is tried beside the best one, with what it costs", async () => {
  const best = guess("crane", 3.42);
  const verdict = async (one, loss, more) => (await tried({ guess: one, best, loss }, more)).verdict;
  assert.equal(await verdict(best, 0), "crane is the best guess here.");
  assert.equal(await verdict(best, 0, { alone: 2 }), "crane is the best guess on board 2 alone.");
  assert.equal(await verdict(guess("salet", 3.42), 0), "salet is as good as any: crane takes as many.");
  assert.equal(await verdict(guess("salet", 3.4204), 0.0004), "salet costs less than 0.01 guesses more than crane.");
  assert.equal(
    await verdict(guess("salet", 4.42), 1, { alone: 2 }),
    "salet costs 1 guess more than crane on board 2 alone.",
  );
  assert.equal(
    await verdict(guess("salet", 3.5, "estimate"), null),
    "What salet costs beside crane is not known: what they take is only estimated.",
  );
});

test("a tried word splits what is left into groups, and one goes on with any", async () => {
  const group = (feedback, words, more = {}) => ({
    ...{
      feedback,
      count: words.length,
      words: words.map((word) => ({ word })),
      solved: false,
      lost: false,
      expected_guesses: 1.5,
      kind: "at most",
      next: "",
    },
    ...more,
  });
  const many = Array.from({ length: 42 }, (_, i) => `word${i}`);
  const groups = [
    group("bbbbb", many, { next: "crony" }),
    group("bbybb", ["whirl", "livid"], { kind: "proved" }),
    group("ggggg", ["salet"], { solved: true }),
    group("ybbbb", ["zebra"], { lost: true }),
  ];
  const { place, done } = await tried({ guess: guess("salet", 3), best: null, loss: null, groups });
  assert.match(place.textContent, /4 groups of 9The whole strategy after it/);
  const shown = texts(place, "button.group");
  assert.deepEqual(shown, ["42≤ 1.50 more, next crony", "21.50 more", "saletright", "zebralost"]);
  assert.match(place.textContent, /2 moreword40 word41/);
  all(place, "button.group")[1].click();
  assert.deepEqual(done, [["salet", "bbybb"]]);
});

test("where a mark may lie there are no groups", async () => {
  const { place } = await tried({ guess: guess("crane", 3), best: null, loss: null }, { variant: "fibble" });
  assert.match(place.textContent, /there are no groups\./);
  assert.ok(!texts(place, ".versus tbody th").includes("Groups"));
  const absurdle = await tried({ guess: guess("crane", 4), best: null, loss: null }, { variant: "absurdle" });
  assert.match(absurdle.place.querySelector(".versus tbody").textContent, /^Guesses4 proved/);
});

test("words left are listed by likelihood, worth or the alphabet", async () => {
  const word = (text, expected, kind, chance = 0.25) => ({ word: text, expected_guesses: expected, kind, chance });
  serve(() => ({
    candidates: 4,
    words: [word("d", null, null), word("c", 2, "at most"), word("b", 1.5, "estimate"), word("a", 2.5, "proved")],
  }));
  const place = h("div");
  const used = [];
  await wordsPanel(place, { tryWord: (one) => used.push(one) })({ game: { ...DEFAULT, n: 1 }, rows: [] });
  const words = () => texts(place, ".word").join("");
  assert.equal(place.querySelector("h2").textContent, "4 words left");
  assert.match(place.textContent, /All equally likely.*The words without a number were not searched/);
  assert.deepEqual([words(), texts(place, ".chip")], ["dcba", ["d", "c≤ 2.00", "b≈ 1.50", "a= 2.50"]]);
  const order = place.querySelector("select");
  for (const [value, is] of [
    ["value", "cadb"],
    ["alphabet", "abcd"],
    ["likely", "dcba"],
  ]) {
    Object.assign(order, { value }).dispatchEvent(new Event("change"));
    assert.equal(words(), is, value);
  }
  all(place, ".chip")[1].click();
  assert.deepEqual(used, ["c"]);
});

test("words that are not equally likely have their chances", async () => {
  const words = [0.75, 0.25].map((chance, i) => ({ word: "ab"[i], expected_guesses: null, kind: null, chance }));
  serve(() => ({ candidates: 2, words }));
  const place = h("div");
  await wordsPanel(place, { tryWord() {} })({ game: { ...DEFAULT, n: 2 }, rows: [] });
  assert.deepEqual(texts(place, ".chip"), ["a75 %", "b25 %"]);
});

const leaf = (feedback, words, more = {}) => ({ feedback, solved: false, lost: false, node: null, words, ...more });
const TREE = {
  ...{ guess: "courd", count: 4, expected_guesses: 1.75 },
  children: [
    leaf("ggggg", undefined, { solved: true }),
    {
      ...leaf("bbbgb"),
      node: {
        guess: "whirl",
        count: 2,
        expected_guesses: 1.5,
        children: [leaf("ggggg", undefined, { solved: true }), leaf("bgbgb", ["birch"])],
      },
    },
    leaf("ybbbb", ["zebra"], { lost: true }),
  ],
};

test("a strategy is a tree of words", () => {
  assert.deepEqual(
    TREE.children.flatMap((child) => wordsOf(child, TREE.guess)),
    ["courd", "whirl", "birch", "zebra"],
  );
  assert.deepEqual(
    branchesTo(TREE, [1, 1]).map(({ feedback }) => feedback),
    ["bbbgb", "bgbgb"],
  );
  assert.deepEqual(branchesTo(TREE, [1, 7, 0]).length, 1);
  assert.deepEqual(branchesTo(TREE, []), []);
});

test("the parts of a strategy are spoken, the largest first", () => {
  const drawn = icicle(TREE, [], { zoom() {}, width: 900, turn: 2, game: DEFAULT });
  assert.deepEqual(
    all(drawn, "[role=treeitem]").map((cell) => cell.getAttribute("aria-label")),
    [
      "4 words, guess courd, 1.75 guesses from here",
      "bbbgb: 2 words, guess whirl, 1.50 guesses from here",
      "ggggg: 1 word, whirl",
      "bgbgb: 1 word, birch",
      "ggggg: 1 word, courd",
      "ybbbb: 1 word, lost",
    ],
  );
  const gone = [];
  const crumbs = breadcrumbs(TREE, [1], (path) => gone.push(path), DEFAULT);
  assert.deepEqual(texts(crumbs, "li"), ["courd", "whirl"]);
  crumbs.querySelector("button").click();
  assert.deepEqual(gone, [[]]);
});

test("a strategy says what it takes, and its words are in order", async () => {
  serve(() => ({ tree: TREE, guess: "courd", expected_guesses: 1.75, worst: 3, lost: 1 }));
  const place = h("div");
  const followed = [];
  const panel = strategyPanel(place, { followAll: (rows) => followed.push(rows) });
  await panel.show({ game: { ...DEFAULT, n: 3 }, rows: [] }, DEFAULT);
  assert.match(
    place.textContent,
    /courd and what follows: this strategy takes 1\.75 guesses on average, 3 at worst; 1 word lost/,
  );
  assert.equal(place.querySelector(".group-words").textContent, "birch courd whirl zebra");
  assert.equal(panel.show({ game: DEFAULT, rows: [], variant: "fibble" }, DEFAULT), null);
  assert.match(place.textContent, /worked out for the standard game\./);
});

test("openers are sorted and searched by the server, a page at a time", async () => {
  const one = (word, more) => guess(word, 3.42012, "proved", more);
  const seen = serve(({ path }) => {
    const query = new URLSearchParams(path.split("?")[1]);
    return {
      total: 30,
      openers: Array.from({ length: query.get("offset") === "0" ? 25 : 5 }, (_, i) =>
        one(`w${i}`, i ? {} : { lossy: true }),
      ),
    };
  });
  const place = h("div");
  const sorted = [];
  const show = openersPanel(place, { use() {}, sorted: (measure) => sorted.push(measure) });
  show({ game: DEFAULT, sort: "worst" }, true);
  await settled();
  assert.equal(seen[0].path, "/openers?words=original&mode=easy&sort=worst&search=&offset=0&limit=25");
  assert.equal(place.querySelector("[role=status]").textContent, "25 of 30 guesses.");
  assert.equal(place.querySelector("[aria-sort]").textContent, "Worst");
  assert.deepEqual(
    all(place, "tbody tr")[0].children.map((cell) => cell.textContent),
    ["w0", "3.420 loses some", "2.00", "3.1", "9", "7", "25 %"],
  );
  press(place, "Show more");
  await settled();
  assert.deepEqual(
    [all(place, "tbody tr").length, place.querySelector("[role=status]").textContent],
    [30, "30 of 30 guesses."],
  );
  press(place, "Bits");
  assert.deepEqual(sorted, ["bits"]);
});

/** Ask for advice on a state; return what is told. */
async function advised(hash, answers) {
  serve(answers);
  const [place, status, note] = [h("div"), h("p"), h("div")];
  const blamed = [];
  const ask = advice({
    place,
    status,
    note,
    blame: (found) => blamed.push(found),
    tryWord() {},
    review() {},
    isSecret: () => false,
    learned() {},
  });
  ask(stateFrom(hash).state, () => {});
  await new Promise((resolve) => setTimeout(resolve, 100));
  await settled();
  return { place, status: status.textContent, note: note.textContent, blamed };
}

test("the words left are told with the best guess", async () => {
  const { status, note } = await advised("#rows=salet:bbybb&tab=words", () => ({
    guesses: [guess("courd", 2.6)],
    candidates: 99,
  }));
  assert.deepEqual([status, note], ["99 words left · best courd", ""]);
  const boards = await advised("#boards=2&rows=salet:bbybb/bbbbb", () => ({
    guesses: [guess("courd", 2.6)],
    candidates: [99, 3],
    boards: [],
  }));
  assert.equal(boards.status, "99 · 3 words left · best for all boards courd");
  const solved = await advised("#rows=whirl:ggggg", () => ({ solved: true }));
  assert.equal(solved.status, "Solved in 1 guess.");
});

test("a row that the answer rules out is told of with its board", async () => {
  const { note, blamed } = await advised("#rows=salet:ybybb&answer=whirl", () => ({ guesses: [], candidates: 3 }));
  assert.match(
    note,
    /^Row 1 does not fitSALET would have got bbybb where WHIRL is the answer\.The marked tiles differ/,
  );
  assert.deepEqual(blamed.at(-1).places, [1]);
});

test("rows that no word fits are told of with the likeliest slip", async () => {
  const contradiction = { row: 2, places: [1], message: "row 2 says that there is an S" };
  const { place, note, blamed } = await advised("#rows=salet:bbbbb+stare:gbbbb", ({ path }) =>
    path === "/check" ? { contradiction } : [422, { detail: "no word fits these rows" }],
  );
  assert.equal(place.textContent, "No word fits these rows.");
  assert.match(note, /Row 2 says that there is an S\.The marked tiles are the likeliest slip/);
  assert.deepEqual(blamed.at(-1), { ...contradiction, board: 0 });
});

/** Put a text into the form for a whole game; return what is told and opened. */
async function entered(text, answers, { answer = "", game = DEFAULT } = {}) {
  const seen = serve(answers);
  const opened = [];
  const form = enterForm({ game: () => game, opened: (...given) => opened.push(given), offered() {} });
  form.draw(game);
  form.element.querySelector("textarea").value = text;
  form.element.querySelector("input").value = answer;
  form.element.dispatchEvent(event("submit"));
  await settled();
  return { ...form, seen, opened, told: () => texts(form.element, ".problem").join(" ") };
}
const whole = ({ body }) => ({
  moves: (body.rows ?? []).map((row) => ({ feedback: "bbybb", ...row })),
  answer: body.answer ?? "whirl",
});

test("a whole game is opened with its words and the answer", async () => {
  const { seen, opened, element } = await entered("salet courd whirl", whole);
  assert.deepEqual(seen[0].body, {
    game: DEFAULT,
    rows: ["salet", "courd", "whirl"].map((word) => ({ guess: word })),
    answer: "whirl",
  });
  assert.equal(opened[0][2], "whirl");
  assert.equal(element.querySelector("textarea").value, "");
  const given = await entered("salet", whole, { answer: " Whirl " });
  assert.equal(given.seen[0].body.answer, "whirl");
});

test("what cannot be read of a game is told, and nothing is opened", async () => {
  const refuse = ({ body }) => [
    422,
    { detail: body.rows ? "row 2: cxxxx is not in the word list" : "there is no row of coloured squares" },
  ];
  for (const [text, says] of [
    ["", "Type the words that were guessed, or paste a grid."],
    ["salet cxxxx whirl", "Row 2: cxxxx is not in the word list."],
    ["salet bbyb courd", "“bbyb” is 4 colours, and SALET has 5 letters."],
    ["what a lovely game that was!", "There is no row of coloured squares."],
  ]) {
    const { told, opened } = await entered(text, refuse);
    assert.deepEqual([told(), opened], [says, []]);
  }
  assert.equal(
    (await entered("", refuse, { game: MASTERMIND })).told(),
    "Type the codes that were guessed, or paste a grid.",
  );
});

const fit = (more = {}) => ({
  ...{
    fits: true,
    game: DEFAULT,
    title: "original words",
    why: null,
    answers: { count: 2, words: ["think", "livid"] },
  },
  rows: [
    { feedback: "gbbbb", count: 2, words: ["tubby", "lapse"] },
    { feedback: "ggggg", count: 2, words: ["think", "livid"] },
  ],
  ...more,
});

test("a grid without words has blanks, which the answer narrows, and no review is asked for", async () => {
  const narrowed = fit({
    answers: { count: 1, words: ["think"] },
    rows: [
      { feedback: "gbbbb", count: 1, words: ["tubby"] },
      { feedback: "ggggg", count: 1, words: ["think"] },
    ],
  });
  const one = await entered("gbbbb\nggggg", ({ path, body }) =>
    path === "/fit" ? { games: [body.answer ? narrowed : fit()] } : { contradiction: null },
  );
  assert.deepEqual(
    one.seen.map(({ path }) => path),
    ["/fit"],
  );
  const text = () => one.element.querySelector(".fitting").textContent;
  assert.match(text(), /2 answers fit, and choosing it narrows the others\./);
  press(one.element, "Open this game");
  assert.match(text(), /Fill every row\./);
  press(one.element, "think");
  await settled();
  assert.match(text(), /one answer fits\..*1 word fits/);
  const [first] = all(one.element, ".blank");
  Object.assign(first, { value: "salet" }).dispatchEvent(new Event("input"));
  await settled();
  assert.equal(one.told(), "Salet does not get that when think is the answer.");
  press(one.element, "tubby");
  await settled();
  assert.equal(one.told(), "");
  press(one.element, "Open this game");
  await settled();
  assert.deepEqual(one.opened, [
    [
      DEFAULT,
      [
        { guess: "tubby", feedback: "gbbbb" },
        { guess: "think", feedback: "ggggg" },
      ],
      "think",
    ],
  ]);
});

test("a grid that no words give is told once, and lists that it does not fit cannot be chosen", async () => {
  const none = await entered("🟩🟩🟩🟩🟨\n🟩🟩🟩🟩🟩", () => ({
    games: [fit({ fits: false, why: "no word fits it" })],
  }));
  assert.equal(none.told(), "No words give these colours: look at the grid once more. No word fits it.");
  const two = await entered("🟩⬛⬛⬛⬛\n🟩🟩🟩🟩🟩", () => ({
    games: [fit({ fits: false, title: "new York Times", why: "too many rows" }), fit()],
  }));
  const choices = all(two.element, ".list-choice");
  assert.deepEqual(
    choices.map((one) => one.textContent),
    ["New York Times Too many rows.", "Original words"],
  );
  assert.deepEqual(
    choices.map((one) => [one.querySelector("input").disabled, one.querySelector("input").checked]),
    [
      [true, false],
      [false, true],
    ],
  );
});

test("tabs show one panel at a time", () => {
  const { list, panels, rename, show } = tabs(
    [
      ["a", "A"],
      ["b", "B"],
    ],
    () => {},
  );
  show("b");
  assert.deepEqual([panels.a.hidden, panels.b.hidden], [true, false]);
  assert.deepEqual(
    list.children.map((one) => one.getAttribute("aria-selected")),
    ["false", "true"],
  );
  rename("a", "Other");
  assert.equal(list.textContent, "OtherB");
});

test("keys walk through a game, undo, and begin to type", () => {
  const [section, board] = [h("section"), h("div")];
  document.body.append(section);
  section.append(board);
  const done = [];
  const note =
    (name) =>
    (...given) =>
      done.push([name, ...given].join(" "));
  listen(section, board, {
    ...{ step: note("step"), first: note("first"), last: () => false },
    undo: note("undo"),
    type: note("type"),
  });
  const key = (name, more = {}) => {
    const pressed = event("keydown", { key: name, ...more });
    document.dispatchEvent(pressed);
    return pressed.defaultPrevented;
  };
  assert.deepEqual(
    ["ArrowLeft", "ArrowRight", "Home", "End", "ArrowUp", "ß", "Tab"].map((name) => key(name)),
    [true, true, true, false, false, false, false],
  );
  key("z", { ctrlKey: true });
  key("Z", { metaKey: true, shiftKey: true });
  key("ArrowLeft", { altKey: true });
  section.hidden = true;
  key("ArrowLeft");
  assert.deepEqual(done, ["step -1", "step 1", "first", "type", "undo 1", "undo -1"]);
});

test("a swipe steps where it goes across far enough", () => {
  const board = new Element("div");
  const done = [];
  listen(h("section"), board, { step: (by) => done.push(by), first() {}, last() {} });
  const swipe = (x, y, many = 1) => {
    board.dispatchEvent(event("touchstart", { touches: Array(many).fill({ clientX: 0, clientY: 0 }) }));
    board.dispatchEvent(event("touchend", { changedTouches: [{ clientX: x, clientY: y }] }));
  };
  swipe(49, 0);
  swipe(-49, 20);
  swipe(48, 0); // too short
  swipe(60, 30); // not flat enough
  swipe(99, 0, 2); // two fingers
  assert.deepEqual(done, [-1, 1]);
});

test("what takes long says so, and can be stopped", (t) => {
  t.mock.timers.enable({ apis: ["setInterval", "Date"] });
  let stopped = 0;
  const { element, begin } = waiting(() => (stopped += 1));
  document.body.append(element);
  begin();
  t.mock.timers.tick(2000);
  assert.ok(element.querySelector("button").hidden);
  t.mock.timers.tick(1000);
  assert.match(element.textContent, /3 s so far/);
  element.querySelector("button").click();
  assert.equal(stopped, 1);
  element.remove();
  t.mock.timers.tick(1000);
});

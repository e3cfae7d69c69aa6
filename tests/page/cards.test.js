// What is shown beside a game: result, statistics, rules, archive, hints, and the small parts they are made of.

import { event, goTo, serve, settled, startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { appearance } from "../../src/sleuth/web/static/js/appearance.js";
import { archive } from "../../src/sleuth/web/static/js/archive.js";
import { chart } from "../../src/sleuth/web/static/js/chart.js";
import { dayOf, dayText, today } from "../../src/sleuth/web/static/js/days.js";
import { h } from "../../src/sleuth/web/static/js/dom.js";
import { explained, figure } from "../../src/sleuth/web/static/js/explain.js";
import { DEFAULT } from "../../src/sleuth/web/static/js/games.js";
import { hints } from "../../src/sleuth/web/static/js/hints.js";
import { forget, keepGame } from "../../src/sleuth/web/static/js/history.js";
import { cardLink, linksCard } from "../../src/sleuth/web/static/js/links.js";
import { nameOf, open, played } from "../../src/sleuth/web/static/js/puzzle.js";
import { result, spreadTable } from "../../src/sleuth/web/static/js/result.js";
import { rules } from "../../src/sleuth/web/static/js/rules.js";
import {
  distribution,
  empty,
  openersCard,
  overview,
  skillAndLuck,
  slowestCard,
} from "../../src/sleuth/web/static/js/statistics/cards.js";
import { mistakesCard } from "../../src/sleuth/web/static/js/statistics/mistakes.js";
import { summary } from "../../src/sleuth/web/static/js/statistics.js";
import { load, save } from "../../src/sleuth/web/static/js/storage.js";
import { numbers, sorting } from "../../src/sleuth/web/static/js/tables.js";

const MASTERMIND = { game: "mastermind", pegs: 4, colours: 6, mode: "easy" };
const puzzle = (more = {}) => ({ game: DEFAULT, boards: 1, variant: "standard", number: 77, ...more });
const game = (number, more = {}) => ({
  ...{ title: "Original words", ...puzzle({ number }), guesses: ["salet", "whirl"], feedback: [["bbybb"], ["ggggg"]] },
  ...{ answers: ["whirl"], solved: [true], won: true, turns: 6, hints: 0, review: null },
  ...{ started: dayOf(number).getTime(), finished: dayOf(number).getTime(), ...more },
  id: nameOf(puzzle({ number })),
});
const all = (element, selector) => element.querySelectorAll(selector);
const texts = (element, selector) => all(element, selector).map((one) => one.textContent);
const figures = (element) =>
  Object.fromEntries(all(element, "dl div").map((one) => one.children.map((part) => part.textContent)));
const dialog = () => document.body.querySelector("dialog");

beforeEach(async () => {
  await settled(40);
  startOver();
  await forget();
});

test("the card at the end tells how it went, and what games of its kind add up to", async () => {
  await keepGame(game(today() - 1, { guesses: Array(4).fill("crane") }));
  await keepGame(game(today(), { won: false }));
  const ended = { ...open(puzzle({ number: today() })), guesses: ["salet", "whirl"], feedback: [["bbybb"], ["ggggg"]] };
  const card = result(
    { ...ended, solved: [true], over: true, won: true, answers: ["whirl"], hints: 1 },
    { again() {}, daily() {} },
  );
  await settled();
  assert.equal(card.querySelector("h2").textContent, "Brilliant. Solved in 2.");
  assert.match(card.textContent, /The answer: whirl, with 1 hint/);
  assert.match(card.textContent, /The next puzzle comes in \d\d:\d\d:\d\d/);
  assert.deepEqual(figures(card), { Played: "2", Won: "50 %", Streak: "1", Longest: "1" });
  assert.deepEqual(texts(card, ".spread-table tbody tr"), ["10", "20", "30", "41", "50", "60"]);
  assert.equal(card.querySelector("tr.now th").textContent, "2");
});

test("praise goes by the guesses that were left, and a lost game has none", async () => {
  const title = (guesses, won = true) => {
    const state = {
      ...open(puzzle()),
      guesses: Array(guesses).fill("crane"),
      feedback: Array(guesses).fill(["bbbbb"]),
    };
    return result({ ...state, over: true, won, answers: ["whirl"] }, {}).querySelector("h2").textContent;
  };
  const titles = [title(2), title(3), title(4), title(5), title(6), title(6, false)];
  assert.deepEqual(
    titles.map((text) => text.split(". ")[0]),
    ["Brilliant", "Well done", "Well done", "Got it", "Got it", "Not this time."],
  );
  await settled();
});

test("the result of several boards has a grid for each and names every answer", async () => {
  const state = {
    ...open(puzzle({ boards: 2 })),
    guesses: ["salet", "whirl"],
    feedback: [
      ["bbybb", "ggggg"],
      ["ggggg", null],
    ],
  };
  const card = result({ ...state, solved: [true, true], over: true, won: true, answers: ["whirl", "salet"] }, {});
  assert.deepEqual(
    all(card, ".share-grid").map((grid) => grid.children.length),
    [2, 1],
  );
  assert.match(card.textContent, /The answers: whirl, salet/);
  assert.match(card.textContent, /Play today's puzzle/);
  await settled();
});

test("games by guesses are numbers with bars", () => {
  const table = spreadTable("Games", [1, 2], { 2: 1200 }, 1200, 2);
  assert.deepEqual(texts(table, "tbody tr"), ["10", "21,200"]);
  assert.equal(all(table, ".bar")[1].style.getPropertyValue("--value"), "1");
});

test("the sums of all games are figures", () => {
  const games = [game(today()), game(5, { won: false, hints: 1 })];
  assert.deepEqual(figures(overview(summary(games), games)), {
    ...{ Played: "2", Won: "50 %", Guesses: "2.00", Streak: "1 day", Longest: "1 day", "With hints": "1" },
  });
  assert.deepEqual(figures(overview(summary([]), [])), {
    ...{ Played: "0", Won: "0 %", Guesses: "–", Streak: "0 days", Longest: "0 days", "With hints": "0" },
  });
  assert.match(distribution(summary(games), games).textContent, /1 game not solved\.$/);
});

test("without a game there is one card, and another where the browser keeps none", () => {
  assert.match(empty(true).textContent, /^No game is finished yet/);
  assert.match(empty(false).textContent, /^This browser keeps no games/);
  assert.deepEqual(
    [openersCard([]), slowestCard([], null), mistakesCard([], null), skillAndLuck([], null)],
    [null, null, null, null],
  );
});

const review = (skill, luck, ...losses) => ({
  skill,
  luck,
  moves: losses.map((loss) => ({ loss, best: "crane", left: 1 })),
});

test("skill and luck are averages of the games that have them", () => {
  const games = [
    game(1, { review: review(80, 41, 0) }),
    game(2, { review: review(91, null, 0), variant: "absurdle" }),
    game(3),
    game(4, { review: { skill: null, luck: null, moves: [] } }),
    game(5, { game: { game: "wordle", mode: "easy", own: "abc" } }),
  ];
  const card = skillAndLuck(games, null);
  assert.deepEqual(figures(card), { Skill: "86", Luck: "41" });
  const text = card.querySelector("p").textContent;
  assert.match(text, /The server has reviewed 2 of 3 games so far\./);
  assert.match(text, /Luck is not known in Absurdle/);
  assert.match(text, /There is no review of 1 game: the server has none for them\./);
  assert.match(text, /There is no review of 1 game with words of your own/);
  assert.equal(skillAndLuck(games.slice(0, 1), null).querySelector("p").textContent, "1 game reviewed.");
  assert.equal(skillAndLuck([game(3)], null).querySelector("svg"), null);
});

test("a chart has a point for each value that there is, and is spoken", () => {
  const drawn = chart(
    [
      ["1 Jan", 80, null],
      ["2 Jan", 90, 40],
    ],
    ["Skill", "Luck"],
    "oldest first",
  );
  assert.deepEqual(texts(drawn, "circle"), ["1 Jan: skill 80", "2 Jan: skill 90", "2 Jan: luck 40"]);
  assert.equal(
    drawn.querySelector("svg").getAttribute("aria-label"),
    "Skill and Luck in 2 games, oldest first: 80 and none; 90 and 40",
  );
  const [first] = all(chart([["1 Jan", 99]], ["Skill"], ""), "circle");
  const axis = Number(drawn.querySelector("line").getAttribute("x1"));
  assert.ok(Number(first.getAttribute("cx")) >= axis + 10); // clear of the axis
  assert.equal(first.getAttribute("cy"), "8");
});

test("first guesses have what they cost, and their kinds where there are several", () => {
  const games = [
    game(1, { review: review(80, 40, 0) }),
    game(2, { guesses: ["crane", "whirl"], review: review(80, 40, 0.004) }),
    game(3, { guesses: ["pilot"], won: false }),
  ];
  const cells = (card) => all(card, "tbody tr").map((row) => row.children.map((cell) => cell.textContent).join(" "));
  assert.deepEqual(cells(openersCard(games)), ["salet 1 1 2.00 0", "crane 1 1 2.00 less than 0.01", "pilot 1 0 – –"]);
  assert.ok(
    cells(openersCard([...games, game(4, { boards: 2 })])).includes("saletOriginal words · 2 boards 1 1 2.00 –"),
  );
  const many = Array.from({ length: 10 }, (_, n) => game(n, { guesses: [`word${n}`] }));
  assert.match(openersCard(many).textContent, /and 2 more$/);
});

test("what took longest comes first and leads to its review", () => {
  const lost = game(80, { won: false, guesses: Array(6).fill("crane"), feedback: Array(6).fill(["bbbbb"]) });
  const card = slowestCard([game(77), lost], null);
  assert.deepEqual(texts(card, "li"), [
    `whirl${dayText(80, "short")}not found`,
    `whirl${dayText(77, "short")}2 of 6 guesses`,
  ]);
  assert.ok(all(card, "a")[1].href.startsWith("/analyse#rows=salet%3Abbybb"));
  const own = game(3, { game: { game: "wordle", mode: "easy", own: "abc" } });
  assert.equal(slowestCard([own], null).querySelector("a"), null);
});

test("mistakes are puzzles where the board takes them", () => {
  const three = { guesses: ["salet", "jazzy", "whirl"], feedback: [["bbybb"], ["bbbbb"], ["ggggg"]] };
  const card = mistakesCard([game(77, { ...three, review: review(80, 40, 0.9, 1, 0) })], null);
  assert.match(card.textContent, /You played jazzy, which cost 1 guess; 1 answer was possible\./);
  assert.equal(card.querySelector("a").href, "/analyse#rows=salet%3Abbybb&better=jazzy");
  const two = {
    boards: 2,
    feedback: [
      ["bbybb", "bbbbb"],
      ["bbbbb", "ggggg"],
      ["ggggg", null],
    ],
    answers: ["whirl", "jazzy"],
  };
  const boards = mistakesCard([game(77, { ...three, ...two, review: review(80, null, 0, 0.5, 0) })], null);
  assert.match(
    boards.textContent,
    /which cost about 0\.50 guesses; 1 answer was possible, those of all boards together\./,
  );
  assert.equal(boards.querySelector("a").href, "/analyse#rows=salet%3Abbybb%2Fbbbbb&boards=2&tab=try");
  const many = game(77, { ...three, boards: 9, feedback: [], review: review(80, null, 0, 0.5, 0) });
  many.feedback = Array(3).fill(Array(9).fill("bbbbb"));
  assert.match(mistakesCard([many], null).textContent, /Too many boards for the analysis board\./);
  const own = game(77, {
    ...three,
    game: { game: "wordle", mode: "easy", own: "abc" },
    review: review(80, 40, 0, 0.5),
  });
  assert.match(mistakesCard([own], null).textContent, /These words are no longer in this browser\./);
});

test("the rules are those of the game, and then have been seen", () => {
  for (const [more, title, told] of [
    [{}, "Find the word in six guesses", "A is in the word, elsewhere."],
    [{ variant: "fibble" }, "Find the word in nine guesses", "One tile of every wrong row lies"],
    [
      { variant: "absurdle" },
      "Find the word in twelve guesses",
      "No answer is fixed: each reply keeps as many words as it can",
    ],
    [{ boards: 2 }, "Find two words in seven guesses", "Every guess goes to all boards"],
    [{ boards: 32 }, "Find 32 words in 37 guesses", "Every guess goes to all boards"],
    [
      { game: { ...DEFAULT, mode: "strict" } },
      "Find the word in six guesses",
      "Strict mode: every guess must fit all rows.",
    ],
    [{ game: MASTERMIND }, "Find the code in ten guesses", "White: one of the colours belongs elsewhere."],
    [
      { game: { game: "bulls-and-cows", pegs: 4, mode: "easy" } },
      "Find the code in ten guesses",
      "digits that all differ",
    ],
  ]) {
    rules(puzzle(more));
    assert.equal(dialog().querySelector("h2").textContent, title);
    const outside = dialog()
      .children.filter((part) => part.tagName !== "DETAILS")
      .map((part) => part.textContent);
    assert.ok(outside.join(" ").includes(told), told); // and not among the other games, which are folded
    const folded = dialog().querySelector("details").textContent;
    assert.ok(!folded.includes(told) || told.length < 12);
    dialog().close();
    assert.equal(dialog(), null);
  }
  assert.equal(load("rules"), 1);
});

test("the archive shows every day of a month and what was played", async () => {
  const now = today();
  await keepGame(game(now));
  played(open(puzzle({ number: now - 1 })), "salet", {
    feedback: ["bbybb"],
    solved: [false],
    over: false,
    won: false,
    max_turns: 6,
  });
  await archive(puzzle({ number: now }));
  const labels = () => all(dialog(), "tbody a").map((day) => day.getAttribute("aria-label"));
  assert.ok(labels().includes(`${dayText(now, "full")}: won in 2`));
  assert.equal(dialog().querySelector("[aria-current]").getAttribute("aria-label"), labels().at(-1));
  const [before, after] = all(dialog(), ".archive-month button");
  assert.ok(after.disabled);
  if (dayOf(now).getDate() === 1) before.click();
  assert.ok(labels().includes(`${dayText(now - 1, "full")}: begun`));
  dialog().close();
});

test("months begin on their weekday, and the archive with its first day", async () => {
  await archive(puzzle({ number: 0, boards: 2 }));
  const month = () => dialog().querySelector("h3").textContent;
  const [before, after] = all(dialog(), ".archive-month button");
  assert.deepEqual([month(), before.disabled, after.disabled], ["January 2025", true, false]);
  const cells = (week) => all(dialog(), "tbody tr")[week].children.map((cell) => cell.textContent);
  assert.deepEqual(cells(0), ["", "", "1", "2", "3", "4", "5"]); // a Wednesday
  assert.equal(all(dialog(), "tbody a").length, 31);
  assert.match(dialog().querySelector("p").textContent, /Original words · 2 boards/);
  after.click();
  assert.deepEqual([month(), before.disabled, all(dialog(), "tbody a").length], ["February 2025", false, 28]);
  assert.deepEqual(cells(0), ["", "", "", "", "", "1", "2"]);
  for (let i = 0; i < 10; i += 1) after.click();
  assert.equal(month(), "December 2025");
  after.click();
  assert.deepEqual([month(), cells(0)], ["January 2026", ["", "", "", "1", "2", "3", "4"]]);
  before.click();
  before.click();
  assert.equal(month(), "November 2025");
  dialog().close();
});

test("a lost game is lost in the archive, whether it is kept for ever or only here", async () => {
  await keepGame(game(3, { won: false }));
  const over = { feedback: ["bbbbb"], solved: [false], over: true, won: false, answers: ["whirl"], max_turns: 6 };
  save(`puzzle.${nameOf(puzzle({ number: 4 }))}`, { ...over, guesses: ["salet"], feedback: [["bbbbb"]] });
  save(`puzzle.${nameOf(puzzle({ number: 5 }))}`, { ...over, won: true, guesses: ["salet"], feedback: [["ggggg"]] });
  await archive(puzzle({ number: 0 }));
  const days = all(dialog(), "tbody a")
    .slice(3, 7)
    .map((day) => [day.dataset.played, day.querySelector("small").textContent]);
  assert.deepEqual(days, [
    ["lost", "×"],
    ["lost", "×"],
    ["won", "1"],
    ["", ""],
  ]);
  dialog().close();
});

/** Return hints into a note, with what is done with them. */
function hinting(kind, answer) {
  const note = h("div");
  let state = { ...open(puzzle(kind)), guesses: ["salet"], feedback: [Array(kind.boards ?? 1).fill("bbybb")] };
  const seen = serve(answer);
  const done = [];
  const failed = (error) => done.push(error.message);
  const keep = (hint, isNew) => {
    state = { ...state, hint };
    done.push([hint.told, isNew]);
  };
  const own = hints(note, { state: () => state, typed: () => "", keep, use: (word) => done.push(word), failed });
  /** Press the button in the hint. */
  const more = async () => {
    const buttons = all(note, "button");
    buttons.find((one) => /Suggest|Use it/.test(one.textContent)).click();
    await settled();
  };
  const press = async () => {
    own.give();
    await settled();
  };
  return { note, seen, done, press, more, restore: own.restore, state: () => state };
}
const suggestion = (more = {}) => ({
  ...{
    candidates: 99,
    provisional: false,
    guesses: [{ guess: "courd", expected_guesses: 2.6161, kind: "proved" }],
    ...more,
  },
});

test("hints come gently: how many words are left, asked again a guess, and both count once", async () => {
  const one = hinting({}, () => suggestion());
  await one.press();
  assert.match(one.note.textContent, /^99 words still fit\. Suggest a guess$/);
  await one.more();
  assert.match(one.note.textContent, /^Try courd: about 2\.6 guesses from here\. Use it$/);
  await one.more();
  await one.press();
  assert.deepEqual(one.done, [["left", true], ["guess", false], "courd"]);
  assert.equal(one.seen.length, 2);
  one.note.replaceChildren();
  one.restore();
  assert.match(one.note.textContent, /^Try courd/);
});

test("a hint of one word left names it at once, and numbers that are whole are so for certain", async () => {
  const one = hinting({}, () => suggestion({ candidates: 1 }));
  await one.press();
  assert.equal(one.note.textContent, "Try courd: it is the only word left. Use it");
  const whole = hinting({}, () => suggestion({ guesses: [{ guess: "courd", expected_guesses: 2, kind: "proved" }] }));
  await whole.press();
  await whole.more();
  assert.match(whole.note.textContent, /: 2 guesses from here/);
});

test("a hint is for the boards or the host that there are", async () => {
  const boards = hinting({ boards: 2 }, () => suggestion({ candidates: [99, 3] }));
  await boards.press();
  assert.match(boards.note.textContent, /^3 words still fit on board 2\./);
  assert.equal(boards.seen[0].path, "/boards/suggest");
  await boards.more();
  assert.match(boards.note.textContent, /about 2\.6 guesses for all boards\./);
  const absurdle = hinting({ variant: "absurdle" }, () =>
    suggestion({ guesses: [{ guess: "courd", expected_guesses: 4, kind: "at most" }] }),
  );
  await absurdle.press();
  await absurdle.more();
  assert.match(absurdle.note.textContent, /: about 4 guesses from here/);
  const fibble = hinting({ variant: "fibble", boards: 2 }, ({ body }) =>
    suggestion({ candidates: body.rows[0].feedback === "bbbbb" ? 3 : 99 }),
  );
  fibble.state().feedback[0][1] = "bbbbb";
  await fibble.press();
  assert.match(fibble.note.textContent, /^3 words still fit on board 2\./); // the one with the fewest
  assert.deepEqual(
    fibble.seen.map(({ path }) => path),
    ["/suggest", "/suggest"],
  );
});

test("a hint that was used, or is of an earlier row, is not told again", async () => {
  let typed = "courd";
  const hint = { rows: 1, told: "guess", candidates: 9, word: "courd", expected: 2, kind: "proved", where: "" };
  const state = { ...open(puzzle()), guesses: ["salet"], feedback: [["bbybb"]], hint };
  const note = h("div");
  const { restore } = hints(note, { state: () => state, typed: () => typed });
  restore();
  assert.equal(note.textContent, "");
  typed = "cou";
  state.guesses = ["salet", "crony"];
  restore();
  assert.equal(note.textContent, "");
  state.guesses = ["salet"];
  restore();
  assert.match(note.textContent, /^Try courd/);
});

test("what keeps a hint from coming is told", async () => {
  const one = hinting({}, () => [422, { detail: "no word fits" }]);
  await one.press();
  assert.deepEqual(one.done, ["no word fits"]);
});

test("a name explains itself when it has the focus, until Escape", () => {
  const button = explained("Skill", "How good.");
  document.body.append(button);
  const bubble = () => document.body.querySelector(".bubble");
  assert.equal(document.getElementById(button.getAttribute("aria-describedby")).textContent, "How good.");
  button.dispatchEvent(new Event("focus"));
  assert.equal(bubble().textContent, "How good.");
  const escape = event("keydown", { key: "Escape" });
  button.dispatchEvent(escape);
  assert.deepEqual([bubble(), escape.defaultPrevented], [null, true]); // a dialog around it stays
  const again = event("keydown", { key: "Escape" });
  button.dispatchEvent(again);
  assert.ok(!again.defaultPrevented);
  button.dispatchEvent(event("pointerenter", { pointerType: "touch" }));
  assert.equal(bubble(), null);
  button.dispatchEvent(event("pointerenter", { pointerType: "mouse" }));
  assert.ok(bubble());
  dispatchEvent(new Event("scroll"));
  assert.equal(bubble(), null);
  assert.equal(
    explained("Luck", "How good.").getAttribute("aria-describedby"),
    button.getAttribute("aria-describedby"),
  );
  assert.equal(figure("Played", "2").textContent, "Played2");
});

test("links stand in a card, without any there is none", () => {
  let forgotten = 0;
  assert.equal(linksCard("Before", []), "");
  const card = linksCard("Before", [cardLink("/plan?seed=1", "Tiger", "3 turns")], () => (forgotten += 1));
  assert.equal(card.textContent, "BeforeForget themTiger3 turns");
  card.querySelector("button").click();
  assert.equal(forgotten, 1);
  assert.equal(linksCard("Good", [cardLink("/x", "A", "b")]).querySelector("button"), null);
});

test("tables are sorted by a head: pressed twice the other way round, then as they were", () => {
  let changes = 0;
  const columns = [
    { name: "Word", key: (row) => row[0] },
    { name: "Lost", key: (row) => row[1], falls: true },
    { name: "Why", why: "Because." },
  ];
  const { heads, sorted } = sorting(columns, () => (changes += 1));
  const rows = [
    ["b", 1],
    ["a", 2],
    ["c", 1],
  ];
  const words = () =>
    sorted(rows)
      .map(([word]) => word)
      .join("");
  const press = (i) => heads[i].querySelector("button").click();
  assert.equal(words(), "bac");
  press(0);
  assert.deepEqual([words(), heads[0].getAttribute("aria-sort")], ["abc", "ascending"]);
  press(0);
  assert.deepEqual([words(), heads[0].getAttribute("aria-sort")], ["cba", "descending"]);
  press(0);
  assert.deepEqual([words(), heads[0].getAttribute("aria-sort")], ["bac", null]);
  press(1);
  assert.deepEqual([words(), heads[1].getAttribute("aria-sort")], ["abc", "descending"]);
  press(0);
  assert.deepEqual(
    [heads[1].getAttribute("aria-sort"), heads[0].getAttribute("aria-sort"), changes],
    [null, "ascending", 5],
  );
  assert.equal(heads[2].querySelector(".sort"), null);
});

test("a table of numbers has a caption and names its rows", () => {
  const table = numbers(
    "Games",
    [h("th", {}, "A")],
    [
      ["Mean", ["3.42"], "mean"],
      ["Lost", ["0"]],
    ],
  );
  assert.equal(table.getAttribute("aria-label"), "Games, table");
  assert.deepEqual(texts(table, "tbody tr"), ["Mean mean3.42", "Lost0"]);
});

test("what is chosen of the look stays", () => {
  let told = 0;
  addEventListener("sleuth-look", () => (told += 1));
  save("look", { theme: "dark" });
  appearance();
  const radio = (name, value) =>
    all(dialog(), "input").find((one) => one.getAttribute("name") === name && one.value === value);
  assert.deepEqual(
    [radio("theme", "dark").checked, radio("theme", "").checked, radio("text", "").checked],
    [true, false, true],
  );
  radio("text", "large").dispatchEvent(new Event("change"));
  assert.deepEqual([load("look"), told], [{ theme: "dark", text: "large" }, 1]);
  dialog().close();
});

test("the look is as the system wishes where nothing is chosen, also while the page is open", async () => {
  const queries = {};
  globalThis.matchMedia = (query) =>
    (queries[/\((?:prefers-)?([\w-]+)/.exec(query)[1]] = Object.assign(new EventTarget(), { matches: false }));
  globalThis.getComputedStyle = () => ({ getPropertyValue: () => "#fff" });
  await import("../../src/sleuth/web/static/js/look.js");
  const look = () => ["theme", "palette", "text", "motion"].map((name) => document.documentElement.dataset[name]);
  assert.deepEqual(look(), ["light", "standard", "usual", "full"]);
  for (const query of Object.values(queries)) query.matches = true;
  queries["color-scheme"].dispatchEvent(new Event("change"));
  assert.deepEqual(look(), ["dark", "contrast", "usual", "less"]);
  save("look", { theme: "light", palette: "orange", text: "large", motion: "full" });
  dispatchEvent(new Event("sleuth-look"));
  assert.deepEqual(look(), ["light", "orange", "large", "full"]);
  localStorage.setItem("sleuth.look", "{half");
  dispatchEvent(new Event("storage"));
  assert.deepEqual(look(), ["dark", "contrast", "usual", "less"]);
  goTo("/");
});

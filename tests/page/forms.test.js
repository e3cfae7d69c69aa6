// Forms that choose a game offer what the server takes: games.js, settings.js, board/setting.js; and the first minute of a
// server: preparing.js.

import { event, serve, settled, startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { stateFrom } from "../../src/sleuth/web/static/js/board/address.js";
import { settingForm } from "../../src/sleuth/web/static/js/board/setting.js";
import { today } from "../../src/sleuth/web/static/js/days.js";
import { DEFAULT, gameFields } from "../../src/sleuth/web/static/js/games.js";
import { askAgain, showPreparing } from "../../src/sleuth/web/static/js/preparing.js";
import { settings } from "../../src/sleuth/web/static/js/settings.js";
import { load, save } from "../../src/sleuth/web/static/js/storage.js";

const kind = (variant, mode, boards, letters = 10) => ({ variant, mode, boards, letters });
const KINDS = [
  kind("standard", "easy", 32),
  kind("standard", "hard", 1),
  kind("standard", "strict", 1),
  kind("absurdle", "easy", 1),
  kind("fibble", "easy", 32, 6),
];
const WORDLE = {
  ...{ id: "wordle", modes: ["easy", "hard", "strict"], sizes: [], kinds: KINDS },
  words: [
    { id: "original", answers: 2315 },
    { id: "original-guesses", answers: 12972 },
  ],
};
const MASTERMIND = {
  ...{
    id: "mastermind",
    modes: ["easy", "strict"],
    words: [],
    kinds: [kind("standard", "easy", 32), kind("standard", "strict", 1)],
  },
  sizes: [
    { pegs: 4, colours: 8 },
    { pegs: 5, colours: 7 },
  ],
};
const BULLS = { ...MASTERMIND, id: "bulls-and-cows", sizes: [{ pegs: 4, colours: 10 }] };

const all = (element, selector) => element.querySelectorAll(selector);
/** Return the control with a label. */
const labelled = (element, text) =>
  all(element, ".field").find((one) => one.querySelector("label").textContent === text)?.children[1];
const options = (element, text) => labelled(element, text).children.map(({ value }) => String(value));
const choose = (element, text, value) =>
  Object.assign(labelled(element, text), { value }).dispatchEvent(new Event("change"));
const puzzle = (more = {}) => ({ game: DEFAULT, boards: 1, variant: "standard", number: today(), ...more });

beforeEach(async () => {
  startOver();
  serve(({ path }) => (path === "/games" ? { games: [WORDLE, MASTERMIND, BULLS] } : { puzzle: puzzle({ number: 5 }) }));
});

/** Return the fields of a game once it is known what there is, and the games that are chosen with them. */
async function fields(game, more) {
  const chosen = [];
  const element = gameFields(game, (next) => chosen.push(next), more);
  await settled();
  return { element, chosen };
}

test("a game is chosen with what it needs", async () => {
  const { element, chosen } = await fields(DEFAULT, { view: "x" });
  choose(element, "Words", "mastermind");
  assert.deepEqual(chosen.at(-1), { game: "mastermind", pegs: 4, colours: 6, mode: "easy" });
  assert.deepEqual(load("game.x"), chosen.at(-1));
  assert.deepEqual(options(element, "Mode"), ["easy", "strict"]);
  choose(element, "Words", "bulls-and-cows");
  assert.deepEqual(chosen.at(-1), { game: "bulls-and-cows", pegs: 4, mode: "easy" });
  assert.equal(labelled(element, "Colours"), undefined);
  choose(element, "Words", "nyt");
  assert.deepEqual(chosen.at(-1), { ...DEFAULT, words: "nyt" });
});

test("frequent words have a language, a length and a size", async () => {
  const { element, chosen } = await fields(DEFAULT);
  choose(element, "Words", "frequent");
  choose(element, "Language", "de");
  choose(element, "Letters", "6");
  choose(element, "How many words", "500");
  assert.equal(chosen.at(-1).words, "frequent:de:6:500");
  assert.equal(labelled(element, "How many words").children[3].textContent, "3,000");
});

test("codes have the sizes that there are, and colours give way to more pegs", async () => {
  const { element, chosen } = await fields({ game: "mastermind", pegs: 4, colours: 8, mode: "easy" });
  assert.deepEqual(options(element, "Pegs"), ["4", "5"]);
  assert.deepEqual(options(element, "Colours"), ["4", "5", "6", "7", "8"]);
  choose(element, "Pegs", "5");
  assert.deepEqual(chosen.at(-1), { game: "mastermind", pegs: 5, colours: 7, mode: "easy" });
  assert.deepEqual(options(element, "Colours"), ["4", "5", "6", "7"]);
});

test("a mode that another game has not gives way", async () => {
  const { element, chosen } = await fields({ ...DEFAULT, mode: "hard" });
  choose(element, "Words", "mastermind");
  assert.equal(chosen.at(-1).mode, "easy");
  const strict = await fields({ ...DEFAULT, mode: "strict" });
  choose(strict.element, "Words", "mastermind");
  assert.equal(strict.chosen.at(-1).mode, "strict");
});

test("lists too large for a view are not offered, nor games that it does not take", async () => {
  const { element } = await fields(DEFAULT, { pegs: false, own: "beside", most: 5000 });
  assert.deepEqual(options(element, "Words"), ["original", "nyt", "nyt-guesses", "frequent", "own"]);
  const plain = await fields(DEFAULT, { own: false });
  assert.deepEqual(options(plain.element, "Words").slice(-3), ["frequent", "mastermind", "bulls-and-cows"]);
});

test("words of one's own are asked for, and at least two", async () => {
  const { element, chosen } = await fields(DEFAULT);
  choose(element, "Words", "own");
  const dialog = document.body.querySelector("dialog");
  const [form, text] = [dialog.querySelector("form"), dialog.querySelector("textarea")];
  const submit = (words) => {
    text.value = words;
    const submitted = event("submit");
    form.dispatchEvent(submitted);
    return submitted.defaultPrevented;
  };
  assert.ok(submit("katze"));
  assert.equal(dialog.querySelector("[role=alert]").textContent, "Give at least two words.");
  assert.ok(!submit("katze hunde"));
  assert.deepEqual(chosen, [{ game: "wordle", answers: ["katze", "hunde"], mode: "easy" }]);
  assert.deepEqual(load("own"), ["katze", "hunde"]);
});

test("a list that is typed beside a form begins with the words of before", async () => {
  save("own", ["katze", "hunde"]);
  const { element, chosen } = await fields(DEFAULT, { own: "beside" });
  choose(element, "Words", "own");
  assert.deepEqual(chosen.at(-1).answers, ["katze", "hunde"]);
});

/** Open the settings of a puzzle; return the dialog and the puzzles that are begun. */
async function opened(of) {
  const begun = [];
  settings(of, (...given) => begun.push(given));
  await settled();
  const dialog = document.body.querySelector("dialog");
  return { dialog, begun, said: () => dialog.querySelector("[role=status]").textContent };
}

test("what does not go with a choice gives way, and that is said", async () => {
  const { dialog, said } = await opened(puzzle());
  choose(dialog, "Mode", "hard");
  choose(dialog, "Boards", "4");
  assert.deepEqual([labelled(dialog, "Mode").value, said()], ["easy", "Changed to fit: easy mode."]);
  choose(dialog, "Variant", "absurdle");
  assert.deepEqual([labelled(dialog, "Boards").value, said()], [1, "Changed to fit: 1 board."]);
  choose(dialog, "Words", "mastermind");
  assert.equal(said(), "Changed to fit: standard variant.");
  assert.deepEqual(options(dialog, "Variant"), ["standard"]);
  choose(dialog, "Words", "frequent");
  assert.equal(said(), "");
  choose(dialog, "Variant", "fibble");
  choose(dialog, "Letters", "9");
  assert.equal(said(), "Changed to fit: standard variant.");
  assert.ok(!options(dialog, "Variant").includes("fibble"));
});

test("a puzzle is today's, a random one, or one by its number", async () => {
  const { dialog, begun } = await opened(puzzle());
  const form = dialog.querySelector("form");
  assert.ok(dialog.querySelector("[type=number]").parent.hidden);
  form.dispatchEvent(event("submit"));
  await settled();
  assert.deepEqual(begun, [[puzzle({ number: 5 }), true]]);
  assert.equal(document.body.querySelector("dialog"), null);
  const by = await opened(puzzle({ number: 77 }));
  assert.equal(labelled(by.dialog, "Puzzle").value, "random");
  choose(by.dialog, "Puzzle", "number");
  assert.ok(!by.dialog.querySelector("[type=number]").parent.hidden);
  by.dialog.querySelector("form").dispatchEvent(event("submit"));
  await settled();
  assert.equal(by.begun[0][1], false);
});

test("a puzzle that there is not is told in the dialog, which stays", async () => {
  const { dialog, begun } = await opened(puzzle());
  serve(() => [422, { detail: "there is no such puzzle" }]);
  dialog.querySelector("form").dispatchEvent(event("submit"));
  await settled();
  assert.deepEqual([dialog.querySelector("[role=alert]").textContent, begun], ["There is no such puzzle.", []]);
  dialog.close();
});

/** Return the form of the analysis board for an address, and what is edited with it. */
async function setting(hash) {
  let { state } = stateFrom(hash);
  const answers = [];
  const form = settingForm({ edit: (change) => ([state] = change(state)), answered: (words) => answers.push(words) });
  await settled();
  form.draw(state);
  await settled();
  return { form, answers, now: () => state, said: () => form.element.querySelector("[role=status]").textContent };
}

test("the board is of what goes together, and rows stay where they can", async () => {
  const one = await setting("#mode=hard&rows=salet:bbybb");
  choose(one.form.element, "Variant", "absurdle");
  assert.deepEqual(
    [one.now().variant, one.now().game.mode, one.said()],
    ["absurdle", "easy", "Changed to fit: easy mode."],
  );
  assert.equal(one.now().root.next.length, 1);
  choose(one.form.element, "Boards", "2");
  assert.deepEqual([one.now().boards, one.now().variant, one.now().root.next.length], [2, "standard", 0]);
  assert.equal(one.said(), "Changed to fit: standard variant.");
});

test("an answer counts once it is whole, or gone, on each board", async () => {
  const { form, answers } = await setting("#boards=2");
  const [first, second] = ["1", "2"].map((n) => labelled(form.element, `The answer of board ${n}`));
  const write = (input, value) => Object.assign(input, { value }).dispatchEvent(new Event("input"));
  write(first, "whir");
  write(first, " Whirl");
  write(second, "cab");
  write(second, "");
  assert.deepEqual(answers, [
    ["whirl", ""],
    ["whirl", ""],
  ]);
});

test("how much a server has compiled is shown until all is", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const place = document.getElementById("preparing");
  const told = [{ prepared: 0.254, hints: false }, [500, {}], { prepared: 0.6, hints: true }, { prepared: 1 }];
  serve(() => told.shift());
  const done = showPreparing();
  await settled();
  assert.match(place.textContent, /^Preparing, 25 %/);
  assert.ok(!place.hidden);
  assert.match(place.textContent, /hints are quick estimates/);
  for (let i = 0; i < 3; i += 1) {
    assert.equal(place.textContent.includes("Hints are ready"), i === 2);
    t.mock.timers.tick(1000);
    await settled();
  }
  await done;
  assert.ok(place.hidden);
});

test("what is asked again is asked once hints are compiled, and only while it still stands", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const asked = [];
  const told = [{ hints: false }, [500, {}], { hints: true }];
  serve(() => told.shift());
  const again = askAgain(
    () => asked.push("stands"),
    () => true,
  );
  const never = askAgain(
    () => asked.push("gone"),
    () => false,
  );
  for (let i = 0; i < 3; i += 1) {
    assert.deepEqual(asked, []);
    t.mock.timers.tick(1000);
    await settled();
  }
  await Promise.all([again, never]);
  assert.deepEqual(asked, ["stands"]);
});

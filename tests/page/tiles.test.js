// Tiles, pegs, keys and rows that are filled: tiles.js, pegs.js, keyboard.js, boards.js, board/keypegs.js, board/marks.js,
// board/palette.js.

import { event, startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { keyPegButtons } from "../../src/sleuth/web/static/js/board/keypegs.js";
import { faceOfGuess, facesOf, guessedIn, shownFeedback, worded } from "../../src/sleuth/web/static/js/board/marks.js";
import { colourKeys } from "../../src/sleuth/web/static/js/board/palette.js";
import { drawBoards, letterEntry, pegEntry, spoken } from "../../src/sleuth/web/static/js/boards.js";
import { DEFAULT } from "../../src/sleuth/web/static/js/games.js";
import { digits, keyboard } from "../../src/sleuth/web/static/js/keyboard.js";
import { SYMBOLS, holes, keyPegs, palette, peg, pegName, pegRow } from "../../src/sleuth/web/static/js/pegs.js";
import { open } from "../../src/sleuth/web/static/js/puzzle.js";
import { capital, emptyRow, glyph, guessed, legend, marks, row, tile } from "../../src/sleuth/web/static/js/tiles.js";

const MASTERMIND = { game: "mastermind", pegs: 4, colours: 6, mode: "easy" };
const BULLS = { game: "bulls-and-cows", pegs: 4, mode: "easy" };
const puzzle = (more = {}) => ({ game: DEFAULT, boards: 1, variant: "standard", number: 77, ...more });
const state = (more, of = {}) => ({ ...open(puzzle(of)), ...more });
const labels = (element) => element.children.map((one) => one.getAttribute("aria-label"));
const all = (element, selector) => element.querySelectorAll(selector);

beforeEach(startOver);

test("a letter is one capital, the sharp s too", () => {
  assert.deepEqual(["ß", "é", "я", "ı"].map(capital), ["ẞ", "É", "Я", "I"]);
  assert.deepEqual([glyph("ß"), glyph("s")], ["ẞ", "s"]);
});

test("a tile is spoken with what its colour means", () => {
  const said = (...given) => tile(...given).querySelector(".vh")?.textContent;
  assert.deepEqual(
    ["b", "y", "g"].map((mark) => said("é", mark)),
    ["É, absent", "É, elsewhere", "É, right place"],
  );
  assert.equal(said("ß", "g"), "ẞ, right place");
  assert.equal(said("ß", "typed"), "ẞ");
  assert.equal(said(""), undefined);
  assert.equal(tile("ß").children[0].textContent, "ẞ");
});

test("a row has a tile for each letter, however it is encoded", () => {
  const marked = (element) => element.children.map((one) => one.dataset.mark);
  assert.deepEqual(marked(row("größe", "bgybb")), ["b", "g", "y", "b", "b"]);
  assert.deepEqual(marked(row("ab", "")), ["typed", "typed"]);
  const wide = row("𝔞𝔟", "yg");
  assert.deepEqual([marked(wide), wide.style.getPropertyValue("--cols")], [["y", "g"], "2"]);
  assert.ok(row("ab", "bb", { flip: true }).children.every((one) => one.classList.contains("flip")));
  assert.equal(emptyRow(3).children.length, 3);
  assert.equal(emptyRow(3).getAttribute("aria-hidden"), "true");
});

test("marks without letters are spoken", () => {
  assert.equal(marks("byg").getAttribute("aria-label"), "absent, elsewhere, right place");
  assert.equal(legend().textContent, "right placeelsewherenot in it");
});

test("a guess is drawn with marks or with two numbers", () => {
  assert.equal(all(guessed("ab", "gy"), ".tile").length, 2);
  assert.ok(guessed("0123", "1,2").textContent.endsWith("1 in place, 2 elsewhere"));
});

test("colours have names as far as there are any, and symbols of their own", () => {
  assert.deepEqual(["1", "8", "9", "a"].map(pegName), ["red", "black", "9", "A"]);
  const drawings = [..."12345678"].map((symbol) => peg(symbol).querySelector("path").getAttribute("d"));
  assert.equal(new Set(drawings).size, 8);
  assert.equal(peg("a").textContent, "A");
  assert.equal(peg("a").dataset.peg, "10");
  assert.equal(new Set(SYMBOLS).size, 35);
  assert.equal(pegRow("12").textContent, "redblue");
});

test("key pegs are black before white before none", () => {
  const kinds = (element) => element.children.map((one) => one.dataset.key);
  assert.deepEqual(kinds(keyPegs("1,2", 4)), ["black", "white", "white", ""]);
  assert.equal(keyPegs("1,2", 4).getAttribute("aria-label"), "1 black, 2 white");
  assert.deepEqual(kinds(keyPegs("", 3)), ["", "", ""]);
  assert.equal(keyPegs("", 3).getAttribute("aria-hidden"), "true");
  assert.equal(keyPegs("", 5).style.getPropertyValue("--across"), "3");
});

/** Press a key on one of some key pegs; return what is put. */
function put(feedback, tile, key) {
  const done = [];
  const note =
    (name) =>
    (...given) =>
      done.push([name, ...given]);
  const acts = { put: note("put"), go: note("go"), confirm: note("confirm"), back: note("back") };
  const element = keyPegButtons(feedback, { length: 4, row: 0, ...acts });
  if (key === "click") element.children[tile].click();
  else element.children[tile].dispatchEvent(event("keydown", { key }));
  return done.flat();
}

test("a key peg turns from none to black, to white, to none, and lies where it belongs then", () => {
  assert.deepEqual(put("0,0", 2, "click"), ["put", "1,0", 0]);
  assert.deepEqual(put("1,0", 0, "click"), ["put", "0,1", 0]);
  assert.deepEqual(put("1,1", 1, "click"), ["put", "1,0", 1]);
  assert.deepEqual(put("1,1", 1, "ArrowUp"), ["put", "1,0", 1]);
  assert.deepEqual(put("1,1", 1, "ArrowDown"), ["put", "2,0", 1]);
  assert.deepEqual(put("2,1", 0, "click"), ["put", "1,2", 2]);
});

test("key pegs are typed, and the focus goes on", () => {
  assert.deepEqual(put("0,0", 0, "b"), ["put", "1,0", 1]);
  assert.deepEqual(put("1,0", 1, "w"), ["put", "1,1", 2]);
  assert.deepEqual(put("1,1", 0, "e"), ["put", "0,1", 1]);
  assert.deepEqual(put("4,0", 3, "Delete"), ["put", "3,0", 3]);
  assert.deepEqual(
    ["ArrowLeft", "ArrowRight", "Home", "End"].map((key) => put("0,0", 1, key)),
    [
      ["go", 0],
      ["go", 2],
      ["go", 0],
      ["go", 3],
    ],
  );
  assert.deepEqual(
    [put("0,0", 1, "Enter"), put("0,0", 1, "Backspace"), put("0,0", 1, "x")],
    [["confirm"], ["back"], []],
  );
});

test("what a guess got is shown as its game has it", () => {
  assert.equal(shownFeedback(DEFAULT, "gyb").getAttribute("aria-label"), "right place, elsewhere, absent");
  assert.equal(shownFeedback(MASTERMIND, "1,2").getAttribute("aria-label"), "1 black, 2 white");
  assert.equal(shownFeedback(BULLS, "1,2").getAttribute("aria-label"), "1 in place, 2 elsewhere");
  assert.equal(shownFeedback(BULLS, "1,2").textContent, "● 1○ 2");
});

test("guesses are words, or pegs with the names of their colours", () => {
  assert.equal(faceOfGuess(DEFAULT, "crane"), "crane");
  assert.equal(faceOfGuess(MASTERMIND, "1122").getAttribute("aria-label"), "red, red, blue, blue");
  assert.equal(facesOf(DEFAULT, ["crane", "salet"]), "crane salet");
  assert.equal(all(guessedIn(MASTERMIND, "1122", "1,2"), ".hole").length, 4);
});

test("sentences show codes as pegs, and numbers that count something as they are", () => {
  const parts = (text, named) =>
    worded(MASTERMIND, text, named).map((part) => (typeof part === "string" ? part : part.getAttribute("aria-label")));
  assert.deepEqual(parts("1122 is the best; 1296 were possible.", ["1122", "1296"]), [
    "",
    "red, red, blue, blue",
    " is the best; 1296 were possible.",
  ]);
  assert.deepEqual(parts("of 1122 answers", ["1122"]), ["of 1122 answers"]);
  assert.deepEqual(parts("11223 saves guesses", ["1122"]), ["11223 saves guesses"]);
  assert.deepEqual(worded(DEFAULT, "CRANE is the best", ["crane"]), ["CRANE is the best"]);
  assert.deepEqual(worded(MASTERMIND, "no guess", []), ["no guess"]);
});

test("the colours of a game are keys, each with the digit that types it", () => {
  const done = [];
  const element = colourKeys(MASTERMIND, { press: (symbol) => done.push(symbol), erase: () => done.push("erase") });
  assert.deepEqual(labels(element).slice(0, 2), ["red, key 1", "blue, key 2"]);
  assert.equal(element.children.length, 7);
  element.children[5].click();
  element.children[6].click();
  assert.deepEqual(done, ["6", "erase"]);
  const many = palette(12, () => {}).element;
  assert.deepEqual(
    many.children.map((line) => line.children.length),
    [10, 2, 2],
  ); // the last has Enter and Backspace
});

test("a hole is chosen with arrows, cleared and entered", () => {
  const done = [];
  const note = (name) => (at) => done.push(`${name} ${at ?? ""}`.trim());
  const element = holes(["1", "", "2"], 1, {
    choose: note("choose"),
    clear: note("clear"),
    enter: note("enter"),
    place() {},
  });
  assert.deepEqual(labels(element), ["Peg 1 of 3: red", "Peg 2 of 3: empty", "Peg 3 of 3: blue"]);
  assert.deepEqual(
    element.children.map((hole) => hole.getAttribute("aria-pressed")),
    ["false", "true", "false"],
  );
  for (const key of ["ArrowLeft", "ArrowRight", "Home", "End", "Delete", "Enter", "x"])
    element.children[0].dispatchEvent(event("keydown", { key }));
  assert.deepEqual(done, ["choose 1", "choose 0", "choose 2", "clear 0", "enter"]);
});

test("keys say what is known of their letters", () => {
  const { element, show } = keyboard(DEFAULT, () => {});
  const key = (letter) => all(element, ".key").find((one) => one.textContent === letter);
  show(
    new Map([
      ["a", ["g"]],
      ["b", ["b"]],
      ["c", [""]],
    ]),
  );
  assert.deepEqual(
    ["a", "b", "c", "d"].map((letter) => key(letter).dataset.mark),
    ["g", "b", undefined, undefined],
  );
  assert.deepEqual(
    ["a", "b", "c"].map((letter) => key(letter).getAttribute("aria-label")),
    ["A, right place", "B, absent", "C"],
  );
});

test("keys of several boards say what each knows, of many how many know what", () => {
  const { element, show } = keyboard(DEFAULT, () => {});
  const key = (letter) => all(element, ".key").find((one) => one.querySelector(".letter")?.textContent === letter);
  show(
    new Map([
      ["a", ["g", ""]],
      ["b", ["b", "b"]],
      ["c", ["b", "y"]],
    ]),
  );
  assert.equal(key("a").getAttribute("aria-label"), "A, board 1 right place");
  assert.equal(key("c").getAttribute("aria-label"), "C, board 1 absent, board 2 elsewhere");
  assert.deepEqual([key("b").dataset.mark, key("a").dataset.mark], ["b", undefined]);
  assert.deepEqual(
    all(key("a"), "[data-cell]").map((cell) => cell.dataset.cell),
    ["g", ""],
  );
  assert.equal(key("a").querySelector(".cells").style.getPropertyValue("--lines"), "repeat(1, 1fr)");
  show(new Map([["a", ["g", "g", "y", ...Array(6).fill("")]]]));
  assert.deepEqual(
    all(key("a"), "[data-cell]").map((cell) => cell.dataset.cell),
    ["g", "y", ""],
  );
  assert.equal(key("a").querySelector(".cells").style.getPropertyValue("--lines"), "2fr 1fr 6fr");
  assert.equal(key("c").getAttribute("aria-label"), "C");
});

test("letters of other languages come and go with a key, and keep what is known of them", () => {
  const { element, show, more } = keyboard({ game: "wordle", words: "frequent:en:5:500", mode: "easy" }, () => {});
  const has = (letter) => all(element, ".letter").some((one) => one.textContent === letter);
  show(new Map([["é", ["y"]]]));
  assert.deepEqual([has("q"), has("é")], [true, false]);
  more.click();
  assert.deepEqual([has("q"), has("é"), more.getAttribute("aria-pressed")], [false, true, "true"]);
  assert.ok(all(element, ".key").some((one) => one.getAttribute("aria-label") === "É, elsewhere"));
  more.click();
  assert.ok(has("q"));
  assert.equal(keyboard(DEFAULT, () => {}).more, null);
});

test("keys press letters, Enter and Backspace", () => {
  const pressed = [];
  const { element } = keyboard({ game: "wordle", words: "frequent:de:5:500", mode: "easy" }, (key) =>
    pressed.push(key),
  );
  const keys = all(element, ".key");
  keys.find((one) => one.getAttribute("aria-label") === "ẞ").click();
  for (const name of ["Enter the guess", "Remove the last"])
    keys.find((one) => one.getAttribute("aria-label") === name).click();
  assert.deepEqual(pressed, ["ß", "Enter", "Backspace"]);
  const numbers = digits((key) => pressed.push(key)).element;
  assert.equal(all(numbers, ".key").length, 12);
});

const act = (more = {}) => ({ changed() {}, submit() {}, label: () => "Guess 1 of 6", ...more });

test("signs that are no letters are left out of a word, and it is no longer than the others", () => {
  const entry = letterEntry(state({}), act());
  entry.set("s!al-");
  assert.deepEqual([entry.text(), entry.missing()], ["sal", "a guess has 5 letters"]);
  entry.set("GRÖẞER");
  assert.deepEqual([entry.text(), entry.missing()], ["größe", ""]);
  entry.press("x");
  assert.equal(entry.text(), "größe");
  entry.press("Backspace");
  assert.equal(entry.text(), "größ");
});

test("Backspace takes a whole letter away", () => {
  const entry = letterEntry(state({ length: 3 }), act());
  for (const key of ["a", "𝔟"]) entry.press(key);
  entry.press("Backspace");
  assert.equal(entry.text(), "a");
});

test("codes of digits take digits alone", () => {
  const entry = letterEntry(state({ length: 4 }, { game: BULLS }), act());
  entry.set("1a2 3");
  assert.deepEqual([entry.text(), entry.missing()], ["123", "a guess has 4 digits"]);
});

test("letters show as they are typed", () => {
  const entry = letterEntry(state({}), act());
  entry.begin();
  const place = entry.draw(true);
  entry.set("aß");
  assert.equal(place.querySelector(".row").textContent, "aẞ");
  assert.deepEqual(
    all(place, ".tile").map((one) => one.dataset.mark),
    ["typed", "typed", "", "", ""],
  );
  assert.equal(place.querySelector("input").value, "aß");
});

const pegs = () => {
  const seen = [];
  return {
    seen,
    entry: pegEntry(state({ length: 4 }, { game: MASTERMIND }), act({ changed: (text) => seen.push(text) })),
  };
};

test("pegs go into the first empty hole", () => {
  const { entry, seen } = pegs();
  for (const key of "12") entry.press(key);
  assert.deepEqual([entry.text(), entry.missing(), seen.at(-1)], ["12", "a guess has 4 pegs", "12  "]);
  for (const key of "34") entry.press(key);
  assert.deepEqual([entry.text(), entry.missing()], ["1234", ""]);
  entry.press("5");
  assert.equal(entry.text(), "1235"); // all are full: the last one
});

test("Backspace takes the peg that was placed last, or the one before an empty hole", () => {
  const { entry, seen } = pegs();
  entry.set("12 4");
  entry.press("Backspace");
  assert.equal(seen.at(-1), "1  4");
  entry.press("Backspace");
  assert.equal(seen.at(-1), "   4");
  entry.press("Backspace");
  assert.equal(seen.at(-1), "    ");
  entry.press("Backspace");
  assert.equal(entry.text(), "");
});

test("pegs that are dragged within a row change places", () => {
  const { entry, seen } = pegs();
  entry.set("12");
  entry.place("1", 1, 0);
  assert.equal(seen.at(-1), "21  ");
  entry.place("2", 3, 0);
  assert.equal(seen.at(-1), " 1 2");
  entry.place("6", 2);
  assert.equal(seen.at(-1), " 162");
});

test("the last row is spoken, letter by letter", () => {
  const one = state({ guesses: ["aß"], feedback: [["gy"]] });
  assert.equal(spoken(one), "A right place, ẞ elsewhere.");
  assert.equal(spoken({ ...one, won: true }), "A right place, ẞ elsewhere. Solved in 1.");
  assert.equal(
    spoken({ ...one, over: true, answers: ["ab"] }),
    "A right place, ẞ elsewhere. Not found. The answer was ab.",
  );
});

test("boards that were solved before are not spoken of", () => {
  const two = state(
    {
      guesses: ["ab", "ab"],
      feedback: [
        ["gg", "bb"],
        [null, "by"],
      ],
    },
    { boards: 2 },
  );
  assert.equal(spoken(two), "Board 2: A absent, B elsewhere.");
});

test("one bull and one cow are spoken of as one", () => {
  const said = (game, feedback) => spoken(state({ guesses: ["1234"], feedback: [[feedback]] }, { game }));
  assert.equal(said(BULLS, "1,0"), "1 bull, 0 cows.");
  assert.equal(said(BULLS, "2,1"), "2 bulls, 1 cow.");
  assert.equal(said(MASTERMIND, "1,2"), "1 black, 2 white.");
});

test("a board has its rows, the one that is filled, and those to come", () => {
  const entry = { draw: () => document.createElement("form") };
  const drawn = (more, of) => drawBoards(state(more, of), entry, false);
  const rows = (board) => [all(board, "ol").length, all(board, "form").length];
  const [board] = drawn({ guesses: ["salet"], feedback: [["bbybb"]] });
  assert.deepEqual(rows(board), [5, 1]); // one judged, four to come
  const two = { guesses: ["salet"], feedback: [["ggggg", "bbbbb"]], solved: [true, false] };
  const [solved, other] = drawn(two, { boards: 2 });
  assert.deepEqual(
    [rows(solved), rows(other)],
    [
      [7, 0],
      [6, 1],
    ],
  );
  assert.ok(solved.textContent.startsWith("Board 1solved in 1"));
  const [over] = drawn({ guesses: ["salet"], feedback: [["ggggg"]], solved: [true], over: true });
  assert.deepEqual(rows(over), [1, 0]);
});

test("bulls and cows beside a row have their names", () => {
  const [board] = drawBoards(
    state({ guesses: ["0123", "1234"], feedback: [["1,2"], ["0,1"]], length: 4, over: true }, { game: BULLS }),
    null,
    false,
  );
  assert.deepEqual(
    all(board, ".bulls").map((one) => one.textContent),
    ["1 bull2 cows", "0 bulls1 cow"],
  );
});

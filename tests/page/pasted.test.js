// A game as people write it: board/pasted.js.

import "./fakes.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerIn, readPasted } from "../../src/sleuth/web/static/js/board/pasted.js";
import { DEFAULT } from "../../src/sleuth/web/static/js/games.js";

const CODES = { game: "mastermind", pegs: 4, colours: 6, mode: "easy" };
const written = (text, game = DEFAULT) =>
  readPasted(text, game)
    .rows.map(({ guess, feedback = "" }) => (feedback ? `${guess}:${feedback}` : guess))
    .join(" ");

test("a game is read as people write it", () => {
  for (const [text, read] of [
    ["salet courd whirl", "salet courd whirl"],
    ["Salet, Courd, Whirl", "salet courd whirl"],
    ["1. salet\n2. courd\n13) whirl", "salet courd whirl"],
    ["salet:bbybb courd:bbbgb whirl:ggggg", "salet:bbybb courd:bbbgb whirl:ggggg"],
    ["salet: BBYBB\ncourd; bbbgb\nwhirl  ggggg", "salet:bbybb courd:bbbgb whirl:ggggg"],
    ["salet 00100\ncourd 00020\nwhirl 22222", "salet:00100 courd:00020 whirl:22222"],
    ["salet, courd bbbgb, whirl", "salet courd:bbbgb whirl"],
    ["GRÖẞE, äpfel", "größe äpfel"],
  ])
    assert.equal(written(text), read);
});

test("codes are read with two numbers, or without", () => {
  assert.equal(written("1123 4455 1456", CODES), "1123 4455 1456");
  assert.equal(written("1. 1123:1,2\n2. 4455: 0,1", CODES), "1123:1,2 4455:0,1");
  assert.equal(written("1123, 4455", CODES), "1123 4455");
});

test("colours and words that are not as long as each other are told", () => {
  assert.throws(() => readPasted("salet bbyb courd", DEFAULT), /^Error: “bbyb” is 4 colours, and SALET has 5 letters$/);
});

test("a grid goes to the server as it is, with words or without", () => {
  const grid = "⬛⬛🟨⬛⬛\n🟩🟩🟩🟩🟩";
  assert.deepEqual(readPasted(grid, DEFAULT), { text: grid, isGrid: true });
  const named = "⬛⬛🟨⬛⬛ salet\n🟩🟩🟩🟩🟩 whirl";
  assert.deepEqual(readPasted(named, DEFAULT), { text: named, isGrid: false });
  assert.equal(readPasted("Sleuth 77 3/6\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩", DEFAULT).isGrid, true); // what is shared has its line
  assert.equal(readPasted("⚫⚪➖➖", CODES).isGrid, true);
});

test("letters or digits without words are a grid, too", () => {
  for (const text of ["bbybb\nbbbgb\nggggg", "00100 00020 22222", "salet bbybb bbbgb"])
    assert.deepEqual(readPasted(text, DEFAULT), { text, isGrid: true });
});

test("a text that is neither is left as it is", () => {
  const text = "what a lovely game that was!";
  assert.deepEqual(readPasted(text, DEFAULT), { text });
});

test("the answer is the last word, where the others fit it", () => {
  const answer = (text, game = DEFAULT) => answerIn(readPasted(text, game).rows, game);
  assert.equal(answer("salet courd whirl"), "whirl");
  assert.equal(answer("salet bbybb courd 00020 whirl"), "whirl");
  assert.equal(answer("salet ggbbb courd whirl"), "");
  assert.equal(answer("salet:bbybb whirl:ggggg"), "");
  assert.equal(answer("salet"), "");
  assert.equal(answer("1123 4455", CODES), "4455");
});

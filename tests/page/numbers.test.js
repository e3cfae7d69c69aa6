// Numbers, texts and elements: dom.js and losses.js.

import "./fakes.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  announce,
  bar,
  byId,
  capital,
  count,
  debounced,
  field,
  fixed,
  grouped,
  h,
  percent,
  problemNote,
  remarksNote,
  select,
  sentence,
  whole,
} from "../../src/sleuth/web/static/js/dom.js";
import { lossInGuesses, lossText, shownLoss } from "../../src/sleuth/web/static/js/losses.js";
import { settled } from "./fakes.js";

test("thousands are set apart in whole numbers", () => {
  assert.deepEqual([0, 999, 1000, 2315, 1234567].map(whole), ["0", "999", "1,000", "2,315", "1,234,567"]);
});

test("thousands are set apart in texts where a number counts something", () => {
  assert.equal(grouped("2315 answers and 12972 guesses"), "2,315 answers and 12,972 guesses");
  assert.equal(grouped("in 2023: 1122 1234"), "in 2023: 1122 1234");
  assert.equal(grouped("999 words"), "999 words");
  assert.equal(grouped("1000 words"), "1,000 words");
});

test("numbers are rounded as the sentences of the server do: halves go to the even digit", () => {
  const shown = [2.125, 2.375, 2.675, 1.005, 0.5, 3, 2.7931].map((n) => fixed(n));
  assert.deepEqual(shown, ["2.12", "2.38", "2.67", "1.00", "0.50", "3.00", "2.79"]);
  assert.deepEqual(
    [0.5, 1.5, 2.5].map((n) => fixed(n, 0)),
    ["0", "2", "2"],
  );
  assert.deepEqual(
    [0.25, 0.75, 0.35].map((n) => fixed(n, 1)),
    ["0.2", "0.8", "0.3"],
  );
  assert.deepEqual(
    [0.0625, 0.1875].map((n) => fixed(n, 3)),
    ["0.062", "0.188"],
  );
});

test("a number that there is not is a dash", () => {
  assert.deepEqual(
    [null, undefined, NaN, Infinity, -Infinity].map((n) => fixed(n)),
    Array(5).fill("–"),
  );
});

test("chances are per cent, and what is not quite certain is not called so", () => {
  const chances = [0, 0.0009, 0.001, 0.0123, 0.0994, 0.0995, 0.5, 0.994, 0.996, 0.9994, 0.9995, 1];
  const shown = [
    "0 %",
    "< 0.1 %",
    "0.1 %",
    "1.2 %",
    "9.9 %",
    "10 %",
    "50 %",
    "99 %",
    "99.6 %",
    "99.9 %",
    "100 %",
    "100 %",
  ];
  assert.deepEqual(chances.map(percent), shown);
});

test("a count has its noun in the singular or the plural", () => {
  assert.equal(count(0, "word"), "0 words");
  assert.equal(count(1, "word"), "1 word");
  assert.equal(count(2, "word"), "2 words");
  assert.equal(count(1, "guess", "guesses"), "1 guess");
  assert.equal(count(1200, "guess", "guesses"), "1,200 guesses");
});

test("a sentence has a capital and one full stop", () => {
  assert.equal(sentence("it is not JSON"), "It is not JSON.");
  assert.equal(sentence("Reconnecting…"), "Reconnecting…");
  assert.equal(sentence("did you mean slate?"), "Did you mean slate?");
  assert.equal(sentence("done."), "Done.");
  assert.equal(capital("élan"), "Élan");
  assert.equal(capital(""), "");
});

test("an element has attributes, listeners and what stands in it", () => {
  let pressed = 0;
  const element = h(
    "button",
    {
      class: "link small",
      type: "button",
      hidden: true,
      title: null,
      "data-x": 0,
      lang: false,
      onclick: () => (pressed += 1),
    },
    "a",
    null,
    [false, ["b", 0], undefined],
  );
  assert.equal(element.className, "link small");
  assert.equal(element.getAttribute("hidden"), "");
  assert.equal(element.getAttribute("data-x"), "0");
  assert.deepEqual([element.getAttribute("title"), element.getAttribute("lang")], [null, null]);
  assert.equal(element.textContent, "ab0");
  element.click();
  assert.equal(pressed, 1);
});

test("markup in a text stays a text", () => {
  const note = problemNote(new Error("there is no “<img src=x onerror=alert(1)>”"));
  assert.equal(note.textContent, "There is no “<img src=x onerror=alert(1)>”.");
  assert.equal(note.children.length, 0);
});

test("remarks are sentences, and without any there is no note", () => {
  assert.equal(remarksNote([]), "");
  assert.equal(remarksNote(["one is off", "two is"]).textContent, "One is off. Two is.");
});

test("a bar is filled from nothing to all", () => {
  assert.deepEqual(
    [-1, 0.25, 3].map((n) => bar(n).style.getPropertyValue("--value")),
    ["0", "0.25", "1"],
  );
});

test("a value that is none of a select's options becomes one", () => {
  const values = (control) => control.children.map(({ value }) => value);
  assert.deepEqual(
    values(
      select(
        [
          [1, "1"],
          [2, "2"],
        ],
        2,
      ),
    ),
    [1, 2],
  );
  assert.deepEqual(values(select([[1, "1"]], "1")), [1]);
  assert.deepEqual(values(select([[1, "1"]], undefined)), [1]);
  const other = select([[1, "1"]], 9);
  assert.deepEqual(values(other), [1, 9]);
  assert.equal(other.children[1].textContent, "9");
  assert.equal(other.value, 9);
});

test("a label names its control, each with an id of its own", () => {
  const [one, other] = [h("input"), h("input", { id: "mine" })];
  const labels = [field("One", one), field("Other", other)].map((place) =>
    place.querySelector("label").getAttribute("for"),
  );
  assert.deepEqual(labels, [one.id, "mine"]);
  assert.match(one.id, /^field-\d+$/);
});

test("what is announced is spoken anew, even if it is the same", async () => {
  announce("Row 1");
  assert.equal(byId("announcer").textContent, "");
  await settled();
  assert.equal(byId("announcer").textContent, "Row 1");
});

test("calls that follow each other at once are one", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const calls = [];
  const soon = debounced((...given) => calls.push(given), 100);
  soon(1);
  t.mock.timers.tick(99);
  soon(2, 3);
  t.mock.timers.tick(99);
  assert.deepEqual(calls, []);
  t.mock.timers.tick(1);
  assert.deepEqual(calls, [[2, 3]]);
});

test("a loss is the difference of the two numbers as they are shown", () => {
  assert.equal(shownLoss(2.884, 2.8), 0.08);
  assert.equal(shownLoss(2.8751, 2.791), 0.09); // 2.88 and 2.79, though it is 0.084
  assert.equal(shownLoss(3.426, 3.4249), 0.01); // 3.43 and 3.42
  assert.equal(shownLoss(3, 3), 0);
  assert.equal(shownLoss(2.99, 3), 0); // better than the best that is known
});

test("a loss too small to be seen is hardly any, and no loss is none", () => {
  assert.ok(shownLoss(3.4212, 3.421) > 0);
  assert.equal(lossText(shownLoss(3.4212, 3.421)), "less than 0.01");
  assert.equal(lossText(shownLoss(3.421 + 1e-12, 3.421)), "0");
});

test("a loss is worded with its noun", () => {
  const losses = [0, 0.001, 0.0049, 0.005, 0.06, 0.999, 1, 1.5, 3];
  const words = ["0", "less than 0.01", "less than 0.01", "0.01", "0.06", "1", "1", "1.50", "3"];
  assert.deepEqual(losses.map(lossText), words);
  assert.equal(lossInGuesses(1), "1 guess");
  assert.equal(lossInGuesses(0), "0 guesses");
  assert.equal(lossInGuesses(0.5), "0.50 guesses");
});

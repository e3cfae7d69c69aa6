// Words of one's own: own.js.

import "./fakes.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST, readWords, wordsField } from "../../src/sleuth/web/static/js/own.js";
import { event, settled } from "./fakes.js";

const left = (text, wanted) => readWords(text, wanted).left.map(({ why, words }) => `${words.join(" ")}: ${why}`);
const said = (text) => wordsField(text.split("\n")).element.querySelector(".own-said").textContent;

test("words stand between spaces, commas, semicolons and lines", () => {
  assert.deepEqual(readWords("salet, crony;whirl\r\ncabal\rmoist\n\ttight").words, [
    ...["salet", "crony", "whirl", "cabal", "moist", "tight"],
  ]);
  assert.deepEqual(readWords(""), { words: [], length: 0, lengths: new Map(), left: [] });
});

test("what stands behind a slash belongs to no word, nor do lines that begin with #", () => {
  assert.deepEqual(readWords("# a comment\nsalet/SM\ncrony/x/y\n  # more").words, ["salet", "crony"]);
});

test("a word has one spelling, whatever its case and however its accents are written", () => {
  assert.deepEqual(readWords("Élans ÉLANS élans e\u0301lans").words, ["élans"]);
  assert.deepEqual(left("Élans e\u0301lans"), ["élans: there twice, used once"]);
  assert.deepEqual(readWords("ß𝔞 xy").words, ["ß𝔞", "xy"]);
});

test("words of one length are used: the one that most have, the shorter of equal ones, or the wanted one", () => {
  assert.equal(readWords("abc abd abcd abce abcf").length, 4);
  assert.equal(readWords("abc abd abcd abce").length, 3);
  assert.deepEqual(readWords("abc abd abcd", 4).words, ["abcd"]);
  assert.equal(readWords("abc abd abcd", 7).length, 3);
  assert.deepEqual(
    [...readWords("abcd ab abce").lengths],
    [
      [2, 1],
      [4, 2],
    ],
  );
});

test("what is left out is told with its reason", () => {
  assert.deepEqual(left("salet crony it's 12345 cat salet"), [
    "it's 12345: not made of letters alone",
    "cat: of another length than 5 letters",
    "salet: there twice, used once",
  ]);
  assert.deepEqual(left("a abcdefghijk"), ["a abcdefghijk: words have 2 to 10 letters"]);
});

test("a list has its bounds", () => {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const many = letters.flatMap((a) =>
    letters.flatMap((b) => letters.flatMap((c) => ["s", "t"].map((d) => a + b + c + d))),
  );
  const { words, left: over } = readWords(many.join(" "));
  assert.equal(words.length, MOST);
  assert.deepEqual(over, [{ why: "beyond the first 20,000 words", words: many.slice(MOST) }]);
});

test("a field says below it what is used", () => {
  assert.equal(said(""), "No words yet.");
  assert.equal(said("salet\ncrony"), "2 words of 5 letters.");
  assert.equal(said("salet"), "1 word of 5 letters.");
  assert.equal(said("12\n34"), "None of these can be used.2 words not made of letters alone: 12, 34.");
  const thirteen = Array.from({ length: 13 }, (_, i) => String(i));
  assert.match(said(thirteen.join("\n")), /13 words not made of letters alone: 0, .*, 11 and 1 more\.$/);
});

test("markup among words stays a text", () => {
  const { element } = wordsField(["<img/src=x>", "salet"]);
  assert.equal(element.querySelectorAll("img").length, 0);
  assert.ok(element.querySelector(".own-said").textContent.includes("<img"));
});

test("a file is read in the encoding it has", async () => {
  const { element, read } = wordsField([]);
  const input = element.querySelector("[type=file]");
  const open = async (bytes, size = bytes.length) => {
    input.files = [{ size, arrayBuffer: async () => Uint8Array.from(bytes).buffer }];
    input.dispatchEvent(event("change"));
    await settled();
    return read();
  };
  assert.deepEqual(await open(new TextEncoder().encode("élans größe")), ["élans", "größe"]);
  assert.deepEqual(await open([0xff, 0xfe, 0xe9, 0, 0x61, 0]), ["éa"]);
  assert.deepEqual(await open([0xfe, 0xff, 0, 0xe9, 0, 0x61]), ["éa"]);
  assert.deepEqual(await open([0xe9, 0x61]), ["éa"]); // Windows-1252
  await open([0x61, 0x62], 5 * 2 ** 20 + 1);
  assert.match(element.querySelector(".own-said").textContent, /larger than 5 MB/);
});

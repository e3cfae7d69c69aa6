// Words of one's own: typed, pasted or read from a file, with those that cannot be used and why. Nothing is sent from here.

import { count, debounced, field, h, problemNote, select, whole } from "./dom.js";

/**
 * @typedef {{ why: string, words: string[] }} Left words that are left out, for one reason
 * @typedef {{ words: string[], length: number, lengths: Map<number, number>, left: Left[] }} Reading
 *   What is used of a text: words of one length; `lengths`: how many words of each length there are.
 */

export const MOST = 20_000;
const [SHORTEST, LONGEST] = [2, 10];
const LARGEST = 5 * 2 ** 20; // bytes of a file
const NAMED = 12; // words that are named for one reason
const PAUSE = 200;

/** Return the one spelling of a word, as the server has it. */
const canonical = (/** @type {string} */ word) => word.normalize("NFC").toLowerCase().normalize("NFC");
const lengthOf = (/** @type {string} */ word) => [...word].length;

/**
 * Return the words of a text, between spaces, commas and semicolons. What stands behind a slash, as in dictionaries of
 * Hunspell, belongs to none, nor do lines that begin with #.
 *
 * @param {string} text
 * @param {number} [wanted] the length of the words that are used; else the one that most have
 * @returns {Reading}
 */
export function readWords(text, wanted) {
  const given = text
    .split(/\r\n?|\n/)
    .filter((line) => !line.trim().startsWith("#"))
    .flatMap((line) => line.split(/[\s,;]+/))
    .map((word) => canonical(word.replace(/\/.*/, "")))
    .filter(Boolean);
  const isWord = (/** @type {string} */ word) => /^[\p{L}\p{M}]+$/u.test(word);
  const words = [...new Set(given.filter(isWord))];
  const lengths = new Map();
  for (const n of words.map(lengthOf).sort((a, b) => a - b))
    if (n >= SHORTEST && n <= LONGEST) lengths.set(n, (lengths.get(n) ?? 0) + 1);
  const most = [...lengths.keys()].reduce((a, b) => (lengths.get(b) > (lengths.get(a) ?? 0) ? b : a), 0);
  const length = wanted && lengths.has(wanted) ? wanted : most;
  const fitting = words.filter((word) => lengthOf(word) === length);
  const seen = new Set();
  const twice = new Set(given.filter((word) => isWord(word) && (seen.has(word) || !seen.add(word))));
  const left = [
    { why: "not made of letters alone", words: [...new Set(given.filter((word) => !isWord(word)))] },
    {
      why: length ? `of another length than ${count(length, "letter")}` : `words have ${SHORTEST} to ${LONGEST} letters`,
      words: words.filter((word) => lengthOf(word) !== length),
    },
    { why: `beyond the first ${whole(MOST)} words`, words: fitting.slice(MOST) },
    { why: "there twice, used once", words: [...twice].filter((word) => lengthOf(word) === length) },
  ];
  return { words: fitting.slice(0, MOST), length, lengths, left: left.filter((one) => one.words.length) };
}

/** Return the text of a file: UTF-8, or UTF-16 where it begins so, or else Windows-1252. Throws Error. */
async function textOf(/** @type {File} */ file) {
  if (file.size > LARGEST) throw new Error("the file is larger than 5 MB; a list of words is far smaller");
  const bytes = new Uint8Array(await file.arrayBuffer());
  const begins = (/** @type {number[]} */ ...mark) => mark.every((byte, i) => bytes[i] === byte);
  if (begins(0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes);
  if (begins(0xfe, 0xff)) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * Return a field for words that says below it how many are used, and which are not and why; and `read`, which returns the
 * words as they are now.
 *
 * @param {string[]} words  what it begins with
 * @param {string} [label]
 */
export function wordsField(words, label = "Words that may be the answer") {
  const text = h("textarea", {
    value: words.join("\n"),
    spellcheck: "false",
    autocapitalize: "none",
    placeholder: "one word a line, all of one length",
    oninput: debounced(() => tell(), PAUSE),
  });
  const file = h("input", {
    type: "file",
    accept: ".txt,.csv,.dic,text/*",
    hidden: true,
    onchange: async () => {
      const [chosen] = file.files ?? [];
      if (!chosen) return;
      try {
        text.value = await textOf(chosen);
        wanted = 0;
        tell();
      } catch (error) {
        said.replaceChildren(problemNote(error));
      }
      file.value = "";
    },
  });
  const lengths = h("div", { class: "own-length" });
  const said = h("div", { class: "own-said small", role: "status" });
  let wanted = 0; // the length that was chosen

  function tell() {
    const reading = readWords(text.value, wanted);
    lengths.replaceChildren(
      reading.lengths.size > 1
        ? field(
            "Letters",
            select(
              [...reading.lengths].map(([n, many]) => [n, `${n} (${count(many, "word")})`]),
              reading.length,
              (/** @type {any} */ event) => {
                wanted = Number(event.target.value);
                tell();
                lengths.querySelector("select")?.focus();
              },
            ),
          )
        : "",
    );
    said.replaceChildren(summary(reading));
  }

  said.replaceChildren(summary(readWords(text.value)));
  return {
    element: h(
      "div",
      { class: "stack own-words" },
      field(label, text),
      h(
        "div",
        { class: "cluster" },
        h("button", { type: "button", class: "button", onclick: () => file.click() }, "Open a text file"),
        file,
        lengths,
      ),
      said,
    ),
    read: () => readWords(text.value, wanted).words,
  };
}

/** Return what is used of a text, and what is not. */
function summary(/** @type {Reading} */ { words, length, left }) {
  if (!words.length && !left.length) return h("p", { class: "soft" }, "No words yet.");
  const used = words.length
    ? `${count(words.length, "word")} of ${count(length, "letter")}.`
    : "None of these can be used.";
  return h(
    "div",
    {},
    h("p", {}, used),
    left.map((one) => {
      const named = one.words.slice(0, NAMED).join(", ");
      const more = one.words.length > NAMED ? ` and ${whole(one.words.length - NAMED)} more` : "";
      return h("p", { class: "soft" }, `${count(one.words.length, "word")} ${one.why}: ${named}${more}.`);
    }),
  );
}

// The rules: shown on the first visit, and by the button in the header.

import { h } from "./dom.js";
import { DEFAULT } from "./games.js";
import { keyPegs } from "./pegs.js";
import { VARIANTS, guessesOf, lineOf } from "./puzzle.js";
import { save } from "./storage.js";
import { tile } from "./tiles.js";

const SEVERAL = "Every guess goes to all boards, and there is one guess more for every further board.";
const MODES = {
  hard: "Hard mode: greens stay and yellows are used again.",
  strict: "Strict mode: every guess must fit all rows.",
};
const MORE = [
  ["2, 4 or 8 boards", SEVERAL],
  ...VARIANTS.filter(([, , text]) => text).map(([, name, text]) => [name.split(":")[0], text]),
  ["Hard, strict", "Greens stay and yellows are used again; in strict mode every guess must fit all rows."],
  ["Mastermind", "A black peg for each colour in its place, a white one for each that belongs elsewhere."],
  ["Bulls and Cows", "Bulls are digits in their place, cows those that belong elsewhere. No digit comes twice."],
];

const ofLetter = (letter, mark) => h("ul", { class: "row" }, tile(letter, mark));
/** The rules of each game: its name among others, what is to be found, what a guess is, and what it gets. */
const GAMES = {
  wordle: {
    name: "Wordle",
    noun: "word",
    guess: "Every guess is a word. Its tiles then tell how near it is:",
    lines: () => [
      [ofLetter("s", "g"), "S is in the word, in this place."],
      [ofLetter("a", "y"), "A is in the word, elsewhere."],
      [ofLetter("t", "b"), "T is not in the word, or not as often as guessed."],
    ],
  },
  mastermind: {
    name: "Mastermind",
    noun: "code",
    guess: "The code is a row of colours, and a colour may come more than once. Every guess gets key pegs, in no order:",
    lines: () => [
      [keyPegs("1,0", 1), "Black: one of the colours is in its place."],
      [keyPegs("0,1", 1), "White: one of the colours belongs elsewhere."],
      [keyPegs("", 1), "None: one is not in the code, or not as often as guessed."],
    ],
  },
  "bulls-and-cows": {
    name: "Bulls and Cows",
    noun: "code",
    guess: "The code is of digits that all differ, and so is every guess. It then gets bulls and cows:",
    lines: () => [
      [h("b", {}, "1 bull"), "One of the digits is in its place."],
      [h("b", {}, "1 cow"), "One of the digits is in the code, elsewhere."],
    ],
  },
};

const NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const spelled = (/** @type {number} */ n) => NUMBERS[n - 1] ?? String(n);

/** Show the rules of a puzzle's game in a dialog; from then on they have been seen. */
export function rules(puzzle = { game: DEFAULT, boards: 1, variant: "standard" }) {
  save("rules", 1);
  const { game, boards, variant } = puzzle;
  const { name, noun, guess, lines } = GAMES[game.game];
  const what = boards > 1 ? `${spelled(boards)} ${noun}s` : `the ${noun}`;
  const said = [boards > 1 ? SEVERAL : "", lineOf(variant), MODES[game.mode] ?? ""].filter(Boolean);
  const dialog = h(
    "dialog",
    { class: "rules", "aria-labelledby": "rules-title" },
    h("h2", { id: "rules-title" }, `Find ${what} in ${spelled(guessesOf(puzzle))} guesses`),
    h("p", {}, guess),
    h(
      "ul",
      { class: "rules-tiles" },
      lines().map(([shown, text]) => h("li", {}, shown, h("span", {}, text))),
    ),
    said.map((text) => h("p", {}, text)),
    h(
      "details",
      {},
      h("summary", {}, "Other games"),
      h(
        "dl",
        { class: "rules-more" },
        MORE.filter(([other, text]) => other !== name && !said.includes(text)).map(([other, text]) =>
          h("div", {}, h("dt", {}, other), h("dd", {}, text)),
        ),
      ),
    ),
    h(
      "form",
      { method: "dialog", class: "cluster" },
      h("button", { class: "button primary", autofocus: true }, "Play"),
      h("span", { class: "soft small" }, "A new puzzle comes every day."),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

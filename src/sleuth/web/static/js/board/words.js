// All words left, by likelihood or by what they are worth as a guess.

import { count, fixed, h, percent, select } from "../dom.js";
import { nounOf } from "../games.js";
import { signLegend, signOf } from "./kinds.js";
import { asKnown } from "./known.js";
import { faceOfGuess, hasColours } from "./marks.js";
import { filler } from "./questions.js";

const CHUNK = 200;
const PEG = 1.7; // letters that a peg is as wide as
const ORDERS = [
  ["likely", "Likeliest first"],
  ["value", "Best guess first"],
  ["alphabet", "By the alphabet"],
];
const SORT = {
  likely: () => 0,
  // Estimates are as a rule too low: they come after what was counted.
  value: (a, b) =>
    Number(a.kind === "estimate") - Number(b.kind === "estimate") ||
    (a.expected_guesses ?? Infinity) - (b.expected_guesses ?? Infinity),
  alphabet: (a, b) => a.word.localeCompare(b.word),
};

/** Return the panel of words left. @param {HTMLElement} place @param {{ tryWord: (word: string) => void }} actions */
export function wordsPanel(place, { tryWord }) {
  let order = "likely";
  let found;
  /** @type {any} the position whose words they are */
  let position;
  let noun = "word";
  const title = h("h2", {}, "Words left");
  const list = h("div", { class: "stack words-left" });
  const fill = filler(list);
  const sort = select(ORDERS, order, (event) => {
    order = event.target.value;
    if (found) list.replaceChildren(...drawn());
  });
  place.append(h("div", { class: "spread" }, title, sort), list);

  /** Return a word with what was counted of it elsewhere; an estimate from there might contradict what is proved. */
  function counted(/** @type {any} */ one) {
    const known = asKnown(position, { ...one, guess: one.word });
    return known.kind === "estimate" ? one : known;
  }

  function drawn() {
    const words = found.words.map(counted).sort(SORT[order]);
    const numbered = words.filter((/** @type {any} */ one) => one.expected_guesses !== null);
    const even = words.every(({ chance }) => chance === words[0].chance);
    const chunks = [];
    for (let at = 0; at < words.length; at += CHUNK) {
      const some = words.slice(at, at + CHUNK);
      const chunk = h(
        "ul",
        { class: "chips chunk" },
        some.map((one) => h("li", {}, chip(one, even))),
      );
      chunk.style.setProperty("--chips", String(some.length));
      const wide = hasColours(position.game) ? PEG : 1;
      chunk.style.setProperty("--letters", String([...some[0].word].length * wide + (even ? 0 : 4)));
      chunks.push(chunk);
    }
    return [
      h(
        "p",
        { class: "soft small" },
        even
          ? `All equally likely. The number is how many guesses it takes from here with this ${noun} next.`
          : `How likely each is, and how many guesses it takes from here with this ${noun} next.`,
        numbered.length < words.length ? ` The ${noun}s without a number were not searched: try one.` : "",
      ),
      signLegend(numbered.map(({ kind }) => kind)),
      ...chunks,
    ];
  }

  const chip = ({ word, chance, expected_guesses: expected, kind }, even) =>
    h(
      "button",
      { type: "button", class: "chip", "aria-label": `Try ${word}`, onclick: () => tryWord(word) },
      h("span", { class: "word" }, faceOfGuess(position.game, word)),
      even ? null : h("span", { class: "small soft" }, percent(chance)),
      expected === null ? null : h("span", { class: "small soft" }, `${signOf(kind)} ${fixed(expected)}`),
    );

  return async (body) => {
    noun = nounOf(body.game);
    const asked = body;
    sort.setAttribute("aria-label", `Order of the ${noun}s`);
    const answer = await fill("/words", body, (answer) => {
      found = answer;
      position = asked;
      return drawn();
    });
    if (answer) title.textContent = `${count(answer.candidates, noun)} left`;
  };
}

// A guess tried: what it may get, with all the words of each kind of feedback, beside the best guess.

import { bar, count, fixed, h, percent, whole } from "../dom.js";
import { hasLongWords, lengthOf, nounOf } from "../games.js";
import { wordButton } from "./guesses.js";
import { MEANINGS, signOf, valued } from "./kinds.js";
import { asKnown, bestKnown, equalOf } from "./known.js";
import { faceOfGuess, facesOf, shownFeedback } from "./marks.js";
import { filler } from "./questions.js";
import { explained } from "../explain.js";
import { lossInGuesses, shownLoss } from "../losses.js";

const FOLDED = 40;
const FEW = 6;
/** @type {[name: string, meaning: string, show: (one: any, decimals: number) => any[]][]} */
const NUMBERS = [
  ["Guesses", MEANINGS.guesses, (one, decimals) => valued(one.expected_guesses, one.kind, decimals)],
  ["Chance", MEANINGS.chance, (one) => [percent(one.chance)]],
  ["Bits", MEANINGS.bits, (one) => [fixed(one.bits)]],
  ["Groups", MEANINGS.groups, (one) => [whole(one.classes)]],
  ["Left", MEANINGS.left, (one) => [fixed(one.expected_left, 1)]],
  ["Worst", MEANINGS.worst, (one) => [whole(one.worst_left)]],
];

/**
 * Return the panel of a tried word.
 * @param {HTMLElement} place
 * @param {{ tryWord: (word: string) => void, follow: (guess: string, feedback: string) => void, strategyOf: () => void }} actions
 */
export function tryPanel(place, { tryWord, follow, strategyOf }) {
  const input = h("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    id: "try-word",
  });
  const title = h("h2", {});
  const body = h("div", { class: "stack" });
  const fill = filler(body);
  let told = ""; // what is said of the guess and of the best one
  let again = () => {};
  input.addEventListener("input", () => {
    const word = input.value.trim().toLowerCase();
    if ([...word].length === input.maxLength) tryWord(word);
  });
  place.append(h("div", { class: "spread" }, title, input), body);

  function drawn(/** @type {any} */ found, question, game, alone) {
    const { variant } = question;
    const answer = { ...found, ...judged(found, question) };
    answer.equal = equalOf(question, answer.guess);
    told = saidOf(answer);
    again = () => {
      const now = judged(found, question);
      if (saidOf({ ...now, equal: equalOf(question, now.guess) }) !== told)
        body.replaceChildren(...drawn(found, question, game, alone).filter((part) => part !== null));
    };
    const decimals = variant === "absurdle" ? 0 : 2; // its host leaves nothing to chance
    return [
      h("p", { class: "verdict" }, verdict(answer, tryWord, game, alone)),
      versus(answer, decimals, tryWord, game, alone),
      answer.groups.length
        ? null
        : h(
            "p",
            { class: "soft" },
            "Where a mark may lie, a word fits several kinds of feedback: there are no groups.",
          ),
      h(
        "div",
        { class: "spread", hidden: !answer.groups.length },
        h("h3", {}, `${count(answer.groups.length, "group")} of ${whole(answer.candidates)}`),
        variant
          ? null
          : h(
              "button",
              { type: "button", class: "link small", onclick: strategyOf },
              "The whole strategy after it",
            ),
      ),
      groupList(answer, game),
    ];
  }

  function groupList(answer, game) {
    const list = h(
      "ol",
      { class: "groups", "data-close": String(hasLongWords(game)) },
      answer.groups.map((group) =>
        h(
          "li",
          { class: group.count === 1 ? "one" : group.count <= FEW ? "few" : "many" },
          drawGroup(group, answer, game),
        ),
      ),
    );
    list.style.setProperty("--cols", String(lengthOf(game)));
    return list;
  }

  function drawGroup(group, { guess, groups }, game) {
    const { feedback, count: many, solved, lost, words, expected_guesses: expected, kind, next } = group;
    const shown = shownFeedback(game, feedback);
    const listed = words.map(({ word }) => word);
    if (many === 1)
      return h(
        "button",
        {
          type: "button",
          class: "group single",
          title: "Go on with this feedback",
          onclick: () => follow(guess.guess, feedback),
        },
        shown,
        h("span", { class: "word" }, faceOfGuess(game, listed[0])),
        solved ? h("span", { class: "vh" }, "right") : null,
        lost ? h("span", { class: "small soft" }, "lost") : null,
      );
    return [
      h(
        "button",
        {
          type: "button",
          class: "group",
          title: "Go on with this feedback",
          onclick: () => follow(guess.guess, feedback),
        },
        shown,
        h("b", {}, whole(many)),
        bar(many / groups[0].count),
        h(
          "span",
          { class: "small soft" },
          lost ? "lost" : expected === null ? "" : `${kind === "proved" ? "" : `${signOf(kind)} `}${fixed(expected)} more`,
          next ? [", next ", h("span", { class: "word" }, faceOfGuess(game, next))] : null,
        ),
      ),
      h("p", { class: "group-words" }, facesOf(game, listed.slice(0, FOLDED))),
      listed.length > FOLDED
        ? h(
            "details",
            { class: "group-words" },
            h("summary", { class: "small soft" }, `${listed.length - FOLDED} more`),
            h("p", {}, facesOf(game, listed.slice(FOLDED))),
          )
        : null,
    ];
  }

  function show(
    /** @type {any} */ question,
    /** @type {{ guess: string, game: any, length: number, alone: number }} */ { guess, game, length, alone },
  ) {
    again = () => {};
    const noun = nounOf(game);
    title.textContent = `Try a ${noun}`;
    input.setAttribute("aria-label", `${noun === "word" ? "Word" : "Code"} to try`);
    input.maxLength = length;
    if (document.activeElement !== input) input.value = guess;
    if (!guess) {
      body.replaceChildren(
        h(
          "p",
          { class: "soft" },
          `Type a ${noun} here or on the board, or press any ${noun} you see: how it splits what is left, and what it costs beside the best guess, shows at once.`,
        ),
      );
      return null;
    }
    return fill("/try", { ...question, guess }, (answer) => drawn(answer, question, game, alone));
  }

  /** refresh: say what has become known meanwhile. */
  return { show, refresh: () => again() };
}

const saidOf = (/** @type {any} */ { guess, best, loss, equal }) =>
  JSON.stringify([guess.kind, best?.guess, best?.kind, loss, equal?.guess]);

/** Return a guess and the best one by all that is known of the position, and what it costs; null where one of the two is
 * an estimate. @param {any} answer @param {any} position */
function judged({ guess: tried, best: found, loss }, position) {
  const guess = asKnown(position, tried);
  const best = bestKnown(position, found);
  if (!best || (best.guess === found.guess && best.kind === found.kind && guess.kind === tried.kind))
    return { guess, best, loss };
  const isKnown = guess.kind !== "estimate" && best.kind !== "estimate";
  return { guess, best, loss: isKnown ? Math.max(0, Number(guess.expected_guesses) - Number(best.expected_guesses)) : null };
}

/** Return what a tried word costs, in words. alone: the number of the board that it is about, 0 where there is no other. */
function verdict({ guess, best, loss, equal }, tryWord, game, alone) {
  const here = alone ? `on board ${alone} alone` : "here";
  const word = h("b", { class: "word" }, faceOfGuess(game, guess.guess));
  if (!best || best.guess === guess.guess) {
    if (!equal) return [word, ` is the best guess ${here}.`];
    return [word, " is as good as any: ", wordButton(equal.guess, tryWord, game), " takes as many."];
  }
  const other = wordButton(best.guess, tryWord, game);
  if (loss === null)
    return ["What ", word, " costs beside ", other, " is not known: what they take is only estimated."];
  if (loss <= 1e-9) return [word, " is as good as any: ", other, " takes as many."];
  return [word, ` costs ${lossInGuesses(shownLoss(guess.expected_guesses, best.expected_guesses))} more than `, other, alone ? ` ${here}.` : "."];
}

function versus({ guess, best, groups }, decimals, tryWord, game, alone) {
  const both = best && best.guess !== guess.guess ? [guess, best] : [guess];
  return h(
    "table",
    { class: "versus", "data-close": String(hasLongWords(game)) },
    h("caption", { class: "vh" }, "The word beside the best guess"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        both.map((one, i) =>
          h(
            "th",
            { scope: "col" },
            i ? wordButton(one.guess, tryWord, game) : h("span", { class: "word" }, faceOfGuess(game, one.guess)),
            i ? h("span", { class: "small soft" }, alone ? ` best on board ${alone} alone` : " best") : null,
          ),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      NUMBERS.filter(([name]) => groups.length || name !== "Groups").map(([name, meaning, show]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, explained(name, meaning)),
          both.map((one) => h("td", {}, show(one, decimals))),
        ),
      ),
    ),
  );
}

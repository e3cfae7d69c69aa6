// "Find a better guess": a position of the game as a puzzle, with a second try and then the answer.

import { fixed, h, problemNote } from "../dom.js";
import { equalOf } from "./known.js";
import { faceOfGuess } from "./marks.js";
import { question } from "./questions.js";

const MISTAKES = ["?!", "?", "??"];
const TRIES = 2;
const AS_GOOD = 0.005;

/** Return a list of the button that makes a puzzle of a move; an empty one where no mistake was made.
 * @param {any} move @param {(move: any) => void} begin */
export const betterButton = (move, begin) =>
  MISTAKES.includes(move?.annotation)
    ? [
        h(
          "button",
          { type: "button", class: "button small-button", onclick: () => begin(move) },
          "Find a better guess",
        ),
      ]
    : [];

/**
 * Return the panel of the puzzle.
 * @param {HTMLElement} place
 * @param {{ ended: () => void, shown: (word: string) => void }} actions ended: back to the game; shown: the answer is tried
 */
export function betterPanel(place, { ended, shown }) {
  /** @type {any} { played, body, tries, over }; null where there is none */
  let puzzle = null;
  const said = h("div", { class: "stack", role: "status" });
  const ending = h("div", { class: "cluster" });
  place.append(said, ending);

  const word = (/** @type {string} */ text) => h("b", { class: "word" }, faceOfGuess(puzzle.body.game, text));
  const button = (name, action, primary = false) =>
    h("button", { type: "button", class: `button${primary ? " primary" : ""}`, onclick: action }, name);

  function end() {
    puzzle = null;
    ended();
  }

  function draw(...parts) {
    said.replaceChildren(...parts);
    ending.replaceChildren(
      puzzle.over ? button("Back to the game", end, true) : button("Show the answer", reveal),
      ...(puzzle.over ? [] : [button("Back to the game", end)]),
    );
  }

  async function reveal() {
    puzzle.over = true;
    const { best } = await question("/try", { ...puzzle.body, guess: puzzle.played });
    draw(
      h("p", {}, word(best.guess), ` was the best guess: ${fixed(best.expected_guesses)} guesses expected.`),
    );
    shown(best.guess);
  }

  /** Return what there is to say of other guesses beside one that is the best, or nearly. */
  function besides(/** @type {any} */ { guess, best, loss }, /** @type {any} */ body) {
    const other = loss > 0 ? best : equalOf(body, guess);
    if (!other) return [" Nothing is better."];
    return loss > 0
      ? [" Only ", word(other.guess), " takes fewer, by less than 0.01."]
      : [" Nothing is better; ", word(other.guess), " is as good."];
  }

  return {
    /** Begin with the position before a guess that was not the best. */
    begin(/** @type {string} */ played, /** @type {any} */ body) {
      puzzle = { played, body, tries: 0, over: false };
      draw(
        h("h2", {}, "Find a better guess"),
        h(
          "p",
          {},
          word(played),
          " was played here, and something saves guesses. Type your guess in the open row, then Enter.",
        ),
      );
    },
    /** Whether there is a puzzle that waits for a guess. */
    isOpen: () => puzzle !== null && !puzzle.over,
    isShown: () => puzzle !== null,
    stop() {
      puzzle = null;
    },
    /** Judge a guess. */
    async judge(/** @type {string} */ guess) {
      const mine = puzzle;
      let tried;
      let before;
      try {
        [tried, before] = await Promise.all([
          question("/try", { ...mine.body, guess }),
          question("/try", { ...mine.body, guess: mine.played }),
        ]);
      } catch (error) {
        if (mine === puzzle) draw(h("h2", {}, "Find a better guess"), problemNote(error));
        return;
      }
      if (mine !== puzzle || mine.over) return;
      const saved = (before.guess.expected_guesses ?? 0) - (tried.guess.expected_guesses ?? 0);
      const here =
        guess === mine.played
          ? " is what was played."
          : [
              ` takes ${fixed(tried.guess.expected_guesses)} guesses, `,
              word(mine.played),
              ` ${fixed(before.guess.expected_guesses)}.`,
            ];
      const isBest = tried.loss !== null && tried.loss < AS_GOOD;
      mine.tries += 1;
      if (isBest) {
        mine.over = true;
        draw(h("h2", {}, "That is it."), h("p", {}, word(guess), here, ...besides(tried, mine.body)));
        shown(guess);
      } else if (mine.tries >= TRIES) {
        mine.over = true;
        const best = tried.best;
        draw(
          h("h2", {}, saved > AS_GOOD ? "Better, and there was more in it." : "Not this time."),
          h("p", {}, word(guess), here),
          h("p", {}, "The best was ", word(best.guess), `: ${fixed(best.expected_guesses)} guesses.`),
        );
        shown(best.guess);
      } else {
        draw(
          h(
            "h2",
            {},
            saved > AS_GOOD ? "Better than what was played, and not yet the best." : "No, that is no better.",
          ),
          h("p", {}, word(guess), here, " One more try."),
        );
      }
    },
  };
}

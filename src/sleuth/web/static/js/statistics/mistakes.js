// "Your mistakes": the moves that cost most, each as a puzzle to try again.

import { announce, count, h } from "../dom.js";
import { explained } from "../explain.js";
import { hasMarks } from "../games.js";
import { lossInGuesses } from "../losses.js";
import { keyPegs, pegRow } from "../pegs.js";
import { analysisAddress, gameOf, isAnalysed } from "../puzzle.js";
import { WHY, isEstimated, kindText, mistakes } from "../statistics.js";
import { guessed, marks } from "../tiles.js";
import { LISTED, card, hasKinds, nameOfGame, wordOf } from "./cards.js";

/** Return the card of mistakes, or nothing where there are none. here: the words of your own in this browser. */
export function mistakesCard(games, here) {
  const shown = mistakes(games).slice(0, LISTED);
  if (shown.length === 0) return null;
  const isMixed = hasKinds(games);
  return card(
    "Your mistakes",
    "wide",
    h("p", { class: "soft" }, "Each is a puzzle: look at the rows, and find a better guess than the one you made."),
    h(
      "ol",
      { class: "mistakes" },
      shown.map(({ game, rows, guess, loss, left }) =>
        h(
          "li",
          { class: "stack" },
          rowsOfMistake(game, rows),
          h(
            "p",
            { class: "small" },
            "You played ",
            wordOf(game.game, guess),
            ", which cost ",
            h(
              "span",
              { class: "nowrap" },
              explained(`${isEstimated(game) ? "about " : ""}${lossInGuesses(loss)}`, WHY.loss),
              ";",
            ),
            ` ${count(left, "answer")} ${left === 1 ? "was" : "were"} possible${game.boards > 1 ? ", those of all boards together" : ""}.`,
          ),
          h(
            "div",
            { class: "spread" },
            again(game, rows, guess, here),
            h("span", { class: "soft small" }, isMixed ? `${nameOfGame(game)} · ${kindText(game)}` : nameOfGame(game)),
          ),
        ),
      ),
    ),
  );
}

/**
 * Return the link to the position before a guess, or why there is none: a puzzle to find a better one; of several
 * boards the analysis board makes none, but shows no best guess at once.
 */
function again(played, rows, guess, here) {
  const { boards, variant } = played;
  const game = gameOf(played, here);
  if (!game) return h("span", { class: "soft small" }, "These words are no longer in this browser.");
  if (!isAnalysed(played)) return h("span", { class: "soft small" }, "Too many boards for the analysis board.");
  const more = {
    ...(boards > 1 ? { boards, tab: "try" } : { better: guess }),
    ...(variant === "standard" ? {} : { variant }),
  };
  return h(
    "a",
    {
      class: "button",
      href: analysisAddress(game, rows, more),
      "data-view": true,
      onclick: () => announce("The position before your guess"),
    },
    "Try again",
  );
}

/** Return the rows before a mistake: with their letters on one board, else the guesses and the marks of open boards. */
function rowsOfMistake({ game, boards, feedback: all }, rows) {
  if (boards === 1)
    return h(
      "div",
      { class: "mistake-rows" },
      rows.map(({ guess, feedback: [shown] }) => rowOf(game, guess, shown)),
    );
  const open = [...Array(boards).keys()].filter((board) => all[rows.length][board]);
  const onBoard = (board) => rows.map(({ guess, feedback }) => [guess, feedback[board]]).filter(([, shown]) => shown);
  return h(
    "div",
    { class: "mistake-boards" },
    h("p", { class: "cluster small" }, rows.map(({ guess }) => wordOf(game, guess))),
    h(
      "div",
      { class: "share-grids" },
      open.map((board) =>
        h(
          "div",
          { class: "share-grid" },
          onBoard(board).map(([guess, shown]) => (hasMarks(game) ? marks(shown) : keyPegs(shown, guess.length))),
        ),
      ),
    ),
  );
}

const rowOf = ({ game }, guess, shown) =>
  game === "mastermind"
    ? h("div", { class: "peg-row" }, pegRow(guess, "mini"), keyPegs(shown, guess.length))
    : guessed(guess, shown);

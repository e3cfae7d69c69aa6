// Hints: first how many answers are left, asked again a guess. Both count as one.

import { post, superseded } from "./api.js";
import { count, fixed, h } from "./dom.js";
import { explained } from "./explain.js";
import { nounOf } from "./games.js";
import { pegRow } from "./pegs.js";
import { PROVISIONAL, askAgain } from "./preparing.js";
import { rowsOf } from "./puzzle.js";

/**
 * @typedef {{ rows: number, told: "left" | "guess", candidates: number, word: string, expected: number, kind: string,
 *   provisional: boolean, where: string }} Hint as it is kept with the puzzle; rows: how many there were
 */

const ONE_HINT = "All that is told before a guess counts as one hint.";

/** Return how many guesses it takes on average: what is whole is so for certain. @param {number} expected */
function onAverage(expected) {
  const isWhole = Math.abs(expected - Math.round(expected)) < 1e-9;
  return isWhole ? count(Math.round(expected), "guess", "guesses") : `about ${fixed(expected, 1)} guesses`;
}

/** Whether the boards of a puzzle are weighed together; where each has a host who lies, every board is weighed alone. */
const isTogether = ({ boards, variant }) => boards > 1 && variant !== "fibble";

/** Whether one answer alone is left where there is nothing else to weigh. */
const isSure = (puzzle, candidates) => candidates === 1 && !isTogether(puzzle);

/** Return what is best on the board with the fewest candidates, each board asked about alone. */
async function suggestedForOne(state, options) {
  const { game, boards, variant } = state.puzzle;
  const open = state.solved.flatMap((solved, board) => (solved ? [] : [board]));
  const answers = await Promise.all(
    open.map((board) => post("/suggest", { game, variant, rows: rowsOf(state, board), limit: 1 }, options)),
  );
  const best = answers.reduce((a, b) => (b.candidates < a.candidates ? b : a));
  const where = boards > 1 ? ` on board ${open[answers.indexOf(best)] + 1}` : "";
  return { ...best, guess: best.guesses[0], where };
}

/** Return what is best for all boards together, as their analysis has it, and what is left where that is the least. */
async function suggestedTogether(state, options) {
  const { game } = state.puzzle;
  const boards = state.solved.map((_, board) => rowsOf(state, board));
  const found = await post("/boards/suggest", { game, boards, limit: 1 }, options);
  const candidates = Math.min(...found.candidates.filter(Boolean));
  const where = ` on board ${found.candidates.indexOf(candidates) + 1}`;
  return { ...found, candidates, guess: found.guesses[0], where };
}

/**
 * Return what gives hints into `note`: `give()`, and `restore()`, which shows the one that was given before a reload.
 * act: { state(), typed(), keep(hint, isNew) when one is shown, use(guess), failed(error) }
 */
export function hints(note, act) {
  /** Return the hint that was given since the last row. @returns {Hint | null} */
  const given = () => {
    const { hint, guesses } = act.state();
    return hint?.rows === guesses.length ? hint : null;
  };

  function show(/** @type {Hint} */ hint) {
    note.replaceChildren(hint.told === "left" ? left(hint) : guess(hint));
  }

  function restore() {
    const hint = given();
    const isUsed = hint?.told === "guess" && act.typed() === hint.word;
    if (!hint || isUsed || act.state().over) return;
    again(hint);
  }

  function again(/** @type {Hint} */ hint) {
    show(hint);
    if (hint.told === "guess" && hint.provisional) tell(true);
  }

  /** Show the hint; one that is a quick estimate is asked for again, and replaced where it still stands. */
  async function tell(isAgain) {
    const before = given();
    if (!isAgain && before?.told === "guess") {
      again(before); // there is nothing more to tell: it is the same hint
      return;
    }
    const asked = act.state();
    const rows = asked.guesses.length;
    const stands = () =>
      act.state().puzzle === asked.puzzle &&
      act.state().guesses.length === rows &&
      note.querySelector(".hint.guess") !== null;
    try {
      const ask = isTogether(asked.puzzle) ? suggestedTogether : suggestedForOne;
      const best = await ask(asked, { quiet: isAgain });
      if (asked.puzzle !== act.state().puzzle || rows !== act.state().guesses.length) return;
      const { candidates, provisional, where } = best;
      if (isAgain && (provisional || !stands())) {
        if (stands()) askAgain(() => tell(true), stands);
        return;
      }
      const { guess: word, expected_guesses: expected, kind } = best.guess;
      const told = isAgain || before || isSure(asked.puzzle, candidates) ? "guess" : "left";
      /** @type {Hint} */
      const hint = { rows, told, candidates, word, expected, kind, provisional, where };
      act.keep(hint, !isAgain && !before); // what is told of one row is one hint
      show(hint);
      if (told === "guess" && provisional) askAgain(() => tell(true), stands);
    } catch (error) {
      if (!superseded(error)) act.failed(error);
    }
  }

  function left(/** @type {Hint} */ { candidates, where }) {
    const { game, variant } = act.state().puzzle;
    const noun = nounOf(game);
    return h(
      "p",
      { class: "hint" },
      explained(
        `${count(candidates, noun)} still ${candidates === 1 ? "fits" : "fit"}`,
        variant === "fibble"
          ? `So many ${noun}s of the list fit every row of this board, with one of its colours a lie. ${ONE_HINT}`
          : `So many ${noun}s of the list would have given every row of this board its colours. ${ONE_HINT}`,
      ),
      `${where}. `,
      h("button", { type: "button", class: "link", onclick: () => tell(false) }, "Suggest a guess"),
    );
  }

  function guess(/** @type {Hint} */ { candidates, word, expected, kind, provisional, where }) {
    const { puzzle } = act.state();
    const { game, variant } = puzzle;
    return h(
      "p",
      { class: "hint guess" },
      "Try ",
      game.game === "mastermind" ? pegRow(word, "mini") : h("b", { class: "word" }, word),
      isSure(puzzle, candidates)
        ? `: it is the only ${nounOf(game)} left${where}. `
        : [
            ": ",
            variant === "absurdle"
              ? explained(
                  `${kind === "proved" ? "" : "about "}${count(expected, "guess", "guesses")}`,
                  "How many guesses it takes from here, this one counted: this host leaves nothing to chance.",
                )
              : explained(
                  onAverage(expected),
                  isTogether(puzzle)
                    ? "How many guesses it takes from here on average until every board is solved, this one counted. One that is not won in time counts as ten more."
                    : "How many guesses it takes from here on average, this one counted, if every one is the best.",
                ),
            `${isTogether(puzzle) ? " for all boards" : ` from here${where}`}${provisional ? ` (${PROVISIONAL})` : ""}. `,
          ],
      h("button", { type: "button", class: "link", onclick: () => act.use(word) }, "Use it"),
    );
  }

  return {
    give: () => tell(false),
    restore,
  };
}

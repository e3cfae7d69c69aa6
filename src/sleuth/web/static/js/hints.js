// Hints: first how many answers are left, asked again a guess.

import { post, superseded } from "./api.js";
import { count, fixed, h } from "./dom.js";
import { explained } from "./explain.js";
import { nounOf } from "./games.js";
import { pegRow } from "./pegs.js";
import { PROVISIONAL, askAgain } from "./preparing.js";
import { rowsOf } from "./puzzle.js";

/**
 * Return what gives hints into `note`: `give()` and `reset()`, called with each new row.
 * act: { state(), counted() when one was shown, use(guess), failed(error) }
 */
export function hints(note, act) {
  let step = 0;

  /** Show the hint; one that is a quick estimate is asked for again, and replaced where it still stands. */
  async function tell(isAgain) {
    const asked = act.state();
    const rows = asked.guesses.length;
    const stands = () =>
      act.state().puzzle === asked.puzzle &&
      act.state().guesses.length === rows &&
      note.querySelector(".hint.guess") !== null;
    const { game, boards, variant } = asked.puzzle;
    try {
      const open = asked.solved.flatMap((solved, board) => (solved ? [] : [board]));
      const answers = await Promise.all(
        open.map((board) =>
          post("/suggest", { game, variant, rows: rowsOf(asked, board), limit: 1 }, { quiet: isAgain }),
        ),
      );
      if (asked.puzzle !== act.state().puzzle || rows !== act.state().guesses.length) return;
      const best = answers.reduce((a, b) => (b.candidates < a.candidates ? b : a));
      const where = boards > 1 ? ` on board ${open[answers.indexOf(best)] + 1}` : "";
      if (isAgain && (best.provisional || !stands())) {
        if (stands()) askAgain(() => tell(true), stands);
        return;
      }
      if (!isAgain) {
        step += 1;
        act.counted();
      }
      if (step === 1 && best.candidates > 1) note.replaceChildren(left(best, where));
      else {
        note.replaceChildren(guess(best, where));
        if (best.provisional) askAgain(() => tell(true), stands);
      }
    } catch (error) {
      if (!superseded(error)) act.failed(error);
    }
  }

  function left(best, where) {
    const { game, variant } = act.state().puzzle;
    const noun = nounOf(game);
    return h(
      "p",
      { class: "hint" },
      explained(
        `${count(best.candidates, noun)} still ${best.candidates === 1 ? "fits" : "fit"}`,
        variant === "fibble"
          ? `So many ${noun}s of the list fit every row of this board, with one of its colours a lie.`
          : `So many ${noun}s of the list would have given every row of this board its colours.`,
      ),
      `${where}. `,
      h("button", { type: "button", class: "link", onclick: () => tell(false) }, "Suggest a guess"),
    );
  }

  function guess(best, where) {
    const { game, variant } = act.state().puzzle;
    const [{ guess: word, expected_guesses: expected, expected_by: by }] = best.guesses;
    return h(
      "p",
      { class: "hint guess" },
      "Try ",
      game.game === "mastermind" ? pegRow(word, "mini") : h("b", { class: "word" }, word),
      best.candidates === 1
        ? `: it is the only ${nounOf(game)} left${where}. `
        : [
            ": ",
            variant === "absurdle"
              ? explained(
                  `${by === "exact" ? "" : "about "}${count(expected, "guess", "guesses")}`,
                  "How many guesses it takes from here, this one counted: this host leaves nothing to chance.",
                )
              : explained(
                  `about ${fixed(expected, 1)} guesses`,
                  "How many guesses it takes from here on average, this one counted, if every one is the best.",
                ),
            ` from here${where}${best.provisional ? ` (${PROVISIONAL})` : ""}. `,
          ],
      h("button", { type: "button", class: "link", onclick: () => act.use(word) }, "Use it"),
    );
  }

  return {
    give: () => tell(false),
    reset() {
      step = 0;
    },
  };
}

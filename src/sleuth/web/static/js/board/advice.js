// What is best in a position, and where no word fits: which row is to blame.

import { superseded } from "../api.js";
import { announce, count, debounced, h, problemNote, sentence } from "../dom.js";
import { nounOf } from "../games.js";
import { PROVISIONAL, askAgain } from "../preparing.js";
import { leftText, ranking } from "./guesses.js";
import { ranked } from "./known.js";
import { faceOfGuess, worded } from "./marks.js";
import { byAnswers } from "./misfit.js";
import { asked, askedOfAll } from "./position.js";
import { question, remembered } from "./questions.js";
import { rowsTo } from "./tree.js";

const LIMIT = 12;
const SOON = 90;

/** @typedef {import("./address.js").State} State */

/**
 * Return what asks for the best guesses.
 * @param {{
 *   place: HTMLElement, status: HTMLElement, note: HTMLElement,
 *   blame: (found: { row: number | null, places?: number[], board?: number } | null) => void,
 *   tryWord: (word: string) => void, review: () => void, isSecret: () => boolean, learned: () => void,
 * }} parts place: where they stand. status: where the words left are told. note: where problems are. blame: points at a
 *   row. isSecret: whether the best guess is to be found and not told. learned: done once
 *   more is known of guesses
 */
export function advice({ place, status, note, blame, tryWord, review, isSecret, learned }) {
  let asking = 0;

  const questionOf = (/** @type {State} */ state) => {
    const rows = rowsTo(state.root, state.at);
    return state.boards > 1
      ? { path: "/boards/suggest", body: { ...askedOfAll(state, rows), limit: LIMIT } }
      : { path: "/suggest", body: { ...asked(state, rows), limit: LIMIT } };
  };

  async function ask(/** @type {State} */ state, /** @type {number} */ mine, isAgain = false) {
    const { path, body } = questionOf(state);
    try {
      const found = await question(path, body, { quiet: isAgain });
      if (mine !== asking) return;
      if (found.provisional)
        askAgain(
          () => ask(state, mine, true),
          () => mine === asking,
        );
      if (isAgain && found.provisional) return;
      draw(found, state);
      learned();
      announce(spoken(found, state.game, isSecret()));
    } catch (error) {
      if (superseded(error) || mine !== asking) return;
      place.removeAttribute("aria-busy");
      place.replaceChildren(h("p", { class: "soft" }, "There are no guesses to suggest here."));
      status.textContent = "";
      note.replaceChildren(problemNote(error));
      blame(error.problem?.row ? { row: error.problem.row } : null);
      await explain(state, mine);
    }
  }

  /** Say of a row that the known answer does not fit. Returns whether there is one. @param {State} state */
  function tellUnlike(state) {
    const rows = rowsTo(state.root, state.at);
    const unlike = byAnswers(state, rows);
    if (!unlike) return false;
    blame(unlike);
    const guesses = [...rows.map(({ guess }) => guess), ...state.answers.filter(Boolean)];
    const where = state.boards > 1 ? ` of board ${unlike.board + 1}` : "";
    tell(
      `Row ${unlike.row}${where} does not fit`,
      worded(state.game, unlike.says, guesses),
      unlike.places.length ? "The marked tiles differ. Click them, or undo." : "",
    );
    return true;
  }

  const tell = (/** @type {string} */ head, /** @type {any} */ says, /** @type {string} */ marked) =>
    note.replaceChildren(
      h(
        "div",
        { class: "problem stack", role: "alert" },
        h("h2", {}, head),
        h("p", {}, says),
        marked ? h("p", { class: "soft small" }, marked) : null,
      ),
    );

  /** Say which row does not fit the answer, or which row and letters contradict the others, where that is the problem. */
  async function explain(/** @type {State} */ state, /** @type {number} */ mine) {
    const rows = rowsTo(state.root, state.at);
    for (let board = 0; board < state.boards; board += 1) {
      const { contradiction } = await question("/check", asked(state, rows, board), {}).catch(() => ({}));
      if (mine !== asking) return;
      if (!contradiction) continue;
      place.replaceChildren(h("p", { class: "soft" }, `No ${nounOf(state.game)} fits these rows.`));
      if (tellUnlike(state)) return; // what is known beats what is likely
      blame({ ...contradiction, board });
      tell(
        `No ${nounOf(state.game)} fits these rows`,
        sentence(contradiction.message),
        "The marked tiles are the likeliest slip. Click them, or undo.",
      );
      return;
    }
  }

  function draw(/** @type {any} */ found, /** @type {State} */ state) {
    note.replaceChildren();
    blame(null);
    tellUnlike(state);
    place.removeAttribute("aria-busy");
    if (found.solved) {
      const took = count(state.at.length, "guess", "guesses");
      status.textContent = `Solved in ${took}.`;
      place.replaceChildren(
        h("h2", {}, "Solved."),
        h("p", {}, `It took ${took}.`),
        h(
          "div",
          {},
          h("button", { type: "button", class: "button primary", onclick: review }, "Review this game"),
        ),
      );
      return;
    }
    const guesses =
      state.boards > 1 ? found.guesses : ranked(asked(state, rowsTo(state.root, state.at)), found.guesses);
    const [best] = guesses;
    status.replaceChildren(
      leftText(found.candidates, state.game),
      ...(best && !isSecret() ? [state.boards > 1 ? " · best for all boards " : " · best ", h("b", { class: "word" }, faceOfGuess(state.game, best.guess))] : []),
    );
    place.replaceChildren(...ranking({ ...found, guesses }, tryWord, state.game));
  }

  const askSoon = debounced(
    (/** @type {State} */ state, /** @type {number} */ mine, /** @type {() => void} */ then) => {
      if (mine !== asking) return;
      then();
      ask(state, mine);
    },
    SOON,
  );

  /** Ask about a state; what is known shows at once. `then` is done when the position holds for a moment. */
  return (/** @type {State} */ state, /** @type {() => void} */ then) => {
    asking += 1;
    const { path, body } = questionOf(state);
    const known = remembered(path, body);
    if (known) {
      draw(known, state);
      then();
    } else {
      place.setAttribute("aria-busy", "true");
      askSoon(state, asking, then);
    }
  };
}

function spoken({ solved, candidates, guesses, provisional }, /** @type {any} */ game, isSecret = false) {
  if (solved) return "Solved.";
  const left = leftText(candidates, game);
  if (isSecret) return `${left}.`;
  return `${left}. Best guess: ${guesses[0]?.guess ?? "none"}.${provisional ? ` ${PROVISIONAL}` : ""}`;
}

// A whole game put in at once: its words and the answer, or a shared grid, whose words are found where it has none.

import { post } from "../api.js";
import { field, h, problemNote } from "../dom.js";
import { nounOf } from "../games.js";
import { blanks } from "./blanks.js";
import { answerIn, readPasted } from "./pasted.js";

const EXAMPLES = {
  word: "salet courd whirl\nor a grid:\n⬛🟨⬛⬛🟩 salet\n🟩🟩🟩🟩🟩 …",
  code: "1234 5612 3516\nor with what each got:\n1234:1,2 …",
};

/**
 * Return the form, and what words it for a game.
 * @param {{
 *   game: () => any, opened: (game: any, rows: { guess: string, feedback: string }[], answer: string) => void,
 *   offered: (game: any) => void,
 * }} actions game: which game is meant; opened: what is done with the game that was put in; offered: which game is on
 *   offer, with words that are still to be filled in; null for none
 * @returns {{ element: HTMLElement, draw: (game: any) => void }}
 */
export function enterForm({ game, opened, offered }) {
  const text = h("textarea", {
    spellcheck: "false",
    autocapitalize: "none",
  });
  const answer = h("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 12,
    placeholder: "if you know it",
  });
  const label = h("span", {});
  const found = h("div", { class: "stack" });
  const keeping = h(
    "div",
    {},
    h("button", { type: "button", class: "link small", onclick: withdraw }, "Never mind this grid"),
  );

  function withdraw() {
    found.replaceChildren();
    offered(null);
    text.focus();
  }

  async function submit(/** @type {Event} */ event) {
    event?.preventDefault();
    const pasted = text.value.trim();
    const given = answer.value.trim().toLowerCase();
    if (!pasted) {
      found.replaceChildren(problemNote(new Error(`type the ${nounOf(game())}s that were guessed, or paste a grid`)));
      return;
    }
    offered(null);
    /** @type {import("./pasted.js").Pasted} */
    let read;
    try {
      read = readPasted(pasted, game());
    } catch (error) {
      found.replaceChildren(problemNote(error));
      return;
    }
    const last = given || (read.rows ? answerIn(read.rows, game()) : "");
    found.setAttribute("aria-busy", "true");
    try {
      const { isGrid, ...played } = read;
      if (isGrid) throw new Error("the text has colours without words");
      const review = await post("/review", { game: game(), ...played, ...(last ? { answer: last } : {}) });
      done(
        game(),
        review.moves.map(({ guess, feedback }) => ({ guess, feedback })),
        last || (review.answer ?? ""),
      );
    } catch (error) {
      if (!read.text) found.replaceChildren(problemNote(error));
      else await fit(pasted, given, error);
    } finally {
      found.removeAttribute("aria-busy");
    }
  }

  /** Offer the words that fit a grid without words. */
  async function fit(/** @type {string} */ pasted, /** @type {string} */ given, /** @type {Error} */ error) {
    // The lists are told apart by what fits; a game of another kind, or of own words, is meant as it is.
    const meant = game().words && !game().words.startsWith("frequent:") ? {} : { game: game() };
    const ask = (/** @type {any} */ more, /** @type {string} */ answer) =>
      post("/fit", { text: pasted, ...more, ...(answer ? { answer } : {}) });
    try {
      const { games } = await ask(meant, given);
      if (!games.some(({ rows }) => rows.length)) throw error;
      const fits = games.find((one) => one.fits);
      offered(fits?.game ?? null);
      found.replaceChildren(
        fits ? keeping : "",
        blanks(games, { opened: done, fit: async (of, answer) => (await ask({ game: of }, answer)).games[0] }),
      );
    } catch {
      found.replaceChildren(problemNote(error));
    }
  }

  /** @type {typeof opened} */
  function done(of, rows, last) {
    offered(null);
    found.replaceChildren();
    text.value = "";
    answer.value = "";
    opened(of, rows, last);
  }

  const element = h(
    "form",
    { class: "stack enter-game", onsubmit: submit },
    field(label, text),
    field("The answer", answer),
    h("div", { class: "cluster" }, h("button", { class: "button primary" }, "Put it on the board")),
    found,
  );

  function draw(/** @type {any} */ of) {
    label.textContent = `The ${nounOf(of)}s you guessed, or a shared grid`;
    text.placeholder = EXAMPLES[nounOf(of)];
  }
  return { element, draw };
}

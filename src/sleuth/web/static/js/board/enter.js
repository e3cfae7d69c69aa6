// A whole game put in at once: its words and the answer, or a shared grid, whose words are found where it has none.

import { post } from "../api.js";
import { count, field, h, problemNote, sentence } from "../dom.js";
import { shownFeedback } from "./marks.js";

const SQUARES = /[\u{1F7E5}-\u{1F7EB}\u{2B1B}\u{2B1C}⚫⚪➖]/u;

/**
 * Return the form.
 * @param {{ game: () => any, opened: (game: any, rows: { guess: string, feedback: string }[], answer: string) => void }} actions
 *   game: which game is meant; opened: what is done with the game that was put in
 */
export function enterForm({ game, opened }) {
  const text = h("textarea", {
    spellcheck: "false",
    autocapitalize: "none",
    placeholder: "salet courd whirl\nor a grid:\n⬛🟨⬛⬛🟩 salet\n🟩🟩🟩🟩🟩 …",
  });
  const answer = h("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 12,
    placeholder: "if you know it",
  });
  const found = h("div", { class: "stack" });

  async function submit(/** @type {Event} */ event) {
    event?.preventDefault();
    const pasted = text.value.trim();
    const given = answer.value.trim().toLowerCase();
    if (!pasted) {
      found.replaceChildren(problemNote(new Error("type the words that were guessed, or paste a grid")));
      return;
    }
    const isGrid = SQUARES.test(pasted);
    // Words alone: a game as a rule ends with its answer.
    const words = pasted.toLowerCase().split(/[\s,;]+/);
    const last = given || (!isGrid && !pasted.includes(":") && words.length > 1 ? words.at(-1) : "");
    found.setAttribute("aria-busy", "true");
    try {
      const review = await post("/review", { game: game(), text: pasted, ...(last ? { answer: last } : {}) });
      found.replaceChildren();
      text.value = "";
      opened(
        game(),
        review.moves.map(({ guess, feedback }) => ({ guess, feedback })),
        last || (review.answer ?? ""),
      );
    } catch (error) {
      if (!isGrid) found.replaceChildren(problemNote(error));
      else await fit(pasted, given, error);
    } finally {
      found.removeAttribute("aria-busy");
    }
  }

  /** Offer the words that fit a grid without words. */
  async function fit(pasted, given, error) {
    try {
      // The lists are told apart by what fits; a game of another kind, or of own words, is meant as it is.
      const meant = game().words && !game().words.startsWith("frequent:") ? {} : { game: game() };
      const { games } = await post("/fit", { text: pasted, ...meant, ...(given ? { answer: given } : {}) });
      if (!games.some(({ rows }) => rows.length)) throw error;
      found.replaceChildren(blanks(games, pasted));
    } catch {
      found.replaceChildren(problemNote(error));
    }
  }

  function blanks(games, pasted) {
    const fitting = games.filter(({ fits }) => fits);
    const place = h("div", { class: "stack" });
    const show = (one) => place.replaceChildren(...rowsOf(one, pasted));
    show(fitting[0] ?? games[0]);
    const choice = h(
      "fieldset",
      {},
      h("legend", {}, "Which words were played?"),
      games.map((one, i) =>
        h(
          "label",
          { class: "list-choice" },
          h("input", {
            type: "radio",
            name: "fitting-list",
            checked: one === (fitting[0] ?? games[0]),
            disabled: !one.fits,
            value: i,
            onchange: () => show(one),
          }),
          one.title.charAt(0).toUpperCase() + one.title.slice(1),
          one.fits ? null : h("span", { class: "soft small" }, ` ${sentence(one.why ?? "does not fit")}`),
        ),
      ),
    );
    return h("div", { class: "stack fitting" }, games.length > 1 ? choice : null, place);
  }

  /** Return the rows of a grid as blanks, with the words that fit each. */
  function rowsOf({ game: which, rows }, pasted) {
    const inputs = rows.map((_, i) =>
      h("input", {
        type: "text",
        autocomplete: "off",
        autocapitalize: "none",
        spellcheck: "false",
        "aria-label": `Word of row ${i + 1}`,
        class: "blank",
      }),
    );
    const put = () => {
      const played = rows.map(({ feedback }, i) => ({
        guess: inputs[i].value.trim().toLowerCase(),
        feedback,
      }));
      if (played.some(({ guess }) => !guess)) {
        note.textContent = "Fill every row.";
        inputs.find(({ value }) => !value.trim()).focus();
        return;
      }
      const solved = played.at(-1);
      opened(
        which,
        played,
        answer.value.trim().toLowerCase() || (/^g+$/.test(solved.feedback) ? solved.guess : ""),
      );
      found.replaceChildren();
      text.value = "";
    };
    const note = h("p", { class: "soft small", role: "status" });
    const again = async () => {
      answer.value = inputs.at(-1).value;
      await fit(pasted, answer.value, new Error(`${answer.value} does not fit this grid`));
    };
    return [
      h(
        "p",
        { class: "soft small" },
        "The grid has no words. Press the ones you played, or type them; the answer first narrows the others.",
      ),
      h(
        "ol",
        { class: "stack blanks" },
        rows.map(({ feedback, count: many, words }, i) =>
          h(
            "li",
            { class: "stack" },
            h(
              "div",
              { class: "cluster" },
              shownFeedback(which, feedback),
              inputs[i],
              h("span", { class: "soft small" }, count(many, "word fits", "words fit")),
            ),
            h(
              "div",
              { class: "chips fit-words" },
              words.slice(0, 24).map((word) =>
                h(
                  "button",
                  {
                    type: "button",
                    class: "chip",
                    onclick: () => {
                      inputs[i].value = word;
                      if (/^g+$/.test(feedback) && !answer.value && rows.length > 1) again();
                    },
                  },
                  h("span", { class: "word" }, word),
                ),
              ),
            ),
          ),
        ),
      ),
      note,
      h("div", {}, h("button", { type: "button", class: "button primary", onclick: put }, "Open this game")),
    ];
  }

  return h(
    "form",
    { class: "stack enter-game", onsubmit: submit },
    field("The words you guessed, or a shared grid", text),
    field("The answer", answer),
    h("div", { class: "cluster" }, h("button", { class: "button primary" }, "Put it on the board")),
    found,
  );
}

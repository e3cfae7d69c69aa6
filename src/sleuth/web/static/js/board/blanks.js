// A grid without words: a blank for each row, with the words that fit it.

import { count, grouped, h, sentence } from "../dom.js";
import { shownFeedback } from "./marks.js";

const OFFERED = 24;
const isRight = (/** @type {string} */ feedback) => /^g+$/.test(feedback);

/**
 * Return the blanks of a grid that fits some games; the first that fits is meant until another is chosen.
 * @param {any[]} games as /fit tells them
 * @param {{
 *   words: string[], opened: (game: any, rows: { guess: string, feedback: string }[], answer: string) => void,
 *   narrow: (answer: string, filled: () => string[]) => void,
 * }} options words: what is filled already, by row. opened: all are. narrow: the answer was chosen; filled:
 *   what is filled then
 */
export function blanks(games, { words, opened, narrow }) {
  const place = h("div", { class: "stack" });
  const meant = games.find(({ fits }) => fits);

  function show(/** @type {any} */ { game, rows, answers }) {
    const note = h("p", { class: "soft small", role: "status" });
    const inputs = rows.map(({ feedback }, /** @type {number} */ i) =>
      h("input", {
        type: "text",
        autocomplete: "off",
        autocapitalize: "none",
        spellcheck: "false",
        "aria-label": `Word of row ${i + 1}`,
        class: "blank",
        value: words[i] || (isRight(feedback) && answers.count === 1 ? answers.words[0] : ""),
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          put();
        },
      }),
    );
    const filled = () => inputs.map(({ value }) => value.trim().toLowerCase());

    function put() {
      const made = filled().map((guess, i) => ({ guess, feedback: rows[i].feedback }));
      const empty = made.findIndex(({ guess }) => !guess);
      if (empty >= 0) {
        note.textContent = "Fill every row.";
        inputs[empty].focus();
      } else opened(game, made, made.find(({ feedback }) => isRight(feedback))?.guess ?? "");
    }

    function choose(/** @type {number} */ i, /** @type {string} */ word) {
      inputs[i].value = word;
      if (isRight(rows[i].feedback) && answers.count > 1) narrow(word, filled);
    }

    place.replaceChildren(
      h(
        "p",
        { class: "soft small" },
        "The grid has no words. Press the ones you played, or type them; ",
        answers.count > 1
          ? `${count(answers.count, "answer fits", "answers fit")}, and choosing it narrows the others.`
          : "one answer fits.",
      ),
      h(
        "ol",
        { class: "stack blanks" },
        rows.map((/** @type {any} */ { feedback, count: many, words: fitting }, /** @type {number} */ i) =>
          h(
            "li",
            { class: "stack" },
            h(
              "div",
              { class: "cluster" },
              shownFeedback(game, feedback),
              inputs[i],
              h("span", { class: "soft small" }, count(many, "word fits", "words fit")),
            ),
            h(
              "div",
              { class: "chips fit-words" },
              fitting
                .slice(0, OFFERED)
                .map((/** @type {string} */ word) =>
                  h(
                    "button",
                    { type: "button", class: "chip", onclick: () => choose(i, word) },
                    h("span", { class: "word" }, word),
                  ),
                ),
            ),
          ),
        ),
      ),
      note,
      h("div", {}, h("button", { type: "button", class: "button primary", onclick: put }, "Open this game")),
    );
  }

  if (!meant) {
    const [{ why }] = games;
    return h(
      "p",
      { class: "problem", role: "alert" },
      `No words give these colours: look at the grid once more. ${grouped(sentence(why))}`,
    );
  }
  show(meant);
  const choice = h(
    "fieldset",
    {},
    h("legend", {}, "Which words were played?"),
    games.map((one) =>
      h(
        "label",
        { class: "list-choice" },
        h("input", {
          type: "radio",
          name: "fitting-list",
          checked: one === meant,
          disabled: !one.fits,
          onchange: () => show(one),
        }),
        grouped(one.title.charAt(0).toUpperCase() + one.title.slice(1)),
        one.fits ? null : h("span", { class: "soft small" }, ` ${sentence(one.why ?? "does not fit")}`),
      ),
    ),
  );
  return h("div", { class: "stack fitting" }, games.length > 1 ? choice : null, place);
}

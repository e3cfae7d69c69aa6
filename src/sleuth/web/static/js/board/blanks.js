// A grid without words: a blank for each row, with the words that fit it.

import { count, grouped, h, problemNote, sentence } from "../dom.js";
import { lengthOf } from "../games.js";
import { unknownWord } from "../unknown.js";
import { feedbackOf } from "./feedback.js";
import { shownFeedback } from "./marks.js";

const OFFERED = 24;
const isRight = (/** @type {string} */ feedback) => /^g+$/.test(feedback);

/** Return why a word cannot be that of a row, "" where it can. answer: "" where it is not known
 * @param {any} game @param {string} feedback @param {string} word @param {string} answer */
async function whyNot(game, feedback, word, answer) {
  const unknown = await unknownWord(game, [word]);
  if (unknown) return unknown;
  return answer && feedbackOf(game, word, answer) !== feedback
    ? `${word} does not get that when ${answer} is the answer`
    : "";
}

/**
 * Return the blanks of a grid that fits some games; the first that fits is meant until another is chosen.
 * @param {any[]} games as /fit tells them
 * @param {{
 *   opened: (game: any, rows: { guess: string, feedback: string }[], answer: string) => void,
 *   fit: (game: any, answer: string) => Promise<any>,
 * }} actions opened: all are filled. fit: asks what fits one game where the answer is known, or "" again
 */
export function blanks(games, { opened, fit }) {
  const place = h("div", { class: "stack" });
  const meant = games.find(({ fits }) => fits);
  /** @type {string[]} */
  let words = []; // what is filled in, by row, whichever list is meant
  let asking = 0;

  function show(/** @type {any} */ one) {
    const { game, rows } = one;
    const right = rows.findIndex((/** @type {any} */ { feedback }) => isRight(feedback));
    let narrowed = ""; // the answer that the words on offer are for
    const lead = h("p", { class: "soft small" });
    const note = h("p", { class: "soft small", role: "status" });
    const parts = rows.map((/** @type {any} */ { feedback }, /** @type {number} */ i) => ({
      feedback,
      input: h("input", {
        type: "text",
        autocomplete: "off",
        autocapitalize: "none",
        spellcheck: "false",
        "aria-label": `Word of row ${i + 1}`,
        class: "blank",
        value: words[i] || (i === right && one.answers.count === 1 ? one.answers.words[0] : ""),
        oninput: () => filled(i),
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          if (!goOn()) put();
        },
      }),
      many: h("span", { class: "soft small" }),
      problem: h("div", { role: "status" }),
      chips: h("div", { class: "chips fit-words" }),
    }));
    const wordIn = (/** @type {number} */ i) => parts[i]?.input.value.trim().toLowerCase() ?? "";

    /** Go to the first row that is empty; return whether there is one. */
    function goOn() {
      const empty = parts.find((_, /** @type {number} */ i) => !wordIn(i));
      empty?.input.focus();
      return Boolean(empty);
    }

    /** Say at a row why its word cannot be, or that nothing is wrong with it. */
    function tell(/** @type {number} */ i, /** @type {string} */ why) {
      parts[i].problem.replaceChildren(why ? h("p", { class: "problem small" }, grouped(sentence(why))) : "");
      if (why) parts[i].input.setAttribute("aria-invalid", "true");
      else parts[i].input.removeAttribute("aria-invalid");
    }

    /** Offer the words that fit. */
    function offer(/** @type {any} */ { answers, rows: fitting }) {
      lead.textContent = `The grid has no words. Press the ones you played, or type them; ${
        answers.count > 1
          ? `${count(answers.count, "answer fits", "answers fit")}, and choosing it narrows the others.`
          : "one answer fits."
      }`;
      for (const [i, { count: many, words: listed }] of fitting.entries()) {
        parts[i].many.textContent = count(many, "word fits", "words fit");
        parts[i].chips.replaceChildren(
          ...listed
            .slice(0, OFFERED)
            .map((/** @type {string} */ word) =>
              h(
                "button",
                { type: "button", class: "chip", onclick: () => choose(i, word) },
                h("span", { class: "word" }, word),
              ),
            ),
        );
      }
    }

    /** Offer what fits the answer that was filled in; return why it cannot be, "" where it can. */
    async function narrow() {
      const answer = wordIn(right);
      if (answer === narrowed) return "";
      asking += 1;
      const mine = asking;
      const found = answer ? await fit(game, answer) : one;
      if (mine !== asking || !found.fits) return found.why ?? "";
      narrowed = answer;
      offer(found);
      return "";
    }

    /** Look at a row once its word is whole, or gone. */
    async function filled(/** @type {number} */ i) {
      words = parts.map((_, /** @type {number} */ row) => wordIn(row));
      note.replaceChildren();
      tell(i, "");
      const word = words[i];
      if (word && [...word].length !== lengthOf(game)) return;
      try {
        const why = i === right ? await narrow() : word ? await whyNot(game, parts[i].feedback, word, narrowed) : "";
        if (wordIn(i) === word) tell(i, why);
      } catch (error) {
        note.replaceChildren(problemNote(error));
      }
    }

    function choose(/** @type {number} */ i, /** @type {string} */ word) {
      parts[i].input.value = word;
      if (i === right) goOn(); // what was pressed goes
      filled(i);
    }

    async function put() {
      const made = parts.map(({ feedback }, /** @type {number} */ i) => ({ guess: wordIn(i), feedback }));
      if (goOn()) {
        note.textContent = "Fill every row.";
        return;
      }
      try {
        const order = [...made.keys()].sort((a, b) => Number(b === right) - Number(a === right));
        for (const i of order) {
          const { guess, feedback } = made[i];
          const why = i === right ? await narrow() : await whyNot(game, feedback, guess, made[right]?.guess ?? "");
          tell(i, why);
          if (why) {
            parts[i].input.focus();
            return;
          }
        }
        opened(game, made, made[right]?.guess ?? "");
      } catch (error) {
        note.replaceChildren(problemNote(error));
      }
    }

    place.replaceChildren(
      lead,
      h(
        "ol",
        { class: "stack blanks" },
        parts.map(({ feedback, input, many, problem, chips }) =>
          h(
            "li",
            { class: "stack" },
            h("div", { class: "cluster" }, shownFeedback(game, feedback), input, many),
            problem,
            chips,
          ),
        ),
      ),
      note,
      h("div", {}, h("button", { type: "button", class: "button primary", onclick: put }, "Open this game")),
    );
    offer(one);
    if (one.answers.count === 1) narrowed = wordIn(right);
    else if (wordIn(right)) filled(right);
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

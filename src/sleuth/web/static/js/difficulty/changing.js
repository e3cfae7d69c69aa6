// The form for other words in a list: what is added, what is taken out, and both beside each other.

import { announce, field, h } from "../dom.js";
import { isChange, wordsOf } from "./question.js";

/** @typedef {import("./question.js").Question} Question */

/**
 * Return the form, and `take`, which writes a word into it that is to be taken out.
 *
 * @param {Question} question
 * @param {(question: Question) => void} asked
 */
export function changing(question, asked) {
  const area = (/** @type {string[]} */ words) =>
    h("textarea", { value: words.join("\n"), spellcheck: "false", autocapitalize: "none", placeholder: "one word a line" });
  const [add, remove] = [area(question.add), area(question.remove)];
  const problem = h("p", { class: "small soft", role: "alert" });
  const element = h(
    "form",
    {
      class: "card stack changing",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const next = { ...question, add: wordsOf(add.value), remove: wordsOf(remove.value) };
        problem.textContent = isChange(next) || isChange(question) ? "" : "Give a word to add or to take out.";
        if (!problem.textContent) asked(next);
      },
    },
    h("h2", {}, "Change the list"),
    h("p", { class: "soft small" }, "The list before and after, side by side: words that are added may be guessed too."),
    h("div", { class: "two" }, field("Words to add", add), field("Words to take out", remove)),
    problem,
    h(
      "div",
      { class: "cluster" },
      h("button", { class: "button primary" }, "Before and after"),
      isChange(question)
        ? h(
            "button",
            { type: "button", class: "button", onclick: () => asked({ ...question, add: [], remove: [] }) },
            "Without the change",
          )
        : null,
    ),
  );
  return {
    element,
    take(/** @type {string} */ word) {
      const added = wordsOf(add.value);
      if (added.includes(word)) add.value = added.filter((one) => one !== word).join("\n");
      else remove.value = [...new Set([...wordsOf(remove.value), word])].join("\n");
      announce(`${word} is to be taken out, see Change the list`);
    },
  };
}

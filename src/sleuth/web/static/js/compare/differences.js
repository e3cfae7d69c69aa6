// Where two strategies differ, answer by answer.

import { bar, count, field, h, percent, select, whole } from "../dom.js";
import { scrolled } from "../tables.js";

/** @typedef {import("./kept.js").Report} Report */
/**
 * @typedef {{ answer: string, first: number, second: number, by: number }} Duel
 *   The guesses of two for an answer; `by`: how many more the second takes.
 */

const SHOWN = 12;

/**
 * Return the guesses of two reports for each answer, the greatest differences first.
 *
 * @param {string[]} answers
 * @param {number[]} first
 * @param {number[]} second
 * @returns {Duel[]}
 */
export function duels(answers, first, second) {
  return answers
    .map((answer, i) => ({ answer, first: first[i], second: second[i], by: second[i] - first[i] }))
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by));
}

/**
 * Return a card that says where strategies differ, any two of them at a time.
 *
 * @param {string[]} answers
 * @param {Report[]} reports
 * @param {string[]} titles
 */
export function differences(answers, reports, titles) {
  let [one, other] = [0, 1];
  const inside = h("div", { class: "stack" });
  const choose = (
    /** @type {string} */ label,
    /** @type {number} */ at,
    /** @type {(n: number) => void} */ set,
  ) =>
    field(
      label,
      select(
        titles.map((title, i) => [i, title]),
        at,
        (/** @type {any} */ event) => {
          set(Number(event.target.value));
          draw();
        },
      ),
    );
  const pair = h(
    "div",
    { class: "two" },
    choose("This one", one, (n) => {
      one = n;
    }),
    choose("against", other, (n) => {
      other = n;
    }),
  );
  function draw() {
    inside.replaceChildren(
      one === other
        ? h("p", { class: "soft" }, "Choose two that are not the same.")
        : duel(
            duels(answers, reports[one].turns, reports[other].turns),
            [titles[one], titles[other]],
            [`series-${one + 1}`, `series-${other + 1}`],
          ),
    );
  }
  draw();
  return h(
    "section",
    { class: "card stack differences" },
    h("h2", {}, "Where do they differ?"),
    reports.length > 2 ? pair : null,
    inside,
  );
}

/**
 * Return how two differ: in a sentence, by how much, and the answers of any one difference.
 *
 * @param {Duel[]} all
 * @param {[string, string]} titles
 * @param {[string, string]} series  the classes of their colours
 */
function duel(all, [first, second], [firstSeries, secondSeries]) {
  /** @type {number | null} */
  let chosen = null; // null: all that differ
  let shown = SHOWN;
  const tallies = new Map();
  for (const { by } of all) tallies.set(by, (tallies.get(by) ?? 0) + 1);
  const most = Math.max(...tallies.values());
  const wins = all.filter(({ by }) => by > 0).length;
  const losses = all.filter(({ by }) => by < 0).length;
  const words = (/** @type {number} */ by) =>
    by === 0 ? "As many" : `${by > 0 ? first : second}: ${Math.abs(by)}\u00a0fewer`;

  const search = h("input", {
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "letters in a row, such as st",
    oninput: () => {
      shown = SHOWN;
      list();
    },
  });
  const body = h("tbody", {});
  const caption = h("p", { class: "soft small", role: "status" });
  const more = h(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => {
        shown += 8 * SHOWN;
        list();
      },
    },
    "Show more",
  );
  const buttons = [...tallies.keys()]
    .sort((a, b) => b - a)
    .map((by) => {
      const button = h(
        "button",
        {
          type: "button",
          class: `tally ${by > 0 ? firstSeries : by < 0 ? secondSeries : ""}`,
          "aria-pressed": "false",
          onclick: () => {
            chosen = chosen === by ? null : by;
            shown = SHOWN;
            for (const one of buttons)
              one.setAttribute("aria-pressed", String(one === button && chosen === by));
            list();
          },
        },
        h("span", {}, words(by)),
        bar(tallies.get(by) / most),
        h("b", {}, whole(tallies.get(by))),
      );
      return button;
    });

  function list() {
    const letters = search.value.trim().toLowerCase();
    const found = all.filter(
      (one) => (chosen === null ? one.by !== 0 : one.by === chosen) && one.answer.includes(letters),
    );
    body.replaceChildren(
      ...found
        .slice(0, shown)
        .map((one) =>
          h(
            "tr",
            {},
            h("th", { scope: "row", class: "word" }, one.answer),
            h("td", { class: one.by > 0 ? "fewer" : "" }, String(one.first)),
            h("td", { class: one.by < 0 ? "fewer" : "" }, String(one.second)),
          ),
        ),
    );
    const what = chosen === null ? "that differ" : chosen === 0 ? "that take as many" : "of this difference";
    caption.textContent = found.length
      ? `${whole(Math.min(shown, found.length))} of ${count(found.length, "answer")} ${what}.`
      : letters
        ? "No such answer has these letters."
        : "They take as many guesses for every answer.";
    more.hidden = found.length <= shown;
  }
  list();
  return h(
    "div",
    { class: "stack" },
    h(
      "p",
      {},
      `“${first}” needs fewer guesses for ${count(wins, "answer")} (${percent(wins / all.length)}), `,
      `“${second}” for ${whole(losses)} (${percent(losses / all.length)}); `,
      `${whole(all.length - wins - losses)} take as many.`,
    ),
    h(
      "div",
      { class: "by-answer" },
      h("div", { class: "tallies", role: "group", "aria-label": "Show only" }, buttons),
      h(
        "div",
        { class: "stack" },
        field("Search the answers", search),
        caption,
        scrolled(
          "Answers",
          h(
            "table",
            { class: "plain-table" },
            h("caption", { class: "vh" }, "Guesses that each answer takes"),
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", { scope: "col" }, "Answer"),
                [first, second].map((name) => h("th", { scope: "col" }, name)),
              ),
            ),
            body,
          ),
        ),
        more,
      ),
    ),
  );
}

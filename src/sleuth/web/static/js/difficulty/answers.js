// Every answer of a list in a table: sorted by any column, searched by letters.

import { count, field, fixed, h, percent, whole } from "../dom.js";
import { scrolled, sorting } from "../tables.js";
import { labelOf, nameOf } from "./words.js";

/** @typedef {import("./kept.js").Report} Report */

const SHOWN = 15;

/** Return a number with no more decimals than it needs. */
const figure = (/** @type {number} */ n) => (Number.isInteger(n) || n >= 100 ? whole(Math.round(n)) : fixed(n));

/** Return a card with all answers. */
export function answersCard(/** @type {Report} */ report) {
  /** @type {import("../tables.js").Column[]} */
  const columns = [
    { name: "Word", key: (row) => row.answer },
    ...report.players.map((player) => ({
      name: nameOf(player),
      why: `Guesses that it takes, on average over all games with the word.`,
      key: (/** @type {any} */ row) => row[`${player.player} guesses`],
      falls: true,
    })),
    { name: "Lost", why: "Games with it that the casual player loses.", key: (row) => row["casual lost"], falls: true },
    ...(report.language
      ? [
          {
            name: "In a million",
            why: "How often it is written among a million words.",
            key: (/** @type {any} */ row) => row.frequency,
            falls: true,
          },
        ]
      : []),
    { name: "Family", why: "Words that differ from it in one letter.", key: (row) => row["family words"], falls: true },
    { name: "Unfair", key: (row) => row.unfair, falls: true },
  ];
  let shown = SHOWN;
  const search = h("input", {
    type: "search",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    placeholder: "letters in a row, such as igh",
    oninput: () => {
      shown = SHOWN;
      list();
    },
  });
  const { heads, sorted } = sorting(columns, list);
  const body = h("tbody", {});
  const said = h("p", { class: "soft small", role: "status" });
  const more = h(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => {
        shown += 100;
        list();
      },
    },
    "Show more",
  );

  function list() {
    const letters = search.value.trim().toLowerCase();
    const found = report.answers.filter(({ answer }) => answer.includes(letters));
    body.replaceChildren(...sorted(found).slice(0, shown).map(row));
    said.textContent = found.length
      ? `${whole(Math.min(shown, found.length))} of ${count(found.length, "word")}.`
      : "No word has these letters.";
    more.hidden = found.length <= shown;
  }

  const row = (/** @type {Record<string, any>} */ one) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", class: "word" }, one.answer),
      report.players.map(({ player }) => h("td", {}, figure(one[`${player} guesses`]))),
      h("td", {}, percent(one["casual lost"])),
      report.language ? h("td", {}, figure(one.frequency * 1e6)) : null,
      h("td", {}, one.family ? `${labelOf({ pattern: one.family })} ${one["family words"]}` : ""),
      h("td", {}, one.unfair ? "unfair" : ""),
    );

  list();
  return h(
    "section",
    { class: "card stack answers" },
    h("h2", {}, "All words"),
    h("div", { class: "answers-search" }, field("Search the words", search)),
    said,
    scrolled(
      "All words",
      h(
        "table",
        { class: "plain-table answers-table" },
        h("caption", { class: "vh" }, "Guesses that each word takes"),
        h("thead", {}, h("tr", {}, heads)),
        body,
      ),
    ),
    h("div", {}, more),
  );
}

// Records: what is known of the best play in many games, proved or between two bounds.

import { get } from "../api.js";
import { announce, count, field, h, problemNote, select, whole } from "../dom.js";

/**
 * A row of the table, see /api/v1/records.
 * @typedef {{
 *   name: string, title: string, task: string, result: string, mean: string, opener: string | null, status: string,
 *   worst: number | null, answers: number, guesses: number, at_least: number[] | null, cpu_seconds: number | null,
 *   published: string, command: string, digest: string, version: string, game: { game: string },
 * }} Row
 */

const FAMILIES = [
  ["", "All games"],
  ["wordle", "Wordle"],
  ["mastermind", "Mastermind"],
  ["bulls-and-cows", "Bulls and Cows"],
];
const STATUSES = [
  ["", "All"],
  ["proved", "Proved"],
  ["bounds", "Between bounds"],
  ["open", "Open"],
];
/** Heads, and what a column is sorted by; the first is the order of the table. @type {[string, ((row: Row) => any)?][]} */
const COLUMNS = [
  ["Game"],
  ["Result", (row) => row.at_least?.[0] ?? Infinity],
  ["Mean", (row) => Number.parseFloat(row.mean) || Infinity],
  ["First guess"],
  ["Status", (row) => row.status],
  ["Seconds", (row) => row.cpu_seconds ?? Infinity],
  ["Published"],
];

export async function mount(/** @type {HTMLElement} */ section) {
  const place = h("div", { class: "card stack" });
  section.append(
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "How well can it be played?"),
      h(
        "p",
        { class: "lead" },
        "The best play in many games: proved, or between what no strategy goes below and what one reaches. ",
        "Each row opens to the command that finds it again.",
      ),
    ),
    place,
  );
  /** @type {Row[]} */
  let rows = [];
  try {
    rows = (await get("/records")).records;
  } catch (error) {
    place.append(problemNote(error));
    return {};
  }
  const body = h("tbody", {});
  const heads = COLUMNS.map(([name, key], column) =>
    h(
      "th",
      { scope: "col" },
      key ? h("button", { type: "button", class: "sort", onclick: () => sortBy(column) }, name) : name,
    ),
  );
  let sorted = 0;
  const family = select(FAMILIES, "", draw);
  const status = select(STATUSES, "", draw);
  place.append(
    h("div", { class: "cluster" }, field("Games", family), field("Status", status)),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Records, table" },
      h(
        "table",
        { class: "records-table" },
        h("caption", {}, "The least guesses over all answers, unless something else is said"),
        h("thead", {}, h("tr", {}, heads)),
        body,
      ),
    ),
  );
  draw();
  return {};

  /** Sort by a column, or, a second time, as the table is. */
  function sortBy(/** @type {number} */ column) {
    sorted = sorted === column ? 0 : column;
    draw();
  }

  function draw() {
    const chosen = rows.filter(
      (row) => (!family.value || row.game.game === family.value) && (!status.value || row.status === status.value),
    );
    const key = COLUMNS[sorted][1];
    if (key) chosen.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
    heads.forEach((head, column) => {
      if (key && column === sorted) head.setAttribute("aria-sort", "ascending");
      else head.removeAttribute("aria-sort");
    });
    body.replaceChildren(...chosen.map(drawRow));
    announce(count(chosen.length, "record"));
  }
}

function drawRow(/** @type {Row} */ row) {
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h(
        "details",
        {},
        h("summary", {}, row.title, h("span", { class: "soft small" }, row.task)),
        h(
          "dl",
          { class: "small" },
          pair("Name", row.name),
          pair("Size", `${count(row.answers, "answer")}, ${count(row.guesses, "guess", "guesses")}`),
          row.worst === null ? null : pair("Worst case", count(row.worst, "guess", "guesses")),
          pair("Command", h("code", {}, row.command)),
          row.version ? pair("Version", row.version) : null,
          pair("Lists", h("code", {}, row.digest.slice(0, 16))),
        ),
      ),
    ),
    h("td", {}, row.result),
    h("td", {}, row.mean || "–"),
    h("td", {}, row.opener ?? "–"),
    h("td", {}, row.status),
    h("td", {}, row.cpu_seconds === null ? "–" : whole(row.cpu_seconds)),
    h("td", {}, row.published || "–"),
  );
}

const pair = (/** @type {string} */ term, /** @type {string | HTMLElement} */ said) => [
  h("dt", {}, term),
  h("dd", {}, said),
];

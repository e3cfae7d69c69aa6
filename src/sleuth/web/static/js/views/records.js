// Records: what is known of the best play in many games, proved or between two bounds.

import { get } from "../api.js";
import { announce, count, field, h, problemNote, select, whole } from "../dom.js";
import { scrolled, sorting } from "../tables.js";

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
/** @type {Record<string, string>} */
const KNOWN = { proved: "proved", bounds: "between bounds", open: "open" };
/** @type {import("../tables.js").Column[]} */
const COLUMNS = [
  { name: "Game" },
  {
    name: "Result",
    why: "The guesses of all answers together, unless the line below the game asks for something else. Two numbers: the best lies between them.",
    key: (row) => row.at_least?.[0] ?? Infinity,
  },
  {
    name: "Average",
    why: "Guesses for an answer, on average over all of them.",
    key: (row) => Number.parseFloat(row.mean) || Infinity,
  },
  { name: "First guess", why: "The first guess of the best play that was found." },
  {
    name: "Status",
    why: "Proved: no way to play is better. Between bounds: the best lies between the two numbers. Open: not worked out yet.",
    key: (row) => row.status,
  },
  {
    name: "Seconds",
    why: "Seconds of one processor that it took.",
    key: (row) => row.cpu_seconds ?? Infinity,
  },
  { name: "Published", why: "What others have published of it." },
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
        "How few guesses the best play takes in many games. Some are proved: nothing can be better. Of others two numbers are known, ",
        "what nobody can beat and what was reached. Each row opens to the command that works it out again.",
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
  const { heads, sorted } = sorting(COLUMNS, draw);
  const family = select(FAMILIES, "", draw);
  const status = select(STATUSES, "", draw);
  place.append(
    h("div", { class: "records-filters" }, field("Games", family), field("Status", status)),
    scrolled(
      "Records",
      h(
        "table",
        { class: "records-table" },
        h("caption", { class: "vh" }, "What is known of the best play, a game and a question a row"),
        h("thead", {}, h("tr", {}, heads)),
        body,
      ),
    ),
  );
  draw();
  return {};

  function draw() {
    const chosen = rows.filter(
      (row) => (!family.value || row.game.game === family.value) && (!status.value || row.status === status.value),
    );
    body.replaceChildren(...sorted(chosen).map(drawRow));
    announce(count(chosen.length, "record"));
  }
}

function drawRow(/** @type {Row} */ row) {
  const status = KNOWN[row.status];
  const took = row.cpu_seconds === null ? "–" : whole(row.cpu_seconds);
  const published = inThousands(row.published) || "–";
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
          // On a phone these have no columns.
          pair("First guess", row.opener ?? "–", "narrow"),
          pair("Status", status, "narrow"),
          pair("Seconds", took, "narrow"),
          pair("Published", published, "narrow"),
          pair("Command", h("code", {}, row.command)),
          row.version ? pair("Version", row.version) : null,
          pair("Lists", h("code", {}, row.digest.slice(0, 16))),
        ),
      ),
    ),
    h("td", {}, breakable(inThousands(row.result))),
    h("td", {}, row.mean || "–"),
    h("td", {}, row.opener ?? "–"),
    h("td", {}, status),
    h("td", {}, took),
    h("td", {}, published),
  );
}

/** Return a text with the thousands set apart in its numbers; those in brackets are years. */
const inThousands = (/** @type {string} */ text) =>
  text.replace(/\d{4,}(?![^(]*\))/g, (digits) => whole(Number(digits)));

/** Return a text that may be broken after the commas in its numbers: totals of a prior have ten digits. */
const breakable = (/** @type {string} */ text) => text.split(/(?<=,)/).flatMap((part, i) => (i ? [h("wbr"), part] : [part]));

const pair = (/** @type {string} */ term, /** @type {string | HTMLElement} */ said, className = "") => [
  h("dt", { class: className }, term),
  h("dd", { class: className }, said),
];

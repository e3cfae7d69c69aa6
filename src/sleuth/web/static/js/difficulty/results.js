// What came of a list, or of a change of it: sentences, charts, and the words that are to blame.

import { bar, count, fixed, h, percent, whole } from "../dom.js";
import { chartPlace } from "../compare/chart.js";
import { CSV, actions, csv, download } from "../compare/files.js";
import { titleOf } from "../games.js";
import { numbers, scrolled } from "../tables.js";
import { answersCard } from "./answers.js";
import { MADE, headline, headlineOfChange, labelOf, nameOf, remarks } from "./words.js";

/** @typedef {import("./kept.js").Report} Report */
/** @typedef {import("./kept.js").Change} Change */
/** @typedef {import("./kept.js").Measured} Measured */
/** @typedef {import("../compare/chart.js").Series} Series */
/** @typedef {(word: string) => void} Take takes a word out of the list */

const SHOWN = 10;
const LAST = 12; // guesses that the chart shows
const SEEN = 0.0005; // the least share of games that has a column
const language = new Intl.DisplayNames("en", { type: "language" });

/**
 * Return what came of a question, and `drawn`, to be called once it is in the page; `said` is its sentence.
 *
 * @param {Measured} measured
 * @param {boolean} portable  whether the address opens elsewhere too
 * @param {Take} take
 */
export function results(measured, portable, take) {
  const { report } = measured;
  const change = "after" in report ? report : null;
  const now = /** @type {Report} */ (change ? change.after : report);
  const said = change ? headlineOfChange(change) : headline(now);
  const charts = change ? [chartOf(change.before, change), chartOf(change.after, change)] : [chartOf(now)];
  const element = h(
    "div",
    { class: "stack measured" },
    h(
      "section",
      { class: "card stack" },
      h("h2", {}, said),
      h("p", {}, remarks(now)),
      h("p", { class: "soft small" }, aboutOf(measured, now)),
      legend(now),
      h("p", { class: "soft small" }, "Games in per cent, by the guesses that they take:"),
      change
        ? h(
            "div",
            { class: "charts" },
            charts.map(({ element: chart }, i) => h("div", {}, h("h3", {}, i ? "After" : "Before"), chart)),
          )
        : charts[0].element,
      change ? sideBySide(change) : players(now),
      tools(measured, now, portable),
    ),
    h(
      "div",
      { class: "measured-cards" },
      h("div", { class: "stack" }, unfairCard(now, take), familiesCard(now)),
      h("div", { class: "stack" }, change ? movedCard(change) : null, hardestCard(now), openersCard(now)),
    ),
    answersCard(now),
  );
  return { element, said, drawn: () => charts.forEach((one) => one.drawn()) };
}

function aboutOf(/** @type {Measured} */ { question, at }, /** @type {Report} */ now) {
  const { answers, guesses, max_turns: turns, language: code } = now;
  const day = new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  const known = code ? `, who knows how often words are written in ${language.of(code)}` : "";
  return `${titleOf(question.game)}: ${count(answers.length, "word")}, ${whole(guesses)} that may be guessed, ${turns} turns. The casual player is simulated${known}. Measured on ${day}.`;
}

/** Return how the chart shows a player: games in per cent. @returns {Series} */
function seriesOf(/** @type {Report} */ { max_turns }, /** @type {import("./kept.js").Player} */ { mean, histogram }) {
  const seen = Object.entries(histogram).filter(([guesses, share]) => Number(guesses) <= LAST && share >= SEEN);
  return {
    max_turns,
    mean,
    worst: Math.max(...seen.map(([guesses]) => Number(guesses))),
    histogram: Object.fromEntries(seen.map(([guesses, share]) => [guesses, 100 * share])),
  };
}

const seriesOfAll = (/** @type {Report} */ report) => report.players.map((player) => seriesOf(report, player));

/** Return the chart of a report, on the scale of both where it is one side of a change. */
function chartOf(/** @type {Report} */ report, /** @type {Change | null} */ change = null) {
  return chartPlace(
    seriesOfAll(report),
    report.players.map(nameOf),
    `Games by guesses, in per cent. ${headline(report)}`,
    {
      written: (share) => (share > 0 && share < 0.5 ? "<1" : String(Math.round(share))),
      ...(change ? { beside: [change.before, change.after].flatMap(seriesOfAll) } : {}),
    },
  );
}

/** Return what the colours of the charts mean. */
function legend(/** @type {Report} */ report) {
  return h(
    "ul",
    { class: "chart-legend", "aria-label": "What the colours mean" },
    report.players.map((player, i) =>
      h("li", {}, h("span", { class: `swatch series-${i + 1}`, "aria-hidden": "true" }), nameOf(player)),
    ),
  );
}

/** Measures of a player. @type {[name: string, show: (one: import("./kept.js").Player) => string][]} */
const MEASURES = [
  ["Guesses on average", ({ mean }) => fixed(mean, 3)],
  ["Games lost", ({ lost }) => percent(lost)],
  [`Turns for ${MADE}`, ({ turn_limit: turns }) => String(turns)],
];

const head = (/** @type {string} */ text) => h("th", { scope: "col" }, text);

/** Return the players' numbers, a column a player. */
const players = (/** @type {Report} */ report) =>
  numbers(
    "Games against every word",
    report.players.map((player) => head(nameOf(player))),
    MEASURES.map(([name, show]) => [name, report.players.map(show)]),
  );

/** Return the numbers before and after a change. */
function sideBySide(/** @type {Change} */ { before, after }) {
  const both = [before, after];
  const largest = (/** @type {Report} */ { families }) =>
    families.length ? `${labelOf(families[0])} ${families[0].words.length}` : "none";
  const table = (/** @type {string} */ caption, /** @type {import("../tables.js").Row[]} */ rows) =>
    numbers(caption, [head("Before"), head("After")], rows);
  return h(
    "div",
    { class: "tables" },
    table("The list", [
      ["Words", both.map(({ answers }) => whole(answers.length))],
      ["Unfair words", both.map(({ unfair }) => whole(unfair.length))],
      ["Families", both.map(({ families }) => whole(families.length))],
      ["Largest family", both.map(largest)],
      ["Best first guess", both.map(({ openers }) => h("span", { class: "word" }, openers[0]?.guess ?? "–"))],
    ]),
    after.players.map((player, i) =>
      table(
        nameOf(player),
        MEASURES.map(([name, show]) => [name, both.map((one) => show(one.players[i]))]),
      ),
    ),
  );
}

/** Return the buttons that make files, and one for the link. */
function tools(/** @type {Measured} */ { question, report }, /** @type {Report} */ now, /** @type {boolean} */ portable) {
  return actions([
    [
      "Copy link",
      async () => {
        await navigator.clipboard.writeText(location.href);
        return portable ? "Link copied." : "Copied. So many words of your own stay here: it opens in this browser only.";
      },
    ],
    [
      "Words as CSV",
      () => {
        const names = Object.keys(now.answers[0]);
        const rows = now.answers.map((row) => names.map((name) => row[name] ?? ""));
        download("sleuth-difficulty.csv", new Blob([csv([names, ...rows])], { type: CSV }));
        return "Saved.";
      },
    ],
    [
      "Everything as JSON",
      () => {
        const text = JSON.stringify({ asked: { ...question, game: titleOf(question.game) }, ...report }, null, 1);
        download("sleuth-difficulty.json", new Blob([text], { type: "application/json" }));
        return "Saved.";
      },
    ],
  ]);
}

const card = (/** @type {string} */ title, /** @type {string} */ says, /** @type {any[]} */ ...content) =>
  h("section", { class: "card stack" }, h("h2", {}, title), h("p", { class: "soft small" }, says), content);

/** Return an element with its first few children, and a button below it that shows all. */
function shortened(/** @type {HTMLElement} */ parent, /** @type {HTMLElement[]} */ children) {
  parent.append(...children.slice(0, SHOWN));
  if (children.length <= SHOWN) return [parent];
  const more = h(
    "button",
    {
      type: "button",
      class: "link small",
      onclick: () => {
        const [next] = children.slice(SHOWN);
        parent.append(...children.slice(SHOWN));
        more.remove();
        next.setAttribute("tabindex", "-1");
        next.focus();
      },
    },
    `Show all ${whole(children.length)}`,
  );
  return [parent, h("div", {}, more)];
}

function table(/** @type {string} */ name, /** @type {string[]} */ columns, /** @type {HTMLElement[]} */ rows) {
  const [body, ...more] = shortened(h("tbody", {}), rows);
  return [
    scrolled(
      name,
      h("table", { class: "plain-table" }, h("caption", { class: "vh" }, name), h("thead", {}, h(
          "tr",
          {},
          columns.map((name) => (name ? head(name) : h("td", {}))),
        )), body),
    ),
    ...more,
  ];
}

function movedCard(/** @type {Change} */ { moved }) {
  const says = "Guesses of the casual player, who plays the same games before and after.";
  const others = moved.filter(({ before, after }) => fixed(before) !== fixed(after));
  if (!others.length) return card("Words that change most", says, h("p", {}, "No other word changes."));
  return card(
    "Words that change most",
    says,
    table(
      "Words that change most",
      ["Word", "Before", "After"],
      others.map(({ word, before, after }) =>
        h("tr", {}, h("th", { scope: "row", class: "word" }, word), h("td", {}, fixed(before)), h("td", {}, fixed(after))),
      ),
    ),
  );
}

function hardestCard(/** @type {Report} */ { answers }) {
  const hardest = [...answers].sort((a, b) => b["casual guesses"] - a["casual guesses"]).slice(0, SHOWN);
  const most = hardest[0]["casual guesses"];
  return card(
    "Hardest words",
    "By the guesses of the casual player, and the games lost.",
    h(
      "ul",
      { class: "listing" },
      hardest.map((row) =>
        h(
          "li",
          {},
          h("span", { class: "word" }, row.answer),
          bar(row["casual guesses"] / most),
          h("span", {}, `${fixed(row["casual guesses"])}, ${percent(row["casual lost"])} lost`),
        ),
      ),
    ),
  );
}

function unfairCard(/** @type {Report} */ { unfair, answers }, /** @type {Take} */ take) {
  const lost = new Map(answers.map((row) => [row.answer, row["casual lost"]])); // as the other cards have it
  const says = "Words that the casual player loses in more than a third of the games, or that the best play does not find in time.";
  if (!unfair.length) return card("Unfair words", says, h("p", {}, "There are none."));
  return card(
    `Unfair words: ${whole(unfair.length)}`,
    says,
    table(
      "Unfair words",
      ["Word", "Lost", ""],
      unfair.map(({ word, reasons }) =>
        h(
          "tr",
          {},
          h(
            "th",
            { scope: "row" },
            h("span", { class: "word" }, word),
            h("span", { class: "why soft small" }, reasons.join("; ")),
          ),
          h("td", {}, percent(lost.get(word))),
          h(
            "td",
            {},
            h(
              "button",
              { type: "button", class: "link small", "aria-label": `Take out ${word}`, onclick: () => take(word) },
              "Take out",
            ),
          ),
        ),
      ),
    ),
  );
}

function familiesCard(/** @type {Report} */ { families }) {
  const says = "Four words or more that differ in one letter: a guess rules out one or two of them, so that the last ones are luck.";
  if (!families.length) return card("Families", says, h("p", {}, "There are none."));
  return card(
    `Families: ${whole(families.length)}`,
    says,
    shortened(
      h("ul", { class: "families" }),
      families.map((one) =>
        h(
          "li",
          {},
          h("b", { class: "word" }, labelOf(one)),
          ` ${one.words.length} `,
          h("span", { class: "soft" }, one.words.join(", ")),
        ),
      ),
    ),
  );
}

function openersCard(/** @type {Report} */ report) {
  const [best] = report.players;
  return card(
    "Best first guesses",
    best.proved ? "Guesses that the best play takes after them, proved." : "Guesses that the best play found takes after them.",
    table(
      "Best first guesses",
      ["Word", "Guesses"],
      report.openers.map((one) =>
        h("tr", {}, h("th", { scope: "row", class: "word" }, one.guess), h("td", {}, fixed(one.expected_guesses, 3))),
      ),
    ),
  );
}


// What came of a comparison: who is better in a sentence, the chart, the numbers, and files of them.

import { post } from "../api.js";
import { count, fixed, h, problemNote, whole } from "../dom.js";
import { hasMarks, titleOf } from "../games.js";
import { chartPlace } from "./chart.js";
import { numbers } from "../tables.js";
import { titlesOf } from "./contestants.js";
import { differences } from "./differences.js";
import { CSV, actions, answerRows, csv, download, picture, resultRows } from "./files.js";

/** @typedef {import("./kept.js").Comparison} Comparison */
/** @typedef {import("./kept.js").Report} Report */


/** Return who is better, in a sentence. */
export function verdict(/** @type {Report[]} */ reports, /** @type {string[]} */ titles) {
  const order = reports.map((_, i) => i).sort((a, b) => reports[a].mean - reports[b].mean);
  const [best, ...rest] = order;
  const lost = (/** @type {number} */ i) =>
    reports[i].failures ? ` (${count(reports[i].failures, "answer")} lost)` : "";
  const others = rest.map((i) => `“${titles[i]}” ${fixed(reports[i].mean, 3)}${lost(i)}`);
  const takes = `“${titles[best]}” takes ${fixed(reports[best].mean, 3)} guesses on average${lost(best)}`;
  return `${[takes, ...others].join(", ")}.`;
}

/** Return the results of a comparison, and `drawn`, to be called once they are in the page. */
export function results(/** @type {Comparison} */ comparison) {
  const { question, reports } = comparison;
  const titles = titlesOf(question.specs);
  const said = verdict(reports, titles);
  const { element: place, drawn } = chartPlace(
    reports,
    titles,
    `Answers by guesses, as in the tables below. ${said}`,
  );
  const answers = h("div", { class: "stack" });
  const element = h(
    "div",
    { class: "stack comparison" },
    h(
      "section",
      { class: "card stack" },
      h("h2", {}, said),
      h("p", { class: "soft small" }, aboutGame(comparison)),
      legend(comparison, titles),
      place,
      tables(comparison, titles),
      tools(comparison, () => /** @type {SVGSVGElement} */ (place.querySelector("svg"))),
    ),
    answers,
  );
  return {
    element,
    said,
    drawn() {
      drawn();
      if (reports.length > 1) showDifferences();
    },
  };

  async function showDifferences() {
    try {
      answers.replaceChildren(differences(await answersOf(question.game), reports, titles));
    } catch (error) {
      answers.replaceChildren(problemNote(error));
    }
  }
}

/** Return the answers of a game in the order of a report's turns. */
const answersOf = async (/** @type {any} */ game) =>
  /** @type {string[]} */ ((await post("/answers", { game })).answers);

function aboutGame(/** @type {Comparison} */ { question, reports, at }) {
  const { game, opener } = question;
  const answers = `${whole(reports[0].answers)} ${hasMarks(game) ? "answers" : "codes"}`;
  const first = opener ? `, first guess ${opener.toUpperCase()}` : "";
  const day = new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  return `${titleOf(game)}, all ${answers}${first}. Played on ${day}.`;
}

/** Return what the colours of the chart mean. */
function legend(/** @type {Comparison} */ { question, reports }, /** @type {string[]} */ titles) {
  const { optimum } = reports[0];
  return h(
    "ul",
    { class: "chart-legend", "aria-label": "What the colours mean" },
    titles.map((title, i) =>
      h(
        "li",
        {},
        h("span", { class: `swatch series-${i + 1}`, "aria-hidden": "true" }),
        title,
        h("span", { class: "term" }, ` ${question.specs[i]}`),
      ),
    ),
    optimum
      ? h(
          "li",
          {},
          h("span", { class: "swatch dashed", "aria-hidden": "true" }),
          `Best possible for finding every answer, proved: ${fixed(optimum.mean, 4)} `,
          h(
            "span",
            { class: "term" },
            `${whole(optimum.total)} guesses in all, from ${optimum.opener.toUpperCase()}`,
          ),
        )
      : null,
  );
}

const behind = (/** @type {number} */ difference) => (difference === 0 ? "best" : `+${fixed(difference, 4)}`);

/** Return how many guesses more than the best possible there are; that one finds every answer, so that those that lose some
 * are not held against it. */
const aboveBest = (/** @type {Report} */ one) =>
  one.failures ? `loses ${whole(one.failures)}` : whole(one.total - (one.optimum?.total ?? 0));

/** Return the numbers, a column a strategy: how good each is, and how many answers take how many guesses. */
function tables(/** @type {Comparison} */ { question, reports }, /** @type {string[]} */ titles) {
  const best = Math.min(...reports.map(({ mean }) => mean));
  const turns = reports[0].max_turns;
  const last = Math.max(...reports.map(({ worst }) => worst));
  /** @returns {import("../tables.js").Row} */
  const row = (/** @type {string} */ name, /** @type {(one: Report) => any} */ show, explained = "") => [
    name,
    reports.map(show),
    explained,
  ];
  const heads = titles.map((title, i) => h("th", { scope: "col", title: question.specs[i] }, title));
  const table = (/** @type {string} */ caption, /** @type {import("../tables.js").Row[]} */ rows) =>
    numbers(
      caption,
      heads.map((head) => head.cloneNode(true)),
      rows,
    );
  const loses = reports[0].optimum && reports.some(({ failures }) => failures);
  return h(
    "div",
    { class: "tables" },
    loses
      ? h(
          "p",
          { class: "soft small" },
          "The best possible is that of strategies that find every answer in time. One that loses some counts them with the guesses they take, and is not held against it.",
        )
      : null,
    table("Fewer guesses on average is better", [
      row("On average", (one) => h("b", {}, fixed(one.mean, 4)), "mean"),
      row("Behind the best here", (one) => behind(one.mean - best)),
      ...(reports[0].optimum
        ? [row("Above the best possible", aboveBest, "guesses in all, every answer found")]
        : []),
      row("At worst", (one) => String(one.worst)),
      row("Lost", (one) => whole(one.failures), `not in ${turns}`),
      row("First guess", (one) => h("span", { class: "word" }, one.opener ?? "")),
    ]),
    table(
      "Answers by guesses",
      Array.from({ length: last }, (_, i) =>
        row(
          i === 0 ? "1 guess" : `${i + 1} guesses`,
          (one) => whole(one.histogram[i + 1] ?? 0),
          i + 1 > turns ? "lost" : "",
        ),
      ),
    ),
  );
}

/** Return the buttons that make files, and one for the link. */
function tools(/** @type {Comparison} */ comparison, /** @type {() => SVGSVGElement} */ drawing) {
  const { question, reports } = comparison;
  const legendOf = () =>
    titlesOf(question.specs).map(
      (title, i) => `${title}: ${fixed(reports[i].mean, 4)}  (${question.specs[i]})`,
    );
  return actions([
    [
      "Copy link",
      async () => {
        await navigator.clipboard.writeText(location.href);
        return question.game.answers
          ? "Copied. Words of your own stay here: it opens in this browser only."
          : "Link copied.";
      },
    ],
    [
      "Results as CSV",
      () => {
        download("sleuth-compare.csv", new Blob([csv(resultRows(comparison))], { type: CSV }));
        return "Saved.";
      },
    ],
    [
      "Every answer as CSV",
      async () => {
        const answers = await answersOf(question.game);
        download("sleuth-compare-answers.csv", new Blob([csv(answerRows(comparison, answers))], { type: CSV }));
        return "Saved.";
      },
    ],
    [
      "Picture",
      async () => {
        download("sleuth-compare.png", await picture(drawing(), titleOf(question.game), legendOf()));
        return "Saved.";
      },
    ],
  ]);
}

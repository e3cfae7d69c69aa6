// The strategy from here: the whole of it as an icicle, its words, and as a file.

import { Problem } from "../api.js";
import { count, fixed, h, problemNote, whole } from "../dom.js";
import { hasMarks, nounOf } from "../games.js";
import { branchesTo, breadcrumbs, icicle, wordsOf } from "./icicle.js";
import { lossText, shownLoss } from "../losses.js";
import { kindTag } from "./kinds.js";
import { asKnown } from "./known.js";
import { faceOfGuess, facesOf } from "./marks.js";
import { filler } from "./questions.js";

const FORMATS = [
  ["json", "JSON"],
  ["html", "HTML"],
  ["dot", "DOT"],
  ["txt", "Text"],
];

const SAME = 1e-6;

/**
 * Return the panel of the strategy.
 * @param {HTMLElement} place
 * @param {{ followAll: (rows: { guess: string, feedback: string }[]) => void }} actions followAll: go on with these rows
 */
export function strategyPanel(place, { followAll }) {
  /** @type {number[]} */
  let path = [];
  let asked = "";
  let again = () => {};
  const body = h("div", { class: "stack" });
  const fill = filler(body);
  place.append(h("h2", {}, "The strategy from here"), body);

  function drawn(answer, question, game) {
    const { tree } = answer;
    const parts = h("div", { class: "stack" });
    const saved = h("div", {});

    function draw(next, focus = true) {
      path = next;
      const way = branchesTo(tree, path);
      const last = way.at(-1);
      const before = way.at(-2)?.node ?? tree;
      const words = (
        last ? wordsOf(last, before.guess) : tree.children.flatMap((child) => wordsOf(child, tree.guess))
      ).sort((a, b) => a.localeCompare(b));
      const guesses = [tree, ...way.map(({ node }) => node)];
      const rows = way.map(({ feedback }, i) => ({ guess: guesses[i].guess, feedback }));
      const drawing = icicle(tree, path, {
        zoom: draw,
        width: Math.max(300, body.clientWidth),
        turn: question.rows.length + 1,
        game,
      });
      parts.replaceChildren(
        breadcrumbs(tree, path, draw, game),
        drawing,
        h(
          "div",
          { class: "spread" },
          h(
            "div",
            { class: "cluster" },
            h("h3", {}, count(words.length, nounOf(game))),
            words.length > 1 ? h("span", { class: "soft small" }, orderOf(game)) : null,
          ),
          rows.length
            ? h(
                "button",
                { type: "button", class: "button", onclick: () => followAll(rows) },
                "Go there on the board",
              )
            : null,
        ),
        wordList(words, game),
      );
      if (focus) drawing.querySelector("[tabindex='0']")?.focus();
    }

    const lead = h("p", {});
    let told = "";
    again = () => {
      // What the guess takes at its best is told where guesses are; this is what the strategy below takes.
      const known = asKnown(question, { ...answer, kind: "estimate" });
      const isProved = known.kind === "proved";
      const isLeast = isProved && Math.abs(known.expected_guesses - answer.expected_guesses) < SAME;
      const said = `${known.kind} ${known.expected_guesses}`;
      if (said === told) return;
      told = said;
      lead.replaceChildren(
        h("b", { class: "word" }, faceOfGuess(game, answer.guess)),
        " and what follows: this strategy takes ",
        `${fixed(answer.expected_guesses)} guesses on average`,
        ...(isLeast ? [" ", bracketed()] : []),
        answer.worst === null ? "" : `, ${answer.worst} at worst`,
        answer.lost ? `; ${count(answer.lost, nounOf(game))} lost, each counted as twice the guesses there are.` : ".",
        ...(isProved && !isLeast
          ? [` Perfect play after it takes ${lossText(shownLoss(answer.expected_guesses, known.expected_guesses))} fewer: ${fixed(known.expected_guesses)} `, bracketed(), "."]
          : []),
      );
    };
    again();
    draw([], false);
    return [
      lead,
      h(
        "p",
        { class: "soft small" },
        `Each column is a guess, as tall as there are ${nounOf(game)}s, the largest groups on top. Press a part to go into it, the first column to go back; arrow keys walk.`,
      ),
      parts,
      h(
        "div",
        { class: "cluster" },
        h("span", { class: "soft small" }, "Save as"),
        FORMATS.map(([format, name]) =>
          h(
            "button",
            { type: "button", class: "button small-button", onclick: () => save(question, format, saved) },
            name,
          ),
        ),
      ),
      saved,
    ];
  }

  function show(/** @type {any} */ question, /** @type {any} */ game) {
    const { variant, ...standard } = question;
    if (variant) {
      asked = "";
      body.replaceChildren(h("p", { class: "soft" }, "Strategies are worked out for the standard game."));
      return null;
    }
    const key = JSON.stringify(standard);
    if (key === asked && body.querySelector(".icicle")) return null;
    asked = key;
    again = () => {};
    return fill("/strategy", question, (answer) => drawn(answer, question, game));
  }

  /** refresh: say what has become known meanwhile. */
  return { show, refresh: () => again() };
}

/** Return the tag of what is proved in brackets, on one line with them. */
const bracketed = () => h("span", { class: "bracketed" }, "(", kindTag("proved"), ")");

const orderOf = (/** @type {any} */ game) => (hasMarks(game) ? "by the alphabet" : "in order");

function wordList(words, game) {
  const most = 60;
  return h(
    "div",
    {},
    h("p", { class: "group-words" }, facesOf(game, words.slice(0, most))),
    words.length > most
      ? h(
          "details",
          { class: "group-words" },
          h("summary", { class: "small soft" }, `${whole(words.length - most)} more`),
          h("p", {}, facesOf(game, words.slice(most))),
        )
      : null,
  );
}

/** Save the strategy as a file. @param {any} question @param {string} format @param {HTMLElement} place where a problem is told */
async function save(question, format, place) {
  place.replaceChildren();
  try {
    const response = await fetch("/api/v1/strategy/file", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...question, format }),
    });
    if (!response.ok) throw new Problem(await response.json());
    const name =
      /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ??
      `strategy.${format}`;
    const link = h("a", { href: URL.createObjectURL(await response.blob()), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    place.replaceChildren(problemNote(error));
  }
}

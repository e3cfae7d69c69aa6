// The moves of a game: the main line, variations in brackets below, marks of how good they were.

import { h } from "../dom.js";
import { faceOfGuess, shownFeedback } from "./marks.js";
import { explained } from "../explain.js";

/** What the marks of moves mean, from the best to the worst. */
const ANNOTATIONS = {
  "!": "The only best guess, and hard to find.",
  "?!": "Inexact: it costs a little.",
  "?": "A mistake.",
  "??": "A blunder: it costs much.",
};

/**
 * Return the moves as a list one can walk: `go(path)` is called with where. `annotationOf(path)` is a mark or nothing. misfit:
 * the path to the first row that does not fit those before it, null where there is none.
 * @param {import("./address.js").State} state
 * @param {{ go: (path: number[]) => void, annotationOf: (path: number[]) => string, misfit: string | null }} options
 */
export function moves({ root, at, game }, { go, annotationOf, misfit }) {
  const here = at.join(".");

  function one(node, path, number) {
    const mark = annotationOf(path);
    return h(
      "button",
      {
        type: "button",
        class: path.join(".") === misfit ? "move-button misfit" : "move-button",
        "aria-current": path.join(".") === here ? "step" : null,
        "data-path": path.join("."),
        onclick: () => go(path),
      },
      h("span", { class: "soft small" }, `${number}`),
      h("span", { class: "word" }, faceOfGuess(game, node.row.guess)),
      mark ? h("b", { class: "annotation", "data-annotation": mark }, mark) : null,
      path.join(".") === misfit ? h("b", { class: "unfit small" }, "does not fit") : null,
      h(
        "span",
        { class: "move-marks" },
        node.row.feedback.map((one) => (one ? shownFeedback(game, one) : null)),
      ),
    );
  }

  /** Return what follows a path: its main continuation, before it what may be played instead. */
  function line(node, path) {
    const items = [];
    let [current, so] = [node, path];
    while (current.next.length) {
      const [main, ...others] = current.next;
      const before = so;
      so = [...so, 0];
      items.push(h("li", {}, one(main, so, so.length)));
      for (const [i, other] of others.entries()) items.push(variation(other, [...before, i + 1]));
      current = main;
    }
    return items;
  }

  const variation = (node, path) =>
    h(
      "li",
      { class: "variation" },
      h(
        "ol",
        { "aria-label": `Instead of move ${path.length}` },
        h("li", {}, one(node, path, path.length)),
        line(node, path),
      ),
    );

  return h(
    "ol",
    { class: "move-list", "aria-label": "Moves" },
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "move-button",
          "aria-current": here === "" ? "step" : null,
          "data-path": "",
          onclick: () => go([]),
        },
        h("span", { class: "soft" }, "Start"),
      ),
    ),
    line(root, []),
  );
}

/** Return what a mark of a move is called. @param {string} mark */
const nameOf = (mark) => ANNOTATIONS[mark].split(":")[0].replace(".", "");

/** Return a mark before what is said of a move, with its name: what follows may praise the luck of a mistake.
 * @param {string} mark */
export const annotated = (mark) =>
  mark ? h("b", { class: "annotation", "data-annotation": mark }, `${mark} ${nameOf(mark)}. `) : null;

/** Whether it is not known how good a move was: what it costs is an estimate. @param {any} move */
export const isUnjudged = ({ choice, skill, annotation }) => choice && skill === null && !annotation;

/** Return what the marks of moves mean. */
export const annotationLegend = () =>
  h(
    "ul",
    { class: "annotation-legend", "aria-label": "What the marks of moves mean" },
    Object.entries(ANNOTATIONS).map(([mark, meaning]) =>
      h(
        "li",
        {},
        explained(h("b", { class: "annotation", "data-annotation": mark }, mark), meaning),
        " ",
        nameOf(mark),
      ),
    ),
  );

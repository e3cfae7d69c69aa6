// A strategy as an icicle: a column a guess, as tall as there are words. What is pressed fills the whole height.

import { count, fixed, h, svg } from "../dom.js";
import { nounOf } from "../games.js";
import { SYMBOLS } from "../pegs.js";
import { PEGS, faceOfGuess, hasColours, shownFeedback } from "./marks.js";

const HEIGHT = 480;
const COLUMN = 150; // as wide as a column should be
const LEAST = 2.5; // what is lower is not drawn
const READABLE = 12;
const HEAD = 20;
const DIGIT = 0.6; // how wide a digit is, of its height
const WITH_MARKS = 140; // the least width with room for marks beside a word

/**
 * @typedef {{ guess: string, count: number, expected_guesses: number | null, children: Branch[] }} Node
 * @typedef {{ feedback: string, solved: boolean, lost: boolean, node: Node | null, words?: string[] }} Branch lost: after the
 *   last guess
 * @typedef {{ words: number, label: string, isGuess: boolean, isLost: boolean, feedback: string, node: Node | null, depth: number, path: number[] }} Cell
 */

/** Return how many words a branch holds. @param {Branch} branch @returns {number} */
const countOf = ({ node, words }) => node?.count ?? words?.length ?? 1;

/** Return the words of a branch of the guess that leads to it. @param {Branch} branch @param {string} guess @returns {string[]} */
export function wordsOf({ node, words, solved }, guess) {
  if (solved) return [guess];
  return node ? node.children.flatMap((child) => wordsOf(child, node.guess)) : (words ?? []);
}

/** Return the branches on the way to a path. @param {Node} tree @param {number[]} path @returns {Branch[]} */
export function branchesTo(tree, path) {
  const found = [];
  /** @type {Node | null} */
  let node = tree;
  for (const at of path) {
    const branch = node?.children[at];
    if (!branch) break;
    found.push(branch);
    node = branch.node;
  }
  return found;
}

/**
 * Return the drawing of a strategy from a path on: `zoom(path)` is called with what is pressed.
 * @param {Node} tree @param {number[]} path
 * @param {{ zoom: (path: number[]) => void, width: number, turn: number, game: any }} options turn: which guess the first is
 */
export function icicle(tree, path, { zoom, width, turn, game }) {
  const way = branchesTo(tree, path);
  const from = way.at(-1)?.node ?? (path.length ? null : tree);
  const cells = [];
  const crumbled = [];
  let deepest = 0; // the last column that has something
  let guessing = 0; // the last in which something is guessed
  const columns = Math.max(3, Math.min(5, Math.floor(width / COLUMN)));
  const wide = width / columns;

  /** Draw a set of words and, in the columns after it, what becomes of it. */
  function place(cell, column, top, height) {
    deepest = Math.max(deepest, column);
    if (cell.isGuess) guessing = Math.max(guessing, column);
    cells.push(drawCell(cell, game, column * wide, top, wide, height));
    if (!cell.node || column + 1 >= columns) return;
    let at = top;
    const scale = height / cell.node.count;
    const small = [];
    for (const [i, branch] of ordered(cell.node)) {
      const tall = scale * countOf(branch);
      if (tall < LEAST) {
        small.push(branch);
        continue;
      }
      place(cellOf(branch, cell.node, [...cell.path, i]), column + 1, at, tall);
      at += tall;
    }
    crumbs(small, column + 1, at, scale, cell.depth + 1);
  }

  /** Draw together what is too small to be drawn one by one. */
  function crumbs(branches, column, top, scale, depth) {
    if (!branches.length || column >= columns) return;
    deepest = Math.max(deepest, column);
    if (branches.some(isGuess)) guessing = Math.max(guessing, column);
    const height = scale * branches.reduce((sum, branch) => sum + countOf(branch), 0);
    crumbled.push(
      svg("rect", {
        class: `crumbs depth-${depth % 6}`,
        x: column * wide + 0.5,
        y: top + 0.5,
        width: wide - 1,
        height: Math.max(0.5, height - 1),
        rx: 3,
      }),
    );
    crumbs(
      branches.flatMap(({ node }) => node?.children ?? []),
      column + 1,
      top,
      scale,
      depth + 1,
    );
  }

  const last = way.at(-1);
  const parent = way.at(-2)?.node ?? tree;
  place(
    last
      ? cellOf(last, parent, path)
      : { words: tree.count, label: tree.guess, isGuess: true, isLost: false, feedback: "", node: tree, depth: 0, path: [] },
    0,
    HEAD,
    HEIGHT - HEAD,
  );
  const heads = Array.from({ length: deepest + 1 }, (_, i) =>
    svg(
      "text",
      { class: "head", x: i * wide + 8, y: 13, "aria-hidden": "true" },
      i <= guessing ? `guess ${turn + path.length + i}` : "the end",
    ),
  );
  const drawing = svg(
    "svg",
    {
      class: "icicle",
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: "tree",
      "aria-label": `The strategy from ${from?.guess ?? last?.words?.[0] ?? tree.guess}`,
    },
    heads,
    svg("g", { "aria-hidden": "true" }, crumbled),
    cells,
  );
  cells[0].setAttribute("tabindex", "0");
  const cellOfEvent = (/** @type {Event} */ event) =>
    /** @type {SVGElement | null} */ (/** @type {Element} */ (event.target).closest("[data-path]"));
  const pathOf = (/** @type {SVGElement} */ cell) =>
    cell.dataset.path ? cell.dataset.path.split(".").map(Number) : [];
  drawing.addEventListener("click", (event) => {
    const cell = cellOfEvent(event);
    if (!cell) return;
    // What is zoomed into already leads back.
    const to = pathOf(cell);
    zoom(to.length === path.length ? path.slice(0, -1) : to);
  });
  drawing.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const cell = cellOfEvent(event);
    if (!cell) return;
    const here = pathOf(cell);
    const all = [...drawing.querySelectorAll("[data-path]")];
    const level = all.filter((one) => one.getAttribute("aria-level") === cell.getAttribute("aria-level"));
    const place = level.findIndex((one) => one.dataset.path === cell.dataset.path);
    const find = (/** @type {number[]} */ to) => drawing.querySelector(`[data-path="${to.join(".")}"]`);
    const to = {
      ArrowLeft: () => (here.length > path.length ? find(here.slice(0, -1)) : null),
      ArrowRight: () => all.find((one) => isBelow(one.dataset.path, cell.dataset.path)),
      ArrowDown: () => level[place + 1],
      ArrowUp: () => level[place - 1],
    }[event.key];
    if (event.key === "Enter" || event.key === " ") zoom(here);
    else if (event.key === "Backspace" && path.length) zoom(path.slice(0, -1));
    else if (to) {
      const next = to();
      if (next) {
        cell.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        next.focus();
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return drawing;
}

const isBelow = (one, parent) =>
  one !== parent &&
  one.startsWith(parent ? `${parent}.` : "") &&
  one.split(".").length === (parent ? parent.split(".").length : 0) + 1;

/** @param {Node} node @returns {[number, Branch][]} the branches of a node, the largest first */
const ordered = (node) =>
  /** @type {[number, Branch][]} */ ([...node.children.entries()]).sort(
    ([, a], [, b]) => countOf(b) - countOf(a),
  );

/** Whether a guess is made there: none after a right one, nor after the last. @param {Branch} branch */
const isGuess = ({ solved, lost }) => !solved && !lost;

/** @param {Branch} branch @param {Node} parent @param {number[]} path @returns {Cell} */
const cellOf = (branch, parent, path) => ({
  words: countOf(branch),
  label: branch.solved ? parent.guess : (branch.node?.guess ?? branch.words?.[0] ?? ""),
  isGuess: isGuess(branch),
  isLost: branch.lost,
  feedback: branch.feedback,
  node: branch.node,
  depth: path.length,
  path,
});

function drawCell({ words, label, isLost, feedback, node, depth, path }, game, x, y, width, height) {
  const expected =
    node && node.expected_guesses !== null ? `, ${fixed(node.expected_guesses)} guesses from here` : "";
  const spoken = `${feedback ? `${feedback}: ` : ""}${count(words, nounOf(game))}, ${isLost ? "lost" : `${node ? "guess " : ""}${label}${expected}`}`;
  const middle = y + Math.min(height / 2, 24);
  return svg(
    "g",
    {
      role: "treeitem",
      "aria-level": depth + 1,
      "aria-label": spoken,
      "data-path": path.join("."),
      tabindex: -1,
      class: `cell depth-${depth % 6}`,
    },
    svg("title", {}, spoken),
    svg("rect", {
      class: "area",
      x: x + 0.5,
      y: y + 0.5,
      width: width - 1,
      height: Math.max(0.5, height - 1),
      rx: Math.min(4, height / 4),
    }),
    height < READABLE
      ? []
      : isLost
        ? svg("text", { x: x + 8, y: middle + 4, "font-size": height < 15 ? 10 : 12.5 }, `lost · ${words}`)
        : labelOf(label, words, game, x + 8, width - 16, middle, height < 15),
    height < READABLE || width < WITH_MARKS || !feedback
      ? []
      : /^[byg]+$/.test(feedback)
        ? markSquares(feedback, x + width - 8, middle)
        : hasColours(game)
          ? keyDots(feedback, x + width - 8, middle)
          : pegCounts(feedback, x + width - 8, middle),
  );
}

/** Return the guess of a cell and its number of words, from a place on. @param {number} room how wide it may be
 * @param {boolean} isLow whether the cell is */
function labelOf(label, words, game, x, room, middle, isLow) {
  const size = isLow ? 10 : 12.5;
  if (!hasColours(game)) return svg("text", { x, y: middle + 4, "font-size": size }, `${label.toUpperCase()} · ${words}`);
  const counted = 4 + (String(words).length + 2) * DIGIT * size; // how wide what follows the pegs is
  const across = Math.min(isLow ? 11 : 14, (room - counted) / [...label].length);
  return [
    [...label].map((symbol, i) => [
      svg("circle", {
        class: "peg-dot",
        "data-peg": SYMBOLS.indexOf(symbol) + 1,
        cx: x + across * (i + 0.5),
        cy: middle,
        r: across / 2 - 0.7,
      }),
      svg(
        "text",
        { class: "peg-digit", "data-peg": SYMBOLS.indexOf(symbol) + 1, x: x + across * (i + 0.5), y: middle + 3, "font-size": 8.5 },
        symbol,
      ),
    ]),
    svg("text", { x: x + across * [...label].length + 4, y: middle + 4, "font-size": size }, `· ${words}`),
  ];
}

/** Return key pegs that end at a place. */
const keyDots = (/** @type {string} */ feedback, right, middle) => {
  const [black, white] = feedback.split(",").map(Number);
  return Array.from({ length: black + white }, (_, i) =>
    svg("circle", {
      class: "key-dot",
      "data-key": i < black ? "black" : "white",
      cx: right - 9 * (black + white - i) + 4,
      cy: middle,
      r: 3.5,
    }),
  );
};

/** Return the marks of a feedback as small squares that end at a place. */
const markSquares = (feedback, right, middle) =>
  [...feedback].map((mark, i) =>
    svg("rect", {
      class: `mark-${mark}`,
      x: right - 9 * (feedback.length - i),
      y: middle - 4,
      width: 8,
      height: 8,
      rx: 1.5,
    }),
  );

/** Return the numbers of a feedback of pegs as a text that ends at a place. */
const pegCounts = (/** @type {string} */ feedback, right, middle) =>
  svg(
    "text",
    { class: "pegs", x: right, y: middle + 4, "font-size": 11 },
    feedback
      .split(",")
      .map((n, i) => `${PEGS[i]}${n}`)
      .join(" "),
  );

/** Return the way to a path as links that lead back. @param {Node} tree @param {number[]} path @param {(path: number[]) => void} zoom
 * @param {any} game */
export function breadcrumbs(tree, path, zoom, game) {
  const way = branchesTo(tree, path);
  const names = [tree.guess, ...way.map((branch) => branch.node?.guess ?? "")];
  return h(
    "nav",
    { "aria-label": "The way here", class: "breadcrumbs" },
    h(
      "ol",
      {},
      names.map((name, i) => {
        const isHere = i === way.length;
        const text = [
          i ? shownFeedback(game, way[i - 1].feedback) : null,
          name ? h("span", { class: "word" }, faceOfGuess(game, name)) : null,
        ];
        return h(
          "li",
          {},
          isHere
            ? h("span", { class: "cluster", "aria-current": "location" }, text)
            : h(
                "button",
                { type: "button", class: "link cluster", onclick: () => zoom(path.slice(0, i)) },
                text,
              ),
        );
      }),
    ),
  );
}

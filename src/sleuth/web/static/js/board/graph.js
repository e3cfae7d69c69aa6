// The game as a graph: guesses expected and words left after each move. A table says the same beside it.

import { fixed, h, svg, whole } from "../dom.js";
import { nounOf } from "../games.js";
import { leftText } from "./guesses.js";

const WIDTH = 360;
const HEIGHT = 150;
const TOP = 22;
const BOTTOM = 24;
const SIDE = 26;

/**
 * @typedef {{ move: number, guess: string, expected: number | null, kind: string | null, left: number[], mark: string }} Point
 *   after a move; move 0 is the beginning. left: how many answers are possible, of several boards on each
 */

/** Return the points of a review. @param {any} review @returns {Point[]} */
export function pointsOf({ moves }) {
  if (!moves.length) return [];
  const [first] = moves;
  return [
    {
      ...{ move: 0, guess: "", mark: "" },
      ...{ expected: first.expected_before, kind: first.expected_kind },
      left: first.left_before ?? [first.candidates_before],
    },
    ...moves.map((move) => ({
      move: move.turn,
      guess: move.guess,
      expected: move.expected_after,
      kind: move.expected_after_kind,
      left: move.solved ? [0] : (move.left ?? [move.candidates_after]),
      mark: move.annotation ?? "",
    })),
  ];
}

/** Return the graph, with what says the same in words. `go(move)` is called with where one wants to be; decimals: of
 * guesses expected. @param {Point[]} points @param {number} here @param {any} game
 * @param {(move: number) => void} go @param {number} decimals */
export function graph(points, here, game, go, decimals) {
  const noun = nounOf(game);
  const step = (WIDTH - 2 * SIDE) / Math.max(1, points.length - 1);
  const x = (/** @type {number} */ i) => SIDE + i * step;
  const most = Math.max(1, ...points.map(({ expected }) => expected ?? 0));
  const tall = HEIGHT - TOP - BOTTOM;
  const y = (/** @type {number} */ expected) => TOP + tall * (1 - expected / most);
  const logs = Math.max(...points.map(({ left }) => doublings(left)));
  const known = points.flatMap(({ expected }, i) => (expected === null ? [] : [{ expected, i }]));
  const bars = points.map(({ left }, i) => {
    const height = (tall * doublings(left)) / (logs || 1);
    const wide = Math.min(34, step * 0.6);
    return svg("rect", {
      class: "left",
      x: x(i) - wide / 2,
      y: HEIGHT - BOTTOM - height,
      width: wide,
      height,
      rx: 3,
    });
  });
  const line = svg("polyline", {
    class: "expected",
    points: known.map(({ expected, i }) => `${x(i)},${y(expected)}`).join(" "),
  });
  const spots = points.map((point, i) => {
    const spoken = said(point, game, decimals);
    const wide = Math.min(step, WIDTH / 2);
    return svg(
      "g",
      {
        role: "button",
        tabindex: i === here ? 0 : -1,
        "aria-label": spoken,
        "aria-current": i === here ? "step" : "false",
        class: "spot",
        "data-move": i,
      },
      svg("title", {}, spoken),
      svg("rect", { class: "hit", x: x(i) - wide / 2, y: 0, width: wide, height: HEIGHT, rx: 6 }),
      point.expected === null ? [] : svg("circle", { class: "dot", cx: x(i), cy: y(point.expected), r: 4.5 }),
      point.expected === null
        ? []
        : svg("text", { x: x(i), y: y(point.expected) - 8 }, fixed(point.expected, decimals)),
      svg(
        "text",
        { class: "foot", x: x(i), y: HEIGHT - 7 },
        i === 0 ? "start" : `${point.move}${point.mark}`,
      ),
    );
  });
  const drawing = svg(
    "svg",
    {
      class: "graph",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "group",
      "aria-label": "The game, move by move",
    },
    svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT - BOTTOM + 0.5, y2: HEIGHT - BOTTOM + 0.5 }),
    bars,
    line,
    spots,
  );
  const spotOf = (/** @type {Event} */ event) =>
    /** @type {SVGElement | null} */ (/** @type {Element} */ (event.target).closest("[data-move]"));
  drawing.addEventListener("click", (event) => {
    const spot = spotOf(event);
    if (spot) go(Number(spot.dataset.move));
  });
  drawing.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const at = Number(spotOf(event)?.dataset.move ?? here);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: points.length - 1, Enter: at, " ": at }[
      event.key
    ];
    if (to === undefined || !points[to]) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
  });
  return h(
    "div",
    { class: "graph-place" },
    drawing,
    h(
      "ul",
      { class: "graph-legend small soft", "aria-hidden": "true" },
      h("li", {}, h("i", { class: "line" }), "guesses still expected"),
      h("li", {}, h("i", { class: "block" }), `${noun}s left (by doublings)`),
    ),
    h("div", { class: "vh" }, table(points, noun, decimals)),
  );
}

/** Return how often what is left halves until nothing is, of all boards together. @param {number[]} left */
const doublings = (left) => left.reduce((sum, n) => sum + Math.log2(1 + n), 0);

const said = (/** @type {Point} */ { move, guess, expected, kind, left, mark }, /** @type {any} */ game, decimals) =>
  [
    move === 0 ? "At the start" : `After move ${move}, ${guess}${mark}`,
    expected === null ? "not found" : `${fixed(expected, decimals)} guesses expected${kind ? `, ${kind}` : ""}`,
    leftText(left.length > 1 ? left : left[0], game),
  ].join(", ");

const table = (/** @type {Point[]} */ points, /** @type {string} */ noun, /** @type {number} */ decimals) =>
  h(
    "table",
    {},
    h("caption", {}, "The game, move by move"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["Move", "Guess", "Guesses expected after it", `Left of the ${noun}s`].map((name) =>
          h("th", { scope: "col" }, name),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      points.map(({ move, guess, expected, left, mark }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, move),
          h("td", {}, guess ? guess + mark : "start"),
          h("td", {}, fixed(expected, decimals)),
          h("td", {}, left.map(whole).join(" · ")),
        ),
      ),
    ),
  );

// Lines over games: one point a game, oldest first.

import { h, svg } from "./dom.js";

const WIDE = 520;
const HIGH = 170;
const EDGE = { left: 34, right: 8, top: 8, bottom: 8 };
const INSET = 10; // from the ends of the lines to the first and the last point
const MOST = 99;

/** Return a chart of points, [name, value, value…], from 0 to 99; names: what the values are; order: which points. */
export function chart(points, names, order) {
  const [first, last] = [EDGE.left + INSET, WIDE - EDGE.right - INSET];
  const x = (i) => first + ((last - first) * i) / Math.max(1, points.length - 1);
  const y = (value) => EDGE.top + (HIGH - EDGE.top - EDGE.bottom) * (1 - value / MOST);
  const grid = [0, 50, MOST].flatMap((value) => [
    svg("line", { x1: EDGE.left, x2: WIDE - EDGE.right, y1: y(value), y2: y(value) }),
    svg("text", { x: EDGE.left - 9, y: y(value) + 4 }, String(value)),
  ]);
  const lines = names.map((name, n) => {
    const known = points.map((point, i) => [i, point[n + 1]]).filter(([, value]) => value !== null);
    return svg(
      "g",
      { class: `line ${name.toLowerCase()}` },
      svg("polyline", { points: known.map(([i, value]) => `${x(i)},${y(value)}`).join(" ") }),
      known.map(([i, value]) => {
        const dot = svg("circle", { cx: x(i), cy: y(value), r: points.length > 30 ? 2.5 : 3.5 });
        dot.append(svg("title", {}, `${points[i][0]}: ${name.toLowerCase()} ${value}`));
        return dot;
      }),
    );
  });
  const values = points.map(([, ...given]) =>
    names.map((_, n) => given[n] ?? "none").join(" and "),
  );
  const said = `${names.join(" and ")} in ${points.length} games, oldest first: ${values.join("; ") || "none yet"}`;
  return h(
    "figure",
    { class: "chart" },
    svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": said }, grid, lines),
    h(
      "figcaption",
      { class: "cluster small soft" },
      names.map((name) => h("span", { class: `chart-name ${name.toLowerCase()}` }, name)),
      h("span", {}, order),
    ),
  );
}

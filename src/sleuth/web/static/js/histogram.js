// A histogram drawn in SVG. It is always shown beside a table that says the same.

import { svg } from "./dom.js";

const WIDTH = 320;
const HEIGHT = 150;

/** Return a histogram of answers by guesses, up to `last`; columns beyond `turns` are games lost. */
export function histogram(counts, turns, last, label) {
  const most = Math.max(1, ...Object.values(counts));
  const step = WIDTH / last;
  const columns = [];
  for (let n = 1; n <= last; n += 1) {
    const value = counts[n] ?? 0;
    const height = (value / most) * (HEIGHT - 44);
    const middle = (n - 0.5) * step;
    if (value) {
      columns.push(
        svg("rect", {
          class: n > turns ? "lost" : "won",
          x: middle - step * 0.36,
          y: HEIGHT - 22 - height,
          width: step * 0.72,
          height: Math.max(height, 1),
          rx: 2,
        }),
      );
      columns.push(svg("text", { class: "tall", x: middle, y: HEIGHT - 28 - height }, value));
    }
    columns.push(svg("text", { x: middle, y: HEIGHT - 6 }, n));
  }
  return svg(
    "svg",
    { class: "histogram", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT - 21.5, y2: HEIGHT - 21.5 }),
    columns,
  );
}

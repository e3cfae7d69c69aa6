// Histograms over each other, in SVG: how many answers each strategy finds with so many guesses, and where
// their averages lie beside the best possible. It is always shown above a table that says the same.

import { fixed, h, svg, whole } from "../dom.js";

/** @typedef {import("./kept.js").Report} Report */

const NARROW = 300;
const PLOT = 220;
const TOP = 22;
const LEFT = 44;
const RIGHT = 8;
const AXIS = 24;
const LINE = 20; // the height of a strategy's line below the columns
const OVERLAP = 0.35;
const BESIDE = 11; // from a dot or line to its number
const LETTER = 7; // pixels that a letter takes, at most on average
const ROOM = 26; // pixels that a column's number takes

/** Return round numbers up to the most, for lines across the chart. */
export function ticks(/** @type {number} */ most) {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? 10 * power;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step).filter(Number.isInteger);
}

/**
 * @typedef {Pick<Report, "max_turns" | "worst" | "mean" | "histogram"> & { optimum?: Report["optimum"] }} Series
 *   What the chart shows of a report.
 * @typedef {{ written?: (n: number) => string, beside?: Series[] }} Look
 *   written: how numbers of answers are written; beside: all that have the same scale as the series shown.
 */

/**
 * Return a place for the chart, as wide as there is room, and `drawn`, to be called once it is in the page.
 *
 * @param {Series[]} reports
 * @param {string[]} titles
 * @param {string} label  what it shows, for those who do not see it
 * @param {Look} [look]
 */
export function chartPlace(reports, titles, label, look) {
  const element = h("div", { class: "chart-place" });
  const draw = () => {
    const width = Math.max(NARROW, Math.floor(element.clientWidth));
    if (element.firstElementChild?.getAttribute("width") !== String(width))
      element.replaceChildren(chart(reports, titles, width, label, look));
  };
  const watcher = new ResizeObserver(() => {
    if (element.isConnected && element.clientWidth) draw();
  });
  return {
    element,
    drawn() {
      draw();
      watcher.observe(element);
    },
  };
}

/**
 * Return the chart.
 *
 * @param {Series[]} reports
 * @param {string[]} titles
 * @param {number} width  in pixels
 * @param {string} label
 * @param {Look} [look]
 */
export function chart(reports, titles, width, label, { written = whole, beside: all = reports } = {}) {
  const turns = reports[0].max_turns;
  const last = Math.max(turns + 1, ...all.map((one) => one.worst));
  const most = Math.max(1, ...all.flatMap((one) => Object.values(one.histogram)));
  const base = TOP + PLOT;
  const { optimum } = reports[0];
  const height = base + AXIS + (reports.length + (optimum ? 1 : 0)) * LINE + 6;
  const step = (width - LEFT - RIGHT) / last;
  const middle = (/** @type {number} */ guesses) => LEFT + (guesses - 0.5) * step;
  const level = (/** @type {number} */ answers) => base - (answers / most) * PLOT;
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
    lostBand(),
    ticks(most).map((value) => [
      svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: level(value), y2: level(value) }),
      svg("text", { class: "tick", x: LEFT - 6, y: level(value) + 4 }, written(value)),
    ]),
    Array.from({ length: last }, (_, i) => svg("text", { x: middle(i + 1), y: base + 16 }, i + 1)),
    reports.map((report, i) => columns(report, i)),
    reports.map((report, i) => average(report, i)),
    optimum ? best(optimum.mean) : [],
  );

  /** The guesses that come too late. */
  function lostBand() {
    const x = LEFT + turns * step;
    const band = svg("rect", { class: "late", x, y: TOP - 18, width: width - RIGHT - x, height: PLOT + 18 });
    const narrow = width - RIGHT - x < 90;
    return [
      band,
      svg("text", { class: "late-name", x: x + 6, y: TOP - 5 }, narrow ? "lost" : `lost: over ${turns}`),
    ];
  }

  /** The columns of one strategy, each a little beside those of the one before. */
  function columns(/** @type {Series} */ report, /** @type {number} */ i) {
    const wide = (step * 0.84) / (1 + (reports.length - 1) * (1 - OVERLAP));
    const numbered = wide * (1 - OVERLAP) >= ROOM;
    const seen = i === reports.length - 1 ? wide : wide * (1 - OVERLAP); // of its width, beside the next one
    return Object.entries(report.histogram).map(([guesses, answers]) => {
      const x = middle(Number(guesses)) - step * 0.42 + i * wide * (1 - OVERLAP);
      const tall = Math.max(2, base - level(answers));
      const said = `${titles[i]}: ${written(answers)} with ${guesses}`;
      return [
        svg(
          "rect",
          {
            class: `series-${i + 1}${tall < 4 ? " thin" : ""}`,
            x,
            y: base - tall,
            width: wide,
            height: tall,
            rx: Math.min(2, tall / 2),
          },
          svg("title", {}, said),
        ),
        numbered ? svg("text", { class: "count", x: x + seen / 2, y: base - tall - 5 }, written(answers)) : [],
      ];
    });
  }

  /** A line below the columns, with a dot where the average lies. */
  function average(/** @type {Series} */ report, /** @type {number} */ i) {
    const y = base + AXIS + (i + 0.5) * LINE;
    const x = middle(report.mean);
    return [
      svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y, y2: y }),
      svg("circle", { class: `series-${i + 1}`, cx: x, cy: y, r: 5.5 }),
      beside(x, y, fixed(report.mean, 4)),
    ];
  }

  /** The line of the best possible average; it ends above its number where that has no room beside it. */
  function best(/** @type {number} */ mean) {
    const x = middle(mean);
    const said = beside(x, height - LINE / 2 - 6, `${fixed(mean, 4)} best possible, none lost`);
    const begins = Number(said.getAttribute("x"));
    const isAcross = begins < x && x - BESIDE < begins + said.textContent.length * LETTER;
    return [svg("line", { class: "optimum", x1: x, x2: x, y1: TOP, y2: height - (isAcross ? LINE + 6 : 4) }), said];
  }

  /** A number beside its dot or line: after it, before it where there is no room, else as far after it as there is. */
  function beside(/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ text) {
    const wide = text.length * LETTER;
    const [after, before, most] = [x + BESIDE, x - BESIDE - wide, width - RIGHT - wide];
    return svg("text", { class: "mean", x: after <= most ? after : before >= 0 ? before : most, y: y + 4 }, text);
  }
}

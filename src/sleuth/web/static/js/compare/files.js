// Results as files: CSV for a table of one's own, PNG to show around.

import { h, problemNote, svg } from "../dom.js";

/** @typedef {import("./kept.js").Comparison} Comparison */

const SCALE = 2;
const MARGIN = 20;
const LINE = 22;
const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "paint-order",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];

/** The type of a file of rows. */
export const CSV = "text/csv;charset=utf-8";

/**
 * Return buttons beside each other, and after them what the one that was pressed last has done.
 *
 * @param {[text: string, action: () => string | Promise<string>][]} all  an action returns what it has done, in words
 */
export function actions(all) {
  const status = h("span", { class: "soft small", role: "status" });
  const press = async (/** @type {() => string | Promise<string>} */ action) => {
    try {
      status.textContent = await action();
    } catch (error) {
      status.replaceChildren(problemNote(error));
    }
  };
  return h(
    "div",
    { class: "cluster" },
    all.map(([text, action]) => h("button", { type: "button", class: "button", onclick: () => press(action) }, text)),
    status,
  );
}

/** Return rows as CSV (RFC 4180). */
export function csv(/** @type {(string | number)[][]} */ rows) {
  const cell = (/** @type {string | number} */ value) =>
    /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Return a comparison as rows: a strategy a row, then how many answers take 1, 2, 3... guesses. */
export function resultRows(/** @type {Comparison} */ { question, reports }) {
  const worst = Math.max(...reports.map((one) => one.worst));
  const turns = Array.from({ length: worst }, (_, i) => i + 1);
  return [
    ["strategy", "first guess", "mean", "total", "worst", "lost", "answers", "best possible total", ...turns],
    ...reports.map((one, i) => [
      question.specs[i],
      one.opener,
      one.mean,
      one.total,
      one.worst,
      one.failures,
      one.answers,
      one.optimum?.total ?? "",
      ...turns.map((n) => one.histogram[n] ?? 0),
    ]),
  ];
}

/** Return a comparison answer by answer as rows: the guesses that each strategy takes. */
export function answerRows(/** @type {Comparison} */ { question, reports }, /** @type {string[]} */ answers) {
  return [
    ["answer", ...question.specs],
    ...answers.map((answer, i) => [answer, ...reports.map((one) => one.turns[i])]),
  ];
}

/** Give a file to the browser, which keeps it where it keeps downloads. */
export function download(/** @type {string} */ name, /** @type {Blob} */ blob) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Return a chart as a PNG, with a heading and its legend above it. Colours are those on the screen.
 *
 * @param {SVGSVGElement} chart  in the page
 * @param {string} heading
 * @param {string[]} legend  a line for each series
 * @returns {Promise<Blob>}
 */
export async function picture(chart, heading, legend) {
  const style = getComputedStyle(chart);
  const [ink, paper] = ["--ink", "--card"].map((name) => style.getPropertyValue(name).trim());
  const words = { "font-family": style.fontFamily, fill: ink, "text-anchor": "start" };
  const top = MARGIN + LINE * (legend.length + 1) + 8;
  const width = Number(chart.getAttribute("width")) + 2 * MARGIN;
  const height = Number(chart.getAttribute("height")) + top + MARGIN;
  const drawn = still(chart);
  drawn.setAttribute("x", String(MARGIN));
  drawn.setAttribute("y", String(top));
  const whole = svg(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width: width * SCALE,
      height: height * SCALE,
      viewBox: `0 0 ${width} ${height}`,
    },
    svg("rect", { width, height, fill: paper }),
    svg("text", { ...words, x: MARGIN, y: MARGIN + 14, "font-size": 16, "font-weight": 600 }, heading),
    legend.map((line, i) => {
      const y = MARGIN + LINE * (i + 1) + 14;
      const fill = style.getPropertyValue(`--series-${i + 1}`).trim();
      return [
        svg("rect", { x: MARGIN, y: y - 10, width: 12, height: 12, rx: 2, fill }),
        svg("text", { ...words, x: MARGIN + 20, y, "font-size": 13 }, line),
      ];
    }),
    drawn,
  );
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(whole))}`;
  await image.decode();
  const canvas = h("canvas", { width: width * SCALE, height: height * SCALE });
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))),
      "image/png",
    );
  });
}

/** Return a copy of a drawing whose look needs no style sheet. */
function still(/** @type {SVGSVGElement} */ chart) {
  const copy = /** @type {SVGSVGElement} */ (chart.cloneNode(true));
  const [from, to] = [chart, copy].map((one) => [...one.querySelectorAll("*")]);
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const look of LOOKS) to[i].setAttribute(look, style.getPropertyValue(look));
  });
  return copy;
}

// The key pegs of a row, each a button: what a code got in Mastermind is put together as on a table.

import { h } from "../dom.js";

/** @typedef {"" | "black" | "white"} Kind */

/** @type {Record<Kind, Kind>} */
const NEXT = { "": "black", black: "white", white: "" };
/** @type {Record<Kind, Kind>} */
const BEFORE = { "": "white", white: "black", black: "" };
/** @type {Record<string, Kind>} */
const TYPED = { b: "black", w: "white", e: "", Delete: "" };
/** @type {Kind[]} */
const ORDER = ["black", "white", ""];

/** Return the kinds of pegs of a feedback such as "1,2", black before white before none. @param {string} feedback @param {number} length
 * @returns {Kind[]} */
function kindsOf(feedback, length) {
  const [black, white] = feedback.split(",").map(Number);
  return Array.from({ length }, (_, i) => (i < black ? "black" : i < black + white ? "white" : ""));
}

const feedbackOf = (/** @type {string[]} */ kinds) =>
  ["black", "white"].map((kind) => kinds.filter((one) => one === kind).length).join(",");

/**
 * Return the key pegs of a row.
 * @param {string} feedback
 * @param {{
 *   length: number, row: number, put: (feedback: string, tile: number) => void, go: (tile: number) => void,
 *   confirm: () => void, back: () => void,
 * }} options row: from 0. put: another feedback, and where the focus is then. go: the focus goes to another peg. confirm:
 *   the row is right. back: to the code
 */
export function keyPegButtons(feedback, { length, row, put, go, confirm, back }) {
  const kinds = kindsOf(feedback, length);

  /** Make a peg another one; the focus goes to where it lies then, or on to the next. */
  function set(/** @type {number} */ i, /** @type {Kind} */ kind, isTyped = false) {
    const next = kinds.with(i, kind).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
    const at = isTyped ? Math.min(i + 1, length - 1) : next[i] === kind ? i : next.lastIndexOf(kind);
    put(feedbackOf(next), at);
  }

  return h(
    "span",
    { class: "key-pegs", role: "group", "aria-label": `What row ${row + 1} got` },
    kinds.map((kind, i) =>
      h(
        "button",
        {
          type: "button",
          "data-key": kind,
          "data-tile": i,
          tabindex: i === 0 ? 0 : -1,
          title: "Click to change the key peg",
          "aria-label": `Key peg ${i + 1} of ${length}, row ${row + 1}: ${kind || "none"}`,
          onclick: () => set(i, NEXT[kind]),
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: length - 1 }[event.key];
            if (to !== undefined) go(to);
            else if (event.key === "ArrowUp") set(i, NEXT[kind]);
            else if (event.key === "ArrowDown") set(i, BEFORE[kind]);
            else if (event.key === "Enter") confirm();
            else if (event.key === "Backspace") back();
            else if (event.key in TYPED) set(i, TYPED[event.key], true);
            else return;
            event.preventDefault();
            event.stopPropagation();
          },
        },
      ),
    ),
  );
}

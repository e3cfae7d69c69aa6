// A win is celebrated, where motion is welcome: the row jumps, and coloured tiles fall.

import { h } from "./dom.js";

const PIECES = 28;
const LAST = 2200;

/** Whether less motion is wished. */
export const isStill = () => document.documentElement.dataset.motion === "less";

/** Celebrate on the boards of a puzzle that was solved. */
export function celebrate(boards) {
  if (isStill()) return;
  for (const board of boards.querySelectorAll(".board")) {
    const rows = [...board.querySelectorAll("ol.row:not([aria-hidden])")];
    rows.at(-1)?.classList.add("jump");
  }
  const pieces = Array.from({ length: PIECES }, (_, i) => {
    const piece = h("i", { "data-mark": "gyb"[i % 3] });
    const set = (name, value) => piece.style.setProperty(name, value);
    set("--from", `${(100 * (i + Math.random())) / PIECES}%`);
    set("--drift", `${Math.round(160 * (Math.random() - 0.5))}px`);
    set("--turn", `${Math.round(720 * (Math.random() - 0.5))}deg`);
    set("--wait", `${Math.round(500 * Math.random())}ms`);
    return piece;
  });
  const confetti = h("div", { class: "confetti", "aria-hidden": "true" }, pieces);
  document.body.append(confetti);
  setTimeout(() => confetti.remove(), LAST);
}

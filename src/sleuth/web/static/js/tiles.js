// Tiles, rows and boards: what a guess and its feedback look like, and how they are spoken.

import { h } from "./dom.js";

/** Return a letter as it is drawn. The style sheet makes capitals, and would make two of this one. */
export const glyph = (letter) => (letter === "ß" ? "ẞ" : letter);

/** Return a letter as a capital, which is one letter. */
export const capital = (letter) => glyph(letter).toUpperCase();

export const MARK_NAMES = { b: "absent", y: "elsewhere", g: "right place" };

/** Return a tile. mark: "b", "y", "g", "typed" or "". */
export function tile(
  letter,
  mark = "",
  spoken = MARK_NAMES[mark] ? `${capital(letter)}, ${MARK_NAMES[mark]}` : capital(letter),
) {
  return h(
    "li",
    { class: "tile", "data-mark": mark },
    h("span", { "aria-hidden": "true" }, glyph(letter)),
    letter ? h("span", { class: "vh" }, spoken) : null,
  );
}

/** Return a row of tiles for a word and its feedback in letters. `flip`: turn the tiles over one by one. */
export function row(word, feedback, { className = "", flip = false } = {}) {
  const letters = [...word];
  const element = h(
    "ol",
    { class: `row ${className}`.trim() },
    letters.map((letter, i) => tile(letter, feedback[i] ?? "typed")),
  );
  element.style.setProperty("--cols", letters.length);
  if (flip) for (const one of element.children) one.classList.add("flip");
  return element;
}

/** Return a row without letters: feedback as such. */
export function marks(feedback, className = "mini") {
  const spoken = [...feedback].map((mark) => MARK_NAMES[mark]).join(", ");
  const element = h(
    "span",
    { class: `row ${className}`, role: "img", "aria-label": spoken },
    [...feedback].map((mark) => h("span", { class: "tile", "data-mark": mark, "aria-hidden": "true" })),
  );
  element.style.setProperty("--cols", feedback.length);
  return element;
}

/** Return a guess with its feedback, whatever the game: coloured tiles, or symbols and two numbers. */
export function guessed(word, feedback, className = "mini") {
  if (/^[byg]+$/.test(feedback)) return row(word, feedback, { className });
  const [right, elsewhere] = feedback.split(",");
  return h(
    "span",
    { class: "cluster" },
    row(word, "", { className }),
    h("span", { class: "small soft" }, `${right} in place, ${elsewhere} elsewhere`),
  );
}

/** Return an empty row, hidden from screen readers. */
export function emptyRow(length, className = "") {
  const element = h(
    "ol",
    { class: `row ${className}`.trim(), "aria-hidden": "true" },
    Array.from({ length }, () => h("li", { class: "tile", "data-mark": "" })),
  );
  element.style.setProperty("--cols", length);
  return element;
}

/** Return what the colours mean, with the corner marks. */
export function legend() {
  return h(
    "ul",
    { class: "key-legend", "aria-label": "What the tiles mean" },
    [
      ["g", "right place"],
      ["y", "elsewhere"],
      ["b", "not in it"],
    ].map(([mark, text]) =>
      h("li", {}, h("span", { class: "tile", "data-mark": mark, "aria-hidden": "true" }), text),
    ),
  );
}

/** Return the mark that says most: right place over elsewhere over absent. */
export const stronger = (a = "", b = "") => (" byg".indexOf(a || " ") >= " byg".indexOf(b || " ") ? a : b);

/** Return feedback as squares to share. */
export const squares = (feedback) =>
  [...feedback].map((mark) => ({ b: "⬛", y: "🟨", g: "🟩" })[mark]).join("");

/** Return the feedback of a code as pegs to share: black, white, none. */
export function keySquares(feedback, length) {
  const [right, elsewhere] = feedback.split(",").map(Number);
  return "⚫".repeat(right) + "⚪".repeat(elsewhere) + "➖".repeat(length - right - elsewhere);
}

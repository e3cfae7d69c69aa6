// The keyboard on the screen, with what is known of each letter.

import { ICONS, h, icon } from "./dom.js";
import { layoutOf, othersOf } from "./layouts.js";
import { MARK_NAMES, capital, glyph } from "./tiles.js";

/** A key has room for what so many boards know, one by one. */
const MOST_CELLS = 8;

/**
 * Return a keyboard: its element, `show(known)`, and `more`, a button for letters of other languages or nothing. `press` is called with a letter, "Enter" or "Backspace".
 * known: a Map from letters to what each board knows of them.
 */
export function keyboard(game, press) {
  const keys = new Map();
  const key = (letter) => {
    const button = h(
      "button",
      { type: "button", class: "key", "aria-label": capital(letter), onclick: () => press(letter) },
      h("span", { class: "letter", "aria-hidden": "true" }, glyph(letter)),
    );
    keys.set(letter, button);
    return button;
  };
  const plain = layoutOf(game);
  const others = othersOf(game);
  const drawn = (rows) =>
    rows.map((line, i) => {
      const letters = [...line].map((letter) => keys.get(letter) ?? key(letter));
      return i === rows.length - 1 ? withEnds(letters, press) : letters;
    });
  const element = frame(drawn(plain));
  const more = others.length
    ? h("button", { type: "button", class: "link small soft", "aria-pressed": "false", onclick: turn }, "Other letters")
    : null;

  /** Show letters of other languages, or those of this one again. */
  function turn() {
    const isOther = more?.getAttribute("aria-pressed") === "false";
    more?.setAttribute("aria-pressed", String(isOther));
    element.replaceChildren(...drawn(isOther ? others : plain).map((row) => h("div", {}, row)));
    show(shown);
  }

  let shown = new Map();
  function show(known) {
    shown = known;
    for (const [letter, button] of keys) {
      const states = known.get(letter) ?? [];
      const tried = states.filter(Boolean);
      button.querySelector(".cells")?.remove();
      delete button.dataset.mark;
      if (tried.length && (states.length === 1 || tried.every((mark) => mark === "b")))
        button.dataset.mark = tried[0];
      else if (tried.length) button.append(cells(states));
      const spoken = states
        .map((mark, i) => (mark ? `${states.length > 1 ? `board ${i + 1} ` : ""}${MARK_NAMES[mark]}` : ""))
        .filter(Boolean);
      button.setAttribute("aria-label", [capital(letter), ...spoken].join(", "));
    }
  }
  return { element, show, more };
}

/** Return the parts of a key that say what each board knows: left and right, then below. Of more boards than a key has room
 * for they say how many know what: a band each. */
function cells(states) {
  const isMany = states.length > MOST_CELLS;
  const marks = isMany ? ["g", "y", "b", ""].filter((mark) => states.includes(mark)) : states;
  const parts = h(
    "span",
    { class: "cells", "aria-hidden": "true", "data-bands": isMany },
    marks.map((mark) => h("i", { "data-cell": mark })),
  );
  const shares = marks.map((mark) => `${states.filter((state) => state === mark).length}fr`);
  parts.style.setProperty("--lines", isMany ? shares.join(" ") : `repeat(${Math.ceil(states.length / 2)}, 1fr)`);
  return parts;
}

/** Return the keys for digits. */
export function digits(press) {
  const key = (digit) => h("button", { type: "button", class: "key", onclick: () => press(digit) }, digit);
  const element = frame([[..."1234567890"].map(key), withEnds([], press)]);
  return { element, show() {}, more: null };
}

/** Return rows of keys; a press leaves the focus where it is. */
export function frame(rows, label = "Keyboard") {
  const element = h(
    "div",
    { class: "keyboard", role: "group", "aria-label": label },
    rows.map((row) => h("div", {}, row)),
  );
  element.addEventListener("pointerdown", (event) => event.preventDefault());
  return element;
}

/** Return keys with Enter before and Backspace behind them. */
export const withEnds = (keys, press) => [
  h(
    "button",
    { type: "button", class: "key wide", "aria-label": "Enter the guess", onclick: () => press("Enter") },
    "Enter",
  ),
  ...keys,
  h(
    "button",
    { type: "button", class: "key wide", "aria-label": "Remove the last", onclick: () => press("Backspace") },
    icon(ICONS.erase),
  ),
];

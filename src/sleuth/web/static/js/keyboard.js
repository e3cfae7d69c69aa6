// The keyboard on the screen, with what is known of each letter.

import { EXTRA_LETTERS } from "./games.js";
import { h } from "./dom.js";
import { MARK_NAMES, glyph } from "./tiles.js";

const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/**
 * Return a keyboard: its element and `show(known)`. `press` is called with a letter, "Enter" or "Backspace".
 * known: a Map from letters to what each board knows of them.
 */
export function keyboard(language, press) {
  const keys = new Map();
  const key = (letter) => {
    const button = h(
      "button",
      { type: "button", class: "key", "aria-label": letter.toUpperCase(), onclick: () => press(letter) },
      h("span", { "aria-hidden": "true" }, glyph(letter)),
    );
    keys.set(letter, button);
    return button;
  };
  const wide = (name, shown, spoken) =>
    h(
      "button",
      { type: "button", class: "key wide", "aria-label": spoken, onclick: () => press(name) },
      shown,
    );
  const letters = language === "ru" ? splitInRows(EXTRA_LETTERS.ru) : [...ROWS];
  const extra = language === "ru" ? "" : (EXTRA_LETTERS[language] ?? "");
  const rows = letters.map((line, i) =>
    h(
      "div",
      {},
      i === letters.length - 1 ? wide("Enter", "Enter", "Enter the guess") : null,
      [...line].map(key),
      i === letters.length - 1 ? wide("Backspace", "⌫", "Remove the last letter") : null,
    ),
  );
  if (extra) rows.unshift(h("div", {}, [...extra].map(key)));
  const element = h("div", { class: "keyboard", role: "group", "aria-label": "Keyboard" }, rows);

  function show(known) {
    for (const [letter, button] of keys) {
      const states = known.get(letter) ?? [];
      button.querySelector(".cells")?.remove();
      delete button.dataset.mark;
      const tried = states.some(Boolean);
      if (states.length === 1 && tried) button.dataset.mark = states[0];
      if (states.length > 1 && tried) {
        if (states.every((mark) => mark === "b")) button.dataset.mark = "b";
        else {
          const cells = h(
            "span",
            { class: "cells", "aria-hidden": "true" },
            states.map((mark) => h("i", { "data-cell": mark })),
          );
          cells.style.setProperty("--cells", Math.min(4, states.length));
          button.append(cells);
        }
      }
      const spoken = states
        .map((mark, i) => (mark ? `${states.length > 1 ? `board ${i + 1} ` : ""}${MARK_NAMES[mark]}` : ""))
        .filter(Boolean);
      button.setAttribute("aria-label", [letter.toUpperCase(), ...spoken].join(", "));
    }
  }
  return { element, show };
}

/** Return the keys of a game of pegs. */
export function symbolKeys(game, press) {
  const symbols =
    game.game === "bulls-and-cows" ? "0123456789" : "123456789abcdefghijklmnopqrstuvwxyz".slice(0, game.colours ?? 6);
  const key = (symbol) => h("button", { type: "button", class: "key", onclick: () => press(symbol) }, symbol);
  const element = h(
    "div",
    { class: "keyboard", role: "group", "aria-label": "Keyboard" },
    h("div", {}, [...symbols].map(key)),
    h(
      "div",
      {},
      h("button", { type: "button", class: "key wide", onclick: () => press("Enter") }, "Enter"),
      h(
        "button",
        {
          type: "button",
          class: "key wide",
          "aria-label": "Remove the last symbol",
          onclick: () => press("Backspace"),
        },
        "⌫",
      ),
    ),
  );
  element.addEventListener("pointerdown", (event) => event.preventDefault());
  return element;
}

function splitInRows(letters) {
  const all = [...letters];
  return [all.slice(0, 11), all.slice(11, 22), all.slice(22)].map((line) => line.join(""));
}

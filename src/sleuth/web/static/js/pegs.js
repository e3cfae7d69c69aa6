// Mastermind as it lies on a table: coloured pegs with symbols, and key pegs in black and white.

import { h, svg } from "./dom.js";
import { frame, withEnds } from "./keyboard.js";

export const SYMBOLS = "123456789abcdefghijklmnopqrstuvwxyz";
const FAR = 8; // pixels from which a press is a drag

// Each colour has a symbol of its own, so that nobody has to tell them apart by colour.
const PEGS = [
  ["red", "M12 6a6 6 0 1 0 0 12 6 6 0 0 0 0-12Zm0 3.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6Z"],
  ["blue", "M12 5.5 18.5 17h-13Z"],
  ["yellow", "M6.8 6.8h10.4v10.4H6.8Z"],
  ["green", "M12 4.8 18.5 12 12 19.2 5.5 12Z"],
  ["pink", "M12 4.8l2.1 4.9 5.3.5-4 3.5 1.2 5.2-4.6-2.8-4.6 2.8 1.2-5.2-4-3.5 5.3-.5Z"],
  ["sky", "M10 5.5h4V10h4.5v4H14v4.5h-4V14H5.5v-4H10Z"],
  ["orange", "M12 5l6 3.5v7L12 19l-6-3.5v-7Z"],
  ["black", "M15 5.6A6.8 6.8 0 1 0 18.6 15 5.6 5.6 0 0 1 15 5.6Z"],
];

/** Return the name of a peg: its colour, or its symbol where there are more colours than names. */
export const pegName = (symbol) => PEGS[SYMBOLS.indexOf(symbol)]?.[0] ?? symbol.toUpperCase();

/** Return the drawing of a peg; it is decoration. */
export function peg(symbol) {
  const at = SYMBOLS.indexOf(symbol);
  return h(
    "span",
    { class: "peg", "data-peg": at + 1, "aria-hidden": "true" },
    PEGS[at]
      ? svg("svg", { viewBox: "0 0 24 24", focusable: "false" }, svg("path", { d: PEGS[at][1] }))
      : symbol.toUpperCase(),
  );
}

/** Return a row of pegs for a guess. */
export function pegRow(guess, className = "") {
  const element = h(
    "ol",
    { class: `row pegged ${className}`.trim() },
    [...guess].map((symbol) => h("li", { class: "hole" }, peg(symbol), h("span", { class: "vh" }, pegName(symbol)))),
  );
  element.style.setProperty("--cols", guess.length);
  return element;
}

/** Return the key pegs of a feedback such as "1,2"; empty holes without one. */
export function keyPegs(feedback, length) {
  const [black, white] = feedback ? feedback.split(",").map(Number) : [0, 0];
  const kinds = [...Array(black).fill("black"), ...Array(white).fill("white")];
  const element = h(
    "span",
    {
      class: "key-pegs",
      ...(feedback ? { role: "img", "aria-label": `${black} black, ${white} white` } : { "aria-hidden": "true" }),
    },
    Array.from({ length }, (_, i) => h("i", { "data-key": kinds[i] ?? "" })),
  );
  element.style.setProperty("--across", Math.ceil(length / 2));
  return element;
}

/**
 * Return the row that is being filled: holes, each a button.
 * filled: the symbols, "" where there is none; at: the hole that the next peg goes to.
 * act: { choose(at), place(symbol, at, from), enter(), clear(at) }
 */
export function holes(filled, at, act) {
  const element = h(
    "div",
    { class: "row pegged" },
    filled.map((symbol, i) => {
      const hole = h(
        "button",
        {
          type: "button",
          class: "hole",
          "data-hole": i,
          tabindex: i === at ? 0 : -1,
          "aria-label": `Peg ${i + 1} of ${filled.length}: ${symbol ? pegName(symbol) : "empty"}`,
          "aria-pressed": i === at ? "true" : "false",
          onclick: () => act.choose(i),
          onkeydown: (event) => {
            const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: filled.length - 1 }[event.key];
            if (filled[to] !== undefined) act.choose(to);
            else if (event.key === "Delete") act.clear(i);
            else if (event.key === "Enter") act.enter();
            else return;
            event.preventDefault();
          },
        },
        symbol ? peg(symbol) : null,
      );
      if (symbol) draggable(hole, symbol, (to) => act.place(symbol, to, i), () => act.clear(i));
      return hole;
    }),
  );
  element.style.setProperty("--cols", filled.length);
  return element;
}

/** Return the colours to choose from, with Enter and Backspace. */
export function palette(colours, press, place) {
  const keys = [...SYMBOLS.slice(0, colours)].map((symbol) => {
    const key = h(
      "button",
      {
        type: "button",
        class: "key colour",
        "aria-label": `${pegName(symbol)}, key ${symbol}`,
        onclick: () => press(symbol),
      },
      peg(symbol),
    );
    draggable(key, symbol, (to) => place(symbol, to));
    return key;
  });
  const rows = [];
  while (keys.length) rows.push(keys.splice(0, 10));
  return { element: frame([...rows, withEnds([], press)], "Colours"), show() {}, more: null };
}

/** Let a peg be dragged from an element to a hole; `away` where it is let go elsewhere. */
function draggable(element, symbol, dropped, away = () => {}) {
  /** @type {number[] | null} */
  let from = null;
  /** @type {HTMLElement | null} */
  let ghost = null;
  let dragged = false;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    dragged = false;
    from = [event.clientX, event.clientY];
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (!from) return;
    if (!ghost && Math.hypot(clientX - from[0], clientY - from[1]) > FAR) {
      document.body.append((ghost = h("div", { class: "ghost", "aria-hidden": "true" }, peg(symbol))));
    }
    ghost?.style.setProperty("--left", `${clientX}px`);
    ghost?.style.setProperty("--top", `${clientY}px`);
  });
  const end = (event) => {
    dragged = ghost !== null;
    ghost?.remove();
    [from, ghost] = [null, null];
    if (!dragged || event.type === "pointercancel") return;
    const hole = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-hole]");
    if (hole) dropped(Number(hole.getAttribute("data-hole")));
    else away();
  };
  // The click that follows a drag is none.
  element.addEventListener("click", (event) => dragged && event.stopImmediatePropagation(), { capture: true });
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}

// The colours of Mastermind as keys below the board, each with the digit that types it too.

import { ICONS, h, icon } from "../dom.js";
import { SYMBOLS, peg, pegName } from "../pegs.js";

/** Return the colours of a game as buttons, and one that takes the last peg away.
 * @param {any} game @param {{ press: (symbol: string) => void, erase: () => void }} actions */
export const colourKeys = (game, { press, erase }) =>
  h(
    "div",
    { class: "colour-keys", role: "group", "aria-label": "Colours" },
    [...SYMBOLS.slice(0, game.colours ?? 6)].map((symbol) =>
      h(
        "button",
        {
          type: "button",
          class: "colour-key",
          "aria-label": `${pegName(symbol)}, key ${symbol}`,
          title: pegName(symbol),
          onclick: () => press(symbol),
        },
        h("span", { class: "hole" }, peg(symbol)),
        h("span", { class: "soft" }, symbol),
      ),
    ),
    h(
      "button",
      { type: "button", class: "button quiet icon-button", "aria-label": "Take the last peg away", onclick: erase },
      icon(ICONS.erase),
    ),
  );

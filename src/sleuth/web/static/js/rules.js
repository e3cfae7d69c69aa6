// The rules: shown on the first visit, and by the button in the header.

import { h } from "./dom.js";
import { VARIANTS } from "./puzzle.js";
import { save } from "./storage.js";
import { tile } from "./tiles.js";

/** Show the rules in a dialog; from then on they have been seen. */
export function rules() {
  save("rules", 1);
  const line = (letter, mark, text) => h("li", {}, h("ul", { class: "row" }, tile(letter, mark)), h("span", {}, text));
  const dialog = h(
    "dialog",
    { class: "rules", "aria-labelledby": "rules-title" },
    h("h2", { id: "rules-title" }, "Find the word in six guesses"),
    h("p", {}, "Every guess is a word. Its tiles then tell how near it is:"),
    h("ul", { class: "rules-tiles" }, [
      line("s", "g", "S is in the word, in this place."),
      line("a", "y", "A is in the word, elsewhere."),
      line("t", "b", "T is not in the word, or not as often as guessed."),
    ]),
    h(
      "details",
      {},
      h("summary", {}, "Other games"),
      h(
        "dl",
        { class: "rules-more" },
        [
          ["2, 4 or 8 boards", "Every guess goes to all boards, and there is one guess more for every further board."],
          ...VARIANTS.filter(([, , text]) => text).map(([, name, text]) => [name.split(":")[0], text]),
          ["Hard, strict", "Greens stay and yellows are used again; in strict mode every guess must fit all rows."],
          ["Mastermind", "A black peg for each colour in its place, a white one for each that belongs elsewhere."],
          ["Bulls and Cows", "Bulls are digits in their place, cows those that belong elsewhere. No digit comes twice."],
        ].map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text))),
      ),
    ),
    h(
      "form",
      { method: "dialog", class: "cluster" },
      h("button", { class: "button primary", autofocus: true }, "Play"),
      h("span", { class: "soft small" }, "A new puzzle comes every day."),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

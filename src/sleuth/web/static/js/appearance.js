// The look of the page: theme, palette, text size and motion, in a dialog that shows each choice at once.

import { h } from "./dom.js";
import { load, save } from "./storage.js";
import { row } from "./tiles.js";

const CHOICES = [
  ["theme", "Theme", [["", "As the system"], ["light", "Light"], ["dark", "Dark"]]],
  [
    "palette",
    "Colours",
    [["", "As the system"], ["standard", "Green and gold"], ["orange", "Orange and blue"], ["contrast", "Highest contrast"]],
  ],
  ["text", "Text", [["", "Usual"], ["large", "Large"], ["larger", "Larger"]]],
  ["motion", "Motion", [["", "As the system"], ["full", "Tiles turn"], ["less", "None"]]],
];

/** Let a person choose how the page looks. */
export function appearance() {
  const dialog = h(
    "dialog",
    { class: "appearance", "aria-labelledby": "appearance-title" },
    h(
      "form",
      { method: "dialog", class: "stack" },
      h("h2", { id: "appearance-title" }, "Appearance"),
      row("tiles", "gybgb"),
      CHOICES.map(([name, title, options]) => choice(name, title, options)),
      h("div", {}, h("button", { class: "button primary" }, "Done")),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function choice(name, title, options) {
  const look = load("look") ?? {};
  return h(
    "fieldset",
    { class: "choice" },
    h("legend", {}, title),
    h(
      "div",
      { class: "segments" },
      options.map(([value, text]) =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name,
            value,
            checked: (look[name] ?? "") === value,
            onchange: () => choose(name, value),
          }),
          h("span", {}, text),
        ),
      ),
    ),
  );
}

function choose(name, value) {
  save("look", { ...load("look"), [name]: value });
  dispatchEvent(new Event("sleuth-look"));
}

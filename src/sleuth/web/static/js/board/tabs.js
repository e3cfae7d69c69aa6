// Tabs: one panel at a time, walked with the arrow keys.

import { h } from "../dom.js";

/**
 * Return tabs with their panels. `chosen(name)` is called when a person chooses one.
 * @param {[string, string][]} names names and titles
 * @param {(name: string) => void} chosen
 */
export function tabs(names, chosen) {
  const buttons = names.map(([name, title]) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": `panel-${name}`,
        class: "tab",
        onclick: () => chosen(name),
      },
      title,
    ),
  );
  /** @type {Record<string, HTMLElement>} */
  const panels = Object.fromEntries(
    names.map(([name]) => [
      name,
      h("div", {
        role: "tabpanel",
        id: `panel-${name}`,
        "aria-labelledby": `tab-${name}`,
        class: "stack panel",
        hidden: true,
      }),
    ]),
  );
  const list = h("div", { role: "tablist", "aria-label": "About this position", class: "tabs" }, buttons);
  list.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = buttons.at(to % buttons.length);
    next?.focus();
    next?.click();
  });
  return {
    list,
    panels,
    /** Give a tab another title. */
    rename(/** @type {string} */ name, /** @type {string} */ title) {
      const button = buttons[names.findIndex(([other]) => other === name)];
      if (button.textContent !== title) button.textContent = title;
    },
    /** Show a panel. */
    show(/** @type {string} */ name) {
      for (const [i, [other]] of names.entries()) {
        const isIt = other === name;
        buttons[i].setAttribute("aria-selected", String(isIt));
        buttons[i].tabIndex = isIt ? 0 : -1;
        panels[other].hidden = !isIt;
        if (isIt && list.scrollWidth > list.clientWidth) {
          list.scrollLeft = buttons[i].offsetLeft - (list.clientWidth - buttons[i].offsetWidth) / 2;
        }
      }
    },
  };
}

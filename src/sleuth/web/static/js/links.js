// Cards of links: what may be looked at, and what was asked before.

import { h } from "./dom.js";

/** Return a link within the page, with what it is about. @param {string} address @param {string} says @param {string} about */
export const cardLink = (address, says, about) =>
  h("a", { href: address, "data-view": true }, h("b", {}, says), h("span", { class: "soft small" }, about));

/**
 * Return a card of links; "" where there are none.
 *
 * @param {string} title
 * @param {HTMLElement[]} links
 * @param {() => void} [forget]  takes away what they lead to, where that can be
 */
export function linksCard(title, links, forget) {
  if (!links.length) return "";
  const heading = h("h2", {}, title);
  return h(
    "section",
    { class: "card stack" },
    forget
      ? h(
          "div",
          { class: "spread" },
          heading,
          h("button", { type: "button", class: "link small", onclick: forget }, "Forget them"),
        )
      : heading,
    h(
      "ul",
      { class: "ready" },
      links.map((link) => h("li", {}, link)),
    ),
  );
}

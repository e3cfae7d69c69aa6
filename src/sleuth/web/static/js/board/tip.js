// A word or number that explains itself: on hover, on focus and on tap.

import { h } from "../dom.js";

const box = h("div", { class: "tip-box", role: "tooltip", id: "tip", hidden: true });
/** @type {HTMLElement | null} */
let shown = null;

/** Return a text with an explanation. @param {any} content @param {string} explanation @param {string} [className] */
export const tip = (content, explanation, className = "") =>
  h(
    "button",
    { type: "button", class: `tip ${className}`.trim(), "data-tip": explanation, "aria-describedby": "tip" },
    content,
  );

function show(/** @type {HTMLElement} */ element) {
  if (!box.isConnected) document.body.append(box);
  shown = element;
  box.textContent = element.dataset.tip ?? "";
  box.hidden = false;
  const at = element.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left + at.width / 2 - width / 2, innerWidth - width - 8));
  const below = at.bottom + 6 + height < innerHeight;
  box.style.setProperty("left", `${left}px`);
  box.style.setProperty("top", `${below ? at.bottom + 6 : at.top - height - 6}px`);
}

function hide() {
  shown = null;
  box.hidden = true;
}

const tipOf = (/** @type {Event} */ event) =>
  event.target instanceof Element
    ? /** @type {HTMLElement | null} */ (event.target.closest("[data-tip]"))
    : null;

for (const name of ["pointerover", "focusin", "click"]) {
  document.addEventListener(name, (event) => {
    const found = tipOf(event);
    if (found) show(found);
    else if (shown && name !== "pointerover") hide();
    else if (shown && document.activeElement !== shown) hide();
  });
}
document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
addEventListener("scroll", hide, { passive: true, capture: true });

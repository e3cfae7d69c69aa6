// Words that explain a number or a term: on hover, focus and tap.

import { h } from "./dom.js";

const EDGE = 8;
const reasons = new Map(); // ids of explanations, for screen readers
let shown = null; // the button that is explained now
let bubble;

/** Return a part of the page that explains itself. */
export const explained = (content, why, className = "") =>
  explaining(h("button", { type: "button", class: `explained ${className}`.trim() }, content), why);

/** Let a button explain itself, and return it. */
export function explaining(button, why) {
  button.setAttribute("aria-describedby", reason(why));
  const show = () => open(button, why);
  button.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && show());
  button.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && close());
  button.addEventListener("focus", show);
  button.addEventListener("blur", close);
  button.addEventListener("click", show);
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || shown !== button) return;
    close();
    event.preventDefault(); // a dialog around it stays
    event.stopPropagation();
  });
  return button;
}

/** Return the id of a hidden element with an explanation, made once. */
function reason(why) {
  if (!reasons.has(why)) {
    reasons.set(why, `why-${reasons.size}`);
    document.body.append(h("span", { id: reasons.get(why), hidden: true }, why));
  }
  return reasons.get(why);
}

/** Return a name and its number; the name explains it. */
export const figure = (name, value, why) =>
  h("div", {}, h("dt", {}, why ? explained(name, why) : name), h("dd", {}, value));

function open(button, why) {
  close();
  shown = button;
  // A popover lies over dialogs too.
  bubble = h("div", { class: "bubble", popover: "manual", "aria-hidden": "true" }, why);
  document.body.append(bubble);
  bubble.showPopover();
  const at = button.getBoundingClientRect();
  const own = bubble.getBoundingClientRect();
  const left = Math.min(at.left + at.width / 2 - own.width / 2, innerWidth - own.width - EDGE);
  const below = at.bottom + EDGE;
  const top = below + own.height > innerHeight - EDGE ? at.top - own.height - EDGE : below;
  bubble.style.setProperty("--left", `${Math.max(EDGE, left)}px`);
  bubble.style.setProperty("--top", `${Math.max(EDGE, top)}px`);
}

function close() {
  bubble?.remove();
  bubble = undefined;
  shown = null;
}

addEventListener("scroll", close, { passive: true, capture: true });

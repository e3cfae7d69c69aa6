// What stands where a review will be: how long it has taken so far, and once that is long, a way to stop it.

import { h } from "../dom.js";

const LONG = 3; // seconds

/** Return what is shown while a review is waited for. @param {() => void} stop */
export function waiting(stop) {
  const so = h("span", { class: "soft" });
  const button = h("button", { type: "button", class: "button small-button", hidden: true, onclick: stop }, "Stop");
  const element = h(
    "div",
    { class: "cluster waiting" },
    h("p", {}, h("span", { role: "status" }, "Thinking the game through…"), " ", so),
    button,
  );
  /** @type {number | undefined} */
  let timer;
  return {
    element,
    begin() {
      const begun = Date.now();
      clearInterval(timer);
      so.textContent = "";
      button.hidden = true;
      timer = setInterval(() => {
        if (!element.isConnected) clearInterval(timer);
        const seconds = Math.round((Date.now() - begun) / 1000);
        if (seconds < LONG) return;
        so.textContent = `${seconds} s so far. Long codes take up to a minute the first time.`;
        button.hidden = false;
      }, 1000);
    },
  };
}

// The frame: which view is shown, and the address that says so.

import { announce, h, problemNote } from "./dom.js";
import { keepPage } from "./offline.js";
import { showPreparing } from "./preparing.js";

const VIEWS = {
  "/": ["Play", () => import("./views/play.js")],
  "/assist": ["Assist", () => import("./views/assist.js")],
  "/review": ["Review", () => import("./views/review.js")],
  "/explore": ["Explore", () => import("./views/explore.js")],
  "/compare": ["Compare", () => import("./views/compare.js")],
  "/statistics": ["Statistics", () => import("./views/statistics.js")],
};
const main = document.getElementById("main");
const shown = new Map(); // views stay as they were left
let current = "";

/** Show the view of the address; `moved` when a person went there, so that focus follows. */
async function show(moved) {
  const path = VIEWS[location.pathname] ? location.pathname : "/";
  const [title, load] = VIEWS[path];
  current = path;
  document.title = `${title} · Sleuth`;
  for (const link of document.querySelectorAll("nav a[data-view]")) {
    if (link.pathname === path) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!shown.has(path)) {
    const section = h("section", { "aria-label": title, class: `view ${title.toLowerCase()}` });
    const view = load().then(
      (module) => module.mount(section),
      (error) => {
        shown.delete(path);
        section.append(problemNote(new Error(`this view could not be loaded: ${error.message}`)));
        return {};
      },
    );
    shown.set(path, { section, view });
    main.append(section);
  }
  for (const [other, { section }] of shown) section.hidden = other !== path;
  const { section, view } = shown.get(path);
  (await view).shown?.();
  document.documentElement.dataset.ready = path;
  performance.mark("ready");
  if (moved && current === path) {
    announce(`${title} view`);
    const heading = section.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

/** Go to a view of this page. */
export function go(address) {
  history.pushState(null, "", address);
  return show(true);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-view]");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.href);
});
addEventListener("popstate", () => show(true));
document.getElementById("rules")?.addEventListener("click", async () => (await import("./rules.js")).rules());
document
  .getElementById("appearance")
  ?.addEventListener("click", async () => (await import("./appearance.js")).appearance());
show(false);
showPreparing();
keepPage();

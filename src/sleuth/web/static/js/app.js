// The frame: which view is shown, and the address that says so.

import { announce, byId, h, problemNote } from "./dom.js";
import { keepPage } from "./offline.js";
import { showPreparing } from "./preparing.js";
import { loadHere } from "./storage.js";

/** @type {Record<string, [title: string, load: () => Promise<{ mount: (section: HTMLElement) => any }>]>} */
const VIEWS = {
  "/": ["Play", () => import("./views/play.js")],
  "/analyse": ["Analyse", () => import("./views/analyse.js")],
  "/compare": ["Compare", () => import("./views/compare.js")],
  "/difficulty": ["Lists", () => import("./views/difficulty.js")],
  "/plan": ["Planning", () => import("./views/plan.js")],
  "/statistics": ["Statistics", () => import("./views/statistics.js")],
  "/records": ["Records", () => import("./views/records.js")],
};
/** What the board does now, by the addresses that it had before. @type {Record<string, string>} */
const LEADS = { "/assist": "tab=guesses", "/review": "tab=game", "/explore": "tab=openers" };
const main = byId("main");
const shown = new Map(); // views stay as they were left
let current = "";

/** Show the view of the address; `moved` when a person went there, so that focus follows. */
async function show(moved) {
  if (LEADS[location.pathname]) {
    const said = [location.hash.slice(1), LEADS[location.pathname]].filter(Boolean);
    history.replaceState(null, "", `/analyse#${said.join("&")}`);
  }
  const path = VIEWS[location.pathname] ? location.pathname : "/";
  const [title, load] = VIEWS[path];
  const from = current;
  current = path;
  document.title = `${title} · Sleuth`;
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (
    document.querySelectorAll("nav a[data-view]")
  )) {
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
  (await view).shown?.(from);
  document.documentElement.dataset.ready = path;
  performance.mark("ready");
  if (moved && current === path && from !== path) {
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
  const link = /** @type {HTMLAnchorElement | null} */ (
    /** @type {Element} */ (event.target).closest("a[data-view]")
  );
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.href);
});
addEventListener("popstate", () => show(true));
document.getElementById("rules")?.addEventListener("click", async () => {
  const { rules } = await import("./rules.js");
  rules((await shown.get(current)?.view)?.puzzle?.());
});
document
  .getElementById("appearance")
  ?.addEventListener("click", async () => (await import("./appearance.js")).appearance());
show(false);
// The view of puzzles sends its own.
if (loadHere("sent") && current !== "/") import("./sending.js").then(({ sendWaiting }) => sendWaiting());
showPreparing();
keepPage();

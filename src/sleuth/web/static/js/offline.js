// The service worker: the page and its files stay here, so that it opens without a server.

import { h } from "./dom.js";

const AGAIN = 3_600_000; // how often a page that stays open looks for a new version
const OWN = new URL("..", import.meta.url).pathname; // where this version's files are

/** Have the page kept for times without a server; say when a new version of it has come. */
export function keepPage() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return; // not over plain HTTP
  serviceWorker.addEventListener("message", ({ data }) => {
    if (data?.files && data.files !== OWN) offerReload();
  });
  const register = async () => {
    try {
      const registration = await serviceWorker.register("/sw.js", { updateViaCache: "none" });
      let looked = Date.now();
      document.addEventListener("visibilitychange", () => {
        if (document.hidden || Date.now() - looked < AGAIN) return;
        looked = Date.now();
        registration.update().catch(() => {});
      });
    } catch {
      // storage is off, or no server answers: the page works as long as there is one
    }
  };
  // What is needed now comes first.
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}

function offerReload() {
  if (document.querySelector(".new-version")) return;
  document.getElementById("connection")?.after(
    h(
      "p",
      { class: "new-version", role: "status" },
      "There is a new version of this page; your game is safe. ",
      h("button", { type: "button", class: "link", onclick: () => location.reload() }, "Reload"),
    ),
  );
}

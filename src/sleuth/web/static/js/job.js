// A job of the server: begun, watched, found again after a reload, cancelled.

import { Problem, answered, get, post, remove } from "./api.js";
import { h, problemNote } from "./dom.js";
import { loadHere, saveHere } from "./storage.js";

/**
 * Return `begun` and `keep` of a job, for this tab: one of a kind is found again.
 *
 * @param {string} kind
 * @param {string} key  what is asked
 */
export function openJob(kind, key) {
  const [of, id] = loadHere(kind) ?? [];
  return {
    begun: /** @type {string} */ (of === key ? id : ""),
    keep: (/** @type {string} */ begun) => saveHere(kind, begun ? [key, begun] : null),
  };
}

/**
 * Begin a job, or go on watching where it was begun before. Return the element that shows how far it is; `finished`, a
 * promise of its report, or of null where there is none; and `cancel`.
 *
 * @template Report
 * @param {{
 *   path: string, body: any, name: string, heading: any, begun: string, keep: (id: string) => void,
 *   far: (told: any) => { share: number, says: string }, ended: (report: Report) => string,
 * }} work path: where its kind is, below the API; body: what is asked; name: what it is called to those who do not see it;
 *   heading: what stands above it; begun: the id of one that was begun and not seen to end, or ""; keep: keeps the id, ""
 *   forgets it; far: how far it is, 0 where that is not known, and in words; ended: what came of it, in a line
 */
export function job({ path, body, name, heading, begun, keep, far, ended: summed }) {
  const track = h("progress", { "aria-label": `Progress of ${name}`, max: 1, value: 0 });
  const said = h("p", { class: "soft small" }, "Waiting for its turn…");
  const stop = h(
    "button",
    { type: "button", class: "button", "aria-label": `Cancel ${name}`, onclick: () => cancel() },
    "Cancel",
  );
  const content = h("div", { class: "stack" }, track, h("div", { class: "run-line" }, said, stop));
  const element = h("article", { class: "card stack run" }, h("h2", {}, heading), content);
  /** @type {EventSource | undefined} */
  let events;
  let id = "";
  let ended = false;
  /** @type {(report: Report | null) => void} */
  let resolve = () => {};
  /** @type {Promise<Report | null>} */
  const finished = new Promise((done) => {
    resolve = done;
  });

  /** End with what is to be shown, and with the report where there is one. */
  function end(/** @type {Node | string} */ shown, /** @type {Report | null} */ report = null) {
    if (ended) return;
    ended = true;
    events?.close();
    keep("");
    content.style.setProperty("min-height", `${content.offsetHeight}px`); // what is below stays in its place
    content.replaceChildren(shown);
    resolve(report);
  }

  function cancel() {
    if (ended) return;
    if (id) remove(`${path}/${id}`).catch(() => {});
    end(h("p", { class: "soft" }, "Cancelled."));
  }

  function settle(/** @type {any} */ state) {
    if (state.status === "done") {
      end(h("p", { class: "soft" }, summed(state.report)), state.report);
    } else if (state.status === "failed") {
      end(problemNote(new Error(state.error ?? "the job failed")));
    } else if (state.status === "cancelled") end(h("p", { class: "soft" }, "Cancelled."));
  }

  function progress(/** @type {any} */ told) {
    const { share, says } = far(told);
    if (!says) return;
    if (share > 0) track.value = share;
    else track.removeAttribute("value");
    said.textContent = says;
  }

  async function begin() {
    try {
      const started = await post(path, body);
      if (ended) {
        remove(`${path}/${started.id}`).catch(() => {});
        return;
      }
      ({ id } = started);
      keep(id);
      listen();
    } catch (error) {
      end(problemNote(error));
    }
  }

  function listen() {
    events = new EventSource(`/api/v1${path}/${id}/events`);
    events.addEventListener("progress", (event) => progress(JSON.parse(event.data)));
    for (const name of ["done", "cancelled", "failed"])
      events.addEventListener(name, (event) => settle(JSON.parse(event.data)));
    events.addEventListener("open", answered);
    events.addEventListener("error", () => {
      events?.close();
      if (!ended) lookAgain("The server restarted; starting over…");
    });
  }

  /** Look for the run where it was left: the server may have restarted, and then it has forgotten it. */
  async function lookAgain(/** @type {string} */ forgotten) {
    try {
      const state = await get(`${path}/${id}`);
      settle(state);
      if (!ended) listen();
    } catch (error) {
      if (!(error instanceof Problem) || error.problem.status !== 404) {
        end(problemNote(error));
        return;
      }
      said.textContent = forgotten;
      await begin();
    }
  }

  id = begun;
  if (id) lookAgain("Waiting for its turn…");
  else begin();
  return { element, finished, cancel };
}

// An evaluation on the server: begun, watched, found again after a reload, cancelled.

import { Problem, answered, get, post, remove } from "../api.js";
import { h, problemNote, whole } from "../dom.js";
import { describe } from "./contestants.js";
import { jobOf, keepJob } from "./kept.js";
import { clock, inWords } from "./timeleft.js";

/** @typedef {import("./kept.js").Question} Question */
/** @typedef {import("./kept.js").Report} Report */

/**
 * Begin to play a strategy against every answer, or go on watching where that was begun before. Return the
 * element that shows how far it is; `finished`, a promise of its report, or of null where there is none; and
 * `cancel`.
 *
 * @param {Question} question
 * @param {string} spec  the strategy, as the API takes it
 */
export function job(question, spec) {
  const { title } = describe(spec);
  const track = h("progress", { "aria-label": `Progress of ${spec}`, max: 1, value: 0 });
  const said = h("p", { class: "soft small" }, "Waiting for its turn…");
  const stop = h(
    "button",
    { type: "button", class: "button", "aria-label": `Cancel ${spec}`, onclick: () => cancel() },
    "Cancel",
  );
  const content = h("div", { class: "stack" }, track, h("div", { class: "run-line" }, said, stop));
  const element = h(
    "article",
    { class: "card stack run" },
    h("h2", {}, title, spec === title ? null : h("span", { class: "term" }, ` ${spec}`)),
    content,
  );
  const timer = clock();
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
    keepJob(question, spec, "");
    content.style.setProperty("min-height", `${content.offsetHeight}px`); // what is below stays in its place
    content.replaceChildren(shown);
    resolve(report);
  }

  function cancel() {
    if (ended) return;
    if (id) remove(`/evaluations/${id}`).catch(() => {});
    end(h("p", { class: "soft" }, "Cancelled."));
  }

  function settle(/** @type {any} */ state) {
    if (state.status === "done") {
      end(h("p", { class: "soft" }, `${state.report.mean.toFixed(4)} guesses on average.`), state.report);
    } else if (state.status === "failed") {
      end(problemNote(new Error(state.error ?? "the evaluation failed")));
    } else if (state.status === "cancelled") end(h("p", { class: "soft" }, "Cancelled."));
  }

  function progress(/** @type {{ done: number, total: number, turn: number }} */ told) {
    const { share, left } = timer.told(told, performance.now() / 1000);
    if (!told.total) return;
    if (share > 0) track.value = share;
    else track.removeAttribute("value");
    const time = left === null ? "" : `, ${inWords(left)}`;
    said.textContent =
      share > 0
        ? `Guess ${told.turn}: ${whole(told.done)} of ${whole(told.total)}${time}`
        : "Choosing its first guess…";
  }

  async function begin() {
    try {
      const { game, opener } = question;
      const started = await post("/evaluations", { game, strategy: spec, ...(opener ? { opener } : {}) });
      if (ended) {
        remove(`/evaluations/${started.id}`).catch(() => {});
        return;
      }
      ({ id } = started);
      keepJob(question, spec, id);
      listen();
    } catch (error) {
      end(problemNote(error));
    }
  }

  function listen() {
    events = new EventSource(`/api/v1/evaluations/${id}/events`);
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
      const state = await get(`/evaluations/${id}`);
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

  id = jobOf(question, spec);
  if (id) lookAgain("Waiting for its turn…");
  else begin();
  return { element, finished, cancel };
}

// Asking the server: JSON both ways, problems in words, patience while it restarts.

import { byId } from "./dom.js";

const BASE = "/api/v1";
const PAUSES = [400, 800, 1500, 2500];
const LONG = 300;
const PATIENCE = 6; // how often a busy server is asked again; one that is away is asked for ever
const RECONNECTING = "Reconnecting… what you have here is safe.";

/** What the server says is wrong (RFC 9457): its detail as message, the rest in `problem`. */
export class Problem extends Error {
  constructor(problem) {
    super(problem.detail || problem.title || "the server could not answer");
    this.problem = problem;
  }
}

/** Return the answer to a GET. Throws Problem. Nothing shows that a quiet question is asked. */
export const get = (path, options = {}) => ask("GET", path, undefined, options);
/** Return the answer to a POST of JSON. Throws Problem. */
export const post = (path, body, options = {}) => ask("POST", path, body, options);
/** Cancel or remove something. Throws Problem. */
export const remove = (path) => ask("DELETE", path, undefined, {});

/** Return a function that asks anew and drops the answer to what it was asked before. */
export function latest(request) {
  let controller = new AbortController();
  return (...given) => {
    controller.abort();
    controller = new AbortController();
    return request(...given, { signal: controller.signal });
  };
}

/** Say whether an error only means that a newer question was asked. */
export const superseded = (error) => error.name === "AbortError";

/**
 * away: what to say while no server answers
 * @typedef {{ signal?: AbortSignal, quiet?: boolean, away?: string }} Options
 */

async function ask(method, path, body, /** @type {Options} */ { signal, quiet = false, away: said = RECONNECTING }) {
  const done = quiet ? () => {} : busy();
  const question = Symbol(path);
  try {
    for (let attempt = 0; ; attempt += 1) {
      const response = await send(method, path, body, signal);
      const away = !response || response.status === 502 || response.status === 504;
      const busyNow = response?.status === 503 || response?.status === 429;
      const preparing = response?.status === 503 && (await isPreparing(response));
      if (!away && !preparing && (!busyNow || attempt >= PATIENCE)) {
        answered();
        return await read(response);
      }
      // The first miss may be a hiccup, not worth a word.
      if (attempt > 0 && !preparing) tell(question, away ? said : "The server is busy; one moment…");
      const wished = 1000 * Number(response?.headers.get("Retry-After") ?? 0);
      await wait(Math.max(wished, PAUSES[Math.min(attempt, PAUSES.length - 1)]), signal);
    }
  } finally {
    tell(question, "");
    done();
  }
}

/** Return the response, or nothing where no server answers. */
async function send(method, path, body, signal) {
  try {
    return await fetch(BASE + path, {
      method,
      signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return null;
  }
}

/** Say whether the server only has to compile first; then `preparing.js` shows how far it is. */
async function isPreparing(response) {
  return (
    (
      await response
        .clone()
        .json()
        .catch(() => ({}))
    ).type === "urn:sleuth:preparing"
  );
}

async function read(response) {
  if (response.status === 204) return null;
  const type = response.headers.get("Content-Type") ?? "";
  const body = type.includes("json") ? await response.json() : { title: response.statusText };
  if (!response.ok) throw new Problem({ status: response.status, ...body });
  return body;
}

function wait(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("superseded", "AbortError"));
    });
  });
}

const told = new Map(); // of each question that waits, why

/** Show why a question waits, or with "" that it does not. What is said of a guess is shown before the rest. */
function tell(question, text) {
  if (text) told.set(question, text);
  else told.delete(question);
  const texts = [...told.values()];
  const shown = texts.find((one) => one !== RECONNECTING) ?? texts[0] ?? "";
  const note = byId("connection");
  if (note.textContent !== shown) note.textContent = shown;
}

/** Take away what is said of waiting: the server answers, and what still waits will say so again. */
export function answered() {
  told.clear();
  tell(null, "");
}

let pending = 0;
/** Show the bar of progress while anything takes longer than a moment; return what ends it. */
export function busy() {
  let shown = false;
  const place = byId("busy");
  const timer = setTimeout(() => {
    shown = true;
    pending += 1;
    place.hidden = false;
  }, LONG);
  return () => {
    clearTimeout(timer);
    if (shown) pending -= 1;
    place.hidden = pending === 0;
  };
}

// What is looked at, as one plain value: it is changed as a whole, undone and redone, and stands in the address.

import { load, save } from "../storage.js";
import { addressOf, stateFrom } from "./address.js";
import { has, within } from "./tree.js";

/** @typedef {import("./address.js").State} State */

const STEPPING = 400; // steps that follow each other sooner are one place to go back to
const KEPT = "analyse";

/**
 * Return a study. `changed(moved)` is called after every change; moved: whether rows or the place are others.
 * @param {(moved: boolean) => void} changed
 */
export function study(changed) {
  /** @type {State} */
  let state = stateFrom(load(KEPT) ?? "").state;
  /** @type {State[]} */
  let past = [];
  /** @type {State[]} */
  let future = [];
  let lastEdit = "";
  let own = ""; // the address that was written here
  let stepped = -Infinity;

  function put(/** @type {State} */ next) {
    const moved = next.root !== state.root || next.at.join(".") !== state.at.join(".");
    state = has(next.root, next.at) ? next : { ...next, at: within(next.root, next.at) };
    if (moved) state = { ...state, better: "" }; // a puzzle is of one place
    return moved;
  }

  /** Write the address of what is shown, as a new place to go back to unless it is `instead` of the last. */
  function write(/** @type {boolean} */ instead) {
    const { address } = addressOf(state);
    save(KEPT, address.split("#")[1] ?? "");
    if (address !== location.pathname + location.hash || !history.state?.board)
      history[instead ? "replaceState" : "pushState"]({ board: true }, "", address);
    own = address;
  }

  /** Let the address stay as it was typed. */
  function keep(hash = location.hash) {
    own = location.pathname + hash;
    history.replaceState({ board: true }, "", own);
  }

  return {
    get now() {
      return state;
    },
    get hasPast() {
      return past.length > 0;
    },
    get hasFuture() {
      return future.length > 0;
    },

    /** Go to another state. edit: names the change, so that it can be undone; changes of one name that follow each
     * other are undone at once. stepping: whether it is one of several steps.
     * @param {State} next @param {{ edit?: string, stepping?: boolean }} [how] */
    set(next, { edit = "", stepping = false } = {}) {
      if (edit && edit !== lastEdit) {
        past = [...past, state];
        future = [];
      }
      lastEdit = edit;
      const moved = put(next);
      const now = performance.now();
      write(stepping && now - stepped < STEPPING);
      stepped = stepping ? now : -Infinity;
      changed(moved);
    },

    /** Take the last change back, or with -1 do it again; the tab stays. Return whether there was one.
     * @param {1 | -1} by */
    undo(by) {
      const [from, to] = by > 0 ? [past, future] : [future, past];
      const next = from.pop();
      if (!next) return false;
      to.push(state);
      lastEdit = "";
      const moved = put({ ...next, tab: state.tab, tried: "", better: state.better });
      write(false);
      changed(moved);
      return true;
    },

    /** Take what the address says; return what could not be taken, or nothing where the address was written here. One
     * that was not and names at most a tab leaves the game as it is. One of which something could not be taken stays, so
     * that it can be mended or opened elsewhere. @returns {string[] | null} */
    open() {
      if (location.pathname + location.hash === own) return null;
      const query = new URLSearchParams(location.hash.slice(1));
      const bare = [...query.keys()].every((name) => name === "tab" || name === "sort");
      const { state: said, remarks } = stateFrom(location.hash);
      if (!bare || history.state?.board) state = said;
      else if (query.has("tab")) state = { ...state, tab: said.tab, sort: said.sort, better: "" };
      lastEdit = "";
      if (remarks.length) keep();
      else write(true);
      return remarks;
    },

    /** Take the address that was opened without its answer, which is none; it stays. Return what else could not be taken.
     * @param {string} hash @returns {string[]} */
    openWithoutAnswer(hash) {
      const { state: said, remarks } = stateFrom(hash, false);
      state = said;
      keep(hash);
      return remarks;
    },
  };
}

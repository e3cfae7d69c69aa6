// What this browser keeps: games in progress and choices. Nothing of it leaves the browser.

const PREFIX = "sleuth.";

/** Return what was saved under a name, or nothing. */
export const load = (name) => read(() => localStorage, name);
/** Keep a plain value under a name. Where storage is off or full, the page goes on without. */
export const save = (name, value) => write(() => localStorage, name, value);
/** Return what was saved under a name for this tab alone, or nothing. */
export const loadHere = (name) => read(() => sessionStorage, name);
/** Keep a plain value for this tab alone. */
export const saveHere = (name, value) => write(() => sessionStorage, name, value);

function read(storage, name) {
  try {
    return JSON.parse(storage().getItem(PREFIX + name) ?? "null");
  } catch {
    return null; // storage is off, or holds what another version wrote
  }
}

function write(storage, name, value) {
  try {
    storage().setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // nothing to be done, and the game goes on
  }
}

/** Return the names that begin so under which something is saved. */
export function saved(beginning) {
  try {
    const begins = PREFIX + beginning;
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(begins) ? [key.slice(PREFIX.length)] : []));
  } catch {
    return [];
  }
}

/** Forget what was saved under a name. */
export function remove(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // nothing was kept
  }
}

/** Call a function whenever another tab saved something under a name. */
export function whenSaved(listener) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(PREFIX) && newValue !== null) listener(key.slice(PREFIX.length));
  });
}

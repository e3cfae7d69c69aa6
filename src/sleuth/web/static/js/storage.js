// What this browser keeps: games in progress and choices. Nothing of it leaves the browser.

const PREFIX = "sleuth.";

/** Return what was saved under a name, or nothing. */
export function load(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null; // storage is off, or holds what another version wrote
  }
}

/** Keep a plain value under a name. Where storage is off or full, the page goes on without. */
export function save(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // nothing to be done, and the game goes on
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

// What this browser keeps: games in progress, statistics, choices. Nothing of it leaves the browser.

const PREFIX = "sleuth.";

/** Return what was saved under a name, or nothing. */
export function load(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
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

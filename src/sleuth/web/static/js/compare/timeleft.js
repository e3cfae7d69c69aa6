// How long an evaluation still takes, from how long its turns took so far.

/** The share of all answers that is left at each turn, roughly, however good the strategy is. */
const LEFT = [1, 1, 0.97, 0.5, 0.08, 0.015, 0.004];
const SOON = 3; // seconds before which nothing can be said

const leftAt = (/** @type {number} */ turn) =>
  LEFT[turn - 1] ?? LEFT[LEFT.length - 1] / 2 ** (turn - LEFT.length);

/**
 * Return a clock: `told(progress, now)` takes what the server tells and returns the share done, 0 to 1, and
 * the seconds left, null where too little is known.
 */
export function clock() {
  let turn = 0;
  let began = 0;
  let turnBegan = 0;
  let last = 0; // when something was told before: a turn begins where the one before ended
  return {
    /**
     * @param {{ done: number, total: number, turn: number }} progress
     * @param {number} now  in seconds
     * @returns {{ share: number, left: number | null }}
     */
    told(progress, now) {
      if (!progress.total || !progress.turn) return { share: 0, left: null };
      if (!began) began = now;
      if (progress.turn !== turn) {
        turn = progress.turn;
        turnBegan = last || now;
      }
      last = now;
      const part = progress.done / progress.total;
      let ahead = 0;
      for (let later = turn + 1; later <= LEFT.length; later += 1) ahead += leftAt(later);
      let before = 0;
      for (let earlier = 1; earlier < turn; earlier += 1) before += leftAt(earlier);
      const here = leftAt(turn);
      const share = (before + part * here) / (before + here + ahead);
      const spent = now - turnBegan;
      if (now - began < SOON || part < 0.1 || turn < 2) return { share, left: null };
      const turnTakes = spent / part;
      return { share, left: turnTakes * (1 - part) + (turnTakes * ahead) / here };
    },
  };
}

/** Return a time in words, rounded as such an estimate deserves. */
export function inWords(/** @type {number} */ seconds) {
  if (seconds < 10) return "a few seconds left";
  if (seconds < 55) return `about ${10 * Math.round(seconds / 10)} seconds left`;
  const minutes = Math.round(seconds / 60);
  return minutes <= 1 ? "about a minute left" : `about ${minutes} minutes left`;
}

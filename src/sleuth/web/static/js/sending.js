// A guess on its way to the server. It is kept until there is an answer: after a reload it goes off by itself, whichever
// view is open.

import { post } from "./api.js";
import { keyOf, open, played } from "./puzzle.js";
import { loadHere, saveHere } from "./storage.js";

const SENT = "sent";
const AWAY = "Reconnecting… your game is safe here, and your guess goes off by itself.";

/** Whether a guess of a puzzle is on its way. */
export const isOnItsWay = (puzzle) => waiting() !== null && keyOf(waiting().puzzle) === keyOf(puzzle);

const waiting = () => {
  const sent = loadHere(SENT);
  return sent?.puzzle && sent.guess ? sent : null;
};

/** Send a guess of a puzzle; return its state then, which is kept. Throws Problem. */
export async function send(state, guess) {
  const { puzzle, guesses } = state;
  saveHere(SENT, { puzzle, guess });
  try {
    return played(state, guess, await post("/guess", { puzzle, guesses, guess }, { away: AWAY }));
  } finally {
    saveHere(SENT, null);
  }
}

/** Send the guess that had no answer yet when the page was left, if there is one. */
export async function sendWaiting() {
  const { puzzle, guess } = waiting() ?? {};
  if (!puzzle) return;
  const state = open(puzzle);
  if (state.over) {
    saveHere(SENT, null);
    return;
  }
  try {
    await send(state, guess);
    if (loadHere("typed")?.[0] === keyOf(puzzle)) saveHere("typed", null);
  } catch {
    // what the server refuses stays typed in its row, and is told there
  }
}

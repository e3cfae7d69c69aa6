// Reviews of finished games, asked one after the other and kept with them.

import { Problem, post } from "./api.js";
import { keepReview } from "./history.js";
import { gameOf, rowsOf } from "./puzzle.js";
import { isReviewed, judged } from "./statistics.js";

/**
 * Ask the server for the reviews that games lack, newest first, until `signal` ends it; put them into the games
 * and call `done(game)` after each. here: the words of your own that this browser has. Throws what is no answer
 * of the server, and at the end what kept it from reviewing some games this time.
 */
export async function judge(games, here, signal, done) {
  /** @type {Problem | null} */
  let failed = null;
  for (const game of games.filter((one) => !one.review).reverse()) {
    const question = questionOf(game, here);
    if (!question) continue;
    try {
      game.review = judged(await post(question.path, question.asked, { signal, quiet: true }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.problem.status !== 422) {
        failed = error; // it took too long, say: asked again another time
        continue;
      }
      game.review = { skill: null, luck: null, moves: [] }; // what the server refuses once it always will
    }
    await keepReview(game.id, game.review);
    done(game);
  }
  if (failed) throw failed;
}

/** Return what to ask for the review of a game, and where; null where there is no review of it. */
function questionOf(played, here) {
  const { boards, variant, answers } = played;
  const game = gameOf(played, here);
  if (!isReviewed(played) || !game) return null;
  const rows = (board) => rowsOf(played, board);
  if (boards > 1) {
    const asked = answers.map((answer, board) => ({ rows: rows(board), answer }));
    return { path: "/boards/review", asked: { game, boards: asked } };
  }
  const host = variant === "standard" ? { answer: answers[0] } : { variant };
  return { path: "/review", asked: { game, rows: rows(0), ...host } };
}

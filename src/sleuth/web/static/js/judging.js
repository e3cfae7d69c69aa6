// Reviews of finished games, asked one after the other and kept with them.

import { Problem, post } from "./api.js";
import { keepReview } from "./history.js";
import { canJudge, judged, rowsOfGame } from "./statistics.js";

/**
 * Ask the server for the reviews that games lack, newest first, until `signal` ends it; put them into the games
 * and call `done(game)` after each. Throws what is no answer of the server.
 */
export async function judge(games, signal, done) {
  for (const game of games.filter((one) => canJudge(one) && !one.review).reverse()) {
    const [answer] = game.answers;
    try {
      const review = await post("/review", { game: game.game, rows: rowsOfGame(game), answer }, { signal, quiet: true });
      game.review = judged(review);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      game.review = { skill: null, luck: null, moves: [] }; // what the server refuses once it always will
    }
    await keepReview(game.id, game.review);
    done(game);
  }
}

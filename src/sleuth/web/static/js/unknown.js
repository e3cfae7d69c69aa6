// Whether words that an address names are ones of a game: the server has the lists.

import { Problem } from "./api.js";
import { rightFeedback } from "./board/feedback.js";
import { question } from "./board/questions.js";

/** Return why one of some words is none of a game, in the server's words; "" where all are, and where no server can tell.
 * @param {any} game @param {string[]} words "" for none */
export async function unknownWord(game, words) {
  for (const word of words.filter(Boolean)) {
    try {
      await question("/check", { game, rows: [{ guess: word, feedback: rightFeedback(game) }] }, { quiet: true });
    } catch (error) {
      if (error instanceof Problem && error.problem.status === 422) return error.message.replace(/^row 1: /, "");
    }
  }
  return "";
}

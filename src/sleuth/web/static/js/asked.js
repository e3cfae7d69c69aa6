// Which puzzle the address asks for.

import { today } from "./days.js";
import { whole } from "./dom.js";
import { DEFAULT, fromQuery, isOneOf, isWhole, reader } from "./games.js";
import { MOST_BOARDS, MOST_NUMBER, VARIANTS } from "./puzzle.js";
import { load } from "./storage.js";

const NAMES = ["puzzle", "game", "words", "mode", "pegs", "colours", "boards", "variant"];

/** Return the kind of a puzzle: all of it but the number. */
export const kindOf = ({ game, boards, variant }) => ({ game, boards, variant });

/**
 * Return the puzzle that the address asks for: one that it names (`linked`), or today's, of the kind that was
 * last chosen for every day; and remarks on what the address asks for and there is not.
 */
export function asked() {
  const query = new URLSearchParams(location.pathname === "/" ? location.search : "");
  if (NAMES.some((name) => query.has(name))) {
    const remarks = [];
    const read = reader(query, remarks);
    const number = read("puzzle", "", isWhole(0, MOST_NUMBER), `puzzles have numbers from 0 to ${whole(MOST_NUMBER)}; this is today's`);
    const boards = read("boards", 1, isWhole(1, MOST_BOARDS), `a puzzle has 1 to ${MOST_BOARDS} boards`);
    const variants = VARIANTS.map(([id]) => id);
    const variant = read("variant", "standard", isOneOf(variants), `variants are ${variants.join(", ")}`);
    const puzzle = {
      game: fromQuery(query, remarks),
      boards: Number(boards),
      variant,
      number: number === "" ? today() : Number(number),
    };
    return { puzzle, linked: true, remarks };
  }
  const kind = history.state?.kind ?? load("daily") ?? { game: DEFAULT, boards: 1, variant: "standard" };
  history.replaceState({ kind }, ""); // a step back leads here again, whatever is chosen later
  return { puzzle: { ...kind, number: today() }, linked: false, remarks: [] };
}

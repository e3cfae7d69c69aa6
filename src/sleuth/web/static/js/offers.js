// What the server takes of each game: forms offer nothing else.

import { get } from "./api.js";

/**
 * @typedef {{
 *   id: string, modes: string[], words: { id: string, answers: number }[], sizes: { pegs: number, colours: number }[],
 *   kinds: { variant: string, mode: string, boards: number, letters: number }[],
 * }} Offer what GET /games says of a game
 * @typedef {{ game: any, boards: number, variant: string }} Choice
 */

/** @type {Promise<Offer[]> | undefined} */
let asked;

/** Return what there is of each game, asked once. Throws Problem. */
export const offers = () =>
  (asked ??= get("/games", { quiet: true }).then(
    (answer) => answer.games,
    (error) => {
      asked = undefined;
      throw error;
    },
  ));

/** Return what there is of a game; nothing until it is known. @param {Offer[]} all @param {any} game */
export const offerOf = (all, game) => all.find(({ id }) => id === game.game);

/** Return the most colours with so many pegs; 0 where there are none. @param {Offer} offer @param {number} pegs */
export const coloursOf = (offer, pegs) => offer.sizes.find((size) => size.pegs === pegs)?.colours ?? 0;

/** Return the kinds of a game with words as long as its own. @param {Offer} offer @param {number} length */
export const kindsOf = (offer, length) => offer.kinds.filter(({ letters }) => letters >= length);

/**
 * Return the choice with all that does not go with its part that was just chosen set to what does, as much as it
 * can be left as it was.
 *
 * @param {Choice} choice
 * @param {"boards" | "variant" | "game"} chosen
 * @param {Offer["kinds"]} kinds those of the game
 * @returns {Choice}
 */
export function fitted(choice, chosen, kinds) {
  const { game, boards, variant } = choice;
  const stays = (/** @type {Offer["kinds"][number]} */ kind) => ({
    boards: kind.boards >= boards,
    variant: kind.variant === variant,
    game: kind.mode === game.mode,
  });
  const likeness = (/** @type {Offer["kinds"][number]} */ kind) =>
    Object.values(stays(kind)).filter(Boolean).length;
  const [best] = kinds.filter((kind) => stays(kind)[chosen]).sort((a, b) => likeness(b) - likeness(a));
  if (!best) return choice;
  return {
    game: { ...game, mode: best.mode },
    boards: Math.min(boards, best.boards),
    variant: best.variant,
  };
}

/** Return in words what is other in a choice than was asked for, "" where nothing is. @param {Choice} before @param {Choice} after */
export function adapted(before, after) {
  const parts = [
    after.boards === before.boards ? "" : after.boards === 1 ? "1 board" : `${after.boards} boards`,
    after.variant === before.variant ? "" : `${after.variant} variant`,
    after.game.mode === before.game.mode ? "" : `${after.game.mode} mode`,
  ].filter(Boolean);
  return parts.length ? `Changed to fit: ${parts.join(", ")}.` : "";
}

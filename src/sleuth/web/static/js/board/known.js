// What is known of guesses in positions, from all answers so far: where two say something of one guess, what is more
// certain is told everywhere.

/**
 * @typedef {{ guess: string, expected_guesses: number | null, kind: string, [more: string]: any }} Guess a guess with its
 *   numbers, as the API tells them
 * @typedef {{ game: any, rows: any[], variant?: string }} Position as it is asked about
 */

const CERTAINTIES = ["proved", "at most", "estimate"]; // the strongest first
const KEPT = 300;
const DIGITS = 9;
/** @type {Map<string, Map<string, Guess>>} */
const positions = new Map();

const keyOf = (/** @type {Position} */ { game, rows, variant = "standard" }) =>
  JSON.stringify([game, rows, variant]);

/** Whether what is said of a guess is more certain than something else that is, or lower and as certain.
 * @param {Guess} one @param {Guess} other */
function isBetter(one, other) {
  if (one.expected_guesses === null || other.expected_guesses === null) return other.expected_guesses === null;
  const [here, there] = [one, other].map(({ kind }) => CERTAINTIES.indexOf(kind));
  return here < there || (here === there && one.kind === "at most" && one.expected_guesses < other.expected_guesses);
}

/** Return the guesses of an answer, with what they are known to take. @param {any} answer @returns {Guess[]} */
const guessesOf = ({ guesses, guess, best, words }) =>
  [
    ...(guesses ?? []),
    ...(guess?.guess ? [guess, best] : []),
    ...(words?.[0]?.word ? words.map(({ word, ...one }) => ({ guess: word, ...one })) : []),
  ].filter(Boolean);

/** Remember what an answer about a position says of guesses, or a review about those of its rows.
 * @param {Position & { answer?: string }} position @param {any} answer */
export function learn({ game, rows, variant }, answer) {
  if (answer.moves)
    answer.moves.forEach(({ best, played }, i) =>
      remember({ game, rows: rows.slice(0, i), variant }, { guesses: [best, played] }),
    );
  else remember({ game, rows, variant }, answer);
}

/** @param {Position} position @param {any} answer */
function remember(position, answer) {
  const key = keyOf(position);
  const known = positions.get(key) ?? new Map();
  positions.delete(key);
  positions.set(key, known);
  if (positions.size > KEPT) positions.delete([...positions.keys()][0]);
  for (const one of guessesOf(answer)) {
    const before = known.get(one.guess);
    if (!before) known.set(one.guess, one);
    else if (isBetter(one, before)) known.set(one.guess, { ...before, ...one });
    else known.set(one.guess, { ...one, ...before });
  }
}

/** Return a guess with the best that is known of what it takes. @template {Guess} One
 * @param {Position} position @param {One} one @returns {One} */
export function asKnown(position, one) {
  const known = positions.get(keyOf(position))?.get(one.guess);
  if (!known || !isBetter(known, one)) return one;
  return { ...one, expected_guesses: known.expected_guesses, kind: known.kind, least: known.least };
}

const valueOf = (/** @type {Guess} */ { kind, expected_guesses: expected }) =>
  kind === "estimate" || expected === null ? Infinity : Number(expected.toFixed(DIGITS));

/** Return some guesses and those that were counted elsewhere, with the best that is known, the best first; estimates, as a
 * rule too low, come after what was counted, in the order they had. @param {Position} position @param {Guess[]} guesses */
export function ranked(position, guesses) {
  const listed = new Set(guesses.map(({ guess }) => guess));
  const others = [...(positions.get(keyOf(position))?.values() ?? [])].filter(
    ({ guess, kind, bits }) => !listed.has(guess) && kind !== "estimate" && bits !== undefined,
  );
  const all = [...guesses.map((one) => asKnown(position, one)), ...others];
  return all.sort((a, b) => valueOf(a) - valueOf(b) || 0).slice(0, guesses.length);
}

/** Return the best guess that is known of a position: one that is given, or one that takes less and was counted.
 * @param {Position} position @param {Guess | null} best @returns {Guess | null} */
export const bestKnown = (position, best) => best && ranked(position, [best])[0];

/** Return a guess that is known to take as many as another one, nothing where there is none. @param {Position} position
 * @param {Guess} one @returns {Guess | undefined} */
export function equalOf(position, one) {
  const known = [...(positions.get(keyOf(position))?.values() ?? [])];
  return known.find((other) => other.guess !== one.guess && valueOf(other) === valueOf(one) && valueOf(one) < Infinity);
}

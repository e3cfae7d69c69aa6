// Who plays: strategies in words that players use, beside the field's terms, and as text for the API.

/**
 * @typedef {{ name: string, kind: string, choices: string[], least: number | null, most: number | null }} Field
 *   What an option takes, as the API tells.
 * @typedef {{ name: string, summary: string, options: Record<string, any>, fields: Field[] }} Strategy
 * @typedef {{ name: string, options: Record<string, string> }} Contestant
 *   A strategy, and those of its options that are not as usual.
 */

/** The two that a comparison begins with: somebody new to the game, and the field's classic. */
export const FIRST = ["random", "information-gain"];

/** @type {Record<string, [group: string, title: string, says: string]>} */
const WORDS = {
  random: ["As beginners play", "Anything that fits", "Guesses something that may still be the answer."],
  "most-hints": [
    "As beginners play",
    "Most coloured tiles",
    "Goes for greens and yellows, whether they tell anything new or not.",
  ],
  "decision-tree": [
    "As beginners play",
    "Best that fits",
    "Guesses only what may be right, and what tells the most of it.",
  ],
  "information-gain": [
    "Quick and strong",
    "Most information",
    "The guess whose colours tell the most, in bits. The classic.",
  ],
  "most-rapid-decrease": [
    "Quick and strong",
    "Fewest left",
    "Leaves as few answers possible as it can, on average.",
  ],
  "worst-case": [
    "Quick and strong",
    "Safest guess",
    "Leaves as few answers possible as it can when things go badly.",
  ],
  "greatest-expected-probability": [
    "Quick and strong",
    "Best chance next time",
    "Makes it as likely as possible that the guess after this one is right.",
  ],
  "expected-guesses": [
    "Quick and strong",
    "Fewest guesses, roughly",
    "Estimates from the information how many guesses are still to come.",
  ],
  alpha: [
    "Quick and strong",
    "In between",
    "A dial: 1 leaves few answers, 0 asks for information, −1 for a right guess.",
  ],
  "alpha-fds": [
    "Quick and strong",
    "In between, knowing endgames",
    "The dial, and it knows which few answers one guess tells apart.",
  ],
  rollout: [
    "Close to perfect",
    "Plays it through",
    "Tries the best guesses, plays each to the end in its head, and takes the best.",
  ],
  beam: ["Close to perfect", "Careful search", "Searches the most promising guesses, several deep."],
  "most-found": [
    "Close to perfect",
    "Beats the clock",
    "As careful search, and where not every word can be found in time, it finds as many as it can.",
  ],
  exact: ["Close to perfect", "Perfect play", "Searches everything, with proof, as far as its time goes."],
  avts: [
    "Close to perfect",
    "Explores by chance",
    "Plays many games in its head, more often where it may pay.",
  ],
  learned: [
    "Learned by practice",
    "Trained network",
    "Plays by feel: a network that has seen millions of positions.",
  ],
  "learned+search": [
    "Learned by practice",
    "Trained network that checks",
    "The network, looking one guess ahead.",
  ],
  "document-003": [
    "Learned by practice",
    "Letter counter",
    "A network that sees only what the rows told of letters.",
  ],
  "letter-pairs": [
    "Learned by practice",
    "Network for any list",
    "Knows letters and their pairs, and no list of words.",
  ],
  minimax: ["Thinks ahead", "Expects the worst", "Looks two guesses ahead and assumes bad luck."],
  "alpha-beta": ["Thinks ahead", "Expects the worst, faster", "The same guesses from fewer tries."],
  expectimax: [
    "Thinks ahead",
    "Expects the average",
    "Looks two guesses ahead and assumes neither luck nor bad luck.",
  ],
  schedule: [
    "Mixtures",
    "One for each turn",
    "A strategy for the first guess, another for the second, and so on.",
  ],
  portfolio: [
    "Mixtures",
    "Best of several",
    "Asks several strategies, and takes whichever does best in each position.",
  ],
};
const OTHERS = "Others";

/** Return what a strategy is called for players; its name where nothing better is known. */
export const titleOf = (/** @type {string} */ name) => WORDS[name]?.[1] ?? name;

/** Return what a strategy does, in a sentence. */
export const aboutOf = (/** @type {Strategy} */ strategy) => WORDS[strategy.name]?.[2] ?? strategy.summary;

/**
 * Return the strategies in groups, for a list to choose from.
 *
 * @param {Strategy[]} strategies
 * @returns {[group: string, members: Strategy[]][]}
 */
export function grouped(strategies) {
  const order = [...new Set(Object.values(WORDS).map(([group]) => group)), OTHERS];
  const places = Object.keys(WORDS);
  const groupOf = (/** @type {Strategy} */ one) => WORDS[one.name]?.[0] ?? OTHERS;
  return order
    .map((group) => {
      const members = strategies.filter((one) => groupOf(one) === group);
      return /** @type {[string, Strategy[]]} */ ([
        group,
        members.sort((a, b) => places.indexOf(a.name) - places.indexOf(b.name)),
      ]);
    })
    .filter(([, members]) => members.length > 0);
}

/**
 * Return a contestant as the API and addresses have it: name(option=value,...), or the name alone.
 *
 * @param {Contestant} contestant
 */
export function specOf({ name, options }) {
  const given = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  return given.length ? `${name}(${given.join(",")})` : name;
}

/** Return what an option takes, in words; nothing where any text may be right. @param {Field} field */
function taken({ kind, choices, least, most }) {
  if (kind === "choice") return choices.join(", ");
  if (kind !== "whole" && kind !== "number") return "";
  return [`a ${kind === "whole" ? "whole " : ""}number from ${least} to ${most}`, ...choices].join(", or ");
}

/** Whether an option takes a value; names within names are left to the server. @param {Field} field @param {string} value */
function takes({ name, kind, choices, least, most }, value) {
  if (kind === "choice" || choices.includes(value)) return choices.includes(value);
  if (kind !== "whole" && kind !== "number") return value !== "";
  if (name === "alpha" && /^[+-]?inf$/.test(value)) return true;
  const written = kind === "whole" ? /^[+-]?\d+$/ : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  return written.test(value) && Number(value) >= (least ?? -Infinity) && Number(value) <= (most ?? Infinity);
}

const EXAMPLE = "rollout(width=5)";
const shortened = (/** @type {string} */ text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/**
 * Return the contestant that a text is, or null where it is none. Adds to `remarks` what is wrong with it, and what is
 * allowed; an option whose value is not taken is as usual.
 *
 * @param {string} text
 * @param {Strategy[]} strategies
 * @param {string[]} [remarks]
 * @returns {Contestant | null}
 */
export function contestantFrom(text, strategies, remarks = []) {
  const [, name = "", inner = ""] = /^([^()]+)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
  const strategy = strategies.find((one) => one.name === name.trim());
  if (!strategy) {
    remarks.push(
      name
        ? `there is no strategy “${shortened(name.trim())}”: strategies are ${strategies.map((one) => one.name).join(", ")}`
        : `“${shortened(text)}” is not how a strategy is written: its name, with options such as ${EXAMPLE}`,
    );
    return null;
  }
  /** @type {Record<string, string>} */
  const options = {};
  for (const part of partsOf(inner)) {
    const [, key = "", value = ""] = /^\s*([\w-]+)\s*=(.*)$/s.exec(part) ?? [];
    if (!Object.hasOwn(strategy.options, key)) {
      remarks.push(withoutOption(strategy, key, part));
      return null;
    }
    const given = value.trim();
    if (given === usualOf(strategy, key)) continue;
    const field = strategy.fields.find((one) => one.name === key);
    if (!field || takes(field, given)) options[key] = given;
    else remarks.push(`${strategy.name} has no “${key}=${given.slice(0, 30)}”: it takes ${taken(field) || "a name"}`);
  }
  return { name: strategy.name, options };
}

/** Return that a strategy has no such option, and which it has. @param {Strategy} strategy @param {string} key @param {string} part */
function withoutOption({ name, options }, key, part) {
  const names = Object.keys(options);
  const has = names.length ? `its options are ${names.join(", ")}` : "it has no options";
  return key
    ? `${name} has no option “${shortened(key)}”: ${has}`
    : `“${shortened(part.trim())}” is not how an option is written, as in ${EXAMPLE}; ${name}: ${has}`;
}

/** Return the usual value of an option as text. */
export const usualOf = (/** @type {Strategy} */ strategy, /** @type {string} */ key) =>
  String(strategy.options[key]);

/**
 * Return a contestant in words: its title, and the options that are not as usual.
 *
 * @param {string} spec
 * @returns {{ title: string, changes: string }}
 */
export function describe(spec) {
  const [, name = spec, changes = ""] = /^([^()]+)\((.*)\)$/s.exec(spec) ?? [];
  return { title: titleOf(name), changes: partsOf(changes).join(", ").replaceAll("=", " = ") };
}

/**
 * Return the titles of contestants, with the options where titles alone would be the same.
 *
 * @param {string[]} specs
 */
export function titlesOf(specs) {
  const all = specs.map(describe);
  return all.map(({ title, changes }, i) => {
    const alone = all.every((other, j) => i === j || other.title !== title);
    return alone ? title : `${title} (${changes || "as usual"})`;
  });
}

/** Split a text at the commas that stand outside parentheses. */
function partsOf(/** @type {string} */ text) {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.filter((part) => part.trim());
}

// The options of a strategy as form fields: what is chosen is among what the server says it takes.

import { field, h, select, whole } from "../dom.js";
import { describe, specOf, titleOf, usualOf } from "./contestants.js";

/** @typedef {import("./contestants.js").Contestant} Contestant */
/** @typedef {import("./contestants.js").Field} Field */
/** @typedef {import("./contestants.js").Strategy} Strategy */

/** @type {Record<string, string>} */
const LABELS = {
  alpha: "The dial",
  base: "Plays on by",
  bases: "Which strategies",
  constrained: "Only what fits",
  depth: "Guesses thought ahead",
  entropy: "Weight of information",
  evaluated: "What is weighed",
  evaluation: "How guesses are weighed",
  green: "Weight of greens",
  grey: "Weight of greys",
  iterations: "Games in its head, a guess",
  looked: "Guesses looked at",
  marks: "Which tiles count",
  memory: "Memory, MiB",
  moves: "Guesses tried",
  objective: "Aims for",
  penalty: "A lost answer counts as",
  predictor: "Estimates by",
  sampler: "Explores by",
  seconds: "Seconds a position",
  seed: "Which chance (a number)",
  ties: "Of equal guesses",
  threshold: "Weighs roughly beyond",
  trials: "Tries hundreds in need",
  turns: "One for each turn",
  values: "Costs by",
  weights: "Network",
  width: "Guesses tried",
  yellow: "Weight of yellows",
};
/** @type {Record<string, string>} */
const CHOICES = {
  "candidates-first": "one that may be right",
  "list-order": "the first in the alphabet",
  mean: "few guesses on average",
  worst: "few guesses at worst",
  solved: "most answers in time",
  true: "yes",
  false: "no",
  none: "as it is",
  candidates: "what may be right",
  legal: "all there are",
};

/**
 * Return form fields for the options of a strategy, which change the contestant, folded away behind what is
 * not as usual. Where a field is wrong they unfold.
 *
 * @param {Strategy} strategy
 * @param {Contestant} contestant
 */
export function optionFields(strategy, contestant) {
  const summary = h("summary", { class: "small" });
  const tell = () => {
    const { changes } = describe(specOf(contestant));
    summary.textContent = changes ? `Options: ${changes}` : "Options";
  };
  tell();
  const details = h("details", {}, summary, h("div", { class: "two" }, fieldsOf(strategy, contestant, tell)));
  details.addEventListener(
    "invalid",
    () => {
      details.open = true;
    },
    true,
  );
  return details;
}

/**
 * @param {Strategy} strategy
 * @param {Contestant} contestant
 * @param {() => void} changed
 */
function fieldsOf(strategy, contestant, changed) {
  return strategy.fields.map((one) => {
    const usual = usualOf(strategy, one.name);
    const change = (/** @type {string} */ value) => {
      if (value === usual) delete contestant.options[one.name];
      else contestant.options[one.name] = value;
      changed();
    };
    const control = controlOf(one, contestant.options[one.name] ?? usual, change);
    const label = h(
      "span",
      {},
      LABELS[one.name] ?? one.name,
      LABELS[one.name] ? h("span", { class: "term" }, ` ${one.name}`) : null,
    );
    const element = field("", control);
    element.querySelector("label")?.replaceChildren(label);
    const range = rangeOf(one);
    if (range) element.append(h("p", { class: "soft small", id: `${control.id}-range` }, range));
    if (range) control.setAttribute("aria-describedby", `${control.id}-range`);
    return element;
  });
}

/**
 * @param {Field} one
 * @param {string} value
 * @param {(value: string) => void} change
 */
function controlOf(one, value, change) {
  if (one.kind === "choice" || one.kind === "strategy") {
    const words = (/** @type {string} */ id) =>
      one.kind === "strategy" ? `${titleOf(id)} (${id})` : wordsOf(one, id);
    return select(
      one.choices.map((id) => [id, words(id)]),
      value,
      (/** @type {any} */ event) => change(event.target.value),
    );
  }
  const numeric = one.kind === "whole" || one.kind === "number";
  const [instead] = one.choices; // a word in the place of a number: all, none
  const spoken = numeric && instead ? { placeholder: wordsOf(one, instead) } : {};
  return h("input", {
    ...spoken,
    type: numeric ? "number" : "text",
    min: one.least,
    max: one.most,
    step: one.kind === "whole" ? 1 : "any",
    required: !(numeric && instead),
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    value: numeric && value === instead ? "" : value,
    onchange: (/** @type {any} */ event) => {
      if (event.target.validity.valid) change(event.target.value.trim() || instead);
    },
  });
}

/** Return a choice in words. What "candidates" means depends on whose it is. */
const wordsOf = (/** @type {Field} */ one, /** @type {string} */ id) =>
  one.name === "values" || one.name === "weights" ? id : (CHOICES[id] ?? id);

/** Return what a field takes, in words; nothing where its choices are listed. */
function rangeOf(/** @type {Field} */ one) {
  if (one.kind === "strategies") return "names, with slashes between them";
  if (one.least === null || one.most === null) return "";
  const range =
    one.most < 1e9
      ? `${one.least} to ${whole(one.most)}`
      : one.least > -1e9
        ? `${one.least} or more`
        : "any number";
  const [instead] = one.choices;
  return instead ? `${range}; empty: ${wordsOf(one, instead)}` : range;
}

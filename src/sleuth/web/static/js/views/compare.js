// Compare: strategies side by side, each played against every answer. The address says what is compared.

import { announce, count, field, fixed, h, problemNote, remarksNote, select } from "../dom.js";
import { allStrategies, gameFields, remembered, titleOf as titleOfGame } from "../games.js";
import {
  FIRST,
  aboutOf,
  contestantFrom,
  describe,
  grouped,
  specOf,
  titleOf,
  titlesOf,
} from "../compare/contestants.js";
import { evaluation } from "../compare/job.js";
import { MOST, addressOf, forget, keep, kept, questionFrom, recall } from "../compare/kept.js";
import { optionFields } from "../compare/options.js";
import { results } from "../compare/results.js";
import { cardLink, linksCard } from "../links.js";
import { unknownWord } from "../unknown.js";

/** @typedef {import("../compare/contestants.js").Contestant} Contestant */
/** @typedef {import("../compare/contestants.js").Strategy} Strategy */
/** @typedef {import("../compare/kept.js").Comparison} Comparison */
/** @typedef {import("../compare/kept.js").Question} Question */

/** @type {[says: string, specs: string[], words?: string, mode?: string][]} */
const READY = [
  ["A beginner against the classic", FIRST],
  ["Coloured tiles, or information?", ["most-hints", "information-gain"]],
  ["How near is perfect play?", ["information-gain", "rollout", "beam"]],
  ["A network against arithmetic", ["learned", "expected-guesses"]],
  ["The same, on words the network never saw", ["learned", "expected-guesses"], "nyt"],
  ["In hard mode, who finds every word?", ["information-gain", "rollout", "beam"], "original", "hard"],
];

export async function mount(/** @type {HTMLElement} */ section) {
  let game = remembered("compare");
  /** @type {Contestant[]} */
  let chosen = [];
  /** @type {Strategy[]} */
  let strategies = [];
  /** @type {ReturnType<typeof evaluation>[]} */
  let going = [];
  /** @type {string | null} */
  let current = null; // the search part of the address that is shown

  const places = h("div", { class: "contestants" });
  const fields = h("div", {});
  const opener = h("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 40,
    placeholder: "each its own",
  });
  const problem = h("div", { class: "remark" });
  const add = h(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => {
        chosen.push(unused());
        draw();
        places.lastElementChild?.querySelector("select")?.focus();
      },
    },
    "Add a strategy",
  );
  const runs = h("div", { class: "runs" });
  const outcome = h("div", { class: "outcome" });
  const welcome = h("div", { class: "stack welcome" });

  const form = h(
    "form",
    { class: "card stack", hidden: true, onsubmit: submit },
    places,
    fields,
    h(
      "div",
      { class: "spread end" },
      field("First guess for all", opener),
      h("div", { class: "cluster" }, add, h("button", { class: "button primary" }, "Compare")),
    ),
    problem,
  );
  section.append(
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "Which strategy is better?"),
      h(
        "p",
        { class: "lead" },
        "Two to four ways to play meet every answer of a list. See how many guesses each takes, and where they differ. ",
        h("a", { href: "/records", "data-view": true }, "Records"),
        " have what no strategy can better.",
      ),
    ),
    h("div", { class: "stack" }, form, runs, outcome, welcome),
  );

  try {
    strategies = await allStrategies();
  } catch (error) {
    outcome.replaceChildren(problemNote(error));
    return {};
  }

  const plain = (/** @type {string} */ name) => ({ name, options: {} });
  const unused = () =>
    plain(strategies.find((one) => !chosen.some(({ name }) => name === one.name))?.name ?? FIRST[0]);
  const strategyOf = (/** @type {string} */ name) =>
    /** @type {Strategy} */ (strategies.find((one) => one.name === name));

  /** Show the contestants. */
  function draw() {
    places.replaceChildren(...chosen.map(drawOne));
    add.hidden = chosen.length >= MOST;
  }

  function drawOne(/** @type {Contestant} */ contestant, /** @type {number} */ i) {
    const about = h("div", { class: "stack contestant" });
    // The list itself stays while it is typed in.
    const control = select([], undefined, () => {
      chosen[i] = plain(control.value);
      about.replaceChildren(...drawAbout(chosen[i], i));
    });
    control.append(
      ...grouped(strategies).map(([group, members]) =>
        h(
          "optgroup",
          { label: group },
          members.map((one) => h("option", { value: one.name }, `${titleOf(one.name)} (${one.name})`)),
        ),
      ),
    );
    control.value = contestant.name;
    about.append(...drawAbout(contestant, i));
    return h("div", { class: "stack contestant" }, field(`Strategy ${i + 1}`, control), about);
  }

  /** Return what belongs to a contestant: what it does, its options, and what takes it away again. */
  function drawAbout(/** @type {Contestant} */ contestant, /** @type {number} */ i) {
    const strategy = strategyOf(contestant.name);
    const drop = () => {
      chosen.splice(i, 1);
      draw();
      add.focus();
    };
    return [
      h("p", { class: "small" }, aboutOf(strategy)),
      ...(strategy.fields.length ? [optionFields(strategy, contestant)] : []),
      ...(chosen.length > 2
        ? [
            h(
              "div",
              {},
              h(
                "button",
                { type: "button", class: "link small", onclick: drop },
                `Remove ${titleOf(contestant.name)}`,
              ),
            ),
          ]
        : []),
    ];
  }

  /** Show what the form asks. */
  function setForm(/** @type {Question} */ question) {
    game = question.game;
    opener.value = question.opener;
    const specs = question.specs.length > 1 ? question.specs : [...question.specs, ...FIRST].slice(0, 2);
    chosen = specs.map((spec) => contestantFrom(spec, strategies) ?? plain(strategies[0].name));
    fields.replaceChildren(
      gameFields(
        game,
        (next) => {
          game = next;
        },
        { view: "compare" },
      ),
    );
    draw();
    form.hidden = false;
  }

  function submit(/** @type {Event} */ event) {
    event.preventDefault();
    const question = { game, opener: opener.value.trim().toLowerCase(), specs: chosen.map(specOf) };
    const twice = question.specs.find((spec, i) => question.specs.indexOf(spec) !== i);
    if (twice) {
      problem.replaceChildren(
        problemNote(
          new Error(
            `“${describe(twice).title}” (${twice}) is there twice; choose another or change an option`,
          ),
        ),
      );
      return;
    }
    const address = new URL(addressOf(question), location.href);
    if (address.search !== location.search) history.pushState(null, "", address);
    current = address.search;
    run(question);
  }

  /** Let strategies play, and show and keep what comes of it. */
  async function run(/** @type {Question} */ question) {
    stop();
    going = question.specs.map((spec) => evaluation(question, spec));
    const mine = going;
    runs.replaceChildren(...going.map((one) => one.element));
    runs.scrollIntoView({ block: "nearest" });
    const ended = await Promise.all(going.map((one) => one.finished));
    if (mine !== going) return;
    const found = ended.flatMap((report, i) => (report ? [{ report, spec: question.specs[i] }] : []));
    for (const [i, one] of going.entries()) if (ended[i]) one.element.remove();
    if (found.length === 0) {
      tellOnce();
      return;
    }
    /** @type {Comparison} */
    const comparison = {
      question: { ...question, specs: found.map(({ spec }) => spec) },
      reports: found.map(({ report }) => report),
      at: Date.now(),
    };
    if (found.length === ended.length) keep(comparison);
    announce(`Done. ${show(comparison)}`);
  }

  /** Where all were refused for one reason, such as a first guess that there is not, say it once and in the form. */
  function tellOnce() {
    const told = going.map(({ element }) => element.querySelector(".problem")?.textContent ?? "");
    if (!told[0] || told.some((one) => one !== told[0])) return;
    runs.replaceChildren();
    problem.replaceChildren(problemNote(new Error(told[0])));
  }

  /** Show results; return what they say in a sentence. */
  function show(/** @type {Comparison} */ comparison) {
    const { element, said, drawn } = results(comparison);
    outcome.replaceChildren(element);
    drawn();
    return said;
  }

  /** Stop what is going on, and take away what was shown. */
  function stop() {
    for (const one of going) one.cancel();
    going = [];
    for (const place of [problem, runs, outcome, welcome]) place.replaceChildren();
  }

  /** Show what may be looked at when nothing is compared. */
  function greet() {
    const earlier = kept();
    welcome.replaceChildren(
      linksCard(
        "Good questions",
        READY.map(([says, specs, words = "original", mode = "easy"]) =>
          linkTo({ game: { game: "wordle", words, mode }, opener: "", specs }, says),
        ),
      ),
      linksCard(
        "Compared before",
        earlier.map(({ question, reports }) => linkTo(question, means(reports))),
        () => {
          forget();
          greet();
        },
      ),
    );
  }

  /**
   * Open what the address asks: results that are kept, or else a new run. Who comes from another view by its
   * plain address finds this one as it was left.
   */
  function open(/** @type {string} */ from) {
    if (current && !location.search && from && from !== location.pathname)
      history.replaceState(null, "", `${location.pathname}${current}`);
    if (location.search === current) return;
    current = location.search;
    stop();
    /** @type {string[]} */
    const remarks = [];
    const query = new URLSearchParams(location.search);
    const question = questionFrom(query, strategies, remarks);
    const asks = query.has("strategy");
    setForm(asks || query.size ? question : { ...question, game: remembered("compare") });
    problem.replaceChildren(remarksNote(remarks));
    if (!asks || remarks.length) {
      greet();
      checkOpener(question, remarks);
      return;
    }
    const before = recall(question);
    if (before) show(before);
    else run(question);
  }

  /** Say where the first guess of an address is none of its game; what is played says it by itself. */
  async function checkOpener(/** @type {Question} */ { game: of, opener: word }, /** @type {string[]} */ remarks) {
    const here = current;
    const says = await unknownWord(of, [word]);
    if (says && current === here) problem.replaceChildren(remarksNote([...remarks, says]));
  }

  return { shown: open };
}

/** Return a link that compares, with what it is about. */
function linkTo(/** @type {Question} */ question, /** @type {string} */ says) {
  const { game, opener, specs } = question;
  const about = [
    titlesOf(specs).join(" · "),
    titleOfGame(game),
    opener ? `from ${opener.toUpperCase()}` : "",
  ];
  return cardLink(addressOf(question), says, about.filter(Boolean).join("; "));
}

/** Return the averages of a comparison, in words. */
function means(/** @type {Comparison["reports"]} */ reports) {
  const figures = reports.map(({ mean }) => fixed(mean, 3)).join(" against ");
  return `${figures}, ${count(reports[0].answers, "answer")}`;
}

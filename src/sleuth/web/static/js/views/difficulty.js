// Difficulty: how hard a list of words is, for players of different strength, and what other words in it would change.

import { announce, count, field, fixed, h, percent, problemNote, remarksNote, whole } from "../dom.js";
import { gameFields } from "../games.js";
import { changing } from "../difficulty/changing.js";
import { measurement } from "../difficulty/job.js";
import { forget, keep, kept, recall } from "../difficulty/kept.js";
import { GUESSES, MOST, MOST_TURNS, addressOf, questionFrom, titleOfQuestion } from "../difficulty/question.js";
import { results } from "../difficulty/results.js";
import { casualOf } from "../difficulty/words.js";
import { cardLink, linksCard } from "../links.js";
import { wordsField } from "../own.js";
import { load, save } from "../storage.js";

/** @typedef {import("../difficulty/kept.js").Measured} Measured */
/** @typedef {import("../difficulty/question.js").Question} Question */

/** @type {[says: string, words: string, turns?: number][]} */
const READY = [
  ["How hard is Wordle?", "original"],
  ["And the New York Times?", "nyt"],
  ["A short list of German words", "frequent:de:5:500"],
  ["Six letters, in seven turns", "frequent:en:6:1000", 7],
];

/** What the form asks at first: words of one's own. */
const first = () => ({ game: "wordle", answers: load("own") ?? [], mode: "easy" });

export function mount(/** @type {HTMLElement} */ section) {
  /** @type {any} */
  let game;
  /** @type {Record<"answers" | "guesses", ReturnType<typeof wordsField>> | null} */
  let own = null; // the fields of words of one's own
  /** @type {ReturnType<typeof measurement> | null} */
  let going = null;
  /** @type {string | null} */
  let current = null; // the part of the address after its # that is shown

  const fields = h("div", {});
  const words = h("div", { class: "stack" });
  const turns = h("input", { type: "number", min: 1, max: MOST_TURNS, required: true, value: 6 });
  const problem = h("div", { class: "remark" });
  const runs = h("div", { class: "runs" });
  const outcome = h("div", { class: "outcome stack" });
  const welcome = h("div", { class: "stack welcome" });
  const form = h(
    "form",
    { class: "card stack", onsubmit: submit },
    h("div", { class: "list-fields" }, fields, field("Turns", turns)),
    words,
    problem,
    h(
      "div",
      { class: "cluster" },
      h("button", { class: "button primary" }, "How hard is it?"),
      h(
        "p",
        { class: "soft small" },
        `Up to ${whole(MOST)} words of 2 to 10 letters. They go to this server, and nowhere else.`,
      ),
    ),
  );
  section.append(
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "How hard is my list?"),
      h(
        "p",
        { class: "lead" },
        "For those who make a word game: three players of different strength meet every word. See which words are unfair, which are alike, how many turns to give, and what other words would change.",
      ),
    ),
    h("div", { class: "stack" }, form, runs, outcome, welcome),
  );

  /** Show what the form asks. */
  function setForm(/** @type {Question} */ question) {
    game = question.game;
    turns.value = String(question.turns);
    fields.replaceChildren(
      gameFields(
        game,
        (next) => {
          game = next;
          setWords();
        },
        { view: "difficulty", pegs: false, own: "beside", most: MOST },
      ),
    );
    setWords();
  }

  /** Show the field for words of one's own where these are meant. */
  function setWords() {
    words.hidden = !game.answers;
    if (own || !game.answers) return; // what is typed stays
    own = {
      answers: wordsField(game.answers),
      guesses: wordsField(game.guesses ?? [], "Other words that may be guessed"),
    };
    words.replaceChildren(
      own.answers.element,
      h(
        "details",
        { open: Boolean(game.guesses) },
        h("summary", {}, "May other words be guessed?"),
        own.guesses.element,
      ),
    );
  }

  function submit(/** @type {Event} */ event) {
    event.preventDefault();
    if (own && game.answers) {
      const [answers, guesses] = [own.answers.read(), own.guesses.read()];
      const wrong = wrongWith(answers, guesses);
      problem.replaceChildren(wrong ? problemNote(new Error(wrong)) : "");
      if (wrong) return;
      save("own", answers);
      if (guesses.length) save(GUESSES, guesses);
      game = { game: "wordle", answers, mode: game.mode, ...(guesses.length ? { guesses } : {}) };
    }
    ask({ game, turns: Number(turns.value), add: [], remove: [] });
  }

  /** Go to a question, and find out what comes of it. */
  async function ask(/** @type {Question} */ question) {
    const { address } = addressOf(question);
    const there = new URL(address, location.href);
    if (there.hash !== location.hash) history.pushState(null, "", there);
    current = there.hash;
    save("game.difficulty", question.game);
    answer(question);
  }

  /** Show what is kept of a question, or else find it out. */
  async function answer(/** @type {Question} */ question) {
    stop();
    const here = current;
    const before = await recall(question);
    if (here !== current) return;
    if (before) show({ ...before, question });
    else run(question);
  }

  async function run(/** @type {Question} */ question) {
    stop();
    const mine = measurement(question);
    going = mine;
    runs.replaceChildren(mine.element);
    runs.scrollIntoView({ block: "nearest" });
    const report = await mine.finished;
    if (mine !== going || !report) return;
    runs.replaceChildren();
    const measured = { question, report, at: Date.now() };
    keep(measured);
    announce(`Done. ${show(measured)}`);
    outcome.scrollIntoView({ block: "start" });
  }

  /** Show what came of a question; return it in a sentence. */
  function show(/** @type {Measured} */ measured) {
    const { question } = measured;
    const form = changing(question, ask);
    const { element, said, drawn } = results(measured, addressOf(question).portable, form.take);
    outcome.replaceChildren(element, form.element);
    drawn();
    return said;
  }

  /** Stop what is going on, and take away what was shown. */
  function stop() {
    going?.cancel();
    going = null;
    for (const place of [problem, runs, outcome, welcome]) place.replaceChildren();
  }

  /** Show what may be looked at when nothing is asked. */
  async function greet() {
    const here = current;
    const earlier = await kept();
    if (here !== current) return;
    welcome.replaceChildren(
      linksCard(
        "Lists to look at",
        READY.map(([says, list, many = 6]) =>
          linkTo({ game: { game: "wordle", words: list, mode: "easy" }, turns: many, add: [], remove: [] }, says),
        ),
      ),
      linksCard(
        "Measured before",
        earlier.map((measured) => linkTo(measured.question, numbersOf(measured))),
        () => forget().then(greet),
      ),
    );
  }

  /**
   * Open what the address asks: results that are kept, or else a new run. Who comes from another view by its
   * plain address finds this one as it was left.
   */
  function open(/** @type {string} */ from) {
    if (current && !location.hash && from && from !== location.pathname)
      history.replaceState(null, "", `${location.pathname}${current}`);
    if (location.hash === current) return;
    current = location.hash;
    stop();
    /** @type {string[]} */
    const remarks = [];
    const query = new URLSearchParams(location.hash.slice(1));
    const question = questionFrom(query, remarks);
    own = null;
    setForm(query.size ? question : { ...question, game: load("game.difficulty") ?? first() });
    problem.replaceChildren(remarksNote(remarks));
    if (query.has("words") && !remarks.length) answer(question);
    else greet();
  }

  return { shown: open };
}

/** Return why words of one's own cannot be asked about, "" where they can. @param {string[]} answers @param {string[]} guesses */
function wrongWith(answers, guesses) {
  if (answers.length < 2) return "give at least two words of one length";
  if (answers.length > MOST)
    return `a list may have ${whole(MOST)} words here, and this has ${whole(answers.length)}; in a terminal, sleuth difficulty --sample takes larger ones`;
  const [length, other] = [answers, guesses].map(([word = ""]) => [...word].length);
  if (other && other !== length)
    return `the words have ${count(length, "letter")}, and the others that may be guessed ${other}; all must have one length`;
  return "";
}

/** Return a link to what came of a question, or will. */
const linkTo = (/** @type {Question} */ question, /** @type {string} */ says) =>
  cardLink(addressOf(question).address, says, titleOfQuestion(question));

/** Return the numbers of what was measured, in words. */
function numbersOf(/** @type {Measured} */ { report }) {
  const now = /** @type {import("../difficulty/kept.js").Report} */ ("after" in report ? report.after : report);
  const { mean, lost } = casualOf(now);
  return `${fixed(mean)} guesses, ${percent(lost)} lost, ${count(now.unfair.length, "unfair word")}`;
}

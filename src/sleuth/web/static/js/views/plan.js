// Planning: a method plays an episode of a problem, which is then shown turn by turn. The address says which, and the turn.

import { get } from "../api.js";
import { announce, count, debounced, field, h, problemNote, remarksNote, select } from "../dom.js";
import { listen } from "../board/keys.js";
import { cardLink, linksCard } from "../links.js";
import { episode } from "../plan/episode.js";
import { playing } from "../plan/job.js";
import { forget, keep, kept } from "../plan/kept.js";
import { MOST_SEED, STEP, USUAL, addressOf, methodsOf, questionFrom } from "../plan/question.js";
import { amount, detailsOf, methodSays, methodTitle, titleOf } from "../plan/words.js";

/** @typedef {import("../plan/question.js").Question} Question */
/** @typedef {import("../plan/episode.js").Report} Report */

/** @type {[says: string, asked: Partial<Question>][]} */
const READY = [
  ["Where is the tiger?", { problem: "tiger" }],
  ["Which rocks are good?", { problem: "rocksample-4-4" }],
  ["What if answers may be wrong?", { problem: "twenty-questions", method: "despot" }],
  ["First to the light, then to the goal", { problem: "light-dark", method: "hsvi" }],
  ["Catch who flees", { problem: "tag", turns: 60 }],
  ["How much for this patient?", { problem: "dosing" }],
  ["Which word is it?", { problem: "wordle", method: "rollout" }],
  ["Which maze is this?", { problem: "navigation" }],
  ["Where does it lie?", { problem: "hidden-objects", method: "avts" }],
];
const PAUSE = 150; // milliseconds without a step after which the address says the turn: browsers count its changes

export async function mount(/** @type {HTMLElement} */ section) {
  /** @type {ReturnType<typeof playing> | null} */
  let going = null;
  /** @type {ReturnType<typeof episode> | null} */
  let shown = null;
  /** @type {string | null} */
  let current = null; // the search part of the address that is shown

  const form = h("form", { class: "card stack", hidden: true, onsubmit: submit });
  const problem = h("div", { class: "remark" });
  const runs = h("div", { class: "runs" });
  const outcome = h("div", { class: "outcome" });
  const welcome = h("div", { class: "stack welcome" });
  section.append(
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "How does it decide?"),
      h(
        "p",
        { class: "lead" },
        "Problems where what matters is hidden, and actions can tell something about it. Let a method of planning play one, and see turn by turn what it did, what it saw, and what it believed.",
      ),
    ),
    h("div", { class: "stack" }, form, runs, outcome, welcome),
  );

  /** @type {import("../plan/question.js").Offered} */
  let offered;
  try {
    offered = await get("/planning");
  } catch (error) {
    outcome.replaceChildren(problemNote(error));
    return {};
  }

  const which = select(
    offered.problems.map(({ name, title }) => [name, title]),
    USUAL.problem,
    () => {
      offerMethods(how.value);
      describe();
    },
  );
  const how = h("select", { onchange: describe });
  const number = (/** @type {number} */ min, /** @type {number} */ max, /** @type {number} */ step) =>
    h("input", { type: "number", min, max, step, required: true, oninput: describe });
  const seconds = number(STEP, offered.seconds, STEP);
  const secondsField = field("Seconds a decision", seconds);
  const turns = number(1, offered.turns, 1);
  const seed = number(0, MOST_SEED, 1);
  const aboutProblem = h("p", { class: "small" });
  const aboutMethod = h("p", { class: "small" });
  const takes = h("p", { class: "soft small" });
  form.append(
    h(
      "div",
      { class: "two" },
      h("div", { class: "stack choice" }, field("Problem", which), aboutProblem),
      h("div", { class: "stack choice" }, field("Method", how), aboutMethod),
    ),
    h("div", { class: "list-fields" }, secondsField, field("Turns at most", turns), field("Seed", seed)),
    problem,
    h("div", { class: "cluster" }, h("button", { class: "button primary" }, "Play"), takes),
  );
  form.hidden = false;

  listen(section, outcome, {
    step: (by) => (shown ? shown.step(by) : false),
    first: () => (shown ? shown.step(-shown.last) : false),
    last: () => (shown ? shown.step(shown.last) : false),
  });

  const sayTurn = debounced((/** @type {string} */ search, /** @type {number} */ turn) => {
    if (location.search === search && shown) history.replaceState(null, "", `${location.pathname}${search}#turn=${turn}`);
  }, PAUSE);

  /** Offer the methods of the problem that is chosen; the one chosen before stays, if it is among them. */
  function offerMethods(/** @type {string} */ chosen) {
    const methods = methodsOf(offered, which.value);
    how.replaceChildren(...methods.map(({ name }) => h("option", { value: name }, `${methodTitle(name)} (${name})`)));
    how.value = methods.some(({ name }) => name === chosen) ? chosen : USUAL.method;
  }

  /** Say what is chosen, and how long it may take. */
  function describe() {
    const problem = offered.problems.find(({ name }) => name === which.value);
    const method = offered.methods.find(({ name }) => name === how.value);
    aboutProblem.textContent = problem?.summary ?? "";
    aboutMethod.textContent = method ? methodSays(method) : "";
    secondsField.hidden = !problem?.timed;
    const most = problem?.timed ? Math.ceil(Number(seconds.value) * Number(turns.value)) : 0;
    takes.textContent = most > 0 ? `${count(most, "second")} at most, once the problem is laid out.` : "";
  }

  /** Show what the form asks. */
  function setForm(/** @type {Question} */ question) {
    which.value = question.problem;
    offerMethods(question.method);
    seconds.value = String(question.seconds);
    turns.value = String(question.turns);
    seed.value = String(question.seed);
    describe();
  }

  function submit(/** @type {Event} */ event) {
    event.preventDefault();
    const question = {
      problem: which.value,
      method: how.value,
      seconds: Number(seconds.value),
      turns: Number(turns.value),
      seed: Number(seed.value),
      actions: [],
    };
    const address = new URL(addressOf(question), location.href);
    if (address.search !== location.search) history.pushState(null, "", address);
    current = address.search;
    play(question);
  }

  /** Let an episode be played, and show it. */
  async function play(/** @type {Question} */ question) {
    stop();
    const mine = playing(question, titleOf(offered, question));
    going = mine;
    runs.replaceChildren(mine.element);
    runs.scrollIntoView({ block: "nearest" });
    const report = /** @type {Report | null} */ (await mine.finished);
    if (mine !== going || !report) return;
    runs.replaceChildren();
    const played = { ...question, actions: report.actions };
    const { search } = new URL(addressOf(played), location.href);
    if (location.pathname === "/plan" && location.search === current)
      history.replaceState(null, "", `${location.pathname}${search}${location.hash}`);
    current = search;
    shown = episode(offered, played, report, (turn) => sayTurn(search, turn));
    shown.go(turnOf());
    outcome.replaceChildren(shown.element);
    outcome.scrollIntoView({ block: "start" });
    const { turns: all } = report;
    keep({ question: played, total: all[all.length - 1].discounted, turns: all.length });
    announce(`Done. ${shown.said}`);
  }

  /** Stop what is going on, and take away what was shown. */
  function stop() {
    going?.cancel();
    going = null;
    shown = null;
    for (const place of [problem, runs, outcome, welcome]) place.replaceChildren();
  }

  /** Show what may be looked at when nothing is asked. */
  function greet() {
    welcome.replaceChildren(
      linksCard(
        "Good questions",
        READY.map(([says, asked]) => linkTo({ ...USUAL, ...asked }, says)),
      ),
      linksCard(
        "Played before",
        kept().map((one) => linkTo(one.question, `${amount(one.total)} in ${count(one.turns, "turn")}`)),
        () => {
          forget();
          greet();
        },
      ),
    );
  }

  const linkTo = (/** @type {Question} */ question, /** @type {string} */ says) =>
    cardLink(addressOf(question), says, `${titleOf(offered, question)}; ${detailsOf(offered, question)}`);

  /**
   * Open what the address asks: another turn, or another episode. Who comes from another view by its plain address finds
   * this one as it was left.
   */
  function open(/** @type {string} */ from) {
    if (current && !location.search && from && from !== location.pathname)
      history.replaceState(null, "", `${location.pathname}${current}`);
    if (location.search === current) {
      if (location.hash) shown?.go(turnOf());
      return;
    }
    current = location.search;
    stop();
    /** @type {string[]} */
    const remarks = [];
    const query = new URLSearchParams(location.search);
    const question = questionFrom(query, offered, remarks);
    setForm(question);
    problem.replaceChildren(remarksNote(remarks));
    if (query.has("problem") && !remarks.length) play(question);
    else greet();
  }

  return { shown: open };
}

/** Return the turn that the address asks for; the start where it asks for none. */
const turnOf = () => Number(/^#turn=(\d{1,3})$/.exec(location.hash)?.[1] ?? 0);

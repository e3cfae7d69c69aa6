// The game that is looked at: its moves, its graph, what is said of the move one stands at, and its story.

import { Problem, superseded } from "../api.js";
import { ICONS, announce, debounced, h, icon, problemNote, sentence } from "../dom.js";
import { betterButton } from "./better.js";
import { cut, deleted, follows, promoted } from "./edits.js";
import { graph, pointsOf } from "./graph.js";
import { knownMisfit, misfit } from "./misfit.js";
import { annotated, annotationLegend, isUnjudged, moves } from "./moves.js";
import { asked, askedOfAll, isSolved } from "./position.js";
import { question, remembered } from "./questions.js";
import { worded } from "./marks.js";
import { invitation, namedIn, story } from "./story.js";
import { waiting } from "./waiting.js";
import { isMain, lineThrough, rowsTo } from "./tree.js";

const SOON = 90;
const PATHS = { promote: "M12 20V5M6 11l6-6 6 6", cut: "M5 12h14M16 8l4 4-4 4" };

/** @typedef {import("./address.js").State} State */

/** Return how many decimals guesses expected have: Absurdle's host leaves nothing to chance. */
const decimalsOf = (/** @type {State} */ { variant }) => (variant === "absurdle" ? 0 : 2);

const lineOf = (/** @type {State} */ { root, at }) => rowsTo(root, lineThrough(root, at));

/** Return the question whose answer is the review of the line one stands on; none where it has no rows. `wanted`: whether
 * the game is over or its answer known, so that it is reviewed unasked. @param {State} state */
function reviewQuestion(state) {
  const { game, boards, answers } = state;
  const line = lineOf(state);
  if (!line.length) return null;
  const wanted = answers.every(Boolean) || isSolved(state, line);
  const known = (/** @type {number} */ i) => (answers[i] ? { answer: answers[i] } : {});
  return boards > 1
    ? {
        path: "/boards/review",
        body: { game, boards: askedOfAll(state, line).boards.map((rows, i) => ({ rows, ...known(i) })) },
        wanted,
      }
    : { path: "/review", body: { ...asked(state, line), ...known(0) }, wanted };
}

/** Return what tells the mark of the move at a path, "" where it has none or is not reviewed: by the review of the line one
 * stands on, else by that of its own. @param {State} state */
function marking(state) {
  const here = lineThrough(state.root, state.at).join(".");
  /** @type {Map<string, any>} */
  const reviews = new Map();
  const reviewOf = (/** @type {number[]} */ at) => {
    const line = lineThrough(state.root, at).join(".");
    if (!reviews.has(line)) {
      const wanted = reviewQuestion({ ...state, at });
      reviews.set(line, wanted && remembered(wanted.path, wanted.body));
    }
    return reviews.get(line);
  };
  return (/** @type {number[]} */ path) => {
    const isOnLine = `${here}.`.startsWith(`${path.join(".")}.`);
    const review = (isOnLine && reviewOf(state.at)) || reviewOf(path);
    return review?.moves[path.length - 1]?.annotation ?? "";
  };
}

/**
 * Return the parts that show a game, and how to draw them.
 * @param {{
 *   go: (path: number[]) => void, edit: (change: (state: State) => import("./edits.js").Edit) => void,
 *   review: () => void, findBetter: (move: any) => void, blame: (found: { row: number } | null) => void, now: () => State,
 * }} actions go: to a place. review: show the story. now: the state as it is
 */
export function record({ go, edit, review, findBetter, blame, now }) {
  const chart = h("div", {});
  const list = h("div", {});
  const unfit = h("div", { role: "status" });
  const tools = h("div", { class: "cluster" });
  const legend = annotationLegend();
  const unjudged = h(
    "p",
    { class: "soft small" },
    "What some moves cost is an estimate, and its error is not known: these have no mark and no skill.",
  );
  const comment = h("div", { class: "comment" });
  const place = h("div", { class: "stack story-of-game" });
  const card = h(
    "section",
    { class: "card stack game-card", "aria-label": "The moves" },
    chart,
    list,
    unfit,
    tools,
    legend,
    unjudged,
  );
  let reviewing = "";
  let stopped = ""; // the question whose answer nobody waits for any longer
  let controller = new AbortController();
  const waits = waiting(() => {
    stopped = reviewing;
    controller.abort();
    draw(now());
    place.querySelector("button")?.focus();
  });
  /** @type {any} the review whose story is there */
  let shown = null;
  /** @type {{ key: string, row: number, says: string }} the row for which the server refused a line */
  let refused = { key: "", row: 0, says: "" };

  /** Return the row of the line that cannot be; null where all fit, undefined where it has to be asked. */
  function misfitOf(/** @type {State} */ state, /** @type {any} */ wanted) {
    if (refused.key && refused.key === JSON.stringify(wanted.body)) return refused;
    return knownMisfit(state, lineOf(state));
  }

  function draw(/** @type {State} */ state) {
    const wanted = reviewQuestion(state);
    const found = wanted && remembered(wanted.path, wanted.body);
    const odd = wanted && !found ? misfitOf(state, wanted) : null;
    const line = lineThrough(state.root, state.at);
    const guesses = () => [...lineOf(state).map(({ guess }) => guess), ...state.answers.filter(Boolean)];
    const here = (/** @type {number} */ move) => go(line.slice(0, move));
    card.hidden = !state.root.next.length;
    list.replaceChildren(
      moves(state, {
        go,
        annotationOf: marking(state),
        misfit: odd ? line.slice(0, odd.row).join(".") : null,
      }),
    );
    const isTold = state.tab === "game" || (odd && odd.row <= state.at.length); // by the story, or on the board
    unfit.replaceChildren(...(odd && !isTold ? [unfitNote(odd.row, worded(state.game, odd.says, guesses()))] : []));
    const focused = chart.contains(document.activeElement);
    chart.replaceChildren(
      found
        ? graph(pointsOf(found), state.at.length, state.game, here, decimalsOf(state))
        : odd
          ? ""
          : h("button", { type: "button", class: "button", onclick: review }, "Review this game"),
    );
    if (focused) chart.querySelector("[tabindex='0']")?.focus();
    legend.hidden = !list.querySelector(".annotation");
    unjudged.hidden = !found?.moves.some(isUnjudged);
    drawTools(state);
    drawComment(found?.moves[state.at.length - 1], state.boards === 1);
    if (!isMain(state.at)) markMainSoon();
    if (found) drawStory(found, state, here);
    else if (odd) {
      shown = null;
      place.removeAttribute("aria-busy");
      place.replaceChildren(
        h("p", { class: "soft" }, `There is no review while row ${odd.row} does not fit. `, worded(state.game, odd.says, guesses())),
      );
    } else if (wanted && stopped === JSON.stringify(wanted.body)) {
      shown = null;
      place.removeAttribute("aria-busy");
      place.replaceChildren(
        h("p", {}, "The review was stopped."),
        h("div", {}, h("button", { type: "button", class: "button", onclick: resume }, "Review this game")),
      );
    } else if (wanted && (wanted.wanted || state.tab === "game")) reviewSoon(wanted);
    else {
      shown = null;
      place.removeAttribute("aria-busy");
      place.replaceChildren(invitation());
      if (odd === undefined && line.length > state.at.length) fitSoon();
    }
  }

  /** Review a game after all. */
  function resume() {
    stopped = "";
    review();
    draw(now());
  }

  /** Find out whether the rows that follow still fit. */
  const fitSoon = debounced(async () => {
    const state = now();
    const found = await misfit(state, lineOf(state)).catch(() => null); // what the server refuses a review tells
    if (found && now().root === state.root) draw(now());
  }, SOON);

  /** Ask how good the moves of the main line are, which stay marked while one stands in a variation. */
  const markMainSoon = debounced(async () => {
    const state = now();
    const main = { ...state, at: [] };
    const wanted = reviewQuestion(main);
    if (!wanted?.wanted || remembered(wanted.path, wanted.body)) return;
    try {
      if (await misfit(main, lineOf(main))) return;
      await question(wanted.path, wanted.body, { quiet: true });
      if (now().root === state.root) draw(now());
    } catch (error) {
      if (!superseded(error) && !(error instanceof Problem)) throw error; // who goes there is told
    }
  }, SOON);

  function drawTools(/** @type {State} */ state) {
    const button = (path, name, change) =>
      h(
        "button",
        { type: "button", class: "button quiet small-button", onclick: () => edit(change) },
        icon(path),
        name,
      );
    tools.replaceChildren(
      ...(isMain(state.at) ? [] : [button(PATHS.promote, "Make it the main line", promoted)]),
      ...(follows(state) ? [button(PATHS.cut, "Cut off what follows", cut)] : []),
      ...(state.at.length ? [button(ICONS.cross, "Delete from here", deleted)] : []),
    );
  }

  /** Say what there is to say of the move that led here. */
  function drawComment(/** @type {any} */ move, /** @type {boolean} */ alone) {
    comment.replaceChildren(
      ...(move
        ? [
            h(
              "p",
              { class: "small" },
              annotated(move.annotation),
              worded(now().game, move.sentence, namedIn(move)),
            ),
          ]
        : []),
      ...(alone ? betterButton(move, findBetter) : []),
    );
  }

  function drawStory(
    /** @type {any} */ found,
    /** @type {State} */ state,
    /** @type {(move: number) => void} */ here,
  ) {
    place.removeAttribute("aria-busy");
    if (shown === found) return;
    shown = found;
    place.replaceChildren(...story(found, state.game, here, state.boards === 1 ? findBetter : null, decimalsOf(state)));
  }
  const reviewSoon = debounced(async ({ path, body }) => {
    const key = JSON.stringify(body);
    if (reviewing === key) return;
    reviewing = key;
    shown = null;
    place.setAttribute("aria-busy", "true");
    place.replaceChildren(waits.element);
    waits.begin();
    controller = new AbortController();
    try {
      const state = now();
      const odd = await misfit(state, lineOf(state));
      const found = odd ? null : await question(path, body, { signal: controller.signal });
      if (JSON.stringify(reviewQuestion(now())?.body) !== key) return;
      draw(now());
      if (!found) return;
      if (now().tab === "game") announce(found.summary);
    } catch (error) {
      if (reviewing !== key || superseded(error)) return;
      place.removeAttribute("aria-busy");
      if (error.problem?.row) {
        refused = { key, row: error.problem.row, says: sentence(error.message) };
        draw(now());
        if (now().tab === "game") blame({ row: error.problem.row });
      } else place.replaceChildren(problemNote(error));
    } finally {
      if (reviewing === key) reviewing = "";
    }
  }, SOON);

  return { card, comment, place, draw };
}

/** Return what is said of a row that does not fit. @param {number} row @param {any[]} says */
const unfitNote = (row, says) =>
  h("p", { class: "problem small" }, h("b", {}, `Row ${row} does not fit. `), says);

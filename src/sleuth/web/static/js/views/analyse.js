// The analysis board: a position of a game, how it came and how it may go on, and what is best there.

import { superseded } from "../api.js";
import { ICONS, announce, count, debounced, field, h, icon, problemNote, remarksNote, select, sentence } from "../dom.js";
import { gameFields, hasMarks, lengthOf } from "../games.js";
import { PROVISIONAL, askAgain } from "../preparing.js";
import { VARIANTS } from "../puzzle.js";
import { load, save } from "../storage.js";
import { legend } from "../tiles.js";
import { MOST_BOARDS, addressOf, stateFrom } from "../board/address.js";
import { betterPanel } from "../board/better.js";
import { enterForm } from "../board/enter.js";
import { feedbackOf, likelyFeedback } from "../board/feedback.js";
import { graph, pointsOf } from "../board/graph.js";
import { grid } from "../board/grid.js";
import { leftText, ranking } from "../board/guesses.js";
import { annotationLegend, moves } from "../board/moves.js";
import { openersPanel } from "../board/openers.js";
import { asked, askedOfAll, isSolved, isSolvedBoard, rowsOf, turnsIn } from "../board/position.js";
import { question, remembered } from "../board/questions.js";
import { invitation, story } from "../board/story.js";
import { strategyPanel } from "../board/strategy.js";
import { tabs } from "../board/tabs.js";
import {
  add,
  addAll,
  aside,
  begun,
  cutAfter,
  isMain,
  leaveOut,
  lineOf,
  lineThrough,
  nodeAt,
  promote,
  remove,
  replace,
  rowsTo,
  within,
} from "../board/tree.js";
import { tryPanel } from "../board/trying.js";
import { wordsPanel } from "../board/words.js";

/** @typedef {import("../board/address.js").State} State */

const LIMIT = 12;
const SOON = 90;
const STEPPING = 400; // steps that follow each other sooner are one place to go back to
const SWIPE = 48;
const TABS = [
  ["guesses", "Best guesses"],
  ["try", "Try a word"],
  ["words", "Words left"],
  ["strategy", "Strategy"],
  ["openers", "Openers"],
  ["game", "The game"],
];
const PATHS = {
  first: "M18 6l-6 6 6 6M7 6v12",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  last: "M6 6l6 6-6 6M17 6v12",
  redo: "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h3",
  promote: "M12 20V5M6 11l6-6 6 6",
  cut: "M5 12h14M16 8l4 4-4 4",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
};

/** Show the board in a section; return what is done when it is shown again. @param {HTMLElement} section */
export function mount(section) {
  /** @type {State} */
  let state = stateFrom(load("analyse") ?? "").state;
  /** @type {State[]} */
  let past = [];
  /** @type {State[]} */
  let future = [];
  let lastEdit = "";
  let draft = blank();
  let board = 0; // the one that panels of one board are about
  let back = "guesses"; // the tab that is shown again once a tried row is placed
  let own = ""; // the part of the address that this view wrote
  let stepped = -Infinity;
  let asking = 0;
  let fields = "";

  function blank() {
    return { guess: "", feedback: /** @type {string[]} */ ([]), sure: false };
  }
  const rows = () => rowsTo(state.root, state.at);
  const whole = (word) => [...word].length === lengthOf(state.game);

  // The parts

  const surface = grid({
    typed: (word) => type(word),
    placed: (row, focus) => place(row, focus),
    changed: (at, row, focus) => recolour(at, row, focus),
    removed: (at) => takeOut(at),
  });
  const remark = h("div", { class: "remark" });
  const status = h("p", { class: "board-status", role: "status" });
  const note = h("div", { class: "board-note" });
  const comment = h("div", { class: "comment" });
  const confirm = h("div", { class: "cluster confirm-draft" });
  const chart = h("div", {});
  const list = h("div", {});
  const lineTools = h("div", { class: "cluster" });
  const copied = h("span", { class: "soft small copied", role: "status" });
  const which = h("div", { class: "which-board" });
  const answers = h("div", { class: "two" });
  const settings = h("div", { class: "stack" });
  const tabbed = tabs(TABS, (name) => set({ ...state, tab: name }));
  const tool = (path, name, action, key = "") =>
    h(
      "button",
      { type: "button", class: "button quiet icon-button", "aria-label": name, title: key ? `${name} (${key})` : name, onclick: action },
      icon(path),
    );
  const tools = {
    first: tool(PATHS.first, "To the start", () => go([]), "Home"),
    back: tool(PATHS.back, "A move back", () => step(-1), "←"),
    forward: tool(PATHS.forward, "A move on", () => step(1), "→"),
    last: tool(PATHS.last, "To the end", () => go(lineThrough(state.root, state.at)), "End"),
    undo: tool(ICONS.undo, "Undo", undo, "Ctrl+Z"),
    redo: tool(PATHS.redo, "Redo", redo, "Ctrl+Shift+Z"),
    link: tool(ICONS.link, "Copy link", copy),
    over: tool(PATHS.bin, "Start over", () => set({ ...state, root: begun(), at: [], answers: noAnswers(), tried: "" }, { edit: "over" })),
  };
  const meaning = legend();
  const legendOfMoves = annotationLegend();
  const gameCard = h(
    "section",
    { class: "card stack game-card", "aria-label": "The moves" },
    chart,
    list,
    lineTools,
    legendOfMoves,
  );
  const puzzlePlace = h("div", { class: "stack puzzle", hidden: true });
  section.append(
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "Analysis board"),
      h(
        "p",
        { class: "lead", id: "board-help" },
        "Type a word to try it, then click its tiles to the colours it got. Arrow keys walk through the game.",
      ),
    ),
    remark,
    h(
      "div",
      { class: "analyse-columns" },
      h(
        "section",
        { class: "card stack board-card", "aria-label": "Position" },
        h("div", { class: "cluster tools" }, Object.values(tools)),
        surface.element,
        confirm,
        note,
        status,
        comment,
        copied,
        meaning,
      ),
      h(
        "section",
        { class: "card panels", "aria-label": "Analysis" },
        tabbed.list,
        which,
        puzzlePlace,
        Object.values(tabbed.panels),
      ),
      gameCard,
      h("details", { class: "card settings" }, h("summary", {}, "Words, mode and answer"), settings),
    ),
  );

  // The panels

  const guessPlace = h("div", { class: "stack" });
  tabbed.panels.guesses.append(guessPlace);
  const showWords = wordsPanel(tabbed.panels.words, { tryWord });
  const showTry = tryPanel(tabbed.panels.try, {
    tryWord,
    follow: (guess, feedback) => followAll([{ guess, feedback }]),
    strategyOf: () => set({ ...state, tab: "strategy" }),
  });
  const showStrategy = strategyPanel(tabbed.panels.strategy, { followAll });
  const showOpeners = openersPanel(tabbed.panels.openers, {
    use: (word) => tryWord(word, []),
    sorted: (sort) => set({ ...state, sort }),
  });
  const storyPlace = h("div", { class: "stack story-of-game" });
  const entering = h(
    "details",
    { class: "enter" },
    h("summary", {}, "Put in a whole game"),
    enterForm({ game: () => state.game, opened }),
  );
  tabbed.panels.game.append(h("h2", {}, "The game"), entering, storyPlace);
  const better = betterPanel(puzzlePlace, {
    ended: () => draw(),
    shown: (word) => tryWord(word),
  });

  // What a person does

  /** Go to another state. edit: names the change, so that it can be undone; equal changes in a row are undone at once.
   * step: whether only the place changes. */
  function set(next, { edit = "", stepping = false, focus = undefined, keep = false } = {}) {
    const moved = next.at.join(".") !== state.at.join(".") || next.root !== state.root;
    if (edit && edit !== lastEdit) {
      past.push(state);
      future = [];
    }
    lastEdit = edit;
    if (moved && !keep) draft = blank();
    if (moved && better.isShown()) better.stop();
    state = nodeAt(next.root, next.at) ? next : { ...next, at: within(next.root, next.at) };
    board = Math.min(board, state.boards - 1);
    if (edit || moved) note.replaceChildren();
    const now = performance.now();
    writeAddress(stepping && now - stepped < STEPPING);
    stepped = stepping ? now : -Infinity;
    draw(focus);
  }

  const noAnswers = (boards = state.boards) => Array(boards).fill("");

  function go(path) {
    if (path.join(".") === state.at.join(".")) return;
    set({ ...state, at: path, tried: "", tab: state.tab === "try" ? back : state.tab }, { stepping: true });
    tell();
  }

  function step(by) {
    if (by < 0) go(state.at.slice(0, by));
    else go(lineThrough(state.root, state.at).slice(0, state.at.length + by));
  }

  /** Return what a word gets on each board: by the answer where it is known, else as earlier rows suggest. */
  function guessFeedback(word, before) {
    return Array.from({ length: state.boards }, (_, i) => {
      if (isSolvedBoard(state.game, before, i)) return "";
      if (state.answers[i] && state.variant === "standard") return feedbackOf(state.game, word, state.answers[i]);
      return likelyFeedback(state.game, word, state.variant === "fibble" ? [] : rowsOf(before, i));
    });
  }
  const isSure = (before) =>
    state.variant === "standard" &&
    Array.from({ length: state.boards }, (_, i) => state.answers[i] || isSolvedBoard(state.game, before, i)).every(Boolean);

  /** Return a word as an open row after others. */
  const drafted = (word, before) => ({ guess: word, feedback: guessFeedback(word, before), sure: isSure(before) });

  function type(word) {
    const was = whole(draft.guess);
    const is = whole(word);
    draft = { ...blank(), guess: word };
    if (is) tryWord(word, state.at, { keepFocus: true });
    else if (was) {
      state = { ...state, tried: "" };
      draw({ row: state.at.length });
    }
  }

  /** Try a word in a position: it stands in the open row, and its groups are shown. */
  function tryWord(word, at = state.at, { keepFocus = false } = {}) {
    draft = drafted(word, rowsTo(state.root, at));
    if (better.isOpen()) {
      better.judge(word);
      draw(keepFocus ? { row: at.length } : undefined);
      return;
    }
    if (state.tab !== "try") back = state.tab === "strategy" || state.tab === "openers" || state.tab === "game" ? "guesses" : state.tab;
    set({ ...state, at, tried: word, tab: "try" }, { keep: true, focus: keepFocus ? { row: at.length } : undefined });
    if (!keepFocus) announce(`Trying ${word}.`);
  }

  function place(row, focus) {
    const { guess, feedback } = row;
    const so = add(state.root, state.at, { guess, feedback });
    const edit = `row ${so.path.join(".")}`;
    const next = { ...state, root: so.root, at: so.path, tried: "", tab: state.tab === "try" ? back : state.tab };
    set(next, { edit, focus: focus ?? { row: so.path.length } });
  }

  function followAll(some) {
    const full = some.reduce(
      (made, { guess, feedback }) => {
        const before = [...rows(), ...made];
        const others = guessFeedback(guess, before);
        return [...made, { guess, feedback: others.map((old, i) => (i === board ? feedback : old)) }];
      },
      /** @type {import("../board/tree.js").Row[]} */ ([]),
    );
    const so = addAll(state.root, state.at, full);
    set({ ...state, root: so.root, at: so.path, tried: "", tab: state.tab === "try" ? back : state.tab }, { edit: `row ${so.path.join(".")}` });
    tell();
  }

  function recolour(at, row, focus) {
    const path = state.at.slice(0, at + 1);
    const was = nodeAt(state.root, path).row;
    const feedback = row.guess === was.guess ? row.feedback : guessFeedback(row.guess, rowsTo(state.root, path.slice(0, -1)));
    set({ ...state, root: replace(state.root, path, { guess: row.guess, feedback }) }, { edit: `row ${path.join(".")}`, focus, keep: true });
  }

  function takeOut(at) {
    const path = state.at.slice(0, at + 1);
    const left = state.at.filter((_, i) => i !== at);
    const root = leaveOut(state.root, path);
    set({ ...state, root, at: within(root, left) }, { edit: `out ${path.join(".")}`, focus: { row: Math.max(0, state.at.length - 1) } });
  }

  function undo() {
    if (!past.length) {
      announce("Nothing to undo.");
      return;
    }
    future.push(state);
    const before = past.pop();
    set({ ...before, tab: state.tab === "try" ? back : state.tab, tried: "" });
  }

  function redo() {
    if (!future.length) {
      announce("Nothing to redo.");
      return;
    }
    past.push(state);
    set({ ...future.pop(), tab: state.tab });
  }

  /** Put a whole game on the board. */
  function opened(game, played, answer) {
    const root = lineOf(played.map(({ guess, feedback }) => ({ guess, feedback: [feedback] })));
    entering.open = false;
    set(
      { ...state, game, boards: 1, variant: "standard", answers: [answer], root, at: lineThrough(root, []), tab: "game", tried: "" },
      { edit: "opened" },
    );
    announce(`${count(played.length, "row")} on the board.`);
  }

  async function copy() {
    const { address, portable } = addressOf(state);
    const link = new URL(address, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      copied.textContent = portable ? "Link copied." : "Link copied; your words are too many for it, so it works in this browser only.";
    } catch {
      copied.textContent = link;
    }
  }

  // Addresses

  /** Write the address of what is shown, as a new place to go back to unless it is `instead` of the last. */
  function writeAddress(instead) {
    const { address } = addressOf(state);
    save("analyse", address.split("#")[1] ?? "");
    if (address !== location.pathname + location.hash || !history.state?.board)
      history[instead ? "replaceState" : "pushState"]({ board: true }, "", address);
    own = address;
  }

  /** Show what the address says. One that was not written here and names at most a tab leaves the game as it is. */
  function openAddress() {
    if (location.pathname + location.hash === own) return;
    const query = new URLSearchParams(location.hash.slice(1));
    const bare = [...query.keys()].every((name) => name === "tab" || name === "sort");
    const { state: said, remarks } = stateFrom(location.hash);
    if (!bare || history.state?.board) state = said;
    else if (query.has("tab")) state = { ...state, tab: said.tab, sort: said.sort };
    draft = state.tried ? drafted(state.tried, rows()) : blank();
    lastEdit = "";
    remark.replaceChildren(...[remarksNote(remarks)].filter(Boolean));
    note.replaceChildren();
    better.stop();
    entering.open = state.tab === "game" && !state.root.next.length;
    writeAddress(true);
    draw();
  }

  // Drawing

  function draw(focus) {
    const { game, boards } = state;
    const now = rows();
    const solvedBy = (/** @type {number} */ i) => {
      const at = now.findIndex((_, row) => isSolvedBoard(game, now.slice(0, row + 1), i));
      return at < 0 ? Infinity : at + 1;
    };
    const over = isSolved(state, now);
    surface.draw({ game, boards, rows: now, draft, open: !over, turns: turnsIn(state), solvedBy }, focus);
    confirm.replaceChildren(
      ...(boards > 1 && whole(draft.guess) && !over ? [surface.confirmDraft(), h("span", { class: "soft small" }, "These are the colours")] : []),
    );
    const line = lineThrough(state.root, state.at);
    tools.first.disabled = tools.back.disabled = state.at.length === 0;
    tools.forward.disabled = tools.last.disabled = state.at.length === line.length;
    tools.undo.disabled = past.length === 0;
    tools.redo.disabled = future.length === 0;
    meaning.hidden = !hasMarks(game);
    drawSettings();
    drawBoardChoice();
    const puzzling = better.isShown();
    puzzlePlace.hidden = !puzzling;
    tabbed.list.hidden = puzzling;
    tabbed.show(puzzling ? "" : state.tab);
    drawGame();
    ask();
  }

  function drawBoardChoice() {
    const about = state.boards > 1 && ["try", "words", "strategy"].includes(state.tab);
    which.replaceChildren(
      ...(about
        ? [
            field(
              "Board",
              select(
                Array.from({ length: state.boards }, (_, i) => [i, `Board ${i + 1}`]),
                board,
                (event) => {
                  board = Number(event.target.value);
                  ask();
                },
              ),
            ),
          ]
        : []),
    );
  }

  function drawSettings() {
    const { game, boards, variant } = state;
    const key = JSON.stringify([game, boards, variant]);
    if (key === fields) {
      drawAnswers();
      return;
    }
    fields = key;
    settings.replaceChildren(
      gameFields(game, (next) => {
        const keep = hasMarks(next) === hasMarks(state.game) && lengthOf(next) === lengthOf(state.game);
        set(
          keep ? { ...state, game: next } : { ...state, game: next, root: begun(), at: [], tried: "", answers: noAnswers() },
          { edit: "game" },
        );
      }),
      h(
        "div",
        { class: "two" },
        field(
          "Boards",
          select(
            Array.from({ length: MOST_BOARDS }, (_, i) => [i + 1, String(i + 1)]).filter(([n]) => [1, 2, 4, 8, boards].includes(n)),
            boards,
            (event) => {
              const many = Number(event.target.value);
              set(
                { ...state, boards: many, variant: many > 1 ? "standard" : variant, root: begun(), at: [], tried: "", answers: noAnswers(many) },
                { edit: "boards" },
              );
            },
          ),
        ),
        field(
          "Variant",
          select(VARIANTS, variant, (event) => {
            const next = event.target.value;
            const one = next !== "standard" && boards > 1;
            set(
              { ...state, variant: next, ...(one ? { boards: 1, root: begun(), at: [], answers: noAnswers(1) } : {}), tried: "" },
              { edit: "variant" },
            );
          }),
        ),
      ),
      answers,
    );
    drawAnswers();
  }

  function drawAnswers() {
    if (answers.contains(document.activeElement)) return;
    answers.replaceChildren(
      ...state.answers.map((answer, i) => {
        const input = h("input", {
          type: "text",
          autocomplete: "off",
          autocapitalize: "none",
          spellcheck: "false",
          maxlength: lengthOf(state.game),
          placeholder: "if you know it",
          value: answer,
          oninput: () => {
            const word = input.value.trim().toLowerCase();
            if (word && !whole(word)) return;
            set({ ...state, answers: state.answers.map((old, j) => (j === i ? word : old)) }, { keep: true });
          },
        });
        return field(state.boards > 1 ? `The answer of board ${i + 1}` : "The answer", input);
      }),
    );
  }

  /** Return the question whose answer is the review of the line through where one stands; none where it has no rows. */
  function reviewQuestion() {
    const line = rowsTo(state.root, lineThrough(state.root, state.at));
    if (!line.length) return null;
    const known = state.answers.filter(Boolean).length === state.boards;
    if (state.boards > 1) {
      const each = askedOfAll(state, line).boards.map((played, i) => ({ rows: played, ...(state.answers[i] ? { answer: state.answers[i] } : {}) }));
      return { path: "/boards/review", body: { game: state.game, boards: each }, wanted: known || isSolved(state, line) };
    }
    const body = { ...asked(state, line), ...(state.answers[0] ? { answer: state.answers[0] } : {}) };
    return { path: "/review", body, wanted: known || isSolved(state, line) };
  }

  /** Draw the moves, and what a review says of them where there is one. */
  function drawGame() {
    const wanted = reviewQuestion();
    const review = wanted && remembered(wanted.path, wanted.body);
    const line = lineThrough(state.root, state.at);
    const markOf = (path) =>
      review && line.slice(0, path.length).join(".") === path.join(".") ? (review.moves[path.length - 1]?.annotation ?? "") : "";
    gameCard.hidden = !state.root.next.length;
    list.replaceChildren(moves(state, { go, annotationOf: markOf }));
    list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    const focused = chart.contains(document.activeElement);
    chart.replaceChildren(
      ...(review
        ? [graph(pointsOf(review), state.at.length, (move) => go(line.slice(0, move)))]
        : wanted
          ? [h("button", { type: "button", class: "button review-now", onclick: () => set({ ...state, tab: "game" }) }, "Review this game")]
          : []),
    );
    if (focused) chart.querySelector("[tabindex='0']")?.focus();
    legendOfMoves.hidden = !review?.moves.some(({ annotation }) => annotation);
    drawLineTools();
    drawComment(review);
    drawStory(wanted, review);
  }

  function drawLineTools() {
    const last = state.at.length === 0;
    const follows = nodeAt(state.root, state.at).next.length > 0;
    const button = (path, name, action) =>
      h("button", { type: "button", class: "button quiet small-button", onclick: action }, icon(path), name);
    lineTools.replaceChildren(
      ...[
        isMain(state.at)
          ? null
          : button(PATHS.promote, "Make it the main line", () => {
              const so = promote(state.root, state.at);
              set({ ...state, root: so.root, at: so.path }, { edit: "promote" });
            }),
        follows
          ? button(PATHS.cut, "Cut off what follows", () => set({ ...state, root: cutAfter(state.root, state.at) }, { edit: "cut" }))
          : null,
        last
          ? null
          : button(ICONS.cross, "Delete from here", () =>
              set({ ...state, root: remove(state.root, state.at), at: state.at.slice(0, -1) }, { edit: "delete" }),
            ),
      ].filter(Boolean),
    );
  }

  /** Say what there is to say of the move that led here. */
  function drawComment(review) {
    const move = review?.moves[state.at.length - 1];
    comment.replaceChildren(
      ...(move
        ? [
            h(
              "p",
              { class: "small" },
              move.annotation ? h("b", { class: "annotation", "data-annotation": move.annotation }, `${move.annotation} `) : null,
              move.sentence,
            ),
            ["?!", "?", "??"].includes(move.annotation) && state.boards === 1
              ? h("button", { type: "button", class: "button small-button find-better", onclick: () => findBetter(move) }, "Find a better guess")
              : null,
          ].filter(Boolean)
        : []),
    );
  }

  function findBetter(move) {
    const at = state.at.slice(0, -1);
    set({ ...state, at, tried: "", tab: state.tab === "try" ? back : state.tab });
    better.begin(move.guess, asked(state, rows()));
    draw({ row: at.length });
  }

  let reviewing = "";
  function drawStory(wanted, review) {
    if (!wanted) {
      storyPlace.replaceChildren(invitation());
      return;
    }
    const line = lineThrough(state.root, state.at);
    if (review) {
      const key = JSON.stringify(wanted.body);
      if (storyPlace.dataset.of !== key) {
        storyPlace.dataset.of = key;
        storyPlace.replaceChildren(...story(review, state.game, (move) => go(line.slice(0, move))).filter(Boolean));
      }
      storyPlace.removeAttribute("aria-busy");
      return;
    }
    delete storyPlace.dataset.of;
    if (state.tab === "game" || wanted.wanted) reviewSoon(wanted);
    else storyPlace.replaceChildren(invitation());
  }

  const reviewSoon = debounced(async (wanted) => {
    const key = JSON.stringify(wanted.body);
    if (reviewing === key) return;
    reviewing = key;
    storyPlace.setAttribute("aria-busy", "true");
    if (!storyPlace.querySelector(".move")) storyPlace.replaceChildren(h("p", { class: "soft", role: "status" }, "Thinking the game through…"));
    try {
      const review = await question(wanted.path, wanted.body, {});
      if (reviewing !== key) return;
      if (JSON.stringify(reviewQuestion()?.body) === key) {
        drawGame();
        if (state.tab === "game") announce(review.summary);
      }
    } catch (error) {
      if (reviewing !== key || superseded(error)) return;
      storyPlace.removeAttribute("aria-busy");
      storyPlace.replaceChildren(problemNote(error));
      if (state.tab === "game" && error.problem?.row) surface.blame({ row: error.problem.row });
    } finally {
      if (reviewing === key) reviewing = "";
    }
  }, SOON);

  // Asking

  /** Ask for the best guesses here, and for what the panel in sight needs. What is known shows at once. */
  function ask() {
    asking += 1;
    const { path, body } = suggestQuestion();
    const known = remembered(path, body);
    if (known) {
      drawSuggestions(known);
      showPanel();
    } else {
      guessPlace.setAttribute("aria-busy", "true");
      askSoon(asking);
    }
  }

  const suggestQuestion = () =>
    state.boards > 1
      ? { path: "/boards/suggest", body: { ...askedOfAll(state, rows()), limit: LIMIT } }
      : { path: "/suggest", body: { ...asked(state, rows()), limit: LIMIT } };

  const askSoon = debounced(async (/** @type {number} */ mine) => {
    if (mine !== asking) return;
    showPanel();
    await suggest(mine);
  }, SOON);

  async function suggest(mine, isAgain = false) {
    const { path, body } = suggestQuestion();
    try {
      const found = await question(path, body, { quiet: isAgain });
      if (mine !== asking) return;
      if (found.provisional)
        askAgain(
          () => suggest(mine, true),
          () => mine === asking,
        );
      if (isAgain && found.provisional) return;
      drawSuggestions(found);
      tellPosition(found);
    } catch (error) {
      if (superseded(error) || mine !== asking) return;
      guessPlace.removeAttribute("aria-busy");
      guessPlace.replaceChildren(problemNote(error));
      status.textContent = "";
      note.replaceChildren(problemNote(error));
      surface.blame(error.problem?.row ? { row: error.problem.row } : null);
      await explain(mine);
    }
  }

  /** Say which row and letters contradict the others, where that is the problem. */
  async function explain(mine) {
    try {
      for (let i = 0; i < state.boards; i += 1) {
        const { contradiction } = await question("/check", asked(state, rows(), i), {});
        if (mine !== asking) return;
        if (!contradiction) continue;
        surface.blame({ ...contradiction, board: i });
        note.replaceChildren(
          h(
            "div",
            { class: "problem stack", role: "alert" },
            h("h2", {}, "No word fits these rows"),
            h("p", {}, sentence(contradiction.message)),
            h("p", { class: "soft small" }, "The marked tiles are the likeliest slip. Click them, or undo."),
          ),
        );
        guessPlace.replaceChildren(h("p", { class: "soft" }, "No word fits these rows."));
        return;
      }
    } catch {
      // what was wrong is said already
    }
  }

  function drawSuggestions(found) {
    note.replaceChildren();
    surface.blame(null);
    guessPlace.removeAttribute("aria-busy");
    const areWords = hasMarks(state.game);
    if (found.solved) {
      status.textContent = `Solved in ${count(state.at.length, "guess", "guesses")}.`;
      guessPlace.replaceChildren(
        h("h2", {}, "Solved."),
        h("p", {}, `It took ${count(state.at.length, "guess", "guesses")}.`),
        h("div", {}, h("button", { type: "button", class: "button primary", onclick: () => set({ ...state, tab: "game" }) }, "Review this game")),
      );
      return;
    }
    const best = found.guesses[0];
    const left = Array.isArray(found.candidates)
      ? `${found.candidates.join(" · ")} words left`
      : leftText(found.candidates, areWords);
    status.replaceChildren(left, ...(best && !better.isOpen() ? [" · best ", h("b", { class: "word" }, best.guess)] : []));
    guessPlace.replaceChildren(...ranking(found, (word) => tryWord(word)).filter(Boolean));
  }

  function tellPosition(found) {
    announce(
      found.solved
        ? "Solved."
        : `${Array.isArray(found.candidates) ? found.candidates.join(", ") : count(found.candidates, "candidate")}. Best guess: ${found.guesses[0]?.guess ?? "none"}.${found.provisional ? ` ${PROVISIONAL}` : ""}`,
    );
  }

  /** Say which position one came to. */
  function tell() {
    const last = rows().at(-1);
    announce(last ? `After move ${state.at.length}, ${last.guess}` : "The start");
  }

  function showPanel() {
    if (better.isShown()) return;
    const body = asked(state, rows(), board);
    const over = isSolvedBoard(state.game, rows(), board);
    const areWords = hasMarks(state.game);
    if (state.tab === "words") showWords(body, { areWords });
    if (state.tab === "try") showTry(body, { guess: over ? "" : state.tried, game: state.game, length: lengthOf(state.game) });
    if (state.tab === "strategy") showStrategy({ ...body, ...(state.tried ? { guess: state.tried } : {}) }, state.game);
    if (state.tab === "openers") showOpeners({ game: state.game, sort: state.sort });
  }

  // Keys and swipes

  const isField = (element) => element.matches("input, select, textarea") && !(element.matches(".typing input") && !element.value);
  document.addEventListener("keydown", (event) => {
    if (section.hidden || document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target !== document.body && !section.contains(target)) return;
    const key = event.key;
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z" && !target.matches("textarea")) {
      event.preventDefault();
      if (event.shiftKey) redo();
      else undo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isField(target)) return;
    const action = {
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      ArrowUp: () => go(aside(state.root, state.at, -1)),
      ArrowDown: () => go(aside(state.root, state.at, 1)),
      Home: () => go([]),
      End: () => go(lineThrough(state.root, state.at)),
    }[key];
    if (action && !((key === "ArrowUp" || key === "ArrowDown") && aside(state.root, state.at, 1).join() === state.at.join())) {
      event.preventDefault();
      action();
    } else if (/^[\p{L}\p{N}]$/u.test(key) && !target.matches("input")) surface.focus();
  });
  let from = null;
  surface.element.addEventListener("touchstart", (event) => (from = event.touches.length === 1 ? event.touches[0] : null), { passive: true });
  surface.element.addEventListener(
    "touchend",
    (event) => {
      const to = event.changedTouches[0];
      const [across, down] = from ? [to.clientX - from.clientX, to.clientY - from.clientY] : [0, 0];
      if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) step(across > 0 ? -1 : 1);
    },
    { passive: true },
  );

  return { shown: openAddress };
}

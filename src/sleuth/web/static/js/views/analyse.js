// The analysis board: a position of a game, how it came and how it may go on, and what is best there.

import { ICONS, announce, count, field, h, icon, remarksNote, select } from "../dom.js";
import { hasMarks, keptTitleOf, lengthOf, nounOf } from "../games.js";
import { kindText } from "../statistics.js";
import { legend } from "../tiles.js";
import { unknownWord } from "../unknown.js";
import { addressOf } from "../board/address.js";
import { advice } from "../board/advice.js";
import { betterPanel } from "../board/better.js";
import { blank, changed, drafted, followed, opened, placed, startedOver, takenOut } from "../board/edits.js";
import { enterForm } from "../board/enter.js";
import { grid } from "../board/grid.js";
import { listen } from "../board/keys.js";
import { hasColours, pegLegend } from "../board/marks.js";
import { colourKeys } from "../board/palette.js";
import { openersPanel } from "../board/openers.js";
import { asked, isSolved, isSolvedBoard, turnsIn } from "../board/position.js";
import { record } from "../board/record.js";
import { settingForm } from "../board/setting.js";
import { strategyPanel } from "../board/strategy.js";
import { study } from "../board/study.js";
import { tabs } from "../board/tabs.js";
import { aside, lineThrough, rowsTo } from "../board/tree.js";
import { tryPanel } from "../board/trying.js";
import { wordsPanel } from "../board/words.js";

/** @typedef {import("../board/address.js").State} State */

/** @type {[string, string][]} */
const TABS = [
  ["guesses", "Best guesses"],
  ["try", "Try a word"],
  ["words", "Words left"],
  ["strategy", "Strategy"],
  ["openers", "Openers"],
  ["game", "The game"],
];
const OF_ONE_BOARD = ["try", "words", "strategy"];
const PATHS = {
  first: "M18 6l-6 6 6 6M7 6v12",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  last: "M6 6l6 6-6 6M17 6v12",
  redo: "M16 5l4 4-4 4M20 9H10a6 6 0 0 0 0 12h3",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
};

/** Show the board in a section; return what is done when it is shown again. @param {HTMLElement} section */
export function mount(section) {
  let draft = blank();
  let keepsDraft = false;
  /** @type {import("../board/grid.js").Focus | undefined} */
  let focus;
  let board = 0; // the one that panels of one board are about
  let before = "guesses"; // the tab that is shown again once a tried word is placed

  const now = study((moved) => {
    if (moved && !keepsDraft) draft = blank();
    if (moved) better.stop();
    board = Math.min(board, now.now.boards - 1);
    draw();
  });
  const rows = () => rowsTo(now.now.root, now.now.at);
  const whole = (/** @type {string} */ word) => [...word].length === lengthOf(now.now.game);

  /** Change the state. sends: where the focus goes; keeps: whether the open row stays.
   * @param {import("../board/edits.js").Edit} edit */
  function edit([next, name], { sends = undefined, keeps = false } = /** @type {any} */ ({})) {
    focus = sends;
    keepsDraft = keeps;
    note.replaceChildren();
    now.set({ ...next, tab: next.tried || next.tab !== "try" ? next.tab : before }, { edit: name });
  }

  // What a person does

  function go(/** @type {number[]} */ at) {
    const { tab } = now.now;
    if (at.join(".") === now.now.at.join(".")) return false;
    keepsDraft = false;
    note.replaceChildren();
    now.set({ ...now.now, at, tried: "", tab: tab === "try" ? before : tab }, { stepping: true });
    const last = rows().at(-1);
    announce(last ? `After move ${at.length}, ${last.guess}` : "The start");
    return true;
  }

  const line = () => lineThrough(now.now.root, now.now.at);
  const step = (/** @type {number} */ by) => go(line().slice(0, Math.max(0, now.now.at.length + by)));

  /** Try a word in a position: it stands in the open row, and its groups are shown. */
  function tryWord(/** @type {string} */ word, at = now.now.at, typed = false) {
    draft = drafted(now.now, word, rowsTo(now.now.root, at));
    focus = typed ? { row: at.length } : undefined;
    if (better.isOpen()) {
      draw();
      return;
    }
    const { tab } = now.now;
    if (tab !== "try") before = tab === "words" ? tab : "guesses";
    keepsDraft = true;
    now.set({ ...now.now, at, tried: word, tab: "try", better: "" });
    if (!typed) announce(`Trying ${word}.`);
  }

  function type(/** @type {string} */ word) {
    const was = whole(draft.guess);
    draft = { ...blank(), guess: word };
    if (whole(word)) tryWord(word, now.now.at, true);
    else if (was) {
      focus = { row: now.now.at.length };
      keepsDraft = true;
      now.set({ ...now.now, tried: "" });
    }
  }

  /** Put a peg into the open row, or take the last one away. */
  function press(/** @type {string} */ symbol) {
    if (whole(draft.guess)) return;
    type(draft.guess + symbol);
    draw();
  }
  function erase() {
    type([...draft.guess].slice(0, -1).join(""));
    draw();
  }

  /** Submit a guess at the puzzle; the open row is empty for the next. */
  function submit(/** @type {string} */ word) {
    better.judge(word);
    draft = blank();
    focus = { row: now.now.at.length };
    draw();
  }

  const surface = grid({
    typed: type,
    placed: (row, sends) => {
      if (better.isOpen()) {
        submit(row.guess);
        return;
      }
      const made = placed(now.now, row);
      edit(made, { sends: sends ?? { row: made[0].at.length } });
    },
    changed: (at, row, sends) => edit(changed(now.now, at, row), { sends, keeps: true }),
    removed: (at) => edit(takenOut(now.now, at), { sends: { row: now.now.at.length - 1 } }),
  });

  /** Where an answer is none of the game, say so at the board, and do without it. without: takes it from the state, and returns
   * what else is to be said. @param {(state: State) => string[]} without */
  async function checkAnswers(without) {
    const { game: of, answers, variant } = now.now;
    const says = variant === "standard" ? await unknownWord(of, answers) : "";
    if (says && now.now.answers === answers) remark.replaceChildren(remarksNote([says, ...without(now.now)]));
  }

  function undo(/** @type {1 | -1} */ by) {
    focus = undefined;
    keepsDraft = false;
    note.replaceChildren();
    if (!now.undo(by)) announce(by > 0 ? "Nothing to undo." : "Nothing to redo.");
  }

  function show(/** @type {string} */ tab) {
    focus = undefined;
    keepsDraft = true;
    now.set({ ...now.now, tab });
  }

  function findBetter(/** @type {any} */ move) {
    go(line().slice(0, move.turn - 1));
    status.textContent = ""; // how many words are left here is told once it is known
    better.begin(move.guess, asked(now.now, rows()));
    focus = { row: now.now.at.length };
    now.set({ ...now.now, better: move.guess }, { stepping: true });
  }

  async function copy() {
    const { address, portable } = addressOf(now.now);
    const link = new URL(address, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      copied.textContent = portable
        ? "Link copied."
        : "Link copied; your words are too many for it, so it works in this browser only.";
    } catch {
      copied.textContent = link;
    }
  }

  // The parts

  const tool = (
    /** @type {string} */ path,
    /** @type {string} */ name,
    /** @type {() => void} */ action,
    key = "",
  ) =>
    h(
      "button",
      {
        type: "button",
        class: "button quiet icon-button",
        "aria-label": name,
        title: key ? `${name} (${key})` : name,
        onclick: action,
      },
      icon(path),
    );
  const tools = {
    first: tool(PATHS.first, "To the start", () => go([]), "Home"),
    back: tool(PATHS.back, "A move back", () => step(-1), "←"),
    forward: tool(PATHS.forward, "A move on", () => step(1), "→"),
    last: tool(PATHS.last, "To the end", () => go(line()), "End"),
    undo: tool(ICONS.undo, "Undo", () => undo(1), "Ctrl+Z"),
    redo: tool(PATHS.redo, "Redo", () => undo(-1), "Ctrl+Shift+Z"),
    link: tool(ICONS.link, "Copy link", copy),
    over: tool(PATHS.bin, "Start over", () => {
      remark.replaceChildren();
      edit(startedOver(now.now));
    }),
  };
  const lead = h("p", { class: "lead", id: "board-help" });
  const remark = h("div", { class: "remark" });
  const status = h("p", { class: "board-status" });
  const note = h("div", { class: "board-note" });
  const kind = h("span", {});
  const confirm = h("div", { class: "cluster confirm-draft" });
  const copied = h("span", { class: "soft small copied", role: "status" });
  const meaning = h("div", { class: "stack meaning" });
  const which = h("div", { class: "which-board" });
  const puzzle = h("div", { class: "stack puzzle" });
  const { list, panels, rename, show: showTab } = tabs(TABS, show);
  const game = record({
    go,
    edit: (change) => edit(change(now.now)),
    review: () => show("game"),
    findBetter,
    blame: surface.blame,
    now: () => now.now,
  });
  const setting = settingForm({
    edit: (change) => edit(change(now.now)),
    answered: (answers) => {
      remark.replaceChildren();
      edit([{ ...now.now, answers }, ""], { keeps: true });
      checkAnswers((state) => {
        now.set({ ...state, answers: state.answers.map(() => "") });
        return [];
      });
    },
  });
  const replaced = h("p", { class: "soft small", hidden: true });
  const enter = enterForm({
    game: () => now.now.game,
    opened: (of, played, answer) => {
      entering.open = false;
      remark.replaceChildren();
      status.textContent = ""; // how many words are left here is told once it is known
      edit(opened(now.now, of, played, answer));
      announce(`${count(played.length, "row")} on the board.`);
    },
    offered: (other) => {
      game.place.hidden = other !== null;
      const [length, here] = [other ? lengthOf(other) : 0, lengthOf(now.now.game)];
      replaced.hidden = !other || (now.now.root.next.length === 0 && length === here);
      replaced.textContent = `${length === here ? "" : `This game has ${length} letters a word, the one on the board ${here}. `}Opening it puts it in the place of the game on the board; Undo brings that back.`;
    },
  });
  const entering = h("details", { class: "enter" }, h("summary", {}, "Put in a whole game"), enter.element);
  const settings = h(
    "details",
    { class: "card settings" },
    h("summary", {}, "Words, mode and answer"),
    setting.element,
  );
  const change = h(
    "button",
    {
      type: "button",
      class: "link",
      onclick: () => {
        settings.open = true;
        settings.querySelector("select")?.focus();
      },
    },
    "Change",
  );
  section.append(
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "Analysis board"),
      lead,
    ),
    remark,
    h(
      "div",
      { class: "analyse-columns" },
      h(
        "section",
        { class: "card stack board-card", "aria-label": "Position" },
        h("div", { class: "cluster board-tools" }, Object.values(tools)),
        surface.element,
        confirm,
        note,
        status,
        h("p", { class: "cluster small soft board-game" }, kind, change),
        game.comment,
        copied,
        meaning,
      ),
      h(
        "section",
        { class: "card panels", "aria-label": "Analysis" },
        list,
        which,
        puzzle,
        Object.values(panels),
      ),
      game.card,
      settings,
    ),
  );

  // The panels

  const guesses = h("div", { class: "stack" });
  panels.guesses.append(guesses);
  panels.game.append(h("h2", {}, "The game"), entering, replaced, game.place);
  const better = betterPanel(puzzle, { ended: () => now.set({ ...now.now, better: "" }), shown: (word) => tryWord(word) });
  const ask = advice({
    place: guesses,
    status,
    note,
    blame: surface.blame,
    tryWord: (word) => tryWord(word),
    review: () => show("game"),
    isSecret: better.isOpen,
    learned: () => {
      trying.refresh();
      strategy.refresh();
    },
  });
  const follow = (/** @type {{ guess: string, feedback: string }[]} */ some) =>
    edit(followed(now.now, some, board));
  const showWords = wordsPanel(panels.words, { tryWord: (word) => tryWord(word) });
  const trying = tryPanel(panels.try, {
    tryWord: (word) => tryWord(word),
    follow: (guess, feedback) => follow([{ guess, feedback }]),
    strategyOf: () => show("strategy"),
  });
  const strategy = strategyPanel(panels.strategy, { followAll: follow });
  const showOpeners = openersPanel(panels.openers, {
    use: (word) => tryWord(word, []),
    sorted: (sort) => now.set({ ...now.now, sort }),
  });

  function showPanel() {
    const { game: of, tab, tried, sort, boards, variant } = now.now;
    const body = asked(now.now, rows(), board);
    const over = isSolvedBoard(of, rows(), board);
    if (better.isShown()) return;
    if (tab === "words") showWords(body);
    if (tab === "try") trying.show(body, { guess: over ? "" : tried, game: of, length: lengthOf(of), alone: boards > 1 ? board + 1 : 0 });
    if (tab === "strategy") strategy.show(tried ? { ...body, guess: tried } : body, of);
    if (tab === "openers") showOpeners({ game: of, sort }, boards === 1 && variant === "standard");
  }

  // Drawing

  function draw() {
    const state = now.now;
    const made = rows();
    const open = !isSolved(state, made);
    const took = Array.from({ length: state.boards }, (_, i) => {
      const solved = made.findIndex((_, row) => isSolvedBoard(state.game, made.slice(0, row + 1), i));
      return solved < 0 ? Infinity : solved + 1;
    });
    surface.draw(
      {
        game: state.game,
        boards: state.boards,
        rows: made,
        draft,
        open,
        riddle: better.isOpen(),
        turns: turnsIn(state),
        solvedBy: (i) => took[i],
      },
      focus,
    );
    focus = undefined;
    confirm.replaceChildren(
      ...(state.boards > 1 && whole(draft.guess) && open
        ? [surface.confirmDraft(), h("span", { class: "soft small" }, "These are the colours")]
        : []),
    );
    tools.first.disabled = tools.back.disabled = state.at.length === 0;
    tools.forward.disabled = tools.last.disabled = state.at.length === line().length;
    tools.undo.disabled = !now.hasPast;
    tools.redo.disabled = !now.hasFuture;
    copied.textContent = "";
    meaning.replaceChildren(
      hasColours(state.game) && open ? colourKeys(state.game, { press, erase }) : "",
      hasMarks(state.game) ? legend() : pegLegend(state.game),
    );
    setting.draw(state);
    enter.draw(state.game);
    kind.textContent = kindText({ ...state, title: keptTitleOf(state.game) });
    drawWhich(state);
    lead.textContent = `Type a ${nounOf(state.game)} to try it, then ${hasMarks(state.game) ? "click its tiles to the colours" : "choose what"} it got. Arrow keys walk through the game.`;
    rename("try", `Try a ${nounOf(state.game)}`);
    rename("words", `${hasMarks(state.game) ? "Words" : "Codes"} left`);
    puzzle.hidden = !better.isShown();
    list.hidden = better.isShown();
    showTab(better.isShown() ? "" : state.tab);
    game.draw(state);
    game.comment.hidden = better.isShown();
    ask(state, showPanel);
  }

  function drawWhich(/** @type {State} */ { boards, tab }) {
    const choices = Array.from({ length: boards }, (_, i) => [i, `Board ${i + 1}`]);
    which.replaceChildren(
      ...(boards > 1 && OF_ONE_BOARD.includes(tab)
        ? [
            field(
              "Board",
              select(choices, board, ({ target }) => {
                board = Number(target.value);
                showPanel();
              }),
            ),
            h(
              "p",
              { class: "soft small" },
              "This board alone, as if there were no other. What is best for all boards together stands below the boards and under ",
              h("button", { type: "button", class: "link", onclick: () => show("guesses") }, "Best guesses"),
              ".",
            ),
          ]
        : []),
    );
  }

  listen(section, surface.element, {
    step,
    aside: (by) => go(aside(now.now.root, now.now.at, by)),
    first: () => go([]),
    last: () => go(line()),
    undo,
    type: () => surface.focus(),
  });

  return {
    puzzle: () => now.now,
    /** Show what the address says. */
    shown() {
      const { hash } = location;
      const remarks = now.open();
      if (remarks === null) return;
      const { tried, tab, root, better: played } = now.now;
      draft = tried ? drafted(now.now, tried, rows()) : blank();
      remark.replaceChildren(...[remarksNote(remarks)].filter(Boolean));
      note.replaceChildren();
      better.stop();
      if (played) better.begin(played, asked(now.now, rows()));
      entering.open = tab === "game" && !root.next.length;
      draw();
      checkAnswers(() => {
        const others = now.openWithoutAnswer(hash);
        draw();
        return others;
      });
    },
  };
}

// The board: the rows up to where one stands, each changed in place, and the open row after them.

import { ICONS, h, icon } from "../dom.js";
import { hasLongWords, hasMarks, lengthOf } from "../games.js";
import { keyPegs } from "../pegs.js";
import { MARK_NAMES, capital, emptyRow, glyph } from "../tiles.js";
import { keyPegButtons } from "./keypegs.js";
import { PEGS, faceOf, hasColours } from "./marks.js";

const LONG = 5; // what has more pegs has no room beside it for what it got, on a phone
const CHECK = "M5 13l4.5 4.5L19 7";
const NEXT = { b: "y", y: "g", g: "b" };
const BEFORE = { b: "g", y: "b", g: "y" };
const TYPED = { b: "b", 0: "b", y: "y", 1: "y", g: "g", 2: "g" };

/**
 * @typedef {import("./tree.js").Row} Row
 * @typedef {{
 *   game: any, boards: number, rows: Row[], draft: Row, open: boolean, riddle: boolean, turns: number,
 *   solvedBy: (board: number) => number
 * }} Shown what is drawn. draft: the open row as far as it is typed. open: whether there is one. riddle: whether the open
 *   row is a guess at a puzzle, which has no colours. solvedBy: how many rows a board took, Infinity where it is not solved
 * @typedef {{
 *   typed: (word: string) => void, placed: (row: Row, focus?: Focus) => void,
 *   changed: (at: number, row: Row, focus?: Focus) => void, removed: (at: number) => void,
 * }} Actions what a person does: letters in the open row, the open row done, an earlier one changed or taken away
 * @typedef {{ row: number, board?: number, tile?: number }} Focus a tile, or the word of a row
 */

/** Return the board and how to draw it. @param {Actions} actions */
export function grid(actions) {
  const element = h("div", { class: "grids" });
  /** @type {Shown} */
  let shown;

  const find = (/** @type {Focus} */ { row, board = 0, tile }) =>
    element.querySelector(
      tile === undefined
        ? `[data-row="${row}"] input`
        : `[data-row="${row}"][data-board="${board}"] [data-tile="${tile}"]`,
    );

  /** Draw rows; the focus stays where it was, or goes to where it is sent. */
  function draw(/** @type {Shown} */ next, /** @type {Focus | undefined} */ focus) {
    let had = element.contains(document.activeElement) ? placeOf(document.activeElement) : null;
    // Where rows come or go, the open row is another one: who was in it stays in it.
    if (had && had.row === shown.rows.length && had.row !== next.rows.length) had = { row: next.rows.length, board: 0 };
    shown = next;
    element.dataset.boards = String(shown.boards);
    element.dataset.pegs = String(!hasMarks(shown.game));
    element.dataset.coloured = String(hasColours(shown.game));
    element.dataset.long = String(lengthOf(shown.game) > LONG);
    element.dataset.close = String(hasLongWords(shown.game));
    element.style.setProperty("--cols", String(lengthOf(shown.game)));
    element.style.setProperty("--keys", String(lengthOf(shown.game)));
    element.replaceChildren(...Array.from({ length: shown.boards }, (_, board) => drawBoard(board)));
    const wanted = focus ?? had;
    if (wanted) (find(wanted) ?? find({ row: shown.rows.length }) ?? element.querySelector("input"))?.focus();
  }

  function drawBoard(board) {
    const { rows, boards, turns, open, solvedBy } = shown;
    const drawn = rows.map((row, at) => drawRow(row, at, board));
    const isOpen = open && solvedBy(board) === Infinity;
    if (isOpen) drawn.push(drawRow(shown.draft, rows.length, board));
    for (let at = drawn.length; at < turns; at += 1)
      drawn.push(h("div", { class: "entry" }, laterRow()));
    return h(
      "div",
      { class: "entries", role: "group", "aria-label": boards > 1 ? `Board ${board + 1}` : "The board" },
      boards > 1 ? h("p", { class: "small soft" }, `Board ${board + 1}`) : null,
      drawn,
    );
  }

  /** Return what a row to come looks like. */
  const laterRow = () =>
    hasColours(shown.game)
      ? [emptyRow(lengthOf(shown.game), "later pegged"), keyPegs("", lengthOf(shown.game))]
      : emptyRow(lengthOf(shown.game));

  /** Return the board on which the word of a row is typed: the first that is not solved before it. */
  const hostOf = (/** @type {number} */ at) =>
    Array.from({ length: shown.boards }, (_, board) => board).find((board) => at < shown.solvedBy(board));

  function drawRow(row, at, board) {
    const { game, rows, boards } = shown;
    const isDraft = at === rows.length;
    const whole = [...row.guess].length === lengthOf(game);
    const over = at >= shown.solvedBy(board);
    const letters = [...row.guess];
    const judged = whole && !over && !(isDraft && shown.riddle);
    const tiles = Array.from({ length: lengthOf(game) }, (_, i) =>
      judged && hasMarks(game)
        ? tileButton(row, at, board, i)
        : h(
            "span",
            {
              class: hasColours(game) ? "hole" : "tile",
              "data-mark": letters[i] && !over ? "typed" : "",
              "aria-hidden": "true",
            },
            over ? "" : faceOf(game, letters[i] ?? ""),
          ),
    );
    const line = h("div", { class: hasColours(game) ? "row pegged" : "row" }, tiles);
    line.style.setProperty("--cols", String(lengthOf(game)));
    const input = board === hostOf(at) ? wordInput(row, at, whole) : null;
    return h(
      "div",
      {
        class: "entry",
        role: "group",
        "aria-label": `Row ${at + 1}`,
        "data-row": at,
        "data-board": board,
        "data-complete": whole,
        "data-open": isDraft,
      },
      input && h("label", { class: "vh", for: input.id }, `Guess ${at + 1}`),
      h("div", { class: input ? "typing" : "" }, line, input),
      hasMarks(game) ? null : judged ? whatItGot(row, at, board) : hasColours(game) ? keyPegs("", lengthOf(game)) : null,
      boards === 1 ? side(row, at, whole) : null,
    );
  }

  /** Return the button beside a row: it is right as it is, or is taken away. */
  function side(row, at, whole) {
    const isDraft = at === shown.rows.length;
    if (isDraft && whole) return confirmButton(row, at);
    if (isDraft) return null;
    return h(
      "button",
      {
        type: "button",
        class: "button quiet icon",
        "aria-label": `Remove row ${at + 1}`,
        title: "Take this row out",
        onclick: () => actions.removed(at),
      },
      icon(ICONS.cross),
    );
  }

  const confirmButton = (row, at) =>
    h(
      "button",
      {
        type: "button",
        class: "button primary icon",
        "aria-label": shown.riddle ? "Try this guess" : `Row ${at + 1} is right`,
        title: shown.riddle ? "Try this guess (Enter)" : "These are the colours (Enter)",
        onclick: () => confirm(row, at),
      },
      icon(CHECK),
    );

  function wordInput(row, at, whole) {
    const isDraft = at === shown.rows.length;
    const input = h("input", {
      type: "text",
      id: `board-row-${at}`,
      maxlength: lengthOf(shown.game),
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      value: row.guess,
      inputmode: hasColours(shown.game) ? "none" : hasMarks(shown.game) ? null : "numeric",
      enterkeyhint: "next",
      "aria-describedby": isDraft ? "board-help" : null,
    });
    input.addEventListener("input", (event) =>
      typeWord(input, row, at, /** @type {InputEvent} */ (event).isComposing),
    );
    input.addEventListener("blur", () => {
      if (isDraft || input.value === row.guess) return;
      input.value = row.guess; // a word that was not typed to its end is not taken
      showLetters(input, [...row.guess]);
    });
    input.addEventListener("keydown", (event) => {
      if (!whole || !["Enter", "ArrowDown"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      const first = find({ row: at, tile: 0 });
      if (first && !(event.key === "Enter" && shown.rows.length === at && row.sure)) first.focus();
      else if (isDraft) actions.placed(row);
    });
    return input;
  }

  function typeWord(input, row, at, composing) {
    const letters = [...input.value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")].slice(
      0,
      lengthOf(shown.game),
    );
    const word = letters.join("");
    if (!composing && input.value.toLowerCase() !== word) input.value = word;
    if (at === shown.rows.length) {
      showLetters(input, letters);
      actions.typed(word);
    } else if (letters.length === lengthOf(shown.game))
      actions.changed(at, { ...row, guess: word }, { row: at });
    else showLetters(input, letters);
  }

  /** Show letters on the tiles below an input. */
  function showLetters(/** @type {HTMLInputElement} */ input, /** @type {string[]} */ letters) {
    [...(input.previousElementSibling?.children ?? [])].forEach((tile, i) => {
      tile.replaceChildren(faceOf(shown.game, letters[i] ?? ""));
      if (tile instanceof HTMLSpanElement) tile.dataset.mark = letters[i] ? "typed" : ""; // others have a colour
    });
  }

  /** Take a row as it stands, and go on to the next. */
  function confirm(row, at) {
    if (at === shown.rows.length) actions.placed(row, { row: at + 1 });
    else find({ row: at + 1 })?.focus();
  }

  function put(row, at, board, feedback, focus) {
    const next = { ...row, feedback: row.feedback.map((old, i) => (i === board ? feedback : old)) };
    if (at === shown.rows.length) actions.placed(next, focus);
    else actions.changed(at, next, focus);
  }

  function tileButton(row, at, board, i) {
    const letter = [...row.guess][i];
    const mark = row.feedback[board][i];
    const here = { row: at, board, tile: i };
    const set = (to, focus) =>
      put(row, at, board, [...row.feedback[board]].map((old, j) => (j === i ? to : old)).join(""), focus);
    const last = lengthOf(shown.game) - 1;
    return h(
      "button",
      {
        type: "button",
        class: "tile",
        "data-mark": mark,
        "data-tile": i,
        tabindex: i === 0 ? 0 : -1,
        title: "Click to change the colour",
        "aria-label": `${capital(letter)}, ${MARK_NAMES[mark]}`,
        onclick: () => set(NEXT[mark], here),
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          const key = event.key.toLowerCase();
          const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: last }[event.key];
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          if (to !== undefined) find({ ...here, tile: to })?.focus();
          else if (event.key === "ArrowUp") set(NEXT[mark], here);
          else if (event.key === "ArrowDown") set(BEFORE[mark], here);
          else if (event.key === "Enter") confirm(row, at);
          else if (event.key === "Backspace") find({ row: at })?.focus();
          else if (TYPED[key]) set(TYPED[key], { ...here, tile: Math.min(i + 1, last) });
          else return;
          event.preventDefault();
          event.stopPropagation();
        },
      },
      glyph(letter),
    );
  }

  /** Return what a code got, to be changed: key pegs, or two numbers. */
  function whatItGot(row, at, board) {
    if (!hasColours(shown.game)) return pegFields(row, at, board);
    return keyPegButtons(row.feedback[board], {
      length: lengthOf(shown.game),
      row: at,
      put: (feedback, tile) => put(row, at, board, feedback, { row: at, board, tile }),
      go: (tile) => find({ row: at, board, tile })?.focus(),
      confirm: () => confirm(row, at),
      back: () => find({ row: at })?.focus(),
    });
  }

  function pegFields(row, at, board) {
    const pegs = row.feedback[board].split(",").map(Number);
    const choice = (/** @type {number} */ which, /** @type {string} */ label) => {
      const control = h(
        "select",
        {
          "aria-label": `${label}, row ${at + 1}`,
          title: label,
          "data-tile": which,
          onchange: () => {
            const next = pegs.map((old, j) => (j === which ? Number(control.value) : old));
            put(row, at, board, next.join(","), { row: at, board, tile: which });
          },
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            if (event.key === "Enter") confirm(row, at);
            else if (event.key === "Backspace") find({ row: at })?.focus();
            else return;
            event.preventDefault();
            event.stopPropagation();
          },
        },
        Array.from({ length: lengthOf(shown.game) + 1 }, (_, n) =>
          h("option", { value: n }, `${PEGS[which]} ${n}`),
        ),
      );
      control.value = String(pegs[which]);
      return control;
    };
    return h("span", { class: "pegs" }, choice(0, "In the right place"), choice(1, "Elsewhere"));
  }

  return {
    element,
    draw,
    /** Put the focus in the open row, or on a tile. */
    focus: (/** @type {Focus} */ focus = { row: shown.rows.length }) => find(focus)?.focus(),
    /** Point at a row, and at places in it (from 1); at nothing without one. */
    blame(/** @type {{ row: number | null, places?: number[], board?: number } | null} */ found) {
      const places = found?.places ?? [];
      for (const entry of element.querySelectorAll(".entry")) {
        const blamed =
          entry.dataset.row === String((found?.row ?? 0) - 1) &&
          entry.dataset.board === String(found?.board ?? 0);
        entry.classList.toggle("blamed", blamed);
        for (const one of entry.querySelectorAll("button.tile")) {
          one.classList.toggle("blamed", blamed && places.includes(Number(one.dataset.tile) + 1));
        }
      }
    },
    /** Return the button that takes the open row as it is, for several boards. */
    confirmDraft: () => confirmButton(shown.draft, shown.rows.length),
  };
}

/** Return which tile or word an element is. */
function placeOf(element) {
  const entry = element.closest("[data-row]");
  if (!entry) return null;
  const { tile } = element.dataset;
  const place = { row: Number(entry.dataset.row), board: Number(entry.dataset.board) };
  return tile === undefined ? place : { ...place, tile: Number(tile) };
}

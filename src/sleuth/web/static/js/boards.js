// The boards of a puzzle: rows that were judged, the row being filled, rows to come.

import { count, h } from "./dom.js";
import { hasMarks } from "./games.js";
import { holes, keyPegs, pegRow } from "./pegs.js";
import { rowsOf } from "./puzzle.js";
import { MARK_NAMES, capital, emptyRow, glyph, row } from "./tiles.js";

export const TALL = 8; // more rows of words than that are drawn lower until they are reached, where the board is above the keyboard

/** Return the boards of a state. entry: the row being filled, see `entry`; flip: whether the last row turns over. */
export function drawBoards(state, entry, flip) {
  return state.solved.map((_, board) => drawBoard(state, board, entry, flip));
}

function drawBoard(state, board, entry, flip) {
  const { game, boards } = state.puzzle;
  const many = boards > 1;
  const rows = rowsOf(state, board);
  const element = h("div", {
    class: "board",
    role: "group",
    "aria-label": many ? `Board ${board + 1}` : "Board",
  });
  element.style.setProperty("--cols", state.length);
  element.style.setProperty("--all", state.turns);
  element.style.setProperty("--full", rows.length + (state.over || state.solved[board] ? 0 : 1));
  element.style.setProperty("--rows", many || !hasMarks(game) ? state.turns : Math.min(state.turns, TALL));
  if (many)
    element.append(
      h(
        "p",
        { class: "board-title" },
        `Board ${board + 1}`,
        state.solved[board]
          ? h("span", {}, h("span", { class: "vh" }, "solved "), `in ${rows.length}`)
          : null,
      ),
    );
  element.classList.toggle("won", state.solved[board]);
  rows.forEach(({ guess, feedback }, i) => {
    const newest = flip && i === state.guesses.length - 1;
    element.append(judgedRow(state, guess, feedback, newest));
  });
  let left = state.turns - rows.length;
  if (!state.solved[board] && !state.over && left > 0) {
    element.append(entry.draw(board === state.solved.indexOf(false)));
    left -= 1;
  }
  if (!state.over || flip)
    for (; left > 0; left -= 1) element.append(laterRow(state));
  return element;
}

function judgedRow({ puzzle: { game }, length }, guess, feedback, flip) {
  if (hasMarks(game)) return row(guess, feedback, { flip });
  if (game.game === "mastermind")
    return h("div", { class: "peg-row" }, pegRow(guess, flip ? "new" : ""), keyPegs(feedback, length));
  return h("div", { class: "peg-row" }, row(guess, ""), bulls(feedback));
}

function laterRow({ puzzle: { game }, length }) {
  const empty = emptyRow(length, game.game === "mastermind" ? "later pegged" : "later");
  if (hasMarks(game)) return empty;
  return h("div", { class: "peg-row" }, empty, game.game === "mastermind" ? keyPegs("", length) : bulls(""));
}

/** Return bulls and cows as two digits with their names. */
function bulls(feedback) {
  const [right, elsewhere] = feedback.split(",");
  return h(
    "span",
    { class: "bulls", "aria-hidden": feedback ? null : "true" },
    feedback
      ? [
          h("span", {}, h("b", {}, right), right === "1" ? " bull" : " bulls"),
          h("span", {}, h("b", {}, elsewhere), elsewhere === "1" ? " cow" : " cows"),
        ]
      : null,
  );
}

/**
 * Return the row being filled, for words and digits: `draw(real)` gives it for a board, with a real input on one of
 * them; `text()`, `set(text)`, `press(key)`, `missing()`.
 * act: { changed(), submit(), label() }
 */
export function letterEntry(state, act) {
  let typed = "";
  let drawn = [];
  const isDigit = !hasMarks(state.puzzle.game);
  const allowed = isDigit ? /[^0-9]/g : /[^\p{L}\p{N}]/gu;

  function show(popped = false) {
    const letters = [...typed];
    for (const current of drawn) {
      [...current.querySelectorAll(".tile")].forEach((one, i) => {
        one.textContent = glyph(letters[i] ?? "");
        one.dataset.mark = letters[i] ? "typed" : "";
        one.classList.toggle("pop", popped && i === letters.length - 1);
      });
      const field = current.querySelector("input");
      if (field && field.value !== typed) field.value = typed;
    }
  }

  function set(text) {
    const longer = text.length > typed.length;
    typed = [...text.toLowerCase().replace(allowed, "")].slice(0, state.length).join("");
    show(longer);
    act.changed(typed);
  }

  function input() {
    const field = h("input", {
      type: "text",
      inputmode: "none",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      maxlength: state.length,
      "aria-label": act.label(),
      value: typed,
      enterkeyhint: "enter",
    });
    field.addEventListener("input", () => set(field.value));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) {
        event.preventDefault();
        act.submit();
      }
    });
    return field;
  }

  return {
    begin() {
      drawn = [];
    },
    draw(real) {
      const current = h("div", { class: "typing" }, real ? input() : null, emptyRow(state.length, "current"));
      drawn.push(current);
      show();
      return isDigit ? h("div", { class: "peg-row" }, current, bulls("")) : current;
    },
    text: () => typed,
    set,
    missing: () =>
      [...typed].length < state.length ? `a guess has ${state.length} ${isDigit ? "digits" : "letters"}` : "",
    press(key) {
      if (key === "Backspace") set([...typed].slice(0, -1).join(""));
      else set(typed + key);
    },
    focus: () => drawn[0]?.querySelector("input")?.focus({ preventScroll: true }),
  };
}

/** Return the row being filled, for pegs: the same, and `place(symbol, at, from)` for what was dragged. */
export function pegEntry(state, act) {
  let filled = Array(state.length).fill("");
  let at = 0;
  let place; // of the row on the page

  function draw() {
    const row = holes(filled, at, {
      choose: (to) => change(() => (at = to), true),
      place: move,
      clear: (from) => change(() => ((filled[from] = ""), (at = from)), true),
      enter: act.submit,
    });
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", act.label());
    return row;
  }

  function change(action, focus = place?.contains(document.activeElement)) {
    action();
    if (place) {
      const row = draw();
      place.replaceChildren(row);
      if (focus) row.children[at].focus({ preventScroll: true });
    }
    act.changed(filled.map((symbol) => symbol || " ").join(""));
  }

  function move(symbol, to, from) {
    change(() => {
      if (from !== undefined) filled[from] = filled[to]; // they change places
      filled[to] = symbol;
      at = nextHole(to);
    });
  }

  /** Return the first empty hole from one on, round the row; the next one where none is empty. */
  function nextHole(from) {
    const order = filled.map((_, i) => (from + i) % filled.length);
    return order.find((i) => !filled[i]) ?? Math.min(from + 1, filled.length - 1);
  }

  return {
    begin() {},
    draw() {
      place = h("div", { class: "typing" }, draw());
      return h("div", { class: "peg-row" }, place, keyPegs("", state.length));
    },
    text: () => filled.join(""),
    set(text) {
      change(() => {
        filled = Array.from({ length: state.length }, (_, i) => (text[i] ?? " ").trim());
        at = nextHole(0);
      });
    },
    missing: () => (filled.every(Boolean) ? "" : `a guess has ${state.length} pegs`),
    press(key) {
      if (key === "Backspace")
        change(() => {
          // What was placed last, as one types; or the hole that was chosen.
          if (!filled[at]) at = filled.findLastIndex((symbol, i) => symbol && i <= at);
          if (at < 0) at = Math.max(0, filled.findLastIndex(Boolean));
          filled[at] = "";
        });
      else move(key, at);
    },
    place: move,
    focus: () => place?.querySelector(`[data-hole="${at}"]`)?.focus({ preventScroll: true }),
  };
}

/** Return the last row as it is spoken, and what it means for the game. */
export function spoken(state) {
  const guess = state.guesses.at(-1);
  const names = state.puzzle.game.game === "mastermind" ? [["black", "black"], ["white", "white"]] : [["bull"], ["cow"]];
  const rows = state.feedback.at(-1).map((feedback, board) => {
    if (!feedback) return "";
    const said = hasMarks(state.puzzle.game)
      ? [...guess].map((letter, i) => `${capital(letter)} ${MARK_NAMES[feedback[i]]}`).join(", ")
      : feedback
          .split(",")
          .map((n, i) => count(Number(n), names[i][0], names[i][1]))
          .join(", ");
    return state.puzzle.boards > 1 ? `Board ${board + 1}: ${said}` : said;
  });
  const end = state.won
    ? ` Solved in ${state.guesses.length}.`
    : state.over
      ? ` Not found. The answer was ${state.answers.join(", ")}.`
      : "";
  return `${rows.filter(Boolean).join(". ")}.${end}`;
}

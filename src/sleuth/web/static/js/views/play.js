// Play: the puzzle of the day, or any other.

import { post, superseded } from "../api.js";
import { ICONS, announce, bar, count, field, fixed, h, icon, problemNote, select, sentence } from "../dom.js";
import { DEFAULT, fromQuery, gameFields, hasMarks, languageOf, lengthOf, titleOf } from "../games.js";
import { keyboard } from "../keyboard.js";
import { anyNumber, known, open, played, puzzleAddress, reviewAddress, rowsOf, shareText, statistics, today } from "../puzzle.js";
import { load, save } from "../storage.js";
import { MARK_NAMES, emptyRow, glyph, legend, marks, row } from "../tiles.js";

const VARIANTS = [["standard", "Standard"], ["absurdle", "Absurdle: the answer evades you"], ["fibble", "Fibble: one mark of each row lies"]];
const TALL = 8; // more rows than that are drawn small until they are reached
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export function mount(section) {
  let { state, daily } = start();
  let typed = "";
  let waiting = false;
  let hint = 0;
  let keys;

  const title = h("h1", {});
  const under = h("p", { class: "soft small" });
  const boards = h("div", { class: "boards" });
  const note = h("div", { class: "note", role: "status" });
  const lower = h("div", { class: "lower" });
  const hintButton = tool(ICONS.hint, "Hint", giveHint);
  section.append(
    h("div", { class: "play-head" }, h("div", {}, title, under),
      h("div", { class: "cluster" }, hintButton, tool(ICONS.again, "New puzzle", () => begin({ ...state.puzzle, number: anyNumber() }, false)), tool(ICONS.settings, "Settings", () => settings(state.puzzle, daily, begin)))),
    boards, note, lower);

  function begin(puzzle, isDaily) {
    save("play", { puzzle, daily: isDaily });
    history.replaceState(null, "", isDaily ? "/" : puzzleAddress(puzzle));
    state = open(puzzle);
    daily = isDaily;
    typed = "";
    hint = 0;
    draw();
    announce(`${title.textContent}. ${count(state.length, "letter")}, ${count(state.turns, "guess").replace("guesss", "guesses")}.`);
  }

  function draw(flip = false) {
    const { game, boards: many, variant, number } = state.puzzle;
    title.textContent = daily ? "Daily puzzle" : "Puzzle";
    const special = [variant === "standard" ? "" : variant.charAt(0).toUpperCase() + variant.slice(1), many > 1 ? `${many} boards` : ""];
    under.textContent = [`No. ${number}`, titleOf(game), ...special.filter(Boolean)].join(" · ");
    hintButton.disabled = state.over || variant === "fibble";
    hintButton.title = variant === "fibble" ? "No hints here: the rows lie" : "";
    if (many > 1) boards.dataset.many = many;
    else delete boards.dataset.many;
    boards.toggleAttribute("data-tall", many === 1 && state.turns > TALL);
    const focused = boards.contains(document.activeElement);
    boards.replaceChildren(...state.solved.map((_, board) => drawBoard(board, flip)));
    drawTyped();
    if (focused) boards.querySelector("input")?.focus();
    if (state.over) finish(flip);
    else {
      note.replaceChildren();
      keys = keyboard(languageOf(game), press);
      keys.element.addEventListener("pointerdown", (event) => event.preventDefault());
      keys.show(known(state));
      lower.replaceChildren(...(hasMarks(game) ? [keys.element, legend()] : [digits(game, press)]));
    }
  }

  function drawBoard(board, flip) {
    const many = state.puzzle.boards > 1;
    const rows = rowsOf(state, board);
    const element = h("div", { class: "board", role: "group", "aria-label": many ? `Board ${board + 1}` : "Board" });
    element.style.setProperty("--cols", state.length);
    element.style.setProperty("--rows", many ? state.turns : Math.min(state.turns, TALL));
    if (many) element.append(h("p", { class: "board-title" }, `Board ${board + 1}`, state.solved[board] ? h("span", {}, `solved in ${rows.length}`) : null));
    element.classList.toggle("won", state.solved[board]);
    rows.forEach(([guess, feedback], i) => {
      const newest = flip && i === state.guesses.length - 1;
      element.append(drawRow(guess, feedback, newest));
    });
    let left = state.turns - rows.length;
    if (!state.solved[board] && !state.over && left > 0) {
      const current = h("div", { class: "typing" });
      if (board === state.solved.indexOf(false)) current.append(input());
      current.append(emptyRow(state.length, "current"));
      element.append(current);
      left -= 1;
    }
    if (!(many && state.solved[board]) && !(state.over && !flip)) for (; left > 0; left -= 1) element.append(emptyRow(state.length, "later"));
    return element;
  }

  function drawRow(guess, feedback, flip) {
    if (hasMarks(state.puzzle.game)) return row(guess, feedback, { flip });
    const [right, elsewhere] = feedback.split(",");
    return h("div", { class: "peg-row" }, row(guess, ""), h("span", { class: "peg-marks" }, h("b", {}, right), " in place", h("br"), h("b", {}, elsewhere), " elsewhere"));
  }

  function input() {
    const field = h("input", {
      type: "text", inputmode: "none", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: state.length,
      "aria-label": `Guess ${state.guesses.length + 1} of ${state.turns}`, value: typed, enterkeyhint: "enter",
    });
    field.addEventListener("input", () => { set(field.value); });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) { event.preventDefault(); submit(); }
    });
    return field;
  }

  function set(text) {
    const longer = text.length > typed.length;
    typed = [...text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")].slice(0, state.length).join("");
    drawTyped(longer);
    if (note.querySelector(".problem")) note.replaceChildren();
  }

  function drawTyped(popped = false) {
    const letters = [...typed];
    for (const current of boards.querySelectorAll(".row.current")) {
      [...current.children].forEach((one, i) => {
        one.textContent = glyph(letters[i] ?? "");
        one.dataset.mark = letters[i] ? "typed" : "";
        one.classList.toggle("pop", popped && i === letters.length - 1);
      });
    }
    const field = boards.querySelector("input");
    if (field && field.value !== typed) field.value = typed;
  }

  function press(key) {
    if (state.over || waiting) return;
    if (key === "Enter") submit();
    else if (key === "Backspace") set([...typed].slice(0, -1).join(""));
    else set(typed + key);
  }

  async function submit() {
    if (waiting || state.over) return;
    if ([...typed].length < state.length) {
      complain(new Error(`a guess has ${state.length} ${hasMarks(state.puzzle.game) ? "letters" : "symbols"}`));
      return;
    }
    waiting = true;
    const asked = state;
    const guess = typed;
    for (const current of boards.querySelectorAll(".typing")) current.classList.add("asking");
    try {
      const answer = await post("/guess", { puzzle: state.puzzle, guesses: state.guesses, guess });
      if (asked !== state) return; // another puzzle was begun meanwhile
      state = played(state, guess, answer);
      typed = "";
      hint = 0;
      draw(true);
      announce(spoken(state));
    } catch (error) {
      if (!superseded(error) && asked === state) complain(error);
    } finally {
      waiting = false;
      for (const current of boards.querySelectorAll(".asking")) current.classList.remove("asking");
    }
  }

  function complain(error) {
    const near = error.problem?.suggestions ?? [];
    note.replaceChildren(h("p", { class: "problem" }, sentence(error.message), near.length ? ` Near: ${near.slice(0, 3).join(", ")}.` : ""));
    for (const current of boards.querySelectorAll(".typing")) {
      current.classList.remove("wrong");
      void current.offsetWidth; // so that the shake starts again
      current.classList.add("wrong");
    }
  }

  async function giveHint() {
    const asked = state;
    try {
      const open = state.solved.flatMap((solved, board) => (solved ? [] : [board]));
      const rows = (board) => rowsOf(state, board).map(([guess, feedback]) => ({ guess, feedback }));
      const answers = await Promise.all(open.map((board) => post("/suggest", { game: state.puzzle.game, rows: rows(board), limit: 1 })));
      if (asked !== state) return;
      const best = answers.reduce((a, b) => (b.candidates < a.candidates ? b : a));
      const where = state.puzzle.boards > 1 ? ` on board ${open[answers.indexOf(best)] + 1}` : "";
      hint += 1;
      const guess = best.guesses[0];
      if (hint === 1 && best.candidates > 1) {
        note.replaceChildren(h("p", { class: "hint" }, `${count(best.candidates, "word")} still ${best.candidates === 1 ? "fits" : "fit"}${where}. `,
          h("button", { type: "button", class: "link", onclick: giveHint }, "Suggest a guess")));
      } else {
        note.replaceChildren(h("p", { class: "hint" }, "Try ", h("b", { class: "word" }, guess.guess),
          best.candidates === 1 ? `: it is the only word left${where}. ` : `: about ${fixed(guess.expected_guesses, 1)} guesses from here${where}. `,
          h("button", { type: "button", class: "link", onclick: () => { set(guess.guess); note.replaceChildren(); } }, "Use it")));
      }
    } catch (error) {
      if (!superseded(error)) complain(error);
    }
  }

  function finish(flipping) {
    note.replaceChildren();
    if (!flipping || STILL.matches) {
      lower.replaceChildren(result(state, () => begin({ ...state.puzzle, number: anyNumber() }, false)));
      return;
    }
    const finished = state;
    setTimeout(() => {
      if (state !== finished) return;
      draw();
      lower.firstChild.scrollIntoView({ block: "nearest", behavior: "smooth" });
    }, 1250);
  }

  document.addEventListener("keydown", (event) => {
    if (section.hidden || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    const at = event.target;
    if (at.closest("input, textarea, select")) return;
    if (event.key === "Enter" && !at.closest("button, a, summary")) press("Enter");
    else if (event.key === "Backspace") press("Backspace");
    else if ([...event.key].length === 1 && /[\p{L}\p{N}]/u.test(event.key)) {
      press(event.key.toLowerCase());
      // From here on Enter is meant for the row, not for the button that was pressed last.
      boards.querySelector("input")?.focus({ preventScroll: true });
    } else return;
    event.preventDefault();
  });

  draw();
  return {};
}

/** Return the puzzle to begin with: that of the address, the one left open, or today's. */
function start() {
  const query = new URLSearchParams(location.pathname === "/" ? location.search : "");
  if (/^\d+$/.test(query.get("puzzle") ?? "")) {
    const puzzle = { game: fromQuery(query), boards: Number(query.get("boards") ?? 1), variant: query.get("variant") ?? "standard", number: Number(query.get("puzzle")) };
    return { state: open(puzzle), daily: false };
  }
  const left = load("play") ?? { puzzle: { game: DEFAULT, boards: 1, variant: "standard" }, daily: true };
  const puzzle = left.daily ? { ...left.puzzle, number: today() } : left.puzzle;
  return { state: open(puzzle), daily: left.daily };
}

function tool(drawing, name, onclick) {
  return h("button", { type: "button", class: "button tool", onclick, "aria-label": name }, icon(drawing), h("span", {}, name));
}

/** Return the last row as it is spoken, and what it means for the game. */
function spoken(state) {
  const guess = state.guesses.at(-1);
  const rows = state.feedback.at(-1).map((feedback, board) => {
    if (!feedback) return "";
    const said = hasMarks(state.puzzle.game)
      ? [...guess].map((letter, i) => `${letter.toUpperCase()} ${MARK_NAMES[feedback[i]]}`).join(", ")
      : `${feedback.replace(",", " in place, ")} elsewhere`;
    return state.puzzle.boards > 1 ? `Board ${board + 1}: ${said}` : said;
  });
  const end = state.won ? ` Solved in ${state.guesses.length}.` : state.over ? ` Not found. The answer was ${state.answers.join(", ")}.` : "";
  return `${rows.filter(Boolean).join(". ")}.${end}`;
}

/** Return the card at the end: the result, what can be done with it, the statistics. */
function result(state, again) {
  const { boards } = state.puzzle;
  const text = shareText(state);
  const copied = h("span", { class: "soft small", role: "status" });
  const preview = hasMarks(state.puzzle.game)
    ? h("div", { class: "share-grids" }, state.solved.map((_, board) => h("div", { class: "share-grid" }, rowsOf(state, board).map(([, feedback]) => marks(feedback)))))
    : null;
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      copied.textContent = "Copied.";
    } catch {
      copied.replaceChildren(h("textarea", { class: "share-text", readonly: true, "aria-label": "Result to copy", value: text }));
      copied.firstChild.select();
    }
  }
  const score = statistics(state.puzzle);
  const most = Math.max(1, ...Object.values(score.histogram));
  const turns = Array.from({ length: state.turns }, (_, i) => i + 1).filter((n) => state.turns <= 8 || score.histogram[n]);
  return h("div", { class: "card result" },
    h("div", { class: "stack" },
      h("h2", {}, state.won ? `${praise(state)} Solved in ${state.guesses.length}.` : "Not this time."),
      h("p", {}, boards > 1 ? "The answers: " : "The answer: ", state.answers.map((word, i) => [i ? ", " : "", h("b", { class: "word" }, word)])),
      preview,
      h("div", { class: "cluster" },
        h("button", { type: "button", class: "button primary", onclick: copy }, icon(ICONS.copy), "Copy result"),
        state.puzzle.variant === "fibble" ? null : h("a", { class: "button", href: reviewAddress(state), "data-view": true }, boards > 1 ? "Review board 1" : "Review this game"),
        h("button", { type: "button", class: "button", onclick: again }, "New puzzle"), copied)),
    h("div", { class: "stack" },
      h("dl", { class: "figures" }, [["Played", score.played], ["Won", `${Math.round((100 * score.won) / Math.max(1, score.played))} %`], ["Streak", score.streak], ["Longest", score.longest]].map(
        ([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value))))),
      h("table", { class: "spread-table" }, h("caption", {}, "Your games by guesses"), h("thead", { class: "vh" }, h("tr", {}, h("th", { scope: "col" }, "Guesses"), h("th", { scope: "col" }, "Share"), h("th", { scope: "col" }, "Games"))),
        h("tbody", {}, turns.map((n) => h("tr", { class: state.won && n === state.guesses.length ? "now" : "" }, h("th", { scope: "row" }, String(n)), h("td", {}, bar((score.histogram[n] ?? 0) / most)), h("td", {}, String(score.histogram[n] ?? 0))))))));
}

function praise(state) {
  const spare = state.turns - state.guesses.length;
  return spare >= 4 ? "Brilliant." : spare >= 2 ? "Well done." : "Got it.";
}

/** Return the keys of a game of pegs. */
function digits(game, press) {
  const symbols = game.game === "bulls-and-cows" ? "0123456789" : "123456789abcdefgh".slice(0, game.colours ?? 6);
  const key = (symbol) => h("button", { type: "button", class: "key", onclick: () => press(symbol) }, symbol);
  const element = h("div", { class: "keyboard", role: "group", "aria-label": "Keyboard" }, h("div", {}, [...symbols].map(key)),
    h("div", {}, h("button", { type: "button", class: "key wide", onclick: () => press("Enter") }, "Enter"), h("button", { type: "button", class: "key wide", "aria-label": "Remove the last symbol", onclick: () => press("Backspace") }, "⌫")));
  element.addEventListener("pointerdown", (event) => event.preventDefault());
  return element;
}

/** Ask which puzzle to play, in a dialog. */
function settings(puzzle, daily, begin) {
  let { game } = puzzle;
  const which = select([["daily", "Today's"], ["random", "A random one"], ["number", "By number"]], daily ? "daily" : "random", () => { numbered.hidden = which.value !== "number"; });
  const number = h("input", { type: "number", min: 0, max: 999999999, value: daily ? today() : puzzle.number });
  const numbered = field("Number", number);
  numbered.hidden = true;
  const boards = select([1, 2, 4, 8].map((n) => [n, n === 1 ? "1 board" : `${n} boards`]), puzzle.boards);
  const variant = select(VARIANTS, puzzle.variant);
  const problem = h("div", {});
  async function submit(event) {
    event.preventDefault();
    const chosen = { game, boards: Number(boards.value), variant: variant.value };
    const asked = which.value === "daily" ? today() : which.value === "number" ? Number(number.value) : anyNumber();
    try {
      const answer = await post("/puzzle", { ...chosen, number: asked });
      begin({ ...chosen, number: answer.puzzle.number }, which.value === "daily");
      dialog.close();
    } catch (error) {
      problem.replaceChildren(problemNote(error));
    }
  }
  const dialog = h("dialog", { "aria-labelledby": "settings-title" },
    h("form", { class: "stack", onsubmit: submit },
      h("h2", { id: "settings-title" }, "Choose a puzzle"),
      h("div", { class: "two" }, field("Puzzle", which), numbered, field("Boards", boards), field("Variant", variant)),
      gameFields(game, (next) => { game = next; }),
      problem,
      h("div", { class: "cluster" }, h("button", { class: "button primary" }, "Play"),
        h("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("keydown", (event) => { if (event.key === "Escape") dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
}

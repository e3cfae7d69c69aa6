// Play: the puzzle of the day, or any other.

import { Problem, post, superseded } from "../api.js";
import { ICONS, announce, count, fixed, h, icon, remarksNote, sentence } from "../dom.js";
import { DEFAULT, fromQuery, hasMarks, isOneOf, isWhole, languageOf, reader, titleOf } from "../games.js";
import { keyboard, symbolKeys } from "../keyboard.js";
import { PROVISIONAL, askAgain } from "../preparing.js";
import {
  MOST_BOARDS,
  MOST_NUMBER,
  VARIANTS,
  anyNumber,
  known,
  open,
  played,
  puzzleAddress,
  rowsOf,
  today,
} from "../puzzle.js";
import { result } from "../result.js";
import { settings } from "../settings.js";
import { load, save } from "../storage.js";
import { MARK_NAMES, emptyRow, glyph, legend, row } from "../tiles.js";

const TALL = 8; // more rows than that are drawn small until they are reached
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

export function mount(section) {
  let { state, daily, linked, remarks } = start();
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
    h(
      "div",
      { class: "play-head" },
      h("div", {}, title, under),
      h(
        "div",
        { class: "cluster" },
        hintButton,
        tool(ICONS.again, "New puzzle", () => begin({ ...state.puzzle, number: anyNumber() }, false)),
        tool(ICONS.settings, "Settings", () => settings(state.puzzle, daily, begin)),
      ),
    ),
    boards,
    note,
    lower,
  );

  function begin(puzzle, isDaily) {
    save("play", { puzzle, daily: isDaily });
    history.replaceState(null, "", isDaily ? "/" : puzzleAddress(puzzle));
    state = open(puzzle);
    daily = isDaily;
    typed = "";
    hint = 0;
    draw();
    announce(
      `${title.textContent}. ${count(state.length, "letter")}, ${count(state.turns, "guess", "guesses")}.`,
    );
  }

  function draw(flip = false) {
    const { game, boards: many, variant, number } = state.puzzle;
    title.textContent = daily ? "Daily puzzle" : "Puzzle";
    const special = [
      variant === "standard" ? "" : variant.charAt(0).toUpperCase() + variant.slice(1),
      many > 1 ? `${many} boards` : "",
    ];
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
      lower.replaceChildren(...(hasMarks(game) ? [keys.element, legend()] : [symbolKeys(game, press)]));
    }
  }

  function drawBoard(board, flip) {
    const many = state.puzzle.boards > 1;
    const rows = rowsOf(state, board);
    const element = h("div", {
      class: "board",
      role: "group",
      "aria-label": many ? `Board ${board + 1}` : "Board",
    });
    element.style.setProperty("--cols", state.length);
    element.style.setProperty("--rows", many ? state.turns : Math.min(state.turns, TALL));
    if (many)
      element.append(
        h(
          "p",
          { class: "board-title" },
          `Board ${board + 1}`,
          state.solved[board] ? h("span", {}, `solved in ${rows.length}`) : null,
        ),
      );
    element.classList.toggle("won", state.solved[board]);
    rows.forEach(({ guess, feedback }, i) => {
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
    if (!(many && state.solved[board]) && !(state.over && !flip))
      for (; left > 0; left -= 1) element.append(emptyRow(state.length, "later"));
    return element;
  }

  function drawRow(guess, feedback, flip) {
    if (hasMarks(state.puzzle.game)) return row(guess, feedback, { flip });
    const [right, elsewhere] = feedback.split(",");
    return h(
      "div",
      { class: "peg-row" },
      row(guess, ""),
      h(
        "span",
        { class: "peg-marks" },
        h("b", {}, right),
        " in place",
        h("br"),
        h("b", {}, elsewhere),
        " elsewhere",
      ),
    );
  }

  function input() {
    const field = h("input", {
      type: "text",
      inputmode: "none",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      maxlength: state.length,
      "aria-label": `Guess ${state.guesses.length + 1} of ${state.turns}`,
      value: typed,
      enterkeyhint: "enter",
    });
    field.addEventListener("input", () => {
      set(field.value);
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) {
        event.preventDefault();
        submit();
      }
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
      complain(
        new Error(`a guess has ${state.length} ${hasMarks(state.puzzle.game) ? "letters" : "symbols"}`),
      );
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
    note.replaceChildren(
      h(
        "p",
        { class: "problem" },
        sentence(error.message),
        near.length ? ` Near: ${near.slice(0, 3).join(", ")}.` : "",
      ),
    );
    for (const current of boards.querySelectorAll(".typing")) {
      current.classList.remove("wrong");
      void current.offsetWidth; // so that the shake starts again
      current.classList.add("wrong");
    }
  }

  function giveHint() {
    return tellHint(false);
  }

  /** Show the hint; one that is a quick estimate is asked for again, and replaced where it still stands. */
  async function tellHint(isAgain) {
    const asked = state;
    try {
      const open = state.solved.flatMap((solved, board) => (solved ? [] : [board]));
      const answers = await Promise.all(
        open.map((board) =>
          post(
            "/suggest",
            { game: state.puzzle.game, rows: rowsOf(state, board), limit: 1 },
            { quiet: isAgain },
          ),
        ),
      );
      if (asked !== state) return;
      const best = answers.reduce((a, b) => (b.candidates < a.candidates ? b : a));
      const where = state.puzzle.boards > 1 ? ` on board ${open[answers.indexOf(best)] + 1}` : "";
      const stands = () => asked === state && note.querySelector(".hint.guess") !== null;
      if (isAgain && (best.provisional || !stands())) {
        if (stands()) askAgain(() => tellHint(true), stands);
        return;
      }
      if (!isAgain) hint += 1;
      const guess = best.guesses[0];
      if (hint === 1 && best.candidates > 1) {
        note.replaceChildren(
          h(
            "p",
            { class: "hint" },
            `${count(best.candidates, "word")} still ${best.candidates === 1 ? "fits" : "fit"}${where}. `,
            h("button", { type: "button", class: "link", onclick: giveHint }, "Suggest a guess"),
          ),
        );
      } else {
        note.replaceChildren(
          h(
            "p",
            { class: "hint guess" },
            "Try ",
            h("b", { class: "word" }, guess.guess),
            best.candidates === 1
              ? `: it is the only word left${where}. `
              : `: about ${fixed(guess.expected_guesses, 1)} guesses from here${where}${best.provisional ? ` (${PROVISIONAL})` : ""}. `,
            h(
              "button",
              {
                type: "button",
                class: "link",
                onclick: () => {
                  set(guess.guess);
                  note.replaceChildren();
                },
              },
              "Use it",
            ),
          ),
        );
        if (best.provisional) askAgain(() => tellHint(true), stands);
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
      lower.firstElementChild?.scrollIntoView({ block: "nearest", behavior: "smooth" });
    }, 1250);
  }

  document.addEventListener("keydown", (event) => {
    if (
      section.hidden ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.isComposing ||
      document.querySelector("dialog[open]")
    )
      return;
    const at = /** @type {Element} */ (event.target);
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

  /** Go on to today's puzzle where the page was left open overnight, but not in the middle of a game. */
  function renew() {
    const idle = state.over || state.guesses.length === 0;
    if (daily && idle && state.puzzle.number !== today()) begin({ ...state.puzzle, number: today() }, true);
  }

  /** Go on to today's puzzle where the server does not have the one of the address. */
  async function lookUp() {
    const asked = state;
    try {
      await post("/puzzle", state.puzzle);
    } catch (error) {
      if (!(error instanceof Problem) || asked !== state) return;
      begin({ game: DEFAULT, boards: 1, variant: "standard", number: today() }, true);
      note.replaceChildren(
        remarksNote([...remarks, `the address asks for what is not there: ${error.message}`]),
      );
    }
  }

  document.addEventListener("visibilitychange", renew);
  draw();
  if (remarks.length && !state.over) note.replaceChildren(remarksNote(remarks));
  if (linked) lookUp();
  return { shown: renew };
}

const NAMES = ["puzzle", "game", "words", "mode", "pegs", "colours", "boards", "variant"];

/**
 * Return the puzzle to begin with: that of the address (`linked`), the one left open, or today's; and remarks
 * on what the address asks for and there is not.
 */
function start() {
  const query = new URLSearchParams(location.pathname === "/" ? location.search : "");
  if (NAMES.some((name) => query.has(name))) {
    const remarks = [];
    const read = reader(query, remarks);
    const number = read("puzzle", "", isWhole(0, MOST_NUMBER), "puzzles have numbers; this is today's");
    const boards = read("boards", 1, isWhole(1, MOST_BOARDS), `there are 1 to ${MOST_BOARDS} boards`);
    const variants = VARIANTS.map(([id]) => id);
    const variant = read("variant", "standard", isOneOf(variants), `variants are ${variants.join(", ")}`);
    const puzzle = {
      game: fromQuery(query, remarks),
      boards: Number(boards),
      variant,
      number: number === "" ? today() : Number(number),
    };
    return { state: open(puzzle), daily: number === "", linked: true, remarks };
  }
  const left = load("play") ?? { puzzle: { game: DEFAULT, boards: 1, variant: "standard" }, daily: true };
  const puzzle = left.daily ? { ...left.puzzle, number: today() } : left.puzzle;
  return { state: open(puzzle), daily: left.daily, linked: false, remarks: [] };
}

function tool(drawing, name, onclick) {
  return h(
    "button",
    { type: "button", class: "button tool", onclick, "aria-label": name },
    icon(drawing),
    h("span", {}, name),
  );
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
  const end = state.won
    ? ` Solved in ${state.guesses.length}.`
    : state.over
      ? ` Not found. The answer was ${state.answers.join(", ")}.`
      : "";
  return `${rows.filter(Boolean).join(". ")}.${end}`;
}

// Play: the puzzle of the day, or any other. The address says which.

import { Problem, post, superseded } from "../api.js";
import { asked, kindOf } from "../asked.js";
import { drawBoards, letterEntry, pegEntry, spoken, TALL } from "../boards.js";
import { celebrate, isStill } from "../celebrate.js";
import { dayText, isDay, today, untilTomorrow } from "../days.js";
import { ICONS, announce, count, h, icon, remarksNote, sentence } from "../dom.js";
import { explained } from "../explain.js";
import { DEFAULT, hasMarks, titleOf } from "../games.js";
import { hints } from "../hints.js";
import { whenForgotten } from "../history.js";
import { digits, keyboard } from "../keyboard.js";
import { SYMBOLS, palette } from "../pegs.js";
import {
  anyNumber,
  hinted,
  isSame,
  keyOf,
  known,
  lineOf,
  open,
  puzzleAddress,
} from "../puzzle.js";
import { result } from "../result.js";
import { isOnItsWay, send, sendWaiting } from "../sending.js";
import { settings } from "../settings.js";
import { load, loadHere, save, saveHere, whenSaved } from "../storage.js";
import { legend } from "../tiles.js";

export function mount(section) {
  /** @type {any} */
  let state = null; // of the puzzle that is shown, once one is
  let entry;
  let keys;
  let waiting = false;
  let ahead = []; // keys that were pressed while a guess was on its way
  let nextDay;

  const title = h("h1", {});
  const under = h("p", { class: "soft small" });
  const boards = h("div", { class: "boards" });
  const note = h("div", { class: "note", role: "status" });
  const lower = h("div", { class: "lower" });
  const hint = hints(note, {
    state: () => state,
    typed: () => entry.text(),
    keep(given, isNew) {
      state = hinted(state, given, isNew);
    },
    use(guess) {
      entry.set(guess);
      note.replaceChildren();
    },
    failed: complain,
  });
  const hintButton = tool(ICONS.hint, "Hint", () => hint.give());
  section.append(
    h(
      "div",
      { class: "play-head" },
      title,
      under,
      h(
        "div",
        { class: "cluster" },
        hintButton,
        tool(ICONS.days, "Archive", () => opened(import("../archive.js"), ({ archive }) => archive(state.puzzle))),
        tool(ICONS.again, "New puzzle", drawn),
        tool(ICONS.settings, "Settings", () => settings(state.puzzle, begin)),
      ),
    ),
    h("div", { class: "table" }, boards, h("div", { class: "hand" }, note, lower)),
  );

  function drawn() {
    begin({ ...state.puzzle, number: anyNumber() }, false);
  }

  /** Open a dialog once its module is there. */
  const opened = (module, open) => module.then(open, complain);

  /** Go to a puzzle; the one before is a step back. */
  function begin(puzzle, isDaily) {
    if (isDaily) {
      save("daily", kindOf(puzzle));
      history.pushState({ kind: kindOf(puzzle) }, "", "/");
    } else history.pushState(null, "", puzzleAddress(puzzle));
    shown();
    announce(
      `${title.textContent}. ${count(state.length, symbolName(puzzle.game))}, ${count(state.turns, "guess", "guesses")}.`,
    );
  }

  /** Show the puzzle of the address, as it was left. */
  function shown() {
    const { puzzle, linked, remarks } = asked();
    if (state && isSame(puzzle, state.puzzle)) return;
    show(puzzle, remarks);
    if (linked) lookUp();
    waitForTomorrow();
  }

  function show(puzzle, remarks) {
    state = open(puzzle);
    entry = (puzzle.game.game === "mastermind" ? pegEntry : letterEntry)(state, {
      changed(text) {
        saveHere("typed", text.trim() ? [keyOf(state.puzzle), text] : null);
        if (note.querySelector(".problem")) note.replaceChildren();
      },
      submit: () => press("Enter"),
      label: () => `Guess ${state.guesses.length + 1} of ${state.turns}`,
    });
    keys = keysFor(puzzle.game);
    draw();
    const going = !state.over;
    const [key, text] = loadHere("typed") ?? [];
    if (going && key === keyOf(puzzle)) entry.set(text);
    note.replaceChildren(remarksNote(remarks) || (going && (unfinished(puzzle) || variantNote(puzzle))) || "");
    if (!remarks.length) hint.restore();
    if (going && isOnItsWay(puzzle)) submit(); // it had no answer yet when the page was left
  }

  whenForgotten(() => state.over && show(state.puzzle, []));

  function keysFor({ game, colours }) {
    if (game === "mastermind") return palette(colours ?? 6, press, entry.place);
    return game === "bulls-and-cows" ? digits(press) : keyboard(state.puzzle.game, press);
  }

  function draw(flip = false) {
    const { game, boards: many } = state.puzzle;
    drawHead();
    hintButton.disabled = state.over;
    if (many > 1) boards.dataset.many = many;
    else delete boards.dataset.many;
    boards.style.setProperty("--many", many);
    boards.toggleAttribute("data-tall", many === 1 && state.turns > TALL && hasMarks(game));
    const focused = boards.contains(document.activeElement);
    entry.begin();
    boards.replaceChildren(...drawBoards(state, entry, flip));
    if (focused) entry.focus();
    if (!flip || isStill()) settle(flip);
    else turned().then(() => settle(true));
  }

  /** Show what a row tells once it has turned: on the keys, and at the end of the puzzle; `isNews` if just played. */
  function settle(isNews) {
    if (state.over) {
      if (boards.querySelector(".flip, .new")) boards.replaceChildren(...drawBoards(state, entry, false));
      lower.replaceChildren(result(state, { again: drawn, daily: goToday }));
      if (isNews) lower.scrollIntoView({ block: "nearest", behavior: isStill() ? "instant" : "smooth" });
      return;
    }
    keys.show(known(state));
    if (!keys.element.isConnected)
      lower.replaceChildren(
        keys.element,
        ...(hasMarks(state.puzzle.game) ? [h("div", { class: "under-keys" }, legend(), keys.more)] : []),
      );
  }

  /** Wait until the tiles have turned over. */
  const turned = () =>
    Promise.allSettled(
      boards
        .getAnimations({ subtree: true })
        .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.matches(".flip, .new *"))
        .map((animation) => animation.finished),
    );

  function drawHead() {
    const { game, boards: many, variant, number } = state.puzzle;
    const isToday = number === today();
    title.textContent = isToday ? "Daily puzzle" : isDay(number) ? dayText(number) : "Puzzle";
    const line = lineOf(variant);
    const parts = [
      explained(
        `No. ${number}`,
        isDay(number)
          ? `Sleuth counts its days from 1 January 2025: ${dayText(number)} is day ${number}. It is not the newspaper's puzzle, nor its number.`
          : "A puzzle drawn by its number: whoever asks for it gets the same.",
      ),
      titleOf(game),
      line ? explained(variant.charAt(0).toUpperCase() + variant.slice(1), line) : null,
      many > 1 ? `${many} boards` : null,
    ].filter((part) => part !== null);
    under.replaceChildren(...parts.flatMap((part, i) => (i ? [" · ", part] : [part])));
  }

  function press(key) {
    if (state.over) return;
    if (waiting) ahead.push(key);
    else if (key === "Enter") submit();
    else entry.press(key);
  }

  /** Fill the next row with what was typed while the one before was on its way. */
  function catchUp() {
    const keys = ahead.splice(0);
    for (const [i, key] of keys.entries()) {
      if (state.over) return;
      if (key !== "Enter") entry.press(key);
      else if (!entry.missing()) {
        submit();
        ahead.push(...keys.slice(i + 1));
        return;
      }
    }
  }

  async function submit() {
    if (waiting || state.over) return;
    const missing = entry.missing();
    if (missing) {
      complain(new Error(missing));
      return;
    }
    waiting = true;
    ahead = [];
    let isPlayed = false;
    const before = state;
    const guess = entry.text();
    for (const current of boards.querySelectorAll(".typing")) current.classList.add("asking");
    try {
      const next = await send(before, guess);
      if (before.puzzle !== state.puzzle || before.guesses !== state.guesses) return; // it went on meanwhile
      state = next;
      if (state.guesses.at(-1) !== guess) wentOn();
      else {
        entry.set("");
        note.replaceChildren();
        draw(true);
        announce(spoken(state));
        isPlayed = true;
        if (state.won) turned().then(() => celebrate(boards));
      }
    } catch (error) {
      if (!superseded(error) && before.guesses === state.guesses) complain(error);
    } finally {
      waiting = false;
      for (const current of boards.querySelectorAll(".asking")) current.classList.remove("asking");
      if (isPlayed) catchUp();
    }
  }

  /** Show what another tab made of this puzzle; what is typed here stays. */
  function wentOn() {
    draw();
    note.replaceChildren(h("p", { class: "hint" }, "This puzzle went on in another tab."));
  }

  whenSaved((name) => {
    if (name !== keyOf(state.puzzle)) return;
    const kept = open(state.puzzle);
    const isFurther = kept.guesses.length > state.guesses.length;
    state = { ...kept, puzzle: state.puzzle };
    if (isFurther) wentOn();
  });

  function complain(error) {
    note.replaceChildren(h("p", { class: "problem" }, sentence(withoutList(error.message))));
    for (const current of boards.querySelectorAll(".typing")) {
      current.classList.remove("wrong");
      void current.offsetWidth; // so that the shake starts again
      current.classList.add("wrong");
    }
  }

  document.addEventListener("keydown", (event) => {
    if (
      section.hidden ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.isComposing ||
      event.defaultPrevented ||
      document.querySelector("dialog[open]")
    )
      return;
    const at = /** @type {HTMLElement} */ (event.target);
    // The row being filled takes its own keys, but not while its guess is on its way.
    if (at.closest("input, textarea, select") && !(waiting && at.closest(".typing"))) return;
    if (event.key === "Enter" && !at.closest("button, a, summary")) press("Enter");
    else if (event.key === "Backspace") press("Backspace");
    else if ([...event.key].length === 1 && isSymbol(event.key.toLowerCase())) {
      press(event.key.toLowerCase());
      // From here on Enter is meant for the row, not for the button that was pressed last.
      entry.focus();
    } else return;
    event.preventDefault();
  });

  function isSymbol(key) {
    const { game, colours } = state.puzzle.game;
    if (game === "mastermind") return SYMBOLS.slice(0, colours ?? 6).includes(key);
    return game === "bulls-and-cows" ? /[0-9]/.test(key) : /[\p{L}\p{N}]/u.test(key);
  }

  /** Go on to today's puzzle, of the kind that is played every day. */
  function goToday() {
    history.pushState(null, "", "/");
    shown();
  }

  /** Over midnight: what was begun stays, under its own address; else the new day's puzzle is there. */
  function renew(isReturn) {
    waitForTomorrow();
    if (section.hidden || location.pathname + location.search !== "/" || state.puzzle.number === today())
      return;
    if (state.guesses.length === 0 || (state.over && isReturn)) {
      shown();
      return;
    }
    history.replaceState(null, "", puzzleAddress(state.puzzle));
    drawHead();
    if (state.over) return; // the card has a button by now
    note.replaceChildren(
      h(
        "p",
        { class: "hint" },
        "A new day has begun. ",
        h("button", { type: "button", class: "link", onclick: goToday }, "Today's puzzle"),
      ),
    );
  }

  function waitForTomorrow() {
    clearTimeout(nextDay);
    nextDay = setTimeout(() => renew(document.hidden), untilTomorrow() + 50);
  }

  /** Go on to today's puzzle where the server does not have the one of the address. */
  async function lookUp() {
    const { puzzle } = state;
    const { remarks } = asked();
    try {
      await post("/puzzle", puzzle);
    } catch (error) {
      if (!(error instanceof Problem) || puzzle !== state.puzzle) return;
      history.replaceState({ kind: kindOf({ game: DEFAULT, boards: 1, variant: "standard" }) }, "", "/");
      shown();
      note.replaceChildren(
        remarksNote([...remarks, `the address asks for what is not there: ${error.message}`]),
      );
    }
  }

  document.addEventListener("visibilitychange", () => document.hidden || renew(true));
  shown();
  if (!waiting) sendWaiting(); // that of another puzzle
  if (!load("rules")) opened(import("../rules.js"), ({ rules }) => rules(state.puzzle));
  return {
    puzzle: () => state.puzzle,
    shown() {
      if (location.search || location.pathname !== "/" || state.puzzle.number === today()) shown();
      else renew(true);
    },
  };
}

const symbolName = ({ game }) => ({ wordle: "letter", mastermind: "peg" })[game] ?? "digit";

/** Return a note about yesterday's puzzle where today's is looked at and that one was left in the middle. */
function unfinished(puzzle) {
  const { guesses, over } = open({ ...puzzle, number: puzzle.number - 1 });
  if (puzzle.number !== today() || over || guesses.length === 0) return null;
  return h(
    "p",
    { class: "hint" },
    "Yesterday's puzzle is not finished. ",
    h("a", { href: puzzleAddress({ ...puzzle, number: puzzle.number - 1 }), "data-view": true }, "Go on with it"),
  );
}

/** Return the line about a variant, before its first guess. */
function variantNote(puzzle) {
  const line = lineOf(puzzle.variant);
  return line && open(puzzle).guesses.length === 0 ? h("p", { class: "soft small" }, line) : null;
}

/** Return a problem without the list in brackets that it names: it stands above the board, and a note has two lines. */
const withoutList = (/** @type {string} */ text) => text.replace(/(in the word list) \([^)]*\)/, "$1");

function tool(drawing, name, onclick) {
  return h(
    "button",
    { type: "button", class: "button tool", onclick, "aria-label": name },
    icon(drawing),
    h("span", {}, name),
  );
}

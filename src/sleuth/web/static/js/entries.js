// Rows typed in by hand: a word, and the colour of each tile or, in games of pegs, two numbers.

import { ICONS, h, icon } from "./dom.js";
import { hasMarks, lengthOf } from "./games.js";
import { MARK_NAMES, glyph } from "./tiles.js";

const MOST = 12;
const NEXT = { b: "y", y: "g", g: "b" };
const BEFORE = { b: "g", y: "b", g: "y" };
const TYPED = { b: "b", 0: "b", y: "y", 1: "y", g: "g", 2: "g" };

/**
 * Return an editor of rows: its element, and
 *   rows(): the rows of the game so far, as the API takes them: complete ones, up to the first that is open
 *   kept(): all complete rows, those after an open one too
 *   gap(): the number of an open row that complete ones come after; 0 where there is none
 *   fill(word): put a word in the row that is open
 *   settle(): count a row that is complete as confirmed
 *   set(rows, game): show other rows
 *   undo(): take the last change back; false where there is none
 *   blame(contradiction): point at a row and places in it, or at nothing
 * `changed(rows)` is called whenever complete rows change.
 */
export function entries(game, changed) {
  let current = game;
  let rows = [blank()];
  let past = [];
  let serial = 0;
  const element = h("div", { class: "entries" });

  function blank() {
    return { word: "", marks: "", pegs: [0, 0], ready: false };
  }

  const length = () => lengthOf(current);
  const complete = (one) => [...one.word].length === length();
  const settled = (one) => complete(one) && one.ready;
  const gap = () => {
    const open = rows.findIndex((one) => !settled(one));
    return open >= 0 && rows.slice(open).some(settled) ? open + 1 : 0;
  };

  const isSolved = (one) =>
    Boolean(one?.ready) && (hasMarks(current) ? /^g+$/.test(one.marks) : one.pegs[0] === length());

  /** Change the rows: remember how they were, show them, tell of them. */
  function change(next, focus) {
    past.push(rows);
    rows = next;
    tell(focus);
  }

  function tell(focus) {
    const last = rows.at(-1);
    const solved = isSolved(last);
    if ((!last || (complete(last) && last.ready)) && !solved && rows.length < MOST) rows = [...rows, blank()];
    if (isSolved(rows.at(-2)) && !rows.at(-1)?.word) rows = rows.slice(0, -1);
    draw(focus);
    changed(played());
  }

  const plain = (some) =>
    some.map((one) => ({
      guess: one.word,
      feedback: hasMarks(current) ? one.marks : one.pegs.join(","),
    }));
  // The server's row 2 must be the row 2 that is seen: what comes after an open row waits.
  const played = () => plain(gap() ? rows.slice(0, gap() - 1) : rows.filter(settled));
  const replaced = (at, part) => rows.map((one, i) => (i === at ? { ...one, ...part } : one));

  /** Return the marks a new word surely gets, by earlier rows: greens again, known letters yellow. */
  function guessMarks(word, at) {
    const letters = [...word];
    const earlier = rows.slice(0, at).filter(complete);
    return letters
      .map((letter, i) => {
        const seen = earlier.flatMap((one) =>
          [...one.word].map((other, j) => (other === letter ? [[j, one.marks[j]]] : [])).flat(),
        );
        if (seen.some(([j, mark]) => mark === "g" && j === i)) return "g";
        return seen.some(([, mark]) => mark !== "b") && letters.indexOf(letter) === i ? "y" : "b";
      })
      .join("");
  }

  function typeWord(at, text, focus) {
    const word = [...text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")].slice(0, length()).join("");
    const whole = [...word].length === length();
    const before = rows[at];
    if (word === before.word) return;
    const next = replaced(at, {
      word,
      marks: whole && hasMarks(current) ? guessMarks(word, at) : "",
      ready: false,
    });
    if (whole || before.ready) change(next, focus);
    else {
      rows = next;
      draw(focus);
    }
  }

  function draw(focus) {
    element.replaceChildren(...rows.map(drawRow));
    if (gap())
      element.append(
        h("p", { class: "soft small" }, `Row ${gap()} is open: the rows after it count once it is done.`),
      );
    element.style.setProperty("--cols", length());
    if (focus)
      element.children[focus.row]
        ?.querySelector(focus.tile === undefined ? "input" : `[data-tile="${focus.tile}"]`)
        ?.focus();
  }

  function drawRow(one, at) {
    serial += 1;
    const letters = [...one.word];
    const whole = complete(one);
    const input = h("input", {
      type: "text",
      id: `entry-${serial}`,
      maxlength: length(),
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      value: one.word,
      enterkeyhint: "next",
      "aria-describedby": whole ? null : "entries-help",
    });
    input.addEventListener("input", () => typeWord(at, input.value, { row: at }));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && whole && (one.ready || !hasMarks(current))) {
        event.preventDefault();
        confirm(at);
      } else if (whole && ["Enter", "ArrowDown", " "].includes(event.key)) {
        event.preventDefault();
        element.children[at].querySelector('[data-tile="0"]')?.focus();
      }
    });
    const tiles = Array.from({ length: length() }, (_, i) => drawTile(one, at, i, letters[i] ?? "", whole));
    const row = h("div", { class: "row" }, tiles);
    row.style.setProperty("--cols", length());
    const entry = h(
      "div",
      { class: "entry", role: "group", "aria-label": `Row ${at + 1}`, "data-complete": whole },
      h("label", { class: "vh", for: input.id }, `Guess ${at + 1}`),
      h("div", { class: "typing" }, row, input),
    );
    if (whole && !hasMarks(current)) entry.append(pegFields(one, at));
    if (whole && !one.ready)
      entry.append(
        h(
          "button",
          {
            type: "button",
            class: "button primary icon",
            "aria-label": `Row ${at + 1} is right`,
            title: "These are the colours (Enter)",
            onclick: () => confirm(at),
          },
          icon("M5 13l4.5 4.5L19 7"),
        ),
      );
    else if (one.word || at < rows.length - 1)
      entry.append(
        h(
          "button",
          {
            type: "button",
            class: "button quiet icon",
            "aria-label": `Remove row ${at + 1}`,
            onclick: () =>
              change(
                rows.filter((_, i) => i !== at),
                { row: Math.min(at, rows.length - 2) },
              ),
          },
          icon(ICONS.cross),
        ),
      );
    return entry;
  }

  function confirm(at) {
    change(replaced(at, { ready: true }), { row: at + 1 });
  }

  function drawTile(one, at, i, letter, whole) {
    if (!whole || !hasMarks(current)) {
      return h(
        "span",
        { class: "tile", "data-mark": letter ? "typed" : "", "aria-hidden": "true" },
        glyph(letter),
      );
    }
    const mark = one.marks[i];
    const set = (to, focus) =>
      change(
        replaced(at, { marks: [...one.marks].map((old, j) => (j === i ? to : old)).join(""), ready: true }),
        focus,
      );
    const here = { row: at, tile: i };
    return h(
      "button",
      {
        type: "button",
        class: "tile",
        "data-mark": mark,
        "data-tile": i,
        tabindex: i === 0 ? 0 : -1,
        title: "Click to change the colour",
        "aria-label": `${letter.toUpperCase()}, ${MARK_NAMES[mark]}`,
        onclick: () => set(NEXT[mark], here),
        onkeydown: (event) => {
          const aside = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: length() - 1 }[event.key];
          if (aside !== undefined) element.children[at].querySelector(`[data-tile="${aside}"]`)?.focus();
          else if (event.key === "ArrowUp") set(NEXT[mark], here);
          else if (event.key === "ArrowDown") set(BEFORE[mark], here);
          else if (event.key === "Enter") confirm(at);
          else if (event.key === "Backspace") typeWord(at, [...one.word].slice(0, -1).join(""), { row: at });
          else if (TYPED[event.key.toLowerCase()] && !event.ctrlKey && !event.metaKey)
            set(TYPED[event.key.toLowerCase()], { row: at, tile: Math.min(i + 1, length() - 1) });
          else return;
          event.preventDefault();
        },
      },
      glyph(letter),
    );
  }

  function pegFields(one, at) {
    const choice = (which, label) => {
      const control = h(
        "select",
        {
          "aria-label": `${label}, row ${at + 1}`,
          title: label,
          onchange: () =>
            change(
              replaced(at, {
                pegs: one.pegs.map((old, j) => (j === which ? Number(control.value) : old)),
                ready: true,
              }),
              { row: at + 1 },
            ),
        },
        Array.from({ length: length() + 1 }, (_, n) =>
          h("option", { value: n }, `${n} ${which ? "elsewhere" : "in place"}`),
        ),
      );
      control.value = one.pegs[which];
      return control;
    };
    return h("span", { class: "pegs" }, choice(0, "In the right place"), choice(1, "Elsewhere"));
  }

  draw();
  return {
    element,
    rows: played,
    kept: () => plain(rows.filter(settled)),
    gap,
    settle() {
      if (rows.some((one) => complete(one) && !one.ready)) {
        change(rows.map((one) => ({ ...one, ready: one.ready || complete(one) })));
      }
    },
    fill(word) {
      const at = Math.max(
        0,
        rows.findLastIndex((one) => !one.ready),
      );
      if (rows[at].ready) return;
      typeWord(at, word, hasMarks(current) ? { row: at, tile: 0 } : { row: at });
    },
    set(given, nextGame) {
      current = nextGame;
      past = [];
      rows = given.map(({ guess, feedback }) => ({
        word: guess,
        marks: hasMarks(current) ? feedback : "",
        pegs: hasMarks(current) ? [0, 0] : feedback.split(",").map(Number),
        ready: true,
      }));
      if (rows.length === 0) rows = [blank()];
      tell();
    },
    undo() {
      if (past.length === 0) return false;
      rows = past.pop();
      tell();
      return true;
    },
    blame(contradiction) {
      for (const [i, entry] of [...element.querySelectorAll(".entry")].entries()) {
        const blamed = contradiction?.row === i + 1;
        entry.classList.toggle("blamed", blamed);
        for (const one of entry.querySelectorAll(".tile")) {
          one.classList.toggle(
            "blamed",
            blamed && contradiction.places.includes(Number(one.dataset.tile) + 1),
          );
        }
      }
    },
  };
}

// Assist: what is known so far, and the best next guesses for it.

import { latest, post, superseded } from "../api.js";
import {
  ICONS,
  announce,
  bar,
  count,
  debounced,
  fixed,
  h,
  icon,
  percent,
  problemNote,
  sentence,
} from "../dom.js";
import { entries } from "../entries.js";
import { gameFields, hasMarks, lengthOf, remembered } from "../games.js";
import { PROVISIONAL, askAgain } from "../preparing.js";
import { reviewAddress } from "../puzzle.js";
import { load, save } from "../storage.js";
import { legend } from "../tiles.js";

const LIMIT = 12;
const FOLDED = 24;
const METHODS = {
  book: "computed ahead",
  exact: "exact",
  rollout: "by rollout",
  beam: "by beam search",
  "expected-guesses": "estimated",
};

export function mount(section) {
  let game = remembered("assist");
  const suggest = latest((body, options, { signal }) => post("/suggest", body, { ...options, signal }));
  const check = latest((body, options) => post("/check", body, options));
  const askSoon = debounced(ask, 120);
  let asked = 0;
  const editor = entries(game, (rows) => {
    asked += 1; // what is answered of other rows must not mark these
    save("assist.rows", editor.kept());
    askSoon(rows);
  });
  const answer = h("div", { class: "stack", "aria-live": "off" });
  const undo = h(
    "button",
    { type: "button", class: "button", onclick: () => editor.undo() || announce("Nothing to undo.") },
    icon(ICONS.undo),
    "Undo",
  );
  const clear = h(
    "button",
    { type: "button", class: "button quiet", onclick: () => editor.set([], game) },
    "Start over",
  );

  const meaning = legend();
  meaning.hidden = !hasMarks(game);

  section.append(
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "What should I guess next?"),
      h(
        "p",
        { class: "lead", id: "entries-help" },
        "Type the word you played, then click its tiles until the colours match.",
      ),
    ),
    h(
      "div",
      { class: "beside" },
      h(
        "div",
        { class: "stack" },
        h(
          "div",
          { class: "card stack" },
          editor.element,
          h("div", { class: "cluster" }, undo, clear),
          meaning,
        ),
        h(
          "details",
          { class: "card" },
          h("summary", {}, "Words and mode"),
          gameFields(
            game,
            (next) => {
              const keep = hasMarks(next) === hasMarks(game) ? editor.rows() : [];
              game = next;
              meaning.hidden = !hasMarks(game);
              editor.set(
                keep.filter(({ guess }) => fits(guess, game)),
                game,
              );
            },
            { view: "assist" },
          ),
        ),
      ),
      answer,
    ),
  );
  section.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "z") {
      event.preventDefault();
      editor.undo();
    }
  });

  async function ask(rows, isAgain = false) {
    const mine = asked;
    if (!isAgain) answer.setAttribute("aria-busy", "true");
    try {
      const found = await suggest({ game, rows, limit: LIMIT }, { quiet: isAgain });
      if (mine !== asked) return;
      if (found.provisional)
        askAgain(
          () => ask(rows, true),
          () => mine === asked,
        );
      if (isAgain && found.provisional) return;
      editor.blame(null);
      answer.replaceChildren(
        ...(found.solved
          ? solved(rows, game)
          : ranking(found, hasMarks(game) ? "word" : "code", (word) => editor.fill(word))),
      );
      announce(
        found.solved
          ? "Solved."
          : `${count(found.candidates, "candidate")}. Best guess: ${found.guesses[0]?.guess ?? "none"}.`,
      );
      answer.removeAttribute("aria-busy");
    } catch (error) {
      if (superseded(error) || mine !== asked) return;
      answer.removeAttribute("aria-busy");
      answer.replaceChildren(problemNote(error));
      editor.blame(error.problem?.row ? { row: error.problem.row, places: [] } : null);
      await explain(rows, mine);
    }
  }

  /** Say which row and letters contradict the others, where that is the problem. */
  async function explain(rows, mine) {
    try {
      const { contradiction } = await check({ game, rows });
      if (!contradiction || mine !== asked) return;
      editor.blame(contradiction);
      answer.replaceChildren(
        h(
          "div",
          { class: "problem stack", role: "alert" },
          h("h2", {}, "No word fits these rows"),
          h("p", {}, sentence(contradiction.message)),
          h("p", { class: "soft small" }, "The marked tiles are the likeliest slip. Click them, or undo."),
        ),
      );
    } catch (error) {
      if (!superseded(error) && mine === asked) answer.replaceChildren(problemNote(error));
    }
  }

  const kept = (load("assist.rows") ?? []).filter(({ guess }) => fits(guess, game));
  editor.set(kept, game);
  return {};
}

const fits = (guess, game) => [...guess].length === lengthOf(game);

const solved = (rows, game) => [
  h(
    "div",
    { class: "card stack" },
    h("h2", {}, "Solved."),
    h("p", {}, `It took ${count(rows.length, "guess", "guesses")}.`),
    h(
      "div",
      {},
      h(
        "a",
        { class: "button primary", "data-view": true, href: `${reviewAddress(game, rows)}` },
        "Review this game",
      ),
    ),
  ),
];

/** Return the best guesses as a table, and what may still be the answer. */
function ranking(found, noun, use) {
  const most = Math.max(...found.guesses.map((one) => one.bits), 0.01);
  const rows = found.guesses.map((one) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        h(
          "button",
          {
            type: "button",
            class: "link",
            title: "Put it in the open row",
            "aria-label": `Use ${one.guess}`,
            onclick: () => use(one.guess),
          },
          one.guess,
        ),
      ),
      h("td", {}, fixed(one.expected_guesses)),
      h("td", {}, h("span", { class: "bits" }, bar(one.bits / most), fixed(one.bits))),
      h("td", {}, percent(one.chance)),
      h("td", {}, fixed(one.expected_left, one.expected_left < 10 ? 1 : 0)),
    ),
  );
  const head = [
    ["Guess", ""],
    ["Guesses", "guesses expected from here, this one included"],
    ["Bits", "expected information"],
    ["Chance", "that it is the answer"],
    ["Left", "words expected to be left after it"],
  ];
  return [
    h(
      "div",
      { class: "card stack" },
      h(
        "div",
        { class: "spread" },
        h("h2", {}, "Best guesses"),
        h(
          "p",
          { class: "soft small" },
          found.provisional ? PROVISIONAL : (METHODS[found.method] ?? found.method),
        ),
      ),
      h(
        "table",
        { class: "ranking" },
        h("caption", { class: "vh" }, "The best guesses with their numbers, best first"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            head.map(([name, meaning]) => h("th", { scope: "col", title: meaning || null }, name)),
          ),
        ),
        h("tbody", {}, rows),
      ),
    ),
    h(
      "div",
      { class: "card stack" },
      h(
        "h2",
        {},
        found.candidates === 1 ? `One ${noun} is left` : `${count(found.candidates, noun)} may be the answer`,
      ),
      ...(found.widened
        ? [h("p", { class: "small" }, "No listed answer fits, so every allowed guess is considered.")]
        : []),
      ...(found.notes ?? []).map((note) => h("p", { class: "soft small" }, note)),
      ...words(found),
    ),
  ];
}

/** Return the candidates; where there are many, most of them folded away. */
function words({ words: all, candidates }) {
  const chips = (some) =>
    h(
      "ul",
      { class: "chips" },
      some.map((word) => h("li", {}, word)),
    );
  if (all.length <= FOLDED + 6) return [chips(all)];
  const rest = candidates > all.length ? `more, up to ${all.length}` : `${all.length - FOLDED} more`;
  return [
    chips(all.slice(0, FOLDED)),
    h("details", {}, h("summary", { class: "soft small" }, rest), chips(all.slice(FOLDED))),
  ];
}

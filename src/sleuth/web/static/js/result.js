// The card at the end of a puzzle: the result, what can be done with it, the statistics.

import { ICONS, bar, h, icon } from "./dom.js";
import { hasMarks } from "./games.js";
import { reviewAddress, rowsOf, shareText, statistics } from "./puzzle.js";
import { marks } from "./tiles.js";

/** Return the card at the end: the result, what can be done with it, the statistics. */
export function result(state, again) {
  const { boards } = state.puzzle;
  const text = shareText(state);
  const copied = h("span", { class: "soft small", role: "status" });
  const preview = hasMarks(state.puzzle.game)
    ? h(
        "div",
        { class: "share-grids" },
        state.solved.map((_, board) =>
          h(
            "div",
            { class: "share-grid" },
            rowsOf(state, board).map(({ feedback }) => marks(feedback)),
          ),
        ),
      )
    : null;
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      copied.textContent = "Copied.";
    } catch {
      copied.replaceChildren(
        h("textarea", { class: "share-text", readonly: true, "aria-label": "Result to copy", value: text }),
      );
      copied.querySelector("textarea")?.select();
    }
  }
  const score = statistics(state.puzzle);
  const most = Math.max(1, ...Object.values(score.histogram));
  const turns = Array.from({ length: state.turns }, (_, i) => i + 1).filter(
    (n) => state.turns <= 8 || score.histogram[n],
  );
  return h(
    "div",
    { class: "card result" },
    h(
      "div",
      { class: "stack" },
      h("h2", {}, state.won ? `${praise(state)} Solved in ${state.guesses.length}.` : "Not this time."),
      h(
        "p",
        {},
        boards > 1 ? "The answers: " : "The answer: ",
        state.answers.map((word, i) => [i ? ", " : "", h("b", { class: "word" }, word)]),
      ),
      preview,
      h(
        "div",
        { class: "cluster" },
        h(
          "button",
          { type: "button", class: "button primary", onclick: copy },
          icon(ICONS.copy),
          "Copy result",
        ),
        state.puzzle.variant === "fibble"
          ? null
          : h(
              "a",
              {
                class: "button",
                href: reviewAddress(state.puzzle.game, rowsOf(state, 0), state.answers[0]),
                "data-view": true,
              },
              boards > 1 ? "Review board 1" : "Review this game",
            ),
        h("button", { type: "button", class: "button", onclick: again }, "New puzzle"),
        copied,
      ),
    ),
    h(
      "div",
      { class: "stack" },
      h(
        "dl",
        { class: "figures" },
        [
          ["Played", score.played],
          ["Won", `${Math.round((100 * score.won) / Math.max(1, score.played))} %`],
          ["Streak", score.streak],
          ["Longest", score.longest],
        ].map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)))),
      ),
      h(
        "table",
        { class: "spread-table" },
        h("caption", {}, "Your games by guesses"),
        h(
          "thead",
          { class: "vh" },
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Guesses"),
            h("th", { scope: "col" }, "Share"),
            h("th", { scope: "col" }, "Games"),
          ),
        ),
        h(
          "tbody",
          {},
          turns.map((n) =>
            h(
              "tr",
              { class: state.won && n === state.guesses.length ? "now" : "" },
              h("th", { scope: "row" }, String(n)),
              h("td", {}, bar((score.histogram[n] ?? 0) / most)),
              h("td", {}, String(score.histogram[n] ?? 0)),
            ),
          ),
        ),
      ),
    ),
  );
}

function praise(state) {
  const spare = state.turns - state.guesses.length;
  return spare >= 4 ? "Brilliant." : spare >= 2 ? "Well done." : "Got it.";
}

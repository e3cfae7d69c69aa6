// The card at the end of a puzzle: the result, what can be done with it, the statistics.

import { clockText, today, untilTomorrow } from "./days.js";
import { ICONS, bar, h, icon, whole } from "./dom.js";
import { figure } from "./explain.js";
import { hasMarks, keptTitleOf } from "./games.js";
import { everything } from "./history.js";
import { keyPegs, pegRow } from "./pegs.js";
import { hintsText, isAnalysed, reviewAddress, rowsOf, shareText } from "./puzzle.js";
import { WHY, kindOf, streaks, summary, turnsShown } from "./statistics.js";
import { marks } from "./tiles.js";

/** Return the card at the end. act: { again(), daily() }, to go to a drawn puzzle or today's. */
export function result(state, act) {
  const { boards, game } = state.puzzle;
  const text = shareText(state);
  const copied = h("span", { class: "soft small", role: "status" });
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
  const numbers = h("div", { class: "stack result-numbers" });
  fillNumbers(numbers, state);
  const answer = (word) =>
    game.game === "mastermind" ? pegRow(word, "mini") : h("b", { class: "word" }, word);
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
        state.answers.map((word, i) => [i ? ", " : "", answer(word)]),
        state.hints ? h("span", { class: "soft" }, `, with ${hintsText(state.hints)}`) : null,
      ),
      h(
        "div",
        { class: "share-grids" },
        state.solved.map((_, board) =>
          h(
            "div",
            { class: "share-grid" },
            rowsOf(state, board).map(({ feedback }) =>
              hasMarks(game) ? marks(feedback) : keyPegs(feedback, state.length),
            ),
          ),
        ),
      ),
      h(
        "div",
        { class: "cluster" },
        h(
          "button",
          { type: "button", class: "button primary", onclick: copy },
          icon(ICONS.copy),
          "Copy result",
        ),
        isAnalysed(state.puzzle)
          ? h("a", { class: "button", href: reviewAddress(state), "data-view": true }, "Review this game")
          : null,
        h("button", { type: "button", class: "button", onclick: act.again }, "New puzzle"),
        copied,
      ),
      state.puzzle.number === today() ? countdown(state.puzzle.number, act.daily) : todays(act.daily),
    ),
    numbers,
  );
}

/** Return how long it takes until tomorrow's puzzle, and tomorrow a button that begins it. */
function countdown(number, daily) {
  const clock = h("b", { role: "timer" }, clockText(untilTomorrow()));
  const line = h("p", { class: "countdown" }, "The next puzzle comes in ", clock);
  const timer = setInterval(() => {
    if (!line.isConnected) clearInterval(timer);
    else if (today() === number) clock.textContent = clockText(untilTomorrow());
    else {
      clearInterval(timer);
      line.replaceWith(todays(daily));
    }
  }, 1000);
  return line;
}

const todays = (daily) =>
  h(
    "p",
    { class: "countdown" },
    h("button", { type: "button", class: "link", onclick: daily }, "Play today's puzzle"),
  );

/** Fill in what games of this kind add up to; a game that was just finished may still be on its way. */
async function fillNumbers(place, state) {
  const { game, boards, variant } = state.puzzle;
  const kind = kindOf({ title: keptTitleOf(game), boards, variant });
  const { games, totals, kept } = await everything();
  const score = summary(
    games.filter((one) => kindOf(one) === kind),
    totals.filter((one) => one.kind === kind),
  );
  const { streak, longest } = streaks(games);
  const turns = turnsShown(score.histogram, state.turns);
  const most = Math.max(1, ...Object.values(score.histogram));
  place.replaceChildren(
    h(
      "dl",
      { class: "figures" },
      figure("Played", whole(score.played), WHY.played),
      figure("Won", `${Math.round((100 * score.won) / Math.max(1, score.played))} %`, WHY.won),
      figure("Streak", String(streak), WHY.streak),
      figure("Longest", String(longest), WHY.longest),
    ),
    spreadTable("Your games by guesses", turns, score.histogram, most, state.won ? state.guesses.length : 0),
    h(
      "p",
      { class: "small soft" },
      kept
        ? h("a", { href: "/statistics", "data-view": true }, "All statistics")
        : "This browser keeps no games, so there is nothing to add them to.",
    ),
  );
}

/** Return a table of games by guesses, with bars. now: the number of guesses that is set apart. */
export function spreadTable(caption, turns, histogram, most, now = 0) {
  return h(
    "table",
    { class: "spread-table" },
    h("caption", {}, caption),
    h(
      "thead",
      { class: "vh" },
      h(
        "tr",
        {},
        ["Guesses", "Share", "Games"].map((name) => h("th", { scope: "col" }, name)),
      ),
    ),
    h(
      "tbody",
      {},
      turns.map((n) =>
        h(
          "tr",
          { class: n === now ? "now" : "" },
          h("th", { scope: "row" }, String(n)),
          h("td", {}, bar((histogram[n] ?? 0) / most)),
          h("td", {}, whole(histogram[n] ?? 0)),
        ),
      ),
    ),
  );
}

function praise(state) {
  const spare = state.turns - state.guesses.length;
  return spare >= 4 ? "Brilliant." : spare >= 2 ? "Well done." : "Got it.";
}

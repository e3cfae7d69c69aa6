// The archive: every day there was a puzzle, in a calendar, and what was played.

import { dayOf, dayText, today } from "./days.js";
import { ICONS, h, icon } from "./dom.js";
import { keptTitleOf } from "./games.js";
import { everything } from "./history.js";
import { nameOf, open, puzzleAddress } from "./puzzle.js";
import { kindText } from "./statistics.js";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Show the days of one kind of puzzle, in a dialog; a day leads to its puzzle. */
export async function archive(puzzle) {
  const now = today();
  const { games } = await everything();
  const finished = new Map(games.map((game) => [game.id, game]));
  let month = firstOf(Math.min(puzzle.number, now));
  const title = h("h3", { "aria-live": "polite" });
  const before = step(ICONS.before, "The month before", () => show(firstOf(month - 1)));
  const after = step(ICONS.after, "The month after", () => show(month + daysIn(month)));
  const body = h("tbody", {});
  const dialog = h(
    "dialog",
    { class: "archive", "aria-labelledby": "archive-title" },
    h(
      "div",
      { class: "stack" },
      h("div", {}, h("h2", { id: "archive-title" }, "Every day's puzzle"), h("p", { class: "soft small" }, kindText({ ...puzzle, title: keptTitleOf(puzzle.game) }))),
      h("div", { class: "spread archive-month" }, before, title, after),
      h(
        "table",
        { class: "calendar" },
        h("thead", {}, h("tr", {}, WEEKDAYS.map((name) => h("th", { scope: "col" }, name)))),
        body,
      ),
      h(
        "ul",
        { class: "cluster small soft calendar-key" },
        [
          ["won", "won, in so many guesses"],
          ["lost", "lost"],
          ["begun", "begun"],
        ].map(([state, text]) => h("li", {}, h("i", { "data-played": state, "aria-hidden": "true" }), text)),
      ),
      h("div", {}, h("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Close")),
    ),
  );

  function show(to) {
    month = Math.max(to, firstOf(0));
    title.textContent = dayText(Math.max(0, month), "month");
    before.disabled = month <= 0;
    after.disabled = month + daysIn(month) > now;
    const days = Array.from({ length: daysIn(month) }, (_, i) => month + i);
    const cells = [...Array((dayOf(month).getDay() + 6) % 7).fill(null), ...days];
    const weeks = [];
    while (cells.length) weeks.push(cells.splice(0, 7));
    body.replaceChildren(
      ...weeks.map((week) => h("tr", {}, Array.from({ length: 7 }, (_, i) => h("td", {}, day(week[i] ?? null))))),
    );
  }

  function day(number) {
    if (number === null) return null;
    const shown = String(dayOf(number).getDate());
    if (number < 0 || number > now) return h("span", { class: "soft" }, shown);
    const one = { ...puzzle, number };
    const [played, result, spoken] = outcome(one);
    return h(
      "a",
      {
        href: puzzleAddress(one),
        "data-view": true,
        "data-played": played,
        "aria-current": number === now ? "date" : null,
        "aria-label": `${dayText(number, "full")}: ${spoken}`,
        onclick: () => dialog.close(),
      },
      shown,
      h("small", {}, result),
    );
  }

  /** Return how a puzzle stands: a state, a sign and words. */
  function outcome(one) {
    const game = finished.get(nameOf(one));
    if (game?.won) return ["won", String(game.guesses.length), `won in ${game.guesses.length}`];
    if (game) return ["lost", "×", "lost"];
    const { guesses, over, won } = open(one);
    if (over) return won ? ["won", String(guesses.length), `won in ${guesses.length}`] : ["lost", "×", "lost"];
    return guesses.length ? ["begun", "…", "begun"] : ["", "", "not played"];
  }

  show(month);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Return the number of the first day of a day's month; it may lie before day 0. */
const firstOf = (number) => number - dayOf(number).getDate() + 1;

/** Return how many days the month of a day has. */
function daysIn(number) {
  const day = dayOf(number);
  return new Date(day.getFullYear(), day.getMonth() + 1, 0).getDate();
}

const step = (drawing, name, onclick) =>
  h("button", { type: "button", class: "button quiet", "aria-label": name, onclick }, icon(drawing));

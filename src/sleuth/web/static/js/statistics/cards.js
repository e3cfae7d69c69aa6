// The cards of the statistics: what games add up to, how well they were played, openers, what took longest.

import { chart } from "../chart.js";
import { dayText, isDay } from "../days.js";
import { count, fixed, h, whole } from "../dom.js";
import { explained, figure } from "../explain.js";
import { lossText } from "../losses.js";
import { pegRow } from "../pegs.js";
import { gameOf, isAnalysed, reviewAddress } from "../puzzle.js";
import { spreadTable } from "../result.js";
import {
  WHY,
  hasLuck,
  isDaily,
  kindOf,
  kindText,
  openers,
  reviews,
  slowest,
  streaks,
  turnsShown,
} from "../statistics.js";

export const LISTED = 8;
const CHARTED = 60;

/** Return a card with its title; className: "wide" where it takes the whole width. */
export const card = (title, className, ...content) =>
  h("section", { class: `card stack ${className}`, "aria-label": title }, h("h2", {}, title), content);

/** Return the card in place of all others where there is no game. kept: whether the browser keeps any. */
export const empty = (kept) =>
  h(
    "div",
    { class: "card stack wide" },
    h("h2", {}, kept ? "No game is finished yet" : "This browser keeps no games"),
    h(
      "p",
      {},
      kept
        ? "Once one is, it is counted here: how many guesses you take, how well you choose, what you might try again."
        : "Its storage is off, as in some private windows. Games can be played all the same.",
    ),
    h("div", {}, h("a", { class: "button primary", href: "/", "data-view": true }, "Play today's puzzle")),
  );

/** Return the sums of all games. */
export function overview(score, games) {
  const { streak, longest } = streaks(games);
  return h(
    "section",
    { class: "card wide", "aria-label": "In all" },
    h(
      "dl",
      { class: "figures" },
      figure("Played", whole(score.played), WHY.played),
      figure("Won", `${Math.round((100 * score.won) / Math.max(1, score.played))} %`, WHY.won),
      figure("Guesses", fixed(score.mean), WHY.mean),
      figure("Streak", count(streak, "day"), WHY.streak),
      figure("Longest", count(longest, "day"), WHY.longest),
      figure("With hints", whole(score.hinted), WHY.hinted),
    ),
  );
}

/** Return the games by their guesses. */
export function distribution(score, games) {
  const turns = turnsShown(score.histogram, Math.min(8, Math.max(6, ...games.map((game) => game.turns))));
  const lost = score.played - score.won;
  return card(
    "Guesses",
    "",
    spreadTable("Games won, by guesses", turns, score.histogram, Math.max(1, ...Object.values(score.histogram))),
    lost ? h("p", { class: "soft small" }, `${count(lost, "game")} not solved.`) : null,
  );
}

/** Return skill and luck over time, and which games have none. here: the words of your own in this browser. */
export function skillAndLuck(games, here) {
  if (games.length === 0) return null;
  const { done, waiting, lost, none } = reviews(games, here);
  const mean = (name) => {
    const values = done.map((game) => game.review[name]).filter((value) => value !== null);
    return values.length ? String(Math.round(values.reduce((a, b) => a + b, 0) / values.length)) : "–";
  };
  const shown = done.filter(({ review }) => review.skill !== null || review.luck !== null).slice(-CHARTED);
  const said = [
    waiting.length
      ? `The server has reviewed ${whole(done.length)} of ${count(done.length + waiting.length, "game")} so far.`
      : `${count(done.length, "game")} reviewed.`,
    done.every(hasLuck) ? "" : "Luck is not known in Absurdle, in Fibble and on several boards, and in Fibble skill is not either.",
    none.length ? `There is no review of ${count(none.length, "game")}: the server has none for them.` : "",
    lost.length
      ? `There is no review of ${count(lost.length, "game")} with words of your own, which are no longer in this browser.`
      : "",
  ];
  return card(
    "Skill and luck",
    "",
    h("dl", { class: "figures" }, figure("Skill", mean("skill"), WHY.skill), figure("Luck", mean("luck"), WHY.luck)),
    shown.length
      ? chart(
          shown.map((game) => [nameOfGame(game), game.review.skill, game.review.luck]),
          shown.some(hasLuck) ? ["Skill", "Luck"] : ["Skill"],
          done.length > shown.length ? `the last ${shown.length} games, oldest first` : "oldest first",
        )
      : null,
    h("p", { class: "soft small" }, said.filter(Boolean).join(" ")),
  );
}

/** Return the first guesses and what they cost. */
export function openersCard(games) {
  const all = openers(games);
  const shown = all.slice(0, LISTED);
  if (shown.length === 0) return null;
  const isMixed = hasKinds(games);
  return card(
    "First guesses",
    "",
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            [["Guess"], ["Games"], ["Won"], ["Guesses", WHY.mean], ["Cost", WHY.cost]].map(([name, why]) =>
              h("th", { scope: "col" }, why ? explained(name, why) : name),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          shown.map((one) =>
            h(
              "tr",
              {},
              h(
                "th",
                { scope: "row" },
                wordOf(one.game, one.guess),
                isMixed ? h("small", { class: "soft of-kind" }, one.kind) : null,
              ),
              h("td", {}, whole(one.times)),
              h("td", {}, whole(one.won)),
              h("td", {}, fixed(one.mean)),
              h("td", {}, costText(one.cost)),
            ),
          ),
        ),
      ),
    ),
    all.length > LISTED ? h("p", { class: "soft small" }, `and ${whole(all.length - LISTED)} more`) : null,
  );
}

const costText = (cost) => (cost === null ? "–" : lossText(cost));

/** Return the games that took longest, each with its review on the analysis board where there is one. */
export function slowestCard(games, here) {
  const shown = slowest(games).slice(0, LISTED);
  if (shown.length === 0) return null;
  const isMixed = hasKinds(games);
  return card(
    "Took longest",
    "",
    h(
      "ol",
      { class: "listing" },
      shown.map((game) => {
        const spec = gameOf(game, here);
        return h(
          "li",
          { class: game.boards > 1 ? "many" : "" },
          h("span", { class: "cluster" }, game.answers.map((answer) => wordOf(game.game, answer))),
          h("span", { class: "soft small" }, isMixed ? `${nameOfGame(game)} · ${kindText(game)}` : nameOfGame(game)),
          spec && isAnalysed(game)
            ? h("a", { href: reviewAddress({ ...game, puzzle: { ...game, game: spec } }), "data-view": true }, taken(game))
            : h("span", {}, taken(game)),
        );
      }),
    ),
  );
}

const taken = ({ won, guesses, turns }) => (won ? `${guesses.length} of ${count(turns, "guess", "guesses")}` : "not found");

/** Whether games are of several kinds, so that each has to say which. */
export const hasKinds = (games) => new Set(games.map(kindOf)).size > 1;

/** Return a guess as it is written, or as pegs. */
export const wordOf = ({ game }, guess) =>
  game === "mastermind" ? pegRow(guess, "mini") : h("b", { class: "word" }, guess);

/** Return the day of a game. */
export const nameOfGame = (game) =>
  isDaily(game) || isDay(game.number)
    ? dayText(game.number, "short")
    : new Date(game.finished).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });

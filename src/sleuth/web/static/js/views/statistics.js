// Statistics: what the games finished in this browser add up to.

import { superseded } from "../api.js";
import { chart } from "../chart.js";
import { dayText, isDay } from "../days.js";
import { announce, count, field, fixed, h, problemNote, select } from "../dom.js";
import { explained, figure } from "../explain.js";
import { everything, forget, merge, whenChanged } from "../history.js";
import { judge } from "../judging.js";
import { keyPegs, pegRow } from "../pegs.js";
import { analysisAddress } from "../puzzle.js";
import { spreadTable } from "../result.js";
import {
  WHY,
  canJudge,
  isDaily,
  kindOf,
  kindText,
  mistakes,
  openers,
  rowsOfGame,
  slowest,
  streaks,
  summary,
  turnsShown,
} from "../statistics.js";
import { guessed } from "../tiles.js";
import { fileOf, readFile } from "../transfer.js";

const LISTED = 8;
const CHARTED = 60;

export function mount(section) {
  /** @type {any} */
  let all = { games: [], totals: [], kept: true };
  let kind = "";
  /** @type {AbortController | null} */
  let judging = null;
  const numbers = h("div", { class: "statistics-cards" });
  const choice = h("div", { class: "statistics-kind" });
  const said = h("div", { class: "small statistics-said", role: "status" });
  section.append(
    h(
      "div",
      { class: "spread statistics-head" },
      h(
        "div",
        {},
        h("h1", {}, "Statistics"),
        h("p", { class: "lead" }, "Every game you finish is kept in this browser, and only there."),
      ),
      h("div", { class: "cluster" }, choice, transfer()),
    ),
    said,
    numbers,
  );
  drawChoice();

  const chosen = () => ({
    games: all.games.filter((game) => !kind || kindOf(game) === kind),
    totals: all.totals.filter((total) => !kind || total.kind === kind),
  });

  async function refresh() {
    all = await everything();
    drawChoice();
    draw();
    judgeMore();
  }

  function drawChoice() {
    const kinds = new Map(all.totals.map((total) => [total.kind, total.kind]));
    for (const game of all.games) kinds.set(kindOf(game), kindText(game));
    if (!kinds.has(kind)) kind = "";
    const options = [["", "All games"], ...kinds];
    const which = select(options, kind, ({ target }) => {
      kind = target.value;
      draw();
    });
    which.disabled = kinds.size < 2;
    choice.replaceChildren(field("Which games", which));
  }

  function draw() {
    const { games, totals } = chosen();
    if (games.length + totals.length === 0) {
      numbers.replaceChildren(empty(all.kept));
      return;
    }
    const score = summary(games, totals);
    numbers.replaceChildren(
      ...[
        overview(score, games),
        distribution(score, games),
        skillAndLuck(games),
        openersCard(games),
        slowestCard(games),
        mistakesCard(games),
      ].filter((card) => card !== null),
    );
  }

  /** Ask for the reviews that are missing, one after the other, while this view is looked at. */
  async function judgeMore() {
    judging?.abort();
    judging = new AbortController();
    const { signal } = judging;
    try {
      await judge(all.games, signal, () => {
        if (!section.hidden) draw();
      });
    } catch (error) {
      if (!superseded(error)) said.replaceChildren(problemNote(error));
    }
  }

  /** Return what takes games along: one file, written and read. */
  function transfer() {
    const say = (...content) => said.replaceChildren(...content);
    const input = h("input", {
      type: "file",
      accept: ".json,application/json",
      hidden: true,
      onchange: async () => {
        const [file] = input.files ?? [];
        if (!file) return;
        try {
          const found = await readFile(file);
          const added = await merge(found);
          const here = found.games.length - added;
          say(`${count(added, "game")} added${here ? `; ${here} ${here === 1 ? "was" : "were"} here already` : ""}.`);
        } catch (error) {
          say(problemNote(error));
        }
        input.value = "";
      },
    });
    function write() {
      const address = URL.createObjectURL(new Blob([fileOf(all)], { type: "application/json" }));
      h("a", { href: address, download: "sleuth-games.json" }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
      say(`${count(all.games.length, "game")} written to sleuth-games.json; another browser can import it.`);
    }
    async function clear() {
      await forget();
      say("All games are forgotten.");
    }
    const askFirst = () =>
      say(
        "All games of this browser? This cannot be taken back. ",
        h("button", { type: "button", class: "link", onclick: clear }, "Forget them all"),
      );
    const button = (text, onclick) => h("button", { type: "button", class: "button", onclick }, text);
    return [button("Export", write), button("Import…", () => input.click()), button("Forget…", askFirst), input];
  }

  whenChanged(() => section.hidden || refresh());
  new MutationObserver(() => section.hidden && judging?.abort()).observe(section, { attributeFilter: ["hidden"] });
  return { shown: refresh };
}

const card = (title, className, ...content) =>
  h("section", { class: `card stack ${className}`, "aria-label": title }, h("h2", {}, title), content);

const empty = (kept) =>
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

function overview(score, games) {
  const { streak, longest } = streaks(games);
  return h(
    "section",
    { class: "card wide", "aria-label": "In all" },
    h(
      "dl",
      { class: "figures" },
      figure("Played", String(score.played), WHY.played),
      figure("Won", `${Math.round((100 * score.won) / Math.max(1, score.played))} %`, WHY.won),
      figure("Guesses", fixed(score.mean), WHY.mean),
      figure("Streak", count(streak, "day"), WHY.streak),
      figure("Longest", count(longest, "day"), WHY.longest),
      figure("With hints", String(score.hinted), WHY.hinted),
    ),
  );
}

function distribution(score, games) {
  const turns = turnsShown(score.histogram, Math.min(8, Math.max(6, ...games.map((game) => game.turns))));
  const lost = score.played - score.won;
  return card(
    "Guesses",
    "",
    spreadTable("Games won, by guesses", turns, score.histogram, Math.max(1, ...Object.values(score.histogram))),
    lost ? h("p", { class: "soft small" }, `${count(lost, "game")} not solved.`) : null,
  );
}

function skillAndLuck(games) {
  const suited = games.filter(canJudge);
  const done = suited.filter((game) => game.review);
  if (suited.length === 0) return null;
  const shown = done.slice(-CHARTED);
  const mean = (name) => {
    const values = shown.map((game) => game.review[name]).filter((value) => value !== null);
    return values.length ? String(Math.round(values.reduce((a, b) => a + b, 0) / values.length)) : "–";
  };
  return card(
    "Skill and luck",
    "",
    h("dl", { class: "figures" }, figure("Skill", mean("skill"), WHY.skill), figure("Luck", mean("luck"), WHY.luck)),
    chart(
      shown.map((game) => [nameOfGame(game), game.review.skill, game.review.luck]),
      ["Skill", "Luck"],
    ),
    h(
      "p",
      { class: "soft small" },
      done.length < suited.length
        ? `The server has reviewed ${done.length} of ${count(suited.length, "game")} so far.`
        : `${count(suited.length, "game")} reviewed.`,
    ),
  );
}

function openersCard(games) {
  const all = openers(games);
  const shown = all.slice(0, LISTED);
  if (shown.length === 0) return null;
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
              h("th", { scope: "row" }, wordOf(one.game, one.guess)),
              h("td", {}, String(one.times)),
              h("td", {}, String(one.won)),
              h("td", {}, fixed(one.mean)),
              h("td", {}, costText(one.cost)),
            ),
          ),
        ),
      ),
    ),
    all.length > LISTED ? h("p", { class: "soft small" }, `and ${all.length - LISTED} more`) : null,
  );
}

const costText = (cost) => (cost === null ? "–" : cost < 0.005 ? "0.00" : `+${fixed(cost)}`);

function slowestCard(games) {
  const shown = slowest(games).slice(0, LISTED);
  if (shown.length === 0) return null;
  return card(
    "Took longest",
    "",
    h(
      "ol",
      { class: "listing" },
      shown.map((game) =>
        h(
          "li",
          {},
          wordOf(game.game, game.answers[0]),
          h("span", { class: "soft small" }, nameOfGame(game)),
          game.game.own || game.variant === "fibble"
            ? h("span", {}, taken(game))
            : h(
                "a",
                { href: analysisAddress(game.game, rowsOfGame(game), { answer: game.answers[0], tab: "game" }), "data-view": true },
                taken(game),
              ),
        ),
      ),
    ),
  );
}

const taken = (game) => (game.won ? count(game.guesses.length, "guess", "guesses") : "not found");

function mistakesCard(games) {
  const shown = mistakes(games).slice(0, LISTED);
  if (shown.length === 0) return null;
  return card(
    "Your mistakes",
    "wide",
    h("p", { class: "soft" }, "Each is a puzzle: look at the rows, and find a better guess than the one you made."),
    h(
      "ol",
      { class: "mistakes" },
      shown.map(({ game, rows, guess, loss, left }) =>
        h(
          "li",
          { class: "stack" },
          h(
            "div",
            { class: "mistake-rows" },
            rows.map((one) => rowOf(game.game, one)),
          ),
          h(
            "p",
            { class: "small" },
            "You played ",
            wordOf(game.game, guess),
            ", which cost ",
            explained(`${fixed(loss)} guesses`, WHY.loss),
            `; ${count(left, "answer")} ${left === 1 ? "was" : "were"} possible.`,
          ),
          h(
            "div",
            { class: "spread" },
            h(
              "a",
              {
                class: "button",
                href: analysisAddress(game.game, rows),
                "data-view": true,
                onclick: () => announce("The position before your guess"),
              },
              "Try again",
            ),
            h("span", { class: "soft small" }, nameOfGame(game)),
          ),
        ),
      ),
    ),
  );
}

const wordOf = ({ game }, guess) =>
  game === "mastermind" ? pegRow(guess, "mini") : h("b", { class: "word" }, guess);

const rowOf = ({ game }, { guess, feedback }) =>
  game === "mastermind"
    ? h("div", { class: "peg-row" }, pegRow(guess, "mini"), keyPegs(feedback, guess.length))
    : guessed(guess, feedback);

const nameOfGame = (game) =>
  isDaily(game) || isDay(game.number)
    ? dayText(game.number, "short")
    : new Date(game.finished).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });

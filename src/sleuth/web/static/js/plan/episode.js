// An episode turn by turn: what was done and seen, the reward so far, and what is believed beside what is true.

import { ICONS, announce, bar, capital, count, h, icon, percent } from "../dom.js";
import { actions, download } from "../compare/files.js";
import { explained, figure } from "../explain.js";
import { scrolled } from "../tables.js";
import { addressOf } from "./question.js";
import { amount, detailsOf, titleOf } from "./words.js";

/**
 * @typedef {import("./question.js").Offered} Offered
 * @typedef {import("./question.js").Question} Question
 * @typedef {{ name: string, share: number, before: number | null, true: boolean }} Share
 *   A value of what is hidden: how likely it is, and was one turn before; whether it is so.
 * @typedef {{ hidden: string, observation: string, belief: Share[], rest: Share | null }} Moment
 *   observation: what was seen, "" where nothing was; rest: all other values together
 * @typedef {Moment & { action: string, amount: number, sum: number, discounted: number }} Turn
 * @typedef {{ problem: string, method: string, discount: number, amounts: "reward" | "cost", final: number,
 *   actions: number[], start: Moment, turns: Turn[] }} Report  final: what comes after the last turn, in its sums
 */

const discounted = (/** @type {string} */ amounts) =>
  `All ${amounts}s so far, each counting less than the one before it, by the discount.`;
const TRUE = "What was so and could not be seen.";
const BELIEVED = "How likely what was so was believed to be after the turn.";

/**
 * Return an episode: `element`, to be shown; `said`, what came of it in a sentence; `step(by)` and `go(turn)`, which show
 * another turn, 0 for what was before the first.
 *
 * @param {Offered} offered
 * @param {Question} question  with the actions of the episode
 * @param {Report} report
 * @param {(turn: number) => void} moved  called with the turn that is shown
 */
export function episode(offered, question, report, moved) {
  const { start, turns, amounts } = report;
  const last = turns.length;
  const total = turns[last - 1].discounted;
  const said = `${titleOf(offered, question)}: ${amount(total)} in ${count(last, "turn")}`;
  let at = 0;

  const facts = h("dl", { class: "figures turn-facts" });
  const belief = h("div", {});
  const where = h("b", {});
  const slider = h("input", {
    type: "range",
    "aria-label": "Turn",
    min: 0,
    max: last,
    step: 1,
    oninput: () => go(Number(slider.value)),
  });
  const button = (/** @type {string} */ name, /** @type {string} */ path, /** @type {number} */ by) =>
    h("button", { type: "button", class: "button", "aria-label": name, title: name, onclick: () => step(by) }, icon(path));
  const [before, after] = [button("Previous turn", ICONS.before, -1), button("Next turn", ICONS.after, 1)];
  const rows = turns.map((turn, i) => rowOf(turn, i + 1, () => go(i + 1)));

  function step(/** @type {number} */ by) {
    go(at + by);
    announce(spoken(at ? turns[at - 1] : null, at, amounts));
  }

  function go(/** @type {number} */ turn) {
    at = Math.max(0, Math.min(last, turn));
    draw();
    moved(at);
  }

  function draw() {
    const turn = at ? turns[at - 1] : null;
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", spoken(turn, at, amounts));
    // One that has the focus keeps it: a button that cannot be pressed would lose it.
    before.setAttribute("aria-disabled", String(at === 0));
    after.setAttribute("aria-disabled", String(at === last));
    where.textContent = at ? `Turn ${at} of ${last}` : `At first, before ${count(last, "turn")}`;
    facts.replaceChildren(...factsOf(turn, turn ?? start, amounts));
    belief.replaceChildren(beliefTable(turn ?? start, at));
    rows.forEach((row, i) => {
      if (i + 1 === at) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
  }

  const link = () => new URL(`${addressOf(question)}#turn=${at}`, location.href).href;
  const element = h(
    "div",
    { class: "stack episode" },
    h(
      "section",
      { class: "card stack" },
      h("div", {}, h("h2", {}, said), h("p", { class: "soft small" }, detailsOf(offered, question))),
      h(
        "dl",
        { class: "figures" },
        figure(`Discounted ${amounts}`, amount(total), discounted(amounts)),
        figure(capital(amounts), amount(turns[last - 1].sum)),
        figure("Turns", String(last)),
        figure("Discount", String(report.discount)),
      ),
      actions([
        [
          "Copy link",
          async () => {
            await navigator.clipboard.writeText(link());
            return "Link copied.";
          },
        ],
        [
          "Episode as JSON",
          () => {
            const text = JSON.stringify({ asked: question, ...report }, null, 1);
            download("sleuth-episode.json", new Blob([text], { type: "application/json" }));
            return "Saved.";
          },
        ],
      ]),
    ),
    h(
      "div",
      { class: "episode-parts" },
      h(
        "section",
        { class: "card stack one-turn", "aria-label": "One turn" },
        h("div", { class: "turn-control" }, before, h("div", {}, where, slider), after),
        facts,
        belief,
      ),
      h("section", { class: "card stack" }, h("h2", {}, "All turns"), turnsTable(rows, amounts)),
    ),
  );
  draw();
  return { element, said, step, go, last };
}

/** Return a turn in a sentence, for those who do not see it. */
function spoken(/** @type {Turn | null} */ turn, /** @type {number} */ at, /** @type {string} */ amounts) {
  if (!turn) return "At first";
  return `Turn ${at}: ${turn.action}, seen: ${turn.observation}, ${amounts} ${amount(turn.amount)}`;
}

/** Return the figures of a turn; before the first there are none but what is hidden. */
function factsOf(/** @type {Turn | null} */ turn, /** @type {Moment} */ { observation, hidden }, /** @type {string} */ amounts) {
  const words = [figure("Done", turn?.action ?? "–"), figure("Seen", observation || "–"), figure("Truth", hidden, TRUE)];
  for (const word of words) word.classList.add("plain");
  return [
    ...words,
    figure(capital(amounts), turn ? amount(turn.amount) : "–"),
    figure("So far", amount(turn?.sum ?? 0)),
    figure("Discounted", amount(turn?.discounted ?? 0), discounted(amounts)),
  ];
}

/** Return what is believed as a table with bars. */
function beliefTable(/** @type {Moment} */ { belief, rest }, /** @type {number} */ at) {
  return h(
    "table",
    { class: "spread-table belief" },
    h("caption", {}, at ? "Believed after the turn; a line shows what was believed before." : "Believed at first."),
    h(
      "tbody",
      {},
      [...belief, ...(rest ? [rest] : [])].map((one) =>
        h(
          "tr",
          { class: one.true ? "now" : "" },
          h("th", { scope: "row" }, one.name, one.true ? h("span", { class: "small" }, " (true)") : null),
          h("td", {}, barOf(one)),
          h("td", {}, percent(one.share)),
        ),
      ),
    ),
  );
}

/** Return a bar with a line where it was before. */
function barOf(/** @type {Share} */ { share, before }) {
  const drawn = bar(share);
  if (before !== null) {
    const line = h("span", { class: "was" });
    line.style.setProperty("--at", before);
    drawn.append(line);
  }
  return drawn;
}

function rowOf(/** @type {Turn} */ turn, /** @type {number} */ at, /** @type {() => void} */ show) {
  const truth = turn.belief.find((one) => one.true)?.share ?? 0;
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h("button", { type: "button", class: "link", "aria-label": `Show turn ${at}`, onclick: show }, String(at)),
    ),
    h("td", {}, turn.action),
    h("td", {}, turn.observation),
    h("td", {}, amount(turn.amount)),
    h("td", {}, amount(turn.discounted)),
    h("td", {}, h("div", { class: "truth" }, bar(truth), h("span", {}, percent(truth)))),
  );
}

const turnsTable = (/** @type {HTMLElement[]} */ rows, /** @type {string} */ amounts) =>
  scrolled(
    "All turns",
    h(
      "table",
      { class: "turns-table" },
      h("caption", { class: "vh" }, "All turns"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [
            ...["Turn", "Done", "Seen", capital(amounts)],
            explained("Sum", discounted(amounts)),
            explained("Truth", BELIEVED),
          ].map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h("tbody", {}, rows),
    ),
  );

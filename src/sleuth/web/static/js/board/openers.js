// The openers of a list by any measure, with search.

import { get, latest, superseded } from "../api.js";
import { debounced, field, fixed, h, percent, problemNote, select, whole } from "../dom.js";
import { explained, explaining } from "../explain.js";
import { lengthOf } from "../games.js";
import { LONG, rankingTable, wordButton } from "./guesses.js";
import { MEANINGS, valued } from "./kinds.js";
import { filler } from "./questions.js";

const PAGE = 25;
const ROUGH = " Those with a dash were not played out; try one to see what it takes.";
const losing = () =>
  explained(
    "loses some",
    "However it is played on, some word is not found in time, as is proven; the guesses go past the last turn.",
    "kind",
  );
/** @type {[name: string, title: string, direction: string, show: (one: any) => any][]} */
const MEASURES = [
  [
    "guesses",
    "Guesses",
    "ascending",
    (one) => (one.lossy ? [fixed(one.expected_guesses, 3), " ", losing()] : valued(one.expected_guesses, one.kind, 3)),
  ],
  ["bits", "Bits", "descending", (one) => fixed(one.bits)],
  ["left", "Left", "ascending", (one) => fixed(one.expected_left, 1)],
  ["worst", "Worst", "ascending", (one) => whole(one.worst_left)],
  ["groups", "Groups", "descending", (one) => whole(one.classes)],
  ["chance", "Chance", "descending", (one) => percent(one.chance)],
];

/**
 * Return the panel of openers. `use(word)` is called with an opener that is to be tried, `sorted(measure)` when the
 * order changes.
 * @param {HTMLElement} place
 * @param {{ use: (word: string) => void, sorted: (measure: string) => void }} actions
 * @returns {(next: { game: any, sort: string }, isStandard: boolean) => void} isStandard: whether one board of the standard game is
 *   meant; of others the numbers are those of that game, and the panel says so
 */
export function openersPanel(place, { use, sorted }) {
  let listed = "";
  let shown = 0;
  /** @type {any} */
  let current = null;
  const openers = latest((query, options) => get(`/openers?${query}`, options));
  const search = h("input", {
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "letters in a row, such as st",
  });
  const order = select(
    MEASURES.map(([name, title]) => [name, title]),
    "guesses",
    () => sorted(order.value),
  );
  const body = h("tbody", {});
  const head = h("tr", {});
  const caption = h("p", { class: "soft small", role: "status" });
  const problem = h("div", {});
  const more = h(
    "button",
    { type: "button", class: "button", hidden: true, onclick: () => list(false) },
    "Show more",
  );
  const table = h(
    "table",
    { class: "openers" },
    h("caption", { class: "vh" }, "First guesses with their numbers"),
    h("thead", {}, head),
    body,
  );
  // Until it is known which game is meant, neither is there, so that nothing moves.
  const ranked = h(
    "div",
    { class: "stack", hidden: true },
    h("div", { class: "two" }, field("Search", search), h("div", { class: "order" }, field("Order", order))),
    problem,
    caption,
    table,
    h("div", {}, more),
  );
  // Of other games the best guesses at the start are listed.
  const best = h("div", { class: "stack", hidden: true });
  const fill = filler(best);
  const alone = h("p", { class: "soft small", hidden: true }, "As if it were one board of the standard game.");
  place.append(h("h2", {}, "Openers"), alone, ranked, best);
  search.addEventListener(
    "input",
    debounced(() => list(true), 200),
  );

  function drawHead() {
    table.dataset.sort = current.sort;
    table.dataset.long = String(lengthOf(current.game) >= LONG);
    order.value = current.sort;
    head.replaceChildren(
      h("th", { scope: "col" }, "Guess"),
      ...MEASURES.map(([name, title, direction]) =>
        h(
          "th",
          { scope: "col", "data-measure": name, "aria-sort": name === current.sort ? direction : null },
          explaining(
            h(
              "button",
              {
                type: "button",
                class: "sort",
                "data-sort": name,
                onclick: () => {
                  sorted(name);
                  head.querySelector(`[data-sort="${name}"]`)?.focus();
                },
              },
              title,
            ),
            MEANINGS[name],
          ),
        ),
      ),
    );
  }

  async function list(anew) {
    const { game, sort } = current;
    if (anew) shown = 0;
    if (anew && !body.childElementCount) caption.textContent = "Working out the first guesses…";
    const query = new URLSearchParams({
      words: game.words ?? "original",
      mode: game.mode,
      sort,
      search: search.value.trim().toLowerCase(),
      offset: String(shown),
      limit: String(PAGE),
    });
    body.setAttribute("aria-busy", "true");
    try {
      const found = await openers(query);
      problem.replaceChildren();
      const rows = found.openers.map((one) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, wordButton(one.guess, use, game)),
          MEASURES.map(([name, , , show]) =>
            h("td", { "data-measure": name, class: name === "guesses" ? "value" : null }, show(one)),
          ),
        ),
      );
      if (anew) body.replaceChildren(...rows);
      else body.append(...rows);
      shown += rows.length;
      const rough = found.openers.some((one) => one.expected_guesses === null);
      caption.textContent =
        found.total === 0
          ? "No guess has these letters."
          : `${whole(shown)} of ${whole(found.total)} guesses.${rough ? ROUGH : ""}`;
      more.hidden = shown >= found.total;
    } catch (error) {
      if (!superseded(error)) {
        caption.textContent = "";
        problem.replaceChildren(problemNote(error));
      }
    } finally {
      body.removeAttribute("aria-busy");
    }
  }

  return (next, isStandard) => {
    alone.hidden = isStandard;
    const named = next.game.game === "wordle" && !next.game.answers;
    ranked.hidden = !named;
    best.hidden = named;
    if (!named) {
      fill("/suggest", { game: next.game, rows: [], limit: PAGE }, (found) => [rankingTable(found, use, next.game)]);
      return;
    }
    const key = JSON.stringify(next);
    if (key === listed) return;
    if (current?.game !== next.game) body.replaceChildren(); // the numbers of another game
    listed = key;
    current = next;
    drawHead();
    list(true);
  };
}

// Explore: openers by any measure, and where a first guess leads, move by move.

import { get, latest, superseded } from "../api.js";
import { announce, debounced, field, fixed, h, percent, problemNote, whole } from "../dom.js";
import { gameFields, lengthOf, remembered } from "../games.js";
import { tree } from "../tree.js";

const PAGE = 25;
const ROUGH = " Those with a dash were not played out; unfold one to see what it takes.";
const expectedGuesses = (one) =>
  one.expected_guesses === null
    ? h("span", { class: "rough", "aria-label": "not played out" }, "–")
    : fixed(one.expected_guesses, 3);

/** @type {[id: string, title: string, meaning: string, order: string, show: (one: any) => any][]} */
const MEASURES = [
  ["guesses", "Guesses", "guesses expected in all", "ascending", expectedGuesses],
  ["bits", "Bits", "expected information", "descending", (one) => fixed(one.bits)],
  ["left", "Left", "words expected to be left after it", "ascending", (one) => fixed(one.expected_left, 1)],
  ["worst", "Worst", "the most words that may be left", "ascending", (one) => whole(one.worst_left)],
  ["groups", "Groups", "kinds of feedback it may get", "descending", (one) => whole(one.classes)],
  ["chance", "Chance", "that it is the answer", "descending", (one) => percent(one.chance)],
];

export function mount(section) {
  let game = remembered("explore");
  let sort = "guesses";
  let shown = 0;
  const openers = latest((query, options) => get(`/openers?${query}`, options));
  const search = h("input", {
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "letters in a row, such as st",
  });
  const body = h("tbody", {});
  const head = h("tr", {});
  const caption = h("p", { class: "soft small" });
  const problem = h("div", {});
  const more = h("button", { type: "button", class: "button", onclick: () => list(false) }, "Show more");
  const own = h("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 12,
  });
  const unfolding = h("div", { class: "tree" });

  section.append(
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "Openers, and where they lead"),
      h(
        "p",
        { class: "lead" },
        "Sort first guesses by what matters to you, then unfold the best play after any of them.",
      ),
    ),
    h(
      "div",
      { class: "explore-columns" },
      h(
        "div",
        { class: "card stack" },
        h("h2", {}, "Openers"),
        gameFields(
          game,
          (next) => {
            game = next;
            list();
            plant(null);
          },
          { view: "explore", pegs: false, own: false },
        ),
        field("Search", search),
        problem,
        caption,
        h(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": "Openers, table" },
          h(
            "table",
            { class: "openers" },
            h("caption", { class: "vh" }, "First guesses with their numbers"),
            h("thead", {}, head),
            body,
          ),
        ),
        h("div", {}, more),
      ),
      h(
        "div",
        { class: "card stack" },
        h("h2", { id: "tree-title" }, "The tree"),
        h(
          "form",
          {
            class: "cluster end",
            onsubmit: (event) => {
              event.preventDefault();
              plant(own.value.trim().toLowerCase());
            },
          },
          field("First guess", own),
          h("button", { class: "button" }, "Unfold"),
        ),
        unfolding,
      ),
    ),
  );
  search.addEventListener(
    "input",
    debounced(() => list(), 200),
  );

  function drawHead() {
    head.replaceChildren(
      h("th", { scope: "col" }, "Guess"),
      ...MEASURES.map(([name, title, meaning, order]) =>
        h(
          "th",
          { scope: "col", "aria-sort": name === sort ? order : null },
          h(
            "button",
            {
              type: "button",
              class: "sort",
              title: meaning,
              onclick: () => {
                sort = name;
                drawHead();
                list();
                head.querySelector(`[data-sort="${name}"]`)?.focus();
              },
              "data-sort": name,
            },
            title,
          ),
        ),
      ),
    );
  }

  async function list(anew = true) {
    if (anew) shown = 0;
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
          h(
            "th",
            { scope: "row" },
            h(
              "button",
              {
                type: "button",
                class: "link",
                title: "Unfold its tree",
                onclick: () => plant(one.guess, true),
              },
              one.guess,
            ),
          ),
          MEASURES.map(([, , , , show]) => h("td", {}, show(one))),
        ),
      );
      if (anew) body.replaceChildren(...rows);
      else body.append(...rows);
      shown += rows.length;
      caption.textContent =
        found.total === 0
          ? "No guess has these letters."
          : `${whole(shown)} of ${whole(found.total)} guesses.${body.querySelector(".rough") ? ROUGH : ""}`;
      if (search.value) announce(caption.textContent);
      more.hidden = shown >= found.total;
    } catch (error) {
      if (!superseded(error)) problem.replaceChildren(problemNote(error));
    } finally {
      body.removeAttribute("aria-busy");
    }
  }

  /** Show the tree of a guess; of Sleuth's own where none is given. */
  function plant(guess, moved = false) {
    own.value = guess ?? "";
    own.maxLength = lengthOf(game);
    unfolding.replaceChildren(tree(game, guess));
    if (moved && matchMedia("(max-width: 60rem)").matches)
      unfolding.parentElement?.scrollIntoView({ behavior: "smooth" });
  }

  drawHead();
  list();
  plant(null);
  return {};
}

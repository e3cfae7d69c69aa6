// Statistics: what the games finished in this browser add up to.

import { superseded } from "../api.js";
import { count, field, h, problemNote, select } from "../dom.js";
import { everything, forget, merge, whenChanged } from "../history.js";
import { judge } from "../judging.js";
import { forgetFinished, ownWords } from "../puzzle.js";
import { keptKindText, kindOf, kindText, summary } from "../statistics.js";
import { distribution, empty, openersCard, overview, skillAndLuck, slowestCard } from "../statistics/cards.js";
import { mistakesCard } from "../statistics/mistakes.js";
import { fileOf, readFile } from "../transfer.js";

export function mount(section) {
  /** @type {any} */
  let all = { games: [], totals: [], kept: true };
  let kind = "";
  /** @type {AbortController | null} */
  let judging = null;
  const file = transfer();
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
      h("div", { class: "cluster" }, choice, file.elements),
    ),
    said,
    numbers,
  );
  drawChoice();
  file.draw();

  const chosen = () => ({
    games: all.games.filter((game) => !kind || kindOf(game) === kind),
    totals: all.totals.filter((total) => !kind || total.kind === kind),
  });

  async function refresh() {
    all = await everything();
    drawChoice();
    draw();
    file.draw();
    judgeMore();
  }

  function drawChoice() {
    const kinds = new Map(all.totals.map(({ kind }) => [kind, keptKindText(kind)]));
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
    const here = ownWords();
    showCards(
      numbers,
      [
        overview(score, games),
        distribution(score, games),
        skillAndLuck(games, here),
        openersCard(games),
        slowestCard(games, here),
        mistakesCard(games, here),
      ].filter((card) => card !== null),
    );
  }

  /** Ask for the reviews that are missing, one after the other, while this view is looked at. */
  async function judgeMore() {
    judging?.abort();
    judging = new AbortController();
    const { signal } = judging;
    try {
      await judge(all.games, ownWords(), signal, () => {
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
      try {
        forgetFinished();
        await forget();
        say("All games are forgotten.");
      } catch (error) {
        say(problemNote(error));
      }
      take.focus(); // what had the focus is gone
    }
    function leave() {
      say();
      away.focus();
    }
    const askFirst = () =>
      say(
        "Forget all finished games of this browser, in the archive too? This cannot be taken back. ",
        h("button", { type: "button", class: "link", onclick: clear }, "Forget them all"),
        " ",
        h("button", { type: "button", class: "link", onclick: leave }, "Keep them"),
      );
    const button = (text, onclick) => h("button", { type: "button", class: "button", onclick }, text);
    const [out, take, away] = [button("Export", write), button("Import…", () => input.click()), button("Forget…", askFirst)];
    return {
      elements: [out, take, away, input],
      /** Offer what can be done with the games there are. */
      draw() {
        out.disabled = away.disabled = all.games.length + all.totals.length === 0;
        take.disabled = !all.kept;
      },
    };
  }

  whenChanged(() => section.hidden || refresh());
  new MutationObserver(() => section.hidden && judging?.abort()).observe(section, { attributeFilter: ["hidden"] });
  return { shown: refresh };
}

/**
 * Show cards, always in one order: those that are as they were stay, and so does the focus in those that are not.
 *
 * @param {HTMLElement} place
 * @param {HTMLElement[]} cards
 */
function showCards(place, cards) {
  const isSame = (one, other) => one.ariaLabel === other.ariaLabel;
  for (const old of [...place.children]) if (!cards.some((card) => isSame(card, old))) old.remove();
  cards.forEach((card, i) => {
    const old = place.children[i];
    if (!old || !isSame(old, card)) place.insertBefore(card, old ?? null);
    else if (!old.isEqualNode(card)) {
      const within = (one) => /** @type {HTMLElement[]} */ ([...one.querySelectorAll("a, button")]);
      const focused = within(old).findIndex((one) => one === document.activeElement);
      old.replaceWith(card);
      within(card)[focused]?.focus({ preventScroll: true });
    }
  });
}

// The decision tree: each branch is asked for when it is opened, so that trees of any size unfold at once.

import { post } from "./api.js";
import { bar, count, fixed, h, percent, problemNote } from "./dom.js";
import { hasMarks } from "./games.js";
import { marks } from "./tiles.js";

const SHOWN = 12;

/** Return the tree of a game from a first guess, or from Sleuth's where it is null. */
export function tree(game, guess) {
  const place = h("div", {});
  grow(place, game, [], guess);
  return place;
}

/** Fill a place with the guess after some rows and with its branches. */
async function grow(place, game, rows, guess = null) {
  const wait = setTimeout(
    () => place.replaceChildren(h("p", { class: "node soft", role: "status" }, "Thinking…")),
    300,
  );
  try {
    const step = await post("/branches", { game, rows, ...(guess ? { guess } : {}) });
    clearTimeout(wait);
    place.replaceChildren(node(step), branches(step, game, rows));
  } catch (error) {
    clearTimeout(wait);
    place.replaceChildren(problemNote(error));
  }
}

function node({ guess, suggestion }) {
  const numbers = [
    `${fixed(suggestion.expected_guesses)} guesses from here`,
    `${fixed(suggestion.bits)} bits`,
    `worst case ${count(suggestion.worst_left, "word")} left`,
  ];
  const said = suggestion.chance >= 1 ? "must be right" : numbers.join(", ");
  return h("p", { class: "node" }, h("b", { class: "word" }, guess), ` ${said}`);
}

function branches(step, game, rows) {
  const list = h("ul", {});
  const show = (from) => {
    const next = step.branches.slice(from, from + SHOWN);
    list.append(...next.map((branch) => h("li", {}, drawn(branch, step, game, rows))));
    const rest = step.branches.length - from - next.length;
    if (rest > 0) {
      const more = h(
        "button",
        { type: "button", class: "link" },
        count(rest, "more branch", "more branches"),
      );
      const item = h("li", { class: "leaf" }, more);
      more.addEventListener("click", () => {
        item.remove();
        show(from + SHOWN);
        list.children[from + SHOWN]?.querySelector("summary")?.focus();
      });
      list.append(item);
    }
  };
  show(0);
  return list;
}

function drawn(branch, step, game, rows) {
  const feedback = hasMarks(game) ? marks(branch.feedback) : h("span", {}, branch.feedback);
  if (branch.solved) return h("div", { class: "leaf" }, feedback, h("span", {}, "right"));
  if (branch.count === 1)
    return h("div", { class: "leaf" }, feedback, h("span", { class: "word" }, branch.words[0]));
  const inside = h("div", {});
  const details = h(
    "details",
    {},
    h(
      "summary",
      {},
      feedback,
      h("span", {}, count(branch.count, "word")),
      bar(branch.chance),
      h("span", { class: "small soft" }, percent(branch.chance)),
    ),
    h(
      "p",
      { class: "node small soft" },
      branch.words.join(", ") + (branch.count > branch.words.length ? ", …" : ""),
    ),
    inside,
  );
  details.addEventListener("toggle", () => {
    if (details.open && !inside.firstChild)
      grow(inside, game, [...rows, { guess: step.guess, feedback: branch.feedback }]);
  });
  return details;
}

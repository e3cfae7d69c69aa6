// Review: the story of a game, with two bars a move, and a link that opens it again.

import { latest, post, superseded } from "../api.js";
import { ICONS, announce, bar, count, field, fixed, h, icon, problemNote, remarksNote, whole } from "../dom.js";
import { entries } from "../entries.js";
import { fromQuery, gameFields, hasMarks, lengthOf, remembered, titleOf } from "../games.js";
import { reviewAddress } from "../puzzle.js";
import { guessed, row } from "../tiles.js";

export function mount(section) {
  let game = remembered("review");
  /** @type {string | null} */
  let opened = null;
  const ask = latest((body, options) => post("/review", body, options));
  const editor = entries(game, () => {});
  const answer = h("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 12,
    placeholder: "if you did not find it",
  });
  const text = h("textarea", { spellcheck: "false", placeholder: "⬛🟨⬛⬛🟩 salet\n🟩🟩🟩🟩🟩 …" });
  const remark = h("div", { class: "remark" });
  const story = h("div", { class: "stack story-of-game" });
  const fields = h("div", {});
  const paste = h(
    "details",
    {},
    h("summary", {}, "Paste a shared grid instead"),
    h("div", { class: "stack" }, field("The grid and its words", text)),
  );
  const form = h(
    "form",
    {
      class: "stack",
      onsubmit: (event) => {
        event.preventDefault();
        run();
      },
    },
    editor.element,
    paste,
    field("The answer", answer),
    h("details", {}, h("summary", {}, "Words and mode"), fields),
    h(
      "div",
      { class: "cluster" },
      h("button", { class: "button primary" }, "Review"),
      h("button", { type: "button", class: "button quiet", onclick: clear }, "Clear"),
    ),
  );
  const input = h(
    "details",
    { class: "card input", open: true },
    h("summary", {}, h("h2", {}, "The game")),
    form,
  );

  section.append(
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "How did I play?"),
      h(
        "p",
        { class: "lead" },
        "Type your guesses and click the tiles to their colours. Each move is marked for skill and luck.",
      ),
    ),
    remark,
    h("div", { class: "beside" }, input, story),
  );

  function drawFields() {
    fields.replaceChildren(
      gameFields(
        game,
        (next) => {
          const rows = next.game === game.game ? editor.rows() : [];
          game = next;
          editor.set(rows, game);
        },
        { view: "review" },
      ),
    );
  }

  function clear() {
    opened = "";
    history.replaceState(null, "", "/review");
    editor.set([], game);
    answer.value = "";
    text.value = "";
    remark.replaceChildren();
    story.replaceChildren(invitation());
  }

  async function run() {
    const pasted = text.value.trim();
    editor.settle();
    editor.blame(null);
    const rows = pasted ? [] : editor.rows();
    const found = answer.value.trim().toLowerCase();
    if (!pasted && rows.length === 0) {
      story.replaceChildren(problemNote(new Error("type at least one guess and confirm its colours")));
      return;
    }
    if (!pasted && editor.gap()) {
      const at = editor.gap();
      story.replaceChildren(problemNote(new Error(`row ${at} is not complete: finish or remove it`)));
      editor.blame({ row: at, places: [] });
      return;
    }
    story.setAttribute("aria-busy", "true");
    if (!story.querySelector(".move"))
      story.replaceChildren(h("p", { class: "soft", role: "status" }, "Thinking the game through…"));
    try {
      const review = await ask({
        game,
        rows,
        ...(found ? { answer: found } : {}),
        ...(pasted ? { text: pasted } : {}),
      });
      if (pasted) {
        editor.set(
          review.moves.map(({ guess, feedback }) => ({ guess, feedback })),
          game,
        );
        text.value = "";
        paste.open = false;
      }
      const address = reviewAddress(game, review.moves, found);
      opened = new URL(address, location.href).hash;
      history.replaceState(null, "", address);
      story.replaceChildren(
        summary(review, game),
        h(
          "ol",
          { class: "moves" },
          review.moves.map((move) => h("li", {}, drawMove(move))),
        ),
        ...line(review),
      );
      announce(review.summary);
      if (matchMedia("(max-width: 60rem)").matches) story.scrollIntoView({ behavior: "smooth" });
    } catch (error) {
      if (superseded(error)) return;
      story.replaceChildren(problemNote(error));
      // The rows of a pasted text are not the ones of the editor.
      if (!pasted && error.problem?.row) editor.blame({ row: error.problem.row, places: [] });
    } finally {
      story.removeAttribute("aria-busy");
    }
  }

  /** Open the game that the address holds, unless it is the one shown. */
  function openAddress() {
    if (location.hash === opened) return;
    const query = new URLSearchParams(location.hash.slice(1));
    if (!query.has("rows")) return;
    opened = location.hash;
    const remarks = [];
    game = fromQuery(query, remarks);
    const texts = (query.get("rows") ?? "").split(" ").filter(Boolean).slice(0, MOST_ROWS);
    const rows = texts.map((one) => rowFrom(one, game)).filter(Boolean);
    editor.set(rows, game);
    answer.value = query.get("answer") ?? "";
    drawFields();
    const whole = rows.length === texts.length && rows.length > 0;
    if (!whole) remarks.push(`rows in an address are such as ${EXAMPLES[game.game]}, and some of these are not`);
    remark.replaceChildren(...[remarksNote(remarks)].filter(Boolean));
    if (matchMedia("(max-width: 60rem)").matches) input.open = !whole;
    // Without one of its rows a game would be judged wrongly.
    if (whole) run();
    else story.replaceChildren(invitation());
  }

  drawFields();
  story.replaceChildren(invitation());
  addEventListener("hashchange", () => {
    if (!section.hidden) openAddress();
  });
  return { shown: openAddress };
}

const MOST_ROWS = 32;
const EXAMPLES = { wordle: "salet:bbybb", mastermind: "1122:1,2", "bulls-and-cows": "0123:1,2" };
const DIGITS = { 0: "b", 1: "y", 2: "g" };

/** Return the row that a part of an address stands for, or nothing where it stands for none. */
function rowFrom(text, game) {
  const [guess, shown, ...more] = text.toLowerCase().split(":");
  if (more.length || shown === undefined || [...guess].length !== lengthOf(game)) return null;
  const feedback = hasMarks(game) ? shown.replace(/[012]/g, (digit) => DIGITS[digit]) : shown;
  const fits = hasMarks(game) ? /^[byg]+$/.test(feedback) : /^\d{1,2},\d{1,2}$/.test(feedback);
  if (!fits || (hasMarks(game) && feedback.length !== lengthOf(game))) return null;
  return { guess, feedback };
}

const invitation = () =>
  h(
    "div",
    { class: "card stack invitation" },
    h(
      "div",
      { class: "cluster", "aria-hidden": "true" },
      row("skill", "ggggg", { className: "mini" }),
      row("luck", "yyyy", { className: "mini" }),
    ),
    h(
      "p",
      {},
      h("b", {}, "Skill"),
      " is how good the choice was among all guesses, from 0 to 99. ",
      h("b", {}, "Luck"),
      " is how kind the answer was. The best guess has skill 99 even when luck is against it.",
    ),
    h(
      "p",
      { class: "soft small" },
      "Every guess is judged by what was known when it was made: ",
      "of the answer nothing is assumed but the list it comes from.",
    ),
  );

function meter(name, value, absent) {
  if (value === null || value === undefined) {
    return h(
      "div",
      { class: `move-bar ${name.toLowerCase()}` },
      h("span", {}, name),
      h("span", { class: "soft small" }, absent),
      h("span", {}),
    );
  }
  return h(
    "div",
    { class: `move-bar ${name.toLowerCase()}` },
    h("span", {}, name),
    bar(value / 99),
    h("b", {}, `${Math.round(value)}`, h("span", { class: "soft small" }, " of 99")),
  );
}

function summary(review, game) {
  const copied = h("span", { class: "soft small", role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      copied.textContent = "Link copied.";
    } catch {
      copied.textContent = location.href;
    }
  };
  const figures = [
    [
      review.solved ? "Solved in" : review.lost ? "Not found in" : "So far",
      count(review.turns, "guess", "guesses"),
    ],
    ["Skill", review.skill_shown ?? "–"],
    ["Luck", review.luck_shown ?? "–"],
    ...(review.hard_mode === null ? [] : [["Hard mode", review.hard_mode ? "kept" : "not kept"]]),
  ];
  return h(
    "div",
    { class: "card stack" },
    h(
      "dl",
      { class: "figures" },
      figures.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    ),
    h("p", { class: "verdict" }, review.summary),
    h("p", { class: "soft small" }, review.assumed),
    ...(review.notes ?? []).map((note) => h("p", { class: "soft small" }, note)),
    h(
      "div",
      { class: "spread" },
      h(
        "div",
        { class: "cluster" },
        game.answers
          ? null
          : h("button", { type: "button", class: "button", onclick: copy }, icon(ICONS.link), "Copy link"),
        copied,
      ),
      h("span", { class: "soft small" }, titleOf(game)),
    ),
  );
}

const METHODS = { exact: "exact", rollout: "by rollout", search: "by search" };

function drawMove(move) {
  const best =
    move.best.guess === move.guess || move.loss === 0
      ? ["the best: ", h("b", {}, fixed(move.value)), " guesses"]
      : [
          "best ",
          h("b", { class: "word" }, move.best.guess),
          `: ${fixed(move.expected_before)} guesses, here ${fixed(move.value)}`,
        ];
  const facts = [
    move.solved
      ? [h("b", {}, whole(move.candidates_before)), " possible before it"]
      : [
          h("b", {}, whole(move.candidates_before)),
          " → ",
          h("b", {}, whole(move.candidates_after)),
          " possible",
        ],
    move.choice ? [...best, ` (${METHODS[move.expected_by] ?? move.expected_by})`] : null,
    move.bits_gained === null || move.candidates_before === 1
      ? null
      : [h("b", {}, fixed(move.bits_gained, 1)), ` bits learnt, ${fixed(move.bits_expected, 1)} expected`],
    move.hard === false ? ["not a hard-mode guess"] : null,
  ];
  const listed = !move.solved && move.words_after.length > 1;
  return h(
    "article",
    { class: "card move", "aria-label": `Move ${move.turn}` },
    h(
      "div",
      { class: "move-tiles" },
      guessed(move.guess, move.feedback, "story"),
      h(
        "div",
        { class: "move-bars" },
        meter("Skill", move.choice ? move.skill : null, "no choice"),
        meter("Luck", move.luck, "no luck in it"),
      ),
    ),
    h(
      "div",
      { class: "stack" },
      h("p", { class: "verdict" }, h("b", {}, `${move.turn}. `), move.sentence),
      h(
        "ul",
        { class: "facts" },
        facts.filter(Boolean).map((fact) => h("li", {}, fact)),
      ),
      listed
        ? h(
            "details",
            {},
            h("summary", { class: "soft small" }, `The ${move.candidates_after} that are left`),
            h(
              "ul",
              { class: "chips" },
              move.words_after.map((word) => h("li", {}, word)),
            ),
          )
        : null,
    ),
  );
}

/** Return how Sleuth plays on from the same opener. */
function line(review) {
  if (!review.line) return [];
  return [
    h(
      "div",
      { class: "card stack" },
      h("h2", {}, "Sleuth, from the same first guess"),
      h(
        "ol",
        { class: "line-of-play" },
        review.line.map(({ guess, feedback }) => h("li", {}, guessed(guess, feedback))),
      ),
      h(
        "p",
        { class: "soft small" },
        count(review.line.length, "guess", "guesses"),
        review.solved ? `; you took ${review.turns}.` : ".",
      ),
    ),
  ];
}

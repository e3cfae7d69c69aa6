// Which game is meant: the same small object that the API takes, its words for people, and its form fields.

import { count, field, grouped, h, select, whole } from "./dom.js";
import { get } from "./api.js";
import { coloursOf, offerOf, offers } from "./offers.js";
import { wordsField } from "./own.js";
import { load, save } from "./storage.js";

export const DEFAULT = { game: "wordle", words: "original", mode: "easy" };

const GAMES = ["wordle", "mastermind", "bulls-and-cows"];
const LISTS = {
  original: "Original words",
  "original-guesses": "Original words, every guess",
  nyt: "New York Times",
  "nyt-guesses": "New York Times, every guess",
};
const MODES = {
  easy: "Easy: any word",
  hard: "Hard: hints are kept",
  strict: "Strict: every guess must fit",
};
const LANGUAGES = {
  de: "German",
  en: "English",
  es: "Spanish",
  fr: "French",
  it: "Italian",
  nl: "Dutch",
  pl: "Polish",
  pt: "Portuguese",
  ru: "Russian",
  sv: "Swedish",
};
const COLOURS = [4, 5, 6, 7, 8];
/** Whether feedback is a mark for each letter; else it is two numbers. */
export const hasMarks = (game) => game.game === "wordle";

/** Return what an answer of a game is called. */
export const nounOf = (game) => (hasMarks(game) ? "word" : "code");

/** Return how long the guesses of a game are. */
export function lengthOf(game) {
  if (!hasMarks(game)) return game.pegs ?? 4;
  if (game.answers) return [...game.answers[0]].length;
  return game.words.startsWith("frequent:") ? Number(game.words.split(":")[2]) : 5;
}

/** Whether words are so long that their tiles stand closer. */
export const hasLongWords = (game) => hasMarks(game) && lengthOf(game) > 10;

/** Return how many guesses a game of one board has. */
export const turnsOf = (game) => (hasMarks(game) ? 6 : 10);

/** Return the language of a game's words where it is known. */
export const languageOf = (game) => (game.words?.startsWith("frequent:") ? game.words.split(":")[1] : "en");

/** Return a game in a few words. */
export const titleOf = (game) => grouped(keptTitleOf(game));

/** Return the same without commas in numbers: finished games are counted by it, so it stays as it is. */
export function keptTitleOf(game) {
  const mode = game.mode === "easy" ? "" : `, ${game.mode} mode`;
  if (game.game === "mastermind")
    return `Mastermind, ${game.pegs ?? 4} pegs of ${game.colours ?? 6} colours${mode}`;
  if (game.game === "bulls-and-cows") return `Bulls and Cows, ${game.pegs ?? 4} digits${mode}`;
  if (game.answers) return `${game.answers.length} words of your own${mode}`;
  if (LISTS[game.words]) return LISTS[game.words] + mode;
  const [, language, length, size] = game.words.split(":");
  return `${size} frequent words, ${LANGUAGES[language] ?? language}, ${length} letters${mode}`;
}

/** Return what is guessed without how it is played: a list or a kind of codes, as people call it. */
export const nameOfList = (game) => keptTitleOf({ ...game, mode: "easy" });

/** Return a game as an address names it. Words of your own are not in it; the link says that they are. */
export function toQuery(game) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(game)) {
    if (DEFAULT[name] !== value && name !== "answers" && name !== "guesses") query.set(name, value);
  }
  if (game.answers) query.set("words", "own");
  return query;
}

/**
 * Return a reader of a part of an address: the value it has where that `fits`, else the usual one. What does
 * not fit is left out with a remark for the person.
 */
export const reader =
  (query, remarks) =>
  (name, usual, fits, allowed) => {
    const value = query.get(name);
    if (value === null || fits(value)) return value ?? usual;
    const shown = value.length > 30 ? `${value.slice(0, 30)}…` : value;
    remarks.push(`there is no “${name}=${shown}”: ${allowed}`);
    return usual;
  };

/** Return whether a text is a whole number from least to most. */
export const isWhole = (least, most) => (text) =>
  /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most;

/** Return whether a text is one of some. */
export const isOneOf = (allowed) => (text) => allowed.includes(text);

function isList(text) {
  const [, length, size] = /^frequent:[a-z-]{2,10}:(\d{1,2}):(\d{1,5})$/.exec(text) ?? [];
  return Object.hasOwn(LISTS, text) || (Number(length) >= 2 && Number(length) <= 10 && Number(size) >= 1);
}

/** Return the words of your own that a link carries, nothing where these cannot be played with; then `remarks` say why. */
function wordsIn(list, remarks) {
  const words = [...new Set(list.toLowerCase().split(".").filter(Boolean))];
  const length = (word) => [...word].length;
  const signs = words.find((word) => !/^[\p{L}\p{N}]+$/u.test(word));
  const odd = words.find((word) => length(word) !== length(words[0]));
  if (words.length < 2) remarks.push("the list of a link has at least two words, with dots between them");
  else if (signs) remarks.push(`the words of a link have letters and digits only, “${signs}” has others`);
  else if (odd)
    remarks.push(
      `the words of a link must all have one length: “${words[0]}” has ${count(length(words[0]), "letter")}, “${odd}” has ${length(odd)}`,
    );
  else return words;
  return null;
}

/** Return the words of your own that are meant: those of a link, else those of this browser. */
function ownWords(list, remarks) {
  if (list) return wordsIn(list, remarks);
  const own = load("own");
  if (!own) remarks.push("these words were somebody's own, and this browser does not have them");
  return own;
}

const LONGEST = 2000;

/** Return the address of a view with what stands after its #, which browsers keep to themselves, and whether it opens
 * elsewhere too: a long list of words of your own stays here. @param {string} path @param {URLSearchParams} query
 * @param {any} game @returns {{ address: string, portable: boolean }} */
export function addressWith(path, query, game) {
  const plain = (/** @type {URLSearchParams} */ some) =>
    String(some).replace(/%(3A|2F|28|29|2C)/g, (code) => decodeURIComponent(code));
  const short = plain(query) ? `${path}#${plain(query)}` : path;
  if (!game.answers) return { address: short, portable: true };
  const full = new URLSearchParams(query);
  full.set("list", game.answers.join("."));
  const whole = `${path}#${plain(full)}`;
  return whole.length <= LONGEST ? { address: whole, portable: true } : { address: short, portable: false };
}

/** Return the game that an address names, one that there is whatever it says; add to `remarks` what it left out. */
export function fromQuery(query, remarks) {
  const read = reader(query, remarks);
  const modes = Object.keys(MODES);
  const mode = read("mode", "easy", isOneOf(modes), `modes are ${modes.join(", ")}`);
  const game = read("game", "wordle", isOneOf(GAMES), `games are ${GAMES.join(", ")}`);
  if (game === "wordle" && query.get("words") === "own") {
    const own = ownWords(query.get("list"), remarks);
    return own ? { game, answers: own, mode } : { ...DEFAULT, mode };
  }
  if (game === "wordle") {
    const lists = `words are ${Object.keys(LISTS).join(", ")} or such as frequent:de:6:2000`;
    return { game, words: read("words", "original", isList, lists), mode };
  }
  const pegs = Number(read("pegs", 4, isWhole(2, 10), "a code has 2 to 10 pegs"));
  if (game === "bulls-and-cows") return { game, pegs, mode };
  return { game, pegs, colours: Number(read("colours", 6, isWhole(2, 35), "there are 2 to 35 colours")), mode };
}

/** Return the game a view was last used with. */
export const remembered = (view) => load(`game.${view}`) ?? DEFAULT;

/**
 * Return form fields for a game: list, what a list needs, and mode. `changed(game)` is called with every game
 * that is complete. `pegs`: whether games of pegs are offered too; `own`: whether words of one's own are, asked for in a
 * dialog or by the caller ("beside"); `most`: answers that a list may have.
 *
 * @param {any} game
 * @param {(game: any) => void} changed
 * @param {{ view?: string, pegs?: boolean, own?: boolean | "beside", most?: number }} [options]
 */
export function gameFields(game, changed, { view, pegs = true, own = true, most = Infinity } = {}) {
  const place = h("div", { class: "game-fields" });
  let current = { ...game };
  /** @type {import("./offers.js").Offer[]} */
  let all = [];
  const update = (next) => {
    current = next;
    if (view) save(`game.${view}`, current);
    draw();
    changed(current);
  };
  const kind = () =>
    current.game !== "wordle"
      ? current.game
      : current.answers
        ? "own"
        : current.words.startsWith("frequent:")
          ? "frequent"
          : current.words;
  /** Return some values without those that the server does not take, as far as that is known. */
  function offered(values, takes) {
    const offer = offerOf(all, current);
    return offer ? values.filter((value) => takes(offer, value)) : values;
  }
  function choose(id) {
    const offer = offerOf(all, { game: GAMES.includes(id) ? id : "wordle" });
    const mode = offer && !offer.modes.includes(current.mode) ? "easy" : current.mode;
    if (id === "mastermind") update({ game: id, pegs: 4, colours: 6, mode });
    else if (id === "bulls-and-cows") update({ game: id, pegs: 4, mode });
    else if (id === "own" && own === "beside")
      update({ game: "wordle", answers: current.answers ?? load("own") ?? [], mode });
    else if (id === "own")
      askForWords(current.answers, (answers) => update({ game: "wordle", answers, mode }), draw);
    else if (id === "frequent") update({ game: "wordle", words: "frequent:en:5:3000", mode });
    else update({ game: "wordle", words: id, mode });
  }
  function draw() {
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = place.contains(active) ? active?.dataset.name : null;
    const large = offerOf(all, { game: "wordle" })?.words.filter(({ answers }) => answers > most) ?? [];
    const lists = [
      ...Object.entries(LISTS).filter(([id]) => !large.some((list) => list.id === id)),
      ["frequent", "Frequent words of a language…"],
      ...(own ? [["own", own === "beside" ? "Words of your own" : "Words of your own…"]] : []),
      ...(pegs
        ? [
            ["mastermind", "Mastermind"],
            ["bulls-and-cows", "Bulls and Cows"],
          ]
        : []),
    ];
    /** @type {HTMLElement[]} */
    const parts = [
      named(
        "list",
        "Words",
        select(lists, kind(), (event) => choose(event.target.value)),
      ),
    ];
    if (kind() === "frequent") parts.push(...frequentFields());
    if (kind() === "own" && own !== "beside") {
      parts.push(
        h("button", { type: "button", class: "button", onclick: () => choose("own") }, "Change the words…"),
      );
    }
    if (!hasMarks(current)) parts.push(...pegFields());
    parts.push(
      named(
        "mode",
        "Mode",
        select(
          offered(Object.entries(MODES), ({ modes }, [id]) => modes.includes(id)),
          current.mode,
          (event) => update({ ...current, mode: event.target.value }),
        ),
      ),
    );
    place.replaceChildren(...parts);
    if (focused) place.querySelector(`[data-name="${focused}"]`)?.focus();
  }
  function named(name, label, control) {
    control.dataset.name = name;
    return field(label, control);
  }
  function frequentFields() {
    const [, language, length, size] = current.words.split(":");
    const set = (position) => (event) => {
      const words = current.words.split(":");
      words[position] = event.target.value;
      update({ ...current, words: words.join(":") });
    };
    return [
      named("language", "Language", select(Object.entries(LANGUAGES), language, set(1))),
      named(
        "length",
        "Letters",
        select(
          [3, 4, 5, 6, 7, 8, 9].map((n) => [n, String(n)]),
          length,
          set(2),
        ),
      ),
      named(
        "size",
        "How many words",
        select(
          [500, 1000, 2000, 3000, 5000].map((n) => [n, whole(n)]),
          size,
          set(3),
        ),
      ),
    ];
  }
  function pegFields() {
    const isMastermind = current.game === "mastermind";
    const pegs = offered([3, 4, 5], (offer, n) => coloursOf(offer, n) >= COLOURS[0]);
    const colours = (n) => offered(COLOURS, (offer, some) => some <= coloursOf(offer, n));
    const setPegs = ({ target }) => {
      const n = Number(target.value);
      const most = isMastermind ? { colours: Math.min(current.colours, ...colours(n).slice(-1)) } : {};
      update({ ...current, pegs: n, ...most });
    };
    const numbers = (some) => some.map((n) => [n, String(n)]);
    const pegsField = named(
      "pegs",
      isMastermind ? "Pegs" : "Digits",
      select(numbers(pegs), current.pegs, setPegs),
    );
    if (!isMastermind) return [pegsField];
    const setColours = ({ target }) => update({ ...current, colours: Number(target.value) });
    return [pegsField, named("colours", "Colours", select(numbers(colours(current.pegs)), current.colours, setColours))];
  }
  draw();
  offers().then(
    (found) => {
      all = found;
      draw();
    },
    () => {}, // what the server does not take it refuses in words
  );
  return place;
}

/** Ask for a list of words in a dialog. */
function askForWords(words = [], accept, cancelled) {
  const own = wordsField(words);
  const problem = h("p", { class: "small soft", role: "alert" });
  const dialog = h(
    "dialog",
    { "aria-label": "Words of your own" },
    h(
      "form",
      {
        class: "stack",
        method: "dialog",
        onsubmit: (event) => {
          const found = own.read();
          problem.textContent = found.length < 2 ? "Give at least two words." : "";
          if (problem.textContent) event.preventDefault();
          else {
            save("own", found);
            accept(found);
          }
        },
      },
      h("h2", {}, "Words of your own"),
      own.element,
      problem,
      h(
        "div",
        { class: "cluster" },
        h("button", { class: "button primary" }, "Use these words"),
        h("button", { class: "button", type: "button", onclick: () => dialog.close() }, "Cancel"),
      ),
    ),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    cancelled();
  });
  document.body.append(dialog);
  dialog.showModal();
}

let strategies;
/** Return the strategies there are, asked once. */
export const allStrategies = () =>
  (strategies ??= get("/strategies").then(
    (answer) => answer.strategies,
    (error) => {
      strategies = undefined;
      throw error;
    },
  ));

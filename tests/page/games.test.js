// Which game is meant: its words for people and its address. games.js, offers.js, layouts.js.

import { startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  DEFAULT,
  addressWith,
  fromQuery,
  hasLongWords,
  isOneOf,
  isWhole,
  keptTitleOf,
  languageOf,
  lengthOf,
  nameOfList,
  nounOf,
  reader,
  remembered,
  titleOf,
  toQuery,
  turnsOf,
} from "../../src/sleuth/web/static/js/games.js";
import { layoutOf, othersOf } from "../../src/sleuth/web/static/js/layouts.js";
import { adapted, coloursOf, fitted, kindsOf, offerOf } from "../../src/sleuth/web/static/js/offers.js";
import { save } from "../../src/sleuth/web/static/js/storage.js";

beforeEach(startOver);

const frequent = (spec, mode = "easy") => ({ game: "wordle", words: `frequent:${spec}`, mode });
const own = (...answers) => ({ game: "wordle", answers, mode: "easy" });
const mastermind = { game: "mastermind", pegs: 4, colours: 6, mode: "easy" };
const bulls = { game: "bulls-and-cows", pegs: 4, mode: "easy" };
const read = (text) => {
  const remarks = [];
  return { game: fromQuery(new URLSearchParams(text), remarks), remarks };
};

test("a game is told by what it is played with", () => {
  const games = [DEFAULT, frequent("de:11:500"), own("katze", "hunde"), mastermind, bulls];
  assert.deepEqual(games.map(nounOf), ["word", "word", "word", "code", "code"]);
  assert.deepEqual(games.map(lengthOf), [5, 11, 5, 4, 4]);
  assert.deepEqual(games.map(turnsOf), [6, 6, 6, 10, 10]);
  assert.deepEqual(games.map(hasLongWords), [false, true, false, false, false]);
  assert.deepEqual(games.map(languageOf), ["en", "de", "en", "en", "en"]);
  assert.ok(!hasLongWords(frequent("de:10:500")));
  assert.equal(lengthOf({ game: "mastermind" }), 4);
});

test("letters outside the basic plane count as one", () => {
  assert.equal(lengthOf(own("𝔞𝔟𝔠", "𝔞𝔟𝔡")), 3);
});

test("titles name the list, its language and a mode other than easy", () => {
  assert.equal(titleOf(DEFAULT), "Original words");
  assert.equal(titleOf({ ...DEFAULT, words: "nyt-guesses", mode: "hard" }), "New York Times, every guess, hard mode");
  assert.equal(titleOf(frequent("de:6:2000", "strict")), "2,000 frequent words, German, 6 letters, strict mode");
  assert.equal(titleOf(frequent("xx:6:500")), "500 frequent words, xx, 6 letters");
  assert.equal(titleOf(own("katze", "hunde")), "2 words of your own");
  assert.equal(titleOf(mastermind), "Mastermind, 4 pegs of 6 colours");
  assert.equal(titleOf({ game: "mastermind", mode: "easy" }), "Mastermind, 4 pegs of 6 colours");
  assert.equal(titleOf({ ...bulls, mode: "hard" }), "Bulls and Cows, 4 digits, hard mode");
});

test("a title by which games are counted has no commas in numbers, and the list has no mode", () => {
  assert.equal(keptTitleOf(frequent("en:5:3000")), "3000 frequent words, English, 5 letters");
  assert.equal(nameOfList(frequent("en:5:3000", "hard")), "3000 frequent words, English, 5 letters");
});

test("an address leaves out what is usual and never has the words of one's own", () => {
  assert.equal(String(toQuery(DEFAULT)), "");
  assert.equal(String(toQuery({ ...DEFAULT, words: "nyt", mode: "hard" })), "words=nyt&mode=hard");
  assert.equal(String(toQuery({ ...own("katze", "hunde"), guesses: ["vogel"] })), "words=own");
  assert.equal(String(toQuery(mastermind)), "game=mastermind&pegs=4&colours=6");
});

test("every game reads back from its address", () => {
  for (const game of [
    DEFAULT,
    { ...DEFAULT, words: "nyt", mode: "strict" },
    frequent("pt-br:10:99999"),
    mastermind,
    bulls,
  ])
    assert.deepEqual(read(toQuery(game)), { game, remarks: [] });
  const { address } = addressWith("/analyse", toQuery(own("größe", "straße".slice(0, 5))), own("größe", "straß"));
  assert.deepEqual(read(address.split("#")[1]), { game: own("größe", "straß"), remarks: [] });
});

test("what an address says and there is not is left out with a remark", () => {
  for (const [text, says] of [
    ["game=chess", "there is no “game=chess”: games are wordle, mastermind, bulls-and-cows"],
    ["game=constructor", "there is no “game=constructor”"],
    ["mode=impossible", "there is no “mode=impossible”: modes are easy, hard, strict"],
    ["words=<b>", "there is no “words=<b>”: words are original, original-guesses, nyt, nyt-guesses or such as"],
    ["words=toString", "there is no “words=toString”"],
    ["words=frequent:en", "there is no “words=frequent:en”"],
    ["words=frequent:en:1:500", "frequent:en:1:500"],
    ["words=frequent:en:11:500", "frequent:en:11:500"],
    ["words=frequent:en:5:0", "frequent:en:5:0"],
    ["words=own", "these words were somebody's own, and this browser does not have them"],
  ]) {
    const { game, remarks } = read(text);
    assert.deepEqual(game, DEFAULT);
    assert.equal(remarks.length, 1, text);
    assert.ok(remarks[0].includes(says), remarks[0]);
  }
});

test("sizes of codes that there are not are usual ones, each with a remark", () => {
  const { game, remarks } = read("game=mastermind&pegs=-3&colours=NaN");
  assert.deepEqual(game, mastermind);
  assert.deepEqual(
    remarks.map((one) => one.split(":")[0]),
    ["there is no “pegs=-3”", "there is no “colours=NaN”"],
  );
  assert.deepEqual(read("game=mastermind&pegs=10&colours=35").game, { ...mastermind, pegs: 10, colours: 35 });
  assert.equal(read("game=mastermind&pegs=11").remarks.length, 1);
  assert.equal(read("game=mastermind&colours=1").remarks.length, 1);
  assert.equal(read("game=bulls-and-cows&pegs=1").remarks.length, 1);
});

test("a long value is shown cut off", () => {
  const { remarks } = read(`words=${"x".repeat(31)}`);
  assert.ok(remarks[0].includes(`“words=${"x".repeat(30)}…”`));
  assert.ok(read(`words=${"x".repeat(30)}`).remarks[0].includes(`“words=${"x".repeat(30)}”`));
});

test("words of a link are lower case, each once", () => {
  assert.deepEqual(read("words=own&list=Katze.hunde.KATZE.").game, own("katze", "hunde"));
  assert.deepEqual(read("words=own&list=ÄPFEL.größe").game, own("äpfel", "größe"));
});

test("words of a link that cannot be played with are told", () => {
  for (const [list, says] of [
    ["katze.hund", "the words of a link must all have one length: “katze” has 5 letters, “hund” has 4"],
    ["a.bc", "“a” has 1 letter, “bc” has 2"],
    ["katze", "the list of a link has at least two words, with dots between them"],
    ["katze.hun-e", "the words of a link have letters and digits only, “hun-e” has others"],
    ["<b>xx.hunde", "“<b>xx” has others"],
  ]) {
    const { game, remarks } = read(new URLSearchParams({ words: "own", list }));
    assert.deepEqual(game, DEFAULT);
    assert.equal(remarks.length, 1);
    assert.ok(remarks[0].includes(says), remarks[0]);
  }
});

test("words of one's own are those of this browser where a link has none", () => {
  save("own", ["katze", "hunde"]);
  assert.deepEqual(read("words=own&mode=hard"), { game: { ...own("katze", "hunde"), mode: "hard" }, remarks: [] });
  assert.deepEqual(read("words=own&list=vogel.fisch").game, own("vogel", "fisch"));
});

test("a link has words of one's own as long as it is no longer than a link may be", () => {
  const query = toQuery(own("katze", "hunde"));
  assert.deepEqual(addressWith("/analyse", query, own("katze", "hunde")), {
    address: "/analyse#words=own&list=katze.hunde",
    portable: true,
  });
  const ofLength = (n) => own("a".repeat(n - "/analyse#words=own&list=.b".length), "b");
  assert.equal(addressWith("/analyse", query, ofLength(2000)).portable, true);
  assert.equal(addressWith("/analyse", query, ofLength(2000)).address.length, 2000);
  assert.deepEqual(addressWith("/analyse", query, ofLength(2001)), { address: "/analyse#words=own", portable: false });
});

test("an address is as plain as it can be", () => {
  const query = new URLSearchParams({ rows: "salet:bbybb (a:1,2/b)" });
  assert.equal(addressWith("/analyse", query, DEFAULT).address, "/analyse#rows=salet:bbybb+(a:1,2/b)");
  assert.equal(addressWith("/analyse", new URLSearchParams(), DEFAULT).address, "/analyse");
  assert.equal(addressWith("/x", new URLSearchParams({ a: "1+1&b=%" }), DEFAULT).address, "/x#a=1%2B1%26b%3D%25");
});

test("whole numbers have bounds, and nothing else is one", () => {
  const fits = isWhole(1, 20);
  assert.deepEqual(["1", "20", "007"].map(fits), [true, true, true]);
  assert.deepEqual(["0", "21", "", "1.0", "-1", "1e1", " 1", "x"].filter(fits), []);
  assert.ok(!isWhole(0, Infinity)("99999999999"));
  assert.deepEqual(["a", "toString"].map(isOneOf(["a"])), [true, false]);
});

test("a reader gives what stands there, the usual where nothing does", () => {
  const remarks = [];
  const take = reader(new URLSearchParams("a=&b=2"), remarks);
  assert.equal(take("c", 7, isWhole(0, 9), "digits"), 7);
  assert.equal(take("b", 7, isWhole(0, 9), "digits"), "2");
  assert.deepEqual(remarks, []);
  assert.equal(take("a", 7, isWhole(0, 9), "digits"), 7);
  assert.deepEqual(remarks, ["there is no “a=”: digits"]);
});

test("a view remembers its game", () => {
  assert.deepEqual(remembered("compare"), DEFAULT);
  save("game.compare", bulls);
  assert.deepEqual(remembered("compare"), bulls);
});

const KINDS = [
  { variant: "standard", mode: "easy", boards: 32, letters: 10 },
  { variant: "standard", mode: "hard", boards: 1, letters: 10 },
  { variant: "absurdle", mode: "easy", boards: 1, letters: 10 },
  { variant: "fibble", mode: "easy", boards: 32, letters: 6 },
];
const OFFER = { id: "mastermind", modes: ["easy"], words: [], kinds: KINDS, sizes: [{ pegs: 4, colours: 8 }] };

test("what does not go with a choice gives way, and that is said", () => {
  const choice = (boards, variant, mode) => ({ game: { ...DEFAULT, mode }, boards, variant });
  const before = choice(4, "standard", "hard");
  assert.deepEqual(fitted(before, "boards", KINDS), choice(4, "standard", "easy"));
  assert.equal(adapted(before, fitted(before, "boards", KINDS)), "Changed to fit: easy mode.");
  assert.deepEqual(fitted(before, "game", KINDS), choice(1, "standard", "hard"));
  assert.deepEqual(fitted(choice(4, "absurdle", "easy"), "variant", KINDS), choice(1, "absurdle", "easy"));
  assert.equal(adapted(choice(4, "absurdle", "easy"), choice(1, "absurdle", "easy")), "Changed to fit: 1 board.");
  assert.equal(
    adapted(choice(1, "fibble", "easy"), choice(2, "standard", "hard")),
    "Changed to fit: 2 boards, standard variant, hard mode.",
  );
});

test("a choice that goes together stays, and so does one of which nothing is known", () => {
  const choice = { game: DEFAULT, boards: 2, variant: "fibble" };
  assert.deepEqual(fitted(choice, "game", KINDS), choice);
  assert.equal(adapted(choice, choice), "");
  assert.equal(fitted(choice, "game", []), choice);
});

test("kinds and sizes are those of the game", () => {
  assert.equal(offerOf([OFFER], mastermind), OFFER);
  assert.equal(offerOf([OFFER], bulls), undefined);
  assert.deepEqual(
    [4, 5].map((pegs) => coloursOf(OFFER, pegs)),
    [8, 0],
  );
  assert.deepEqual(kindsOf(OFFER, 6), KINDS);
  assert.deepEqual(kindsOf(OFFER, 7), KINDS.slice(0, 3));
});

test("a language has its keyboard", () => {
  assert.deepEqual(layoutOf(DEFAULT), ["qwertyuiop", "asdfghjkl", "zxcvbnm"]);
  assert.deepEqual(layoutOf(frequent("de:5:500"))[0], "qwertzuiopü");
  assert.deepEqual(layoutOf(frequent("xx:5:500")), layoutOf(DEFAULT));
  assert.ok(layoutOf(frequent("fr:5:500")).includes("azertyuiop"));
});

test("every key of a layout is there once", () => {
  for (const code of ["de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv"]) {
    const letters = [...layoutOf(frequent(`${code}:5:500`)).join("")];
    assert.equal(new Set(letters).size, letters.length, code);
  }
});

test("words of one's own get the keyboard with most of their letters, and keys for the rest", () => {
  assert.deepEqual(layoutOf(own("größe", "süßes")), layoutOf(frequent("de:5:500")));
  assert.deepEqual(layoutOf(own("слово", "замок")), layoutOf(frequent("ru:5:500")));
  assert.deepEqual(layoutOf(own("crane", "slate")), layoutOf(DEFAULT));
  assert.deepEqual(layoutOf(own("a1b2c", "c3b4a")), ["1234", ...layoutOf(DEFAULT)]);
  const many = "אבגדהוזחטיכלמנ";
  assert.deepEqual(
    layoutOf(own(many))
      .slice(0, 2)
      .map((row) => row.length),
    [12, 2],
  );
});

test("letters of other languages are offered where a list may have them", () => {
  assert.deepEqual(othersOf(DEFAULT), []);
  assert.deepEqual(othersOf(own("katze", "hunde")), []);
  assert.match(othersOf(frequent("en:5:500")).join(""), /é/);
  assert.deepEqual(othersOf(frequent("ru:5:500")), layoutOf(DEFAULT));
});

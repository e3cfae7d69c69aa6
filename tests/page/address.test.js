// The address of what is on the board: board/address.js.

import { startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { addressOf, stateFrom } from "../../src/sleuth/web/static/js/board/address.js";
import { lineThrough, rowsTo, size } from "../../src/sleuth/web/static/js/board/tree.js";
import { DEFAULT } from "../../src/sleuth/web/static/js/games.js";
import { save } from "../../src/sleuth/web/static/js/storage.js";

const rowsOf = ({ root }) =>
  rowsTo(root, lineThrough(root, [])).map(({ guess, feedback }) => `${guess}:${feedback.join("/")}`);
const read = (query) => stateFrom(`#${query}`);

beforeEach(startOver);

test("an address says all and reads back", () => {
  for (const part of [
    "rows=salet:bbybb+courd:bbbgb+(crony:bgbbb+grill:ggggg+(blimp:bbbbb))+whirl:ggggg&line=0.1.0",
    "words=nyt&mode=hard&tab=words&rows=salet:bbybb+courd:bbbgb&at=1&answer=whirl",
    "boards=2&rows=salet:bbybb/bgbbb+courd:bbbgb/&answer=whirl/cabal",
    "boards=2&answer=/cabal",
    "variant=absurdle&rows=salet:bbbbb",
    "game=mastermind&pegs=5&colours=8&rows=11223:1,1",
    "tab=try&rows=salet:bbybb&try=crony",
    "rows=salet:bbybb&better=crony&at=0",
    "tab=openers&sort=worst",
    "words=own&rows=katze:bbbbb&list=katze.hunde.vogel",
    "words=frequent:de:5:500&rows=größe:bbybb",
  ]) {
    const { state, remarks } = read(part);
    assert.deepEqual(remarks, [], part);
    const { address } = addressOf(state);
    const parts = new Set(decodeURIComponent(address).replace("/analyse#", "").split("&"));
    assert.deepEqual(parts, new Set(part.split("&")));
    assert.deepEqual(stateFrom(address.replace("/analyse", "")).state, state);
  }
});

test("an empty address is an empty board", () => {
  const { state, remarks } = stateFrom("");
  assert.deepEqual(
    { ...state, root: null },
    {
      ...{ game: DEFAULT, variant: "standard", boards: 1, answers: [""], root: null, at: [] },
      ...{ tab: "guesses", sort: "guesses", tried: "", better: "" },
    },
  );
  assert.deepEqual(remarks, []);
  assert.deepEqual(addressOf(state), { address: "/analyse", portable: true });
});

test("a place is a number of rows, or a path into variations, and otherwise the end", () => {
  const rows = "rows=salet:bbybb+courd:bbbgb+(crony:bgbbb)";
  assert.deepEqual(
    ["", "&at=1", "&at=0", "&at=9", "&at=99", "&at=x", "&line=0.1", "&line=0.7.1", "&line=a"].map((more) =>
      read(rows + more).state.at.join("."),
    ),
    [...["0.0", "0", "", "0.0", "0.0", "0.0", "0.1", "0", "0.0"]],
  );
});

test("marks are letters or digits, in any case", () => {
  assert.deepEqual(rowsOf(read("rows=SALET:BBYBB+courd:00020").state), ["salet:bbybb", "courd:bbbgb"]);
});

test("without colours rows get what the answer gives", () => {
  const { state, remarks } = read("rows=salet+crony+whirl&answer=Whirl");
  assert.deepEqual(rowsOf(state), ["salet:bbybb", "crony:bybbb", "whirl:ggggg"]);
  assert.deepEqual(remarks, []);
  assert.deepEqual(rowsOf(read("boards=2&rows=whirl+salet&answer=whirl/cabal").state), [
    "whirl:ggggg/bbbbg",
    "salet:/bgybb",
  ]);
  const over = read("rows=whirl+salet&answer=whirl");
  assert.deepEqual(rowsOf(over.state), ["whirl:ggggg"]);
  assert.match(over.remarks[0], /row 2, “salet”, is none: the row before it is right$/);
});

test("rows of variations get what the answer gives, too", () => {
  const { state } = read("rows=salet+(crony+grill)+courd+whirl&answer=whirl");
  assert.equal(
    addressOf(state).address,
    "/analyse#rows=salet:bbybb+(crony:bybbb+grill:bygbg)+courd:bbbgb+whirl:ggggg&answer=whirl",
  );
});

test("a host without a fixed answer gives no colours", () => {
  const { state, remarks } = read("variant=absurdle&rows=salet&answer=whirl");
  assert.deepEqual([rowsOf(state), state.answers], [[], ["whirl"]]);
  assert.match(remarks[0], /it does not say what the guess got$/);
});

test("without its answer an address does not say what the guesses got", () => {
  const { state, remarks } = stateFrom("#rows=salet+crony:bybbb&answer=zzzzz", false);
  assert.deepEqual(
    [rowsOf(state), state.answers, remarks],
    [[], [""], ["without the answer it is not known what the guesses got"]],
  );
  const told = stateFrom("#rows=salet:bbybb&answer=zzzzz", false);
  assert.deepEqual([rowsOf(told.state), told.remarks], [["salet:bbybb"], []]);
});

test("rows that are none are told with what is wrong, and those before them stay", () => {
  for (const [rows, says, stay] of [
    ["", "rows in an address are such as salet:bbybb; there are none", 0],
    ["nonsense", "row 1, “nonsense”, is none: “nonsense” has 8, not 5 letters", 0],
    ["salet:bbybb cou:bbb", "row 2, “cou:bbb”, is none: “cou” has 3, not 5 letters", 1],
    ["salet:xyzzy", "“xyzzy” is not what a guess gets", 0],
    ["salet:", "“” is not what a guess gets", 0],
    ["salet:bbybb crony:bbybbb", "“bbybbb” has 6 marks for 5 letters", 1],
    ["salet:b", "“b” has 1 mark for 5 letters", 0],
    ["salet:bbybb courd", "row 2, “courd”, is none: it does not say what the guess got", 1],
    ["salet:bbybb/bbbbb", "it has what 2 boards showed, not 1", 0],
    ["salet:bbybb:x", "it has more than a guess and what it got", 0],
    ["salet:bbybb )", "a bracket is closed that was not opened", 1],
    ["(salet:bbybb)", "a bracket comes before all rows", 0],
    ["salet:bbybb (crony:bbbbb", "a bracket is not closed", 1],
    [`${"x".repeat(31)}:b`, `“${"x".repeat(30)}…”, is none`, 0],
    [`${"salet:bbybb ".repeat(33)}`, "from row 33 on there are too many", 32],
  ]) {
    const { state, remarks } = read(new URLSearchParams({ rows }));
    assert.equal(remarks.length, 1, rows);
    assert.ok(remarks[0].includes(says), `${remarks[0]}, not ${says}`);
    assert.equal(rowsOf(state).length, stay, rows);
  }
});

test("codes have two numbers and examples of their own", () => {
  assert.deepEqual(read("game=mastermind&rows=1122:1,2").remarks, []);
  assert.match(
    read("game=mastermind&rows=salet:bbybb").remarks[0],
    /such as 1122:1,2; row 1, “salet:bbybb”, is none: “salet” has 5, not 4 signs/,
  );
  assert.match(
    read("game=bulls-and-cows&rows=0123:bbbb").remarks[0],
    /such as 0123:1,2; .* “bbbb” is not what a guess gets/,
  );
});

test("one address cannot ask for more rows than a board may have", () => {
  const many = `salet:bbybb ${Array.from({ length: 450 }, (_, i) => `(w${String(i).padStart(4, "0")}:bbbbb)`).join(" ")}`;
  const { state, remarks } = read(new URLSearchParams({ rows: many }));
  assert.equal(size(state.root), 400);
  assert.match(remarks[0], /there are too many$/);
});

test("what an address cannot mean is told, and the rest is taken", () => {
  for (const [query, says] of [
    ["answer=zz", "“answer=zz” has not 5 letters"],
    ["tab=try&try=abc", "“try=abc” has not 5 letters"],
    ["better=abcdef", "“better=abcdef” has not 5 letters"],
    ["game=mastermind&answer=zzzzz", "“answer=zzzzz” has not 4 signs"],
    ["boards=99", "1 to 8 boards are analysed together"],
    ["boards=0", "1 to 8 boards are analysed together"],
    ["tab=chess", "there is no “tab=chess”: tabs are guesses, try"],
    ["sort=size", "orders are guesses, bits, left, worst, groups, chance"],
    ["variant=chess", "variants are standard, absurdle, fibble"],
    ["game=chess", "game=chess"],
    ["boards=2&variant=fibble", "fibble has one board"],
    ["game=mastermind&variant=fibble", "fibble is played with words"],
    ["boards=2&mode=hard", "several boards are played in easy mode"],
    ["variant=fibble&mode=strict", "fibble is played in easy mode"],
  ]) {
    const { remarks } = read(query);
    assert.equal(remarks.length, 1, query);
    assert.ok(remarks[0].includes(says), remarks[0]);
  }
  const { state } = read("boards=2&variant=fibble&mode=hard");
  assert.deepEqual([state.boards, state.variant, state.game.mode], [2, "standard", "easy"]);
  assert.equal(read("boards=2&better=crony").state.better, "");
});

test("words that cannot be had are told with those in their place", () => {
  for (const [rows, says] of [
    ["rows=salet:bbybb&", "its rows are read against the original words instead"],
    ["rows=hunde:bbybb+schnee:bbbbbb&", "its rows are read against the original words instead"],
    ["", "here are the original words instead"],
  ]) {
    const { state, remarks } = read(`${rows}words=own`);
    assert.deepEqual(remarks, ["these words were somebody's own, and this browser does not have them", says]);
    assert.deepEqual(state.game, DEFAULT);
  }
  save("own", ["katze", "hunde"]);
  assert.deepEqual(read("words=own").state.game.answers, ["katze", "hunde"]);
});

test("own words too many for a link stay here", () => {
  const answers = Array.from({ length: 400 }, (_, i) => `wo${String(i).padStart(3, "0")}`);
  const { address, portable } = addressOf({ ...stateFrom("").state, game: { game: "wordle", answers, mode: "easy" } });
  assert.deepEqual([address, portable], ["/analyse#words=own", false]);
});

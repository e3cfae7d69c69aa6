// A game as a tree of rows, and what a person does to it: board/tree.js, board/edits.js, board/position.js, board/study.js.

import { goTo, startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as edits from "../../src/sleuth/web/static/js/board/edits.js";
import {
  asked,
  askedOfAll,
  isSolved,
  isSolvedBoard,
  rowsOf,
  turnsIn,
} from "../../src/sleuth/web/static/js/board/position.js";
import { study } from "../../src/sleuth/web/static/js/board/study.js";
import * as tree from "../../src/sleuth/web/static/js/board/tree.js";
import { DEFAULT } from "../../src/sleuth/web/static/js/games.js";
import { load } from "../../src/sleuth/web/static/js/storage.js";

const MASTERMIND = { game: "mastermind", pegs: 4, colours: 6, mode: "easy" };
const row = (guess, ...feedback) => ({ guess, feedback: feedback.length ? feedback : ["bbbbb"] });
const names = (root, path) =>
  tree
    .rowsTo(root, path)
    .map(({ guess }) => guess)
    .join("");
const main = tree.addAll(
  tree.begun(),
  [],
  ["a", "b", "c"].map((guess) => row(guess)),
);
const side = tree.addAll(
  main.root,
  [0],
  ["x", "y"].map((guess) => row(guess)),
);
/** A state on one standard board with some rows, where one stands at their end. */
const state = (rows, more = {}) => ({
  ...{
    game: DEFAULT,
    variant: "standard",
    boards: 1,
    answers: Array(more.boards ?? 1).fill(""),
    root: tree.lineOf(rows),
  },
  ...{ at: rows.map(() => 0), tab: "guesses", tried: "", sort: "guesses", better: "", ...more },
});
const lineOf = ({ root }) => tree.rowsTo(root, tree.lineThrough(root, []));

beforeEach(startOver);

test("rows follow each other, others stand beside them", () => {
  assert.deepEqual([main.path, names(main.root, main.path)], [[0, 0, 0], "abc"]);
  assert.deepEqual([side.path, names(side.root, side.path)], [[0, 1, 0], "axy"]);
  assert.deepEqual([tree.size(tree.begun()), tree.size(main.root), tree.size(side.root)], [0, 3, 5]);
  assert.deepEqual(tree.lineOf(["a", "b", "c"].map((guess) => row(guess))), main.root);
});

test("a row that is there already is gone to", () => {
  const again = tree.add(side.root, [0], row("b"));
  assert.deepEqual([again.path, again.root === side.root], [[0, 0], true]);
  assert.deepEqual(tree.add(side.root, [0], row("b", "ggggg")).path, [0, 2]); // it got something else
  assert.ok(tree.same(row("a", "b", "y"), row("a", "b", "y")));
  assert.ok(!tree.same(row("a", "b", "y"), row("a", "b", "g")));
});

test("a line goes on to its end by what was played", () => {
  assert.deepEqual(tree.lineThrough(side.root, []), [0, 0, 0]);
  assert.deepEqual(tree.lineThrough(side.root, [0, 1]), [0, 1, 0]);
  assert.deepEqual(tree.lineThrough(tree.begun(), []), []);
});

test("a path is held to where there is something", () => {
  assert.ok(tree.has(side.root, [0, 1, 0]));
  assert.ok(!tree.has(side.root, [0, 2]));
  assert.deepEqual(tree.within(side.root, [0, 1, 0, 0]), [0, 1, 0]);
  assert.deepEqual(tree.within(side.root, [7, 0]), []);
});

test("variations are walked round, as deep as before where they are as long", () => {
  assert.deepEqual(tree.aside(side.root, [0, 0, 0], 1), [0, 1, 0]);
  assert.deepEqual(tree.aside(side.root, [0, 1, 0], 1), [0, 0, 0]);
  assert.deepEqual(tree.aside(side.root, [0, 0], -1), [0, 1]);
  assert.deepEqual(tree.aside(side.root, [0], 1), [0]); // there is nothing beside it
  const short = tree.add(main.root, [0], row("z")).root;
  assert.deepEqual(tree.aside(short, [0, 0, 0], 1), [0, 1]);
});

test("a variation becomes the main line", () => {
  const first = tree.promote(side.root, side.path);
  assert.deepEqual(first.path, [0, 0, 0]);
  assert.deepEqual([names(first.root, [0, 0, 0]), names(first.root, [0, 1, 0])], ["axy", "abc"]);
  assert.deepEqual([[], [0, 0], [0, 1]].map(tree.isMain), [true, true, false]);
});

test("rows are cut off, taken away, left out and replaced, and the tree before stays", () => {
  const before = JSON.stringify(side.root);
  assert.equal(tree.size(tree.cutAfter(side.root, [0])), 1);
  assert.equal(tree.size(tree.remove(side.root, [0, 1])), 3);
  const out = tree.leaveOut(main.root, [0, 0]);
  assert.equal(names(out, [0, 0]), "ac");
  const other = tree.replace(side.root, [0, 0], row("q"));
  assert.deepEqual([names(other, [0, 0, 0]), names(other, [0, 1, 0])], ["aqc", "axy"]);
  assert.equal(JSON.stringify(side.root), before);
});

test("a row left out gives its place to all that follows it", () => {
  const out = tree.leaveOut(side.root, [0]);
  assert.deepEqual([names(out, [0, 0]), names(out, [1, 0])], ["bc", "xy"]);
});

test("the rows of a board end with the one that solved it", () => {
  const rows = [row("salet", "bbybb", "ggggg"), row("whirl", "ggggg", "")];
  assert.deepEqual(
    [0, 1].map((board) => rowsOf(rows, board).length),
    [2, 1],
  );
  assert.deepEqual(
    [0, 1].map((board) => isSolvedBoard(DEFAULT, rows.slice(0, 1), board)),
    [false, true],
  );
  const setting = { game: DEFAULT, variant: "standard", boards: 2 };
  assert.deepEqual(
    [isSolved(setting, rows), isSolved(setting, rows.slice(0, 1)), isSolved(setting, [])],
    [true, false, false],
  );
  assert.deepEqual(askedOfAll(setting, rows).boards[1], [{ guess: "salet", feedback: "ggggg" }]);
});

test("a question names the variant where there is one", () => {
  const rows = [row("salet")];
  assert.deepEqual(Object.keys(asked({ game: DEFAULT, variant: "standard", boards: 1 }, rows)), ["game", "rows"]);
  assert.equal(asked({ game: DEFAULT, variant: "fibble", boards: 1 }, rows).variant, "fibble");
});

test("the analysis has as many guesses as the game", () => {
  const turns = [
    ["standard", 1],
    ["standard", 8],
    ["absurdle", 1],
    ["fibble", 1],
  ].map(([variant, boards]) => turnsIn({ game: DEFAULT, variant, boards }));
  assert.deepEqual(turns, [6, 13, 12, 9]);
  assert.equal(turnsIn({ game: MASTERMIND, variant: "standard", boards: 1 }), 10);
});

test("an open row gets its colours from the answers where all are known", () => {
  const known = state([], { answers: ["whirl"] });
  assert.deepEqual(edits.drafted(known, "salet", []), { guess: "salet", feedback: ["bbybb"], sure: true });
  assert.equal(edits.drafted(state([]), "salet", []).sure, false);
  const two = state([], { boards: 2, answers: ["whirl", ""] });
  assert.deepEqual(edits.drafted(two, "salet", []), { guess: "salet", feedback: ["bbybb", "bbbbb"], sure: false });
  const solved = [row("cabal", "bbbbg", "ggggg")];
  assert.deepEqual(edits.drafted(two, "whirl", solved), { guess: "whirl", feedback: ["ggggg", ""], sure: true });
  assert.equal(edits.drafted({ ...known, variant: "absurdle" }, "salet", []).sure, false);
  assert.deepEqual(edits.blank(), { guess: "", feedback: [], sure: false });
});

test("a row is added where one stands, beside what follows there", () => {
  const begun = state([row("salet"), row("crony")], { at: [0], tried: "moist" });
  const [next, edit] = edits.placed(begun, row("courd", "bbbgb"));
  assert.deepEqual([next.at, next.tried, edit], [[0, 1], "", "row 0.1"]);
  assert.deepEqual(lineOf(next), lineOf(begun));
});

test("rows of one board are followed, the others get what is likely", () => {
  const two = state([], { boards: 2, answers: ["", "cabal"] });
  const [next] = edits.followed(
    two,
    [
      { guess: "salet", feedback: "bbybb" },
      { guess: "cabal", feedback: "bbbbg" },
    ],
    0,
  );
  assert.deepEqual(lineOf(next), [row("salet", "bbybb", "bgybb"), row("cabal", "bbbbg", "ggggg")]);
});

test("a row with another word gets other colours, with the same word it keeps those given", () => {
  const begun = state([row("salet", "bbybb"), row("crony", "bybbb")], { answers: ["whirl"] });
  const [same] = edits.changed(begun, 0, row("salet", "ggggg"));
  assert.deepEqual(lineOf(same)[0], row("salet", "ggggg"));
  const [other, edit] = edits.changed(begun, 0, row("whirl", "bbbbb"));
  assert.deepEqual([lineOf(other)[0], edit], [row("whirl", "ggggg"), "row 0"]);
  assert.deepEqual(lineOf(other)[1], row("crony", "bybbb"));
});

test("a row is taken out and what follows moves up", () => {
  const begun = state([row("a"), row("b"), row("c")]);
  const [next] = edits.takenOut(begun, 1);
  assert.deepEqual(
    [
      lineOf(next)
        .map(({ guess }) => guess)
        .join(""),
      next.at,
    ],
    ["ac", [0, 0]],
  );
});

test("a line is promoted, cut and deleted", () => {
  const begun = { ...state([]), root: side.root, at: [0, 1] };
  assert.ok(edits.follows(begun));
  const [promoted] = edits.promoted(begun);
  assert.deepEqual([promoted.at, names(promoted.root, [0, 0, 0])], [[0, 0], "axy"]);
  const [cut] = edits.cut(begun);
  assert.deepEqual([cut.at, tree.size(cut.root), edits.follows(cut)], [[0, 1], 4, false]);
  const [deleted] = edits.deleted(begun);
  assert.deepEqual([deleted.at, tree.size(deleted.root)], [[0], 3]);
});

test("another game keeps the rows where its guesses are as long and are marked alike", () => {
  const begun = state([row("salet")], { answers: ["whirl"] });
  const [nyt] = edits.ofGame(begun, { ...DEFAULT, words: "nyt" });
  assert.deepEqual([nyt.game.words, lineOf(nyt).length, nyt.answers], ["nyt", 1, ["whirl"]]);
  const [long] = edits.ofGame(begun, { ...DEFAULT, words: "frequent:en:6:500" });
  assert.deepEqual([lineOf(long), long.answers, long.at], [[], [""], []]);
  assert.deepEqual(lineOf(edits.ofGame(begun, { ...MASTERMIND, pegs: 5 })[0]), []);
  assert.deepEqual(edits.startedOver(begun, { boards: 2 })[0].answers, ["", ""]);
});

test("a whole game takes the place of the one before, and its story is shown", () => {
  const [next] = edits.opened(
    state([row("a")], { boards: 2, variant: "fibble" }),
    MASTERMIND,
    [{ guess: "1122", feedback: "1,2" }],
    "1234",
  );
  assert.deepEqual(
    [next.boards, next.variant, next.answers, next.at, next.tab, lineOf(next)],
    [1, "standard", ["1234"], [0], "game", [row("1122", "1,2")]],
  );
});

test("changes are undone and redone, those of one name at once", () => {
  const changes = [];
  const one = study((moved) => changes.push(moved));
  const at = (guess) => edits.placed({ ...one.now, at: [] }, row(guess, "bbybb"));
  const put = ([next, edit]) => one.set(next, { edit });
  put(at("salet"));
  put([{ ...one.now, variant: "absurdle" }, "setting"]);
  put([{ ...one.now, variant: "fibble" }, "setting"]);
  assert.deepEqual([one.now.variant, one.hasPast, one.hasFuture], ["fibble", true, false]);
  assert.ok(one.undo(1));
  assert.deepEqual([one.now.variant, one.hasFuture], ["standard", true]);
  assert.ok(one.undo(1));
  assert.equal(tree.size(one.now.root), 0);
  assert.ok(!one.undo(1));
  assert.ok(one.undo(-1) && one.undo(-1));
  assert.equal(one.now.variant, "fibble");
  assert.ok(!one.undo(-1));
  assert.deepEqual(changes.slice(0, 3), [true, false, false]);
});

test("the address says what is shown, and the board is kept", () => {
  const one = study(() => {});
  const [next, edit] = edits.placed(one.now, row("salet", "bbybb"));
  one.set(next, { edit });
  assert.equal(location.pathname + location.hash, "/analyse#rows=salet:bbybb");
  assert.equal(load("analyse"), "rows=salet:bbybb");
  assert.equal(one.open(), null); // it was written here
  assert.deepEqual(study(() => {}).now, one.now);
});

test("a puzzle is of one place: a step away from it ends it", () => {
  const one = study(() => {});
  one.set(state([row("salet", "bgbyb")], { better: "courd" }));
  one.set({ ...one.now, better: "courd" });
  assert.equal(one.now.better, "courd");
  one.set({ ...one.now, tab: "try" });
  assert.equal(one.now.better, "courd");
  one.set({ ...one.now, at: [] });
  assert.equal(one.now.better, "");
});

test("steps that follow each other soon are one place to go back to", (t) => {
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  const one = study(() => {});
  one.set(state([row("salet", "bbybb"), row("crony", "bbbbb")]));
  const before = history.pushed.length;
  const places = [];
  for (const [later, at] of [
    [0, [0]],
    [399, []],
    [400, [0]],
    [1, [0, 0]],
  ]) {
    now += later;
    one.set({ ...one.now, at }, { stepping: true });
    places.push(history.pushed.length - before);
  }
  assert.deepEqual(places, [1, 1, 2, 2]);
});

test("a bare tab in the address leaves the game as it is, rows do not", () => {
  const one = study(() => {});
  one.set(state([row("salet", "bbybb")]));
  history.state = null;
  goTo("/analyse#tab=openers&sort=worst");
  assert.deepEqual(one.open(), []);
  assert.deepEqual([one.now.tab, one.now.sort, lineOf(one.now).length], ["openers", "worst", 1]);
  goTo("/analyse#rows=crony:bbbbb");
  assert.deepEqual(one.open(), []);
  assert.deepEqual([one.now.tab, lineOf(one.now)], ["guesses", [row("crony", "bbbbb")]]);
});

test("an address of which something could not be taken stays, so that it can be mended", () => {
  const one = study(() => {});
  goTo("/analyse#rows=salet:bbybb+courd&tab=chess");
  assert.equal(one.open().length, 2);
  assert.equal(location.hash, "#rows=salet:bbybb+courd&tab=chess");
  assert.equal(one.open(), null);
  assert.deepEqual(one.openWithoutAnswer("#rows=salet+crony:bybbb&answer=zzzzz"), [
    "without the answer it is not known what the guesses got",
  ]);
  assert.equal(lineOf(one.now).length, 0);
});

// A puzzle being played and its address: puzzle.js, asked.js, tiles.js.

import { goTo, settled, startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { asked, kindOf } from "../../src/sleuth/web/static/js/asked.js";
import { today } from "../../src/sleuth/web/static/js/days.js";
import { DEFAULT } from "../../src/sleuth/web/static/js/games.js";
import { everything, forget } from "../../src/sleuth/web/static/js/history.js";
import {
  VARIANTS,
  analysisAddress,
  anyNumber,
  forgetFinished,
  gameOf,
  guessesOf,
  hinted,
  hintsText,
  isAnalysed,
  isSame,
  keyOf,
  known,
  lineOf,
  nameOf,
  open,
  ownWords,
  played,
  puzzleAddress,
  reviewAddress,
  rowsOf,
  shareText,
} from "../../src/sleuth/web/static/js/puzzle.js";
import { load, save } from "../../src/sleuth/web/static/js/storage.js";
import { keySquares, squares, stronger } from "../../src/sleuth/web/static/js/tiles.js";

const MASTERMIND = { game: "mastermind", pegs: 4, colours: 6, mode: "easy" };
const OWN = { game: "wordle", answers: ["katze", "hunde"], mode: "easy" };
const puzzle = (more = {}) => ({ game: DEFAULT, boards: 1, variant: "standard", number: 77, ...more });
const answer = (feedback, more = {}) => ({
  feedback,
  solved: feedback.map(() => false),
  over: false,
  won: false,
  answers: null,
  max_turns: 6,
  ...more,
});
const over = (feedback, answers, won = true) =>
  answer(feedback, { solved: answers.map(() => won), over: true, won, answers });
const state = (guesses, feedback, more = {}) => ({ ...open(puzzle()), guesses, feedback, ...more });

beforeEach(startOver);

test("the name of a puzzle is the same for everyone, and another for another puzzle", () => {
  assert.equal(nameOf(puzzle()), "wordle.original.easy.1.standard.77");
  assert.equal(nameOf(puzzle({ game: MASTERMIND })), "mastermind.4x6.easy.1.standard.77");
  assert.match(nameOf(puzzle({ game: OWN })), /^wordle\.own[0-9a-z]+\.easy\.1\.standard\.77$/);
  const others = [
    {},
    { boards: 2 },
    { variant: "fibble" },
    { number: 78 },
    { game: { ...DEFAULT, mode: "hard" } },
    { game: OWN },
  ];
  const swapped = { game: { ...OWN, answers: ["hunde", "katze"] } };
  assert.equal(new Set([...others, swapped].map((more) => nameOf(puzzle(more)))).size, 7);
  assert.ok(isSame(puzzle(), puzzle()));
  assert.ok(!isSame(puzzle(), puzzle({ number: 1 })));
});

test("the name of words of one's own stays as it is: games are kept by it", () => {
  assert.equal(nameOf(puzzle({ game: OWN })), `wordle.own${fnv("katze,hunde")}.easy.1.standard.77`);
  function fnv(text) {
    let hash = 2166136261n;
    for (const sign of text) hash = ((hash ^ BigInt(sign.charCodeAt(0))) * 16777619n) & 0xffffffffn;
    return hash.toString(36);
  }
});

test("guesses are one more for every further board, and more against other hosts", () => {
  assert.equal(guessesOf(puzzle()), 6);
  assert.equal(guessesOf(puzzle({ boards: 8 })), 13);
  assert.equal(guessesOf(puzzle({ variant: "absurdle" })), 12);
  assert.equal(guessesOf(puzzle({ variant: "fibble", boards: 2 })), 10);
  assert.equal(guessesOf(puzzle({ game: MASTERMIND })), 10);
});

test("every variant but the standard one has a line in the rules", () => {
  assert.equal(lineOf("standard"), "");
  assert.equal(lineOf("chess"), "");
  assert.ok(VARIANTS.filter(([id]) => id !== "standard").every(([id]) => lineOf(id).endsWith(".")));
});

test("a number that is drawn is no day's for a long time", () => {
  for (let i = 0; i < 100; i += 1) assert.ok(anyNumber() >= 1_000_000 && anyNumber() < 10_000_000);
});

test("a puzzle opens new, and as it was left", () => {
  const fresh = open(puzzle({ boards: 2 }));
  assert.deepEqual([fresh.guesses, fresh.solved, fresh.turns, fresh.length], [[], [false, false], 7, 5]);
  const next = played(open(puzzle()), "salet", answer(["bbybb"]));
  assert.deepEqual(open(puzzle()), next);
  assert.equal(load(keyOf(puzzle())).puzzle, undefined);
});

test("a guess is added with what it got, and the first one begins the game", () => {
  const first = played(open(puzzle()), "salet", answer(["bbybb"], { max_turns: 9 }));
  assert.deepEqual([first.guesses, first.feedback, first.turns, first.hint], [["salet"], [["bbybb"]], 9, null]);
  assert.ok(first.started > 0);
  const second = played({ ...first, started: 5 }, "courd", answer(["bbbgb"]));
  assert.deepEqual([second.guesses, second.started], [["salet", "courd"], 5]);
});

test("another tab that was ahead is taken over", () => {
  const begun = open(puzzle());
  const there = played(begun, "crony", answer(["bybbb"]));
  assert.deepEqual(played(begun, "salet", answer(["bbybb"])), there);
  assert.deepEqual(open(puzzle()).guesses, ["crony"]);
});

test("hints count once each, also those of another tab", () => {
  const begun = open(puzzle());
  const one = hinted(begun, { told: "left" }, true);
  assert.deepEqual([one.hints, one.hint.told], [1, "left"]);
  assert.equal(hinted(begun, { told: "guess" }, false).hints, 1);
  assert.equal(hinted(begun, { told: "left" }, true).hints, 2);
  assert.equal(played(begun, "salet", answer(["bbybb"])).hints, 2);
  assert.deepEqual([1, 2].map(hintsText), ["1 hint", "2 hints"]);
});

test("only so many puzzles are kept, the oldest is forgotten", () => {
  for (let number = 0; number <= 60; number += 1) played(open(puzzle({ number })), "salet", answer(["bbybb"]));
  assert.deepEqual(open(puzzle({ number: 0 })).guesses, []);
  assert.deepEqual(open(puzzle({ number: 1 })).guesses, ["salet"]);
  assert.equal(load("puzzles").length, 60);
});

test("what is forgotten is finished: a puzzle that is only begun stays", () => {
  played(open(puzzle({ number: 1 })), "salet", over(["ggggg"], ["salet"]));
  played(open(puzzle({ number: 2 })), "salet", answer(["bbybb"]));
  forgetFinished();
  assert.deepEqual(
    [1, 2].map((number) => open(puzzle({ number })).guesses.length),
    [0, 1],
  );
});

test("a finished game is kept for ever, without the words of one's own", async () => {
  await settled(60); // what other tests finished is on its way
  await forget();
  const own = puzzle({ game: { ...OWN, mode: "hard" } });
  played(open(own), "katze", over(["ggggg"], ["katze"]));
  await settled(60);
  const { games } = await everything();
  assert.equal(games.length, 1);
  const [game] = games;
  assert.deepEqual(
    [game.id, game.title, game.won, game.review],
    [nameOf(own), "2 words of your own, hard mode", true, null],
  );
  assert.deepEqual(Object.keys(game.game).sort(), ["game", "mode", "own"]);
  await forget();
});

test("words of one's own are found again by their digest alone", () => {
  assert.equal(ownWords(), null);
  assert.deepEqual(gameOf({ game: DEFAULT }), DEFAULT);
  save("own", OWN.answers);
  const { digest } = ownWords();
  const kept = { game: { game: "wordle", mode: "easy", own: digest } };
  assert.deepEqual(gameOf(kept), OWN);
  assert.equal(gameOf(kept, null), null);
  save("own", ["vogel", "fisch"]);
  assert.equal(gameOf(kept), null);
});

test("the rows of a board end with the one that solved it", () => {
  const two = state(
    ["salet", "whirl", "cabal"],
    [
      ["bbybb", "bgybb"],
      ["ggggg", "bbbbg"],
      [null, "ggggg"],
    ],
  );
  assert.deepEqual(
    rowsOf(two, 0).map(({ guess }) => guess),
    ["salet", "whirl"],
  );
  assert.deepEqual(
    rowsOf(two, 1).map(({ feedback }) => feedback),
    ["bgybb", "bbbbg", "ggggg"],
  );
});

test("of each letter the best that is known counts", () => {
  const letters = known(state(["salet", "slate"], [["ybbbb"], ["gbbbb"]]));
  assert.deepEqual([letters.get("s"), letters.get("a"), letters.get("x")], [["g"], ["b"], undefined]);
  assert.deepEqual(known(state(["abbey"], [["bybbb"]])).get("b"), ["y"]);
});

test("a solved board tells nothing more of letters, until all is over", () => {
  const boards = { puzzle: puzzle({ boards: 2 }), solved: [true, false] };
  const two = state(["salet"], [["ggggg", "bbbbb"]], boards);
  assert.deepEqual(known(two).get("s"), ["", "b"]);
  assert.deepEqual(known({ ...two, over: true }).get("s"), ["g", "b"]);
});

test("nothing is known of letters where tiles lie, or there are none", () => {
  assert.equal(known(state(["salet"], [["ybbbb"]], { puzzle: puzzle({ variant: "fibble" }) })).size, 0);
  assert.equal(known(state(["1122"], [["1,1"]], { puzzle: puzzle({ game: MASTERMIND }) })).size, 0);
});

test("a mark says more than another", () => {
  assert.deepEqual(
    [stronger("y", "g"), stronger("g", "b"), stronger("", "b"), stronger(undefined, "")],
    ["g", "g", "b", ""],
  );
  assert.deepEqual([stronger("y", "b"), stronger("b", "y")], ["y", "y"]);
});

test("a result to share has a line, then squares", () => {
  const won = state(["salet", "whirl"], [["bbybb"], ["ggggg"]], { won: true, solved: [true] });
  assert.equal(shareText(won), "Sleuth Original words 77 2/6\n⬛⬛🟨⬛⬛\n🟩🟩🟩🟩🟩");
  const hard = { ...won, hints: 1, puzzle: puzzle({ game: { ...DEFAULT, mode: "hard" } }) };
  assert.ok(shareText(hard).startsWith("Sleuth Original words 77 2/6*, 1 hint\n"));
});

test("a lost game is shared with an X, several boards one below the other", () => {
  const lost = state(
    ["salet", "whirl"],
    [
      ["bbybb", "bbbbb"],
      ["ggggg", "bbbbb"],
    ],
    {
      solved: [true, false],
      turns: 7,
      puzzle: puzzle({ boards: 2 }),
    },
  );
  assert.equal(
    shareText(lost),
    "Sleuth Original words 2 boards 77 X/7\n⬛⬛🟨⬛⬛\n🟩🟩🟩🟩🟩\n\n⬛⬛⬛⬛⬛\n⬛⬛⬛⬛⬛",
  );
});

test("codes are shared as key pegs, other hosts and own words by name", () => {
  const code = state(["1122"], [["1,2"]], {
    puzzle: puzzle({ game: MASTERMIND, number: 0 }),
    length: 4,
    turns: 10,
    solved: [false],
  });
  assert.equal(shareText(code), "Sleuth Mastermind, 4 pegs of 6 colours 0 X/10\n⚫⚪⚪➖");
  const own = state(["katze"], [["ggggg"]], {
    puzzle: puzzle({ game: OWN, variant: "absurdle" }),
    won: true,
    turns: 12,
    solved: [true],
  });
  assert.equal(shareText(own), "Sleuth own words absurdle 77 1/12\n🟩🟩🟩🟩🟩");
});

test("squares and pegs stand for what a guess got", () => {
  assert.equal(squares("byg"), "⬛🟨🟩");
  assert.equal(keySquares("0,0", 4), "➖➖➖➖");
  assert.equal(keySquares("4,0", 4), "⚫⚫⚫⚫");
});

test("the address of a puzzle reads back", () => {
  for (const more of [
    {},
    { boards: 4 },
    { variant: "fibble", number: 0 },
    { game: MASTERMIND },
    { game: { ...DEFAULT, words: "frequent:de:6:2000" } },
  ]) {
    goTo(puzzleAddress(puzzle(more)));
    assert.deepEqual(asked(), { puzzle: puzzle(more), linked: true, remarks: [] });
  }
  assert.equal(puzzleAddress(puzzle({ boards: 2 })), "/?puzzle=77&boards=2");
});

test("an address that says what there is not is told kindly, and play goes on", () => {
  const usual = puzzle({ number: today() });
  for (const [query, says, plays] of [
    ["puzzle=5&game=chess", "game=chess", puzzle({ number: 5 })],
    ["puzzle=abc", "puzzles have numbers from 0 to 1,000,000,000; this is today's", usual],
    ["puzzle=-1&boards=2", "this is today's", { ...usual, boards: 2 }],
    ["puzzle=1000000001", "this is today's", usual],
    ["puzzle=5&boards=many", "boards=many”: a puzzle has 1 to 32 boards", puzzle({ number: 5 })],
    ["puzzle=5&boards=1e9", "boards=1e9", puzzle({ number: 5 })],
    ["boards=33", "a puzzle has 1 to 32 boards", usual],
    ["boards=0", "a puzzle has 1 to 32 boards", usual],
    ["puzzle=5&variant=toString", "variants are standard, absurdle, fibble", puzzle({ number: 5 })],
    ["puzzle=5&words=own", "somebody's own", puzzle({ number: 5 })],
  ]) {
    goTo(`/?${query}`);
    const { puzzle: found, linked, remarks } = asked();
    assert.deepEqual(found, plays, query);
    assert.ok(linked);
    assert.equal(remarks.length, 1);
    assert.ok(remarks[0].includes(says), remarks[0]);
  }
});

test("an address may ask for the largest number, and for a game without one", () => {
  goTo("/?puzzle=1000000000&boards=32");
  assert.deepEqual(asked(), { puzzle: puzzle({ number: 1e9, boards: 32 }), linked: true, remarks: [] });
  goTo("/?game=mastermind");
  assert.deepEqual(asked().puzzle, puzzle({ game: MASTERMIND, number: today() }));
});

test("an address that asks for nothing is today's puzzle, of the kind that was last chosen", () => {
  goTo("/?nothing=1");
  assert.deepEqual(asked(), { puzzle: puzzle({ number: today() }), linked: false, remarks: [] });
  history.state = null;
  save("daily", kindOf(puzzle({ boards: 2 })));
  assert.equal(asked().puzzle.boards, 2);
  save("daily", kindOf(puzzle({ boards: 4 })));
  assert.equal(asked().puzzle.boards, 2); // a step back leads to what was there
  history.state = null;
  assert.equal(asked().puzzle.boards, 4);
});

test("strange addresses throw nothing", () => {
  for (const [query, remarks] of [
    ["puzzle=&game=", 2],
    ["game=chess&words=own&boards=x", 3],
    ["puzzle=5#x=%", 0],
    ["puzzle=%&words=%00", 2],
  ]) {
    goTo(`/?${query}`);
    const found = asked();
    assert.deepEqual([found.puzzle.game, found.remarks.length], [DEFAULT, remarks], query);
  }
});

test("the query of another view asks for no puzzle", () => {
  goTo("/compare?words=nyt");
  assert.deepEqual(asked().puzzle.game, DEFAULT);
});

test("a finished game leads to its review, with its answers or its host", () => {
  const one = { puzzle: puzzle(), guesses: ["salet", "whirl"], feedback: [["bbybb"], ["ggggg"]], answers: ["whirl"] };
  const at = (address) => Object.fromEntries(new URLSearchParams(address.split("#")[1]));
  assert.deepEqual(at(reviewAddress(one)), { rows: "salet:bbybb whirl:ggggg", tab: "game", answer: "whirl" });
  const absurdle = { ...one, puzzle: puzzle({ variant: "absurdle" }) };
  assert.deepEqual(at(reviewAddress(absurdle)), { rows: "salet:bbybb whirl:ggggg", tab: "game", variant: "absurdle" });
  const two = {
    ...one,
    puzzle: puzzle({ boards: 2 }),
    feedback: [
      ["bbybb", "ggggg"],
      ["ggggg", null],
    ],
    answers: ["whirl", "salet"],
  };
  assert.deepEqual(at(reviewAddress(two)), {
    rows: "salet:bbybb/ggggg whirl:ggggg/",
    tab: "game",
    boards: "2",
    answer: "whirl/salet",
  });
  assert.equal(analysisAddress({ ...DEFAULT, words: "nyt" }, []), "/analyse#words=nyt&rows=");
});

test("the analysis board takes up to eight boards, those of other hosts alone", () => {
  assert.deepEqual(
    [1, 8, 9].map((boards) => isAnalysed({ boards, variant: "standard" })),
    [true, true, false],
  );
  assert.deepEqual(
    [1, 2].map((boards) => isAnalysed({ boards, variant: "fibble" })),
    [true, false],
  );
});

// What guesses get, and which rows cannot be: board/feedback.js, board/misfit.js, board/questions.js.

import { serve, startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { feedbackOf, isRight, likelyFeedback, rightFeedback } from "../../src/sleuth/web/static/js/board/feedback.js";
import { byAnswers, knownMisfit, misfit } from "../../src/sleuth/web/static/js/board/misfit.js";
import { question, remembered } from "../../src/sleuth/web/static/js/board/questions.js";
import { DEFAULT } from "../../src/sleuth/web/static/js/games.js";
import { unknownWord } from "../../src/sleuth/web/static/js/unknown.js";

const PEGS = { game: "mastermind", pegs: 4, colours: 6, mode: "easy" };
const row = (guess, ...feedback) => ({ guess, feedback });
const state = (answers, more = {}) => ({
  game: DEFAULT,
  variant: "standard",
  boards: answers.length,
  answers,
  ...more,
});

beforeEach(startOver);

test("a guess gets greens first, and yellows as often as a letter is left", () => {
  for (const [guess, answer, got] of [
    ["salet", "whirl", "bbybb"],
    ["whirl", "whirl", "ggggg"],
    ["llama", "lulls", "gybbb"],
    ["lulls", "llama", "gbybb"],
    ["eerie", "geese", "ygbbg"],
    ["geese", "eerie", "bgybg"],
    ["speed", "abide", "bbyby"],
    ["skill", "alley", "bbbyy"],
    ["größe", "große", "ggbgg"],
  ])
    assert.equal(feedbackOf(DEFAULT, guess, answer), got, `${guess} for ${answer}`);
});

test("letters outside the basic plane have one mark each", () => {
  assert.equal(feedbackOf(DEFAULT, "𝔞𝔟", "𝔟𝔞"), "yy");
});

test("feedback is as it is counted letter by letter, for all pairs of short words", () => {
  const words = [..."abc"].flatMap((a) =>
    [..."abc"].flatMap((b) => [..."abc"].flatMap((c) => [..."abc"].map((d) => a + b + c + d))),
  );
  const times = (word, letter) => word.split(letter).length - 1;
  for (const guess of words)
    for (const answer of words) {
      const got = feedbackOf(DEFAULT, guess, answer);
      const [right, elsewhere] = feedbackOf(PEGS, guess, answer).split(",").map(Number);
      [...guess].forEach((letter, i) => assert.equal(got[i] === "g", letter === answer[i]));
      for (const letter of "abc") {
        const marked = [...guess].flatMap((one, i) => (one === letter ? [got[i]] : []));
        const found = marked.filter((mark) => mark !== "b").length;
        assert.equal(found, Math.min(times(guess, letter), times(answer, letter)));
        const others = marked.filter((mark) => mark !== "g").join("");
        assert.match(others, /^y*b*$/); // the first ones of a letter are elsewhere
      }
      assert.deepEqual([right, elsewhere], [times(got, "g"), times(got, "y")]);
    }
});

test("a code gets how many are in place and how many elsewhere", () => {
  assert.equal(feedbackOf(PEGS, "1122", "2121"), "2,2");
  assert.equal(feedbackOf(PEGS, "1111", "2222"), "0,0");
  assert.equal(feedbackOf({ ...PEGS, game: "bulls-and-cows" }, "0123", "3210"), "0,4");
});

test("a right guess is told by what it gets", () => {
  assert.deepEqual([DEFAULT, PEGS].map(rightFeedback), ["ggggg", "4,0"]);
  assert.ok(isRight(PEGS, "4,0"));
  assert.ok(!isRight(PEGS, "4,1"));
  assert.ok(!isRight(DEFAULT, "gggg"));
});

test("a word surely gets what earlier rows settle", () => {
  const rows = [{ guess: "salet", feedback: "gbybb" }];
  assert.equal(likelyFeedback(DEFAULT, "sloop", rows), "gybbb");
  assert.equal(likelyFeedback(DEFAULT, "lulls", rows), "ybbby"); // the first L alone
  assert.equal(likelyFeedback(DEFAULT, "crony", []), "bbbbb");
  assert.equal(likelyFeedback(PEGS, "1122", [{ guess: "1122", feedback: "2,0" }]), "0,0");
});

test("the first row that an answer does not give is named with its places", () => {
  assert.equal(byAnswers(state(["whirl"]), [row("salet", "bbybb"), row("courd", "bbbgb")]), null);
  assert.deepEqual(byAnswers(state(["crane"]), [row("crony", "ggbgb"), row("salet", "bbybb")]), {
    ...{ row: 2, board: 0, places: [2, 3, 4], says: "SALET would have got bybyb where CRANE is the answer." },
  });
});

test("of several boards the one is named that does not fit, those not known or solved do", () => {
  const line = [row("salet", "bbybb", "ggggg"), row("crony", "bybbb", "")];
  assert.equal(byAnswers(state(["whirl", ""]), line), null);
  assert.equal(byAnswers(state(["", ""]), line), null);
  const found = byAnswers(state(["whirl", "crane"]), line);
  assert.deepEqual([found.row, found.board], [1, 1]);
});

test("codes are told of in words", () => {
  const found = byAnswers(state(["1234"], { game: PEGS }), [row("1122", "0,0")]);
  assert.deepEqual(
    [found.places, found.says],
    [[], "1122 would have got 1 in place and 1 elsewhere where 1234 is the answer."],
  );
});

test("bulls and cows are told of in words, too", () => {
  const bulls = { game: "bulls-and-cows", pegs: 4, mode: "easy" };
  assert.equal(
    byAnswers(state(["0145"], { game: bulls }), [row("0123", "1,2")]).says,
    "0123 would have got 2 in place and 0 elsewhere where 0145 is the answer.",
  );
});

test("a host who lies or evades is held to no answer", () => {
  for (const variant of ["absurdle", "fibble"])
    assert.equal(byAnswers(state(["whirl"], { variant }), [row("salet", "ggggg")]), null);
});

test("whether rows fit is asked once a board, and known from then on", async () => {
  const line = [row("salet", "bbybb", "bbbbb"), row("crony", "bbbbb", "bbbbb")];
  const seen = serve(({ body }) => ({ contradiction: body.rows[0].feedback === "bbbbb" ? { row: 2 } : null }));
  const two = state(["", ""]);
  assert.equal(knownMisfit(two, line), undefined);
  const found = await misfit(two, line);
  assert.deepEqual(found, { row: 2, says: "No word fits what CRONY got together with the rows before it." });
  assert.equal(seen.length, 2);
  assert.deepEqual(await misfit(two, line), found);
  assert.equal(seen.length, 2);
  assert.equal(knownMisfit(two, []), null);
});

test("the first row of a contradiction is the one that is named, and what an answer rules out is not asked", async () => {
  const seen = serve(() => ({ contradiction: { row: 2, first: 1 } }));
  assert.deepEqual(await misfit(state([""], { game: PEGS }), [row("1122", "3,1"), row("3344", "0,0")]), {
    ...{ row: 1, says: "No code fits what 1122 got." },
  });
  assert.equal((await misfit(state(["whirl"]), [row("salet", "ggggg")])).row, 1);
  assert.equal(seen.length, 1);
});

test("answers are remembered unless they are provisional", async () => {
  const seen = serve(({ body }) => ({ n: body.n, provisional: body.n === 1 }));
  for (const n of [1, 1, 2, 2]) assert.equal((await question("/x", { n })).n, n);
  assert.deepEqual(
    seen.map(({ body }) => body.n),
    [1, 1, 2],
  );
  assert.equal(remembered("/x", { n: 1 }), undefined);
  assert.equal(remembered("/x", { n: 2 }).n, 2);
});

test("only so many answers are remembered, the oldest goes", async () => {
  serve(({ body }) => body);
  for (let n = 0; n <= 300; n += 1) await question("/y", { n });
  assert.equal(remembered("/y", { n: 0 }), undefined);
  assert.ok(remembered("/y", { n: 100 }));
});

test("a word that is none of the game is told in the server's words, one that cannot be asked about is let be", async () => {
  const seen = serve(({ body: { rows } }) =>
    rows[0].guess === "zzzzz" ? [422, { detail: "row 1: zzzzz is not in the word list" }] : { contradiction: null },
  );
  assert.equal(await unknownWord(DEFAULT, ["", "crane", "zzzzz"]), "zzzzz is not in the word list");
  assert.equal(await unknownWord(DEFAULT, ["crane", ""]), "");
  assert.deepEqual(
    seen.map(({ body }) => body.rows[0].feedback),
    ["ggggg", "ggggg"],
  );
  serve(() => [400, { detail: "no" }]);
  assert.equal(await unknownWord(DEFAULT, ["other"]), "");
});

// Questions to the server, guesses on their way, reviews and jobs: api.js, sending.js, judging.js, job.js.

import { event, serve, settled, startOver } from "./fakes.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Problem, answered, get, latest, post, remove, superseded } from "../../src/sleuth/web/static/js/api.js";
import { DEFAULT } from "../../src/sleuth/web/static/js/games.js";
import { job, openJob } from "../../src/sleuth/web/static/js/job.js";
import { judge } from "../../src/sleuth/web/static/js/judging.js";
import { open } from "../../src/sleuth/web/static/js/puzzle.js";
import { isOnItsWay, send, sendWaiting } from "../../src/sleuth/web/static/js/sending.js";
import { loadHere, saveHere } from "../../src/sleuth/web/static/js/storage.js";

const PUZZLE = { game: DEFAULT, boards: 1, variant: "standard", number: 77 };
const note = () => document.getElementById("connection").textContent;
/** Let time pass, and what waits for it go on. */
const pass = async (t, milliseconds) => {
  t.mock.timers.tick(milliseconds);
  await settled();
};

beforeEach(() => {
  startOver();
  answered();
});

test("questions are JSON, and so are answers", async () => {
  const seen = serve(({ method }) => ({ method }));
  assert.deepEqual([await get("/games"), await post("/guess", { n: 1 })], [{ method: "GET" }, { method: "POST" }]);
  await remove("/jobs/7");
  assert.deepEqual(
    seen.map(({ method, path, body }) => [method, path, body]),
    [
      ["GET", "/games", undefined],
      ["POST", "/guess", { n: 1 }],
      ["DELETE", "/jobs/7", undefined],
    ],
  );
});

test("what the server says is wrong is told in its words", async () => {
  serve(() => [422, { title: "Unprocessable", detail: "zzzzz is not in the word list", row: 1 }]);
  const error = await post("/x", {}).catch((thrown) => thrown);
  assert.ok(error instanceof Problem);
  assert.deepEqual([error.message, error.problem.status, error.problem.row], ["zzzzz is not in the word list", 422, 1]);
  serve(() => [500, {}]);
  await assert.rejects(get("/x"), /the server could not answer/);
});

test("an answer that is no JSON is told by its status, and an empty one is nothing", async () => {
  globalThis.fetch = async () => new Response("<html>", { status: 404, statusText: "Not Found" });
  await assert.rejects(get("/x"), /^Error: Not Found$/);
  globalThis.fetch = async () => new Response(null, { status: 204 });
  assert.equal(await remove("/x"), null);
});

test("a server that is away is asked again until it answers, and the second miss is told", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let misses = 0;
  globalThis.fetch = async () => {
    misses += 1;
    if (misses <= 8) throw new TypeError("Failed to fetch");
    return new Response("{}", { headers: { "Content-Type": "application/json" } });
  };
  const answer = get("/x");
  await settled();
  assert.equal(note(), "");
  await pass(t, 399);
  assert.equal(misses, 1);
  await pass(t, 1);
  assert.deepEqual([misses, note()], [2, "Reconnecting… what you have here is safe."]);
  for (const pause of [800, 1500, 2500, 2500, 2500, 2500, 2500]) await pass(t, pause);
  assert.deepEqual(await answer, {});
  assert.deepEqual([misses, note()], [9, ""]);
});

test("a busy server is asked some times, as late as it wishes", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let asked = 0;
  globalThis.fetch = async () => {
    asked += 1;
    return new Response('{"detail": "too many"}', {
      status: 429,
      headers: { "Content-Type": "application/json", "Retry-After": "5" },
    });
  };
  const refused = assert.rejects(get("/x"), /too many/);
  await settled();
  await pass(t, 4999);
  assert.equal(asked, 1);
  await pass(t, 1);
  assert.deepEqual([asked, note()], [2, "The server is busy; one moment…"]);
  for (let i = 0; i < 5; i += 1) await pass(t, 5000);
  await refused;
  assert.deepEqual([asked, note()], [7, ""]);
});

test("a server that only has to compile is waited for without a word", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let asked = 0;
  serve(() => {
    asked += 1;
    return asked > 9 ? {} : [503, { type: "urn:sleuth:preparing" }];
  });
  const answer = get("/x");
  await settled();
  for (let i = 0; i < 9; i += 1) {
    await pass(t, 2500);
    assert.equal(note(), "");
  }
  assert.deepEqual(await answer, {});
});

test("what is said of a guess is shown before the rest", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let away = true;
  globalThis.fetch = async () => {
    if (away) throw new TypeError("Failed to fetch");
    return new Response("{}", { headers: { "Content-Type": "application/json" } });
  };
  const both = [get("/x"), post("/guess", {}, { away: "Your guess is safe." })];
  await settled();
  await pass(t, 400);
  assert.equal(note(), "Your guess is safe.");
  away = false;
  await pass(t, 800);
  await Promise.all(both);
  assert.equal(note(), "");
});

test("a newer question takes the place of the one before", async () => {
  globalThis.fetch = (_, { signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      setImmediate(() => resolve(new Response("{}", { headers: { "Content-Type": "application/json" } })));
    });
  const ask = latest((path, options) => get(path, options));
  const first = ask("/1").catch((error) => superseded(error));
  assert.deepEqual([await ask("/2"), await first], [{}, true]);
  assert.ok(!superseded(new Error("x")));
});

test("a bar shows while anything takes longer than a moment", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const bar = document.getElementById("busy");
  bar.hidden = true;
  const answers = [];
  serve(() => new Promise((resolve) => answers.push(resolve)));
  const [one, other, quiet] = [get("/1"), get("/2"), get("/3", { quiet: true })];
  await pass(t, 299);
  assert.ok(bar.hidden);
  await pass(t, 1);
  assert.ok(!bar.hidden);
  answers[0]({});
  await one;
  assert.ok(!bar.hidden);
  answers[1]({});
  await other;
  assert.ok(bar.hidden);
  answers[2]({});
  await quiet;
});

const judgedAs = (feedback) => ({
  feedback: [feedback],
  solved: [false],
  over: false,
  won: false,
  answers: null,
  max_turns: 6,
});

test("a guess is on its way until there is an answer", async () => {
  let isThen;
  const seen = serve(() => {
    isThen = isOnItsWay(PUZZLE);
    return judgedAs("bbybb");
  });
  assert.ok(!isOnItsWay(PUZZLE));
  const state = await send(open(PUZZLE), "salet");
  assert.deepEqual([isThen, isOnItsWay(PUZZLE), state.guesses], [true, false, ["salet"]]);
  assert.deepEqual(seen[0].body, { puzzle: PUZZLE, guesses: [], guess: "salet" });
});

test("a guess that had no answer goes off after a reload, once", async () => {
  const seen = serve(() => judgedAs("bbybb"));
  saveHere("sent", { puzzle: PUZZLE, guess: "salet" });
  assert.ok(!isOnItsWay({ ...PUZZLE, number: 78 }));
  await sendWaiting();
  await sendWaiting();
  assert.deepEqual([seen.length, open(PUZZLE).guesses], [1, ["salet"]]);
});

test("what the server refuses stays typed, and is not sent again", async () => {
  const seen = serve(() => [422, { detail: "no word" }]);
  saveHere("sent", { puzzle: PUZZLE, guess: "zzzzz" });
  saveHere("typed", ["x", "zzzzz"]);
  await sendWaiting();
  await sendWaiting();
  assert.deepEqual([seen.length, loadHere("typed"), open(PUZZLE).guesses], [1, ["x", "zzzzz"], []]);
  saveHere("sent", "nonsense");
  await sendWaiting();
  assert.equal(seen.length, 1);
});

const finished = (id, more = {}) => ({
  ...{
    id,
    game: DEFAULT,
    boards: 1,
    variant: "standard",
    guesses: ["salet", "whirl"],
    feedback: [["bbybb"], ["ggggg"]],
  },
  ...{ answers: ["whirl"], review: null, ...more },
});
const REVIEW = { skill_shown: 90, luck_shown: 50, moves: [] };

test("games without a review are asked about, newest first, each as its kind is", async () => {
  const seen = serve(() => REVIEW);
  const done = [];
  const two = {
    boards: 2,
    feedback: [
      ["bbybb", "ggggg"],
      ["ggggg", null],
    ],
    answers: ["whirl", "salet"],
  };
  const games = [
    finished("a"),
    finished("b", { variant: "absurdle" }),
    finished("c", two),
    finished("d", { ...two, variant: "fibble" }),
    finished("e", { review: { skill: 1, luck: 1, moves: [] } }),
    finished("f", { game: { game: "wordle", mode: "easy", own: "abc" } }),
  ];
  await judge(games, null, undefined, (game) => done.push(game.id));
  assert.deepEqual(done, ["c", "b", "a"]);
  const rows = [
    { guess: "salet", feedback: "bbybb" },
    { guess: "whirl", feedback: "ggggg" },
  ];
  assert.deepEqual(
    seen.map(({ path, body }) => [path, body]),
    [
      [
        "/boards/review",
        {
          game: DEFAULT,
          boards: [
            { rows, answer: "whirl" },
            { rows: [{ guess: "salet", feedback: "ggggg" }], answer: "salet" },
          ],
        },
      ],
      ["/review", { game: DEFAULT, rows, variant: "absurdle" }],
      ["/review", { game: DEFAULT, rows, answer: "whirl" }],
    ],
  );
  assert.deepEqual(games[0].review, { skill: 90, luck: 50, moves: [] });
});

test("what the server refuses once is not asked again, what took too long is", async () => {
  serve(({ body }) =>
    body.rows[0].guess === "crane" ? [422, { detail: "no" }] : [400, { detail: "it took too long" }],
  );
  const games = [finished("a"), finished("b", { guesses: ["crane", "whirl"] })];
  await assert.rejects(
    judge(games, null, undefined, () => {}),
    /it took too long/,
  );
  assert.deepEqual(
    games.map(({ review }) => review),
    [null, { skill: null, luck: null, moves: [] }],
  );
});

test("reviews end when nobody waits for them", async () => {
  const seen = serve(() => REVIEW);
  const games = [finished("a"), finished("b")];
  const controller = new AbortController();
  await judge(games, null, controller.signal, () => controller.abort()).catch((error) => assert.ok(superseded(error)));
  assert.deepEqual([games.map(({ review }) => review !== null), seen.length], [[false, true], 2]);
});

/** What the server tells of jobs; `all` has what is listened to. */
class Source extends EventTarget {
  static all = [];
  constructor(address) {
    super();
    this.address = address;
    Source.all.push(this);
  }
  close() {
    this.closed = true;
  }
  tell(type, data) {
    this.dispatchEvent(event(type, { data: JSON.stringify(data) }));
  }
}
globalThis.EventSource = Source;

/** Begin a job; return it with what is kept of it. */
function begin(begun = "") {
  const ids = [];
  const far = ({ done, total }) => ({ share: done / total, says: `${done} of ${total}` });
  const one = job({
    path: "/jobs",
    body: { n: 1 },
    name: "it",
    heading: "It",
    begun,
    keep: (id) => ids.push(id),
    far,
    ended: (report) => `Took ${report.mean}.`,
  });
  return { ...one, ids, text: () => one.element.textContent };
}

test("a job is begun, watched and done", async () => {
  serve(() => ({ id: "7" }));
  const one = begin();
  await settled();
  const source = Source.all.at(-1);
  assert.equal(source.address, "/api/v1/jobs/7/events");
  source.tell("progress", { done: 1, total: 4 });
  assert.match(one.text(), /1 of 4/);
  assert.equal(one.element.querySelector("progress").value, 0.25);
  source.tell("done", { status: "done", report: { mean: 3.5 } });
  assert.deepEqual(await one.finished, { mean: 3.5 });
  assert.deepEqual([one.text(), one.ids, source.closed], ["ItTook 3.5.", ["7", ""], true]);
});

test("a job that fails says why, one that is cancelled that it is", async () => {
  const seen = serve(() => ({ id: "7" }));
  const failing = begin();
  await settled();
  Source.all.at(-1).tell("failed", { status: "failed", error: "no memory" });
  assert.deepEqual([await failing.finished, failing.text()], [null, "ItNo memory."]);
  const one = begin();
  await settled();
  one.cancel();
  assert.deepEqual([await one.finished, one.text(), one.ids.at(-1)], [null, "ItCancelled.", ""]);
  await settled();
  assert.deepEqual([seen.at(-1).method, seen.at(-1).path], ["DELETE", "/jobs/7"]);
});

test("a job that was begun is watched on, and begun anew where a server has forgotten it", async () => {
  const seen = serve(({ method }) => (method === "GET" ? { status: "running" } : { id: "8" }));
  begin("7");
  await settled();
  assert.deepEqual([seen.length, Source.all.at(-1).address], [1, "/api/v1/jobs/7/events"]);
  serve(({ method }) => (method === "GET" ? [404, { detail: "gone" }] : { id: "8" }));
  const one = begin("7");
  await settled();
  assert.deepEqual([Source.all.at(-1).address, one.ids], ["/api/v1/jobs/8/events", ["8"]]);
  serve(() => ({ status: "done", report: { mean: 2 } }));
  assert.deepEqual(await begin("7").finished, { mean: 2 });
});

test("a job is found again by what is asked, in this tab", () => {
  openJob("measuring", "a").keep("7");
  assert.deepEqual(
    ["a", "b"].map((key) => openJob("measuring", key).begun),
    ["7", ""],
  );
  openJob("measuring", "a").keep("");
  assert.equal(openJob("measuring", "a").begun, "");
});

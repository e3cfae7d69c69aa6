// Compare: strategies side by side, each played against every answer.

import { Problem, get, post, remove, waitingNote } from "../api.js";
import { announce, field, fixed, h, percent, problemNote, select, whole } from "../dom.js";
import { allStrategies, gameFields, remembered, turnsOf } from "../games.js";
import { histogram } from "../histogram.js";

const FIRST = ["information-gain", "expected-guesses"];
const MOST = 4;

export async function mount(section) {
  let game = remembered("compare");
  const chosen = [];
  const places = h("div", { class: "contestants" });
  const opener = h("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    placeholder: "each its own",
  });
  const problem = h("div", {});
  const start = h("button", { class: "button primary" }, "Compare");
  const add = h(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => {
        chosen.push(unused());
        draw();
      },
    },
    "Add a strategy",
  );
  const runs = h("div", { class: "runs" });
  const summary = h("div", {});
  let going = [];
  let strategies = [];

  section.append(
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "Which strategy is better?"),
      h(
        "p",
        { class: "lead" },
        "Two to four strategies play every answer of a list. The server counts how many guesses each takes.",
      ),
    ),
    h(
      "div",
      { class: "stack" },
      h(
        "form",
        {
          class: "card stack",
          onsubmit: (event) => {
            event.preventDefault();
            run();
          },
        },
        places,
        gameFields(
          game,
          (next) => {
            game = next;
          },
          { view: "compare" },
        ),
        h(
          "div",
          { class: "spread end" },
          field("First guess for all", opener),
          h("div", { class: "cluster" }, add, start),
        ),
        problem,
      ),
      summary,
      runs,
    ),
  );

  try {
    strategies = await allStrategies();
    const names = strategies.map((one) => one.name);
    chosen.push(...FIRST.map((name, i) => (names.includes(name) ? name : names[i])));
    draw();
  } catch (error) {
    problem.replaceChildren(problemNote(error));
  }

  const unused = () => strategies.find((one) => !chosen.includes(one.name))?.name ?? strategies[0].name;

  function draw() {
    places.replaceChildren(
      ...chosen.map((name, i) => {
        const control = select(
          strategies.map((one) => [one.name, one.name]),
          name,
          (event) => {
            chosen[i] = event.target.value;
            draw();
            places.querySelectorAll("select")[i].focus();
          },
        );
        const about = strategies.find((one) => one.name === name)?.summary ?? "";
        return h(
          "div",
          { class: "stack contestant" },
          field(`Strategy ${i + 1}`, control),
          h("p", { class: "soft small" }, about),
          chosen.length > 2
            ? h(
                "div",
                {},
                h(
                  "button",
                  {
                    type: "button",
                    class: "link small",
                    onclick: () => {
                      chosen.splice(i, 1);
                      draw();
                    },
                  },
                  `Remove ${name}`,
                ),
              )
            : null,
        );
      }),
    );
    add.hidden = chosen.length >= MOST;
  }

  async function run() {
    for (const one of going) one.cancel();
    problem.replaceChildren();
    summary.replaceChildren();
    const asked = { game, ...(opener.value.trim() ? { opener: opener.value.trim().toLowerCase() } : {}) };
    const turns = turnsOf(game);
    going = chosen.map((strategy) => job({ ...asked, strategy, options: {} }));
    const mine = going;
    runs.replaceChildren(...going.map((one) => one.element));
    const reports = (await Promise.all(going.map((one) => one.finished))).filter(Boolean);
    if (mine !== going || reports.length === 0) return;
    const last = Math.max(
      turns + 1,
      ...reports.flatMap(({ report }) => Object.keys(report.histogram).map(Number)),
    );
    for (const { report, show } of reports) show(report, turns, last);
    summary.replaceChildren(table(reports, turns));
    const said = reports.map(({ strategy, report }) => `${strategy} takes ${fixed(report.mean, 3)} guesses`);
    announce(`Done. On average ${said.join(", ")}.`);
  }

  return {};
}

/**
 * Start an evaluation. Return its element, which shows progress; `finished`, a promise of its report, or of
 * nothing when it was cancelled; and `cancel`.
 */
function job(request) {
  const track = h("progress", { "aria-label": `Progress of ${request.strategy}`, max: 1 });
  const said = h("p", { class: "soft small" }, "Waiting for its turn…");
  const stop = h(
    "button",
    { type: "button", class: "button", "aria-label": `Cancel ${request.strategy}`, onclick: () => cancel() },
    "Cancel",
  );
  const content = h("div", { class: "stack" }, track, h("div", { class: "spread" }, said, stop));
  const element = h("article", { class: "card stack run" }, h("h2", {}, request.strategy), content);
  let cancel;

  const finished = new Promise((resolve) => {
    let events;
    let id;
    let ended = false;
    const end = (node, result) => {
      if (ended) return;
      ended = true;
      events?.close();
      waitingNote("");
      if (node) content.replaceChildren(node);
      resolve(result);
    };
    const settle = (state) => {
      if (state.status === "done") end(null, { strategy: request.strategy, report: state.report, show });
      else if (state.status === "failed")
        end(problemNote(new Error(state.error?.detail ?? state.error ?? "the evaluation failed")));
      else if (state.status === "cancelled") end(h("p", { class: "soft" }, "Cancelled."));
    };
    cancel = () => {
      if (id) remove(`/evaluations/${id}`).catch(() => {});
      end(h("p", { class: "soft" }, "Cancelled."));
    };
    const begin = async () => {
      try {
        const started = await post("/evaluations", request);
        if (ended) {
          remove(`/evaluations/${started.id}`).catch(() => {});
          return;
        }
        ({ id } = started);
        listen(started.events);
      } catch (error) {
        end(problemNote(error));
      }
    };
    const listen = (address) => {
      events = new EventSource(address);
      events.addEventListener("progress", (event) => progress(JSON.parse(event.data)));
      for (const name of ["done", "cancelled", "failed"])
        events.addEventListener(name, (event) => settle(JSON.parse(event.data)));
      events.addEventListener("open", () => waitingNote(""));
      events.addEventListener("error", () => {
        events.close();
        if (!ended) lookAgain();
      });
    };
    // The stream broke: the server may have restarted, and then it has forgotten the run.
    const lookAgain = async () => {
      try {
        const state = await get(`/evaluations/${id}`);
        settle(state);
        if (!ended) listen(state.events ?? `/api/v1/evaluations/${id}/events`);
      } catch (error) {
        if (!(error instanceof Problem) || error.problem.status !== 404) {
          end(problemNote(error));
          return;
        }
        said.textContent = "The server restarted; starting over…";
        await begin();
      }
    };
    begin();
  });

  function progress({ done, total, turn }) {
    if (total) track.value = done / total;
    said.textContent = total
      ? `${whole(done)} of ${whole(total)}${turn ? `, guess ${turn}` : ""}`
      : "Working…";
  }

  function show(report, turns, last) {
    content.replaceChildren(
      histogram(
        report.histogram,
        turns,
        last,
        `Histogram of ${request.strategy}: answers by guesses, as in the table`,
      ),
      h(
        "table",
        { class: "plain-table" },
        h("caption", { class: "vh" }, `${request.strategy}: answers by guesses`),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Guesses"),
            h("th", { scope: "col" }, "Answers"),
            h("th", { scope: "col" }, "Share"),
          ),
        ),
        h(
          "tbody",
          {},
          Object.entries(report.histogram).map(([n, found]) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, Number(n) > turns ? `${n} (lost)` : n),
              h("td", {}, whole(found)),
              h("td", {}, percent(found / report.answers)),
            ),
          ),
        ),
      ),
    );
  }

  return { element, finished, cancel: () => cancel() };
}

const behind = (difference) => (difference === 0 ? "best" : `+${fixed(difference, 4)}`);

function table(reports, turns) {
  const best = Math.min(...reports.map(({ report }) => report.mean));
  return h(
    "div",
    { class: "card" },
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Comparison, table" },
      h(
        "table",
        {},
        h("caption", {}, "Fewer guesses on average is better."),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Strategy", "Mean", "Worst", `Not in ${turns}`, "Opener"].map((name) =>
              h("th", { scope: "col" }, name),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          reports.map(({ strategy, report }) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, strategy),
              h(
                "td",
                {},
                h("b", {}, fixed(report.mean, 4)),
                h("br"),
                h("span", { class: "soft small" }, behind(report.mean - best)),
              ),
              h("td", {}, String(report.worst)),
              h("td", {}, whole(report.failures)),
              h("td", { class: "word" }, report.opener ?? ""),
            ),
          ),
        ),
      ),
    ),
  );
}

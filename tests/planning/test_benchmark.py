"""The benchmark of planning: what is played, how it goes on, and what is told of it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

import numpy as np
import pytest
from command_line import Run, json_of

from sleuth.kernels import compiling
from sleuth.planning.benchmark import running
from sleuth.planning.benchmark.keeping import Keeper
from sleuth.planning.benchmark.pictures import panels, rewards
from sleuth.planning.benchmark.problems import DRAWN, PROBLEMS
from sleuth.planning.benchmark.results import METHODS, Benchmark, Episode, Pair, Played, Results
from sleuth.planning.benchmark.running import run
from sleuth.planning.episodes import compare
from sleuth.planning.methods import method, pomdp_method
from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Policy
from sleuth.planning.pomdps.hsvi import HSVI
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import Searching, TreePlanner, VectorPlanner, play
from sleuth.planning.pomdps.problems import tiger_pomdp
from sleuth.planning.pomdps.small_problems import (
    bandit_pomdp,
    dosing_pomdp,
    light_dark_pomdp,
    twenty_questions_pomdp,
)
from sleuth.planning.problems.tiger import Tiger
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.pictures import canvases
from sleuth.support.progress import Progress
from sleuth.support.version import VERSION

QUICK = Benchmark(("twenty-questions",), ("random", "oracle-lookahead"), episodes=3)
HANG = 300


def results(*rewards: dict[int, float], methods: tuple[str, ...] = ("random", "tree")) -> Results:
    benchmark = Benchmark(("tiger",), methods, episodes=10)
    played = {
        Pair("tiger", name): Played({number: Episode(gain, 4, 0.5) for number, gain in gains.items()})
        for name, gains in zip(methods, rewards, strict=True)
    }
    return Results(benchmark, played, {})


def test_intervals_are_those_of_a_naive_computation() -> None:
    rng = Random(1)
    ours = {number: rng.gauss(3, 2) for number in range(10)}
    others = {number: gain + rng.gauss(1, 0.5) for number, gain in ours.items() if number != 4}
    first, second = results(ours, others).standings()
    values = np.array(list(ours.values()))
    within = 1.959963984540054 * values.std(ddof=1) / sqrt(10)
    assert np.allclose(
        [first.reward.value, first.reward.low, first.reward.high],
        [values.mean(), values.mean() - within, values.mean() + within],
    )
    assert first.against is None
    apart = np.array([others[number] - ours[number] for number in others])
    assert second.against is not None
    assert (second.episodes, len(apart)) == (9, 9)
    assert np.allclose(
        [second.against.value, second.against.within],
        [apart.mean(), 1.959963984540054 * apart.std(ddof=1) / 3],
    )
    assert (second.seconds, second.decisions) == (0.125, 4.0)


def test_a_single_episode_has_no_interval() -> None:
    row, other = results({0: 1.0}, {3: 2.0}).to_records()
    assert (row["reward"], row["reward_low"], row["reward_high"]) == (1.0, None, None)
    assert other["difference"] is None  # no episode that both have played
    json.dumps(row, allow_nan=False)


def test_bounds_of_several_methods_are_joined() -> None:
    played = {
        Pair("tiger", "hsvi"): Played({0: Episode(1.0, 1, 0.0)}, (1.0, 5.0)),
        Pair("tiger", "hsvi(seconds=1.0)"): Played({0: Episode(1.0, 1, 0.0)}, (2.0, 6.0)),
    }
    found = Results(Benchmark(("tiger",), ("hsvi", "hsvi(seconds=1)")), played, {})
    assert found.bounds("tiger") == (2.0, 5.0)
    assert found.bounds("tag") is None
    assert [(row["lower"], row["upper"]) for row in found.to_records()] == [(2.0, 5.0)] * 2


def test_every_method_meets_the_same_episodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "play", lambda pomdp, planner, rng: rng.random())
    met = [
        [one.reward for one in running._played(Pair("tiger", name), range(4), 0.1, seed).episodes.values()]
        for seed in (0, 0, 1)
        for name in ("random", "oracle-lookahead", "tree")
    ]
    assert all(gains == met[0] for gains in met[:6])
    assert len({*met[0], *met[6]}) == 8


def test_what_is_played_is_what_the_planner_gets() -> None:
    pair = Pair("twenty-questions", "oracle-lookahead")
    found = running._played(pair, [2], 0.1, 7).episodes[2]
    modelled = ModelledPomdp(PROBLEMS[pair.problem].make())
    planner = pomdp_method(pair.method).planners(modelled).new(0)
    assert found.reward == play(modelled.pomdp, planner, Random("benchmark/7/2"))
    assert found.decisions > 0


@dataclass
class Slow:
    """A search that takes some seconds, whatever it may take."""

    clock: list[float]
    takes: list[float]
    may: list[float]

    action = 0

    def search(self, seconds: float | None = None, progress: Any = None) -> "Slow":
        assert seconds is not None
        self.may.append(seconds)
        self.clock[0] += self.takes.pop(0)
        return self

    def choose(self) -> int:
        raise AssertionError("a search is to have a time")

    def observe(self, action: int, observation: int) -> None:
        pass


def test_time_taken_beyond_is_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(running, "seconds_worked", lambda: clock[0])
    planner = Slow(clock, [0.5, 3.0, 0.1, 0.1, 0.5, 1.0], [])
    assert isinstance(planner, Searching)
    timed = running._Timed(planner, 1.0)
    for _ in range(6):
        timed.choose()
    assert np.allclose(planner.may, [1.0, 1.0, 0.1, 0.1, 0.8, 1.0])  # 2.0, 1.1 and 0.2 are owed
    assert (timed.decisions, round(timed.spent, 6)) == (6, 5.2)


def test_a_number_that_a_search_was_given_holds_beside_the_time_of_a_decision() -> None:
    modelled = ModelledPomdp(PROBLEMS["hallway"].make())
    for name in ("tree(simulations=1)", "pomcp(simulations=1)", "despot(trials=1,scenarios=20)"):
        planner: Any = pomdp_method(name).planners(modelled, seconds=1000.0).new(0)
        for found in (planner.search(), planner.search(seconds=1000.0)):
            assert (getattr(found, "trials", None) or found.simulations) == 1


def test_a_tree_begun_anew_is_as_a_new_one() -> None:
    modelled = ModelledPomdp(PROBLEMS["rocksample-4-4"].make())
    made = pomdp_method("tree(simulations=300,seed=3)").planners(modelled)
    gains = [play(modelled.pomdp, made.new(seed), Random(f"{seed}")) for seed in (5, 6, 5)]
    assert gains[0] == gains[2]
    found = [made.new(seed).search() for seed in (5, 6, 5)]  # type: ignore[attr-defined]
    alone = TreePlanner(modelled, 300, seed=8).search()
    assert [replace(one, seconds=0.0) for one in (found[0], found[2])] == [replace(alone, seconds=0.0)] * 2
    assert found[1].value != alone.value


def test_seconds_are_of_the_processor_where_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    # Whatever other tests of this process have compiled: differences of other numbers are not exact.
    monkeypatch.setattr(compiling, "_prepared", (0.0, None))
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    monkeypatch.setattr(time, "process_time", lambda: 5.0)
    before = compiling.seconds_worked()
    with compiling.processor_time():
        assert compiling.seconds_worked() == before - 95
    assert compiling.seconds_worked() == before


def kept(path: Path) -> dict[str, Any]:
    return {run["method"]: run["episodes"] for run in json.loads(path.read_text())["runs"]}


@pytest.mark.usefixtures("without_processes")
def test_a_benchmark_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "episodes.json"

    def stop(progress: Progress) -> None:
        if progress.done:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        run(QUICK, keep=path, workers=1, progress=stop)
    first = kept(path)
    known = stopped.value.known
    assert 1 <= known.done == sum(map(len, first.values()))
    more = replace(QUICK, episodes=4)
    found = run(more, keep=path, workers=2)
    assert found.done == 8
    assert all(kept(path)[name].items() >= episodes.items() for name, episodes in first.items())

    def nothing(count: int) -> None:
        raise AssertionError("all is known")

    monkeypatch.setattr(running, "processes", nothing)
    assert run(more, keep=path).played == found.played
    fewer = Benchmark(QUICK.problems, QUICK.methods, episodes=2)
    assert run(fewer, keep=path).done == 4


@pytest.mark.usefixtures("without_processes")
def test_episodes_of_other_settings_are_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "episodes.json"
    run(Benchmark(("bandit",), ("random",), 1), keep=path)
    for other in (
        Benchmark(("bandit",), ("random",), 1, seed=1),
        Benchmark(("bandit",), ("random",), 1, 0.2),
    ):
        assert Keeper(path).find(other, Pair("bandit", "random")).episodes == {}
    assert len(Keeper(path).find(Benchmark(episodes=1), Pair("bandit", "random")).episodes) == 1


def test_a_policy_planned_before_play_is_planned_once() -> None:
    benchmark = Benchmark(("tiger",), ("hsvi", "random"), episodes=3)
    known = Played({1: Episode(1.0, 1, 0.0)})
    assert running._left(benchmark, Pair("tiger", "hsvi"), known) == [(Pair("tiger", "hsvi"), [0, 2])]
    assert [numbers for _, numbers in running._left(benchmark, Pair("tiger", "random"), known)] == [[0], [2]]
    found = running._played(Pair("tiger", "hsvi"), range(2), 0.1, 0)
    assert found.bounds is not None
    assert found.bounds[0] <= 19.3714 <= found.bounds[1]
    assert len(found.episodes) == 2


def test_the_vectors_followed_are_worth_what_they_say() -> None:
    pomdp = tiger_pomdp()
    search = HSVI(pomdp)
    found = search.run()
    policy = search.policy()
    gains = [play(pomdp, VectorPlanner(pomdp, policy), Random(f"{n}")) for n in range(100)]
    assert abs(np.mean(gains) - found.lower) < 4 * np.std(gains) / 10


@pytest.mark.usefixtures("without_processes")
def test_what_fails_ends_nothing_else() -> None:
    benchmark = Benchmark(("tiger",), ("oracle-lookahead(depth=2)", "random"), episodes=1)
    found = run(benchmark, workers=1)
    assert found.failures == [
        "oracle-lookahead(depth=2) on tiger: oracle-lookahead looks one step ahead in a POMDP, not 2"
    ]
    assert found.done == 1
    alike = {Pair("tiger", "tree"): "why", Pair("tag", "tree"): "why", Pair("tiger", "despot"): "why"}
    assert Results(benchmark, {}, alike).failures == ["tree, despot on tiger: why", "tree on tag: why"]


BAD = {
    "--problems tigre": "unknown problem of the benchmark 'tigre': did you mean tiger?",
    "--methods tre": "unknown method 'tre': did you mean tree?",
    "--methods exact": "exact plans for no POMDP; oracle-lookahead, hsvi, tree, pomcp, despot, random do",
    "--methods tree(sims=4)": "unknown option of tree 'sims': there are optimism, sampler, seed, simulations",
    "--methods tree(optimism=2)": "optimism must be from 0 to 1, not 2.0",
    "--methods tree,tree(seed=0)": "methods are named twice in tree, tree(seed=0): tree",
    "--problems tiger,tiger": "problems are named twice in tiger, tiger: tiger",
    "--problems ,": "there are no problems; a benchmark needs one at least",
    "--seconds 0": "seconds must be more than 0 and finite, not 0.0",
    "--seconds nan": "seconds must be more than 0 and finite, not nan",
    "--keep no/such/file.json": "no/such/file.json cannot be written (there is no folder no/such)",
}


@pytest.mark.parametrize(("line", "message"), BAD.items())
def test_bad_input_is_told_in_a_line(run: Run, line: str, message: str) -> None:
    code, out, err = run("bench", "planning", *line.split())
    assert (code, out) == (2, "")
    assert err == f"sleuth: {message}\n"


def test_other_benchmarks_are_refused(run: Run) -> None:
    code, _, err = run("bench", "chess")
    assert code == 2
    assert "planning" in err


def test_a_damaged_file_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "episodes.json"
    path.write_text("{}")
    code, _, err = run("bench", "planning", "--keep", path)
    assert (code, err.count("\n")) == (2, 1)
    assert str(path) in err
    assert path.read_text() == "{}"


@pytest.mark.usefixtures("without_processes")
def test_the_command(run: Run, tmp_path: Path) -> None:
    line = ("bench", "planning", "--problems", "twenty-questions", "--methods", "random,hsvi(seconds=0.1)")
    line = (*line, "--episodes", "3", "--workers", "1", "--keep", str(tmp_path / "episodes.json"))
    code, out, _ = run(*line)
    assert code == 0
    assert "twenty-questions: the optimal value lies between" in out
    assert "minus random" in out
    found = json_of(run(*line, "--json"))
    assert [row["method"] for row in found["results"]] == ["random", "hsvi(seconds=0.1)"]
    assert found["results"][0]["lower"] <= found["results"][0]["upper"]
    assert (found["interrupted"], found["failures"]) == (False, [])
    code, out, _ = run(*line, "--format", "csv")
    assert out.splitlines()[0].startswith("problem,method,episodes,reward,reward_low,reward_high,difference")
    assert len(out.splitlines()) == 3


def ended_by(number: signal.Signals, path: Path) -> tuple[int, str, str]:
    """Begin a long benchmark, end it once episodes are kept, and wait until no process of it is left."""
    command = "bench planning --problems bandit --methods random,tree --episodes 5000 --workers 1 --seconds 5"
    process = subprocess.Popen(
        [sys.executable, "-c", "from sleuth.cli import main; main()", *command.split(), "--keep", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + HANG
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.1)
    process.send_signal(number)
    out, err = process.communicate(timeout=HANG)
    while True:
        assert time.monotonic() < until, "a worker goes on"
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return process.returncode, out, err
        time.sleep(0.1)


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="processes are ended by signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_command_and_its_workers(tmp_path: Path, number: signal.Signals) -> None:
    code, out, err = ended_by(number, tmp_path / "episodes.json")
    assert code == 130, err
    assert "Traceback" not in err
    assert "not finished: interrupted" in out
    assert "the same command goes on from there" in err
    assert kept(tmp_path / "episodes.json")["random"]


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="processes are ended by signals")
def test_workers_end_with_a_command_that_is_killed(tmp_path: Path) -> None:
    assert ended_by(signal.SIGKILL, tmp_path / "episodes.json")[0] == -signal.SIGKILL
    assert kept(tmp_path / "episodes.json")["random"]


SOLVED: list[tuple[Any, float]] = [
    (twenty_questions_pomdp(4, 1.0), -1 - 0.95 + 20 * 0.95**2),
    (bandit_pomdp(2, (0.0, 1.0)), 0.5 * 20 + 0.5 * 0.95 * 0.5 * 20),
    (bandit_pomdp(2, (0.8,)), 0.8 * 20),
]


@pytest.mark.parametrize(("pomdp", "value"), SOLVED)
def test_small_problems_have_known_values(pomdp: Any, value: float) -> None:
    found = HSVI(pomdp).run(gap=1e-3)
    assert found.lower - 1e-3 <= value <= found.upper + 1e-3


def test_small_problems_are_as_they_say() -> None:
    drug = dosing_pomdp()
    at, n = drug.states.index("(4, 2)"), len(drug.states)
    begin, end = drug.transition.starts[2 * n + at : 2 * n + at + 2]
    chances = zip(drug.transition.columns[begin:end], drug.transition.values[begin:end], strict=True)
    assert {drug.states[to]: round(float(chance), 6) for to, chance in chances} == {
        "(4, 2)": 0.8,
        "(5, 2)": 0.2,
    }
    assert drug.reward[2, at] == 1.0
    assert drug.reward[0, drug.states.index("(8, 1)")] == pytest.approx(-6.0)
    dark = light_dark_pomdp()
    row = dark.actions.index("1") * len(dark.states) + dark.states.index("6")
    begin, end = dark.observation.starts[row : row + 2]
    assert dark.observation.values[begin:end].max() > 0.999
    assert set(dark.reward[dark.actions.index("0")].tolist()) == {100.0, -100.0, 0.0}


def test_a_random_policy_takes_any_control() -> None:
    problem = Tiger()
    oracle = Oracle(problem)
    policies: dict[str, Policy] = {name: method(name).policy(problem, oracle) for name in ("random", "exact")}
    worse, best = compare(problem, policies, 200)
    assert worse.mean > best.mean + 10


def test_the_methods_and_problems_are_known() -> None:
    assert Benchmark().methods == METHODS
    assert len(Benchmark().pairs()) == len(PROBLEMS) * len(METHODS) + 3 * len(DRAWN)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("tree(simulations=3000)", marks=pytest.mark.thorough),
        "pomcp(simulations=1000)",
        "despot(trials=20)",
    ],
)
def test_searches_tell_how_far_they_are(name: str) -> None:
    told: list[Progress] = []
    planner: Any = pomdp_method(name).planners(ModelledPomdp(PROBLEMS["tag"].make())).new(0)
    planner.search(progress=told.append)
    assert told[-1].total / 2 < told[-1].done <= told[-1].total
    assert [one.done for one in told] == sorted(one.done for one in told)


def test_a_search_takes_no_negative_time() -> None:
    planner: Any = pomdp_method("tree").planners(ModelledPomdp(tiger_pomdp())).new(0)
    with pytest.raises(SleuthError, match="seconds must be 0 or more"):
        planner.search(seconds=-1)


@pytest.mark.thorough
def test_a_cluster_plays_as_processes_do(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    methods = ("random", "oracle-lookahead", "oracle-lookahead(depth=2)")
    benchmark = Benchmark(("twenty-questions",), methods, episodes=3)
    here = run(benchmark, workers=1)
    there = run(benchmark, workers=1, scheduler="local", keep=tmp_path / "episodes.json")
    gains = [
        {pair: {number: one.reward for number, one in played.episodes.items()} for pair, played in of.items()}
        for of in (here.played, there.played)
    ]
    assert gains[0] == gains[1]
    assert there.problems == here.problems
    assert len(there.problems) == 1
    left = replace(benchmark, methods=methods[:2])
    assert run(left, scheduler="nowhere", keep=tmp_path / "episodes.json").done == 6  # nothing is to play


def test_clusters_that_do_not_answer_and_workers_of_other_versions_are_told() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(SleuthError, match="'nowhere' is no address of a dask scheduler"):
        run(QUICK, scheduler="nowhere")
    with pytest.raises(SleuthError, match=r"a worker has sleuth .*, and the benchmark is of 9\.9"):
        running._play_there("9.9", Pair("tiger", "random"), [0], 0.1, 0)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bounds": [1, 2, 3]}, "does not hold a whole benchmark"),
        ({"bounds": "ab"}, "lower must be a number"),
        ({"episodes": {"0": ["a", 1, 0.1]}}, "reward must be a number"),
        ({"episodes": {"0": [1.0, "3", 0.1]}}, "decisions must be a whole number"),
        ({"episodes": {"-1": [1.0, 3, 0.1]}}, "episodes are numbered from 0"),
    ],
)
def test_kept_values_that_no_episode_has_are_refused(
    tmp_path: Path, run: Run, change: dict[str, Any], said: str
) -> None:
    path = tmp_path / "episodes.json"
    kept = {"sleuth": VERSION, "problem": "tiger", "method": "random", "seconds": 0.1, "seed": 0}
    one = {**kept, "bounds": None, "episodes": {"0": [1.0, 3, 0.1]}, **change}
    path.write_text(json.dumps({"format": "sleuth-benchmark", "version": 1, "runs": [one]}))
    refused(path, run, said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is no benchmark of Sleuth: it is empty"),
        ('{"format": "sleuth-be', r"is no benchmark of Sleuth: it is no JSON, or cut short \(line 1\)"),
        ('{"a": 1}', "is no benchmark of Sleuth; it needs"),
    ],
)
def test_files_that_keep_something_else_are_refused(
    tmp_path: Path, run: Run, content: str, said: str
) -> None:
    path = tmp_path / "episodes.json"
    path.write_text(content)
    refused(path, run, said)


def refused(path: Path, run: Run, said: str) -> None:
    """Check that a benchmark says so of a file and leaves it as it was."""
    before = path.read_bytes()
    code, out, err = run("bench", "planning", "--problems", "tiger", "--methods", "random", "--keep", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert re.search(said, err)
    assert path.read_bytes() == before


def test_what_is_no_file_keeps_no_episodes(tmp_path: Path, run: Run) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        args = ("bench", "planning", "--problems", "tiger", "--methods", "random", "--keep", path)
        code, _, err = run(*args)
        assert code == 2
        assert "is no file that episodes can be kept in" in err


def test_pieces_on_threads_of_a_worker_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once: list[int] = []
    lock = Lock()

    def played(*_: Any) -> Played:
        assert not lock.locked()
        with lock:
            at_once.append(1)
            time.sleep(0.01)
        return Played({})

    monkeypatch.setattr(running, "_played", played)
    with ThreadPoolExecutor(4) as pool:
        pieces = [
            pool.submit(running._play_there, VERSION, Pair("tiger", "random"), [0], 0.1, 0) for _ in range(8)
        ]
        for piece in pieces:
            piece.result()
    assert len(at_once) == 8


@pytest.mark.usefixtures("without_processes")
def test_the_picture_has_a_panel_for_each_problem(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "a.svg"
    line = (
        "bench",
        "planning",
        "--problems",
        "twenty-questions,tiger",
        "--methods",
        "random,oracle-lookahead",
    )
    code, _, err = run(*line, "--episodes", "2", "--workers", "1", "--plot", picture)
    assert code == 0, err
    assert picture.read_text(encoding="utf-8").count('<g id="axes_') == 2
    code, _, err = run(*line, "--plot", "a.txt")
    assert (code, err.count("\n")) == (2, 1)
    assert "a picture ends in .png, .svg, .pdf" in err


def test_panels_show_the_intervals_the_bounds_and_what_is_far_off() -> None:
    pytest.importorskip("matplotlib")
    found = results({0: -600.0, 1: -700.0}, {0: 10.0, 1: 12.0}, {0: 9.0}, methods=("random", "tree", "hsvi"))
    played = {**found.played, Pair("tiger", "hsvi"): Played({0: Episode(9.0, 4, 0.5)}, (8.0, 15.0))}
    found = replace(found, played=played)
    _, (axes,) = canvases(1)
    assert rewards(found, axes) is axes
    (container,) = axes.containers
    assert container.lines[0].get_xdata().tolist() == [-650.0, 11.0, 9.0]
    left, right = axes.get_xlim()
    reward = found.standings()[1].reward
    assert 0 < left < 8 < 15 < right < 20
    assert left < reward.low < reward.high < right
    assert [text.get_text() for text in axes.texts] == ["\N{LEFTWARDS ARROW} -650.00"]
    (band,) = axes.patches
    assert (band.get_x(), band.get_width()) == (8.0, 7.0)
    assert len(panels(found)) == 1
    with pytest.raises(SleuthError, match="no picture is drawn: no episode is played of 'tag'"):
        rewards(found, axes, "tag")
    with pytest.raises(SleuthError, match="no picture is drawn: no episode is played$"):
        rewards(Results(found.benchmark, {}, {}))


def test_panels_stand_side_by_side() -> None:
    pytest.importorskip("matplotlib")
    figure, five = canvases(5, columns=3)
    assert [axes.get_subplotspec().rowspan.start for axes in five] == [0, 0, 0, 1, 1]
    assert figure.axes == five

"""Studies: what they are made of, how they are played and kept, and what is told of them."""

import concurrent.futures
import csv
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from itertools import count
from math import sqrt
from pathlib import Path
from statistics import mean, stdev, variance
from threading import Event
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from command_line import Run as RunCommand
from command_line import json_of

import sleuth
from sleuth.studies import played as played_module
from sleuth.studies import running
from sleuth.studies.played import Played
from sleuth.studies.study import Run
from sleuth.support import settling
from sleuth.support.errors import Interrupted, SleuthError, TreeError, UnknownNameError
from sleuth.support.parallel import GivenUp, map_threads, until
from sleuth.trees.comparison import duel, mean_of

PEGS = sleuth.mastermind(2, 3)
CODES = sleuth.mastermind(2, 4)
STUDY = """
strategies = ["information-gain", "rollout -o width=3", "random"]
baseline = "information-gain"
seeds = 2

[[games]]
game = "mastermind"
pegs = 2
colours = 3

[[games]]
name = "larger"
game = "mastermind"
pegs = 2
colours = 4
opener = "12"
"""
MINE = """
import sleuth
from dataclasses import dataclass

@dataclass(frozen=True)
class Nth:
    place: int = 0
    name = "nth"
    def choose(self, position):
        at = position.candidates[self.place % len(position.candidates)]
        return int(position.game.answer_guess[at])

def wrong(position):
    return -7

def fails(position):
    return 1 // 0

def hilo():
    return sleuth.Game.from_function(lambda g, a: (g > a) - (g < a), range(1, 9), name="hilo")
"""


# What is told of numbers.


def test_intervals_are_those_of_the_sample_without_a_prior() -> None:
    turns = np.array([3, 4, 4, 5, 2, 3, 3, 4, 6], np.int32)
    found = mean_of(PEGS, turns)
    assert found.value == pytest.approx(mean(turns.tolist()))
    assert found.error == pytest.approx(stdev(turns.tolist()) / sqrt(9))
    assert found.high - found.value == pytest.approx(1.959964 * found.error, rel=1e-6)
    assert found.value - found.low == pytest.approx(found.high - found.value)


def test_intervals_under_a_prior_weigh_the_answers() -> None:
    turns = np.array([3, 4, 4, 5, 2, 3, 3, 4, 6], np.int32)
    twice = PEGS.with_prior(np.array([2.0, 1, 1, 1, 1, 1, 1, 1, 1]))
    p, m = twice.prior.tolist(), sum(p * t for p, t in zip(twice.prior.tolist(), turns.tolist(), strict=True))
    squares = sum(a * a for a in p)
    spread = sum(a * a * (t - m) ** 2 for a, t in zip(p, turns.tolist(), strict=True))
    found = mean_of(twice, turns)
    assert (found.value, found.error) == pytest.approx((m, sqrt(spread / (1 - squares))))
    certain = PEGS.with_prior(np.array([1.0, 0, 0, 0, 0, 0, 0, 0, 0]))
    assert mean_of(certain, turns).error == 0


def test_seeds_that_scatter_widen_the_interval() -> None:
    turns = np.array([[3, 4, 4, 5, 2, 3, 3, 4, 6], [4, 4, 5, 5, 3, 4, 3, 4, 6]], np.int32)
    over_answers = stdev(turns.mean(axis=0).tolist()) / 3
    over_seeds = variance(turns.mean(axis=1).tolist()) / 2
    assert mean_of(PEGS, turns).error == pytest.approx(sqrt(over_answers**2 + over_seeds))


def test_a_duel_is_told_pair_by_pair() -> None:
    ours = np.array([3, 4, 4, 5, 2, 3, 3, 4, 6], np.int32)
    others = np.array([3, 5, 4, 5, 3, 4, 2, 4, 6], np.int32)
    found = duel(PEGS, ours, others)
    assert (found.wins, found.ties, found.losses) == (3, 5, 1)
    assert found.difference.value == pytest.approx(-2 / 9)
    apart = (ours - others).tolist()
    assert found.difference.error == pytest.approx(stdev(apart) / 3)
    assert found.difference.error < mean_of(PEGS, ours).error  # what answers have of their own falls out
    with pytest.raises(TreeError, match="9 answers cannot be compared with 8"):
        duel(PEGS, ours, others[:8])
    with pytest.raises(TreeError, match="2 seeds cannot be paired with 3"):
        duel(PEGS, np.stack([ours] * 2), np.stack([ours] * 3))
    with pytest.raises(TreeError, match="8 answers are not the 9 of mastermind 2x3"):
        mean_of(PEGS, ours[:8])


# What a study is made of.


def test_seeds_go_to_what_draws_and_to_nothing_else() -> None:
    study = sleuth.Study.of(
        ["information-gain", "random", "rollout -o base=random -o width=2", "schedule(turns=beam/random)"],
        PEGS,
        seeds=[4, 7],
    )
    assert [(run.strategy, run.seed) for run in study.runs()] == [
        ("information-gain", None),
        ("random", 4),
        ("random", 7),
        ("rollout -o base=random -o width=2", 4),
        ("rollout -o base=random -o width=2", 7),
        ("schedule(turns=beam/random)", 4),
        ("schedule(turns=beam/random)", 7),
    ]
    made = [study.player(run) for run in study.runs()]
    assert made[2] == sleuth.make("random", {"seed": 7})
    assert made[4] == sleuth.make("rollout(base=random(seed=7),width=2)")
    assert made[5] == sleuth.make("schedule(turns=beam/random(seed=4))")
    as_they_are = sleuth.Study.of(["random(seed=9)"], PEGS)
    assert as_they_are.runs() == [Run("random(seed=9)", "mastermind 2x3", None)]


def test_strategies_within_files_have_seeds_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "drawing.py").write_text(MINE.replace("place", "seed"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    study = sleuth.Study.of(["rollout(base=drawing.py:Nth,width=2)"], PEGS, seeds=2, files=True)
    first, second = map(cast(Any, study.player), study.runs())
    assert (first.base.given.seed, second.base.given.seed) == (0, 1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"strategies": []}, "there are no strategies; a study needs one at least"),
        ({"strategies": "random"}, "strategies are 'random'; they are a list, or a table by name"),
        ({"strategies": ["nonesuch"]}, "strategy nonesuch: unknown strategy 'nonesuch'"),
        ({"strategies": ["random", " random"]}, "two strategies are called random; name them"),
        ({"strategies": ["my.py:Mine"]}, "unknown strategy 'my.py:Mine'"),
        ({"strategies": ["rollout -w 3"]}, "'-w' is not understood; after the strategy come -o KEY=VALUE"),
        ({"strategies": ["rollout -o"]}, "'-o' is not understood"),
        ({"strategies": ["rollout -o width"]}, "option 'width' is not of the form KEY=VALUE"),
        ({"strategies": ["rollout 'x"]}, "is no strategy with its options; try 'rollout -o width=10'"),
        ({"strategies": ["beam --ties list-order"]}, "beam has no tie rule"),
        ({"strategies": [3]}, "strategy"),
        ({"games": []}, "there are no games"),
        ({"games": ["original"]}, "a study takes a Game, not 'original'; sleuth.wordle"),
        ({"games": [PEGS, PEGS]}, "two games are called mastermind 2x3"),
        ({"seeds": 0}, "seeds is 0; it is how many, from 1 to 10000, or a list of whole numbers from 0"),
        ({"seeds": "2"}, "seeds is '2'; it is how many"),
        ({"seeds": True}, "seeds is True; it is how many"),
        ({"seeds": [1, 1]}, "that all differ"),
        ({"seeds": [-1]}, "seeds is"),
        ({"seeds": 10**9}, "from 1 to 10000"),
        ({"strategies": ["random(seed=3)"], "seeds": 2}, "has a seed of its own, and the study has seeds"),
        ({"baseline": "rollout"}, "unknown baseline 'rollout'"),
        ({"openers": {"mastermind": "11"}}, "unknown game of the study 'mastermind'"),
        ({"openers": {"mastermind 2x3": "19"}}, "19 cannot be guessed"),
    ],
)
def test_what_makes_no_study_is_told_in_a_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(SleuthError) as told:
        sleuth.Study.of(**{"strategies": ["random"], "games": PEGS, **given})
    assert said in str(told.value)
    assert "\n" not in str(told.value)


def test_a_file_says_what_a_study_is(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    study = sleuth.Study.read(path)
    assert list(study.games) == ["mastermind 2x3", "larger"]
    assert study.games["larger"] == CODES
    assert study.openers == {"larger": "12"}
    assert (study.baseline, study.seeds) == ("information-gain", (0, 1))
    assert study.strategies["rollout -o width=3"] == sleuth.make("rollout(width=3)")
    path.write_text(
        '[strategies]\nplain = "information-gain --ties list-order"\n'
        '[[games]]\nwords = "original:20"\nmode = "hard"\nprior = "frequency"\nmax-turns = 5\n'
        'opener = "about"\n',
        encoding="utf-8",
    )
    study = sleuth.Study.read(path)
    assert list(study.strategies) == ["plain"]
    (name,) = study.games
    assert name == "wordle (original:20), hard mode, prior frequency, from about"
    assert (study.games[name].mode, study.games[name].max_turns) == ("hard", 5)
    path.write_text('strategies = ["random"]\n', encoding="utf-8")
    assert sleuth.Study.read(path).games == {"wordle (original)": sleuth.wordle("original")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("strategies = [", "is no TOML: "),
        ("", 'there are no strategies; say which, as in strategies = ["information-gain", "beam"]'),
        ("strategies = 3", "strategies is 3; it is a list of texts, or a table of texts by name"),
        ('strategies = ["random", 3]', "it is a list of texts"),
        ('strategies = ["randm"]', "strategy randm: unknown strategy 'randm': did you mean random?"),
        ('strategies = ["random"]\nseed = 3', "unknown key 'seed': did you mean seeds?"),
        ('strategies = ["random"]\nbaseline = 3', "baseline is 3; it is the name of a strategy"),
        (
            'strategies = ["random"]\ngames = 3',
            "games is 3; each game is a table of its own, under [[games]]",
        ),
        (
            'strategies = ["random"]\n[[games]]\nword = "nyt"',
            "game 1: unknown key 'word': did you mean words?",
        ),
        ('strategies = ["random"]\n[[games]]\npegs = "4"', "game 1: pegs is '4'; it takes a whole number"),
        ('strategies = ["random"]\n[[games]]\nwords = 3', "game 1: words is 3; it takes a text"),
        ('strategies = ["random"]\n[[games]]\nrepeats = 1', "repeats is 1; it takes true or false"),
        ('strategies = ["random"]\n[[games]]\nblack = "yes"', "black is 'yes'; it takes true or false"),
        ('strategies = ["random"]\n[[games]]\npegs = 4', "game 1: pegs does not go with game wordle"),
        ('strategies = ["random"]\n[[games]]\n[[games]]', "game 2: it is called wordle (original) as well"),
        ('strategies = ["random"]\n[[games]]\nopener = "xxxxx"', "xxxxx is not in the word list"),
    ],
)
def test_a_file_that_is_no_study_is_told_in_a_line(
    text: str, said: str, tmp_path: Path, run: RunCommand
) -> None:
    path = tmp_path / "study.toml"
    path.write_text(text, encoding="utf-8")
    code, out, err = run("experiment", path)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith(f"sleuth: {path}")
    assert said in err
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SleuthError, match=r"none\.toml cannot be read \(No such file"):
        sleuth.Study.read(tmp_path / "none.toml")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SleuthError, match=r"odd\.toml is no text in UTF-8"):
        sleuth.Study.read(tmp_path / "odd.toml")


# Played.


def small(**options: Any) -> sleuth.Study:
    strategies = ["information-gain", "random", "rollout(width=2)"]
    return sleuth.Study.of(strategies, [PEGS, CODES], seeds=2, baseline="information-gain", **options)


def test_a_study_is_what_its_evaluations_are() -> None:
    found = sleuth.experiment(small(openers={"mastermind 2x4": "12"}))
    assert found.finished
    assert list(found.played) == found.study.runs()
    for run, played in found.played.items():
        opener = found.study.openers.get(run.game)
        strategy = run.strategy if run.seed is None else f"random(seed={run.seed})"
        alone = sleuth.evaluate(strategy, found.study.games[run.game], opener)
        assert played.turns.tolist() == alone.report.turns.tolist()
        assert played.seconds >= 0
    first = found.standings()[0]
    assert (first.strategy, first.against, first.seeds) == ("information-gain", None, 1)
    drawn = found.standings()[1]
    games = [found.played[Run("random", "mastermind 2x3", seed)].turns for seed in (0, 1)]
    assert drawn.seeds == 2
    assert drawn.mean == mean_of(PEGS, np.stack(games))
    base = found.played[Run("information-gain", "mastermind 2x3")].turns
    assert drawn.against == duel(PEGS, np.stack(games), np.stack([base] * 2))
    assert drawn.worst == max(map(max, games))
    rows = found.to_records()
    assert len(rows) == 4 * (9 + 16)
    assert rows[0] == {
        "game": "mastermind 2x3",
        "strategy": "information-gain",
        "seed": None,
        "answer": "11",
        "turns": int(base[0]),
        "probability": pytest.approx(1 / 9),
    }


def test_a_strategy_that_draws_can_be_the_baseline() -> None:
    study = sleuth.Study.of(["random", "alpha", "rollout(base=random)"], PEGS, seeds=3, baseline="random")
    found = sleuth.experiment(study)
    base = np.stack([found.played[Run("random", "mastermind 2x3", seed)].turns for seed in range(3)])
    alone = found.played[Run("alpha", "mastermind 2x3")].turns
    _, alpha, rolled = found.standings()
    assert alpha.against == duel(PEGS, np.stack([alone] * 3), base)  # with every seed
    name = "rollout(base=random)"
    theirs = np.stack([found.played[Run(name, "mastermind 2x3", seed)].turns for seed in range(3)])
    assert rolled.against == duel(PEGS, theirs, base)  # seed by seed


def test_strategies_of_all_kinds_play() -> None:
    def middle(position: sleuth.Position) -> int:
        return position.game.find(position.words[len(position.words) // 2])

    study = sleuth.Study.of({"mine": middle, "ours": sleuth.make("alpha"), "text": "alpha"}, {"pegs": PEGS})
    found = sleuth.experiment(study, workers=1)
    assert [run.strategy for run in found.played] == ["mine", "ours", "text"]
    assert all(run.game == "pegs" for run in found.played)


def test_what_goes_wrong_in_one_run_does_not_end_the_others(
    tmp_path: Path, run: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    (tmp_path / "study.toml").write_text(
        'strategies = ["mine.py:wrong", "mine.py:Nth -o place=1"]\n[[games]]\ngame = "mine.py:hilo"\n',
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    code, out, err = run("experiment", "study.toml")
    assert code == 2
    assert "mine.py:Nth -o place=1" in out
    assert "results written to study.csv" in out
    assert err == "sleuth: mine.py:wrong on hilo: wrong.choose: hilo has no guess -7, only 0 to 7\n"


def test_what_fails_in_a_file_is_told_with_its_place(
    tmp_path: Path, run: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "failing.py").write_text(MINE, encoding="utf-8")
    text = 'strategies = ["failing.py:fails", "random"]\n[[games]]\ngame = "failing.py:hilo"\n'
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code, out, err = run("experiment", "study.toml")
    assert code == 2
    assert " random " in out
    assert err.startswith(
        "sleuth: failing.py:fails on hilo: failing.py, line 17, in fails: ZeroDivisionError"
    )
    study = sleuth.Study.of([lambda position: 1 // 0], PEGS)
    with pytest.raises(ZeroDivisionError):  # whose code this is, is not known: the traceback tells
        sleuth.experiment(study)


def test_other_things_are_no_study() -> None:
    with pytest.raises(
        SleuthError, match=r"takes a Study, not \['random'\]; Study.of and Study.read make one"
    ):
        sleuth.experiment(["random"])  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(SleuthError, match="workers is 0; it must be at least 1"):
        sleuth.experiment(small(), workers=0)


# Kept.


def test_finished_runs_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sleuth.experiment(small(), keep=tmp_path)
    assert len(list(tmp_path.iterdir())) == 8
    asked: list[object] = []
    monkeypatch.setattr(running, "evaluate", lambda *args: asked.append(args))
    again = sleuth.experiment(small(), keep=tmp_path)
    assert asked == []
    assert again.to_records() == whole.to_records()
    assert [one.seconds for one in again.played.values()] == [one.seconds for one in whole.played.values()]


def test_what_a_run_depends_on_is_played_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "kept.py"
    mine.write_text(MINE, encoding="utf-8")
    played: list[str] = []
    evaluate = sleuth.evaluate

    def counted(player: Any, game: sleuth.Game, *rest: Any) -> sleuth.Evaluation:
        played.append(f"{player.name} {game.name} {game.mode}")
        return evaluate(player, game, *rest)

    monkeypatch.setattr(running, "evaluate", counted)

    def new(strategy: str = "kept.py:Nth", game: sleuth.Game = PEGS, **more: Any) -> int:
        before = len(played)
        study = sleuth.Study.of({"a name": strategy}, {"a game": game}, files=True, **more)
        sleuth.experiment(study, keep="runs")
        return len(played) - before

    assert new() == 1
    assert new() == 0
    assert new("kept.py:Nth -o place=0") == 0  # the same, said otherwise
    assert new("kept.py:Nth -o place=1") == 1
    assert new(game=CODES) == 1
    assert new(game=PEGS.with_mode("strict")) == 1
    assert new(game=PEGS.with_prior(np.arange(9.0))) == 1
    assert new(openers={"a game": "12"}) == 1
    mine.write_text(MINE.replace("place %", "place + 1 %"), encoding="utf-8")
    assert new() == 1
    games = [sleuth.Game.from_function(f, range(1, 6), name="f") for f in (near, far)]
    assert [new(game=game) for game in (*games, *games)] == [1, 1, 0, 0]


def near(guess: int, answer: int) -> int:
    return abs(guess - answer)


def far(guess: int, answer: int) -> int:
    """Return other feedback under the same labels."""
    return 0 if guess == answer else 5 - abs(guess - answer)


def test_a_run_that_was_changed_is_refused(tmp_path: Path) -> None:
    sleuth.experiment(small(), keep=tmp_path)
    path = next(tmp_path.iterdir())
    values = json.loads(path.read_text())
    path.write_text(json.dumps({**values, "turns": values["turns"][:-1]}))
    with pytest.raises(SleuthError, match=f"{path}: it has not the guesses of"):
        sleuth.experiment(small(), keep=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(SleuthError, match="the folder of runs .* cannot be made"):
        sleuth.experiment(small(), keep=tmp_path / "file")


def test_an_interrupted_study_says_what_is_finished_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[sleuth.Progress] = []
    begun, go_on = count(1), Event()

    def held(*args: Any) -> sleuth.Evaluation:
        if next(begun) > 5:  # however fast the machine is, not all are finished by then
            go_on.wait()
        return sleuth.evaluate(*args)

    def stop(progress: sleuth.Progress) -> None:
        told.append(progress)
        if progress.done >= 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(running, "evaluate", held)
    with pytest.raises(Interrupted) as stopped:
        sleuth.experiment(small(), keep=tmp_path, workers=1, progress=stop)
    go_on.set()
    known: sleuth.Experiment = stopped.value.known
    assert 3 <= len(known.played) < 8
    assert not known.finished
    assert len(list(tmp_path.iterdir())) == len(known.played)
    assert f"{len(known.played)} of 8 runs are finished." in str(known)
    assert told[0] == sleuth.Progress(0, 8)
    played: list[object] = []

    def counted(*args: Any) -> sleuth.Evaluation:
        played.append(args)
        return sleuth.evaluate(*args)

    monkeypatch.setattr(running, "evaluate", counted)
    whole = sleuth.experiment(small(), keep=tmp_path)
    assert whole.finished
    assert len(played) == 8 - len(known.played)
    assert whole.to_records() == sleuth.experiment(small()).to_records()


SLOW = """
import time
def slow(position):
    time.sleep(0.05)
    return position.game.find(position.words[0])
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    "where", [[], ["--scheduler", "local", "--workers", "2"]], ids=["threads", "cluster"]
)
def test_ctrl_c_ends_the_command_and_loses_nothing(tmp_path: Path, where: list[str]) -> None:
    if where:
        pytest.importorskip("distributed")
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    text = 'strategies = ["random", "slow.py:slow"]\n[[games]]\nwords = "original:60"\n'
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "sleuth", "experiment", "study.toml", *where]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while not list(tmp_path.glob("study.runs/*.json")):
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130, err
    assert "random" in out
    assert out.endswith("not finished: interrupted\n")
    assert "1 finished run in study.runs: the same command goes on from there" in err
    assert "Traceback" not in err
    assert not (tmp_path / "study.csv").exists()


# Files and pictures.


def test_the_command_prints_and_writes(tmp_path: Path, run: RunCommand) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    code, out, err = run("experiment", path)
    assert code == 0, err
    assert "mastermind 2x3: 9 answers" in out
    assert "minus information-gain ± 95 %" in out
    with (tmp_path / "study.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    found = sleuth.experiment(sleuth.Study.read(path), keep=tmp_path / "study.runs")
    assert rows == [
        {key: "" if value is None else str(value) for key, value in row.items()} for row in found.to_records()
    ]
    told = json_of(run("experiment", path, "--json"))
    assert told["results"] == [one.to_json() for one in found.standings()]
    assert (told["runs"], told["finished"], told["interrupted"], told["problems"]) == (8, 8, False, [])
    code, out, _ = run("experiment", path, "--format", "csv")
    assert out.splitlines()[0].startswith("game,strategy,seeds,mean,mean_low,mean_high,worst,failures,wins,")
    assert len(out.splitlines()) == 1 + 6


def test_results_of_others_are_not_written_over(tmp_path: Path, run: RunCommand) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    (tmp_path / "study.csv").write_text("mine", encoding="utf-8")
    code, _, err = run("experiment", path)
    assert code == 2
    assert "study.csv is there already, and not of this study; --out says where results go" in err
    assert (tmp_path / "study.csv").read_text() == "mine"
    code, _, err = run("experiment", path, "--out", tmp_path / "study.csv", "--runs", tmp_path / "kept")
    assert code == 0, err
    assert (tmp_path / "kept").is_dir()


def test_where_results_cannot_go_is_said_before_the_work(
    tmp_path: Path, run: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    monkeypatch.setattr(played_module, "find_spec", lambda name: None)
    for out, said in (
        ("a.xlsx", "such a file ends in .csv or .parquet"),
        ("a.parquet", "parquet needs pyarrow or polars, and neither is installed"),
        ("none/a.csv", "there is no folder"),
    ):
        code, printed, err = run("experiment", path, "--out", tmp_path / out)
        assert (code, printed) == (2, "")
        assert said in err
    code, _, err = run("experiment", path, "--plot", tmp_path / "a.txt")
    assert code == 2
    assert "a picture ends in" in err
    assert list(tmp_path.iterdir()) == [path]


def test_parquet_is_written_by_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither library is needed: stand-ins for what is called of them. Both are told the types."""
    written: list[Any] = []

    class Frame:
        def __init__(self, rows: list[dict[str, Any]], schema: dict[str, str]) -> None:
            self.content = rows, schema

        from_pylist = classmethod(lambda cls, rows, schema: cls(rows, schema))

        def write_parquet(self, file: Any) -> None:
            written.append(self.content)
            file.write(b"PAR1 polars")

    def write_table(table: Frame, file: Any) -> None:
        written.append(table.content)
        file.write(b"PAR1 pyarrow")

    kinds = {kind: kind.lower() for kind in ("String", "Int64", "Float64")}
    stand_ins = {
        "polars": SimpleNamespace(DataFrame=Frame, **kinds),
        "pyarrow": SimpleNamespace(Table=Frame, schema=dict),
        "pyarrow.parquet": SimpleNamespace(write_table=write_table),
    }
    found = sleuth.experiment(small())
    monkeypatch.setattr(
        played_module, "import_module", lambda name: stand_ins.get(name) or importlib.import_module(name)
    )
    for library in ("polars", "pyarrow"):
        monkeypatch.setattr(played_module, "find_spec", lambda name, there=library: name == there or None)
        found.save(tmp_path / "a.parquet")
        assert (tmp_path / "a.parquet").read_bytes() == f"PAR1 {library}".encode()
    types = {
        "game": "string",
        "strategy": "string",
        "seed": "int64",
        "answer": "string",
        "turns": "int64",
        "probability": "float64",
    }
    assert written == [(found.to_records(), types)] * 2


def test_a_picture_has_a_panel_for_means_and_one_for_differences(tmp_path: Path, run: RunCommand) -> None:
    pytest.importorskip("matplotlib")
    path, picture = tmp_path / "study.toml", tmp_path / "a.svg"
    path.write_text(STUDY, encoding="utf-8")
    code, _, err = run("experiment", path, "--plot", picture)
    assert code == 0, err
    assert picture.read_text(encoding="utf-8").count('<g id="axes_') == 4


def test_a_study_shows_itself() -> None:
    found = sleuth.experiment(small())
    text = str(found)
    assert "mastermind 2x4: 16 answers" in text
    assert repr(found) == "<Experiment: 8 of 8 runs>"
    assert found._repr_html_().count("<table>") == 2
    some = sleuth.Experiment(found.study, {}, {found.study.runs()[0]: "it fell over"})
    assert "0 of 8 runs are finished." in str(some)
    assert "it fell over" in str(some)


def test_what_is_half_played_is_compared_with_what_is_there() -> None:
    whole = sleuth.experiment(small())
    some = {run: played for run, played in whole.played.items() if run.strategy != "information-gain"}
    found = sleuth.Experiment(whole.study, some)
    assert all(standing.against is None for standing in found.standings())
    one = {Run("random", "mastermind 2x3", 1): Played(np.ones(9, np.int32), 0.0)}
    (only,) = sleuth.Experiment(whole.study, one).standings()
    assert (only.seeds, only.mean.value, only.failures) == (1, 1.0, 0)


# On a cluster.


@pytest.mark.thorough
def test_a_cluster_plays_as_threads_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.py").write_text(MINE, encoding="utf-8")
    strategies = ["random", "there.py:Nth", "there.py:wrong"]
    study = sleuth.Study.of(strategies, [PEGS], seeds=2, files=True)
    here = sleuth.experiment(study)
    there = sleuth.experiment(study, scheduler="local", workers=1, keep="runs")
    assert there.to_records() == here.to_records()
    assert there.problems == here.problems
    assert len(list(Path("runs").iterdir())) == 3
    with pytest.raises(SleuthError, match="'nowhere' is no address of a dask scheduler"):
        sleuth.experiment(study, scheduler="nowhere")


def test_workers_of_another_version_are_told_apart() -> None:
    with pytest.raises(SleuthError, match=r"a worker has sleuth .*, and the study is of 9\.9"):
        running._play_there("9.9", "random", None, PEGS, None)


# compare has the same.


def test_compare_tells_intervals_and_differences(run: RunCommand) -> None:
    names = ("information-gain", "worst-case", "random")
    game = ("--game", "mastermind", "--pegs", 2, "--colours", 4)
    told = json_of(run("compare", *names, *game, "--json"))
    turns = {name: sleuth.evaluate(name, CODES).report.turns for name in names}
    for row in told["results"]:
        found = mean_of(CODES, turns[row["strategy"]])
        assert (row["mean_low"], row["mean_high"]) == (found.low, found.high)
    pairs = [(one["first"], one["second"]) for one in told["duels"]]
    assert pairs == [(names[0], names[1]), (names[0], names[2]), (names[1], names[2])]
    for one in told["duels"]:
        apart = duel(CODES, turns[one["first"]], turns[one["second"]])
        assert one == {"first": one["first"], "second": one["second"], **apart.to_json()}
    told = json_of(run("compare", *names, *game, "--baseline", "worst-case", "--json"))
    assert [(one["first"], one["second"]) for one in told["duels"]] == [
        ("information-gain", "worst-case"),
        ("random", "worst-case"),
    ]
    code, out, _ = run("compare", *names, *game)
    assert code == 0
    assert "difference ± 95 %" in out
    code, _, err = run("compare", *names, *game, "--baseline", "alpha")
    assert code == 2
    assert "unknown baseline 'alpha'" in err


def test_names_of_runs() -> None:
    assert str(Run("random", "hilo", 3)) == "random on hilo, seed 3"
    with pytest.raises(UnknownNameError):
        sleuth.Study.of(["random"], PEGS, baseline="none")


def test_work_that_is_given_up_ends_before_its_next_piece() -> None:
    given_up, begun = Event(), []

    def piece(number: int) -> None:
        begun.append(number)
        given_up.set()

    with until(given_up), pytest.raises(GivenUp):
        map_threads(lambda _: map_threads(piece, range(50)), range(1))
    assert begun == [0]
    assert map_threads(str, range(3)) == ["0", "1", "2"]


def test_what_ends_with_the_interrupt_is_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt may come while runs end that were not looked at yet."""

    def late(futures: Any, *_: Any) -> Any:
        concurrent.futures.wait(futures)
        raise KeyboardInterrupt

    monkeypatch.setattr(settling, "wait", late)
    with pytest.raises(Interrupted) as stopped:
        sleuth.experiment(small(), keep=tmp_path)
    assert stopped.value.known.finished
    assert len(list(tmp_path.iterdir())) == 8

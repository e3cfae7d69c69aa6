"""The loop of training: going on, kills, Ctrl-C, logs, configurations and the command."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Never

import numpy as np
import pytest
from command_line import Run, json_of
from numpy.typing import NDArray

from sleuth.games.wordle import wordle
from sleuth.learning.letters.ppo import PpoLearner
from sleuth.support.errors import Interrupted, SleuthError, StoreError
from sleuth.support.parallel import GivenUp, check_given_up, until

torch = pytest.importorskip("torch")

from sleuth.learning.arrays import WEIGHTS  # noqa: E402
from sleuth.learning.runs.configuration import (  # noqa: E402  torch may be missing
    ALGORITHMS,
    Configuration,
    shipped,
)
from sleuth.learning.runs.training import CHECKPOINT, CONFIGURATION, CURVE, Schedule, run  # noqa: E402

TABLES: dict[str, Any] = {
    "algorithm": "ppo",
    "words": "original",
    "schedule": {"steps": 6, "evaluate_every": 2, "checkpoint_every": 2},
    "ppo": {"answers": 8, "repeats": 2, "threads": 1, "network": {"dimension": 4, "state_hidden": 8}},
}
WORDS = ["batch", "catch", "crane", "hatch", "latch", "match", "patch", "reach", "watch", "yacht"]


class Counter:
    """A learner whose state is a number and a generator; it gets better and then worse."""

    def __init__(self, pause: float = 0.0) -> None:
        self.rng, self.total, self.steps, self.pause = np.random.default_rng(5), 0.0, 0, pause

    def step(self) -> dict[str, float]:
        time.sleep(self.pause)
        self.steps += 1
        self.total += self.rng.random()
        return {"total": self.total}

    def evaluate(self) -> dict[str, float]:
        return {"mean": abs(self.steps - 4) + 3.0, "failures": 0.0}

    def state_dict(self) -> dict[str, Any]:
        return {"total": self.total, "steps": self.steps, "rng": json.dumps(self.rng.bit_generator.state)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.total, self.steps = state["total"], state["steps"]
        self.rng.bit_generator.state = json.loads(state["rng"])

    def weights(self) -> dict[str, NDArray[np.float32]]:
        return {"steps": np.array([self.steps], np.float32)}


def learner_of(words: list[str]) -> Any:
    return ALGORITHMS.load("ppo")(TABLES["ppo"], wordle(words), 3, "cpu")


def without_clocks(point: dict[str, float]) -> dict[str, float]:
    return {key: value for key, value in point.items() if not key.endswith("seconds")}


def test_a_run_leaves_its_files(tmp_path: Path) -> None:
    at = run(Schedule(6, evaluate_every=2, checkpoint_every=4), Counter(), tmp_path / "run")
    assert (at.step, at.interrupted, at.best) == (6, False, [0.0, 3.0])
    assert [point["step"] for point in at.curve] == [2, 4, 6]
    assert json.loads((tmp_path / "run" / CURVE).read_text()) == at.curve
    from safetensors.numpy import load_file

    # Those of the best evaluation, not the last.
    assert load_file(tmp_path / "run" / WEIGHTS)["steps"].tolist() == [4.0]
    assert list((tmp_path / "run").glob("events.out.tfevents*"))
    assert not list((tmp_path / "run").glob("*.tmp")) + list((tmp_path / "run").glob(".*"))


@pytest.mark.parametrize("make", [Counter, lambda: learner_of(WORDS)])
def test_a_run_that_goes_on_is_the_run_without_a_break(
    tmp_path: Path, make: type[Counter] | Callable[..., Any]
) -> None:
    whole, first, second = make(), make(), make()
    long, short = Schedule(6, 2, 2), Schedule(2, 2, 2)
    curve = run(long, whole, tmp_path / "whole").curve
    run(short, first, tmp_path / "parts")
    at = run(long, second, tmp_path / "parts", resume=True)
    assert at.step == 6
    assert [without_clocks(point) for point in at.curve] == [without_clocks(point) for point in curve]
    for name, array in whole.weights().items():
        assert np.array_equal(array, second.weights()[name])


def test_a_run_counts_its_games_and_the_time_of_processors(tmp_path: Path) -> None:
    class Busy(Counter):
        def step(self) -> dict[str, float]:
            began = time.process_time()
            while time.process_time() < began + 0.02:
                pass
            return {**super().step(), "games": self.steps * 7.0}

    run(Schedule(2, 2), Busy(), tmp_path)
    at = run(Schedule(4, 1), Busy(), tmp_path, resume=True)
    assert [point["games"] for point in at.curve] == [14, 21, 28]
    spent = [point["processor_seconds"] for point in at.curve]
    assert all(0.02 * point["step"] - 0.005 <= s < 60 for point, s in zip(at.curve, spent, strict=True))
    assert spent == sorted(spent)


def test_a_run_keeps_what_it_trains(tmp_path: Path) -> None:
    run(Schedule(1), Counter(), tmp_path / "a", identity={"seed": 3, "table": {}}, name="tiny")
    kept = {"name": "tiny", "seed": 3, "table": {}}
    assert json.loads((tmp_path / "a" / CONFIGURATION).read_text()) == kept
    with pytest.raises(StoreError, match="another configuration"):
        run(Schedule(2), Counter(), tmp_path / "a", resume=True, identity={"seed": 4}, name="other")
    assert json.loads((tmp_path / "a" / CONFIGURATION).read_text()) == kept
    run(Schedule(1), Counter(), tmp_path / "b")
    assert not (tmp_path / "b" / CONFIGURATION).exists()


def test_a_checkpoint_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sleuth.learning.runs.training._FORMAT", 1)
    run(Schedule(1), Counter(), tmp_path)
    monkeypatch.undo()
    with pytest.raises(StoreError, match="another version"):
        run(Schedule(2), Counter(), tmp_path, resume=True)


def test_a_run_is_not_overwritten_nor_taken_for_another(tmp_path: Path) -> None:
    run(Schedule(1), Counter(), tmp_path, identity={"a": 1})
    with pytest.raises(StoreError, match="--resume"):
        run(Schedule(1), Counter(), tmp_path, identity={"a": 1})
    there = {"a": 1, "seed": 0, "table": {"x": "b", "n": {"d": 64}}}
    run(Schedule(1), Counter(), tmp_path / "other", identity=there)
    here = {"a": 1, "seed": 1, "table": {"x": "c", "n": {"d": 64, "e": True}}}
    words = (
        "another configuration: seed is 0 there and 1 here, "
        "n.e is not given there and true here, "
        'x is "b" there and "c" here; give another folder'
    )
    with pytest.raises(StoreError, match=re.escape(words)):
        run(Schedule(1), Counter(), tmp_path / "other", resume=True, identity=here)
    content = (tmp_path / CHECKPOINT).read_bytes()
    for broken in (b"", b"nothing", content[: len(content) // 2]):
        (tmp_path / CHECKPOINT).write_bytes(broken)
        with pytest.raises(StoreError, match="broken"):
            run(Schedule(1), Counter(), tmp_path, resume=True, identity={"a": 1})


def test_seconds_end_a_run_with_a_checkpoint(tmp_path: Path) -> None:
    at = run(Schedule(1000, 1000, 1000), Counter(0.01), tmp_path, seconds=0.05)
    assert 0 < at.step < 1000
    assert at.curve[-1]["step"] == at.step
    assert run(Schedule(at.step + 1, 1000, 1000), Counter(), tmp_path, resume=True).step == at.step + 1


def test_seconds_end_a_step_that_takes_long_and_nothing_before_it_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers: list[Callable[[], None]] = []

    class Timer(threading.Thread):
        """A timer that rings when the test has it ring."""

        def __init__(self, _: float, ring: Callable[[], None]) -> None:
            super().__init__()
            timers.append(ring)

        def cancel(self) -> None:
            self.join()

    class Slow(Counter):
        """A learner whose time is over in its third step, which looks at the clock then."""

        def step(self) -> dict[str, float]:
            found = super().step()
            if self.steps == 3:
                timers[0]()
            check_given_up()
            return {**found, "games": self.steps * 7.0}

    monkeypatch.setattr(threading, "Timer", Timer)
    slow = Slow()
    at = run(Schedule(10, 100, 100), slow, tmp_path, seconds=1e6)
    assert (at.step, slow.steps, at.interrupted) == (2, 2, False)
    assert [(point["step"], point["games"]) for point in at.curve] == [(2, 14.0)]
    again, whole = Counter(), Counter()
    run(Schedule(4, 100, 100), again, tmp_path, resume=True)
    run(Schedule(4, 100, 100), whole, tmp_path / "whole")
    assert again.total == whole.total


def test_seconds_end_the_first_step_with_a_checkpoint_and_no_weights(tmp_path: Path) -> None:
    learner = learner_of(WORDS)
    before = learner.weights()
    at = run(Schedule(4), learner, tmp_path, seconds=0.0)
    assert (at.step, at.curve, at.best) == (0, [], None)
    assert all(np.array_equal(array, learner.weights()[name]) for name, array in before.items())
    assert run(Schedule(1), learner_of(WORDS), tmp_path, resume=True).step == 1


@pytest.mark.parametrize("algorithm", ["ppo", "lists", "imitation", "expert-iteration", "self-play"])
def test_steps_of_all_learners_look_at_the_clock(algorithm: str) -> None:
    learner = ALGORITHMS.load(algorithm)({}, wordle(WORDS), 3, "cpu")
    over = threading.Event()
    over.set()
    with until(over), pytest.raises(GivenUp):
        learner.step()


@pytest.mark.parametrize("seconds", [float("nan"), -1.0])
def test_no_time_at_all_is_refused(tmp_path: Path, seconds: float) -> None:
    with pytest.raises(SleuthError, match="seconds must be 0 or more"):
        run(Schedule(1), Counter(), tmp_path, seconds=seconds)


def test_an_interrupt_keeps_the_steps_that_were_finished(tmp_path: Path) -> None:
    class Broken(Counter):
        def step(self) -> dict[str, float]:
            metrics = super().step()
            if self.steps == 3:  # half of a step has changed the state already
                os.kill(os.getpid(), signal.SIGINT)
            return metrics

    with pytest.raises(Interrupted) as stopped:
        run(Schedule(10), Broken(), tmp_path)
    at = stopped.value.known
    assert (at.step, at.interrupted) == (2, True)
    again = Counter()
    assert run(Schedule(4), again, tmp_path, resume=True).step == 4
    assert again.steps == 4


KILLED = """
import sys, pathlib
sys.path[:0] = sys.argv[2:]
from test_training import Counter
from sleuth.learning.runs.training import Schedule, run
run(Schedule(100000, 10, 5), Counter(0.002), pathlib.Path(sys.argv[1]))
"""


@pytest.mark.thorough
def test_a_kill_costs_no_more_than_a_checkpoint_interval(tmp_path: Path) -> None:
    script = [sys.executable, "-c", KILLED, str(tmp_path / "run"), *map(str, Path(__file__).parents[:2])]
    with subprocess.Popen(script) as process:
        limit = time.monotonic() + 300
        while not (tmp_path / "run" / CURVE).exists() and time.monotonic() < limit:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
    last = json.loads((tmp_path / "run" / CURVE).read_text())[-1]["step"]
    learner = Counter()
    at = run(Schedule(1), learner, tmp_path / "run", resume=True)
    assert at.step >= last - 5
    assert at.step == learner.steps
    expected = np.random.default_rng(5).random(at.step)
    assert learner.total == pytest.approx(expected.sum())


def test_a_full_disk_leaves_the_checkpoint_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(Schedule(1), Counter(), tmp_path)
    before = (tmp_path / CHECKPOINT).read_bytes()

    def full(descriptor: int) -> Never:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        run(Schedule(3, 5, 1), Counter(), tmp_path, resume=True)
    assert (tmp_path / CHECKPOINT).read_bytes() == before
    assert not list(tmp_path.glob(".*"))


# Configurations


def test_shipped_configurations_can_be_read() -> None:
    assert "document_003" in shipped()
    for name in shipped():
        assert Configuration.load(name).name == name


def test_bad_configurations_are_named(tmp_path: Path) -> None:
    with pytest.raises(SleuthError, match="did you mean document_003"):
        Configuration.load("document_03")
    with pytest.raises(SleuthError, match="cannot be read"):
        Configuration.load(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("algorithm = [")
    with pytest.raises(SleuthError, match=r"bad\.toml is no TOML"):
        Configuration.load(tmp_path / "bad.toml")
    for tables, message in (
        ({}, "names no algorithm"),
        ({**TABLES, "algorithm": "ppp"}, "did you mean ppo"),
        ({**TABLES, "shedule": {}}, "did you mean schedule"),
        ({**TABLES, "schedule": {"steps": 0}}, "steps must be 1 or more"),
        ({**TABLES, "schedule": {"steps": "x"}}, "takes a value of type int"),
        ({**TABLES, "schedule": {}}, "lacks steps"),
        ({**TABLES, "schedule": 3}, "must be a table"),
    ):
        with pytest.raises(SleuthError, match=message):
            Configuration.of("some", tables)


def test_hyperparameters_may_be_others() -> None:
    changes = {"targets": "1", "network.attention": "false", "groups": "turn", "entropy": "1"}
    found = Configuration.load("document_003", changes, seed=7)
    plain = Configuration.load("document_003")
    assert found.schedule == replace(plain.schedule, seed=7)
    network = {**plain.table["network"], "attention": False}
    assert found.table == {**plain.table, "targets": 1, "groups": "turn", "entropy": 1, "network": network}
    with pytest.raises(SleuthError, match="targets is no table"):
        Configuration.load("document_003", {"targets.x": "1"})
    with pytest.raises(SleuthError, match="schedule is a table; how long a run takes is schedule.steps=N"):
        Configuration.load("document_003", {"schedule": "3"})
    with pytest.raises(SleuthError, match="did you mean targets"):
        Configuration.load("document_003", {"target": "1"}).build("cpu")


# The command


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(
        'algorithm = "ppo"\nwords = "original:100"\n'
        "[schedule]\nsteps = 2\nevaluate_every = 2\ncheckpoint_every = 1\n"
        "[ppo]\nanswers = 4\nrepeats = 2\nepochs = 1\nforced = 4\nthreads = 1\n"
        "[ppo.network]\ndimension = 4\nword_hidden = 4\nstate_hidden = 8\n"
    )
    return path


def test_train_writes_a_run_and_goes_on(run: Run, config: Path, tmp_path: Path) -> None:
    code, out, _ = run("train", config, "--out", tmp_path / "run", "--json")
    found = json.loads(out)
    assert (code, found["step"], found["last"]["step"]) == (0, 2, 2)
    code, _, err = run("train", config, "--out", tmp_path / "run")
    assert code == 2
    assert "--resume" in err
    code, out, _ = run("train", config, "--out", tmp_path / "run", "--resume")
    assert code == 0
    assert "2 steps" in out


def test_curves_reads_what_train_writes(run: Run, config: Path, tmp_path: Path) -> None:
    for seed in (0, 1):
        config.write_text(config.read_text().replace("[schedule]", f"[schedule]\nseed = {seed}"))
        assert run("train", config, "--out", tmp_path / str(seed))[0] == 0
        config.write_text(config.read_text().replace(f"\nseed = {seed}", ""))
    for against, ends in (("games", [16, 16]), ("steps", [2, 2]), ("seconds", None)):
        found = json_of(run("curves", tmp_path / "0", tmp_path / "1", "--against", against, "--json"))
        (curve,) = found["curves"]
        assert curve["label"] == "tiny, seeds 0, 1"
        assert ends is None or [line["x"][-1] for line in curve["runs"]] == ends


def test_train_takes_a_seed_and_hyperparameters(run: Run, config: Path, tmp_path: Path) -> None:
    assert run("train", config, "--out", tmp_path, "--seed", "5", "-o", "answers=3", "--json")[0] == 0
    kept = json.loads((tmp_path / "configuration.json").read_text())
    assert kept["seed"] == 5
    assert kept["table"]["answers"] == 3


def test_train_goes_on_for_longer_and_says_when_nothing_is_left(
    run: Run, config: Path, tmp_path: Path
) -> None:
    train = ("train", config, "--out", tmp_path / "run")
    assert run(*train)[0] == 0
    code, out, _ = run(*train, "--resume")
    assert code == 0
    assert "there is nothing left to do: 2 steps in" in out
    code, out, _ = run(*train, "--resume", "-o", "schedule.steps=3")
    assert code == 0
    assert out.startswith("3 steps in")
    config.write_text("schedule = 3\n" + config.read_text().replace("[schedule]", "[old]"))
    assert "schedule is no table" in run(*train, "-o", "schedule.steps=3")[2]
    config.write_text(config.read_text().removeprefix("schedule = 3\n").replace("[old]", "[schedule]"))
    code, _, err = run(*train, "--resume", "-o", "schedule.stepss=3")
    assert code == 2
    assert "unknown key of the table [schedule] 'stepss': did you mean steps" in err


def test_train_says_what_is_wrong(run: Run, config: Path, tmp_path: Path) -> None:
    cases: tuple[tuple[list[Any], str], ...] = (
        (["nothing"], "unknown configuration"),
        ([config, "--device", "cudda"], "did you mean cuda"),
        *([] if torch.cuda.is_available() else [([config, "--device", "cuda"], "no CUDA device")]),
        ([config, "--out", config], "tiny.toml"),
        (
            [config, "-o", "answers=99999"],
            "is 199998; a step plays 32768 games at most",
        ),
    )
    for arguments, message in cases:
        code, _, err = run("train", *arguments)
        assert code == 2
        assert message in err


def test_ctrl_c_before_the_first_evaluation_is_said(
    run: Run, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sleuth.learning.letters.ppo as ppo

    learn = ppo.PpoLearner.step

    def interrupted(self: PpoLearner) -> Mapping[str, float]:
        if self.steps == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return learn(self)

    monkeypatch.setattr(ppo.PpoLearner, "step", interrupted)
    config.write_text(config.read_text().replace("evaluate_every = 2", "evaluate_every = 5"))
    code, out, _ = run("train", config, "--out", tmp_path / "run")
    assert code == 130
    assert "no weights yet: the first evaluation is at step 2; --resume goes on" in out
    assert (tmp_path / "run" / CHECKPOINT).exists()
    assert not (tmp_path / "run" / WEIGHTS).exists()

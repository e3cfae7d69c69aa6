"""Ctrl-C and SIGTERM, in the library and on the command line."""

import gc
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from command_line import Run
from numpy.typing import NDArray

import sleuth
from sleuth.cli.interrupts import finished_or_known
from sleuth.exact.player import OptimalPlayer
from sleuth.exact.proving import ProofProgress
from sleuth.exact.strategy import Exact
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.kernels.jit import kernel
from sleuth.kernels.types import Chain
from sleuth.support.errors import Interrupted
from sleuth.support.parallel import interruptible, map_threads, new_stop
from sleuth.trees.growing import TurnProgress, Unfinished
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.strategies import NoisyExpectedGuesses

# Far above what is promised, for machines that are busy with other things.
HANG = 300


@kernel
def counted(numbers: NDArray[np.int64], most: int) -> Chain:
    """Return a named tuple, which numba makes with Python code, after some work."""
    total = np.int64(0)
    for i in range(most):
        total += numbers[i % numbers.size] ^ i
    return Chain(numbers + total, np.zeros(1))


@pytest.fixture
def press() -> Iterator[Callable[..., None]]:
    """Send this process a signal after some seconds, and again where it is still not heard long after.

    Python loses what a handler raises while it drops a weak reference or collects garbage. The latter may
    happen anywhere, calls functions of whoever asked to be told (hypothesis), and so waits.
    """
    gc.disable()
    pressing: list[tuple[threading.Thread, threading.Event]] = []

    def send(seconds: float, number: signal.Signals, heard: threading.Event) -> None:
        while not heard.wait(seconds):
            os.kill(os.getpid(), number)
            seconds = HANG / 20

    def end() -> None:
        for thread, heard in pressing:
            heard.set()
            thread.join()
        pressing.clear()

    def later(seconds: float, number: signal.Signals = signal.SIGINT) -> None:
        end()
        heard = threading.Event()
        pressing.append((threading.Thread(target=send, args=(seconds, number, heard)), heard))
        pressing[-1][0].start()

    yield later
    end()
    gc.enable()


# Kernels.


def test_a_signal_waits_until_a_kernel_has_returned(press: Callable[..., None]) -> None:
    """Without it numba's wrapper meets an exception while it makes the tuple: a segmentation fault."""
    numbers = np.arange(1, 5)
    counted(numbers, 1)

    def call_on() -> None:
        press(random.random() / 20)  # it may be heard before the next line
        while True:
            counted(numbers, 2000)

    for _ in range(8):
        before = signal.getsignal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            call_on()
        assert signal.getsignal(signal.SIGINT) is before


def test_the_handler_that_somebody_set_is_the_one_that_is_called(press: Callable[..., None]) -> None:
    came = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: came.append(number))
    try:
        press(0.05, signal.SIGTERM)
        until = time.monotonic() + HANG
        while not came and time.monotonic() < until:
            counted(np.arange(3), 100_000)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert came == [signal.SIGTERM]


def test_kernels_on_other_threads_leave_signals_alone() -> None:
    handlers = []

    def run() -> None:
        counted(np.arange(3), 10)
        handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGINT)]


# Threads.


def test_pieces_of_work_are_dropped_and_told_to_stop(press: Callable[..., None]) -> None:
    stop, begun = new_stop(), []

    def piece(number: int) -> None:
        begun.append(number)
        while not stop[0]:
            time.sleep(0.01)

    press(0.2)
    with pytest.raises(KeyboardInterrupt):
        map_threads(piece, range(1000), stop)
    assert stop[0]
    assert len(begun) < 1000


def test_long_work_is_stopped_and_the_stop_taken_back(press: Callable[..., None]) -> None:
    calls, over = [], threading.Event()

    def work() -> None:
        over.wait(HANG)
        calls.append("over")

    def stop() -> None:
        calls.append("stop")
        over.set()

    press(0.2)
    with pytest.raises(KeyboardInterrupt):
        interruptible(work, stop, lambda: calls.append("resume"))
    assert calls == ["stop", "over", "resume"]
    assert interruptible(lambda: 5, stop, stop) == 5


# The library.


def test_an_evaluation_says_how_far_it_was(original: Game) -> None:
    def progress(at: TurnProgress) -> None:
        if at.turn == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as stopped:
        sleuth.evaluate(Exact(), original, "salet", progress)
    known = getattr(stopped.value, "known", None)
    assert isinstance(known, Unfinished)
    assert known.turn >= 3
    assert known.answers == 2315
    assert known.found < known.answers
    assert 2 * known.answers - 1 <= known.total <= known.answers * 6


def test_what_an_unfinished_evaluation_says_holds() -> None:
    game = sleuth.wordle("original:300")
    evaluation = sleuth.evaluate("information-gain", game, opener="about")
    whole, parents = evaluation.report, evaluation.tree.parent.tolist()
    turns: list[int] = []  # of the nodes
    for parent in parents:
        turns.append(1 if parent < 0 else turns[parent] + 1)
    for turn in range(1, int(whole.turns.max())):

        def stop(at: TurnProgress, turn: int = turn) -> None:
            if at.turn == turn:
                raise KeyboardInterrupt

        known, interrupted = finished_or_known(
            lambda stop=stop: sleuth.evaluate("information-gain", game, "about", stop),  # type: ignore[misc]  # mypy infers no lambda with a default
            Unfinished,
        )
        if turn == 1:  # the opener is given: nothing is chosen then
            assert not interrupted
            continue
        assert interrupted
        assert isinstance(known, Unfinished)
        assert known.turn == turn
        assert known.found == int((whole.turns < turn).sum())
        # Of those left, one of each set is found by the guess that was to be chosen, at most.
        left = int((whole.turns >= turn).sum()) - turns.count(turn)
        assert known.total == int(np.minimum(whole.turns, turn).sum()) + left <= whole.total
        assert known.to_json()["interrupted"]


def test_a_proof_that_was_interrupted_raises_with_what_is_known() -> None:
    game = sleuth.wordle("original:300")
    least = sleuth.prove(game).total

    def progress(state: ProofProgress) -> None:
        if state.phase == "bounding openers":
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted) as stopped:
        sleuth.prove(game, progress=progress)
    proof = stopped.value.known
    assert proof.interrupted
    assert not proof.proved
    assert proof.lower_bound <= least <= (proof.total or least)
    assert proof.to_json()["interrupted"]


# The command line.


def command(*args: str, **environment: str) -> subprocess.Popen[str]:
    code = "from sleuth.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


LONG = [
    "evaluate exact --words nyt",
    "evaluate expectimax -o moves=legal -o depth=3",
    "evaluate rollout -o width=all --words nyt",
    "compare exact beam --words nyt",
    "rank expectimax -o moves=legal -o depth=3",
    "prove --words nyt --mode hard",
    "avts --words nyt",
    "avts --words nyt --threads 2",
    "equilibrium",
    "fibble",
    "boards --games 100000",
    "plan tiger --episodes 1000000",
    "bench planning",
    "reproduce rollout-table1",
]


@pytest.mark.thorough
@pytest.mark.parametrize("line", LONG)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_every_long_command_ends_soon(line: str, number: signal.Signals) -> None:
    with command(*line.split()) as process:
        time.sleep(1 + 6 * random.random())
        process.send_signal(number)
        out, err = process.communicate(timeout=HANG)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "interrupted" in err
    assert out == "" or out.endswith("not finished: interrupted\n")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "line", ["evaluate exact", "evaluate rollout", "prove", "avts", "rank exact --after crane:bbybb"]
)
def test_commands_that_compile_end_soon(line: str, tmp_path: Path) -> None:
    """What LLVM calls back must not swallow an interrupt, nor be broken by it."""
    for i in range(2):
        with command(*line.split(), NUMBA_CACHE_DIR=str(tmp_path / str(i))) as process:
            time.sleep(0.5 + 6 * random.random())
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=HANG)
        assert process.returncode == 130, err
        assert "Traceback" not in err
        assert "Error" not in err


def test_what_is_known_of_a_comparison_is_marked(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chosen: list[Position | None] = []

    def stop(self: Exact, position: Position) -> int:
        chosen.append(position)
        if len(chosen) > 1:
            raise KeyboardInterrupt
        return 0

    monkeypatch.setattr(Exact, "choose", stop)
    monkeypatch.setattr(Exact, "choose_all", None)
    small = ("--game", "mastermind", "--pegs", "3", "--colours", "3")
    code, out, err = run("compare", "information-gain", "exact", "beam", *small, "--json")
    found = json.loads(out)
    assert code == 130
    assert "interrupted" in err
    assert found["interrupted"]
    assert [result["strategy"] for result in found["results"]] == ["information-gain"]
    assert found["unfinished"]["strategy"] == "exact"
    chosen.clear()
    code, out, _ = run("compare", "beam", "exact(seconds=9)", *small, "--plot", tmp_path / "bars.png")
    assert code == 130
    assert "exact(seconds=9.0): 1 of 27 answers found when" in out
    assert (tmp_path / "bars.png").exists()
    chosen.clear()

    def stop_at_once(self: OptimalPlayer, position: Position) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as within:
        within.setattr(OptimalPlayer, "choose", stop_at_once)
        code, out, _ = run("rank", "exact", *small, "--json")
    assert code == 130
    assert json.loads(out) == {"interrupted": True, "progress": None}
    code, out, _ = run("evaluate", "exact", *small)
    assert code == 130
    assert "mean" not in out
    assert "exact: 1 of 27 answers found when it was choosing guess 2; all together take 76 guesses" in out
    assert out.endswith("not finished: interrupted\n")


def test_what_fails_while_an_interrupt_is_on_its_way_is_no_error(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(self: Exact, position: Position) -> int:
        try:
            raise KeyboardInterrupt
        finally:
            raise AttributeError("a module that was half imported")

    monkeypatch.setattr(Exact, "choose", stop)
    monkeypatch.setattr(Exact, "choose_all", None)
    code, _, err = run("evaluate", "exact", "--game", "mastermind", "--pegs", "2", "--colours", "3")
    assert code == 130
    assert err.endswith("interrupted\n") or "interrupted (" in err
    assert "half imported" not in err


def test_a_command_without_a_result_says_how_far_it_was(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from sleuth.variants.noise import simulation

    asked = []

    def stop(strategy: NoisyExpectedGuesses, position: NoisyPosition) -> int:
        asked.append(position)
        if len(asked) > 12:
            raise KeyboardInterrupt
        return strategy.choose(position)

    monkeypatch.setenv("SLEUTH_THREADS", "1")
    monkeypatch.setattr(simulation, "chosen", stop)
    small = ("--game", "mastermind", "--pegs", "2", "--colours", "4", "--chance", "0.1")
    code, out, err = run("fibble", *small, "--json")
    assert code == 130
    found = json.loads(out)
    assert found["interrupted"]
    assert found["progress"].startswith("playing: ")
    assert found["progress"] in err
    assert "interrupted" in err

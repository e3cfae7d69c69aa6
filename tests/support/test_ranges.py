"""Ranges of parameters."""

import os
import threading
from collections.abc import Iterator
from math import inf, nan
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import pytest
from command_line import Run
from refusals import refusal

import sleuth
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.processes.avts import optimize
from sleuth.strategies.registry import STRATEGIES, make
from sleuth.support.errors import SleuthError, StrategyError
from sleuth.support.files import write_whole
from sleuth.support.ranges import check_range
from sleuth.support.specification import option_fields
from sleuth.trees.tree import DecisionTree
from sleuth.variants.adversary.double_oracle import equilibrium


def test_what_is_out_of_range_is_named() -> None:
    cases: list[tuple[dict[str, Any], list[float], list[float], str]] = [
        ({"least": 1}, [1, 2, inf], [0, -inf, nan], "1 or more"),
        ({"above": 0}, [1e-9, inf], [0, -1, nan], "more than 0"),
        ({"least": 0, "most": 1}, [0, 0.5, 1], [-0.1, 1.1, nan, inf], "from 0 to 1"),
        ({"above": 0, "below": 1}, [0.1, 0.9], [0, 1, nan], "more than 0 and less than 1"),
        ({"least": 0, "below": inf}, [0, 1e300], [inf, nan, -1], "0 or more and finite"),
        ({"most": 3}, [3, -inf], [4, nan], "3 or less"),
    ]
    for ends, inside, outside, wording in cases:
        for value in inside:
            check_range(SimpleNamespace(x=1, y=value), "y", **ends)
        for value in outside:
            said = refusal(check_range, SimpleNamespace(x=1, y=value), "y", **ends)
            assert said == f"y must be {wording}, not {value}"


def test_the_first_that_is_out_of_range_raises_the_error_asked_for() -> None:
    with pytest.raises(StrategyError, match="^y must be 1 or more, not 0$"):
        check_range(SimpleNamespace(x=1, y=0, z=-1), "x", "y", "z", least=1, error=StrategyError)


@pytest.mark.parametrize("digits", [400, 5000])
def test_numbers_that_no_float_holds_are_whole_or_too_large(digits: int) -> None:
    large = SimpleNamespace(x=10**digits)
    said = {400: "1" + 59 * "0", 5000: "a number of too many digits"}[digits]
    check_range(large, "x", least=0, whole=True)
    with pytest.raises(SleuthError, match=f"^x is too large: {said}$"):
        check_range(large, "x", least=0)
    with pytest.raises(SleuthError, match=f"^x must be 3 or less, not {said}$"):
        check_range(large, "x", most=3, whole=True)


def whole_numbers() -> Iterator[tuple[str, str]]:
    """Yield every option of a strategy that takes a whole number."""
    for name in STRATEGIES:
        hints = get_type_hints(STRATEGIES.load(name))
        for key in option_fields(STRATEGIES.load(name)):
            if int in (hints[key], *get_args(hints[key])):
                yield name, key


def test_whole_numbers_of_any_size_play_or_are_refused() -> None:
    game = wordle(["crane", "trace", "react", "caret", "slate", "stale"])
    for name, key in whole_numbers():
        for number in (10**20, 2**63, 2**63 - 1, 2**31, 0, -1):
            try:
                strategy = make(name, {key: str(number)})
            except SleuthError:
                continue
            assert strategy.rank(Position.start(game), 5), (name, key, number)
            assert DecisionTree.build(strategy, game).report().answers == 6, (name, key, number)


def test_whole_numbers_of_commands(run: Run, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("crane\ntrace\nreact\ncaret\nslate")
    cases: list[tuple[list[object], int]] = [
        (["evaluate", "rollout", "-o", f"width={10**20}"], 0),
        (["evaluate", "rollout", "--max-turns", 10**20], 2),
        (["prove", "--max-turns", 10**20], 2),
        (["prove", "--memory", 10**20], 2),
        (["prove", "--top", 10**20], 0),
        (["rank", "rollout", "--limit", 10**20], 0),
        (["suggest", "--limit", 10**20], 0),
    ]
    for args, code in cases:
        assert run(*args, "--answers", tmp_path / "words")[0] == code, args


@pytest.mark.parametrize("seconds", [float("nan"), -1.0])
def test_times_that_are_none_are_refused(seconds: float) -> None:
    game = sleuth.mastermind(2, 3)
    for run in (
        lambda: sleuth.prove(game, seconds=seconds),
        lambda: optimize(sleuth.Position.start(game), seconds=seconds),
        lambda: equilibrium(game, seconds=seconds),
    ):
        with pytest.raises(SleuthError, match="seconds must be 0 or more"):
            run()


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"all of it")
    reader.join()
    assert read == [b"all of it"]
    assert not pipe.is_file()

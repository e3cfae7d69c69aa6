"""Advice by NumPy alone, against the strategy whose order it takes."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import games

import sleuth
from sleuth.coaching import quick
from sleuth.coaching.advice import advise
from sleuth.coaching.quick import quick_guesses
from sleuth.coaching.solving import least_total
from sleuth.exact.objective import Objective
from sleuth.exact.solver import Solver
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.wordlists import from_words
from sleuth.strategies.heuristics import ExpectedGuesses
from sleuth.support.errors import ContradictionError, FeedbackError

COLD = """
import sleuth, sys
from sleuth.coaching.advice import advise
game = getattr(sleuth, sys.argv[1])(**eval(sys.argv[2]))
at = sleuth.Position.start(game)
for row in sys.argv[3:]:
    at = at.play(*row.split(":"))
found = advise(at, 3, at_once=True)
print(found.method, found.provisional, *(one.guess for one in found.suggestions))
"""


def numbers(suggestions: Any) -> list[dict[str, Any]]:
    return [
        {key: round(value, 9) if isinstance(value, float) else value for key, value in one.to_json().items()}
        for one in suggestions
    ]


@given(games(), st.data())
def test_the_order_is_that_of_expected_guesses(game: Game, data: st.DataObject) -> None:
    position = Position.start(game)
    for _ in range(data.draw(st.integers(0, 2))):
        guess = data.draw(st.integers(0, len(game.guesses) - 1))
        code = data.draw(st.sampled_from(np.unique(game.feedback[guess]).tolist()))
        try:
            position = position.after(guess, code)
        except (ContradictionError, FeedbackError):
            break
    found = quick_guesses(position, 5)
    ranked = ExpectedGuesses().rank(position, 5)
    if len(position.candidates) == 1 or not ranked:
        assert len(found) == 1  # where a strategy names none
    else:
        assert numbers(found) == numbers(ranked)


def test_one_candidate_is_named_where_it_can_be() -> None:
    game = sleuth.wordle(["crane", "trace", "react"])
    [found] = quick_guesses(Position.after_rows(game, [("crane", "ggggg")]), 3)
    assert (found.guess, found.expected_guesses) == ("crane", 1.0)


def test_of_too_many_guesses_an_even_choice_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sleuth.wordle("original")
    at = Position.after_rows(game, [("salet", "bbybb")])
    monkeypatch.setattr(quick, "_PAIRS", 1000 * len(at.candidates))
    considered = quick._considered(at)
    assert len(considered) == 1000
    assert (considered[0], considered[-1]) == (0, len(game.guesses) - 1)
    assert set(np.diff(considered).tolist()) <= {12, 13}
    assert {game.find(one.guess) for one in quick_guesses(at, 9)} <= set(considered.tolist())


@pytest.mark.parametrize(
    ("game", "options", "rows"),
    [
        ("wordle", {}, ["salet:bbybb"]),
        pytest.param("wordle", {"words": "nyt", "mode": "hard"}, ["salet:bbybb"], marks=pytest.mark.thorough),
        pytest.param(
            "wordle",
            {"words": "nyt", "mode": "strict"},
            ["salet:bbybb", "could:bbbgb"],
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            "wordle",
            {"words": ["dealer", "leader", "ladder", "raddle", "peeled"]},
            [],
            marks=pytest.mark.thorough,
        ),
        pytest.param("mastermind", {}, ["1122:1,0"], marks=pytest.mark.thorough),
    ],
    ids=str,
)
def test_nothing_is_compiled_for_advice_at_once(
    game: str, options: dict[str, Any], rows: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    command = [sys.executable, "-c", COLD, game, repr(options), *rows]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    method, provisional, first, *_ = done.stdout.split()
    assert (method, provisional) == ("expected-guesses", "True")
    assert first.isalnum()
    assert not list(tmp_path.rglob("*.nb?"))


@pytest.mark.usefixtures("compiled")
def test_advice_at_once_is_the_best_where_kernels_are_there(original: Game) -> None:
    at = Position.after_rows(original, [("salet", "bbybb")])
    assert advise(at, at_once=True).to_json() == advise(at).to_json()
    assert not advise(at, at_once=True).provisional


def test_totals_keep_to_the_guesses_that_are_legal() -> None:
    game = sleuth.wordle(from_words(["bound", "found", "hound", "mound", "sound", "fibhm"]), mode="hard")
    solver = Solver(game, Objective(penalty=12))
    after = Position.start(game).play("bound", "bgggg")
    # In easy mode FIBHM tells all four apart.
    assert least_total(solver, after, 5).lower == 1 + 2 + 3 + 4

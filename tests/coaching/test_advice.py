"""Advice within a time: what is said of guesses when the search ends, and when it does not."""

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_games import disjoint, follow, histories, small_games

from sleuth.coaching.advice import BEAM_UP_TO, EXACT_UP_TO, SECONDS, advise
from sleuth.coaching.reviews.values import weigh
from sleuth.exact.beam import Beam
from sleuth.exact.solver import Solver
from sleuth.exact.strategy import Exact
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.kernels.compiling import preparing, seconds_worked
from sleuth.strategies.heuristics import ExpectedGuesses
from sleuth.support.errors import SleuthError, UnfinishedError

NONE = 1e-9
"""Seconds in which nothing is found."""


def test_what_ends_in_time_is_what_the_strategy_says(original: Game) -> None:
    few = Position.after_rows(original, [("salet", "bbybb"), ("crony", "bybbb")])
    assert len(few.candidates) <= EXACT_UP_TO
    advice = advise(few)
    assert (advice.method, list(advice.suggestions)) == ("exact", Exact().rank(few, 5))
    more = Position.after_rows(original, [("salet", "bbbbb")])
    assert EXACT_UP_TO < len(more.candidates) <= BEAM_UP_TO
    advice = advise(more)
    assert (advice.method, list(advice.suggestions)) == ("beam", Beam(looked=10).rank(more, 5))


# Many small games have no strategy that finds every answer, or a row leaves too few.
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(small_games(), st.data())
def test_bounds_hold_where_exact_play_does_not_end(game: Game, data: st.DataObject) -> None:
    game = replace(game, max_turns=50)  # rollout does not keep to the turns
    position = follow(game, data.draw(histories(game, 1)))
    assume(len(position.candidates) > 2 and position.game.prior[position.candidates].any())
    assume(Solver(game).bound(position).guess >= 0)  # some strategy finds every answer within the turns
    known = {row.guess: row.expected_guesses for row in Exact().rank(position, len(game.guesses))}
    best = min(known.values())
    found = Exact(seconds=NONE).rank(position, 5)
    assert found
    for row in found:
        assert row.expected_by in ("exact", "rollout")
        if row.least is not None:
            assert row.least <= known.get(row.guess, row.expected_guesses) + 1e-6
        if row.expected_by == "exact":
            assert row.expected_guesses == pytest.approx(known[row.guess])
        else:
            assert row.expected_guesses >= best - 1e-6


def test_a_search_that_is_stopped_leaves_estimates_with_bounds(original: Game) -> None:
    position = Position.after_rows(original, [("salet", "bbbbb")])
    advice = advise(position, 5, seconds=NONE)
    assert advice.method == "expected-guesses"
    plain = ExpectedGuesses().rank(position, 5)
    assert [row.guess for row in advice.suggestions] == [row.guess for row in plain]
    guesses = [original.find(row.guess) for row in advice.suggestions]
    frontier = Frontier.of(position)
    for row, guess in zip(advice.suggestions, guesses, strict=True):
        children = frontier.after(np.array([guess], np.int32)).frontier
        played = 1 + float(
            (Beam().weigh(children, 1)[1][:, 0] * children.weights).sum() / frontier.weights[0]
        )
        assert row.least is not None
        assert 2 < row.least <= played
    # The next search is not stopped.
    assert advise(position, 5).method == "beam"


def test_a_search_that_is_stopped_says_nothing_at_all(original: Game) -> None:
    position = Position.after_rows(original, [("salet", "bbbbb")])
    with Beam().within(original, NONE) as beam:
        while not beam.solver.stopped:
            time.sleep(0.001)
        with pytest.raises(UnfinishedError, match="in time"):
            beam.rank(position)
    with Beam().within(original, 1000) as beam:
        assert beam.choose(position) == Beam().choose(position)


@pytest.mark.parametrize("n", [20, 70, pytest.param(150, marks=pytest.mark.thorough)])
def test_words_that_share_no_letter_need_no_search(n: int) -> None:
    [first, *_] = advise(Position.start(disjoint(n, n)), 3, seconds=1000).suggestions
    assert first.expected_guesses == (n + 1) / 2
    assert first.expected_by == ("exact" if n <= EXACT_UP_TO else "search")


def test_what_is_too_deep_to_search_is_estimated() -> None:
    advice = advise(Position.start(disjoint(450, 6)), 2, seconds=1000)
    assert advice.method == "expected-guesses"
    assert [row.least for row in advice.suggestions] == [225.5, 225.5]


def test_a_guess_is_weighed_within_a_time() -> None:
    assert weigh(Position.start(disjoint(100, 6)), 3, 6, NONE).played.kind == "estimate"
    # With time: six words are found, and each of the others counts as a lost game.
    worth = weigh(Position.start(disjoint(20, 6)), 3, 6, 1000.0)
    assert worth.kind == "proved"
    assert worth.value == pytest.approx((21 + 14 * 12) / 20)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_time_must_be_one(original: Game, seconds: float) -> None:
    with pytest.raises(SleuthError, match="seconds"):
        advise(Position.start(original), seconds=seconds)


def test_kernels_take_no_time() -> None:
    assert SECONDS > 0
    before = seconds_worked()
    with preparing():
        time.sleep(0.05)
        with preparing():
            assert seconds_worked() - before < 0.04
    assert seconds_worked() - before < 0.04
    time.sleep(0.01)
    assert seconds_worked() - before >= 0.01

"""What people hand in to play: strategies, functions, and what is neither."""

from typing import Any

import numpy as np
import pytest

import sleuth
from sleuth.games.players import as_class, as_player
from sleuth.games.position import Position
from sleuth.games.strategy import rank
from sleuth.strategies.chooser import Chooser, batched
from sleuth.strategies.portfolio import Portfolio
from sleuth.strategies.rollout import Rollout, costs_to_go
from sleuth.strategies.schedule import Schedule
from sleuth.support.errors import SleuthError, StrategyError
from sleuth.testing import check_strategy

GAME = sleuth.wordle(["crane", "trace", "react", "caret", "slate", "least", "stale", "steal"])


def first(position: Position) -> int:
    return int(position.game.answer_guess[position.candidates[0]])


class First:
    name = "first"

    def choose(self, position: Position) -> int:
        return first(position)


class Returning:
    """Chooses whatever it is told to."""

    name = "odd"

    def __init__(self, given: Any) -> None:
        self.given = given

    def choose(self, position: Position) -> Any:
        return self.given


class Nameless:
    def choose(self, position: Position) -> int:
        return 0


class Deaf:
    name = "deaf"

    def choose(self) -> int:
        return 0


def test_a_function_plays_as_the_strategy_that_chooses_the_same() -> None:
    by_function, by_class = sleuth.evaluate(first, GAME), sleuth.evaluate(First(), GAME)
    assert by_function.strategy == "first"
    assert np.array_equal(by_function.tree.guess, by_class.tree.guess)
    check_strategy(first, GAME)
    check_strategy(First(), GAME)


@pytest.mark.parametrize("given", [10**6, len(GAME.guesses), -2, 2**70])
def test_a_guess_that_the_game_does_not_have_is_named(given: int) -> None:
    said = rf"^odd.choose: wordle \(words\) has no guess {given}, only 0 to 7$"
    for play in (sleuth.evaluate, lambda strategy, game: rank(as_class(Returning)(given), _start(game))):
        with pytest.raises(StrategyError, match=said):
            play(Returning(given), GAME)
    with pytest.raises(StrategyError, match=said):
        sleuth.evaluate(Rollout(Returning(given)), GAME)  # type: ignore[arg-type]  # becomes a Chooser
    with pytest.raises(AssertionError, match="has no guess"):
        check_strategy(Returning(given), GAME)


def _start(game: sleuth.Game) -> Position:
    return Position.start(game)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (Returning("crane"), r"by its number, not 'crane'; position.game.find\(word\) gives it"),
        (Returning(None), "by its number, not None"),
        (Returning(1.0), "by its number, not 1.0"),
        (First, r"First is a class: give an instance of it, First\(\)"),
        (object(), r"a object is no strategy, it has no name and no method choose; a strategy has a name"),
        (Nameless(), "a Nameless has no name; "),
        (Deaf(), r"deaf.choose is called with \(position\), and does not take that: too many"),
        (lambda: 0, r"<lambda> is called with \(position\), and does not take that"),
        (7, "a int is no strategy"),
    ],
)
def test_what_does_not_play_is_a_line_that_says_what_it_lacks(given: Any, said: str) -> None:
    with pytest.raises(StrategyError, match=said) as raised:
        sleuth.evaluate(given, GAME)
    assert "\n" not in str(raised.value)
    with pytest.raises(AssertionError, match=said):
        check_strategy(given, GAME)


def test_what_only_chooses_is_a_base_and_no_worse_for_it() -> None:
    own = sleuth.evaluate(first, GAME).report.total
    better = sleuth.evaluate(Rollout(first), GAME).report.total  # type: ignore[arg-type]
    assert better <= own
    assert sleuth.evaluate(Portfolio((first,)), GAME).report.total == own  # type: ignore[arg-type]
    assert sleuth.evaluate(Schedule((First(),)), GAME).report.total == own  # type: ignore[arg-type]
    check_strategy(Rollout(First()), GAME)  # type: ignore[arg-type]
    with pytest.raises(SleuthError, match="rollout option base: a int is no strategy"):
        sleuth.make("rollout", {"base": 3})


def test_a_chooser_ranks_its_own_choice_first_then_different_guesses() -> None:
    chooser = batched(first)
    frontier = sleuth.Frontier.of(Position.start(GAME))
    for k in (1, 2, len(GAME.guesses)):
        found = chooser.best(frontier, k)[0]
        assert found[0] == first(Position.start(GAME))
        assert len(set(found.tolist())) == k
    assert costs_to_go(chooser, frontier)[0] == sleuth.evaluate(first, GAME).report.total
    assert Chooser(First()) != Chooser(First())
    assert batched(Rollout()) == Rollout()


def test_what_only_chooses_has_a_rank_where_it_is_registered() -> None:
    for found in (as_class(first)(), as_class(First)()):
        assert [one.guess for one in found.rank(Position.start(GAME))] == [
            GAME.guesses[0 if 0 else first(_start(GAME))]
        ]
    assert as_class(Rollout) is Rollout
    assert as_player(first) == as_player(first)
    assert len({as_player(first), as_player(first)}) == 1


def test_a_strategy_of_the_rows_is_asked_for_each_history() -> None:
    """It may look at them also as a base, where sets that are equal are otherwise told apart no more."""

    def by_rows(position: Position) -> int:
        assert len(position.rows) == position.turn - 1
        return first(position)

    totals = [sleuth.evaluate(Rollout(base), GAME).report.total for base in (by_rows, first)]  # type: ignore[arg-type]
    assert totals[0] == totals[1]

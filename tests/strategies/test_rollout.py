from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_games import follow, games, histories

from sleuth.exact.objective import Objective
from sleuth.exact.proving import prove
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.strategy import BatchStrategy
from sleuth.games.wordle import wordle
from sleuth.strategies.heuristics import (
    Alpha,
    ExpectedGuesses,
    InformationGain,
    MostRapidDecrease,
    Random,
    WorstCase,
)
from sleuth.strategies.portfolio import Portfolio, first_distinct
from sleuth.strategies.registry import make
from sleuth.strategies.rollout import Rollout, costs_to_go
from sleuth.strategies.schedule import Schedule
from sleuth.support.errors import SleuthError, StrategyError
from sleuth.trees.tree import DecisionTree

MODES: tuple[Mode, ...] = ("easy", "hard", "strict")
BASES = st.sampled_from(
    [
        InformationGain(),
        InformationGain("list-order"),
        MostRapidDecrease(),
        WorstCase(),
        ExpectedGuesses(),
        Alpha(),
        Random(),
        Schedule((Random(), WorstCase("list-order"))),
        Portfolio((Random(), WorstCase())),
    ]
)
Width = int | Literal["all"]
WIDTHS = st.sampled_from([1, 2, 5, 10, "all"])


def open_position(
    data: st.DataObject, modes: Sequence[Mode] = MODES, weighted: bool = True, most: int = 1
) -> Position:
    """Return a position with two candidates or more, one of them likely."""
    game = data.draw(games(modes, weighted))
    position = follow(game, data.draw(histories(game, most=most)))
    if len(position.candidates) < 2 or game.prior[position.candidates].sum() == 0:
        return Position.start(game)
    return position


@given(st.data(), BASES)
def test_q_factors_replay_every_answer(data: st.DataObject, base: BatchStrategy) -> None:
    position = open_position(data)
    frontier = Frontier.of(position)
    guesses = base.best(frontier, 6)[0]
    guesses = guesses[guesses >= 0]
    many = frontier.take(np.zeros(len(guesses), np.int64))
    found = Rollout(base).q_factors(many, guesses) / frontier.weights[0]
    choose = reference.remembering(base)
    assert found.tolist() == pytest.approx(
        [reference.q_factor(choose, position, g) for g in guesses.tolist()]
    )


@given(st.data(), BASES)
def test_costs_to_go_replay_every_answer(data: st.DataObject, base: BatchStrategy) -> None:
    position = open_position(data)
    frontier = Frontier.of(position)
    choose = reference.remembering(base)
    expected = reference.q_factor(choose, position, choose(position))
    for _ in range(2):  # computed, then remembered
        assert costs_to_go(base, frontier)[0] / frontier.weights[0] == pytest.approx(expected)


@given(st.data(), BASES, WIDTHS)
def test_rollout_takes_the_first_candidate_of_the_least_q_factor(
    data: st.DataObject, base: BatchStrategy, width: Width
) -> None:
    position = open_position(data)
    game, candidates = position.game, position.candidates.tolist()
    if width == "all":
        considered = list(range(len(game.guesses))) if position.legal is None else position.legal.tolist()
    else:
        found = base.best(Frontier.of(position), width)[0]
        considered = found[found >= 0].tolist()
    choose = reference.remembering(base)
    q = {g: round(reference.q_factor(choose, position, g), 9) for g in considered}
    order = sorted(considered, key=lambda g: (q[g], not reference.can_be_right(game, candidates, g)))
    assert Rollout(base, width).choose(position) == order[0]


@given(st.data(), BASES)
def test_rank_gives_the_mean_of_guesses_needed(data: st.DataObject, base: BatchStrategy) -> None:
    position = open_position(data)
    choose = reference.remembering(base)
    suggestions = Rollout(base).rank(position, 5)
    for suggestion in suggestions:
        expected = reference.q_factor(choose, position, position.game.find(suggestion.guess))
        assert suggestion.expected_guesses == pytest.approx(expected)
        assert suggestion.expected_by == "rollout"
    means = [suggestion.expected_guesses for suggestion in suggestions]
    assert means == pytest.approx(sorted(means))


@given(st.data(), BASES, WIDTHS)
def test_rollout_is_never_worse_than_its_base(data: st.DataObject, base: BatchStrategy, width: Width) -> None:
    game = data.draw(games(MODES, weighted=False))
    opener = data.draw(st.sampled_from(game.guesses))
    improved = DecisionTree.build(Rollout(base, width), game, opener).report()
    assert improved.total <= DecisionTree.build(base, game, opener).report().total


@given(st.data(), BASES, WIDTHS)
def test_rollout_is_never_worse_on_average_under_a_prior(
    data: st.DataObject, base: BatchStrategy, width: Width
) -> None:
    game = data.draw(games(MODES))
    opener = data.draw(st.sampled_from(game.guesses))
    improved = DecisionTree.build(Rollout(base, width), game, opener).report()
    assert improved.mean <= DecisionTree.build(base, game, opener).report().mean + 1e-9


@given(st.data(), BASES, st.sampled_from([1, 3, 10]))
def test_rollout_of_depth_two_is_never_worse_than_its_base(
    data: st.DataObject, base: BatchStrategy, width: Width
) -> None:
    game = data.draw(games(MODES))
    improved = DecisionTree.build(Rollout(base, width, 2), game).report()
    assert improved.mean <= DecisionTree.build(base, game).report().mean + 1e-9


@given(st.data(), BASES)
def test_a_tree_costs_at_most_what_its_root_promised(data: st.DataObject, base: BatchStrategy) -> None:
    game = data.draw(games(MODES))
    promised = Rollout(base).rank(Position.start(game), 10)[0].expected_guesses
    assert DecisionTree.build(Rollout(base), game).report().mean <= promised + 1e-9


@given(st.data(), BASES)
def test_width_one_is_the_base_itself(data: st.DataObject, base: BatchStrategy) -> None:
    game = data.draw(games(MODES))
    tree, own = DecisionTree.build(Rollout(base, 1), game), DecisionTree.build(base, game)
    assert tree.guess.tolist() == own.guess.tolist()


def test_guesses_that_are_not_there_cost_infinitely_much() -> None:
    guesses, costs = Rollout(width=3).weigh(Frontier.of(Position.start(mastermind(2, 2))), 5)
    assert (guesses[0] >= 0).tolist() == np.isfinite(costs[0]).tolist() == [True] * 3 + [False] * 2


def test_answers_of_no_weight_are_found_too() -> None:
    # Once b or c is all that is left, every guess costs nothing: one that tells them apart must be taken.
    game = Game.from_function(
        lambda question, answer: answer[question] if len(answer) == 2 else "",
        ["00", "10", "11"],
        [0, 1],
        prior=np.array([1.0, 0.0, 0.0]),
    )
    assert DecisionTree.build(Rollout(width="all"), game).turns.tolist() == [1, 2, 2]


# Turns that run out.


def penalised(game: Game, taken: NDArray[np.integer], penalty: int) -> float:
    """Return the mean of guesses when an answer that is not found in time counts as so many."""
    return float(game.prior @ np.where(taken > game.max_turns, penalty, taken))


@given(st.data(), BASES, st.integers(2, 3), st.integers(0, 20))
def test_the_penalty_is_what_a_lost_answer_counts_as(
    data: st.DataObject, base: BatchStrategy, turns: int, more: int
) -> None:
    game = replace(data.draw(games(MODES)), max_turns=turns)
    penalty = turns + 1 + more
    start = Position.start(game)
    if len(start.candidates) < 2:
        return
    guess = base.choose(start)
    found = Rollout(base, penalty=penalty).q_factors(Frontier.of(start), np.array([guess], np.int32))
    own = DecisionTree.build(base, game).turns
    assert found[0] / Frontier.of(start).weights[0] == pytest.approx(penalised(game, own, penalty))
    # So rollout is never worse than its base in what is counted.
    improved = DecisionTree.build(Rollout(base, penalty=penalty), game).turns
    assert penalised(game, improved, penalty) <= penalised(game, own, penalty) + 1e-9


def test_a_penalty_is_more_than_the_turns() -> None:
    game = mastermind(2, 3)
    problem = f"the penalty is 3; a failure counts as at least {game.max_turns + 1} guesses"
    with pytest.raises(StrategyError, match=problem):
        Rollout(penalty=3).choose(Position.start(game))
    with pytest.raises(StrategyError, match="penalty must be a number from 1, or none, not 0"):
        make("rollout(penalty=0)")
    with pytest.raises(SleuthError, match="it takes a whole number or none"):
        make("rollout(penalty=few)")


# Priors that are not uniform.


@pytest.mark.parametrize("words", ["original:200", pytest.param("original", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("sharpness", [0.0, 1.0, 2.0])
def test_the_default_is_near_the_optimum_under_any_prior(sharpness: float, words: str) -> None:
    # Zipf's law over the answers in a fixed order that has nothing to do with the alphabet.
    game = wordle(words)
    places = np.random.default_rng(7).permutation(len(game.answers))
    game = game.with_prior(np.power(1.0 + places, -sharpness))
    opener = "trace" if "trace" in game.guesses else "watch"
    found = DecisionTree.build(make("rollout"), game, opener).report()
    best = prove(Position.start(game), opener=opener, objective=Objective("mean", 100)).mean
    assert found.mean <= 1.01 * best


# Several strategies at once.

PORTFOLIOS = st.lists(BASES, min_size=1, max_size=3).map(lambda bases: Portfolio(tuple(bases)))


@given(st.data(), PORTFOLIOS)
def test_a_portfolio_is_no_worse_than_any_of_its_strategies(data: st.DataObject, both: Portfolio) -> None:
    game = data.draw(games(MODES))
    opener = data.draw(st.sampled_from(game.guesses))
    mean = DecisionTree.build(both, game, opener).report().mean
    for base in both.bases:
        assert mean <= DecisionTree.build(base, game, opener).report().mean + 1e-9


@given(st.data(), PORTFOLIOS)
def test_a_portfolio_plays_the_strategy_that_takes_least(data: st.DataObject, both: Portfolio) -> None:
    position = open_position(data)
    takes = []
    for base in both.bases:
        choose = reference.remembering(base)
        takes.append(round(reference.q_factor(choose, position, choose(position)), 9))
    assert both.choose(position) == both.bases[takes.index(min(takes))].choose(position)


@given(st.lists(st.lists(st.integers(-1, 4), min_size=6, max_size=6), min_size=1), st.integers(1, 6))
def test_the_first_distinct_guesses(rows: list[list[int]], k: int) -> None:
    found = first_distinct(np.array(rows, np.int32), k).tolist()
    for row, kept in zip(rows, found, strict=True):
        distinct = list(dict.fromkeys(guess for guess in row if guess >= 0))[:k]
        assert kept == distinct + [-1] * (k - len(distinct))


def test_portfolios_are_written_with_slashes() -> None:
    alphas = "portfolio(bases=alpha(alpha=-1.0)/alpha(alpha=0.5))"
    assert make(alphas) == Portfolio((Alpha(alpha=-1.0), Alpha(alpha=0.5)))
    assert make(f"rollout(base={alphas})") == Rollout(make(alphas))  # type: ignore[arg-type]
    with pytest.raises(StrategyError, match="a portfolio needs at least one strategy"):
        Portfolio(())
    assert not Portfolio((Schedule((Random(), WorstCase())), Random())).stationary


class Timid(BatchStrategy):
    """Guesses the first candidate, and gives up where three answers or more are left."""

    name, stationary, markov = "timid", True, True

    def best(self, frontier: Frontier, k: int) -> NDArray[np.int32]:
        first = frontier.candidates[frontier.starts[:-1]]
        return np.where(frontier.sizes < 3, first, -1)[:, None].astype(np.int32)


def test_a_base_that_gives_up_loses_there() -> None:
    # 0 leaves 1, 2 and 3 together; 3 leaves 0 and 1, and 2.
    groups = {0: "!aaa", 1: "a!aa", 2: "aa!a", 3: "aab!"}
    game = Game.from_function(lambda guess, answer: groups[guess][answer], [0, 1, 2, 3], max_turns=4)
    start = Frontier.of(Position.start(game))
    both = start.take(np.array([0, 0])), np.array([0, 3], np.int32)
    assert Rollout(Timid()).q_factors(*both).tolist() == [np.inf, 3 + 2 + 2 + 1]
    # Those that are given up count as nine guesses each.
    assert Rollout(Timid(), penalty=9).q_factors(*both).tolist() == [1 + 9 + 9 + 9, 3 + 2 + 2 + 1]
    with pytest.raises(StrategyError, match="rollout finds no guess that tells apart 0, 1, 2, 3"):
        Rollout(Timid()).choose(Position.start(game))
    assert Rollout(Timid(), "all").choose(Position.start(game)) == 3


class Stubborn(BatchStrategy):
    name, stationary, markov = "stubborn", True, True

    def best(self, frontier: Frontier, k: int) -> NDArray[np.int32]:
        return np.zeros((len(frontier), 1), np.int32)


def test_a_base_that_goes_round_for_ever_loses_there() -> None:
    frontier = Frontier.of(Position.start(wordle("original")))
    assert costs_to_go(Stubborn(), frontier).tolist() == [np.inf]
    assert np.isfinite(costs_to_go(Stubborn(), frontier, penalty=100)[0])

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import follow, games, histories

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.strategy import BatchStrategy
from sleuth.strategies.heuristics import (
    Alpha,
    ExpectedGuesses,
    InformationGain,
    MostRapidDecrease,
    Random,
    WorstCase,
)
from sleuth.strategies.rollout import Rollout, costs_to_go
from sleuth.strategies.schedule import Schedule
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


@settings(max_examples=30)
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


@settings(max_examples=30)
@given(st.data(), BASES)
def test_costs_to_go_replay_every_answer(data: st.DataObject, base: BatchStrategy) -> None:
    position = open_position(data)
    frontier = Frontier.of(position)
    choose = reference.remembering(base)
    expected = reference.q_factor(choose, position, choose(position))
    for _ in range(2):  # computed, then remembered
        assert costs_to_go(base, frontier)[0] / frontier.weights[0] == pytest.approx(expected)


@settings(max_examples=30)
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


@settings(max_examples=30)
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

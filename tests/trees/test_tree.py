from typing import ClassVar

import numpy as np
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from random_games import games

from sleuth.games.game import Game, Mode
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion
from sleuth.strategies.registry import make
from sleuth.support.errors import StrategyError, TreeError, UnknownGuessError
from sleuth.trees.evaluation import evaluate
from sleuth.trees.tree import DecisionTree, Report

MODES: tuple[Mode, ...] = ("easy", "hard", "strict")
PLAYERS = st.sampled_from(
    [
        "information-gain",
        "worst-case(ties=list-order)",
        "random",
        "rollout(width=3)",
        "schedule(turns=random/alpha)",
    ]
)


def tree_of(strategy: str = "information-gain", opener: str | None = None) -> DecisionTree:
    return DecisionTree.build(make(strategy), mastermind(3, 3), opener)


@given(games(MODES), PLAYERS)
def test_turns_are_those_of_games_played_one_by_one(game: Game, player: str) -> None:
    strategy = make(player)
    choose = reference.remembering(strategy)
    start = Position.start(game)
    expected = [reference.guesses_needed(choose, start, a) for a in range(len(game.answers))]
    assert DecisionTree.build(strategy, game).turns.tolist() == expected


@given(games(MODES), PLAYERS, st.data())
def test_openers_are_played_first(game: Game, player: str, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(game.guesses) - 1))
    strategy = make(player)
    choose = reference.remembering(strategy)
    start = Position.start(game)
    tree = DecisionTree.build(strategy, game, game.guesses[first])
    assert tree.opener == game.guesses[first]
    assert tree.turns.tolist() == [
        reference.guesses_needed(choose, start, a, first) for a in range(len(game.answers))
    ]


@given(games(MODES))
def test_every_node_but_the_root_has_one_parent_before_it(game: Game) -> None:
    tree = DecisionTree.build(make("information-gain"), game)
    assert (tree.parent[0], tree.code[0], tree.turn[0]) == (-1, -1, 1)
    for node in range(1, len(tree.guess)):
        parent = int(tree.parent[node])
        assert parent < node
        assert tree.turn[node] == tree.turn[parent] + 1
        assert tree.children[parent][int(tree.code[node])] == node


@given(games())
def test_every_answer_that_can_be_guessed_ends_at_its_own_guess(game: Game) -> None:
    tree = DecisionTree.build(make("information-gain"), game)
    for answer, turns in enumerate(tree.turns.tolist()):
        node = 0
        for _ in range(turns - 1):
            node = tree.children[node][game.rules.code(game.guesses[tree.guess[node]], game.answers[answer])]
        assert tree.guess[node] == game.answer_guess[answer] or game.answer_guess[answer] < 0


def test_unknown_openers_are_refused() -> None:
    with pytest.raises(UnknownGuessError, match="114 cannot be guessed: codes are made of 1 to 3"):
        tree_of(opener="114")


class Circling:
    name: ClassVar[str] = "circling"

    def choose(self, position: Position) -> int:
        return 0

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        return []


def test_strategies_that_go_in_circles_are_stopped() -> None:
    with pytest.raises(StrategyError, match=r"circling does not find 222, .* within 100 guesses"):
        DecisionTree.build(Circling(), mastermind(3, 3))


def test_answers_that_cannot_be_told_apart_are_named() -> None:
    game = Game.from_function(lambda question, answer: answer > question, [1, 2, 3], [1])
    with pytest.raises(StrategyError, match="finds no guess that tells apart 2, 3"):
        DecisionTree.build(make("information-gain"), game)


def test_answers_that_cannot_be_guessed_are_known_when_alone() -> None:
    game = Game.from_function(lambda question, answer: answer > question, [1, 2, 3], [1.5, 2.5])
    assert DecisionTree.build(make("information-gain"), game).turns.tolist() == [1, 2, 2]


def test_report_counts() -> None:
    game = mastermind(2, 2, max_turns=2)
    report = Report.of(game, np.array([1, 2, 2, 4], np.int32))
    assert (report.answers, report.solved, report.failures) == (4, 3, 1)
    assert (report.total, report.mean, report.worst) == (9, 2.25, 4)
    assert report.histogram == {1: 1, 2: 2, 4: 1}
    assert report.turns.tolist() == [1, 2, 2, 4]


def test_the_mean_is_that_of_the_prior_and_the_total_is_not() -> None:
    game = mastermind(2, 2).with_prior(np.array([1.0, 0, 0, 3]))
    report = Report.of(game, np.array([1, 2, 2, 4], np.int32))
    assert (report.total, report.mean) == (9, 3.25)


@given(games(MODES))
def test_histograms_add_up(game: Game) -> None:
    report = DecisionTree.build(make("worst-case"), game).report()
    assert sum(report.histogram.values()) == report.answers == report.solved + report.failures
    assert sum(turn * count for turn, count in report.histogram.items()) == report.total
    assert max(report.histogram) == report.worst
    assert report.mean == pytest.approx(float(report.turns @ game.prior))


def test_evaluations_are_plain_values() -> None:
    found = evaluate(make("worst-case(ties=list-order)"), mastermind(2, 2), "12").to_json()
    assert found.pop("seconds") >= 0
    assert found == {
        "strategy": "worst-case",
        "options": {"ties": "list-order"},
        "game": "mastermind 2x2",
        "opener": "12",
        "mode": "easy",
        "prior": "uniform",
        "max_turns": 10,
        "guesses": 4,
        "answers": 4,
        "solved": 4,
        "failures": 0,
        "total": 8,
        "mean": 2.0,
        "worst": 3,
        "histogram": {"1": 1, "2": 2, "3": 1},
    }


def test_reports_compare_answer_by_answer() -> None:
    one, other = tree_of("information-gain", "112").report(), tree_of("random", "112").report()
    pairs = list(zip(one.turns.tolist(), other.turns.tolist(), strict=True))
    wins, ties, losses = (sum((a > b) - (a < b) == sign for a, b in pairs) for sign in (-1, 0, 1))
    assert losses > 0 < wins
    assert one.against(other) == (wins, ties, losses)
    assert other.against(one) == (losses, ties, wins)
    assert one.against(one) == (0, len(pairs), 0)
    with pytest.raises(TreeError, match="27 answers cannot be compared with 8"):
        one.against(DecisionTree.build(make("random"), mastermind(3, 2)).report())

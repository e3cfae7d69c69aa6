"""What users wait for, in one process with warm kernels."""

import pytest

import sleuth
from sleuth.games.position import Position
from sleuth.strategies import rollout
from sleuth.strategies.heuristics import InformationGain
from sleuth.strategies.rollout import Rollout


@pytest.fixture(scope="module")
def game():
    made = sleuth.wordle("original")
    sleuth.evaluate(Rollout(), made, "salet")
    return made


@pytest.fixture
def forgetful():
    """Forget the costs that rollout remembers, before every round."""
    return rollout._MEMORY.clear


def test_feedback_matrix(benchmark, game):
    benchmark.pedantic(game.rules.codes, (game.guesses, game.answers), rounds=5)


def test_information_gain_salet(benchmark, game):
    found = benchmark.pedantic(sleuth.evaluate, (InformationGain(), game, "salet"), rounds=5)
    assert found.report.total == 7946


@pytest.mark.parametrize(
    ("opener", "total"), [("salet", 7921), ("crate", 7927), ("crane", 7930), ("raise", 8017), ("trace", 7928)]
)
def test_rollout(benchmark, game, forgetful, opener, total):
    of_document = Rollout(InformationGain())
    found = benchmark.pedantic(sleuth.evaluate, (of_document, game, opener), setup=forgetful, rounds=3)
    assert found.report.total == total


def test_rollout_strict(benchmark, game, forgetful):
    strict = game.with_mode("strict")
    benchmark.pedantic(sleuth.evaluate, (Rollout(), strict, "salet"), setup=forgetful, rounds=3)


@pytest.mark.parametrize("strategy", [InformationGain(), Rollout()], ids=lambda strategy: strategy.name)
@pytest.mark.parametrize("feedback", ["bbybb", "bybbb", "bbbbb"])
def test_suggestion_in_mid_game(benchmark, game, forgetful, strategy, feedback):
    position = Position.start(game).play("salet", feedback)
    benchmark.extra_info["candidates"] = len(position.candidates)
    benchmark.pedantic(strategy.choose, (position,), setup=forgetful, rounds=10)

"""The searching agents over all answers, and the equilibrium, kernels warm."""

import numpy as np
import pytest

import sleuth
from sleuth.exact.beam import Beam
from sleuth.games.frontier import Frontier
from sleuth.games.position import Position
from sleuth.variants.adversary.double_oracle import equilibrium


@pytest.mark.parametrize(
    "strategy",
    [
        "beam",
        "beam(width=8,looked=20)",
        "rollout",
        "expectimax",
        "expectimax(moves=legal)",
        "minimax",
        "alpha-beta",
    ],
)
def test_all_answers(benchmark, strategy):
    game, agent = sleuth.wordle("original"), sleuth.make(strategy)
    found = benchmark.pedantic(sleuth.evaluate, (agent, game, "salet"), rounds=1, warmup_rounds=0)
    benchmark.extra_info["mean"] = found.report.mean


@pytest.mark.parametrize("width", [2, 4])
def test_openers_under_a_prior(benchmark, width):
    """A hundred openers against one distribution over the answers: a best response of the equilibrium."""
    weights = np.random.default_rng(0).exponential(size=2315)
    game = sleuth.wordle("original").with_prior(weights)
    openers = np.arange(0, 10_000, 100, dtype=np.int32)
    start = Frontier.of(Position.start(game))
    after = start.take(np.zeros(len(openers), np.int64)).after(openers).frontier
    benchmark.pedantic(Beam(width, 2 * width).weigh, (after, 1), rounds=1)


def test_equilibrium_in_two_minutes(benchmark):
    """Compare extra_info: the bounds after two minutes."""
    found = benchmark.pedantic(equilibrium, (sleuth.wordle("original"), 0.02, 120.0), rounds=1)
    benchmark.extra_info |= {"lower": found.lower, "upper": found.upper, "rounds": found.iterations}

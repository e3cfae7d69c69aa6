"""Steps of the Gymnasium environments, on the original lists with random guesses.

extra_info has the guesses a second: games that start again in a step make no guess in it and are not counted.
"""

import numpy as np
import pytest

import sleuth
from sleuth.learning.gym.environment import WordleEnv
from sleuth.learning.gym.vector import WordleVectorEnv

_STEPS = 30


@pytest.fixture(scope="module")
def game():
    return sleuth.wordle("original")


@pytest.mark.parametrize("copy", [True, False], ids=["copied", "in-place"])
@pytest.mark.parametrize(
    ("mode", "candidates"),
    [("easy", False), ("easy", True), ("hard", False), ("strict", False)],
    ids=["rows", "candidates", "hard", "strict"],
)
@pytest.mark.parametrize("games", [1024, 4096])
def test_many_games(benchmark, game, games, mode, candidates, copy):
    env = WordleVectorEnv(games, game, mode=mode, candidates=candidates, copy=copy)
    actions = np.random.default_rng(1).integers(0, len(game.guesses), (_STEPS, games))

    def steps():
        """Return the guesses made."""
        env.reset(seed=1)
        made, live = 0, np.ones(games, bool)
        for guesses in actions:
            made += int(live.sum())
            _, _, terminated, truncated, _ = env.step(guesses)
            live = ~(terminated | truncated)
        return made

    made = benchmark.pedantic(steps, rounds=5, warmup_rounds=1)
    if benchmark.stats is not None:
        benchmark.extra_info["guesses a second"] = round(made / benchmark.stats.stats.median)


def test_one_game(benchmark, game):
    env = WordleEnv(game)
    actions = np.random.default_rng(1).integers(0, len(game.guesses), 600).tolist()

    def steps():
        over = True
        for guess in actions:
            if over:
                env.reset()
            _, _, terminated, truncated, _ = env.step(guess)
            over = terminated or truncated

    benchmark.pedantic(steps, rounds=5, warmup_rounds=1)
    if benchmark.stats is not None:
        benchmark.extra_info["guesses a second"] = round(len(actions) / benchmark.stats.stats.median)

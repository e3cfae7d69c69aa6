"""Action Value Tree Search, kernels warm: seconds until a published optimum is found, and threads."""

import pytest

import sleuth
from sleuth.games.position import Position
from sleuth.processes.avts import optimize


def search(benchmark, words, **limits):
    """Time one search of a word list; return what it found. Iterations and states go to extra_info."""
    start = Position.start(sleuth.wordle(words))
    found = benchmark.pedantic(optimize, (start,), {**limits, "with_tree": False}, rounds=1)
    benchmark.extra_info |= {"iterations": found.result.iterations, "states": found.result.states}
    return found


@pytest.mark.parametrize("seed", range(5))
def test_nyt_optimum(benchmark, seed):
    assert search(benchmark, "nyt", target=11219, seed=seed).total == 11219


@pytest.mark.parametrize("threads", [1, 2])
def test_original_optimum(benchmark, threads):
    assert search(benchmark, "original", target=7920, threads=threads).total == 7920


@pytest.mark.parametrize("threads", [1, 2])
def test_states_in_ten_seconds(benchmark, threads):
    """Compare extra_info: with two threads at least 1.6 times as many iterations and states."""
    search(benchmark, "nyt", seconds=10, threads=threads)

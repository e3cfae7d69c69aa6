"""Action Value Tree Search, kernels warm: seconds until a published optimum is found, and threads."""

import pytest

import sleuth
from sleuth.position import Position
from sleuth.strategies.avts import optimize


@pytest.mark.parametrize("seed", range(5))
def test_nyt_optimum(benchmark, seed):
    start = Position.start(sleuth.wordle("nyt"))
    args = {"target": 11219, "seed": seed, "with_tree": False}
    found = benchmark.pedantic(optimize, (start,), args, rounds=1)
    benchmark.extra_info["iterations"] = found.result.iterations
    assert found.total == 11219


@pytest.mark.parametrize("threads", [1, 2])
def test_original_optimum(benchmark, threads):
    start = Position.start(sleuth.wordle("original"))
    args = {"target": 7920, "threads": threads, "with_tree": False}
    found = benchmark.pedantic(optimize, (start,), args, rounds=1)
    benchmark.extra_info["iterations"] = found.result.iterations
    assert found.total == 7920


@pytest.mark.parametrize("threads", [1, 2])
def test_states_in_ten_seconds(benchmark, threads):
    """Compare extra_info: with two threads at least 1.6 times as many iterations and states."""
    start = Position.start(sleuth.wordle("nyt"))
    args = {"seconds": 10, "threads": threads, "with_tree": False}
    found = benchmark.pedantic(optimize, (start,), args, rounds=1)
    benchmark.extra_info |= {"iterations": found.result.iterations, "states": found.result.states}

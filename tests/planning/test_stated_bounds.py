"""Bounds that are proven of a problem itself: against twins in plain Python, HSVI, and exhaustive search."""

from collections.abc import Sequence
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any

import numpy as np
import pytest
from command_line import Run, json_of
from fleets import around, fleets

from sleuth.kernels.drawn.rock_values import GONE, TOLD, UNKNOWN, rock_values
from sleuth.planning.benchmark import running
from sleuth.planning.benchmark.results import Benchmark, Pair
from sleuth.planning.benchmark.running import run as play_all
from sleuth.planning.pomdps.drawn.problem import DrawnPomdp
from sleuth.planning.pomdps.drawn.problems import battleship, drawn_rocksample
from sleuth.planning.pomdps.hsvi import HSVI
from sleuth.planning.pomdps.problems import rocksample_pomdp
from sleuth.planning.problems import rock_bounds as rocks
from sleuth.planning.problems.ship_bounds import _order
from sleuth.support.errors import SleuthError
from sleuth.support.progress import Progress

PRIZE = 10.0


def naive(
    leaving: Any, way: Any, right: Any, check: Any, discount: float
) -> dict[tuple[tuple[int, ...], int], float]:
    """Return the value of each set of rocks, by what is known of each rock, in each cell."""
    n_rocks, n_cells = way.shape

    @cache
    def value(state: tuple[int, ...], cell: int) -> float:
        options = [float(leaving[cell])]
        for rock, known in enumerate(state):

            def so(new: int, at: int, rock: int = rock) -> float:
                return value((*state[:rock], new, *state[rock + 1 :]), at)

            if known == GONE:
                continue
            there = float(way[rock, cell])
            chance = float(right[rock]) if known == TOLD else 0.5
            good, bad = PRIZE + discount * so(GONE, rock), so(GONE, rock)
            options.append(there * discount * (chance * good + (1 - chance) * bad))
            if known == TOLD:
                now = chance * PRIZE - (1 - chance) * PRIZE
                options.append(there * (now + discount * so(GONE, rock)))
            elif check[rock, cell]:
                options.append(discount * (so(TOLD, cell) + so(GONE, cell)) / 2)
        return max(options)

    states = product((GONE, TOLD, UNKNOWN), repeat=n_rocks)
    return {(state, cell): value(state, cell) for state in states for cell in range(n_cells)}


@pytest.mark.parametrize("seed", range(6))
def test_values_of_sets_of_rocks_are_those_of_a_naive_recursion(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_rocks, discount = 1 + seed % 4, [0.95, 0.5, 0.99][seed % 3]
    n_cells = n_rocks + 2
    leaving = (PRIZE * rng.random(n_cells)).astype(np.float32)
    way = rng.random((n_rocks, n_cells)).astype(np.float32)
    right = (0.5 + rng.random(n_rocks) / 2).astype(np.float32)
    check = np.where(rng.random(way.shape) < 0.6, discount / 2, 0).astype(np.float32)
    values = np.full((3**n_rocks, n_cells), np.nan, np.float32)
    for begin in range(0, len(values), 5):  # in pieces
        end = min(begin + 5, len(values))
        with_prize = np.float32(discount), np.float32(PRIZE)
        rock_values(values, begin, end, leaving, way, right, check, *with_prize)
    for (state, cell), value in naive(leaving, way, right, check, discount).items():
        number = sum(digit * 3**rock for rock, digit in enumerate(state))
        assert values[number, cell] == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize(
    ("n", "k", "half_distance", "seed"),
    [
        (2, 1, 20.0, 0),
        (2, 2, 0.5, 1),
        (3, 2, 20.0, 0),
        (3, 3, 1.0, 2),
        pytest.param(4, 3, 5.0, 3, marks=pytest.mark.thorough),
        pytest.param(4, 4, 20.0, 0, marks=pytest.mark.thorough),
    ],
)
def test_bounds_of_rocks_hold_what_hsvi_proves(n: int, k: int, half_distance: float, seed: int) -> None:
    found = rocks.rock_bounds(n, k, half_distance, seed=seed)
    assert found is not None
    lower, upper = found
    proved = HSVI(rocksample_pomdp(n, k, half_distance, seed)).run(gap=0.02, trials=400)
    assert lower <= proved.upper
    assert upper >= proved.lower
    assert upper - lower < 0.15 * upper


def test_what_is_published_of_rocks_lies_between_their_bounds() -> None:
    # docs/pomdps.md has the sources: 21.3 to 21.5 for (7,8) by point-based solvers.
    lower, upper = rocks.rock_bounds(7, 8) or (0.0, 0.0)
    assert 21.2 < lower < 21.5 < upper < 23.0
    lower, _ = rocks.rock_bounds(4, 4) or (0.0, 0.0)
    assert lower == pytest.approx(19.4147, abs=1e-3)  # the optimum, proven by HSVI


def test_more_rocks_than_memory_holds_have_no_bounds() -> None:
    assert rocks.rock_bounds(7, rocks.MOST_ROCKS + 1) is None
    assert drawn_rocksample(7, rocks.MOST_ROCKS + 1).bounds() is None


def shots_of_hunt(fleet: list[set[int]], order: Sequence[int], size: int) -> int:
    """Return how many shots the hunt takes, shot by shot."""
    ships = set[int]().union(*fleet)
    shot: set[int] = set()
    water: set[int] = set()

    def hit(cell: int) -> bool:
        if not ships <= shot:
            shot.add(cell)
        return cell in ships

    for cell in order:
        if cell in shot or cell in water or ships <= shot:
            continue
        if not hit(cell):
            continue
        sunk = {cell}
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if dx == 0 and len(sunk) > 1 and max(sunk) - min(sunk) < size:
                break  # it lies along the row
            x, y = cell % size + dx, cell // size + dy
            while 0 <= x < size and 0 <= y < size and hit(x + size * y):
                sunk.add(x + size * y)
                x, y = x + dx, y + dy
        water |= around(sunk, size)
    return len(shot)


def hunt_of(problem: DrawnPomdp) -> tuple[list[int], Any]:
    """Return the order of the hunt, and the cells of each placement: bool [placements, cells]."""
    numbers, ships = problem.law.numbers, problem.law.numbers[2]
    starts, rows = numbers[3 : 4 + ships], numbers[4 + ships :].reshape(-1, 7)
    own = np.zeros((len(rows), numbers[1]), bool)
    for row, (cell, step, length) in zip(own, rows[:, :3].tolist(), strict=True):
        row[[cell + step * i for i in range(length)]] = True
    return _order(own, starts.tolist()).tolist(), own


SEAS = [(3, (2,)), (3, (1, 1)), (4, (3, 1)), (4, (2, 2)), (5, (3, 2)), (5, (4, 2, 1)), (9, (2,))]


@pytest.mark.parametrize(("size", "lengths"), SEAS)
def test_the_lower_bound_of_ships_is_what_the_hunt_gets(size: int, lengths: tuple[int, ...]) -> None:
    problem = battleship(size, lengths)
    order, _ = hunt_of(problem)
    assert sorted(order) == list(range(size * size))
    taken = [shots_of_hunt(fleet, order, size) for fleet in fleets(size, lengths)]
    told: list[Progress] = []
    lower, upper = problem.bounds(progress=told.append) or (0.0, 0.0)
    assert lower == pytest.approx(100 - np.mean(taken))
    assert lower <= upper
    assert told[-1].done == told[-1].total == len(told)


@pytest.mark.parametrize(("size", "lengths"), [(2, (1,)), (3, (2,)), (3, (3,)), (3, (1, 1)), (3, (2, 1))])
def test_the_best_play_of_ships_lies_between_their_bounds(size: int, lengths: tuple[int, ...]) -> None:
    @cache
    def shots(left: frozenset[frozenset[int]], shot: frozenset[int]) -> float:
        """Return the fewest shots for all of some fleets together."""
        waiting = {cells for cells in left if not cells <= shot}
        if not waiting:
            return 0.0
        best = float("inf")
        for cell in set().union(*waiting) - shot:
            hit = frozenset(cells for cells in waiting if cell in cells)
            rest = frozenset(waiting) - hit
            then = shots(hit, shot | {cell}) + (shots(rest, shot | {cell}) if rest else 0.0)
            best = min(best, len(waiting) + then)
        return best

    every = frozenset(frozenset[int]().union(*fleet) for fleet in fleets(size, lengths))
    best = 100 - shots(every, frozenset()) / len(every)
    lower, upper = battleship(size, lengths).bounds() or (0.0, 0.0)
    assert lower - 1e-9 <= best <= upper + 1e-9


def test_too_many_fleets_have_no_bounds() -> None:
    assert battleship(10, (5, 4, 3, 3, 2)).bounds() is None


@pytest.mark.parametrize("ships", [(1,) * 10, (1,) * 30])
def test_ships_that_are_tight_are_refused_at_once(ships: tuple[int, ...]) -> None:
    with pytest.raises(SleuthError, match="have no room on 6 x 6"):
        battleship(6, ships)


@pytest.mark.parametrize("discount", [1e-50, 1e-40, 1e-20, 0.01, 0.999])
def test_small_numbers_do_not_vanish_from_the_upper_bound(discount: float) -> None:
    """Rocks one cell away, and checks that are always right."""
    lower, upper = drawn_rocksample(3, 2, 1e300, discount).bounds() or (0.0, 0.0)
    assert 0 <= lower <= upper
    assert upper >= 10 * discount**2  # of leaving at once


def test_the_order_of_ships_of_a_length_does_not_matter() -> None:
    found = [battleship(5, lengths).bounds() for lengths in permutations((3, 2, 2))]
    assert all(one == pytest.approx(found[0]) for one in found)


@pytest.mark.usefixtures("without_processes")
def test_a_benchmark_has_the_bounds_of_its_problems() -> None:
    benchmark = Benchmark(("rocksample-4-4", "twenty-questions"), ("random",), episodes=1)
    found = play_all(benchmark, workers=1)
    lower, upper = found.bounds("rocksample-4-4") or (0.0, 0.0)
    assert (lower, upper) == rocks.rock_bounds(4, 4)
    assert found.bounds("twenty-questions") is None
    assert [row["lower"] for row in found.to_records()] == [lower, None]
    assert found.done == 2


@pytest.mark.usefixtures("without_processes")
def test_known_bounds_are_not_worked_out_again(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark = Benchmark(("rocksample-4-4",), ("random",), episodes=1)
    path = tmp_path / "kept.json"
    play_all(benchmark, keep=path, workers=1)

    def nothing(count: int) -> None:
        raise AssertionError("all is known")

    monkeypatch.setattr(running, "processes", nothing)
    found = play_all(benchmark, keep=path)
    assert Pair("rocksample-4-4", "random") in found.played
    assert found.bounds("rocksample-4-4") == rocks.rock_bounds(4, 4)


@pytest.mark.parametrize("known", [True, pytest.param(False, marks=pytest.mark.thorough)])
def test_plan_tells_the_bounds(known: bool, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    if known:
        found = (22.65771, 24.64059)
        monkeypatch.setattr("sleuth.planning.pomdps.drawn.problems.rock_bounds", lambda *_, **__: found)
    line = ("plan", "rocksample-11-11", "--method", "despot(trials=1,scenarios=10)")
    code, out, _ = run(*line)
    assert code == 0
    assert "the optimal value lies between 22.6577 and 24.6406, proven" in out
    found = json_of(run(*line, "--json"))
    assert (round(found["optimum_at_least"], 3), round(found["optimum_at_most"], 3)) == (22.658, 24.641)


def test_ctrl_c_among_bounds_loses_no_action(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sleuth.planning.pomdps.drawn.problems.rock_bounds", stopped)
    code, out, _ = run("plan", "rocksample-11-11", "--method", "despot(trials=1,scenarios=10)")
    assert code == 130
    assert "first action" in out
    assert "bounds of the optimal value: interrupted" in out
    assert "proven" not in out


@pytest.mark.thorough
def test_draws_of_fleets_take_as_many_shots_as_said() -> None:
    """The hunt of the ten by ten sea, on fleets drawn by the problem itself."""
    problem = battleship()
    lower, upper = problem.bounds() or (0.0, 0.0)
    assert 57 < lower < 58
    assert 71 < upper < 72
    rng = Random(3)
    order, own = hunt_of(problem)
    ships = problem.law.numbers[2]
    taken = []
    for _ in range(2000):
        state = problem.first(rng.getrandbits(32))
        fleet = [set(np.flatnonzero(own[placement]).tolist()) for placement in state[:ships].tolist()]
        taken.append(shots_of_hunt(fleet, order, 10))
    error = np.std(taken) / np.sqrt(len(taken))
    assert abs(100 - np.mean(taken) - lower) < 4 * error

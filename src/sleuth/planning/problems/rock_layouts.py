"""Where the rocks of RockSample are."""

from __future__ import annotations

from math import dist
from random import Random

from sleuth.support.ranges import check_seed

Cell = tuple[int, int]

# The layouts of RockSample_7_8.pomdpx and RockSample_11_11.pomdpx, which published results are for.
_STANDARD: dict[tuple[int, int], tuple[Cell, ...]] = {
    (7, 8): ((2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6)),
    (11, 11): (
        *((0, 3), (0, 7), (1, 8), (2, 4), (3, 3), (3, 8)),
        *((4, 3), (5, 8), (6, 1), (9, 3), (9, 9)),
    ),
}


def layout(n: int, k: int, seed: int) -> tuple[Cell, ...]:
    """Return the cells (x, y) of k rocks on n x n: the standard ones, or drawn by the seed if there are none.

    k is at most n * n. Raises SleuthError for a seed that is none.
    """
    check_seed(seed)
    cells = [(x, y) for x in range(n) for y in range(n)]
    return _STANDARD.get((n, k)) or tuple(Random(f"rocksample/{seed}").sample(cells, k))


def accuracy(cell: Cell, rock: Cell, half_distance: float) -> float:
    """Return how likely a check from a cell is right about a rock, in (0.5, 1]; distances in cells."""
    return float((1 + 2 ** (-dist(cell, rock) / half_distance)) / 2)

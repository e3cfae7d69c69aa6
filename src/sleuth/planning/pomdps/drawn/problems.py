"""Problems that are drawn from: RockSample of any size, and Battleship."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import log

import numpy as np

from sleuth.kernels.drawn.problem import ROCKS, SHIPS, Drawn
from sleuth.kernels.drawn.ships import BITS
from sleuth.planning.pomdps.drawn.problem import DrawnPomdp, State
from sleuth.planning.problems.rock_bounds import rock_bounds
from sleuth.planning.problems.rock_layouts import accuracy, layout
from sleuth.planning.problems.ship_bounds import ship_bounds, words_of
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.ranges import check_number

_MOST_ROCKS = 60
_MOST_CELLS = 100  # a side
# Ships that are put somewhere until all have room.
_MOST_TRIES = 100_000
# Log odds of a check that is always right are no more than those of one that is wrong so often.
_WRONG = 1e-12


def drawn_rocksample(
    n: int = 15, k: int = 15, half_distance: float = 20.0, discount: float = 0.95, seed: int = 0
) -> DrawnPomdp:
    """Return RockSample(n, k) (Smith and Simmons 2004) to draw from, with the rocks of rocksample_pomdp.

    Steps into a wall, samples without a rock and checks of rocks that were sampled may not be chosen; else it
    is rocksample_pomdp. Raises SleuthError for sizes that there are not.
    """
    check_number("n", n, most=_MOST_CELLS, whole=True)
    check_number("k", k, whole=True)
    check_number("half_distance", half_distance)
    check_number("discount", discount)
    if n < 1:
        raise SleuthError(f"a grid is of 1 to {_MOST_CELLS} cells a side, not {n}")
    most = min(_MOST_ROCKS, n * n)
    if not 1 <= k <= most:
        raise SleuthError(
            f"a grid of {n} x {n} does not take {k} rocks: there may be 1 to {most}, each in its own cell"
        )
    if not half_distance > 0:
        raise SleuthError(f"the half distance is positive, not {half_distance}")
    if not 0 < discount < 1:
        raise SleuthError(f"the discount lies in (0, 1), not {discount}")
    rocks = layout(n, k, seed)
    cells = [(x, y) for x in range(n) for y in range(n)]
    right = np.array([[accuracy(cell, rock, half_distance) for rock in rocks] for cell in cells])
    odds = [[log(p / (1 - p)) for p in row] for row in np.minimum(right, 1 - _WRONG).tolist()]
    places = [rocks.index(cell) if cell in rocks else -1 for cell in cells]
    # A tour takes up to 2 n steps to each rock, checks and samples it, and leaves.
    powers = discount ** np.arange(2 * n * (k + 1) + 2 * k + 8.0)
    actions = ("north", "south", "east", "west", "sample", *(f"check-{rock}" for rock in range(k)))
    law = Drawn(
        ROCKS,
        4,
        3 * k,
        len(actions),
        3,
        2 * k,
        discount,
        np.array([n, k, *(x for x, _ in rocks), *(y for _, y in rocks), *places], np.int64),
        np.concatenate([right.ravel(), np.ravel(odds), powers]),
    )

    def told(state: State) -> str:
        x, y, good, _ = (int(number) for number in state)
        return f"{'out' if x == n else (x, y)}, good: {[rock for rock in range(k) if good >> rock & 1]}"

    bounds = partial(rock_bounds, n, k, half_distance, discount, seed)
    return DrawnPomdp(actions, ("none", "good", "bad"), discount, None, 20.0, law, told, bounds)


def battleship(size: int = 10, ships: Sequence[int] = (5, 4, 3, 2)) -> DrawnPomdp:
    """Return Battleship (Silver and Veness 2010): ships that no one sees, and shots until all are sunk.

    Ships lie along rows or columns, and touch each other nowhere, not even at corners; all such placements
    are as likely. A shot costs 1 and is a hit or a miss, the last hit brings 100, and no cell is shot at
    twice. Rewards are not discounted. Raises SleuthError for sizes that there are not, and ships without
    room.
    """
    check_number("size", size, whole=True)
    if not isinstance(ships, tuple | list):
        raise SleuthError(f"ships must be a tuple of lengths, not {shown(ships)}")
    for length in ships:
        check_number("the length of a ship", length, whole=True)
    if size < 1 or size * size > 2 * BITS:
        raise SleuthError(f"a sea is of 1 to 11 cells a side, not {size}")
    if not ships or not all(1 <= length <= size for length in ships):
        raise SleuthError(f"ships are of 1 to {size} cells, and there is one at least, not {list(ships)}")
    placements: list[list[int]] = []
    starts = [0]
    for length in ships:
        for step in (1, size)[: 1 + (length > 1)]:
            placements += [
                [x + size * y, step, length]
                for y in range(size if step == 1 else size - length + 1)
                for x in range(size - length + 1 if step == 1 else size)
            ]
        starts.append(len(placements))
    rows = [row + _sets(row, size) for row in placements]
    if not _fits([rows[slice(*both)] for both in pairwise(starts)]):
        raise SleuthError(f"ships of {', '.join(map(str, ships))} have no room on {size} x {size}")
    cells = size * size
    actions = tuple(f"{'abcdefghijk'[cell % size]}{cell // size + 1}" for cell in range(cells))
    numbers = [size, cells, len(ships), *starts, *(number for row in rows for number in row)]
    law = Drawn(
        SHIPS,
        len(ships) + 4,
        cells,
        cells,
        2,
        4 * cells + 2 + len(ships),
        1.0,
        np.array(numbers, np.int64),
        np.empty(0),
    )

    def told(state: State) -> str:
        found = []
        for placement in state[: len(ships)].tolist():
            cell, step, length = placements[placement]
            found.append(f"{actions[cell]} to {actions[cell + step * (length - 1)]}")
        return ", ".join(found)

    bounds = partial(ship_bounds, size, starts, np.array(rows, np.int64))
    return DrawnPomdp(actions, ("miss", "hit"), 1.0, cells, _SPREAD, law, told, bounds)


# The returns of shots that are worth choosing between lie this far apart.
_SPREAD = 20.0


def _sets(placement: list[int], size: int) -> list[int]:
    """Return the cells of a ship, and they with all around, as two words each."""
    cell, step, length = placement
    own = {cell + step * i for i in range(length)}
    around = {
        x + size * y
        for at in own
        for x in range(max(at % size - 1, 0), min(at % size + 2, size))
        for y in range(max(at // size - 1, 0), min(at // size + 2, size))
    }
    return [*words_of(own), *words_of(around)]


def _fits(ships: list[list[list[int]]]) -> bool:
    """Say whether placements are found, one of each ship, that do not touch; where it is tight, none are.

    To draw such fleets as are one among so many tries would never end, either.
    """
    tries = 0

    def found(ship: int, low: int, high: int) -> bool:
        nonlocal tries
        if ship == len(ships):
            return True
        for row in ships[ship]:
            if not (row[3] & low or row[4] & high):
                tries += 1
                if tries > _MOST_TRIES or found(ship + 1, low | row[5], high | row[6]):
                    return tries <= _MOST_TRIES
        return False

    return found(0, 0, 0)

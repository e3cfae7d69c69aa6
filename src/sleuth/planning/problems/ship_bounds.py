"""Proven bounds of Battleship, by all fleets that there are.

From above, by counting. Under any policy, different fleets lead to different rows of hits and misses, as the
cells that were hit tell the fleet. Let each have H cells. After the first hit no more than C(H - 1 + m, m)
rows have m misses or fewer: they are the ways to put so many misses among the H - 1 hits that are left. And
for each number of misses before the first hit, no more fleets are hit there than have one cell in common. So
so many fleets at most are sunk within m misses.

From below, by a hunt that is played on every fleet: it shoots in an order that is fixed before, the cell
first that is most likely hit if all before are missed. A ship that is hit is sunk at once: right until a
miss, left, and, if it is one cell by then, down and up. What touches a sunk ship is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from sleuth.kernels.drawn.fleets import HALO, LAST, LATER, OWN, SUNK
from sleuth.kernels.drawn.ships import BITS, SHOT
from sleuth.kernels.drawn.ships import SUNK as PRIZE
from sleuth.support.progress import Progress, Watch

_MOST = 4 * 10**9
"""Ways to place ships, whether they touch or not, that are gone through at most."""
_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]


def ship_bounds(
    size: int, starts: Sequence[int], placements: _Ints, *, progress: Watch | None = None
) -> tuple[float, float] | None:
    """Return between what the optimal value of Battleship lies, None where there are too many fleets.

    size: cells a side. starts: the first placement of each ship, and the end. placements: int64
    [placements, 7], as in kernels/drawn/ships.py. With ships of 5, 4, 3 and 2 cells on 10 x 10 there are 80
    million fleets, which take 5 seconds. progress: told of the placements of the first ship gone through.
    """
    if prod(np.diff(starts).tolist()) > _MOST:
        return None
    from sleuth.kernels.drawn.fleets import hunted

    cells = size * size
    own = _members(placements[:, 3:5], cells)
    halo = _members(placements[:, 5:7], cells)
    order = _order(own, starts)
    place = np.argsort(order)
    ranks = np.where(own, place, cells).min(axis=1)
    sets = np.zeros((len(placements), 5, 2), np.int64)
    for ship, placement in enumerate(placements[:, :3].tolist()):
        sets[ship, OWN], sets[ship, HALO] = placements[ship, 3:5], placements[ship, 5:7]
        sets[ship, LATER] = _words(halo[ship] & ~own[ship] & (place > ranks[ship]))
        for kind, misses in zip((SUNK, LAST), _misses(int(order[ranks[ship]]), placement, size), strict=True):
            sets[ship, kind] = _words(own[ship] | np.isin(np.arange(cells), misses))
    prefix = np.array([_words(place <= rank) for rank in range(cells)])
    met = np.zeros(len(placements), np.int64)
    fleets = shots = 0
    for first in range(starts[0], starts[1]):
        more, taken = hunted(first, np.array(starts), sets, ranks, prefix, met)
        fleets, shots = fleets + int(more), shots + int(taken)
        if progress is not None:
            progress(Progress(first - starts[0] + 1, starts[1] - starts[0]))
    lengths = placements[starts[:-1], 2].tolist()
    # Ships of one length may change places: of such fleets hits tell all but that.
    alike = prod(factorial(count) for count in Counter(lengths).values())
    distinct, hits = fleets // alike, sum(lengths)
    fewest = hits + _fewest_misses(distinct, int((met @ own).max()) // alike, hits) / distinct
    return float(PRIZE + SHOT * shots / fleets), float(PRIZE + SHOT * fewest)


def _fewest_misses(fleets: int, most_met: int, hits: int) -> int:
    """Return how many misses there are at least, for all fleets together.

    most_met: how many fleets have a cell in common, at most. hits: until one is sunk.
    """
    total, left, misses = 0, fleets, 0
    while left > 0:
        # Those with more misses than so many: of each number before the first hit, the others may be met.
        left = fleets - sum(min(most_met, comb(hits - 1 + m, m)) for m in range(misses + 1))
        total += max(left, 0)
        misses += 1
    return total


def _order(own: _Bools, starts: Sequence[int]) -> _Ints:
    """Return all cells, the one first that is most likely in a ship if all before are missed.

    What one ship's place says of another's is left out.
    """
    left = np.ones(len(own))
    found = np.zeros(own.shape[1], np.int64)
    for rank in range(len(found)):
        ships = np.maximum(np.add.reduceat(left, starts[:-1]), 1.0)
        likely = (left / np.repeat(ships, np.diff(starts))) @ own
        likely[found[:rank]] = -1.0
        found[rank] = likely.argmax()
        left[own[:, found[rank]]] = 0.0
    return found


def _misses(found: int, placement: Sequence[int], size: int) -> tuple[list[int], list[int]]:
    """Return the misses until a ship that was hit in a cell is known to be sunk, and those until it is.

    placement: its first cell, the step to the next, and how many there are.
    """
    begin, step, length = placement
    end = begin + step * (length - 1)
    right, left = [end + 1] * (end % size < size - 1), [begin - 1] * (begin % size > 0)
    if length > 1 and step == 1:
        return right + left, right if found > begin else []
    right, left = [found + 1] * (found % size < size - 1), [found - 1] * (found % size > 0)
    below, above = [end + size] * (end + size < size * size), [begin - size] * (begin >= size)
    if length == 1:
        return right + left + below + above, []
    return right + left + below + above, right + left + (below if found > begin else [])


def _members(words: _Ints, cells: int) -> _Bools:
    """Return which cells are in sets of two words each: bool [sets, cells]."""
    at = np.arange(cells)
    return (words[:, at // BITS] >> at % BITS & 1).astype(bool)


def words_of(cells: Collection[int]) -> list[int]:
    """Return a set of cells as two words, as kernels/drawn/ships.py has them."""
    return [sum(1 << cell % BITS for cell in cells if cell // BITS == word) for word in (0, 1)]


def _words(members: _Bools) -> list[int]:
    """Return a set of cells, bool [cells], as two words."""
    return words_of(np.flatnonzero(members).tolist())

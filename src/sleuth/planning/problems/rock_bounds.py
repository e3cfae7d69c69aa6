"""Proven bounds of RockSample, of sizes that nothing can lay out: by values in which checks are believed.

From above: let a check never be wrong, whatever the distance. Whoever has such checks can play as those who
have not, by drawing what they would have been told, so the optimum is no less. Then a rock is not known,
known to be good, or of no more use, and it is all the same where one checks: before the way to the next rock
is as good as on it. To sample a rock that is not known brings nothing on average, and a check before is worth
as much.

From below: a policy that checks each rock once from afar, from cells where that is right often enough, drops
it where it is told bad, and samples it where it is told good, if need be after a check on the spot. Half of
all first checks say good, however often they are right, so that the rocks stay as independent as they were,
and so few states are all that there is. It counts each check as right no more often than the worst of those
that it allows for the rock, and no value falls where one is right more often.

Both are one recursion over 3**rocks sets (kernels/drawn/rock_values.py), the first with checks that are
always right, everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle, islice

import numpy as np
from numpy.typing import NDArray

from sleuth.planning.problems.rock_layouts import accuracy, layout
from sleuth.support.progress import Progress, Watch

MOST_ROCKS = 15
"""Beyond it the values of all sets take more than 1 GiB."""
_PRIZE = 10.0
# Sets filled in by one call, so that Ctrl-C is heard.
_PIECE = 3**11
# Sets that the search for cells to check from goes through, all tries together.
_EFFORT = 10**7
# From how many of the nearest cells a rock may be checked: each rock alike at first, then one by one.
_ALIKE, _MOST_NEAR = (2, 3), 6
# Below it float32 numbers are rounded to 0, some of them earlier.
_LEAST = 1e-30
# Roundings, each of one part in 2**24, for each rock: of what values are made of, and of the arithmetic.
_ROUNDINGS = 24


def rock_bounds(
    n: int,
    k: int,
    half_distance: float = 20.0,
    discount: float = 0.95,
    seed: int = 0,
    *,
    progress: Watch | None = None,
) -> tuple[float, float] | None:
    """Return between what the optimal value of RockSample(n, k) lies, None for more than 15 rocks.

    The parameters are those of drawn_rocksample, which checks them. For 15 rocks it takes 20 seconds and
    1 GiB. progress: told of the sets of rocks gone through.
    """
    if k > MOST_ROCKS:
        return None
    rocks = layout(n, k, seed)
    cells = (*rocks, (0, n // 2))
    leaving = np.array([_PRIZE * discount ** (n - 1 - x) for x, _ in cells], np.float32)
    way = np.array([[discount ** (abs(x - u) + abs(y - v)) for x, y in cells] for u, v in rocks], np.float32)
    right = np.array([[accuracy(cell, rock, half_distance) for cell in cells] for rock in rocks])
    nearest = -np.sort(-right, axis=1)
    values = np.empty((3**k, k + 1), np.float32)
    done = 0

    def value(least: NDArray[np.float64], allowed: NDArray[np.bool_]) -> float:
        from sleuth.kernels.drawn.rock_values import rock_values

        nonlocal done
        check = np.where(allowed, discount / 2, 0.0).astype(np.float32)
        for begin in range(0, len(values), _PIECE):
            end = min(begin + _PIECE, len(values))
            rock_values(
                values,
                begin,
                end,
                leaving,
                way,
                least.astype(np.float32),
                check,
                np.float32(discount),
                np.float32(_PRIZE),
            )
            done += end - begin
            if progress is not None:
                progress(Progress(done, 0))
        return float(values[-1, -1])

    upper = value(np.ones(k), np.ones(right.shape, bool))
    # No value is larger than that of the rover who knows most, wherever it is.
    margin = _ROUNDINGS * (k + 1) * 2.0**-24 * float(values[-1].max()) + _LEAST

    def checked_near(near: Sequence[int]) -> float:
        least = nearest[np.arange(k), np.array(near) - 1]
        return value(least, right >= least[:, None])

    # To leave is worth more than nothing.
    return max(0.0, _most(checked_near, k) - margin), upper + margin


def _most(value: Callable[[Sequence[int]], float], k: int) -> float:
    """Return the largest value found by changing for one rock after another how many cells are near."""
    most, near = max((value([min(alike, k)] * k), [min(alike, k)] * k) for alike in _ALIKE)
    changes = [(rock, count) for rock in range(k) for count in range(1, min(_MOST_NEAR, k + 1) + 1)]
    since = 0  # changes tried since one was for the better
    for rock, count in islice(cycle(changes), _EFFORT // 3**k):
        changed = [*near[:rock], count, *near[rock + 1 :]]
        if (found := value(changed)) > most:
            most, near, since = found, changed, 0
        elif (since := since + 1) == len(changes):
            break
    return most

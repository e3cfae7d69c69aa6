"""Games against every answer of a set at once: what comes up in them, and what they take.

Games that agree so far are one set of candidates, so that a sweep holds each set once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Children, Frontier, Indices
from sleuth.support.parallel import check_given_up


@dataclass(frozen=True, eq=False)
class Level:
    """The sets of three answers and more that games came to at one turn.

    Attributes:
        sets: the sets.
        parents: int64 [sets]: places in the level before; at the first level, of openers.
        settled: float64 [sets]: guesses in total, less those in the sets of the next level.

    """

    sets: Frontier
    parents: NDArray[np.int64]
    settled: NDArray[np.float64]


def play(start: Frontier, openers: Indices, choose: Callable[[Frontier], Indices]) -> list[Level]:
    """Follow a player from a set after each of some openers, until what is left needs no choice."""
    children = start.take(np.zeros(len(openers), np.int64)).after(openers)
    levels: list[Level] = []
    while True:
        check_given_up()
        left = children.frontier
        large = np.flatnonzero(left.sizes > 2)
        if not len(large):
            return levels
        sets, parents = left.take(large), children.parent[large].astype(np.int64)
        children = sets.after(choose(sets))
        levels.append(Level(sets, parents, settled(sets, children)))


def settled(sets: Frontier, children: Children) -> NDArray[np.float64]:
    """Return the guesses that sets take in total, float64 [sets], less those in children of three and more.

    Every answer takes the guess that leads to the children; one left alone takes one more, two take three.
    """
    sizes = children.frontier.sizes
    small = np.select([sizes == 1, sizes == 2], [1.0, 3.0], 0.0)
    totals = sets.sizes.astype(np.float64)
    totals += np.bincount(children.parent, small, len(sets))
    return totals


def totals_of(levels: list[Level]) -> list[NDArray[np.float64]]:
    """Return the guesses that the games of play() took after each set, in total, for each level."""
    out: list[NDArray[np.float64]] = []
    below, parents = np.zeros(0), np.zeros(0, np.int64)
    for level in reversed(levels):
        totals = level.settled + np.bincount(parents, below, len(level.sets))
        out.append(totals)
        below, parents = totals, level.parents
    return out[::-1]

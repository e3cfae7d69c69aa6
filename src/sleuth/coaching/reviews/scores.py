"""Skill and luck: two numbers from 0 to 99 for a move (docs/review.md has their definitions)."""

from __future__ import annotations

import math
from collections.abc import Sequence

BEST = 99


def skill(loss: float) -> int:
    """Return the skill of a guess that costs `loss` guesses more than the best, 0 to 99.

    99 for loss 0 and for nothing else; 0 for a whole guess or more, which is what a guess costs that tells
    nothing.

    >>> skill(0), skill(0.001), skill(0.5), skill(1), skill(3.2)
    (99, 98, 50, 0, 0)
    """
    if loss <= 0:
        return BEST
    return min(BEST - 1, whole(BEST * (1 - min(1.0, loss))))


def luck(chances: Sequence[float], left: Sequence[float], at: int) -> int | None:
    """Return how kind one kind of feedback was among those that a guess may get, 0 to 99.

    chances: how likely each kind is, sum 1. left: guesses expected to be left after each. at: the kind that
    came. 99 for the luckiest kinds and for nothing else; None where all kinds are equally good, so that there
    is no luck in it.

    >>> [luck([0.5, 0.3, 0.2], [2.0, 1.0, 0.0], at) for at in range(3)]
    [28, 72, 99]
    """
    least = min(left)
    if least == max(left):
        return None
    if left[at] == least:
        return BEST
    return min(
        BEST - 1, whole(BEST * _kindness(chances, left, at) / _kindness(chances, left, left.index(least)))
    )


def _kindness(chances: Sequence[float], left: Sequence[float], at: int) -> float:
    """Return the chance of something worse, and half that of something equally good."""
    pairs = list(zip(chances, left, strict=True))
    worse = math.fsum(chance for chance, value in pairs if value > left[at])
    return worse + math.fsum(chance for chance, value in pairs if value == left[at]) / 2


def whole(number: float) -> int:
    """Return the nearest whole number, halves up: how every skill and luck is shown.

    >>> whole(62.5), whole(62.4)
    (63, 62)
    """
    return math.floor(number + 0.5)

"""What all searches on line do: go on in slices, so that time and Ctrl-C are heeded, in memory that grows."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sleuth.kernels.compiling import seconds_worked
from sleuth.support.errors import Interrupted
from sleuth.support.progress import Progress, Watch

T = TypeVar("T")

LEAST = 0.005
"""Searches look no farther than where the discount leaves less than this."""


def steps_ahead(discount: float) -> int:
    """Return after how many steps a discount below 1 leaves no more than LEAST, 1 at least."""
    return 1 if discount <= LEAST else ceil(log(LEAST) / log(discount))


def searched(
    advance: Callable[[int], bool],
    done: Callable[[], int],
    found: Callable[[int, float], T],
    most: int | None,
    seconds: float | None,
    size: int,
    progress: Watch | None,
    least: int = 0,
) -> T:
    """Return what was found, of how much was done and the seconds that it took.

    advance: does so much, and says whether to go on. done: how much was done, ever. most, seconds: limits of
    this search. size: of a slice. progress: told of what is done. least: so much is done whatever the time.
    On Ctrl-C raises Interrupted, whose `known` is what is found by then, if as much as that is done.
    """
    began, first = seconds_worked(), done()
    try:
        while most is None or done() - first < most:
            lacking = least - (done() - first)
            if lacking <= 0 and seconds is not None and seconds_worked() - began >= seconds:
                break
            piece = lacking if lacking > 0 else size
            if not advance(piece if most is None else min(piece, most - done() + first)):
                break
            if progress is not None:
                progress(Progress(done() - first, most or 0))
    except KeyboardInterrupt:
        if done() - first < least:
            raise
        raise Interrupted(found(done() - first, seconds_worked() - began)) from None
    return found(done() - first, seconds_worked() - began)


def with_room(array: NDArray[Any], rows: int) -> NDArray[Any]:
    """Return an array with so many rows, the first of which are those of another."""
    new = np.empty((rows, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new

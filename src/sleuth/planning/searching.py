"""What all searches on line do: go on in slices, so that time and Ctrl-C are heeded, in memory that grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sleuth.kernels.compiling import seconds_worked
from sleuth.support.errors import Interrupted
from sleuth.support.progress import Progress, Watch

T = TypeVar("T")


def searched(
    advance: Callable[[int], bool],
    done: Callable[[], int],
    found: Callable[[int, float], T],
    most: int | None,
    seconds: float | None,
    size: int,
    progress: Watch | None,
) -> T:
    """Return what was found, of how much was done and the seconds that it took.

    advance: does so much, and says whether to go on. done: how much was done, ever. most, seconds: limits of
    this search. size: of a slice. progress: told of what is done. On Ctrl-C raises Interrupted, whose `known`
    is what is found by then.
    """
    began, first = seconds_worked(), done()
    try:
        while most is None or done() - first < most:
            if seconds is not None and seconds_worked() - began >= seconds:
                break
            if not advance(size if most is None else min(size, most - done() + first)):
                break
            if progress is not None:
                progress(Progress(done() - first, most or 0))
    except KeyboardInterrupt:
        raise Interrupted(found(done() - first, seconds_worked() - began)) from None
    return found(done() - first, seconds_worked() - began)


def with_room(array: NDArray[Any], rows: int) -> NDArray[Any]:
    """Return an array with so many rows, the first of which are those of another."""
    new = np.empty((rows, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new

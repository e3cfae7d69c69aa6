"""A state of somebody's problem as numbers, which networks take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown

Features = NDArray[np.float32]


def features_of(given: object, what: str, shape: tuple[int, ...] | None = None) -> Features:
    """Return what stands for a state, float32 [any].

    what: it is, for messages. shape: that of other states, if it is known. Raises SleuthError for what are no
    finite numbers, and for more or fewer of them.
    """
    try:
        found = np.asarray(given)
        numbers = found.astype(np.float32) if found.dtype.kind in "biufO" else None
    except (TypeError, ValueError):  # as of lists of different lengths
        numbers = None
    if numbers is None:
        raise SleuthError(f"{what} is {shown(given)}; it must be finite numbers, as many for each state")
    for number in numbers[~np.isfinite(numbers)][:1]:
        raise SleuthError(f"{what} has {number}; it must be finite numbers, as many for each state")
    if shape is not None and numbers.shape != shape:
        raise SleuthError(
            f"{what} has shape {numbers.shape} for one state, and {shape} for another; it must be as many"
            " numbers for each"
        )
    return numbers

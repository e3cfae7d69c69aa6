"""Values in groups of any size, told by a number for each: what is computed within each group. NumPy only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def normalised(values: NDArray[np.float64], group: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return values, float64 [n], less the mean of their group, int64 [n], over its standard deviation."""
    _, group = np.unique(group, return_inverse=True)
    count = np.bincount(group)
    centred = values - (np.bincount(group, values) / count)[group]
    spread = np.sqrt(np.bincount(group, centred**2) / count)[group]
    out: NDArray[np.float64] = centred / np.maximum(spread, 1e-6)
    return out


def softmax(values: NDArray[np.float32], group: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the softmax of values, float32 [n], within each group, int64 [n], ascending."""
    first = np.flatnonzero(np.diff(group, prepend=-1))
    lengths = np.diff(first, append=len(group))
    powers = np.exp(values - np.repeat(np.maximum.reduceat(values, first), lengths))
    found: NDArray[np.float32] = powers / np.repeat(np.add.reduceat(powers, first), lengths)
    return found


def nth(which: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return of each place how many before it hold the same number, int64 [n]."""
    order = np.argsort(which, kind="stable")
    grouped = which[order]
    nth = np.empty(len(which), np.int64)
    nth[order] = np.arange(len(which)) - np.searchsorted(grouped, grouped)
    return nth

"""Rows copied element by element, and numbered."""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import inlined, inner


@inner
def numbers(n: Int) -> Array:
    """Return 0 to n - 1, int32 [n].

    In place of `np.arange(n).astype(np.int32)`, of which each kernel that calls it has a copy.
    """
    found = np.empty(n, np.int32)
    for i in range(n):
        found[i] = i
    return found


@inlined
def copy(row: Array, out: Array) -> None:
    """Fill the beginning of out with a row, [n].

    Where a slice is assigned, numba compiles what it says of shapes that differ, too: text, a second's work.
    """
    for i in range(row.size):
        out[i] = row[i]

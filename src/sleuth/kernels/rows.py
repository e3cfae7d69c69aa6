"""Rows copied element by element."""

from sleuth.kernels import Array
from sleuth.kernels.jit import inlined


@inlined
def copy(row: Array, out: Array) -> None:
    """Fill the beginning of out with a row, [n].

    Where a slice is assigned, numba compiles what it says of shapes that differ, too: text, a second's work.
    """
    for i in range(row.size):
        out[i] = row[i]

"""Feedback codes as kernels take them: bytes, one a code where a game has 256 codes at most, else two.

So there is one type for all games, and nothing is compiled a second time for large ones. Kernels gather the
codes that they need of a guess, two bytes each whatever the game, and go on with those.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import inlined, inner

FIRST, SECOND = (0, 1) if sys.byteorder == "little" else (1, 0)
"""Where the low byte and the high one of a code of two bytes stand."""


def as_bytes(codes: NDArray[np.unsignedinteger[Any]]) -> NDArray[np.uint8]:
    """Return codes, uint8 or uint16 [..., n], as bytes, [..., n] or [..., 2 n], a view where it can be."""
    if codes.ndim and not codes.size:
        return np.zeros(codes.shape, np.uint8)
    return np.ascontiguousarray(codes).view(np.uint8)


@inlined
def code_at(flat: Array, wide: bool, place: Int) -> np.uint16:
    """Return the code at a place of a row of codes."""
    if wide:
        return np.uint16(flat[2 * place + FIRST]) | (np.uint16(flat[2 * place + SECOND]) << np.uint16(8))
    return np.uint16(flat[place])


@inner
def gather(flat: Array, wide: bool, base: Int, step: Int, set_: Array, out: Array) -> None:
    """Fill out, uint16 [n], with the codes at base + step * a for each a of a set, int32 [n]."""
    if wide:
        for i in range(set_.size):
            place = 2 * (base + step * set_[i])
            out[i] = np.uint16(flat[place + FIRST]) | (np.uint16(flat[place + SECOND]) << np.uint16(8))
    else:
        for i in range(set_.size):
            out[i] = flat[base + step * set_[i]]


@inner
def widen(line: Array, wide: bool, out: Array) -> None:
    """Fill out, uint16 [n], with all codes of a row."""
    if wide:
        double = line.view(np.uint16)
        for i in range(out.size):
            out[i] = double[i]
    else:
        for i in range(out.size):
            out[i] = line[i]

"""Beliefs as keys of hash tables: told apart by parts of one that are far below what matters."""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import inner

_PARTS = 2.0**40


@inner
def belief_key(state: Int, belief: Array) -> np.uint64:
    """Return a hash of a belief, float64 [weights], in a state, by its number."""
    key = np.uint64(state) * np.uint64(0x9E3779B97F4A7C15)
    for weight in belief:
        key ^= np.uint64(np.int64(weight * _PARTS + 0.5))
        key *= np.uint64(0xBF58476D1CE4E5B9)
        key ^= key >> np.uint64(29)
    return key


@inner
def alike(one: Array, other: Array) -> bool:
    """Say whether two beliefs of as many weights differ by rounding at most."""
    most = 0.0
    for i in range(one.size):
        most = max(most, abs(one[i] - other[i]))
    return most * _PARTS <= 2

"""Hashes of 64 bits: splitmix64 (Steele, Lea and Flood 2014), and what is made of it."""

import numpy as np

from sleuth.kernels.jit import inner, kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""The step of splitmix64: 2**64 over the golden ratio, made odd."""


@kernel
def mix(x: np.uint64) -> np.uint64:
    """Return a number, uint64, with its bits mixed; no two numbers come to the same."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inner
def scramble(x: np.uint64) -> np.uint64:
    """Return the splitmix64 hash of x, uint64. That of 0 is 0."""
    return mix(x * GOLDEN)

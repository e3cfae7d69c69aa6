"""Random numbers for kernels: splitmix64 (Steele, Lea and Flood 2014), whose state is uint64 [1]."""

from typing import Any

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.hashing import GOLDEN, mix
from sleuth.kernels.jit import kernel


@kernel
def uniform(rng: Array) -> float:
    """Return a number in [0, 1), drawn."""
    rng[0] += GOLDEN
    return np.float64(mix(rng[0]) >> np.uint64(11)) * 2.0**-53


@kernel
def normal(rng: Array) -> Any:
    """Return a number of the standard normal distribution, drawn (Box and Muller 1958)."""
    far = np.sqrt(-2.0 * np.log(1.0 - uniform(rng)))
    return far * np.cos(2.0 * np.pi * uniform(rng))

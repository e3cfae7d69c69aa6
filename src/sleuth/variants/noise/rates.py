"""How often a host lies, where nobody knows: priors over the rate."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_range

Rates = NDArray[np.float64]
"""float64 [n], in (0, 1): how likely a row is to be a lie."""
EDGES = 1e-300, 1 - 2**-53
"""The least and the largest rate that is told from never and always."""


class RatePrior(Protocol):
    """A continuous distribution over rates."""

    @property
    def name(self) -> str:
        """What it is written as; rate_prior reads it."""

    def draw(self, rng: np.random.Generator, n: int) -> Rates:
        """Return so many rates drawn from it."""

    def log_density(self, rates: Rates) -> Rates:
        """Return the logarithm of its density, up to a constant; -inf for what is no rate of it."""


@dataclass(frozen=True)
class Beta:
    """The Beta distribution: as if a - 1 lies and b - 1 truths had been seen. Beta(1, 1) is any rate alike.

    Raises SleuthError for parameters that are not positive and finite.
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        check_range(self, "a", "b", above=0, below=inf)

    @property
    def name(self) -> str:
        return f"beta({self.a:g},{self.b:g})"

    def draw(self, rng: np.random.Generator, n: int) -> Rates:
        return np.clip(rng.beta(self.a, self.b, n), *EDGES)

    def log_density(self, rates: Rates) -> Rates:
        inside = (rates > 0) & (rates < 1)
        safe = np.where(inside, rates, 0.5)
        found: Rates = np.where(inside, (self.a - 1) * np.log(safe) + (self.b - 1) * np.log1p(-safe), -inf)
        return found


@dataclass(frozen=True)
class Uniform:
    """Any rate of an interval alike. Raises SleuthError unless 0 <= low < high <= 1."""

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise SleuthError(
                f"an interval of rates goes up from 0 or more to 1 or less, not from {self.low:g} to"
                f" {self.high:g}"
            )

    @property
    def name(self) -> str:
        return f"uniform({self.low:g},{self.high:g})"

    def draw(self, rng: np.random.Generator, n: int) -> Rates:
        return np.clip(self.low + (self.high - self.low) * rng.random(n), *EDGES)

    def log_density(self, rates: Rates) -> Rates:
        inside = (rates > 0) & (rates < 1) & (rates >= self.low) & (rates <= self.high)
        found: Rates = np.where(inside, 0.0, -inf)
        return found


_NUMBER = r"\s*[-+]?\d*\.?\d+(?:e[-+]?\d+)?\s*"
_KINDS: dict[str, Callable[[float, float], RatePrior]] = {"beta": Beta, "uniform": Uniform}


def rate_prior(text: str) -> RatePrior:
    """Return the prior of a text: unknown (any rate alike), beta(a,b) or uniform(low,high).

    Raises SleuthError for any other text and for numbers that make no distribution.

    >>> rate_prior("unknown"), rate_prior("beta(2,18)").name
    (Uniform(low=0.0, high=1.0), 'beta(2,18)')
    """
    if text.strip() == "unknown":
        return Uniform()
    match = re.fullmatch(rf"\s*(\w+)\s*\(({_NUMBER}),({_NUMBER})\)\s*", text)
    if match is not None and match[1] in _KINDS:
        return _KINDS[match[1]](float(match[2]), float(match[3]))
    raise SleuthError(
        f"{text!r} is no rate of lies: give a number from 0 to less than 1, unknown, beta(a,b) or"
        " uniform(low,high)"
    )

"""Numbers that are not known exactly, with how sure they are."""

from __future__ import annotations

from dataclasses import dataclass

_QUANTILE = 1.959963984540054
"""Of the normal distribution: 95 % lie within so many standard deviations."""


@dataclass(frozen=True)
class Estimate:
    """A number: its value, and its standard error."""

    value: float
    error: float

    @property
    def low(self) -> float:
        """Where its 95 % interval begins."""
        return self.value - self.within

    @property
    def high(self) -> float:
        """Where its 95 % interval ends."""
        return self.value + self.within

    @property
    def within(self) -> float:
        """Half of that interval: what stands after ±."""
        return _QUANTILE * self.error

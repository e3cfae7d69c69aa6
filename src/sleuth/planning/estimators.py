"""The tower of estimators (Tyl 2024): what further visits do to estimates, learned state by state.

q1 is the base predictor, q2 the value that the tree below an action gives, q3 = q2 less its bias at that
many visits, by which actions simulated more and less often compare.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_NONE: NDArray[np.float64] = np.zeros(0)


class VisitStatistics:
    """How estimates of a state's actions change from each number of visits to the next.

    Memory is O(most visits), whatever the number of actions: for each number of visits, how many actions
    have had one more, the mean change of q2 then (Welford) and the sum of squares of the changes of q3.
    """

    __slots__ = ("_bias", "_bias_from", "_counts", "_squares", "_variance_from")

    def __init__(self) -> None:
        self._counts: list[int] = []
        self._bias: list[float] = []
        self._squares: list[float] = []
        # Sums from each number of visits on, with room for more; arrays, since a change at one number of
        # visits changes the sums of all smaller ones.
        self._bias_from = self._variance_from = _NONE

    def record(self, visits: int, before: float, after: float) -> None:
        """Take note that q2 of an action went from `before` at so many visits to `after` at one more."""
        if visits == len(self._counts):
            self._counts.append(0)
            self._bias.append(0.0)
            self._squares.append(0.0)
            if visits + 2 > self._bias_from.size:
                more = np.zeros(visits + 2)
                self._bias_from = np.concatenate([self._bias_from, more])
                self._variance_from = np.concatenate([self._variance_from, more])
        debiased = before + self._bias_from.item(visits)
        count = self._counts[visits]
        step = (after - before - self._bias[visits]) / (count + 1)
        self._counts[visits] = count + 1
        self._bias[visits] += step
        # What comes later is the same for both.
        change = after + self._bias_from.item(visits + 1) - debiased
        squares = self._squares[visits]
        self._squares[visits] += change * change
        self._bias_from[: visits + 1] += step
        self._variance_from[: visits + 1] += self._squares[visits] / max(1, count) - squares / max(
            1, count - 1
        )

    def debiased(self, value: float, visits: int) -> float:
        """Return q3, given q2 at so many visits."""
        return value + self._bias_from.item(visits) if visits < self._bias_from.size else value

    def variance(self, visits: int) -> float:
        """Return the expected squared error of q3 at so many visits."""
        # Rounding may leave a little less than nothing.
        return max(0.0, self._variance_from.item(visits)) if visits < self._variance_from.size else 0.0

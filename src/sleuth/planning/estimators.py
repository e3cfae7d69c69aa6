"""The tower of estimators (Tyl 2024): what further visits do to estimates, learned state by state.

q1 is the base predictor, q2 the value that the tree below an action gives, q3 = q2 less its bias at that
many visits, by which actions simulated more and less often compare.
"""

from __future__ import annotations


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
        # Sums from each number of visits on, one longer than the above.
        self._bias_from = [0.0]
        self._variance_from = [0.0]

    def record(self, visits: int, before: float, after: float) -> None:
        """Take note that q2 of an action went from `before` at so many visits to `after` at one more."""
        if visits == len(self._counts):
            self._counts.append(0)
            self._bias.append(0.0)
            self._squares.append(0.0)
            self._bias_from.append(0.0)
            self._variance_from.append(0.0)
        debiased = before + self._bias_from[visits]
        self._counts[visits] += 1
        self._bias[visits] += (after - before - self._bias[visits]) / self._counts[visits]
        # What comes later is the same for both.
        change = after + self._bias_from[visits + 1] - debiased
        self._squares[visits] += change * change
        for v in range(visits, -1, -1):
            count = self._counts[v]
            self._bias_from[v] = self._bias_from[v + 1] + self._bias[v]
            self._variance_from[v] = self._variance_from[v + 1] + self._squares[v] / max(1, count - 1)

    def debiased(self, value: float, visits: int) -> float:
        """Return q3, given q2 at so many visits."""
        return value + self._bias_from[visits] if visits < len(self._bias_from) else value

    def variance(self, visits: int) -> float:
        """Return the expected squared error of q3 at so many visits."""
        return self._variance_from[visits] if visits < len(self._variance_from) else 0.0

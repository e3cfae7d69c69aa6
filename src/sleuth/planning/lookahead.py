"""Approximation in value space: a stage ahead, or more, and an estimate of the rest.

Bhambri et al. (2022), equations 13, 15 and 16. All that look ahead minimise the expected cost of the next
stages and an approximation of what comes after them; they differ in the approximation.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sleuth.planning.control import ListedControl, check_control, controls_in
from sleuth.planning.oracle import Oracle, check_oracle
from sleuth.planning.situation import Estimate, Situation, after, check_estimate, check_situation, expected
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_number

ParameterCost = Callable[[Hashable, int, int], float]
"""An approximation of the cost under each parameter: of a state, the parameter's number, and the stage."""
Screen = Callable[[Situation, Sequence[Any]], Sequence[Any]]
"""Picks the controls worth looking at: simplified lookahead."""


TIE = 1e-9
"""Costs that differ by less are equal: they are sums of many products of probabilities."""


class Rated(NamedTuple):
    """A control with its Q-factor, and the standard error of that (0 where it is exact)."""

    control: Any
    cost: float
    error: float


def least(rated: Sequence[Rated]) -> Any:
    """Return the control of the least Q-factor, the first of several. Raises SleuthError for none."""
    if not rated:
        raise SleuthError("no control may be applied there")
    lowest = min(entry.cost for entry in rated)
    return next(entry.control for entry in rated if entry.cost <= lowest + TIE)


@dataclass(frozen=True)
class Myopic:
    """The least expected cost of the next stage."""

    problem: ListedControl

    def __post_init__(self) -> None:
        check_control(self.problem)

    def choose(self, situation: Situation) -> Any:
        """Return the control whose stage costs least."""
        return Lookahead(self.problem, lambda _: 0.0).choose(situation)


@dataclass(frozen=True)
class CertaintyEquivalence:
    """What is optimal if the likeliest parameter is the true one."""

    problem: ListedControl
    oracle: Oracle

    def __post_init__(self) -> None:
        check_control(self.problem)
        check_oracle(self.oracle)

    def choose(self, situation: Situation) -> Any:
        """Return the oracle's control under the likeliest parameter."""
        check_situation(situation)
        return self.oracle.control(situation.state, situation.belief.likeliest, situation.stage)


def by_parameter(costs: Sequence[ParameterCost] | ParameterCost) -> Estimate:
    """Return the average over a belief of the cost under each parameter (equations 15 and 16).

    costs: one approximation for all parameters, or one for each.
    """

    def estimate(situation: Situation) -> float:
        state, belief, stage = situation
        total = 0.0
        for i, weight in zip(belief.support.tolist(), belief.weights.tolist(), strict=True):
            cost = costs if callable(costs) else costs[i]
            total += weight * cost(state, i, stage)
        return total

    return estimate


@dataclass(frozen=True)
class Lookahead:
    """Lookahead over so many stages, exact expectations, and an estimate of the rest (equation 13).

    Attributes:
        problem: its outcomes can be listed.
        estimate: of the cost from a situation on; by_parameter makes one of costs under each parameter.
        depth: stages looked ahead.
        screen: the controls looked at in each situation; all, unless given.

    """

    problem: ListedControl
    estimate: Estimate
    depth: int = 1
    screen: Screen | None = None

    def __post_init__(self) -> None:
        check_control(self.problem)
        check_estimate(self.estimate)
        check_number("depth", self.depth, least=1, whole=True)

    def rate(self, situation: Situation) -> list[Rated]:
        """Return the controls looked at with their Q-factors."""
        check_situation(situation)
        return [
            Rated(control, self._cost(situation, control, self.depth), 0.0)
            for control in self._screened(situation)
        ]

    def choose(self, situation: Situation) -> Any:
        """Return the control of the least Q-factor, the first of several."""
        return least(self.rate(situation))

    def _screened(self, situation: Situation) -> Sequence[Any]:
        controls = controls_in(self.problem, situation.state)
        return controls if self.screen is None else self.screen(situation, controls)

    def _cost(self, situation: Situation, control: Any, depth: int) -> float:
        ways = after(self.problem, situation, control)
        return expected(self.problem, ways, lambda then: self._ahead(then, depth - 1))

    def _ahead(self, situation: Situation, depth: int) -> float:
        if depth == 0:
            return self.estimate(situation)
        return min(self._cost(situation, control, depth) for control in self._screened(situation))

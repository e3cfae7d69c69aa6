"""Exact dynamic programming over what is known (Bhambri et al. 2022, equations 10 to 12)."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

from sleuth.planning.control import ListedControl, cost_of, final_cost_of, outcomes_of
from sleuth.planning.oracle import Oracle
from sleuth.planning.situation import Situation, after, check_situation, expected, is_over, start
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_number


@dataclass(eq=False)
class DynamicProgram:
    """The optimal cost and control of every situation, by recursion that remembers.

    With a horizon, or where play ends by itself, it is exact. With a discount and no horizon, costs are
    looked ahead until what is left, between the oracle's cost and the most that any policy may cost, is
    within the tolerance.

    Attributes:
        problem: its outcomes can be listed.
        tolerance: how far from optimal costs may be, where there is a discount and no horizon.

    """

    problem: ListedControl
    tolerance: float = 1e-6
    _oracle: Oracle = field(init=False, repr=False)
    _known: dict[tuple[Situation, int], tuple[float, Any]] = field(
        default_factory=dict, init=False, repr=False
    )
    _ahead: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        start(self.problem)
        check_number("tolerance", self.tolerance, above=0)
        self._oracle = Oracle(self.problem)
        if self.problem.horizon is None and self.problem.discount < 1:
            self._ahead = self._stages_ahead()

    @property
    def cost(self) -> float:
        """The optimal cost of the problem, J*_0."""
        return self.cost_of(start(self.problem))

    def cost_of(self, situation: Situation) -> float:
        """Return the optimal cost from a situation on."""
        check_situation(situation)
        return self._solved(situation)[0]

    def choose(self, situation: Situation) -> Any:
        """Return an optimal control."""
        check_situation(situation)
        if is_over(self.problem, situation):
            raise SleuthError("nothing is left to do there")
        return self._solved(situation)[1]

    def _solved(self, situation: Situation) -> tuple[float, Any]:
        try:
            return self._solve(situation, self._ahead)
        except RecursionError:
            raise SleuthError("the problem goes on for too many stages to be solved exactly") from None

    def _stages_ahead(self) -> int:
        """Return after how many stages what is left weighs less than the tolerance."""
        problem = self.problem
        least, most = 0.0, 0.0
        seen = {problem.initial_state}
        todo = [problem.initial_state]
        while todo:
            state = todo.pop()
            if problem.is_terminal(state):
                continue
            for control in problem.controls(state):
                for parameter in problem.parameters:
                    for probability, then in outcomes_of(problem, state, parameter, control):
                        if probability > 0:
                            cost = cost_of(problem, state, parameter, control, then)
                            least, most = min(least, cost), max(most, cost)
                            if then not in seen:
                                seen.add(then)
                                todo.append(then)
        span, stages = (most - least) / (1 - problem.discount), 0
        while span > self.tolerance:
            span *= problem.discount
            stages += 1
        return stages

    def _solve(self, situation: Situation, ahead: int) -> tuple[float, Any]:
        problem = self.problem
        if is_over(problem, situation):
            return 0.0 if problem.is_terminal(situation.state) else final_cost_of(
                problem, situation.state
            ), None
        endless = problem.horizon is None and problem.discount < 1
        if endless and ahead == 0:
            return self._oracle(situation), None
        key = situation, ahead
        known = self._known.get(key)
        if known is not None:
            if known[0] == -inf:
                raise SleuthError(
                    "play may come back to where it was: exact costs need a horizon or a discount"
                )
            return known
        self._known[key] = -inf, None
        best, chosen = inf, None
        # What looks best first; what cannot be better even if the parameter were known is passed over.
        looks = []
        for place, control in enumerate(problem.controls(situation.state)):
            ways = after(problem, situation, control)
            looks.append((expected(problem, ways, self._oracle), place, control, ways))
        for bound, _, control, ways in sorted(looks, key=lambda look: look[:2]):
            if bound >= best:
                break
            cost = 0.0
            for way in ways:  # not by expected: a deep recursion has room for few frames a stage
                ahead_cost = 0.0 if way.over else self._solve(way.situation, max(0, ahead - 1))[0]
                cost += way.probability * (way.cost + problem.discount * ahead_cost)
            if cost < best:
                best, chosen = cost, control
        self._known[key] = best, chosen
        return best, chosen

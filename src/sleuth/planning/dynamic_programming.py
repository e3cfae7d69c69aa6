"""Exact dynamic programming over what is known (Bhambri et al. 2022, equations 10 to 12)."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

from sleuth.planning.belief_search import BeliefSearch
from sleuth.planning.control import ListedControl, controls_in, final_cost_of
from sleuth.planning.laws import Laws
from sleuth.planning.oracle import Oracle
from sleuth.planning.situation import Situation, after, check_situation, expected, is_over, start
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_number


@dataclass(eq=False)
class DynamicProgram:
    """The optimal cost and control of every situation, by recursion that remembers.

    With a horizon, or where play ends by itself, it is exact. With a discount and no horizon, where play may
    go on for ever, bounds of the cost are brought together (BeliefSearch), until the tolerance is met.

    Attributes:
        problem: its outcomes can be listed.
        tolerance: how far from optimal costs may be, where there is a discount and no horizon.

    """

    problem: ListedControl
    tolerance: float = 1e-6
    _oracle: Oracle = field(init=False, repr=False)
    _known: dict[Situation, tuple[float, Any]] = field(default_factory=dict, init=False, repr=False)
    _search: BeliefSearch | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        start(self.problem)
        check_number("tolerance", self.tolerance, above=0, below=inf)
        self._oracle = Oracle(self.problem)

    @property
    def cost(self) -> float:
        """The optimal cost of the problem, J*_0."""
        return self.cost_of(start(self.problem))

    def cost_of(self, situation: Situation) -> float:
        """Return the optimal cost from a situation on.

        Raises SleuthError where its bounds do not come within the tolerance in 1 GiB.
        """
        check_situation(situation)
        return self._solved(situation)[0]

    def choose(self, situation: Situation) -> Any:
        """Return an optimal control. Raises SleuthError as cost_of does."""
        check_situation(situation)
        if is_over(self.problem, situation):
            raise SleuthError("nothing is left to do there")
        return self._solved(situation)[1]

    def _solved(self, situation: Situation) -> tuple[float, Any]:
        problem = self.problem
        if is_over(problem, situation):
            ended = problem.is_terminal(situation.state)
            return 0.0 if ended else final_cost_of(problem, situation.state), None
        if problem.horizon is None and problem.discount < 1:
            return self._searched(situation)
        try:
            return self._solve(situation)
        except RecursionError:
            raise SleuthError("the problem goes on for too many stages to be solved exactly") from None

    def _searched(self, situation: Situation) -> tuple[float, Any]:
        """Return the cost of a policy that is within the tolerance of the optimum, and how it begins."""
        if self._search is None:
            self._search = BeliefSearch(self.problem, situation, Laws(self.problem, self._oracle))
        else:
            self._search.move(situation)
        found = self._search.run(tolerance=self.tolerance)
        if found.gap > self.tolerance:
            raise SleuthError(
                f"the least cost is from {found.least:.6g} to {found.most:.6g}, as far as {found.nodes}"
                f" beliefs tell; there is room for no more, and a tolerance of {self.tolerance:g} asks for it"
            )
        return found.most, found.control

    def _solve(self, situation: Situation) -> tuple[float, Any]:
        known = self._known.get(situation)
        if known is not None:
            if known[0] == -inf:
                raise SleuthError(
                    "play may come back to where it was: exact costs need a horizon or a discount"
                )
            return known
        self._known[situation] = -inf, None
        problem, best, chosen = self.problem, inf, None
        # What looks best first; what cannot be better even if the parameter were known is passed over.
        looks = []
        for place, control in enumerate(controls_in(problem, situation.state)):
            ways = after(problem, situation, control)
            looks.append((expected(problem, ways, self._oracle), place, control, ways))
        for bound, _, control, ways in sorted(looks, key=lambda look: look[:2]):
            if bound >= best:
                break
            cost = 0.0
            for way in ways:  # not by expected: a deep recursion has room for few frames a stage
                ahead = 0.0 if way.over else self._solve(way.situation)[0]
                cost += way.probability * (way.cost + problem.discount * ahead)
            if cost < best:
                best, chosen = cost, control
        self._known[situation] = best, chosen
        return best, chosen

"""What each parameter would cost if it were known: the optimal costs J^i (Bhambri et al. 2022, equation 14).

Averaged over a belief they bound every policy from below, for who knows the parameter can do no worse:
the information relaxation. They also serve as cost approximations (equation 15).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from sleuth.planning.control import (
    AdaptiveControl,
    Weights,
    check_control,
    controls_in,
    cost_of,
    final_cost_of,
    is_listed,
    outcomes_of,
)
from sleuth.planning.situation import Situation, check_situation
from sleuth.support.errors import SleuthError

_MOST_STATES = 2_000_000
_MOST_SWEEPS = 100_000
_ENDLESS = "the optimal costs of a known parameter do not settle: without a discount play must end"


class Solved(Protocol):
    """A problem that knows its optimal costs under each parameter, in closed form or by its own algorithm."""

    def optimal_costs(self, state: Hashable, stage: int) -> Weights:
        """Return J^i of a state for every parameter, float64 [parameters]."""


def is_solved(problem: object) -> TypeGuard[Solved]:
    """Say whether a problem knows its optimal costs."""
    return callable(getattr(problem, "optimal_costs", None))


def check_oracle(oracle: object) -> None:
    """Raise SleuthError for what does not know optimal costs and controls."""
    if not all(callable(getattr(oracle, name, None)) for name in ("cost", "costs", "control")):
        raise SleuthError(
            f"an Oracle is needed here, not a {type(oracle).__name__}; Oracle(problem) makes one"
        )


class Oracle:
    """The optimal costs of a problem under each parameter, worked out for the states that are asked for.

    With a horizon by recursion over stages, else by value iteration over all states that can be reached, from
    below, to a tolerance. A problem that is Solved is asked itself.
    """

    def __init__(self, problem: AdaptiveControl, tolerance: float = 1e-9) -> None:
        check_control(problem)
        self.problem = problem
        self.tolerance = tolerance
        self._known: dict[tuple[Hashable, int, int], float] = {}
        if not (is_solved(problem) or is_listed(problem)):
            raise SleuthError(
                "optimal costs need a problem with outcomes(), or with optimal_costs();"
                " EmpiricalControl(problem) lists what was drawn"
            )

    def cost(self, state: Hashable, parameter: int, stage: int = 0) -> float:
        """Return J^i of a state at a stage, i the parameter's number."""
        problem = self.problem
        if is_solved(problem):
            return float(problem.optimal_costs(state, stage)[parameter])
        key = (state, parameter, stage)
        if key not in self._known:
            if problem.horizon is None:
                self._iterate(state, parameter)
            else:
                self._recur(state, parameter, stage)
        return self._known[key]

    def costs(self, state: Hashable, stage: int = 0) -> Weights:
        """Return J of a state at a stage under every parameter, float64 [parameters]."""
        if is_solved(self.problem):
            return self.problem.optimal_costs(state, stage)
        numbers = range(len(self.problem.parameters))
        return np.array([self.cost(state, number, stage) for number in numbers])

    def __call__(self, situation: Situation) -> float:
        """Return the average over a belief: no policy costs less from there on."""
        check_situation(situation)
        state, belief, stage = situation
        if is_solved(self.problem):
            return float(belief.weights @ self.problem.optimal_costs(state, stage)[belief.support])
        costs = [self.cost(state, i, stage) for i in belief.support.tolist()]
        return float(np.dot(belief.weights, costs))

    def control(self, state: Hashable, parameter: int, stage: int = 0) -> object:
        """Return the control that is optimal under a parameter, the first of several."""
        problem = self.problem
        if not is_listed(problem):
            raise SleuthError("controls need a problem with outcomes()")
        costs = {u: self._after(state, parameter, stage, u) for u in controls_in(problem, state)}
        least = min(costs.values())
        return next(u for u, cost in costs.items() if cost <= least + 10 * self.tolerance)

    def _after(self, state: Hashable, number: int, stage: int, control: object) -> float:
        problem = self.problem
        assert is_listed(problem)
        parameter = problem.parameters[number]
        then = stage + (problem.horizon is not None)
        total = 0.0
        for probability, after in outcomes_of(problem, state, parameter, control):
            if probability > 0:
                cost = cost_of(problem, state, parameter, control, after)
                total += probability * (cost + problem.discount * self.cost(after, number, then))
        return total

    def _recur(self, state: Hashable, number: int, stage: int) -> None:
        problem = self.problem
        if problem.is_terminal(state):
            cost = 0.0
        elif stage == problem.horizon:
            cost = final_cost_of(problem, state)
        else:
            controls = controls_in(problem, state)
            cost = min(self._after(state, number, stage, control) for control in controls)
        self._known[state, number, stage] = cost

    def _iterate(self, state: Hashable, number: int) -> None:
        """Value iteration over what can be reached from a state."""
        problem = self.problem
        assert is_listed(problem)
        parameter = problem.parameters[number]
        place: dict[Hashable, int] = {state: 0}
        states = [state]
        owners: list[int] = []
        stage_costs: list[float] = []
        starts = [0]
        to: list[int] = []
        probabilities: list[float] = []
        for at in states:
            if problem.is_terminal(at):
                continue
            for control in controls_in(problem, at):
                paid = 0.0
                for probability, after in outcomes_of(problem, at, parameter, control):
                    if probability <= 0:
                        continue
                    paid += probability * cost_of(problem, at, parameter, control, after)
                    if after not in place:
                        if len(states) >= _MOST_STATES:
                            raise SleuthError(f"more than {_MOST_STATES} states can be reached")
                        place[after] = len(states)
                        states.append(after)
                    to.append(place[after])
                    probabilities.append(probability)
                owners.append(place[at])
                stage_costs.append(paid)
                starts.append(len(to))
        values = self._sweep(
            len(states),
            np.array(owners, np.int64),
            np.array(stage_costs),
            np.array(starts[:-1]),
            to,
            probabilities,
        )
        for at, value in zip(states, values.tolist(), strict=True):
            self._known[at, number, 0] = value

    def _sweep(
        self,
        states: int,
        owners: NDArray[np.int64],
        stage_costs: Weights,
        starts: NDArray[np.int64],
        to: list[int],
        probabilities: list[float],
    ) -> Weights:
        values = np.zeros(states)
        if not len(owners):
            return values
        acting, first = np.unique(owners, return_index=True)
        discount = self.problem.discount
        if discount < 1:  # from below, so that every sweep's values are bounds
            values[acting] = min(0.0, float(stage_costs.min())) / (1 - discount)
        chances, targets = np.array(probabilities), np.array(to)
        if discount == 1 and _is_endless(owners, stage_costs, starts, targets, values):
            raise SleuthError(_ENDLESS)
        for _ in range(_MOST_SWEEPS):
            ahead = np.add.reduceat(chances * values[targets], starts)
            new = np.minimum.reduceat(stage_costs + discount * ahead, first)
            change = float(np.abs(new - values[acting]).max())
            values[acting] = new
            if change <= self.tolerance * (1 - discount if discount < 1 else 1):
                return values
        raise SleuthError(_ENDLESS)


def _is_endless(
    owners: NDArray[np.int64],
    stage_costs: Weights,
    starts: NDArray[np.int64],
    targets: NDArray[np.int64],
    values: Weights,
) -> bool:
    """Say whether there are states from which play never ends and all that can be done costs something.

    Arrays are those of _sweep. Their costs grow with each sweep by the least of them, so they never settle.
    """
    ends = np.ones(len(values), bool)
    ends[owners] = False
    while True:
        found = owners[np.logical_or.reduceat(ends[targets], starts)]
        if ends[found].all():
            break
        ends[found] = True
    endless = ~ends[owners]
    return bool(endless.any() and stage_costs[endless].min() > 0)

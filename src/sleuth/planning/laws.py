"""Problems of adaptive control as arrays for kernels: the law of each state, laid out when it is met."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from sleuth.kernels.belief_search import Law
from sleuth.planning.control import (
    TOLERANCE,
    ListedControl,
    Vectorised,
    Weights,
    check_chances,
    check_distinct,
    check_problem,
    controls_in,
    cost_of,
    costs_of,
    final_cost_of,
    is_vectorised,
    outcomes_of,
    possible_in,
)
from sleuth.planning.oracle import Oracle, check_oracle, is_solved
from sleuth.support.errors import SleuthError


class Blinded(Protocol):
    """A problem that knows what some policies cost that go by the state alone."""

    def blind_costs(self, state: Hashable, stage: int) -> Sequence[Weights]:
        """Return for each such policy its cost from a state on, float64 [parameters]."""


def is_blinded(problem: object) -> TypeGuard[Blinded]:
    """Say whether a problem knows costs of policies that go by the state alone."""
    return callable(getattr(problem, "blind_costs", None))


class _OneControl(ListedControl):
    """A problem in which one control is left in each state, the one of a number or the last."""

    def __init__(self, problem: ListedControl, number: int) -> None:
        self.problem, self.number = problem, number
        self.parameters, self.initial_state = problem.parameters, problem.initial_state
        self.horizon, self.discount = problem.horizon, problem.discount

    def outcomes(self, state: Hashable, parameter: Any, control: Any) -> Sequence[tuple[float, Hashable]]:
        return self.problem.outcomes(state, parameter, control)

    def cost(self, state: Hashable, parameter: Any, control: Any, after: Hashable) -> float:
        return self.problem.cost(state, parameter, control, after)

    def is_terminal(self, state: Hashable) -> bool:
        return self.problem.is_terminal(state)

    def final_cost(self, state: Hashable) -> float:
        return self.problem.final_cost(state)

    def controls(self, state: Hashable) -> Sequence[Any]:
        controls = self.problem.controls(state)
        return [controls[min(self.number, len(controls) - 1)]]


class _Rows:
    """Rows of numbers that grow in number."""

    def __init__(self, width: int, kind: type = np.float64) -> None:
        self.array: NDArray[Any] = np.empty((16, width), kind)
        self.count = 0

    def add(self, row: Any) -> int:
        """Return the place that a row has now."""
        if self.count == len(self.array):
            self.array = np.concatenate([self.array, np.empty_like(self.array)])
        self.array[self.count] = row
        self.count += 1
        return self.count - 1


def _costs(
    problem: Vectorised, state: Hashable, control: Any, after: Hashable, likelihood: Weights
) -> Weights:
    """Return what a stage costs under each parameter, nothing under those that do not lead there."""
    costs, possible = np.zeros(len(likelihood)), np.flatnonzero(likelihood)
    costs[possible] = costs_of(problem, state, control, after, possible)
    return costs


class Laws:
    """The laws of a problem's states with their stages, by number, as kernels take them.

    Upper bounds are what the best policy would get that knows the parameter (Oracle); lower ones what
    policies get that go by the state alone: those that the problem knows (Blinded), else "always the same
    control", each as far as its costs settle. Values are costs with the sign turned.
    """

    def __init__(self, problem: ListedControl, oracle: Oracle) -> None:
        """Begin with nothing laid out. Raises SleuthError for a problem whose outcomes cannot be listed."""
        check_problem(problem)
        check_oracle(oracle)
        self.problem, self.oracle = problem, oracle
        self.states: list[tuple[Hashable, int]] = []
        self.controls: list[Sequence[Any]] = []
        self._numbers: dict[tuple[Hashable, int], int] = {}
        width = len(problem.parameters)
        self._bounds, self._rewards = _Rows(width), _Rows(width)
        self._lower, self._likelihoods = _Rows(width), _Rows(width)
        self._of_states, self._of_controls = _Rows(4, np.int64), _Rows(2, np.int64)
        self._of_ways = _Rows(2, np.int64)
        self._alike: dict[bytes, int] = {}
        self._blind: list[Oracle] = []
        if not is_blinded(problem):
            most = len(problem.controls(problem.initial_state))
            self._blind = [Oracle(_OneControl(problem, number)) for number in range(most)]

    def number(self, state: Hashable, stage: int) -> int:
        """Return the number of a state at a stage."""
        key = state, stage
        if key not in self._numbers:
            self._numbers[key] = self._of_states.add(-1)
            self.states.append(key)
            self.controls.append(())
        return self._numbers[key]

    def laid_out(self, number: int) -> None:
        """Lay out the law of a state, by its number, if it is not. Raises SleuthError for bad chances."""
        if self._of_states.array[number, 0] >= 0:
            return
        state, stage = self.states[number]
        controls = controls_in(self.problem, state)
        first, row = self._bounds.count, self._lower.count
        for control in controls:
            self._lay_out(state, stage, control)
        blind = self._blind_costs(state, stage)
        for costs in blind:
            self._lower.add(-costs)
        self.controls[number] = controls
        self._of_states.array[number] = first, len(controls), row, len(blind)

    def _blind_costs(self, state: Hashable, stage: int) -> Sequence[Weights]:
        if is_blinded(self.problem):
            return self.problem.blind_costs(state, stage)
        found = []
        for oracle in list(self._blind):
            try:
                found.append(self._known_costs(oracle, state, stage, possible_in(self.problem, state)))
            except (SleuthError, RecursionError):  # without a discount some never end
                self._blind.remove(oracle)
        return found

    def _known_costs(self, oracle: Oracle, state: Hashable, stage: int, numbers: Iterable[int]) -> Weights:
        """Return what some parameters cost, nothing for the others, float64 [parameters]."""
        if is_solved(oracle.problem):
            return oracle.costs(state, stage)
        costs = np.zeros(len(self.problem.parameters))
        for number in numbers:
            costs[number] = oracle.cost(state, int(number), stage)
        return costs

    def _lay_out(self, state: Hashable, stage: int, control: Any) -> None:
        problem = self.problem
        then = stage + (problem.horizon is not None)
        reward = np.zeros(len(problem.parameters))
        ahead = np.zeros(len(problem.parameters))
        begin = self._of_ways.count
        for after, likelihood, costs in self._outcomes(state, control):
            reward -= likelihood * costs
            end = -1
            if problem.is_terminal(after):
                pass
            elif then == problem.horizon:
                reward -= likelihood * (problem.discount * final_cost_of(problem, after))
            else:
                end = self.number(after, then)
                ahead -= likelihood * self._known_costs(self.oracle, after, then, np.flatnonzero(likelihood))
            key = likelihood.tobytes()
            if key not in self._alike:
                self._alike[key] = self._likelihoods.add(likelihood)
            self._of_ways.add((end, self._alike[key]))
        self._rewards.add(reward)
        self._bounds.add(reward + problem.discount * ahead)
        self._of_controls.add((begin, self._of_ways.count - begin))

    def _outcomes(self, state: Hashable, control: Any) -> list[tuple[Hashable, Weights, Weights]]:
        """Return the states that may follow, each with its chance and its cost under each parameter."""
        problem = self.problem
        if is_vectorised(problem):
            successors = problem.successors(state, control)
            check_distinct(successors, state, control)
            told = [problem.likelihoods(state, control, after) for after in successors]
            table = np.array(told)
            off = np.flatnonzero(~((table >= 0).all(axis=0) & (np.abs(table.sum(axis=0) - 1) <= TOLERANCE)))
            if len(off):
                check_chances(table[:, off[0]].tolist(), state, control)
            return [
                (after, likelihood, _costs(problem, state, control, after, likelihood))
                for after, likelihood in zip(successors, told, strict=True)
            ]
        found: dict[Hashable, tuple[Weights, Weights]] = {}
        for number in possible_in(problem, state):
            parameter = problem.parameters[number]
            for probability, after in outcomes_of(problem, state, parameter, control):
                if probability > 0:
                    zeros = np.zeros(len(problem.parameters))
                    likelihood, costs = found.setdefault(after, (zeros, zeros.copy()))
                    likelihood[number] = probability
                    costs[number] = cost_of(problem, state, parameter, control, after)
        return [(after, *rows) for after, rows in found.items()]

    @property
    def law(self) -> Law:
        """What is laid out so far."""
        return Law(
            self._of_states.array,
            self._of_controls.array,
            self._of_ways.array,
            self._bounds.array,
            self._rewards.array,
            self._likelihoods.array,
            self._lower.array,
        )

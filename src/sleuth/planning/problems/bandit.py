"""The Bernoulli bandit with uniform priors, over a finite horizon."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np

from sleuth.planning.control import ListedControl, Part, Weights, check_problem
from sleuth.support.errors import SleuthError
from sleuth.support.specification import check_options

Counts = tuple[tuple[int, int], ...]

_MOST_PARAMETERS = 100_000


@dataclass(frozen=True)
class Bandit(ListedControl):
    """Arms that succeed with unknown chances, each uniform on [0, 1]; a success is worth 1, a cost of -1.

    The parameter is the chance of each arm. Chances lie on the Gauss-Legendre nodes, so many that what is
    predicted after any results within the horizon is exact: those are ratios of integrals of polynomials
    whose degree is at most the horizon. The state is what each arm brought: (successes, failures). A control
    is the number of an arm. Known answer: sleuth.planning.problems.bandit_value.

    Attributes:
        horizon: pulls, 1 or more.
        arms: how many there are.

    """

    horizon: int = 10
    arms: int = 2

    def __post_init__(self) -> None:
        check_options(self)
        if self.horizon < 1 or self.arms < 1:
            raise SleuthError(f"{self.arms} arms and {self.horizon} pulls: both must be 1 or more")
        if self.arms > _MOST_PARAMETERS or (self.horizon // 2 + 1) ** self.arms > _MOST_PARAMETERS:
            raise SleuthError(
                f"{self.arms} arms and {self.horizon} pulls take more than {_MOST_PARAMETERS} parameters"
            )
        check_problem(self)

    @cached_property
    def parameters(self) -> Sequence[tuple[float, ...]]:  # type: ignore[override]
        """The chances of all arms, on all combinations of nodes."""
        nodes, _ = self._quadrature
        return list(product(nodes.tolist(), repeat=self.arms))

    @cached_property
    def prior(self) -> Weights:
        """The products of the nodes' weights."""
        _, weights = self._quadrature
        found = np.array([prod(chosen) for chosen in product(weights.tolist(), repeat=self.arms)])
        shares: Weights = found / found.sum()
        return shares

    @cached_property
    def _quadrature(self) -> tuple[Weights, Weights]:
        """Nodes and weights on [0, 1]: exact for polynomials up to degree horizon + 1, or horizon."""
        nodes, weights = np.polynomial.legendre.leggauss(self.horizon // 2 + 1)
        return (nodes + 1) / 2, weights / 2

    @cached_property
    def initial_state(self) -> Counts:  # type: ignore[override]
        """Nothing was pulled."""
        return ((0, 0),) * self.arms

    def controls(self, state: Hashable) -> Sequence[int]:
        return range(self.arms)

    def cost(self, state: Hashable, parameter: tuple[float, ...], control: int, after: Hashable) -> float:
        return -float(after == _pulled(state, control, 1))

    def outcomes(
        self, state: Hashable, parameter: tuple[float, ...], control: int
    ) -> Sequence[tuple[float, Counts]]:
        chance = parameter[control]
        return [(chance, _pulled(state, control, 1)), (1 - chance, _pulled(state, control, 0))]

    def successors(self, state: Hashable, control: int) -> Sequence[Counts]:
        return [_pulled(state, control, 1), _pulled(state, control, 0)]

    def likelihoods(self, state: Hashable, control: int, after: Hashable) -> Weights:
        chances = self._chances[control]
        won, lost = (float(after == then) for then in self.successors(state, control))
        told: Weights = won * chances + lost * (1 - chances)
        return told

    def costs(self, state: Hashable, control: int, after: Hashable) -> Weights:
        return np.full(len(self.parameters), -float(after == _pulled(state, control, 1)))

    def optimal_costs(self, state: Hashable, stage: int) -> Weights:
        """Return J of known parameters: the best arm, for the pulls that are left."""
        costs: Weights = (stage - self.horizon) * self._chances.max(axis=0)
        return costs

    def in_words(self, part: Part, value: Any) -> str:
        """Return the arms' chances, or the successes of each arm's pulls."""
        if part == "control":
            return f"arm {value}"
        if part == "parameter":
            return ", ".join(f"{chance:.2f}" for chance in value)
        return ", ".join(f"{won} of {won + lost}" for won, lost in value)

    @cached_property
    def _chances(self) -> Weights:
        """The chances of success: float64 [arms, parameters]."""
        return np.array(self.parameters).T.copy()


def _pulled(state: Hashable, arm: int, success: int) -> Counts:
    assert isinstance(state, tuple)
    wins, losses = state[arm]
    return (*state[:arm], (wins + success, losses + 1 - success), *state[arm + 1 :])

"""Exact Bayes over finitely many values of the parameter (Bhambri et al. 2022, equations 7 and 8)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from sleuth.planning.control import (
    TOLERANCE,
    AdaptiveControl,
    ListedControl,
    Vectorised,
    Weights,
    check_control,
    check_distinct,
    check_likelihoods,
    cost_of,
    costs_of,
    is_vectorised,
    is_weighed,
    likelihood_of,
    outcomes_of,
)
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown

# Beliefs are told apart by so many binary digits, so that rounding does not make one into many.
_DIGITS = 40


@dataclass(frozen=True, eq=False)
class Belief:
    """A distribution over the parameters, without those that are impossible.

    Attributes:
        support: int64 [n], ascending: which parameters are possible.
        weights: float64 [n], positive, summing to one.

    """

    support: NDArray[np.int64]
    weights: Weights

    @classmethod
    def of(cls, weights: Weights) -> Belief:
        """Return the belief with weights in proportion to some, float64 [parameters]. Raises SleuthError."""
        support = np.flatnonzero(np.asarray(weights) > 0)
        if not len(support):
            raise SleuthError("no parameter is possible")
        kept = np.asarray(weights, float)[support]
        return cls(support, kept / kept.sum())

    @classmethod
    def certain(cls, parameter: int) -> Belief:
        """Return the belief that the parameter is the one of a number."""
        return cls(np.array([parameter]), np.ones(1))

    @cached_property
    def key(self) -> bytes:
        """What tells it from others; beliefs that differ by rounding alone are mostly the same."""
        mantissa, exponent = np.frexp(self.weights)
        rounded: Weights = np.ldexp(np.round(np.ldexp(mantissa, _DIGITS)), exponent - _DIGITS)
        return self.support.tobytes() + rounded.tobytes()

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Belief) and self.key == other.key

    def full(self, parameters: int) -> Weights:
        """Return the weights of all of so many parameters, float64 [parameters]."""
        out = np.zeros(parameters)
        out[self.support] = self.weights
        return out

    @property
    def likeliest(self) -> int:
        """The parameter of the greatest weight, the first of several."""
        return int(self.support[np.argmax(self.weights)])


class Branch(NamedTuple):
    """What may come of a control: how likely, what it costs on average then, the next state and belief."""

    probability: float
    cost: float
    state: Hashable
    belief: Belief


class Branching(Protocol):
    """A problem that works out itself what may come of a control under a belief."""

    def branches(self, state: Hashable, belief: Belief, control: Any) -> list[Branch]:
        """Return what may come of a control, each next state once."""


def is_branching(problem: object) -> TypeGuard[Branching]:
    """Say whether a problem works out itself what may come of a control."""
    return callable(getattr(problem, "branches", None))


def branches(problem: ListedControl, state: Hashable, belief: Belief, control: Any) -> list[Branch]:
    """Return what may come of a control in a belief state, each next state once (equation 8, Bayes' rule).

    Raises SleuthError where the problem does not list outcomes, or lists what is no distribution.
    """
    if is_vectorised(problem):
        return _vectorised(problem, state, belief, control)
    if is_branching(problem):
        return problem.branches(state, belief, control)
    return listed_branches(problem, state, belief, control)


def listed_branches(problem: ListedControl, state: Hashable, belief: Belief, control: Any) -> list[Branch]:
    """Return branches by the outcomes listed under each parameter. Raises SleuthError, as they do."""
    joint: dict[Hashable, list[tuple[int, float, float]]] = {}
    for place, (i, weight) in enumerate(zip(belief.support.tolist(), belief.weights.tolist(), strict=True)):
        parameter = problem.parameters[i]
        for probability, after in outcomes_of(problem, state, parameter, control):
            if probability > 0:
                share = weight * probability
                paid = share * cost_of(problem, state, parameter, control, after)
                joint.setdefault(after, []).append((place, share, paid))
    found = []
    for after, entries in joint.items():
        places, shares, paid_ = zip(*entries, strict=True)
        weights = np.array(shares)
        total = float(weights.sum())
        kept = Belief(belief.support[list(places)], weights / total)
        found.append(Branch(total, sum(paid_) / total, after, kept))
    return found


def _vectorised(problem: Vectorised, state: Hashable, belief: Belief, control: Any) -> list[Branch]:
    found = []
    successors = problem.successors(state, control)
    check_distinct(successors, state, control)
    told = np.zeros(len(belief.support))
    for after in successors:
        likelihoods = problem.likelihoods(state, control, after)[belief.support]
        check_likelihoods(likelihoods, state, control, after)
        told += likelihoods
        weights = belief.weights * likelihoods
        total = float(weights.sum())
        if total > 0:
            kept = weights > 0
            then = Belief(belief.support[kept], weights[kept] / total)
            paid = float(weights[kept] @ costs_of(problem, state, control, after, then.support))
            found.append(Branch(total, paid / total, after, then))
    off = np.flatnonzero(~(np.abs(told - 1) <= TOLERANCE))
    if len(off):
        number = int(belief.support[off[0]])
        raise SleuthError(
            f"outcomes of {control!r} in state {state!r}: the likelihoods under parameter number {number}"
            f" add up to {told[off[0]]:.12g}; they must add up to 1"
        )
    return found


def update(
    problem: AdaptiveControl, state: Hashable, belief: Belief, control: Any, after: Hashable
) -> Belief:
    """Return the belief after a control led to a state, by its outcomes or by its likelihood.

    Raises SleuthError where it has neither, and where no parameter explains the state.
    """
    if not isinstance(belief, Belief):
        raise SleuthError(f"a Belief is needed here, not {shown(belief)}; start(problem) has the first one")
    numbers = belief.support.tolist()
    if is_vectorised(problem):
        likelihood = problem.likelihoods(state, control, after)[belief.support]
        check_likelihoods(likelihood, state, control, after)
    elif is_weighed(problem):
        parameters = [problem.parameters[i] for i in numbers]
        likelihood = np.array([likelihood_of(problem, state, p, control, after) for p in parameters])
    else:
        check_control(problem)
        laws = (outcomes_of(problem, state, problem.parameters[i], control) for i in numbers)
        likelihood = np.array([sum(p for p, then in law if then == after) for law in laws])
    weights = belief.weights * likelihood
    if not weights.any():
        raise SleuthError(f"no parameter leads from {state!r} to {after!r} by {control!r}")
    kept = weights > 0
    return Belief(belief.support[kept], weights[kept] / weights[kept].sum())

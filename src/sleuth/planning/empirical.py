"""Problems whose outcomes can only be drawn, made ones to plan with: what was drawn stands for all.

Where the likelihood of what was seen is known, beliefs are exact, and the outcomes of a control are drawn
from what the belief foretells (sparse sampling, Kearns et al. 2002). Where it is not, it is the share of
draws that came to the very same state, as in rejection sampling. Parameters of a continuous set are
particles: drawn from their prior, and weighed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from sleuth.planning.belief import Belief, Branch, listed_branches
from sleuth.planning.control import (
    TOLERANCE,
    ListedControl,
    SampledControl,
    Weights,
    check_problem,
    cost_of,
    draw,
    is_listed,
    is_preferring,
    is_sampled,
    is_weighed,
    likelihood_of,
    prior_of,
)
from sleuth.planning.particles import systematic
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_number, check_seed

# Laws kept in memory. Each is drawn by a seed of its own, so that one dropped comes back as it was.
_KEPT = 2**16
# What was seen and was not among the draws is looked for among so many times as many.
_MORE = 10
# Shares of fewer draws than these do not tell whether outcomes are continuous.
_TELLING = 100


class UnlistedError(SleuthError):
    """Outcomes cannot be listed, as those that were drawn are not all that there are: they are continuous."""


class EmpiricalControl(ListedControl):
    """A sampled problem as a listed one. Parameters are the numbers of the problem's parameters.

    Episodes are drawn from the problem itself; what is planned with is exact for what was drawn, and so
    is an oracle's bound. The same seed draws the same, where repr tells states and controls apart.
    """

    def __init__(self, problem: SampledControl, draws: int = 1000, seed: int = 0) -> None:
        """Begin with nothing drawn. Raises SleuthError for a problem that is not well-formed.

        draws: for each state, control and parameter (belief, where the likelihood is known). seed: of them.
        """
        check_problem(problem)
        check_number("draws", draws, least=1, whole=True)
        check_seed(seed)
        if not is_sampled(problem):
            raise SleuthError("an empirical problem needs one with sample(); this one lists its outcomes")
        self.problem, self.draws, self.seed = problem, draws, seed
        self.parameters: Sequence[int] = range(len(problem.parameters))
        self.initial_state, self.horizon, self.discount = (
            problem.initial_state,
            problem.horizon,
            problem.discount,
        )
        self._counts = lru_cache(_KEPT)(self._drawn)
        if is_preferring(problem):
            self.prefer = self._prefer

    @property
    def prior(self) -> Weights:
        """The problem's, float64 [parameters]."""
        return prior_of(self.problem)

    def controls(self, state: Hashable) -> Sequence[Any]:
        """Return the problem's controls."""
        return self.problem.controls(state)

    def cost(self, state: Hashable, parameter: int, control: Any, after: Hashable) -> float:
        """Return what a stage costs."""
        return self.problem.cost(state, self.problem.parameters[parameter], control, after)

    def is_terminal(self, state: Hashable) -> bool:
        """Say whether nothing more is applied in a state."""
        return self.problem.is_terminal(state)

    def final_cost(self, state: Hashable) -> float:
        """Return what is paid at the horizon."""
        return self.problem.final_cost(state)

    def sample(self, state: Hashable, parameter: int, control: Any, rng: Random) -> Hashable:
        """Draw the state that follows, from the problem itself."""
        return self.problem.sample(state, self.problem.parameters[parameter], control, rng)

    def _prefer(self, state: Hashable, parameter: int, rng: Random) -> Any:
        preferring: Any = self.problem
        return preferring.prefer(state, self.problem.parameters[parameter], rng)

    def outcomes(self, state: Hashable, parameter: int, control: Any) -> Sequence[tuple[float, Hashable]]:
        """Return the states drawn under a parameter, with their shares, or with their chances if known.

        Raises UnlistedError where likelihoods are known and those of what was drawn do not add up to one, and
        where they are not known and most of what was drawn was drawn but once.
        """
        counts = self._counts(state, parameter, control, self.draws)
        if not is_weighed(self.problem):
            return [(count / self.draws, after) for after, count in counts.items()]
        listed = [(self.likelihood(state, parameter, control, after), after) for after in counts]
        total = sum(chance for chance, _ in listed)
        if not abs(total - 1) <= TOLERANCE:
            raise UnlistedError(
                f"outcomes of {control!r} in state {state!r} cannot be listed: the likelihoods of the"
                f" {len(listed)} drawn add up to {total:.6g}, not to 1. Where they are continuous, plan by"
                " myopic, bamcp(widening=0.4), or Lookahead, Rollout or tree search with an estimate that"
                " needs no oracle; else draw more"
            )
        return listed

    def likelihood(self, state: Hashable, parameter: int, control: Any, after: Hashable) -> float:
        """Return how likely a state is to follow: the problem's likelihood, or the share of draws.

        Raises SleuthError for a likelihood that is negative or no number, and UnlistedError as outcomes does.
        """
        if is_weighed(self.problem):
            return likelihood_of(self.problem, state, self.problem.parameters[parameter], control, after)
        share = self._counts(state, parameter, control, self.draws)[after] / self.draws
        if share:
            return share
        more = _MORE * self.draws
        return self._counts(state, parameter, control, more)[after] / more

    def branches(self, state: Hashable, belief: Belief, control: Any) -> list[Branch]:
        """Return what may come of a control, each next state once. Raises SleuthError, as outcomes does."""
        if not is_weighed(self.problem):
            return listed_branches(self, state, belief, control)
        counts = self._foretold(state, belief, control)
        numbers = belief.support.tolist()
        told = np.array([[self.likelihood(state, i, control, after) for i in numbers] for after in counts])
        # Where they are chances, and all were drawn, nothing is left to chance.
        complete = bool(np.all(np.abs(told.sum(axis=0) - 1) <= TOLERANCE))
        found = []
        for (after, count), likelihoods in zip(counts.items(), told, strict=True):
            weights = belief.weights * likelihoods
            total = float(weights.sum())
            if not total > 0:
                raise SleuthError(
                    f"{control!r} in state {state!r} was drawn to lead to {after!r}, which has likelihood 0"
                    " under each parameter that is possible"
                )
            kept = weights > 0
            then = Belief(belief.support[kept], weights[kept] / total)
            paid = sum(
                weight * cost_of(self, state, i, control, after)
                for i, weight in zip(then.support.tolist(), then.weights.tolist(), strict=True)
            )
            found.append(Branch(total if complete else count / self.draws, paid, after, then))
        return found

    def _foretold(self, state: Hashable, belief: Belief, control: Any) -> Counter[Hashable]:
        """Draw the states that follow under a belief, each parameter as often as its weight says."""
        rng = Random(f"{self.seed}/{belief.key.hex()}/{state!r}/{control!r}")
        numbers = belief.support[systematic(belief.weights, self.draws, rng.random())].tolist()
        return Counter(draw(self, state, i, control, rng) for i in numbers)

    def _drawn(self, state: Hashable, number: int, control: Any, draws: int) -> Counter[Hashable]:
        rng = Random(f"{self.seed}/{number}/{state!r}/{control!r}/{draws}")
        counts = Counter(draw(self, state, number, control, rng) for _ in range(draws))
        # As large is the chance that what is drawn next is none of them (Good 1953).
        once = sum(count == 1 for count in counts.values())
        if not is_weighed(self.problem) and draws >= _TELLING and 2 * once > draws:
            raise UnlistedError(
                f"outcomes of {control!r} in state {state!r} cannot be listed: of {draws} draws {once} came"
                " but once. Where they are continuous, give the problem likelihood(); else draw more, or"
                " round them. Policies that go by the state alone, as random, need neither"
            )
        return counts


def listed(problem: Any) -> Any:
    """Return a problem, or the empirical one of a problem that can only be drawn from."""
    return problem if is_listed(problem) or not is_sampled(problem) else EmpiricalControl(problem)

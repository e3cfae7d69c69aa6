"""What is believed of a POMDP that is drawn from by Python: weighed particles, kept from step to step.

A particle filter with systematic resampling (Gordon et al. 1993; Kitagawa 1996). Where the problem knows how
likely observations are, particles are weighed by it; else those are kept under which the same is seen
(Silver and Veness 2010).
"""

from __future__ import annotations

from itertools import accumulate
from random import Random
from typing import Any

import numpy as np

from sleuth.planning.particles import systematic
from sleuth.planning.pomdps.sampled.problem import (
    SampledPomdp,
    came_of,
    check_legal,
    check_sampled_pomdp,
    is_likely,
    likelihood_in,
)
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_index
from sleuth.support.ranges import check_number, check_seed

# Particles are drawn anew once their effective number falls below this part of them.
_THRESHOLD = 0.5
# How many draws of each particle there are at most until something explains what was seen, and until as many
# particles do as there were.
_SOUGHT, _FILLED = 100, 10
# Particles whose legal actions are compared.
_LOOKED_AT = 20


class SampledBelief:
    """A belief by particles, at first over first states.

    Attributes:
        states: the particles.
        weights: how likely each is, relatively.

    """

    def __init__(self, problem: SampledPomdp, particles: int = 1000, seed: int = 0) -> None:
        """Begin with so many first states, drawn. Raises SleuthError for what is no such problem."""
        check_sampled_pomdp(problem)
        check_number("particles", particles, least=1, whole=True)
        check_seed(seed)
        self._problem, self._rng = problem, Random(f"belief/{seed}")
        drawn = [problem.first(self._rng) for _ in range(particles)]
        states = [state for state in drawn if not problem.is_terminal(state)]
        if not states:
            raise SleuthError("play is over in all first states that were drawn: nothing is left to do")
        self._keep(_resampled(states, [1.0] * len(states), particles, self._rng), [1.0] * particles)

    def _keep(self, states: list[Any], weights: list[float]) -> None:
        some = zip(states[:_LOOKED_AT], weights, strict=False)
        check_legal(self._problem, [state for state, weight in some if weight])
        self.states, self.weights = states, weights
        self._ends = list(accumulate(weights))

    def draw(self, rng: Random) -> Any:
        """Return a state, drawn."""
        return rng.choices(self.states, cum_weights=self._ends)[0]

    def legal(self) -> list[int]:
        """Return the actions that may be taken, by their numbers."""
        legal = self._problem.legal(self.draw(self._rng))
        return [number for number, action in enumerate(self._problem.actions) if action in legal]

    def update(self, action: int, observation: Any) -> None:
        """Go on after an action, by its number, and what was seen: play was not over then.

        Raises SleuthError where no particle explains it.
        """
        problem = self._problem
        number = checked_index("the problem", "action", action, len(problem.actions))
        done = problem.actions[number]
        told = self._weighed if is_likely(problem) else self._met
        states, weights = told(done, observation)
        total, squares = sum(weights), sum(weight * weight for weight in weights)
        if not total > 0:
            seen = problem.in_words("observation", observation)
            needed = (
                "a likelihood() that is not 0 for what may be seen"
                if is_likely(problem)
                else "likelihood() of the problem"
            )
            raise SleuthError(
                f"no particle explains {seen} after {problem.in_words('action', done)}: more of them are"
                f" needed, or {needed}"
            )
        count = len(self.states)
        if len(states) == count and total * total >= _THRESHOLD * count * squares:
            self._keep(states, weights)
            return
        self._keep(_resampled(states, weights, count, self._rng), [1.0] * count)

    def _weighed(self, action: Any, observation: Any) -> tuple[list[Any], list[float]]:
        """Return what the particles become, each weighed."""
        problem = self._problem
        states, weights = [], []
        for state, weight in zip(self.states, self.weights, strict=True):
            if not weight:
                continue
            after, _, _ = came_of(problem, state, action, self._rng)
            if problem.is_terminal(after):
                continue
            told = likelihood_in(problem, state, action, after, observation)
            states.append(after)
            weights.append(weight * told)
        return states, weights

    def _met(self, action: Any, observation: Any) -> tuple[list[Any], list[float]]:
        """Return states under which the same is seen, as they are drawn."""
        problem, count = self._problem, len(self.states)
        states: list[Any] = []
        for tried in range(_SOUGHT * count):
            if len(states) == count or (states and tried >= _FILLED * count):
                break
            state = self.draw(self._rng)
            after, seen, _ = came_of(problem, state, action, self._rng)
            if seen == observation and not problem.is_terminal(after):
                states.append(after)
        return states, [1.0] * len(states)


def _resampled(states: list[Any], weights: list[float], count: int, rng: Random) -> list[Any]:
    """Return so many states, drawn by their weights."""
    return [states[place] for place in systematic(np.asarray(weights), count, rng.random()).tolist()]

"""What is believed of a problem that is drawn from: weighed particles, kept from step to step.

A particle filter that draws anew and stirs (Gilks and Berzuini 2001): particles are weighed by how likely
what was seen is under them. Once few of them carry the weight they are drawn anew by it, and each takes
Metropolis steps, by how likely all that was seen is, so that copies part. Where no particle is left, ones
that explain what was seen are looked for.
"""

from __future__ import annotations

import numpy as np

from sleuth.planning.control import Weights
from sleuth.planning.particles import systematic
from sleuth.planning.pomdps.drawn.problem import DrawnPomdp, State, chance
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_index

# Particles are drawn anew once their effective number falls below this part of them.
_THRESHOLD = 0.5
_ROUNDS = 10
# How states are looked for that explain what was seen: particles, floors under chances, and rounds for each.
_SOUGHT, _FLOORS, _SEARCHES = 100, (0.5, 0.2, 0.05, 0.01, 1e-3, 1e-4), 200


class DrawnBelief:
    """A belief by particles, at first over first states.

    Attributes:
        states: int64 [particles, state], what first states have become.
        weights: float64 [particles], summing to one.
        notes: float64 [notes], what rollouts go by.

    """

    def __init__(self, problem: DrawnPomdp, particles: int = 1000, seed: int = 0) -> None:
        """Begin with so many first states, drawn."""
        self._problem, self._rng = problem, np.random.default_rng(seed)
        self._chance = chance(seed)
        self._first = problem.firsts(particles, seed)
        self.states: State = self._first.copy()
        self.weights: Weights = np.full(particles, 1 / particles)
        self.notes: Weights = np.zeros(problem.law.notes)
        self._logs = np.zeros(particles)
        self._history = np.empty((16, 2), np.int64)
        self._count = 0

    def update(self, action: int, observation: int) -> None:
        """Go on after an action and an observation, by their numbers.

        Raises SleuthError for actions that may not be taken, and what cannot be observed, as far as was
        found.
        """
        from sleuth.kernels.drawn.beliefs import weighed

        problem = self._problem
        checked_index("the problem", "action", action, len(problem.actions))
        checked_index("the problem", "observation", observation, len(problem.observations))
        if action not in problem.legal(self.states[0]):
            raise SleuthError(f"{problem.actions[action]!r} may not be done there")
        if self._count == len(self._history):
            self._history = np.concatenate([self._history, np.empty_like(self._history)])
        self._history[self._count] = action, observation
        self._count += 1
        weighed(problem.law, action, observation, self.states, self.weights, self._logs, self.notes)
        total = self.weights.sum()
        if not total > 0:
            self._seek(action, observation)
            return
        self.weights /= total
        if 1 / np.square(self.weights).sum() < _THRESHOLD * len(self.weights):
            self._renew()

    def drawn(self, count: int, rng: np.random.Generator) -> State:
        """Return so many states, drawn, int64 [count, state]."""
        return self.states[rng.choice(len(self.weights), count, p=self.weights)]

    def _renew(self) -> None:
        """Draw the particles anew, by systematic resampling, and stir them."""
        from sleuth.kernels.drawn.beliefs import stirred

        n = len(self.weights)
        chosen = systematic(self.weights, n, self._rng.random())
        self._first, self.states = self._first[chosen], self.states[chosen]
        self._logs, self.weights = self._logs[chosen], np.full(n, 1 / n)
        stirred(
            self._problem.law,
            self._history,
            self._count,
            _ROUNDS,
            0.0,
            self.notes,
            self._first,
            self.states,
            self._logs,
            self._chance,
        )

    def _seek(self, action: int, observation: int) -> None:
        """Find particles that explain what was seen, from first states that need not."""
        from sleuth.kernels.drawn.beliefs import replayed, stirred

        problem, n = self._problem, len(self.weights)
        first = problem.firsts(_SOUGHT, int(self._rng.integers(2**63)))
        now, logs = first.copy(), np.empty(_SOUGHT)
        given = problem.law, self._history, self._count
        for floor in _FLOORS:
            replayed(*given, floor, first, now, logs)
            stirred(*given, _SEARCHES, floor, self.notes, first, now, logs, self._chance)
        replayed(*given, 0.0, first, now, logs)
        found = np.flatnonzero(logs > -np.inf)
        if not len(found):
            seen, done = problem.observations[observation], problem.actions[action]
            raise SleuthError(f"{seen!r} cannot be observed after {done!r} there: no state was found")
        chosen = self._rng.choice(found, n)
        self._first, self.states, self._logs = first[chosen], now[chosen], logs[chosen]
        self.weights = np.full(n, 1 / n)
        self._renew()

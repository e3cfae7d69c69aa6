"""DESPOT (Ye et al. 2017) over scenarios of particles, in problems that are drawn from.

The default policy and the upper bound are the problem's. Both bounds are proven for the scenarios, up to the
depth.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sleuth.kernels.determinised import Determinised
from sleuth.kernels.drawn.scenarios import Streams
from sleuth.planning.pomdps.despot import Determinisation, ScenarioPlanner, check_scenarios, rooted
from sleuth.planning.pomdps.drawn.belief import DrawnBelief
from sleuth.planning.pomdps.drawn.problem import DrawnPomdp, State, check_drawn
from sleuth.support.ranges import check_number


class DrawnScenarios(Determinisation):
    """The search for some scenarios, which goes on where it stopped.

    A policy is worth its mean over the scenarios, less a penalty for each of its nodes; where it has no node
    it goes on with the problem's default policy. After so many steps nothing counts any more.
    """

    def __init__(
        self,
        problem: DrawnPomdp,
        states: State,
        depth: int,
        penalty: float = 0.0,
        seed: int = 0,
        memory: Determinised | None = None,
    ) -> None:
        """Begin with the root.

        states: int64 [scenarios, state], which agree in what is seen of them. depth: steps of a scenario.
        seed: of the random numbers of each step. memory: see rooted. Raises SleuthError.
        """
        from sleuth.kernels.drawn.scenarios import planted

        check_drawn(problem)
        check_scenarios(len(states), depth, penalty)
        penalty = float(penalty)
        numbers = np.random.default_rng(seed).integers(2**64, size=(len(states), depth), dtype=np.uint64)
        law = problem.law
        shared = Streams(
            numbers,
            np.empty(law.actions, np.int64),
            np.empty(law.scratch, np.int64),
            np.empty(law.actions),
        )
        super().__init__((law.discount, penalty, shared, law), rooted(np.ascontiguousarray(states), memory))
        planted(penalty, shared, law, self._tree, self._count)

    def _explore(self) -> Callable[..., int]:
        from sleuth.kernels.drawn.scenarios import explored

        return explored

    def _action(self, choice: int) -> int:
        return choice

    def _default(self, first: int) -> int:
        return first


class DrawnDespot(ScenarioPlanner):
    """A search from each belief by particles, on scenarios drawn anew."""

    def __init__(
        self,
        problem: DrawnPomdp,
        trials: int | None = None,
        seconds: float | None = None,
        scenarios: int = 500,
        depth: int | None = None,
        penalty: float = 0.01,
        particles: int = 1000,
        seed: int = 0,
    ) -> None:
        """Begin with first states, drawn.

        trials, seconds: limits of a decision. scenarios: of a decision, fewer where a trial takes longer than
        its seconds. depth: steps of a scenario; the problem's, unless given. penalty: of the size of a
        policy, a node, in units of rewards. particles: of the belief. Raises SleuthError.
        """
        check_drawn(problem)
        depth = problem.steps if depth is None else depth
        super().__init__(trials, seconds, scenarios, seed)
        check_scenarios(scenarios, depth, penalty)
        check_number("particles", particles, least=1, whole=True)
        self._problem, self._depth, self._penalty = problem, depth, penalty
        self._belief = DrawnBelief(problem, particles, seed)
        self._rng = np.random.default_rng(seed)

    def _drawn(self, scenarios: int, memory: Determinised | None) -> DrawnScenarios:
        states = self._belief.drawn(scenarios, self._rng)
        numbers = int(self._rng.integers(2**63))
        return DrawnScenarios(self._problem, states, self._depth, self._penalty, numbers, memory)

    def observe(self, action: int, observation: int) -> None:
        """Go on. Raises SleuthError for what cannot be observed."""
        self._belief.update(action, observation)

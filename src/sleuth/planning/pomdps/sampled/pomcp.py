"""POMCP (Silver and Veness 2010), and POMCPOW (Sunberg and Kochenderfer 2018), in POMDPs drawn by Python."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from sleuth.planning.histories import Drawn, Edge, Histories, Widening, check_widening
from sleuth.planning.pomdps.pomcp import Planned, check_coefficient
from sleuth.planning.pomdps.sampled.belief import SampledBelief
from sleuth.planning.pomdps.sampled.problem import (
    SampledPomdp,
    came_of,
    is_likely,
    legal_in,
    likelihood_in,
    number_of,
    preferred_in,
)
from sleuth.planning.searching import LEAST
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.progress import Watch
from sleuth.support.ranges import check_limits, check_seconds

# Narrow, so that simulations come far: of those tried on light-dark in one dimension the best.
_CONTINUOUS = Widening(4.0, 0.1)


@dataclass(frozen=True)
class _Process:
    """A POMDP as histories are drawn from it."""

    problem: Any

    @property
    def discount(self) -> float:
        return float(self.problem.discount)

    def legal(self, state: Any) -> Sequence[Any]:
        return legal_in(self.problem, state)

    def prefer(self, state: Any, rng: Random) -> Any:
        return preferred_in(self.problem, state, rng)

    def drawn(self, state: Any, action: Any, rng: Random) -> Drawn:
        after, seen, reward = came_of(self.problem, state, action, rng)
        return Drawn(after, seen, reward, self.problem.is_terminal(after))

    def explained(self, state: Any, action: Any, came: Drawn, seen: Hashable) -> tuple[Any, float, float]:
        return came.state, came.reward, likelihood_in(self.problem, state, action, came.state, seen)


class SampledPomcp:
    """A search that is taken on from decision to decision, with a belief by particles.

    Rollouts do what the problem prefers.
    """

    kind = Planned

    def __init__(
        self,
        problem: SampledPomdp,
        simulations: int | None = None,
        seconds: float | None = None,
        coefficient: float | None = None,
        observations: Widening | None = None,
        actions: Widening | None = None,
        particles: int = 1000,
        seed: int = 0,
    ) -> None:
        """Begin with first states, drawn.

        simulations, seconds: limits of a decision. coefficient: of the upper confidence bounds, in units of
        rewards; the range of rewards, unless given. observations: how many an action may have (POMCPOW),
        which takes likelihood() of the problem; where they are continuous 4 * visits ** 0.1, else all,
        unless given. actions: how many a history may have, in the problem's order; all, unless given.
        particles: of the belief. Raises SleuthError.
        """
        self._belief = SampledBelief(problem, particles, seed)
        check_limits("simulations", simulations, seconds)
        check_coefficient(coefficient)
        check_widening(observations, actions)
        if observations is not None and not is_likely(problem):
            raise SleuthError("widening of observations needs likelihood() of the problem")
        if observations is None and problem.continuous:
            observations = _CONTINUOUS
        low, high = problem.rewards
        self._problem, self._limits = problem, (simulations, seconds)
        self._tree = Histories(
            _Process(problem),
            Random(f"pomcp/{seed}"),
            float(high - low if coefficient is None else coefficient),
            observations,
            actions,
            LEAST,
        )

    def choose(self) -> int:
        """Return the best action found."""
        return self.search().action

    def search(self, seconds: float | None = None, progress: Watch | None = None) -> Planned:
        """Search from here; see Searching."""
        check_seconds(seconds)
        simulations, limit = self._limits
        try:
            ran = self._tree.run(
                self._belief.draw, simulations, limit if seconds is None else seconds, progress
            )
        except Interrupted as error:
            raise Interrupted(self._planned(*error.known)) from None
        return self._planned(*ran)

    def _planned(self, simulations: int, seconds: float) -> Planned:
        best = max((edge for edge in self.root if edge.visits), key=lambda edge: edge.value)
        number = number_of(self._problem, best.action)
        return Planned(number, best.value, simulations, self._tree.nodes, seconds)

    @property
    def root(self) -> list[Edge]:
        """What is known of the actions at the root."""
        return self._tree.root.edges

    def observe(self, action: int, observation: Any) -> None:
        """Take the tree and the belief on. Raises SleuthError where no particle explains what was seen."""
        self._belief.update(action, observation)
        self._tree.move(self._problem.actions[action], observation)

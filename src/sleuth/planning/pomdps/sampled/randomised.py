"""Play at random in POMDPs drawn by Python."""

from __future__ import annotations

from random import Random
from typing import Any

from sleuth.planning.pomdps.sampled.belief import SampledBelief
from sleuth.planning.pomdps.sampled.problem import SampledPomdp

_PARTICLES = 100


class SampledRandom:
    """Any action that may be taken, each as likely."""

    def __init__(self, problem: SampledPomdp, seed: int = 0) -> None:
        """Begin with first states, drawn: which actions may be taken follows from what was seen."""
        self._belief, self._rng = SampledBelief(problem, _PARTICLES, seed), Random(f"random/{seed}")

    def choose(self) -> int:
        """Return an action."""
        return self._rng.choice(self._belief.legal())

    def observe(self, action: int, observation: Any) -> None:
        """Go on."""
        self._belief.update(action, observation)

"""Posterior sampling: what is optimal under a parameter drawn from the belief (Thompson 1933)."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from sleuth.planning.oracle import Oracle, check_oracle
from sleuth.planning.situation import Situation, check_situation
from sleuth.support.ranges import check_seed


@dataclass(eq=False)
class PosteriorSampling:
    """Draws a parameter from the belief at each stage and applies the control that is optimal under it.

    Thompson sampling (Thompson 1933), with the optimal policy of the drawn model in place of the best arm
    (Strens 2000). A control is so applied as often as it is optimal.

    Attributes:
        oracle: the optimal costs under each parameter; of several optimal controls it has the first.
        seed: of the draws.

    """

    oracle: Oracle
    seed: int = 0
    _rng: Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_oracle(self.oracle)
        check_seed(self.seed)
        self._rng = Random(f"{self.seed}/posterior")

    def begin(self, seed: int) -> None:
        """Begin an episode, see begin_episode."""
        self._rng = Random(f"{self.seed}/posterior/{seed}")

    def probabilities(self, situation: Situation) -> dict[Any, float]:
        """Return how likely each control is to be optimal."""
        check_situation(situation)
        state, belief, stage = situation
        found: dict[Any, float] = {}
        for number, weight in zip(belief.support.tolist(), belief.weights.tolist(), strict=True):
            control = self.oracle.control(state, number, stage)
            found[control] = found.get(control, 0.0) + weight
        return found

    def choose(self, situation: Situation) -> Any:
        """Return the control that is optimal under a parameter that is drawn."""
        check_situation(situation)
        state, belief, stage = situation
        (number,) = self._rng.choices(belief.support.tolist(), belief.weights.tolist())
        return self.oracle.control(state, number, stage)

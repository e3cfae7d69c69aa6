"""Policies that draw their control: the chance of each is known, so that their costs can be exact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Protocol, TypeGuard

from sleuth.planning.control import AdaptiveControl, check_control, controls_in
from sleuth.planning.situation import Situation, check_situation
from sleuth.support.ranges import check_seed


class Randomised(Protocol):
    """A policy whose controls are drawn."""

    def probabilities(self, situation: Situation) -> Mapping[Any, float]:
        """Return how likely each control is to be drawn in a situation; those that never are, left out."""


def is_randomised(policy: object) -> TypeGuard[Randomised]:
    """Say whether a policy draws its controls, with known chances."""
    return callable(getattr(policy, "probabilities", None))


def drawn(chances: Mapping[Any, float], rng: Random) -> Any:
    """Return a control, drawn by the chances."""
    (control,) = rng.choices(list(chances), list(chances.values()))
    return control


@dataclass(eq=False)
class RandomPolicy:
    """Draws any control of the state, each as likely.

    Attributes:
        problem: whose controls they are.
        seed: of the draws.

    """

    problem: AdaptiveControl
    seed: int = 0
    blind: ClassVar[bool] = True
    _rng: Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_control(self.problem)
        check_seed(self.seed)
        self._rng = Random(f"{self.seed}/random")

    def begin(self, seed: int) -> None:
        """Begin an episode, see begin_episode."""
        self._rng = Random(f"{self.seed}/random/{seed}")

    def probabilities(self, situation: Situation) -> dict[Any, float]:
        """Return how likely each control is."""
        check_situation(situation)
        controls = controls_in(self.problem, situation.state)
        return dict.fromkeys(controls, 1 / len(controls))

    def choose(self, situation: Situation) -> Any:
        """Return a control."""
        return drawn(self.probabilities(situation), self._rng)

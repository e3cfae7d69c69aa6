"""Policies that draw their control: the chance of each is known, so that their costs can be exact."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol, TypeGuard

from sleuth.planning.situation import Situation


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

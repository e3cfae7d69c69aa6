"""What a policy for a problem of adaptive control is."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Protocol

from sleuth.planning.situation import Situation


class Policy(Protocol):
    """What chooses a control in a situation."""

    def choose(self, situation: Situation) -> Any:
        """Return a control of the situation's state."""


@dataclass(frozen=True)
class Blind:
    """Chooses by the state alone, as the base policies of the document do."""

    rule: Callable[[Hashable], Any]

    def choose(self, situation: Situation) -> Any:
        """Return the rule's control."""
        return self.rule(situation.state)

"""What a policy for a problem of adaptive control is."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from sleuth.planning.situation import Situation
from sleuth.support.errors import SleuthError


class Policy(Protocol):
    """What chooses a control in a situation."""

    def choose(self, situation: Situation) -> Any:
        """Return a control of the situation's state."""


def begin_episode(policy: Policy, seed: int) -> None:
    """Have a policy begin an episode, where it remembers or draws: it has begin(seed) then.

    It forgets what it found in play before, and draws by this seed, beside its own, from here on: so that an
    episode goes as it goes whatever was played before it, and wherever it is played.
    """
    if callable(begin := getattr(policy, "begin", None)):
        begin(seed)


def check_chooses(policy: object) -> None:
    """Raise SleuthError for what is no policy."""
    if not callable(getattr(policy, "choose", None)):
        raise SleuthError(f"a policy has choose(), which a {type(policy).__name__} has not")


def is_blind(policy: Policy) -> bool:
    """Say whether a policy goes by the state alone, so that no belief need be kept for it."""
    return getattr(policy, "blind", False)


@dataclass(frozen=True)
class Blind:
    """Chooses by the state alone, as the base policies of Bhambri et al. (2022) do."""

    rule: Callable[[Hashable], Any]
    blind: ClassVar[bool] = True

    def choose(self, situation: Situation) -> Any:
        """Return the rule's control."""
        return self.rule(situation.state)

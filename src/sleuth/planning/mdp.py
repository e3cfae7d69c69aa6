"""Markov decision processes, as planners meet them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from math import inf
from random import Random
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action")


class Option(NamedTuple):
    """An action that may be taken in a state.

    Attributes:
        action: the action, whatever the process takes for one.
        estimate: an estimate of its action value q(s, a).
        bound: no policy gets more after it.

    """

    action: object
    estimate: float
    bound: float = inf


class Outcome(NamedTuple):
    """What may come of an action.

    Attributes:
        probability: how likely it is.
        reward: what it brings, on top of the value of the next state.
        state: the next state, or None when the process ends.

    """

    probability: float
    reward: float
    state: Hashable | None


class MDP(Protocol):
    """A Markov decision process whose states are hashable. Values are to be made as large as possible.

    It has outcomes (EnumerableMDP), samples (SampledMDP), or both. discount lies in (0, 1].
    """

    @property
    def initial(self) -> Hashable:
        """The state where it begins."""

    @property
    def discount(self) -> float:
        """What a reward is worth one step later."""

    def options(self, state: Hashable) -> Iterator[Option]:
        """Yield the actions of a state, the most promising first, each when it is asked for."""


@runtime_checkable
class EnumerableMDP(MDP, Protocol):
    """A process whose outcomes can be listed."""

    def outcomes(self, state: Hashable, action: object) -> Sequence[Outcome]:
        """Return all that may come of an action; the probabilities sum to one."""


@runtime_checkable
class SampledMDP(MDP, Protocol):
    """A process whose outcomes can be drawn."""

    def sample(self, state: Hashable, action: object, rng: Random) -> Outcome:
        """Draw what comes of an action."""


@runtime_checkable
class BoundedMDP(MDP, Protocol):
    """A process that knows limits of its values, so that planners can stop with proof."""

    def limits(self, state: Hashable) -> tuple[float, float]:
        """Return a value that some policy reaches from a state on, and one that none exceeds."""

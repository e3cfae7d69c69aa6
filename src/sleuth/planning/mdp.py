"""Markov decision processes, as planners meet them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from math import inf
from random import Random
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

from sleuth.support.errors import SleuthError

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


@runtime_checkable
class RewardBoundedMDP(MDP, Protocol):
    """A process that knows the least and the largest reward of a step. With a discount, limits follow."""

    @property
    def rewards(self) -> tuple[float, float]:
        """The least and the largest reward of any step."""


def limits_of_rewards(least: float, most: float, discount: float) -> tuple[float, float]:
    """Return limits of all values where a step brings at least and at most so much.

    Play may end, after which nothing comes: rewards of r for ever come to r / (1 - discount), and to nothing
    at the least. Without a discount there are none. Raises SleuthError for rewards that are no range.
    """
    if not -inf < least <= most < inf:
        raise SleuthError(f"rewards of a step from {least} to {most}: finite numbers, the lower one first")
    if discount == 1:
        return -inf, inf
    return min(0.0, least) / (1 - discount), max(0.0, most) / (1 - discount)

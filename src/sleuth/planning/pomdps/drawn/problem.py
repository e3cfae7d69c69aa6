"""POMDPs whose states are not laid out: what is hidden is drawn at first, and then what is seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sleuth.kernels.drawn.problem import Drawn
from sleuth.planning.pomdps.online import Planner, check_play
from sleuth.planning.searching import steps_ahead
from sleuth.planning.simulation import NEGLIGIBLE
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_index
from sleuth.support.progress import Watch

State = NDArray[np.int64]


class StatedBounds(Protocol):
    """What works out bounds of the optimal value."""

    def __call__(self, *, progress: Watch | None = None) -> tuple[float, float] | None:
        """Return between what it lies, or None where that is not known."""


class Step(NamedTuple):
    """What came of an action: the observation, by its number, the reward, and whether play is over."""

    observation: int
    reward: float
    over: bool


@dataclass(frozen=True, eq=False)
class DrawnPomdp:
    """A POMDP whose first states and observations can be drawn, as drawn_rocksample and battleship make it.

    A state is int64 numbers. First states are all as likely, an action changes a state without chance, and
    what is seen after it is drawn. Rewards are discounted, unless play ends by itself.

    Attributes:
        actions, observations: their names.
        discount: what a reward is worth one step later, in (0, 1].
        longest: steps after which play is over, or None where it may go on for ever.
        spread: how far apart the rewards are of what may be chosen between, in units of rewards.
        law: the problem as kernels take it.
        told: of a state, what it is, in words.
        bounds: returns between what the optimal value lies, proven, or None where there is too much to work
            out; it takes up to a minute.

    """

    actions: tuple[str, ...]
    observations: tuple[str, ...]
    discount: float
    longest: int | None
    spread: float
    law: Drawn
    told: Callable[[State], str]
    bounds: StatedBounds

    @property
    def steps(self) -> int:
        """How many steps a search looks ahead: to the end, or until the discount leaves less than 0.005."""
        return self.longest or steps_ahead(self.discount)

    def first(self, seed: int) -> State:
        """Return a first state, drawn, int64 [state]."""
        (state,) = self.firsts(1, seed)
        return np.asarray(state)

    def firsts(self, count: int, seed: int) -> State:
        """Return so many first states, drawn, int64 [count, state]."""
        from sleuth.kernels.drawn.problem import first_drawn

        states = np.zeros((count, self.law.state), np.int64)
        first_drawn(self.law, states, chance(seed))
        return states

    def legal(self, state: State) -> list[int]:
        """Return the actions that may be taken, by their numbers."""
        from sleuth.kernels.drawn.problem import may

        options = np.empty(self.law.actions, np.int64)
        return [int(action) for action in options[: may(self.law, state, options)]]

    def step(self, state: State, action: int, seed: int) -> Step:
        """Change a state by an action. Raises SleuthError for an action that there is not."""
        from sleuth.kernels.drawn.problem import stepped

        checked_index("the problem", "action", action, len(self.actions))
        observation, reward, over = stepped(self.law, state, action, chance(seed))
        return Step(int(observation), float(reward), bool(over))


def chance(seed: int) -> NDArray[np.uint64]:
    """Return random numbers of a seed for kernels, uint64 [1], as kernels/draws.py has them."""
    return np.array([seed % 2**64], np.uint64)


def check_drawn(problem: object) -> None:
    """Raise SleuthError for what is no problem to draw from."""
    if not isinstance(problem, DrawnPomdp):
        raise SleuthError(
            f"the search takes a DrawnPomdp, not a {type(problem).__name__}; drawn_rocksample and battleship"
            " make one"
        )


class DrawnRandom:
    """Any action that may be taken, each as likely."""

    def __init__(self, problem: DrawnPomdp, seed: int) -> None:
        """Begin with a first state: which actions may be taken does not depend on what is hidden."""
        self._problem, self._rng = problem, Random(f"random/{seed}")
        self._state = problem.first(seed)

    def choose(self) -> int:
        """Return an action."""
        return self._rng.choice(self._problem.legal(self._state))

    def observe(self, action: int, observation: int) -> None:
        """Go on; nothing is learned."""
        self._problem.step(self._state, action, 0)


def play_drawn(problem: DrawnPomdp, planner: Planner, rng: Random) -> float:
    """Return the discounted reward of one episode.

    It ends where play is over or the discount leaves less than a millionth. Raises SleuthError for what is no
    such problem, and an action that may not be taken.
    """
    check_drawn(problem)
    check_play(planner, rng)
    state = problem.first(rng.getrandbits(64))
    total, weight = 0.0, 1.0
    while weight > NEGLIGIBLE:
        action = planner.choose()
        if action not in problem.legal(state):
            name = problem.actions[checked_index("the problem", "action", action, len(problem.actions))]
            raise SleuthError(f"{name!r} may not be done there")
        came = problem.step(state, action, rng.getrandbits(64))
        total += weight * came.reward
        if came.over:
            break
        planner.observe(action, came.observation)
        weight *= problem.discount
    return total

"""RockSample: a rover among rocks that are good or bad (Smith and Simmons 2004)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sleuth.planning.control import ListedControl, Part, Weights, check_problem
from sleuth.planning.problems.rock_layouts import Cell, accuracy, layout
from sleuth.planning.problems.rock_tours import Tours
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_range
from sleuth.support.specification import check_options

_STEPS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
_PRIZE = 10.0
_MOST_ROCKS = 16
_MOST_CELLS = 1000


class Rover(NamedTuple):
    """What is seen: where the rover is, a bit for each rock sampled, and the last observation.

    The last observation is "good" or "bad" after a check, else None. x = n is outside: play is over.
    """

    x: int
    y: int
    sampled: int
    seen: str | None


@dataclass(frozen=True)
class RockSample(ListedControl):
    """RockSample(n, k): k rocks on a grid of n x n, each good or bad with equal chance.

    A good rock sampled brings 10 and is bad from then on; a bad one costs 10; leaving in the east brings 10
    and ends play. Checking a rock from a distance of d cells is right with probability
    (1 + 2 ** (-d / half_distance)) / 2. What a sample was is not observed, as in the standard problem.
    Controls that can only waste a step (into a wall, checking what was sampled) are left out.

    The parameter is a bit mask of the good rocks. For (7, 8) and (11, 11) the rocks are those of the
    standard problem files, else drawn by the seed. Play begins in the middle of the west side.

    Attributes:
        n: cells a side.
        k: rocks, at most 16.
        discount: what a cost counts one stage later.
        half_distance: cells at which the checks' efficiency halves.
        seed: of the rocks' places, where there is no standard layout.

    """

    n: int = 7
    k: int = 8
    discount: float = 0.95
    half_distance: float = 20.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_options(self)
        check_range(self, "n", least=1, most=_MOST_CELLS)
        if not 1 <= self.k <= min(_MOST_ROCKS, self.n**2):
            raise SleuthError(
                f"a grid of {self.n} x {self.n} does not take {self.k} rocks: there may be "
                f"1 to {_MOST_ROCKS}, each in its own cell"
            )
        if not self.half_distance > 0:
            raise SleuthError(f"the half distance is positive, not {self.half_distance}")
        check_problem(self)

    @cached_property
    def rocks(self) -> tuple[Cell, ...]:
        """The cells of the rocks, (x, y) from the south-west."""
        return layout(self.n, self.k, self.seed)

    @cached_property
    def parameters(self) -> Sequence[int]:  # type: ignore[override]
        """All masks of good rocks; a parameter's number is the mask."""
        return range(1 << self.k)

    @cached_property
    def initial_state(self) -> Rover:  # type: ignore[override]
        """The middle of the west side."""
        return Rover(0, self.n // 2, 0, None)

    def controls(self, state: Hashable) -> Sequence[Any]:
        """Return the directions, "sample" where there is a rock to sample, and ("check", rock)."""
        assert isinstance(state, Rover)
        found: list[Any] = [
            name
            for name, (dx, dy) in _STEPS.items()
            if state.x + dx >= 0 and 0 <= state.y + dy < self.n  # the east is open
        ]
        if self._rock_at(state) is not None:
            found.append("sample")
        return found + [("check", i) for i in range(self.k) if not state.sampled >> i & 1]

    def is_terminal(self, state: Hashable) -> bool:
        assert isinstance(state, Rover)
        return state.x == self.n

    def cost(self, state: Hashable, parameter: int, control: Any, after: Hashable) -> float:
        assert isinstance(state, Rover)
        assert isinstance(after, Rover)
        if control == "sample":
            return -_PRIZE if parameter & ~state.sampled & after.sampled else _PRIZE
        return -_PRIZE if after.x == self.n else 0.0

    def outcomes(self, state: Hashable, parameter: int, control: Any) -> Sequence[tuple[float, Rover]]:
        assert isinstance(state, Rover)
        if not isinstance(control, tuple):
            return [(1.0, self._moved(state, control))]
        right = self._accuracy(state, control)
        good = right if parameter >> control[1] & 1 else 1 - right
        return [(good, state._replace(seen="good")), (1 - good, state._replace(seen="bad"))]

    def successors(self, state: Hashable, control: Any) -> Sequence[Rover]:
        """Return the states that may follow."""
        assert isinstance(state, Rover)
        if not isinstance(control, tuple):
            return [self._moved(state, control)]
        return [state._replace(seen="good"), state._replace(seen="bad")]

    def costs(self, state: Hashable, control: Any, after: Hashable) -> Weights:
        """Return float64 [parameters]: what the stage costs under each."""
        assert isinstance(state, Rover)
        assert isinstance(after, Rover)
        if control == "sample":
            rock = (after.sampled ^ state.sampled).bit_length() - 1
            found: Weights = np.where(self._good[rock], -_PRIZE, _PRIZE)
            return found
        return np.full(1 << self.k, -_PRIZE if after.x == self.n else 0.0)

    def likelihoods(self, state: Hashable, control: Any, after: Hashable) -> Weights:
        assert isinstance(state, Rover)
        assert isinstance(after, Rover)
        if not isinstance(control, tuple):
            return np.full(1 << self.k, float(after == self._moved(state, control)))
        if after.seen is None or after != state._replace(seen=after.seen):
            return np.zeros(1 << self.k)
        right = self._accuracy(state, control)
        told: Weights = np.where(self._good[control[1]] == (after.seen == "good"), right, 1 - right)
        return told

    def optimal_costs(self, state: Hashable, stage: int) -> Weights:
        """Return J of perfect information: minus what the best tour of the good rocks left brings."""
        assert isinstance(state, Rover)
        if self.is_terminal(state):
            return np.zeros(1 << self.k)
        left = np.arange(1 << self.k) & ~state.sampled
        costs: Weights = -self._tours.values((state.x, state.y))[left]
        return costs

    def blind_costs(self, state: Hashable, stage: int) -> Sequence[Weights]:
        """Return what it costs to leave at once, and to sample one of the rocks left on the way out."""
        assert isinstance(state, Rover)
        cell, out = (state.x, state.y), self.n
        found = [np.full(1 << self.k, -_PRIZE * self.discount ** (out - 1 - state.x))]
        for rock, (x, y) in enumerate(self.rocks):
            if not state.sampled >> rock & 1:
                there = self.discount ** (abs(cell[0] - x) + abs(cell[1] - y))
                then = self.discount ** (1 + out - 1 - x) * _PRIZE
                found.append(-there * (np.where(self._good[rock], _PRIZE, -_PRIZE) + then))
        return found

    def in_words(self, part: Part, value: Any) -> str:
        """Return the good rocks, by their numbers; or the rover's cell and what a check showed."""
        if part == "control":
            return value if isinstance(value, str) else f"check {value[1]}"
        if part == "parameter":
            good = [str(rock) for rock in range(self.k) if value >> rock & 1]
            return f"good {' '.join(good)}" if good else "all bad"
        cell = "out" if value.x == self.n else f"({value.x}, {value.y})"
        return cell if value.seen is None else f"{cell}, {value.seen}"

    @cached_property
    def _tours(self) -> Tours:
        return Tours(self.n, self.rocks, _PRIZE, self.discount)

    @cached_property
    def _good(self) -> NDArray[np.bool_]:
        """Whether each rock is good: bool [rocks, parameters]."""
        good: NDArray[np.bool_] = np.arange(1 << self.k) >> np.arange(self.k)[:, None] & 1 == 1
        return good

    @cached_property
    def _places(self) -> dict[Cell, int]:
        return {cell: i for i, cell in enumerate(self.rocks)}

    def _rock_at(self, state: Rover) -> int | None:
        rock = self._places.get((state.x, state.y))
        return None if rock is None or state.sampled >> rock & 1 else rock

    def _moved(self, state: Rover, control: str) -> Rover:
        if control == "sample":
            rock = self._rock_at(state)
            assert rock is not None, "there is nothing to sample"
            return Rover(state.x, state.y, state.sampled | 1 << rock, None)
        dx, dy = _STEPS[control]
        return Rover(state.x + dx, state.y + dy, state.sampled, None)

    def _accuracy(self, state: Rover, control: tuple[str, int]) -> float:
        return accuracy((state.x, state.y), self.rocks[control[1]], self.half_distance)

"""Navigation in one of several mazes: a multi-environment Markov decision process."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sleuth.planning.control import ListedControl, Part, check_problem
from sleuth.planning.problems.mazes import STEPS, Cell, Maze, draw_mazes
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_range
from sleuth.support.specification import check_options

_MOST = 1000


@dataclass(frozen=True)
class Navigation(ListedControl):
    """From one corner of a grid to the other, at cost 1 a step; which of some mazes it is, is unknown.

    The mazes, drawn by the seed, are the parameters: they differ in walls, which stop a step, and in
    slippery cells, where a step goes to its left or right with probability `slip`, equally likely. Only the
    cell is seen. Known answer: with one environment and no slip, a shortest path.

    Attributes:
        size: cells a side, 2 or more.
        environments: how many mazes.
        walls, slippery: shares of the cells, in [0, 1).
        slip: in [0, 1].
        discount: what a cost counts one stage later.
        horizon: steps at most; None to go on until the goal.
        seed: of the mazes.

    """

    size: int = 4
    environments: int = 4
    walls: float = 0.25
    slippery: float = 0.25
    slip: float = 0.4
    discount: float = 0.95
    horizon: int | None = None
    seed: int = 0
    initial_state = (0, 0)

    def __post_init__(self) -> None:
        check_options(self)
        if self.size < 2 or self.environments < 1:
            raise SleuthError(f"{self.environments} mazes of {self.size} a side: 1 or more, of 2 or more")
        check_range(self, "size", "environments", most=_MOST)
        if not (0 <= self.walls < 1 and 0 <= self.slippery < 1 and 0 <= self.slip <= 1):
            raise SleuthError("walls and slippery lie in [0, 1), slip in [0, 1]")
        check_problem(self)

    @cached_property
    def parameters(self) -> Sequence[Maze]:  # type: ignore[override]
        """The mazes. Raises SleuthError where there are too few."""
        return draw_mazes(self.size, self.environments, self.walls, self.slippery, self.seed)

    def controls(self, state: Hashable) -> Sequence[str]:
        return tuple(STEPS)

    def is_terminal(self, state: Hashable) -> bool:
        return state == (self.size - 1, self.size - 1)

    def cost(self, state: Hashable, parameter: Maze, control: str, after: Hashable) -> float:
        return 1.0

    def outcomes(self, state: Hashable, parameter: Maze, control: str) -> Sequence[tuple[float, Cell]]:
        assert isinstance(state, tuple)
        dx, dy = STEPS[control]
        astray = self.slip if state in parameter.slippery else 0.0
        found: dict[Cell, float] = {}
        for step, probability in (((dx, dy), 1 - astray), ((dy, dx), astray / 2), ((-dy, -dx), astray / 2)):
            to = parameter.step(state, step)
            if probability > 0:
                found[to] = found.get(to, 0.0) + probability
        return [(probability, to) for to, probability in found.items()]

    def in_words(self, part: Part, value: Any) -> str:
        """Return mazes by their numbers, from 1, since their walls are many."""
        return f"maze {self.parameters.index(value) + 1}" if part == "parameter" else str(value)

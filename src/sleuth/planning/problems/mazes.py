"""Mazes on a grid, drawn at random: cells that are walls, and cells that are slippery."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_seed

Cell = tuple[int, int]

STEPS: dict[str, Cell] = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
"""The directions, as steps (x, y)."""
_TRIES = 1000


class Maze(NamedTuple):
    """The cells (x, y) of a grid that cannot be entered, and those where a step may go astray."""

    size: int
    walls: frozenset[Cell]
    slippery: frozenset[Cell]

    def step(self, cell: Cell, step: Cell) -> Cell:
        """Return where a step leads: where it was, against a wall or the border."""
        to = cell[0] + step[0], cell[1] + step[1]
        inside = 0 <= to[0] < self.size and 0 <= to[1] < self.size
        return to if inside and to not in self.walls else cell

    def reached(self) -> set[Cell]:
        """Return the cells that can be reached from (0, 0)."""
        seen = {(0, 0)}
        todo = [(0, 0)]
        while todo:
            cell = todo.pop()
            for step in STEPS.values():
                to = self.step(cell, step)
                if to not in seen:
                    seen.add(to)
                    todo.append(to)
        return seen


def draw_mazes(size: int, count: int, walls: float, slippery: float, seed: int) -> list[Maze]:
    """Return so many different mazes in which the far corner can be reached from (0, 0).

    walls, slippery: shares of the cells. Neither corner is a wall. Raises SleuthError where there seem to be
    too few such mazes.
    """
    check_seed(seed)
    rng = Random(f"mazes/{seed}")
    corners = {(0, 0), (size - 1, size - 1)}
    cells = [(x, y) for x in range(size) for y in range(size)]
    found: list[Maze] = []
    for _ in range(_TRIES * count):
        closed = frozenset(cell for cell in cells if rng.random() < walls and cell not in corners)
        wet = frozenset(cell for cell in cells if rng.random() < slippery and cell not in closed)
        maze = Maze(size, closed, wet)
        if maze not in found and (size - 1, size - 1) in maze.reached():
            found.append(maze)
            if len(found) == count:
                return found
    raise SleuthError(f"{count} different mazes of {size} x {size} that can be crossed were not found")

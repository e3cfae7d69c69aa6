"""Search: objects hidden in the cells of a grid, and a sensor that errs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np

from sleuth.planning.control import ListedControl, Part, Weights, check_problem
from sleuth.support.errors import SleuthError
from sleuth.support.specification import check_options

_MOST_PARAMETERS = 10**6


class Search(NamedTuple):
    """What is seen: the cell where the searcher is, the cells of the objects found, and the last result.

    The cell is 0 throughout where travel costs nothing. The last result is "found", "nothing" or
    "false alarm", and None at first.
    """

    cell: int
    found: frozenset[int]
    seen: str | None


@dataclass(frozen=True)
class HiddenObjects(ListedControl):
    """Objects in different cells of a grid, to be found at the least cost; play ends when all are.

    A control is the cell that is looked into, at cost 1 and the travel to it. An object there is found with
    probability `detection`. A cell without one raises a false alarm with probability `false_alarm`; it is
    examined at once, at cost 1 more, which shows that nothing is there. The parameter is the set of the
    objects' cells. Cells are numbered row by row; the searcher begins in cell 0.

    Known answer: with one object, free travel and no false alarms, always look where an object is most
    likely (Blackwell; Bayes' rule after every miss), at any horizon.

    Attributes:
        width, height: cells of the grid.
        objects: hidden, fewer than cells or as many.
        detection: in (0, 1].
        false_alarm: in [0, 1].
        travel: the cost of a step from cell to cell (the Manhattan distance counts).
        weights: how likely each cell is to hold an object, in proportion; equally, where empty.
        horizon: looks at most; None to go on until all is found.
        discount: what a cost counts one stage later.

    """

    width: int = 3
    height: int = 3
    objects: int = 1
    detection: float = 0.8
    false_alarm: float = 0.0
    travel: float = 0.0
    weights: tuple[float, ...] = ()
    horizon: int | None = None
    discount: float = 1.0

    def __post_init__(self) -> None:
        check_options(self)
        cells = self.width * self.height
        if min(self.width, self.height) < 1 or not 1 <= self.objects <= cells:
            raise SleuthError(f"a grid of {self.width} x {self.height} does not hide {self.objects} objects")
        if cells > _MOST_PARAMETERS or comb(cells, self.objects) > _MOST_PARAMETERS:
            raise SleuthError(
                f"{self.objects} objects in {cells} cells may lie in more than {_MOST_PARAMETERS} ways"
            )
        if not 0 < self.detection <= 1 or not 0 <= self.false_alarm <= 1:
            raise SleuthError("detection lies in (0, 1], false_alarm in [0, 1]")
        if self.travel < 0:
            raise SleuthError(f"travel costs nothing or more, not {self.travel}")
        if self.weights and (len(self.weights) != cells or min(self.weights) <= 0):
            raise SleuthError(f"the weights are {cells} numbers above zero, one for each cell")
        check_problem(self)

    @cached_property
    def parameters(self) -> Sequence[frozenset[int]]:  # type: ignore[override]
        """All sets of cells that may hold the objects."""
        return [frozenset(cells) for cells in combinations(range(self.width * self.height), self.objects)]

    @cached_property
    def prior(self) -> Weights:
        """The products of the cells' weights, in proportion."""
        weights = self.weights or (1.0,) * (self.width * self.height)
        found = np.array([prod(weights[cell] for cell in cells) for cells in self.parameters])
        shares: Weights = found / found.sum()
        return shares

    initial_state = Search(0, frozenset(), None)

    def controls(self, state: Hashable) -> Sequence[int]:
        """Return the cells where no object was found."""
        assert isinstance(state, Search)
        return [cell for cell in range(self.width * self.height) if cell not in state.found]

    def is_terminal(self, state: Hashable) -> bool:
        assert isinstance(state, Search)
        return len(state.found) == self.objects

    def cost(self, state: Hashable, parameter: frozenset[int], control: int, after: Hashable) -> float:
        assert isinstance(state, Search)
        assert isinstance(after, Search)
        (y, x), (to_y, to_x) = (divmod(cell, self.width) for cell in (state.cell, control))
        steps = abs(x - to_x) + abs(y - to_y)
        return 1 + self.travel * steps + (after.seen == "false alarm")

    def outcomes(
        self, state: Hashable, parameter: frozenset[int], control: int
    ) -> Sequence[tuple[float, Search]]:
        assert isinstance(state, Search)
        to = control if self.travel else 0
        nothing = Search(to, state.found, "nothing")
        if control in parameter:
            found = Search(to, state.found | {control}, "found")
            return [(self.detection, found), (1 - self.detection, nothing)]
        alarm = Search(to, state.found, "false alarm")
        return [(1 - self.false_alarm, nothing), (self.false_alarm, alarm)]

    def in_words(self, part: Part, value: Any) -> str:
        """Return cells by their numbers, and what the last look showed."""
        if part == "control":
            return f"look into {value}"
        if part == "parameter":
            return f"in {_listed(value)}"
        words = [value.seen or "nothing yet"]
        if value.found and self.objects > 1:
            words.append(f"found in {_listed(value.found)}")
        if self.travel:
            words.append(f"at {value.cell}")
        return ", ".join(words)


def _listed(cells: frozenset[int]) -> str:
    return " ".join(map(str, sorted(cells)))

"""The best way of a rover that knows which rocks are good: RockSample with perfect information."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sleuth.planning.control import Weights
from sleuth.planning.problems.rock_layouts import Cell


@dataclass(frozen=True)
class Tours:
    """The most reward for each cell and set of good rocks; what was worked out is remembered.

    Nothing hinders a straight way, so the only question is which good rock comes next, or the way out.
    Sets of rocks are bit masks.

    Attributes:
        n: cells a side; the way out is in the east.
        rocks: their cells.
        prize: for a good rock, and for the way out.
        discount: what a reward is worth one step later.

    """

    n: int
    rocks: tuple[Cell, ...]
    prize: float
    discount: float
    _known: dict[Cell, Weights] = field(default_factory=dict, init=False, repr=False, compare=False)

    def values(self, cell: Cell) -> Weights:
        """Return the most reward from a cell on, for each set of rocks worth sampling: float64 [sets]."""
        if cell not in self._known:
            sets = np.arange(1 << len(self.rocks))
            best = np.full(len(sets), self._out(cell))
            for j, rock in enumerate(self.rocks):
                having = sets[sets >> j & 1 == 1]
                then = self.prize + self.discount * self._at_rocks[j, having ^ 1 << j]
                best[having] = np.maximum(best[having], self._way(cell, rock) * then)
            self._known[cell] = best
        return self._known[cell]

    @cached_property
    def _at_rocks(self) -> Weights:
        """What values() returns for the cell of each rock, float64 [rocks, sets]; smaller sets first."""
        numbers = range(len(self.rocks))
        outs = np.array([self._out(rock) for rock in self.rocks])
        ways = np.array([[self._way(cell, rock) for rock in self.rocks] for cell in self.rocks])
        values = np.repeat(outs[:, None], 1 << len(self.rocks), axis=1)
        for mask in range(1, values.shape[1]):
            good = [j for j in numbers if mask >> j & 1]
            then = self.prize + self.discount * values[good, [mask ^ 1 << j for j in good]]
            values[:, mask] = np.maximum(outs, (ways[:, good] * then).max(axis=1))
        return values

    def _out(self, cell: Cell) -> float:
        return self.discount ** (self.n - 1 - cell[0]) * self.prize

    def _way(self, cell: Cell, rock: Cell) -> float:
        return float(self.discount ** (abs(cell[0] - rock[0]) + abs(cell[1] - rock[1])))

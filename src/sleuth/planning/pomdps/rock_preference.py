"""What rollouts of RockSample prefer (after Silver and Veness 2010): rocks that are likely good, and the way out."""

from __future__ import annotations

from ast import literal_eval
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sleuth.planning.control import Weights
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.problems.rock_layouts import Cell, layout


@dataclass(frozen=True, eq=False)
class RockPreference:
    """Rollouts go towards rocks that are likely good by the belief of the decision, sample them, and go east.

    Their history is that belief; Silver and Veness count checks instead. Samples without a rock and steps
    against a wall are left out of the tree.

    Attributes:
        modelled: of rocksample_pomdp(n, k, seed=seed).
        n, k, seed: as there.

    """

    modelled: ModelledPomdp
    n: int
    k: int
    seed: int = 0

    def __call__(self, part: int, belief: Weights) -> Weights:
        """Return how likely a rollout takes each choice, float64 [choices]."""
        masks = np.array([state[1] for state in map(self._state, self.modelled.parts.members[part])])
        good = np.array([belief[masks >> rock & 1 == 1].sum() for rock in range(self.k)])
        fits = self._towards @ (good > 1 / 2) > 0
        return np.where(self._useless, -1.0, np.maximum(self._east, fits))

    def _state(self, number: int) -> tuple[Cell, int]:
        cell, mask = literal_eval(self.modelled.pomdp.states[number])
        return (self.n, 0) if cell == "out" else cell, mask

    @cached_property
    def _steps(self) -> list[tuple[Cell, str]]:
        """Of each choice the cell, and the name of its action."""
        parts, pomdp = self.modelled.parts, self.modelled.pomdp
        cells = [self._state(int(states[0]))[0] for states in parts.members]
        of = np.repeat(np.arange(len(cells)), np.diff(parts.layout.choice)).tolist()
        return [(cells[part], pomdp.actions[action]) for part, action in zip(of, parts.actions.tolist(), strict=True)]

    @cached_property
    def _east(self) -> Weights:
        return np.array([float(name == "east" or cell[0] == self.n) for cell, name in self._steps])

    @cached_property
    def _towards(self) -> Weights:
        """Whether each choice leads to a rock or samples it, float64 [choices, rocks]."""
        rocks = layout(self.n, self.k, self.seed)
        found = np.zeros((len(self._steps), self.k))
        for row, ((x, y), name) in zip(found, self._steps, strict=True):
            for rock, (at, high) in enumerate(rocks):
                there = {"north": high > y, "south": high < y, "east": at > x, "west": at < x}
                row[rock] = (at, high) == (x, y) if name == "sample" else there.get(name, False)
        return found

    @cached_property
    def _useless(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        rocks = set(layout(self.n, self.k, self.seed))
        walls = {"west": (0, 0), "south": (1, 0), "north": (1, self.n - 1)}
        return np.array(
            [
                cell not in rocks if name == "sample" else name in walls and cell[walls[name][0]] == walls[name][1]
                for cell, name in self._steps
            ]
        )

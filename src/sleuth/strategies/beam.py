"""Beam search: near-optimal play in a tenth of a second, by the bounds that exact play is proven with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sleuth.errors import StrategyError
from sleuth.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.position import Position
from sleuth.proof.objective import Objective
from sleuth.proof.solver import Solver
from sleuth.ranges import MOST_MEMORY, check_range
from sleuth.strategies.base import BatchStrategy, Suggestion, describe

_MEGABYTE = 2**20


@lru_cache(maxsize=2)
def _solver(game: Game, megabytes: int) -> Solver:
    """Return the solver of a game, whose table serves all of its positions; the last two are kept."""
    return Solver(game, Objective(), megabytes * _MEGABYTE)


@dataclass(frozen=True)
class Beam(BatchStrategy):
    """Follow the most promising guesses to the end of the game, and take the best.

    In every set the guesses are bounded from below by one scan, as in exact play; of so many `looked` at, the
    classes are bounded too, and the `width` best by that are followed, half as many of them one turn later.
    Where bounds show that no other guess is better, the search of a set ends: what is found there is optimal.
    The turns of the game are kept to where some guess followed does.

    Attributes:
        width: guesses followed in a set.
        looked: guesses whose classes are bounded.
        memory: MiB for the table of bounds.

    """

    width: int = 4
    looked: int = 8
    memory: int = 256
    name: ClassVar[str] = "beam"

    def __post_init__(self) -> None:
        check_range(self, "width", "looked", "memory", least=1, error=StrategyError)
        check_range(self, "memory", most=MOST_MEMORY, error=StrategyError)

    @property
    def stationary(self) -> bool:
        return False

    def best(self, frontier: Frontier, k: int) -> Indices:
        return self.weigh(frontier, k)[0]

    def weigh(self, frontier: Frontier, k: int) -> tuple[Indices, NDArray[np.float64]]:
        """Return the k best guesses of each set, and the mean of guesses that each takes, [sets, k].

        Where there are fewer, the guess is -1 and the mean infinite: no more than `looked` are compared.
        """
        from sleuth.kernels.search import INFINITE, UNLIMITED

        solver = _solver(frontier.game, self.memory)
        every = len(frontier.game.guesses)
        width, looked = min(self.width, every), min(self.looked, every)
        guesses, totals = solver.beam(frontier, width, looked, k)
        lost = np.flatnonzero(totals[:, 0] >= INFINITE)
        if len(lost):  # play goes on after the turns
            guesses[lost], totals[lost] = solver.beam(frontier.take(lost), width, looked, k, int(UNLIMITED))
        weights = np.add.reduceat(solver.weights[frontier.candidates], frontier.starts[:-1])[:, None]
        means = np.where(totals < INFINITE, totals / np.maximum(weights, 1), np.inf)
        return guesses, means

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guesses found, best first, with what the best strategy found takes after each."""
        guesses, means = self.weigh(Frontier.of(position), limit)
        found = guesses[0] >= 0
        return describe(position, guesses[0, found], means[0, found], "search")

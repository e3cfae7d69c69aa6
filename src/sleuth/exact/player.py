"""The strategy that a solver has found, as a strategy."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from sleuth.exact.solver import Solver
from sleuth.games.frontier import Frontier, Indices
from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion, describe
from sleuth.support.errors import StrategyError


class OptimalPlayer:
    """Plays what a solver finds best, within so many turns of a position; on without a limit after them."""

    name: ClassVar[str] = "exact"

    def __init__(self, solver: Solver, turn: int, turns: int) -> None:
        """Play from turn number `turn` on, with so many turns left there."""
        self.solver = solver
        self.last_turn = turn + turns - 1

    def choose(self, position: Position) -> int:
        """Return the guess of an optimal strategy."""
        from sleuth.kernels.search.records import UNLIMITED

        if len(position.candidates) == 1:
            return int(position.game.answer_guess[position.candidates[0]])
        left = self.last_turn - position.turn + 1
        guess = self.solver.bound(position, left).guess if left > 0 else -1
        return guess if guess >= 0 else self.solver.bound(position, int(UNLIMITED)).guess

    def choose_all(self, frontier: Frontier) -> Indices:
        """Return the guess of every set, int32 [sets]. Raises StrategyError where none is of use."""
        guesses = [self.choose(position) for position in frontier.positions()]
        if min(guesses) < 0:
            raise StrategyError("no strategy finds every answer")
        return np.array(guesses, np.int32)

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guess with its numbers."""
        return describe(position, np.array([self.choose(position)], np.int32))[:limit]

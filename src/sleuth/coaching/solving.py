"""The solver behind all that is counted of a position.

Lost games count the same everywhere, and of guesses that tie the same one is named everywhere.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import numpy as np

from sleuth.coaching.losses import lost_counts_as
from sleuth.exact.objective import Objective
from sleuth.exact.solver import Bound, Solver
from sleuth.exact.solvers import searching
from sleuth.exact.strategy import Exact
from sleuth.games.position import Position
from sleuth.games.priors import uniform

_MEMORY = 256 * 2**20


def evened(position: Position) -> Position:
    """Return the position with even weights where no candidate has any, else as it is."""
    game = position.game
    if game.prior[position.candidates].sum() > 0:
        return position
    even = game.with_answers(position.words, uniform(len(position.candidates)))
    return replace(position, game=even, candidates=np.arange(len(even.answers), dtype=np.int32))


def least_total(solver: Solver, position: Position, turns: int) -> Bound:
    """Return what is known of the least total of a position, and the guess that has it, -1 where any has."""
    if len(position.candidates) == 1:
        # A frontier lists no legal guess for a lone answer: its guess is forced.
        position = replace(position, legal=None)
    left = max(0, turns)
    found = solver.bound(position, left)
    # Where no legal guess tells the candidates apart, the game is lost.
    lost = (left + solver.leftover) * int(solver.weights[position.candidates].sum())
    return found if found.lower <= lost else Bound(lost, lost)


def searching_of(position: Position, seconds: float | None) -> AbstractContextManager[Solver]:
    """Lend the solver of reviews to one thread, until the time is up; lost games count as lost_counts_as."""
    objective = Objective(penalty=lost_counts_as(position.game))
    return searching("review", position, _MEMORY, objective, seconds)


@dataclass(frozen=True)
class Counted(Exact):
    """Exact play by the solver of reviews, for positions that have a turn left."""

    def _solving(self, position: Position, seconds: float | None) -> AbstractContextManager[Solver]:
        return searching_of(position, seconds)

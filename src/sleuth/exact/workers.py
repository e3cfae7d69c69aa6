"""Who does the work of a proof, and what is done first: threads that share one table of bounds."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sleuth.exact.cores import TURNS
from sleuth.exact.proof import IMPOSSIBLE
from sleuth.exact.solver import Bound, Solver
from sleuth.games.position import Position


class Workers(Protocol):
    """Anything that bounds openers of one position; guesses are indices into the game's."""

    count: int
    """How many pieces of work are done at once."""

    def sweep(self, guesses: NDArray[np.int32], turns: int, limit: int) -> Future[NDArray[np.int64]]:
        """Bound openers by what is quick, as far as it takes to reach limit: see refute_or_sweep."""

    def solve(self, guess: int, turns: int, limit: int) -> Future[Bound]:
        """Bound an opener: exactly when it costs less than limit."""

    def stop(self) -> None:
        """Give up what is under way; it returns what is known so far."""

    def close(self) -> None:
        """Let the workers go."""

    def nodes(self) -> int:
        """Return how many sets were searched."""


def refute_or_sweep(
    solver: Solver, position: Position, guesses: NDArray[np.int32], turns: int, limit: int
) -> NDArray[np.int64]:
    """Return lower bounds of guesses as Solver.sweep does; those that do not lead to all answers come first.

    That is asked within few turns (cores.py) where nothing is known that a guess may cost more than. It rests
    on more than scans, so that certificates and records of bounds do without. Given no guesses, it has the
    kernels compiled.
    """
    refuter = solver.refuter if limit >= IMPOSSIBLE and turns in TURNS else None
    if refuter is None:
        return solver.sweep(position, guesses, turns, limit)
    if not len(guesses):
        refuter.prepare()
        return solver.sweep(position, guesses, turns, limit)
    rows = solver.rows_of(position)
    left = np.array([not refuter.refutes(rows, c, turns) for c in solver.column_of[guesses]])
    out = np.full(len(guesses), IMPOSSIBLE)
    if left.any():
        out[left] = solver.sweep(position, guesses[left], turns, limit)
    return out


class Threads:
    """Threads of this process."""

    def __init__(self, solver: Solver, position: Position, count: int) -> None:
        self.count = count
        self.solver = solver
        self.position = position
        self._prepare()
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="proof")

    def _prepare(self) -> None:
        """Have the kernels compiled here, where Ctrl-C ends it, and not by the threads."""
        position, solver = self.position, self.solver
        none = np.zeros(0, np.int32)
        few = TURNS[0] if solver.objective.kind == "worst" else 1
        refute_or_sweep(solver, position, none, few, IMPOSSIBLE)
        solver.bound(replace(position, candidates=position.candidates[:1]), 1)

    def sweep(self, guesses: NDArray[np.int32], turns: int, limit: int) -> Future[NDArray[np.int64]]:
        return self._pool.submit(refute_or_sweep, self.solver, self.position, guesses, turns, limit)

    def solve(self, guess: int, turns: int, limit: int) -> Future[Bound]:
        return self._pool.submit(self.solver.bound, self.position, turns, limit, guess)

    def stop(self) -> None:
        self.solver.stop()

    def close(self) -> None:
        self.solver.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self.solver.resume()

    def nodes(self) -> int:
        return self.solver.nodes

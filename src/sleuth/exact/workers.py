"""Who does the work of a proof: threads that share one table of bounds."""

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
        """Bound openers by one scan of each of their classes, as far as it takes to reach limit."""

    def solve(self, guess: int, turns: int, limit: int) -> Future[Bound]:
        """Bound an opener: exactly when it costs less than limit."""

    def stop(self) -> None:
        """Give up what is under way; it returns what is known so far."""

    def close(self) -> None:
        """Let the workers go."""

    def nodes(self) -> int:
        """Return how many sets were searched."""


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
        solver.sweep(position, none, 1, 0)
        if solver.objective.kind == "worst":
            solver.sweep(position, none, TURNS[0], IMPOSSIBLE)
        solver.bound(replace(position, candidates=position.candidates[:1]), 1)

    def sweep(self, guesses: NDArray[np.int32], turns: int, limit: int) -> Future[NDArray[np.int64]]:
        return self._pool.submit(self.solver.sweep, self.position, guesses, turns, limit)

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

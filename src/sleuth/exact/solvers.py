"""The solvers that are kept for positions to come: one cache, with one budget of memory.

A solver's table of bounds serves all positions of its game. What one user writes there may change what a
heuristic one finds first, so each has its own.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock, RLock, Timer
from typing import NamedTuple

from sleuth.exact.objective import Objective
from sleuth.exact.solver import Solver
from sleuth.games.game import Game
from sleuth.games.position import Position

BUDGET = 2**30
"""Bytes that the tables of the solvers kept may take together; the one asked for last is kept in any case."""


class _Key(NamedTuple):
    user: str
    game: Game
    objective: Objective
    memory: int


class _Entry(NamedTuple):
    solver: Solver
    lock: RLock


_kept: OrderedDict[_Key, _Entry] = OrderedDict()
_lock = Lock()


def _forget() -> None:
    """Begin with no solvers, as a forked process must: a lock may have been held by a thread it lacks."""
    global _lock
    _lock = Lock()
    _kept.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def solver_of(user: str, game: Game, memory: int, objective: Objective | None = None) -> Solver:
    """Return the solver that a user has of a game, for searches that nothing stops but Ctrl-C.

    memory: bytes for its table. objective: the mean unless given. Raises SleuthError.
    """
    return _entry(_Key(user, game, Objective() if objective is None else objective, memory)).solver


@contextmanager
def searching(
    user: str, position: Position, memory: int, objective: Objective, seconds: float | None = None
) -> Iterator[Solver]:
    """Lend the solver that a user has of a position's game to one thread, until the time is up.

    It counts in weights fit for the position's candidates (Solver.serving), and says whether it was
    `stopped`. Other threads wait. Raises SleuthError.
    """
    kept, lock = _entry(_Key(user, position.game, objective, memory))
    with lock:
        solver = kept.serving(position)
        if solver.nodes == 0:
            # Kernels are compiled or loaded now, at no cost to the time of a search.
            start = Position.start(position.game)
            solver.bound(replace(start, candidates=start.candidates[:3]))
        if seconds is None:
            yield solver
            return
        timer = Timer(seconds, solver.stop)
        timer.start()
        try:
            yield solver
        finally:
            timer.cancel()
            timer.join()
            solver.resume()


def _entry(key: _Key) -> _Entry:
    with _lock:
        entry = _kept.pop(key, None)
        if entry is None:
            entry = _Entry(Solver(key.game, key.objective, key.memory), RLock())
        _kept[key] = entry
        while len(_kept) > 1 and sum(other.memory for other in _kept) > BUDGET:
            _kept.popitem(last=False)
        return entry

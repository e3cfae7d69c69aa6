"""The solvers that are kept for positions to come: one cache, with one budget of memory.

A solver's table of bounds serves all positions of its game. What one user writes there may change what a
heuristic one finds first, so each has its own.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, RLock, Thread
from typing import NamedTuple

from sleuth.exact.objective import Objective
from sleuth.exact.solver import Solver
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.kernels.compiling import seconds_worked

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
        with stopped_after(solver, seconds):
            yield solver


@contextmanager
def lent(user: str, game: Game, memory: int, seconds: float) -> Iterator[Solver]:
    """Lend the solver that a user has of a game, for the mean, to one thread until the time is up."""
    solver, lock = _entry(_Key(user, game, Objective(), memory))
    with lock, stopped_after(solver, seconds):
        yield solver


@contextmanager
def stopped_after(solver: Solver, seconds: float | None) -> Iterator[None]:
    """Stop the searches of a solver when the time is up; None is no limit. Compiling kernels takes none."""
    if seconds is None:
        yield
        return
    end = seconds_worked() + seconds
    ended = Event()

    def watch() -> None:
        while (left := end - seconds_worked()) > 0:
            if ended.wait(left):
                return
        solver.stop()

    watching = Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        ended.set()
        watching.join()
        solver.resume()


def _entry(key: _Key) -> _Entry:
    with _lock:
        entry = _kept.pop(key, None)
        if entry is None:
            entry = _Entry(Solver(key.game, key.objective, key.memory), RLock())
        for other in [other for other in _kept if other.game.is_part and other.game is not key.game]:
            del _kept[other]  # a part of a large game is done with, and its matrix is large
        _kept[key] = entry
        while len(_kept) > 1 and sum(other.memory for other in _kept) > BUDGET:
            _kept.popitem(last=False)
        return entry

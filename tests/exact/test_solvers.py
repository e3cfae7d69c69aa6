"""The solvers that are kept: one budget, lent to one thread at a time, stopped when the time is up."""

import os
import threading

import numpy as np
import pytest

from sleuth.exact import solvers
from sleuth.exact.objective import Objective
from sleuth.exact.solvers import searching, solver_of
from sleuth.games.pegs import mastermind
from sleuth.games.position import Position

GAME = mastermind(2, 3)
MEBIBYTE = 2**20


@pytest.fixture(autouse=True)
def none_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "_kept", type(solvers._kept)())


def test_each_user_has_its_own_and_gets_it_again() -> None:
    first = solver_of("beam", GAME, MEBIBYTE)
    assert solver_of("beam", GAME, MEBIBYTE) is first
    assert solver_of("avts", GAME, MEBIBYTE) is not first
    assert solver_of("beam", GAME, MEBIBYTE, Objective("worst")) is not first
    assert solver_of("beam", mastermind(2, 3), MEBIBYTE) is first  # an equal game
    assert solver_of("beam", mastermind(2, 4), MEBIBYTE) is not first


def test_the_tables_kept_stay_within_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "BUDGET", 3 * MEBIBYTE)
    a, b = solver_of("a", GAME, MEBIBYTE), solver_of("b", GAME, MEBIBYTE)
    solver_of("a", GAME, MEBIBYTE)
    solver_of("c", GAME, 2 * MEBIBYTE)  # b, asked for longest ago, makes room
    assert solver_of("a", GAME, MEBIBYTE) is a
    assert solver_of("b", GAME, MEBIBYTE) is not b
    big = solver_of("big", GAME, 9 * MEBIBYTE)
    assert solver_of("big", GAME, 9 * MEBIBYTE) is big


def test_one_thread_is_not_stopped_by_the_time_of_another() -> None:
    start, stopped = Position.start(GAME), []
    first_in, second_asks = threading.Event(), threading.Event()

    def first() -> None:
        with searching("x", start, MEBIBYTE, Objective(), 0.02) as solver:
            first_in.set()
            second_asks.wait(300)
            while not solver.stopped:
                pass

    def second() -> None:
        first_in.wait(300)
        second_asks.set()
        with searching("x", start, MEBIBYTE, Objective(), 1000) as solver:
            stopped.append(solver.stopped)
            assert solver.bound(start).exact

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert stopped == [False]


def test_a_prior_too_wide_is_counted_for_the_position() -> None:
    alike = GAME.feedback[0] == GAME.feedback[0, 1]
    prior = np.where(alike, 1e-30, 1.0)
    game = GAME.with_prior(prior / prior.sum())
    position = Position.start(game).after(0, int(GAME.feedback[0, 1]))
    assert not solver_of("x", game, MEBIBYTE).weights[position.candidates].any()
    with searching("x", position, MEBIBYTE, Objective(), 1000) as solver:
        assert solver.weights[position.candidates].all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_fork_does_not_inherit_locks() -> None:
    start = Position.start(GAME)
    with searching("x", start, MEBIBYTE, Objective(), 1000):
        child = os.fork()
        if child == 0:
            os._exit(0 if not solvers._kept and solvers._lock.acquire(timeout=60) else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

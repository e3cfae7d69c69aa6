"""Worker processes: ended with what they are lent to, and by nothing else."""

import os
import time
import warnings
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_all_start_methods, get_context
from operator import add

import pytest

from sleuth.support.parallel import map_threads
from sleuth.support.processes import processes


def test_work_is_done_elsewhere() -> None:
    with processes(2) as pool:
        found = [pool.submit(add, 2, 3), pool.submit(os.getpid)]
    assert found[0].result() == 5
    assert found[1].result() != os.getpid()
    assert not active_children()


@pytest.mark.skipif("fork" not in get_all_start_methods(), reason="this system has no fork")
def test_a_fork_has_threads_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """It inherits the pool of threads, and none of the threads."""
    monkeypatch.setenv("SLEUTH_THREADS", "2")
    map_threads(time.sleep, [0.01] * 8)  # which takes all threads there may be
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forks beside threads
        child = get_context("fork").Process(target=map_threads, args=(abs, [-1, -2]))
        child.start()
    child.join(60)
    code = child.exitcode
    child.kill()
    assert code == 0


def given_up() -> None:
    with processes(1) as pool:
        pool.submit(os.getpid).result()
        pool.submit(time.sleep, 1000)
        raise KeyboardInterrupt


def test_an_exception_ends_work_under_way() -> None:
    with pytest.raises(KeyboardInterrupt):
        given_up()
    for child in active_children():
        child.join()  # would take the thousand seconds


def test_a_worker_that_dies_is_told_of() -> None:
    with pytest.raises(BrokenProcessPool), processes(1) as pool:
        pool.submit(os._exit, 1).result()

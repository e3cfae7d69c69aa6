"""Worker processes: ended with what they are lent to, and by nothing else."""

import os
import time
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children
from operator import add

import pytest

from sleuth.support.processes import processes


def test_work_is_done_elsewhere() -> None:
    with processes(2) as pool:
        found = [pool.submit(add, 2, 3), pool.submit(os.getpid)]
    assert found[0].result() == 5
    assert found[1].result() != os.getpid()
    assert not active_children()


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

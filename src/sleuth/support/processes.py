"""Worker processes of this machine, for work that holds the interpreter lock or measures its own time."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import TypeVar

from sleuth.support.errors import SleuthError

R = TypeVar("R")


class DiedError(SleuthError):
    """A worker process has died, whatever it did."""


@contextmanager
def processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Lend so many processes as an executor of functions; an exception within ends them at once.

    They hear no Ctrl-C, which reaches every process of a terminal, and end where this process dies. One that
    dies, for lack of memory say, makes all futures raise BrokenProcessPool, see result_of.
    """
    before = set(active_children())
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_begin)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - before:
            child.terminate()
        raise
    pool.shutdown()


def result_of(future: Future[R]) -> R:
    """Return what a process returned. Raises what it raised, and DiedError."""
    try:
        return future.result()
    except BrokenProcessPool:
        raise DiedError(
            "a worker process has died; it may lack memory, or a script begins processes without"
            " if __name__ == '__main__'"
        ) from None


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr  # what is printed there is not among the results
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)

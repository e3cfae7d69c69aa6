"""Pieces of work on threads: kernels release the interpreter lock, so threads are enough."""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sleuth.support.errors import SleuthError

T = TypeVar("T")
R = TypeVar("R")

PIECES = 32
"""Pieces for each thread where work may take many seconds: on Ctrl-C those not begun are dropped."""
Stop = NDArray[np.uint8]
"""uint8 [1]: 1 when work under way is to end, whatever it has found."""
# Seconds that such work is waited for.
_PATIENCE = 1.0

_inside = threading.local()
_given_up: ContextVar[threading.Event | None] = ContextVar("given_up", default=None)


class GivenUp(BaseException):
    """What ends work on another thread that nobody waits for any more."""


@contextmanager
def until(given_up: threading.Event) -> Iterator[None]:
    """Within this, check_given_up and the next piece of map_threads raise GivenUp once the event is set."""
    token = _given_up.set(given_up)
    try:
        yield
    finally:
        _given_up.reset(token)


def check_given_up() -> None:
    """Raise GivenUp where the work that this is part of is given up."""
    event = _given_up.get()
    if event is not None and event.is_set():
        raise GivenUp


def thread_count() -> int:
    """Return how many threads to use: SLEUTH_THREADS, or the processors this process may run on."""
    asked = os.environ.get("SLEUTH_THREADS", "")
    if asked:
        if not asked.isdigit() or int(asked) == 0:
            raise SleuthError(f"SLEUTH_THREADS is {asked!r}; it takes a whole number from 1")
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="sleuth")


def _forget_threads() -> None:
    """Begin without pools, as a forked process must: it inherits those of its parent, and no threads."""
    _pool.cache_clear()
    _apart.cache_clear()
    vars(_inside).clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


def new_stop() -> Stop:
    """Return a mark that is not set."""
    return np.zeros(1, np.uint8)


def map_threads(function: Callable[[T], R], pieces: Iterable[T], stop: Stop | None = None) -> list[R]:
    """Return [function(piece) for piece in pieces], computed on threads, in order.

    Called from one of its own threads it computes in that thread, so that calls may nest. On Ctrl-C pieces
    that have not begun are dropped, and those under way end by themselves. stop: for pieces that may take
    long: set then, and they look at it.
    """
    work = list(pieces)
    threads = thread_count()

    def begun(piece: T) -> R:
        check_given_up()
        return function(piece)

    # The main thread hears of Ctrl-C only while it runs Python or waits.
    listens = stop is not None and threading.current_thread() is threading.main_thread()
    if getattr(_inside, "busy", False) or (not listens and (threads == 1 or len(work) < 2)):
        return [begun(piece) for piece in work]

    context = copy_context()  # what holds for the caller holds for its threads

    def marked(piece: T) -> R:
        _inside.busy = True
        try:
            return context.copy().run(begun, piece)
        finally:
            _inside.busy = False

    try:
        return list(_pool(threads).map(marked, work))
    except BaseException:
        if stop is not None:
            stop[0] = 1
        raise


def interruptible(function: Callable[[], R], stop: Callable[[], None], resume: Callable[[], None]) -> R:
    """Return what a function returns that may take long, and that `stop` makes return soon.

    It runs on a thread of its own where this is the main one, which hears of Ctrl-C only while it runs Python
    or waits. resume: takes stop back.
    """
    if threading.current_thread() is not threading.main_thread():
        return function()
    task = _apart().submit(copy_context().run, function)
    try:
        return task.result()
    except KeyboardInterrupt:
        stop()
        wait([task], _PATIENCE)
        resume()
        raise


@cache
def _apart() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(thread_name_prefix="sleuth-apart")


def even_slices(sizes: NDArray[np.int64], pieces: int) -> list[slice]:
    """Cut range(len(sizes)) into at most so many slices of about equal total size."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    marks = np.searchsorted(ends, np.arange(1, pieces) * (total / pieces)) + 1
    edges = np.unique(np.concatenate([[0], marks, [len(sizes)]])).tolist()
    return [slice(a, b) for a, b in pairwise(edges) if b <= len(sizes)]

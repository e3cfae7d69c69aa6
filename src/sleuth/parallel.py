"""Pieces of work on threads: kernels release the interpreter lock, so threads are enough."""

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sleuth.errors import SleuthError

T = TypeVar("T")
R = TypeVar("R")

_inside = threading.local()


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
    vars(_inside).clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


def map_threads(function: Callable[[T], R], pieces: Iterable[T]) -> list[R]:
    """Return [function(piece) for piece in pieces], computed on threads, in order.

    Called from one of its own threads it computes in that thread, so that calls may nest.
    """
    work = list(pieces)
    threads = thread_count()
    if threads == 1 or len(work) < 2 or getattr(_inside, "busy", False):
        return [function(piece) for piece in work]

    def marked(piece: T) -> R:
        _inside.busy = True
        try:
            return function(piece)
        finally:
            _inside.busy = False

    return list(_pool(threads).map(marked, work))


def even_slices(sizes: NDArray[np.int64], pieces: int) -> list[slice]:
    """Cut range(len(sizes)) into at most so many slices of about equal total size."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    marks = np.searchsorted(ends, np.arange(1, pieces) * (total / pieces)) + 1
    edges = np.unique(np.concatenate([[0], marks, [len(sizes)]])).tolist()
    return [slice(a, b) for a, b in pairwise(edges) if b <= len(sizes)]

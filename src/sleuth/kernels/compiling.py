"""When kernels are compiled: noticing it, and going without.

Compiling takes seconds. Whoever must answer at once says so with `compiled_only`, and hears by
NotCompiledError that a kernel is not there.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class NotCompiledError(Exception):
    """A kernel that is not compiled yet was called where nothing may be compiled."""


_only_compiled = ContextVar("_only_compiled", default=False)
_watchers: list[tuple[Callable[[], None], Callable[[], None]]] = []
_counters: list[Callable[[], None]] = []
_told: list[Callable[[str], None]] = []
_depth = 0
_prepared: tuple[float, float | None] = (0.0, None)
"""Seconds spent on kernels so far, and since when more are."""
_of_processor = False


@contextmanager
def compiled_only() -> Iterator[None]:
    """Within this, a kernel that is neither compiled nor on disk raises NotCompiledError.

    It holds for the thread that asks, and for the threads of support.parallel that work for it.
    """
    token = _only_compiled.set(True)
    try:
        yield
    finally:
        _only_compiled.reset(token)


def may_compile() -> bool:
    """Say whether kernels may be compiled here, which is not so within compiled_only."""
    return not _only_compiled.get()


def watch_compiling(begun: Callable[[], None], ended: Callable[[], None]) -> None:
    """Call back when this process begins to compile, or to wait for one that does, and when it has ended.

    Kernels that are compiled for another one belong to it. What comes from the disk does not count.
    """
    _watchers.append((begun, ended))


def on_first_compilation(callback: Callable[[], None]) -> Callable[[], None]:
    """Call back when a kernel is next compiled in this process; one from the disk cache is not.

    Returns what takes that back.
    """
    left = [callback]

    def begun() -> None:
        if left:
            left.pop()()

    watch_compiling(begun, lambda: None)
    return left.clear


def on_each(callback: Callable[[], None]) -> None:
    """Call back whenever a kernel, or what is compiled for it, has been compiled."""
    _counters.append(callback)


@contextmanager
def preparing() -> Iterator[None]:
    """Count the time as spent on kernels. Calls must not come from two threads."""
    global _prepared
    spent, since = _prepared
    if since is not None:
        yield
        return
    since = _now()
    _prepared = spent, since
    try:
        yield
    finally:
        _prepared = spent + _now() - since, None


def seconds_worked() -> float:
    """Return a clock that stands still while kernels are compiled or loaded: what people set times for."""
    spent, since = _prepared
    return (_now() if since is None else since) - spent


@contextmanager
def processor_time() -> Iterator[None]:
    """Within this, seconds_worked counts the processor time of this process, whatever else the machine does.

    It holds for all threads of the process, whose time is counted together.
    """
    global _of_processor
    before, _of_processor = _of_processor, True
    try:
        yield
    finally:
        _of_processor = before


def _now() -> float:
    return time.process_time() if _of_processor else time.monotonic()


def on_loss(callback: Callable[[str], None]) -> Callable[[], None]:
    """Call back with a line for people when kernels cannot be kept; it is a warning otherwise.

    Returns what takes that back.
    """
    _told.append(callback)
    return lambda: _told.remove(callback)


def tell_loss(line: str) -> None:
    """Tell those who asked by on_loss."""
    if not _told:
        warnings.warn(line, RuntimeWarning, stacklevel=2)
    for callback in _told:
        callback(line)


@contextmanager
def compiling(name: str) -> Iterator[None]:
    """Let those who watch know. Calls must not come from two threads: numba's lock sees to that.

    name: the kernel that is compiled. Raises NotCompiledError within compiled_only.
    """
    global _depth
    if not may_compile():
        raise NotCompiledError(f"the kernel {name} is not compiled yet")
    _depth += 1
    try:
        if _depth == 1:
            for begun, _ in _watchers:
                begun()
        yield
        for count in _counters:
            count()
    finally:
        _depth -= 1
        if _depth == 0:
            for _, ended in _watchers:
                ended()

"""The one decorator that kernels are compiled through, and what a signal does while one runs.

Python delivers signals between two steps of Python code, and numba's wrappers run such code where they do not
expect it to raise: while they make named tuples of what a kernel returns, a KeyboardInterrupt leaves a null
pointer behind, and the process dies. So what comes meanwhile is kept until the kernel has returned. Compiling
is Python code like any other and is interrupted at once.
"""

import signal
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.core.registry import CPUDispatcher

F = TypeVar("F", bound=Callable[..., Any])

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# Those of the signal module turn numbers into enumerations, which takes longer than many a kernel.
_get: Any = getattr(signal.getsignal, "__wrapped__", signal.getsignal)
_set: Any = getattr(signal.signal, "__wrapped__", signal.signal)
_Dispatcher: Any = CPUDispatcher


class _Held:
    """The signals that wait for a kernel to return, and who handles them. Of the main thread alone."""

    def __init__(self) -> None:
        self.handlers: list[tuple[int, Any]] = []
        self.came: list[tuple[int, Any]] = []

    def hold(self) -> None:
        for number in _SIGNALS:
            handler = _get(number)
            if callable(handler):
                self.handlers.append((number, handler))
                _set(number, self._note)

    def _note(self, number: int, frame: Any) -> None:
        self.came.append((number, frame))

    def release(self) -> None:
        """Give the handlers back, and hand them what came."""
        try:
            while self.handlers:
                _set(*self.handlers[-1])
                self.handlers.pop()
        finally:
            if self.handlers:  # one that was back already raised
                self.release()
        came, self.came = self.came, []
        for number, frame in came:
            _get(number)(number, frame)


_held = _Held()


class Kernel(_Dispatcher):  # type: ignore[misc]  # numba's own types are not complete
    """A compiled function that signals do not fall into."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # Python runs handlers of signals on the main thread alone.
        if threading.get_ident() != threading.main_thread().ident or _held.handlers:
            return super().__call__(*args, **kwargs)
        try:
            _held.hold()
            return super().__call__(*args, **kwargs)
        finally:
            _held.release()

    def _compile_for_args(self, *args: Any, **kwargs: Any) -> Any:
        if threading.get_ident() != threading.main_thread().ident or not _held.handlers:
            return super()._compile_for_args(*args, **kwargs)
        _held.release()
        try:
            return super()._compile_for_args(*args, **kwargs)
        finally:
            _held.hold()


def kernel(function: F) -> F:
    """Compile a function when it is first called, keep it on disk, and let other threads run beside it."""
    compiled: Any = njit(cache=True, nogil=True)(function)
    compiled.__class__ = Kernel
    done: F = compiled
    return done

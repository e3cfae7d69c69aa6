"""The decorators that kernels are compiled through: kernel, and inner and inlined for parts of kernels.

Python delivers signals between two steps of Python code, and numba's wrappers run such code where they do not
expect it to raise: while they make named tuples of what a kernel returns, a KeyboardInterrupt leaves a null
pointer behind, and the process dies. So what comes meanwhile is kept until the kernel has returned.
"""

import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from numba import config, njit, types
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature

from sleuth.kernels.cache import cache_of
from sleuth.kernels.compiling import compiling, preparing
from sleuth.kernels.frugal import frugal
from sleuth.kernels.linking import parts, set_apart

F = TypeVar("F", bound=Callable[..., Any])

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# Those of the signal module turn numbers into enumerations, which takes longer than many a kernel.
_get: Any = getattr(signal.getsignal, "__wrapped__", signal.getsignal)
_set: Any = getattr(signal.signal, "__wrapped__", signal.signal)
_Dispatcher: Any = CPUDispatcher
_njit: Any = njit
_unliteral: Any = types.unliteral


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


class Compiled(_Dispatcher):  # type: ignore[misc]  # numba's own types are not complete
    """A function that is compiled with its parts."""

    def compile(self, sig: Any) -> Any:
        with parts(), preparing():
            if self._has(sig):
                return super().compile(sig)
            with compiling(self.py_func.__name__), self._cache.turn(), frugal():
                return super().compile(sig)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Give numba the function for a call; one with a constant is no other than one with a variable."""
        plain = {name: _unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(_unliteral, args)), plain)

    def _has(self, sig: Any) -> bool:
        arguments, _ = normalize_signature(sig)  # type: ignore[no-untyped-call]
        return tuple(arguments) in self.overloads or self._cache.has(sig)


class Kernel(Compiled):
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
        # Compiling takes seconds, and some of it is Python code that LLVM calls, out of which no exception
        # comes. So another thread does it, to its end, while this one hears.
        _held.release()
        other = ThreadPoolExecutor(1, thread_name_prefix="compiling")
        try:
            return other.submit(copy_context().run, super()._compile_for_args, *args, **kwargs).result()
        finally:
            other.shutdown(wait=False)
            _held.hold()


class Inner(Compiled):
    """A compiled function that only other ones may call: there is no way in for Python."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # numba would jump to an address that is not there.
        raise TypeError(f"{self.py_func.__name__} can only be called by kernels")


def _compiled(function: F, dispatcher: type, **options: bool) -> F:
    if config.DISABLE_JIT:  # type: ignore[attr-defined]  # made from the environment
        return function
    compiled = _njit(nogil=True, **options)(function)
    compiled.__class__ = dispatcher
    compiled._cache = cache_of(function)
    done: F = compiled
    return done


def kernel(function: F) -> F:
    """Compile a function when it is first called, keep it on disk, and let other threads run beside it."""
    return _compiled(function, Kernel)


def inner(function: F) -> F:
    """Compile a function that kernels call and Python never does.

    It has no code that takes Python's objects, which is a tenth of all there is to compile.
    """
    return _compiled(function, Inner, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def apart(function: F) -> F:
    """Compile a function that kernels call, as inner or kernel do, and let them call it where it is.

    For large functions that several kernels call: otherwise each has a copy, which is optimised anew.
    """
    set_apart(getattr(function, "py_func", function).__qualname__)
    return function


def inlined(function: F) -> F:
    """Make a function a part of the kernels that call it.

    For what one or two kernels call: otherwise numba compiles it, and all it calls, by itself and once more
    in each of them. And for short loops, where a call is felt.
    """
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    part: F = _njit(inline="always", nogil=True)(function)
    return part

"""The decorators that kernels are compiled through: kernel, and inner and inlined for parts of kernels.

numba keeps what it compiled on disk with a stamp of the function's own file, so that an edit of a kernel in
another file, which this one calls, would go unnoticed. Here the stamp is a digest of the file and of all
kernel modules that it imports, directly or not.

Python delivers signals between two steps of Python code, and numba's wrappers run such code where they do not
expect it to raise: while they make named tuples of what a kernel returns, a KeyboardInterrupt leaves a null
pointer behind, and the process dies. So what comes meanwhile is kept until the kernel has returned.
"""

import re
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from numba import config, njit
from numba.core.registry import CPUDispatcher

from sleuth.kernels.linking import parts

F = TypeVar("F", bound=Callable[..., Any])

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# Those of the signal module turn numbers into enumerations, which takes longer than many a kernel.
_get: Any = getattr(signal.getsignal, "__wrapped__", signal.getsignal)
_set: Any = getattr(signal.signal, "__wrapped__", signal.signal)
_Dispatcher: Any = CPUDispatcher
_njit: Any = njit


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
        with parts():
            return super().compile(sig)


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
        compiling = ThreadPoolExecutor(1, thread_name_prefix="compiling")
        try:
            return compiling.submit(super()._compile_for_args, *args, **kwargs).result()
        finally:
            compiling.shutdown(wait=False)
            _held.hold()


class Inner(Compiled):
    """A compiled function that only other ones may call: there is no way in for Python."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # numba would jump to an address that is not there.
        raise TypeError(f"{self.py_func.__name__} can only be called by kernels")


_FOLDER = Path(__file__).parent
_IMPORT = re.compile(r"^from sleuth\.kernels((?:\.\w+)*) import", re.MULTILINE)


def _inits(path: Path) -> set[Path]:
    """Return the __init__ files of the packages of kernels that a file lies in."""
    return {folder / "__init__.py" for folder in path.parents if folder.is_relative_to(_FOLDER)}


def _file(name: str) -> Path:
    """Return the file of a module. name: what follows "sleuth.kernels", with dots."""
    path = _FOLDER.joinpath(*name.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def sources(file: Path) -> frozenset[Path]:
    """Return a module's file and those of all kernel modules that it imports, directly or not.

    The __init__ of a package is imported with its modules. Modules are named in full, in lines that begin
    with "from sleuth.kernels".
    """
    found: set[Path] = set()
    todo = {file}
    while todo:
        found |= todo
        names = {name for path in todo for name in _IMPORT.findall(path.read_text(encoding="utf-8"))}
        modules = todo | {_file(name) for name in names}
        todo = modules.union(*map(_inits, modules)) - found
    return frozenset(found)


@cache
def _stamp(file: Path) -> str:
    digest = sha256()
    for path in sorted(sources(file)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _save(file: Any, key: Any, data: Any) -> None:
    """Keep what was compiled for a signature: in a file named for it, written before the index tells of it.

    numba numbers the files and writes the index first: two processes may take one number for two signatures,
    and a third may load what stood in a file before. Here, the worst is that an entry of the index is lost
    and compiled again.
    """
    stem = file._index_name.removesuffix(".nbi")
    name = f"{stem}.{sha256(repr(key).encode()).hexdigest()[:16]}.nbc"
    file._save_data(name, data)
    overloads = file._load_index()
    overloads[key] = name
    file._save_index(overloads)


def _compiled(function: F, dispatcher: type, **options: bool) -> F:
    if config.DISABLE_JIT:  # type: ignore[attr-defined]  # made from the environment
        return function
    compiled = _njit(cache=True, nogil=True, **options)(function)
    compiled.__class__ = dispatcher
    # numba has no public way to say it; tests/kernels/test_jit.py holds that these attributes do.
    stamp = _stamp(Path(function.__code__.co_filename))
    compiled._cache._impl.locator.get_source_stamp = lambda: stamp
    file = compiled._cache._cache_file
    file._source_stamp = stamp
    file.save = partial(_save, file)
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


def inlined(function: F) -> F:
    """Make a function a part of the kernels that call it.

    For what one or two kernels call: otherwise numba compiles it, and all it calls, by itself and once more
    in each of them. And for short loops, where a call is felt.
    """
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    part: F = _njit(inline="always", nogil=True)(function)
    return part

"""Compiled kernels on disk: kept while their sources are the same, and shared by processes.

numba keeps what it compiled with a stamp of the function's own file, so that an edit of a kernel in another
file, which this one calls, would go unnoticed. Here the stamp is a digest of the file and of all kernel
modules that it imports, directly or not.

Processes that need a kernel at the same time compile it once: the others wait, and load it.

Once all that games take are there, a file says so, and which they are.

Kernels are kept in the first of these folders that can be written: NUMBA_CACHE_DIR where it is set, beside
their sources, and the user's own folder for such things.
"""

import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, NullCache
from numba.core.registry import cpu_target
from numba.misc.appdirs import AppDirs

from sleuth.kernels.compiling import tell_loss

try:
    import fcntl
except ModuleNotFoundError:  # Windows: two processes may compile the same kernel
    fcntl = None  # type: ignore[assignment]

_FunctionCache: Any = FunctionCache
_NullCache: Any = NullCache
_AppDirs: Any = AppDirs
_FOLDER = Path(__file__).parent
_IMPORT = re.compile(r"^from sleuth\.kernels((?:\.\w+)*) import", re.MULTILINE)
_used: set[str] = set()
"""Files on disk that this process kept Sleuth's kernels in, or loaded them from."""
_lost: list[str] = []
"""What was said of kernels that could not be kept: one line at most."""


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


class KernelCache(_FunctionCache):  # type: ignore[misc]  # numba's own types are not complete
    """What is on disk of one kernel.

    numba has no public way to say how; tests/kernels/test_cache.py holds that the private one works.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        path = Path(function.__code__.co_filename)
        stamp = _stamp(path)
        self._is_ours = path.is_relative_to(_FOLDER)
        self._impl.locator.get_source_stamp = lambda: stamp
        file = self._cache_file
        file._source_stamp = stamp
        self._read = partial(_readable, file.load, None)
        file.save = self._keep
        file._load_index = partial(_readable, file._load_index, {})
        file.load = self._load

    def has(self, signature: Any) -> bool:
        """Say whether the disk has the kernel for a signature."""
        key = self._index_key(signature, cpu_target.target_context.codegen())
        name = self._cache_file._load_index().get(key)
        return name is not None and Path(self._cache_file._data_path(name)).exists()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait while another process compiles the kernel; within this, others wait for this one.

        Locks end with the process that holds them. A kernel is locked while those that it calls are: none
        calls itself by way of another, so that no two processes wait for each other.
        """
        file = _lock_file(self._cache_path)
        place = zlib.crc32(self._cache_file._index_name.encode()) >> 1
        locked = file is not None and _lock(file, place)
        try:
            yield
        finally:
            if locked and file is not None:
                fcntl.lockf(file, fcntl.LOCK_UN, 1, place)

    def _load(self, key: Any) -> Any:
        found = self._read(key)
        if found is not None:
            self._note(key)
        return found

    def _keep(self, key: Any, data: Any) -> None:
        try:
            _save(self._cache_file, key, data)
        except OSError as error:
            _lose(self._cache_path, error.strerror)
        else:
            self._note(key)

    def _note(self, key: Any) -> None:
        file = self._cache_file
        if self._is_ours:
            _used.update((file._index_path, file._data_path(_data_name(file, key))))


def _readable(read: Callable[..., Any], otherwise: Any, *given: Any) -> Any:
    """Return what is read from a file, or something else where it cannot be.

    It may be cut short, or name what an older Sleuth had: then pickle raises anything.
    """
    try:
        return read(*given)
    except Exception:
        return otherwise


def _save(file: Any, key: Any, data: Any) -> None:
    """Keep what was compiled for a signature, in a file named for it that is written before the index.

    numba numbers the files and writes the index first: two processes may take one number for two signatures,
    and a third may load what stood in a file before. Here, the worst is that an entry of the index is lost
    and compiled again.
    """
    name = _data_name(file, key)
    file._save_data(name, data)
    overloads = file._load_index()
    overloads[key] = name
    file._save_index(overloads)


def _data_name(file: Any, key: Any) -> str:
    stem = file._index_name.removesuffix(".nbi")
    return f"{stem}.{sha256(repr(key).encode()).hexdigest()[:16]}.nbc"


class NoCache(_NullCache):  # type: ignore[misc]  # numba's own types are not complete
    """What is on disk of a kernel where no folder can be written: nothing."""

    def has(self, signature: Any) -> bool:
        """Say whether the disk has the kernel for a signature."""
        return False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for nobody."""
        lose_all()
        yield


def cache_of(function: Callable[..., Any]) -> KernelCache | NoCache:
    """Return where a kernel is kept."""
    try:
        return KernelCache(function)
    except RuntimeError:  # numba found no folder
        return NoCache()


def folder() -> Path | None:
    """Return the folder that kernels are kept in, None where none can be written."""
    try:
        return Path(KernelCache(_inits).cache_path)
    except RuntimeError:
        return None


def lose_all() -> None:
    """Say that no folder can be written: no kernel is kept."""
    _lose(_AppDirs("numba", False).user_cache_dir, "it cannot be written")


def lies_elsewhere() -> bool:
    """Say whether kernels are kept in the user's folder, since the installation cannot be written."""
    at = folder()
    return at is not None and at.parent != _FOLDER and not numba.config.CACHE_DIR  # type: ignore[attr-defined]


def is_complete() -> bool:
    """Say whether all kernels of games are on disk, compiled from these sources and for this machine."""
    mark = _mark()
    try:
        names = [] if mark is None else mark.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return False
    return mark is not None and names != [] and all((mark.parent / name).exists() for name in names)


def mark_complete() -> None:
    """Leave word on disk that all kernels of games are compiled, and in which files they are.

    To be called where this process has compiled or loaded all of them. Where one was lost, nothing is left.
    """
    mark = _mark()
    if mark is None or _lost:
        return
    names = sorted(os.path.relpath(name, mark.parent) for name in _used)
    whole = mark.with_name(f"{mark.name}.{os.getpid()}")
    try:
        whole.write_text("\n".join(names), encoding="utf-8")
        whole.replace(mark)
    except OSError as error:
        whole.unlink(missing_ok=True)
        _lose(str(mark.parent), error.strerror)


def lost() -> str | None:
    """Return what was said where this process could not keep a kernel, else None."""
    return _lost[0] if _lost else None


def _mark() -> Path | None:
    at = folder()
    if at is None:
        return None
    everything = sha256()
    for path in sorted(_FOLDER.rglob("*.py")):
        everything.update(path.read_bytes())
    target = cpu_target.target_context.codegen().magic_tuple()
    everything.update(repr((sys.version_info[:2], numba.__version__, target)).encode())
    return at / f"complete-{everything.hexdigest()[:16]}"


@cache
def _lock_file(folder: str) -> int | None:
    """Return a descriptor of the file whose places are locked, one for each kernel, or None."""
    if fcntl is None:
        return None
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        return os.open(Path(folder) / "being-compiled", os.O_RDWR | os.O_CREAT)
    except OSError:
        return None


def _lock(file: int, place: int) -> bool:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX, 1, place)
    except OSError:  # not every file system has locks: two processes may compile the same kernel
        return False
    return True


def _lose(folder: str, reason: str | None) -> None:
    """Say, once, that kernels are lost with the process."""
    if not _lost:
        _lost.append(
            f"compiled kernels cannot be kept in {folder} ({reason}) and are compiled again next time;"
            " NUMBA_CACHE_DIR names another folder"
        )
        tell_loss(_lost[0])

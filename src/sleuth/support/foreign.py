"""Modules of other people: found by name or by file, run once, and their faults told in a line."""

import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from sleuth.support.errors import SleuthError

FILE_FORM = "FILE.py:NAME"
_FILE = re.compile(r"(?P<path>.+\.py):(?P<name>\w*)")
_THEIRS: set[str] = set()
"""Modules of other programs that were asked for what is registered, and files."""


def names_a_file(text: str) -> bool:
    """Say whether a name is of the form FILE.py:NAME, or as good as: my.py, my.py:.

    >>> names_a_file("my.py:Mine"), names_a_file("my.py"), names_a_file("beam")
    (True, True, False)
    """
    return text.endswith(".py") or _FILE.fullmatch(text) is not None


def from_file(kind: str, text: str) -> Any:
    """Return what FILE.py:NAME stands for: the file is run, once, and the name looked up in it.

    kind: what is asked for, for messages. What lies in the file's folder may be imported in it. Raises
    SleuthError for a file that is not there, or a name that is not in it; what the file raises is passed on.
    """
    matched = _FILE.fullmatch(text)
    path, name = Path(matched["path"] if matched else text), matched["name"] if matched else ""
    if not path.is_file():
        raise SleuthError(f"{kind} {text!r}: there is no file {str(path)!r}")
    found = _run(path)
    own = [key for key, value in vars(found).items() if _is_own(found, key, value)]
    listed = f"it has {', '.join(own)}" if own else "it has no class or function of its own"
    if not name:
        raise SleuthError(f"{kind} {text!r} is not of the form {FILE_FORM}; {listed}")
    if not hasattr(found, name):
        raise SleuthError(f"{kind} {text!r}: {path.name} has no {name}; {listed}")
    return getattr(found, name)


def _is_own(found: ModuleType, name: str, value: Any) -> bool:
    """Say whether a file offers a name: a class or function that is written in it."""
    return (
        not name.startswith("_") and getattr(value, "__module__", None) == found.__name__ and callable(value)
    )


def _run(path: Path) -> ModuleType:
    """Return the module of a file, run the first time; the script that is run now is not run again."""
    resolved = path.resolve()
    script = getattr(sys.modules["__main__"], "__file__", None)
    if script is not None and Path(script).resolve() == resolved:
        _THEIRS.add("__main__")
        return sys.modules["__main__"]
    # Its whole path is its name as a module, so that my random.py is not taken for Python's.
    name = str(resolved)
    if name in sys.modules:
        return sys.modules[name]
    _THEIRS.add(name)
    spec = spec_from_file_location(name, resolved)
    assert spec is not None
    assert spec.loader is not None
    made = module_from_spec(spec)
    folder = str(resolved.parent)
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[name] = made  # dataclasses look their module up there
    try:
        spec.loader.exec_module(made)
    except SyntaxError as error:
        del sys.modules[name]
        if error.filename is None:  # of bytes that are no text, Python tells no place
            raise SleuthError(f"{path.name} is no Python: {error.msg}") from None
        raise
    except SystemExit as error:
        del sys.modules[name]
        raise SleuthError(f"{path.name} ends Python (SystemExit: {error.code}) when it is loaded") from None
    except BaseException:
        del sys.modules[name]
        raise
    return made


def contents(text: str) -> list[str]:
    """Return digests of the files that a text, such as a strategy's, names: code, networks and the like."""
    found = []
    for token in [*re.split(r"[\s(),=]+", text), *re.split(r"[\s(),=/]+", text)]:
        path = Path(re.sub(r"(\.py):\w*$", r"\1", token))
        if token and path.is_file():
            found.append(sha256(path.read_bytes()).hexdigest())
    return found


def module(name: str) -> ModuleType:
    """Import a module of another program; a script that is run is not run again under its file's name."""
    _THEIRS.add(name)
    script = getattr(sys.modules["__main__"], "__file__", None)
    if name not in sys.modules and script is not None:
        spec = find_spec(name)
        if spec is not None and spec.origin and Path(spec.origin).resolve() == Path(script).resolve():
            _THEIRS.add("__main__")
            return sys.modules["__main__"]
    return import_module(name)


@contextmanager
def no_exit(what: str) -> Iterator[None]:
    """Raise SleuthError where what runs within ends Python. what: is run."""
    try:
        yield
    except SystemExit as error:
        raise SleuthError(f"{what} ends Python (SystemExit: {error.code})") from None


@contextmanager
def faults_in_a_line(called: str) -> Iterator[None]:
    """Raise SleuthError for what goes wrong within in a module of another program.

    For worker processes: the frames of a traceback, by which such a fault is known, do not travel. called:
    what runs within.
    """
    try:
        with no_exit(called):
            yield
    except SleuthError:
        raise
    except Exception as error:
        fault = fault_by_files(error)
        if fault is None:
            raise
        raise SleuthError(fault) from None


def fault_of_theirs(error: BaseException) -> str | None:
    """Return what went wrong in a line, if it did in a module of another program; None if it did not."""
    if isinstance(error, SyntaxError):  # in a module that is not yet one
        place = None if error.filename is None else f"{Path(error.filename).name}, line {error.lineno}"
        return None if place is None else f"{place}: {type(error).__name__}: {error.msg}"
    frames = list(traceback.walk_tb(error.__traceback__))
    theirs = [(frame, line) for frame, line in frames if frame.f_globals.get("__name__") in _THEIRS]
    said = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, SystemExit):
        said = f"it ends Python ({said})"
    if theirs:
        frame, line = theirs[-1]
        return f"{Path(frame.f_code.co_filename).name}, line {line}, in {frame.f_code.co_name}: {said}"
    return None


def fault_by_files(error: Exception) -> str | None:
    """Return the same, also for what went wrong elsewhere once files were run.

    It is what they have, it seems; the line says where, since it may be a fault of Sleuth.
    """
    fault = fault_of_theirs(error)
    files = sorted(Path(name).name for name in _THEIRS if name.endswith(".py"))
    if fault is not None or not files:
        return fault
    frame, line = list(traceback.walk_tb(error.__traceback__))[-1]
    said = " ".join(f"{type(error).__name__}: {error}".split())
    place = f"{Path(frame.f_code.co_filename).name}, line {line}"
    return f"what {' or '.join(files)} gives cannot be used: {said} ({place})"

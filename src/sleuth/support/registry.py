"""Names to things, loaded when asked for; a wrong name is answered with the nearest right ones."""

import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Generic, TypeVar

from sleuth.support.errors import SleuthError, UnknownNameError

T = TypeVar("T")
_LISTED = 20
_NEAR = 0.6
"""How alike names are that may have been meant: a slip or two in short ones, not a few letters in common."""
_BEGINNING = 3
"""Letters that a name may be cut short to."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """Return the error that says what name was asked for and which ones there are."""
    known = sorted(known)
    near = get_close_matches(name, known, n=3, cutoff=_NEAR)
    if not near and len(name) >= _BEGINNING:
        near = [other for other in known if other.startswith(name)][:3]
    # What is much less alike than the nearest is no help.
    near = get_close_matches(name, near, n=3, cutoff=0.6 * _likeness(name, near[0])) if near else near
    some = ", ".join(known[:_LISTED]) + (", …" if len(known) > _LISTED else "")
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {some}"
    return UnknownNameError(f"unknown {kind} {name!r}: {hint}")


def _likeness(name: str, other: str) -> float:
    # In the order in which get_close_matches compares.
    return SequenceMatcher(None, other, name).ratio()


@dataclass(frozen=True)
class Entry:
    """Where a thing lives, "module:Name", and what it is in a line."""

    target: str
    summary: str


@dataclass(frozen=True)
class Registry(Mapping[str, Entry], Generic[T]):
    """Entries of one kind by name. Other packages add theirs with register."""

    kind: str
    entries: dict[str, Entry] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Entry:
        if name not in self.entries:
            raise unknown_name(self.kind, name, self.entries)
        return self.entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self.entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def register(self, name: str, target: str, summary: str) -> None:
        """Add an entry; a second time is harmless.

        target: "module:Name". A script that is run counts as the module of its file's name. Raises
        SleuthError for a target of another form, and when the name is taken by another.
        """
        module, colon, attribute = target.partition(":")
        if not (module and colon and attribute.isidentifier()):
            raise SleuthError(f"{self.kind} {name!r}: the target {target!r} is not of the form module:Name")
        if self.entries.get(name, Entry(target, summary)).target != target:
            raise SleuthError(f"{self.kind} {name!r} is registered already")
        self.entries[name] = Entry(target, summary)

    def load(self, name: str) -> T:
        """Import and return what the name stands for.

        Raises UnknownNameError for a name that is not registered, SleuthError where the module of another
        program is not there, or lacks what is asked for.
        """
        target = self[name].target
        module, _, attribute = target.partition(":")
        own = module.partition(".")[0] == __name__.partition(".")[0]
        try:
            found = import_module(module) if own else _theirs(module)
        except ModuleNotFoundError as error:
            if own or f"{module}.".find(f"{error.name}.") != 0:
                raise
            raise SleuthError(f"{self.kind} {name!r}: there is no module {error.name}") from None
        if not hasattr(found, attribute):
            raise SleuthError(f"{self.kind} {name!r}: the module {module} has no {attribute}")
        loaded: T = getattr(found, attribute)
        return loaded


_THEIRS: set[str] = set()
"""Modules of other programs that were asked for what is registered."""


def _theirs(name: str) -> ModuleType:
    """Import a module of another program; a script that is run is not run again under its file's name."""
    _THEIRS.add(name)
    script = getattr(sys.modules["__main__"], "__file__", None)
    if name not in sys.modules and script is not None:
        spec = find_spec(name)
        if spec is not None and spec.origin and Path(spec.origin).resolve() == Path(script).resolve():
            _THEIRS.add("__main__")
            return sys.modules["__main__"]
    return import_module(name)


def fault_of_theirs(error: Exception) -> str | None:
    """Return what went wrong in a line, if it did in a module of another program; None if it did not."""
    if isinstance(error, SyntaxError):  # in a module that is not yet one
        place = None if error.filename is None else f"{Path(error.filename).name}, line {error.lineno}"
        return None if place is None else f"{place}: {type(error).__name__}: {error.msg}"
    frames = list(traceback.walk_tb(error.__traceback__))
    theirs = [(frame, line) for frame, line in frames if frame.f_globals.get("__name__") in _THEIRS]
    if not theirs:
        return None
    frame, line = theirs[-1]
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{Path(frame.f_code.co_filename).name}, line {line}, in {frame.f_code.co_name}: {said}"

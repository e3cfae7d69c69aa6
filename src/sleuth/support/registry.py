"""Names to things, loaded when asked for; a wrong name is answered with the nearest right ones."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar

from sleuth.support import foreign
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
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {some or 'none'}"
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
    """Entries of one kind by name. Other packages add theirs with register, or by entry points.

    Attributes:
        kind: what the entries are, as messages call them.
        entries: those that are registered.
        group: the group of entry points that installed packages add theirs by; "" where there is none. Names
            that are registered go before theirs.
        adapt: what makes that which a name of another program stands for into what this registry holds.

    """

    kind: str
    entries: dict[str, Entry] = field(default_factory=dict)
    group: str = ""
    adapt: Callable[[Any], T] | None = None

    @cached_property
    def installed(self) -> dict[str, Entry]:
        """The entries of installed packages. Finding them reads all packages' metadata: not until needed."""
        if not self.group:
            return {}
        found = sorted(entry_points(group=self.group), key=lambda point: (point.name, point.value))
        return {
            point.name: Entry(point.value, f"of the package {point.dist.name if point.dist else '?'}")
            for point in found
        }

    @property
    def _known(self) -> dict[str, Entry]:
        return {**self.installed, **self.entries}

    def __getitem__(self, name: str) -> Entry:
        if name not in self.entries and name not in self.installed:
            raise unknown_name(self.kind, name, self._known)
        return self.entries.get(name) or self.installed[name]

    def __contains__(self, name: object) -> bool:
        return name in self.entries or name in self.installed

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def register(self, name: str, target: str, summary: str) -> None:
        """Add an entry; a second time is harmless.

        target: "module:Name". A script that is run counts as the module of its file's name. Raises
        SleuthError for a target of another form, and when the name is taken by another.
        """
        self._parts(name, target)
        if self.entries.get(name, Entry(target, summary)).target != target:
            raise SleuthError(f"{self.kind} {name!r} is registered already")
        self.entries[name] = Entry(target, summary)

    def load(self, name: str, *, files: bool = False) -> T:
        """Import and return what the name stands for.

        files: whether it may also be FILE.py:NAME, which runs the file. Faces that serve others never allow
        it.

        Raises UnknownNameError for a name that is not registered, SleuthError where the module or file of
        another program is not there, or lacks what is asked for.
        """
        if files and foreign.names_a_file(name):
            return self._adapted(foreign.from_file(self.kind, name))
        module, attribute = self._parts(name, self[name].target)
        own = module.partition(".")[0] == __name__.partition(".")[0]
        try:
            found = import_module(module) if own else foreign.module(module)
        except ModuleNotFoundError as error:
            if own or f"{module}.".find(f"{error.name}.") != 0:
                raise
            raise SleuthError(f"{self.kind} {name!r}: there is no module {error.name}") from None
        if not hasattr(found, attribute):
            raise SleuthError(f"{self.kind} {name!r}: the module {module} has no {attribute}")
        loaded = getattr(found, attribute)
        if own:
            ours: T = loaded
            return ours
        return self._adapted(loaded)

    def _adapted(self, loaded: Any) -> T:
        return loaded if self.adapt is None else self.adapt(loaded)

    def _parts(self, name: str, target: str) -> tuple[str, str]:
        module, colon, attribute = target.partition(":")
        if not (module and colon and attribute.isidentifier()):
            raise SleuthError(f"{self.kind} {name!r}: the target {target!r} is not of the form module:Name")
        return module, attribute

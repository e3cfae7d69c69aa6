"""Names to things, loaded when asked for; a wrong name is answered with the nearest right ones."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from typing import Generic, TypeVar

from sleuth.errors import UnknownNameError

T = TypeVar("T")
_LISTED = 20


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """Return the error that says what name was asked for and which ones there are."""
    known = sorted(known)
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    some = ", ".join(known[:_LISTED]) + (", …" if len(known) > _LISTED else "")
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {some}"
    return UnknownNameError(f"unknown {kind} {name!r}: {hint}")


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
        """Add an entry. Raises ValueError when the name is taken."""
        if name in self.entries:
            raise ValueError(f"{self.kind} {name!r} is registered already")
        self.entries[name] = Entry(target, summary)

    def load(self, name: str) -> T:
        """Import and return what the name stands for. Raises UnknownNameError."""
        module, _, attribute = self[name].target.partition(":")
        loaded: T = getattr(import_module(module), attribute)
        return loaded

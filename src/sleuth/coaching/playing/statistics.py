"""The games a person has played: a file of one JSON object a line, which survives a crash."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sleuth.coaching.playing.session import Session
from sleuth.coaching.playing.share import list_name


@dataclass(frozen=True)
class Record:
    """A game that is over.

    Attributes:
        time: when it ended, ISO 8601 in UTC.
        game: the list or game, as in the header of a share grid.
        mode: easy, hard or strict.
        variant: standard, absurdle or fibble.
        boards: how many.
        number: the puzzle's number, or None.
        guesses: how many were made.
        max_turns: how many were allowed.
        won: whether every board was solved.
        hints: how many guesses were asked of Sleuth.

    """

    time: str
    game: str
    mode: str
    variant: str
    boards: int
    number: int | None
    guesses: int
    max_turns: int
    won: bool
    hints: int = 0

    @property
    def kind(self) -> str:
        """What was played, in words: games of one kind can be compared."""
        parts = [self.game, "" if self.variant == "standard" else self.variant]
        parts += ["" if self.boards == 1 else f"{self.boards} boards", f"{self.mode} mode"]
        return ", ".join(filter(None, parts))

    @classmethod
    def of(cls, session: Session, hints: int = 0) -> Record:
        """Return the record of a game that ends now."""
        puzzle = session.puzzle
        return cls(
            datetime.now(UTC).isoformat(timespec="seconds"),
            list_name(puzzle.game.name),
            puzzle.game.mode,
            puzzle.variant,
            puzzle.boards,
            puzzle.number,
            len(session.guesses),
            puzzle.max_turns,
            session.won,
            hints,
        )


@dataclass(frozen=True)
class Statistics:
    """What games come to.

    Attributes:
        played: how many there are.
        won: how many of them were won.
        streak: games won in a row up to the last one.
        longest: the most games won in a row.
        histogram: games won by number of guesses.

    """

    played: int
    won: int
    streak: int
    longest: int
    histogram: dict[int, int]

    def to_json(self) -> dict[str, Any]:
        """Return the statistics as plain values."""
        return {**asdict(self), "histogram": {str(n): count for n, count in self.histogram.items()}}


def statistics_of(records: Iterable[Record]) -> Statistics:
    """Return what games in order come to."""
    played = won = streak = longest = 0
    histogram: dict[int, int] = {}
    for record in records:
        played += 1
        won += record.won
        streak = streak + 1 if record.won else 0
        longest = max(longest, streak)
        if record.won:
            histogram[record.guesses] = histogram.get(record.guesses, 0) + 1
    return Statistics(played, won, streak, longest, dict(sorted(histogram.items())))


def default_path() -> Path:
    """Return the file of the user: under XDG_DATA_HOME, ~/.local/share, or LOCALAPPDATA on Windows."""
    name = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_DATA_HOME"
    home = os.environ.get(name, "")
    # The XDG specification says that a relative path is to be ignored.
    base = Path(home) if Path(home).is_absolute() else Path("~/.local/share").expanduser()
    return base / "sleuth" / "statistics.jsonl"


def append(path: Path, record: Record) -> None:
    """Write a game at the end of a file, which is made where there is none, and wait for the disk.

    A line that a crash cut off is ended first, so that it spoils no other; read leaves it out. Raises
    OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(asdict(record)) + "\n"
    with path.open("ab+") as file:
        if file.seek(0, os.SEEK_END) > 0:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                line = "\n" + line
        file.write(line.encode())  # in append mode, at the end wherever the file was read
        file.flush()
        os.fsync(file.fileno())


def read(path: Path) -> list[Record]:
    """Return the games of a file, the first first; none where there is no file. Raises OSError.

    Lines that hold no record, such as one cut off by a crash, are left out.
    """
    if path.is_char_device():  # it keeps nothing, and reading it may never end
        return []
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    return [record for record in map(_record, lines) if record is not None]


_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "bool": (bool,),
    "int | None": (int, type(None)),
}


def _record(line: bytes) -> Record | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):  # what is no UTF-8 is a ValueError too
        return None
    if not isinstance(found, dict):
        return None
    known = {field.name: found[field.name] for field in fields(Record) if field.name in found}
    if any(type(known[f.name]) not in _TYPES[str(f.type)] for f in fields(Record) if f.name in known):
        return None
    try:
        return Record(**known)
    except TypeError:  # a field is missing
        return None

"""A row of the table of results: a task, and what is known of it. The rows that ship are in records.json."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from functools import cache
from importlib import resources
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from sleuth.exact.objective import KINDS, Kind, Objective, Value, crossing_bounds
from sleuth.games.choice import GameChoice
from sleuth.support.errors import SleuthError
from sleuth.support.files import bytes_of, write_whole
from sleuth.support.registry import unknown_name
from sleuth.views.numbers import counted

FILE = "records.json"
Status = Literal["proved", "bounds", "open"]
STATUSES: dict[Status, str] = {
    "proved": "no strategy is better than the one that was found, or there is none at all",
    "bounds": "between what no strategy goes below and what one that was found comes to",
    "open": "not run yet",
}
_CALLED = {str: "text", int: "a whole number", float: "a number", bool: "true or false", NoneType: "null"}
_MOST_BYTES = 2**24
_VALUES = ("at_least", "at_most")
_OPTIONS = ("game", "words", "mode", "prior", "max_turns", "pegs", "colours", "repeats", "black")


@dataclass(frozen=True)
class Record:
    """A row: a task (the first five attributes), and what is known of it.

    Values are in the order of the objective, see Value: the total; for "worst" the most guesses that any
    answer takes, then the total; for "solved" the answers not found within the turns, then the total.

    Attributes:
        name: what the row is called.
        game: which game, with its mode, prior and turns.
        objective: what is made least.
        asked: the opener that is asked about, or None for the best of all.
        published: what is known from elsewhere, with its source, or "".
        digest: of the rules and lists: Game.digest.
        answers, guesses: how many there are.
        scale: the sum of the answers' weights, by which totals are divided for means.
        status: one of STATUSES.
        at_least: no strategy has a lower value; None where none finds every answer within the turns.
        at_most: the value of a strategy that was found, or None.
        opener: its first guess, or None.
        worst: the most guesses that it takes, or None.
        cpu_seconds: seconds of processors that this took; None where several runs or processes had a part.
        certificate: SHA-256 of the file of a certificate that was written with it, or "".
        version: of Sleuth, with which it was run, or "".

    """

    name: str
    game: GameChoice
    objective: Kind = "mean"
    asked: str | None = None
    published: str = ""
    digest: str = ""
    answers: int = 0
    guesses: int = 0
    scale: int = 0
    status: Status = "open"
    at_least: Value | None = None
    at_most: Value | None = None
    opener: str | None = None
    worst: int | None = None
    cpu_seconds: float | None = None
    certificate: str = ""
    version: str = ""

    @property
    def aim(self) -> Objective:
        """The objective. Raises SleuthError for one that there is not."""
        return Objective(self.objective)

    @property
    def command(self) -> str:
        """The command that settles the task."""
        defaults = GameChoice()
        words = ["sleuth", "prove"]
        for option in _OPTIONS:
            value = getattr(self.game, option)
            if isinstance(value, bool):
                words.append(f"--{'' if value else 'no-'}{option}")
            elif value != getattr(defaults, option):
                words += [f"--{option.replace('_', '-')}", str(value)]
        for option, said, default in (
            ("--objective", self.objective, "mean"),
            ("--opener", self.asked, None),
        ):
            if said != default:
                words += [option, str(said)]
        return shlex.join(words)

    @property
    def weighted(self) -> bool:
        """Whether totals are in weights of a prior, not in guesses."""
        return self.scale != self.answers

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain values, as they stand in the file."""
        game = {option: value for option in _OPTIONS if (value := getattr(self.game, option)) is not None}
        values = {key: list(value) for key in _VALUES if (value := getattr(self, key)) is not None}
        return {**asdict(self), **values, "game": game, "command": self.command}


def read(row: Mapping[str, Any]) -> Record:
    """Return a row from plain values. Raises SleuthError for what is none.

    The name and the game are needed; `command` follows from the rest, and is not looked at.
    """
    known = {one.name: one for one in fields(Record)}
    needed = [name for name, one in known.items() if one.default is MISSING]
    given = {key: value for key, value in row.items() if key != "command"}
    name = str(given.get("name", "without a name"))
    if wrong := [key for key in given if key not in known]:
        raise SleuthError(f"row {name}: {unknown_name('attribute', wrong[0], known)}")
    if lacking := [key for key in needed if key not in given]:
        raise SleuthError(f"row {name} needs {' and '.join(lacking)}")
    game = given["game"]
    if not isinstance(game, Mapping) or not set(game) <= set(_OPTIONS):
        raise SleuthError(f"row {name}: its game is an object with some of {', '.join(_OPTIONS)}")
    _check_types(name, GameChoice, game)
    _check_types(name, Record, {key: value for key, value in given.items() if key not in ("game", *_VALUES)})
    values = {key: _value(name, given.get(key)) for key in _VALUES}
    record = Record(**{**given, **values, "game": GameChoice(**game)})
    if "/" in name or not name.isprintable() or not name.strip():  # files are called by it
        raise SleuthError(f"row {name!r}: a name is of one line, without /")
    if record.status not in STATUSES:
        raise SleuthError(f"row {name}: {unknown_name('status', str(record.status), STATUSES)}")
    if record.objective not in KINDS:
        raise SleuthError(f"row {name}: {unknown_name('objective', str(record.objective), KINDS)}")
    parts = 1 if record.objective == "mean" else 2
    if any(value is not None and len(value) != parts for value in (record.at_least, record.at_most)):
        raise SleuthError(f"row {name}: a value of {record.objective} has {counted(parts, 'part')}")
    if crossing := crossing_bounds(record.at_least, record.at_most):
        raise SleuthError(f"row {name}: its bounds cross: {crossing}")
    if record.status == "proved" and record.at_least != record.at_most:
        differing = f"{list(record.at_least or ())} and {list(record.at_most or ())}"
        raise SleuthError(f"row {name}: it is proved, and its bounds differ: {differing}")
    return record


def _check_types(name: str, kind: type, given: Mapping[str, Any]) -> None:
    """Raise SleuthError for a value of another type than the attribute of a class is."""
    hints = get_type_hints(kind)
    for key, value in given.items():
        allowed = str if get_origin(hints[key]) is Literal else hints[key]
        if not isinstance(value, allowed) and not (type(value) is int and key == "cpu_seconds"):
            said = " or ".join(_CALLED[one] for one in get_args(allowed) or (allowed,))
            raise SleuthError(f"row {name}: {key} is {value!r}; it takes {said}")


def _value(name: str, given: Any) -> Value | None:
    if given is None:
        return None
    if not isinstance(given, list) or not all(type(part) is int for part in given) or not given:
        raise SleuthError(f"row {name}: a value is a list of whole numbers or null, not {given!r}")
    return tuple(given)


def records(table: str | Path | None = None) -> tuple[Record, ...]:
    """Return the rows of the table that ships with Sleuth, or of a file like it.

    Each says of a game, an objective and maybe an opener what the best play comes to, proved or between two
    bounds. Raises SleuthError for a file that is no such table.
    """
    return _shipped() if table is None else _read_all(str(table), bytes_of(Path(table), _MOST_BYTES))


def named(rows: Sequence[Record], names: Iterable[str]) -> list[Record]:
    """Return the rows of these names, in their order. Raises UnknownNameError, with the names there are."""
    by_name = {row.name: row for row in rows}
    for name in (names := list(dict.fromkeys(names))):
        if name not in by_name:
            raise unknown_name("record", name, by_name)
    return [by_name[name] for name in names]


def write(rows: Iterable[Record], table: Path) -> None:
    """Write a table: a row a line. Raises OSError."""
    lines = [json.dumps(row.to_json(), ensure_ascii=False) for row in rows]
    write_whole(table, ("[\n" + ",\n".join(lines) + "\n]\n").encode())


@cache
def _shipped() -> tuple[Record, ...]:
    return _read_all(FILE, resources.files("sleuth.ledger").joinpath(FILE).read_bytes())


def _read_all(source: str, content: bytes) -> tuple[Record, ...]:
    try:
        given = json.loads(content)
    except ValueError as error:
        raise SleuthError(f"{source} is no JSON: {error}") from None
    if isinstance(given, dict) and set(given) == {"records"}:  # as sleuth records --json prints them
        given = given["records"]
    if not isinstance(given, list) or not all(isinstance(row, dict) for row in given):
        raise SleuthError(f"{source} is no table of records: that is a list of objects")
    rows = tuple(read(row) for row in given)
    names = [row.name for row in rows]
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise SleuthError(f"{source}: the name of a row stands there once, but {twice[0]} twice")
    return rows

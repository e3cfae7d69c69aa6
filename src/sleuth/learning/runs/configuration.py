"""Configurations of training: TOML tables read into frozen dataclasses, and what they can name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from importlib import resources
from pathlib import Path
from typing import Any, Protocol, TypeVar, get_type_hints

from sleuth.games.game import Game
from sleuth.games.wordle import wordle
from sleuth.learning.runs.training import Learner, Schedule
from sleuth.support.errors import SleuthError
from sleuth.support.registry import Registry, unknown_name

T = TypeVar("T")
_SHIPPED = resources.files("sleuth.learning.runs") / "configs"


class Build(Protocol):
    """What an algorithm is: it builds a learner from its own table of the configuration."""

    def __call__(self, table: Mapping[str, Any], game: Game, seed: int, device: str) -> Learner:
        """Return the learner. Raises SleuthError for a table that it cannot use."""


ALGORITHMS: Registry[Build] = Registry("algorithm")
ALGORITHMS.register(
    "ppo", "sleuth.learning.letters.ppo:build", "Weaver 2025: action-state attention, A2C with PPO"
)
ALGORITHMS.register(
    "lists", "sleuth.learning.letters.lists:build", "letter pairs of any list: PPO on lists drawn anew"
)
ALGORITHMS.register(
    "imitation", "sleuth.learning.candidates.imitation:build", "candidate sets, taught by beam search"
)
ALGORITHMS.register(
    "any-game",
    "sleuth.learning.candidates.any_game:build",
    "candidate sets of games drawn anew, taught by beam search",
)
ALGORITHMS.register(
    "any-host",
    "sleuth.learning.noise.training:build",
    "beliefs about hosts who lie, in games drawn anew, from its own games",
)
ALGORITHMS.register(
    "self-play", "sleuth.learning.candidates.self_play:build", "candidate sets, PPO on games alone"
)
ALGORITHMS.register(
    "expert-iteration",
    "sleuth.learning.candidates.expert_iteration:build",
    "candidate sets, taught by lookahead of its own",
)


@dataclass(frozen=True)
class Configuration:
    """A run of training: which algorithm, on which words, how long, and the algorithm's own table.

    Attributes:
        name: the name of the file.
        algorithm: a name of ALGORITHMS.
        words: a named word list.
        schedule: what every trainer shares.
        table: the hyperparameters, as the algorithm reads them.

    """

    name: str
    algorithm: str
    words: str
    schedule: Schedule
    table: Mapping[str, Any]

    @classmethod
    def load(
        cls, name: str | Path, changes: Mapping[str, str] | None = None, seed: int | None = None
    ) -> Configuration:
        """Read a configuration: a file, or the name of one that ships. Raises SleuthError.

        changes: hyperparameters of the algorithm that are other than there, as TOML writes values; those of a
        table within its table with a dot, as in network.dimension, and schedule.steps. seed: instead of the
        schedule's.
        """
        path = Path(name)
        if path.suffix != ".toml" and str(name) not in shipped():
            raise unknown_name("configuration (or file that ends in .toml)", str(name), shipped())
        try:
            source = path if path.suffix == ".toml" else _SHIPPED / f"{name}.toml"
            tables = tomllib.loads(source.read_text(encoding="utf-8"))
        except OSError as error:
            raise SleuthError(f"{path} cannot be read ({error.strerror or error})") from None
        except ValueError as error:  # of the encoding or the syntax
            raise SleuthError(f"{path} is no TOML: {error}") from None
        if "schedule" in (changes or {}):
            raise SleuthError("option schedule is a table; how long a run takes is schedule.steps=N")
        own = f"{tables.get('algorithm')}."
        given = (changes or {}).items()
        within = {key if key.startswith("schedule.") else own + key: text for key, text in given}
        tables = _changed(tables, within)
        found = cls.of(path.stem, tables)
        return found if seed is None else replace(found, schedule=replace(found.schedule, seed=seed))

    @classmethod
    def of(cls, name: str, tables: Mapping[str, Any]) -> Configuration:
        """Return the configuration of a parsed file. Raises SleuthError."""
        rest = dict(tables)
        algorithm = rest.pop("algorithm", None)
        if algorithm is None:
            raise SleuthError(f"{name} names no algorithm; there are {', '.join(ALGORITHMS)}")
        ALGORITHMS[algorithm]
        words = rest.pop("words", "original")
        schedule = read(Schedule, rest.pop("schedule", {}), "schedule")
        table = rest.pop(algorithm, {})
        if rest:
            raise unknown_name("key", next(iter(rest)), ["algorithm", "words", "schedule", algorithm])
        return cls(name, algorithm, words, schedule, table)

    def identity(self) -> dict[str, Any]:
        """Return what a run belongs to, plain values: all that its steps depend on, but not how many."""
        seed = self.schedule.seed
        return {"algorithm": self.algorithm, "words": self.words, "seed": seed, "table": self.table}

    def build(self, device: str) -> Learner:
        """Return the learner, as it is before the first step. Raises SleuthError."""
        return ALGORITHMS.load(self.algorithm)(self.table, wordle(self.words), self.schedule.seed, device)


def _changed(table: Mapping[str, Any], changes: Mapping[str, str]) -> dict[str, Any]:
    """Return a table with other values. Raises SleuthError."""
    changed = dict(table)
    for key, text in changes.items():
        first, dot, rest = key.partition(".")
        if dot:
            within = changed.get(first, {})
            if not isinstance(within, Mapping):
                raise SleuthError(f"option {key}: {first} is no table")
            changed[first] = _changed(within, {rest: text})
            continue
        try:
            changed[key] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:  # a text without its quotes
            changed[key] = text
    return changed


def shipped() -> list[str]:
    """Return the names of the configurations that ship."""
    return sorted(item.name.removesuffix(".toml") for item in _SHIPPED.iterdir())


def read(cls: type[T], table: Mapping[str, Any], where: str) -> T:
    """Return a frozen dataclass of numbers, texts and switches, its values from a table of TOML.

    Raises SleuthError that names the key: unknown, missing, or of another type.
    """
    if not isinstance(table, Mapping):
        raise SleuthError(f"{where} must be a table, not {table!r}")
    types = get_type_hints(cls)
    values = {}
    for key, value in table.items():
        if key not in types:
            raise unknown_name(f"key of the table [{where}]", key, types)
        wanted = types[key]
        whole_as_float = wanted is float and type(value) is int
        if wanted in (int, float, str, bool) and type(value) is not wanted and not whole_as_float:
            raise SleuthError(f"{where}.{key} takes a value of type {wanted.__name__}, not {value!r}")
        values[key] = float(value) if whole_as_float else value
    for field in fields(cls):  # type: ignore[arg-type]  # T is a dataclass, which has no type of its own
        if field.default is MISSING and field.name not in values:
            raise SleuthError(f"{where} lacks {field.name}")
    return cls(**values)

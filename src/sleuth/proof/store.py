"""What a long run knows, kept in a file: every opener with its bound, so that a killed run goes on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sleuth.errors import SleuthError, StoreError
from sleuth.games.game import Game
from sleuth.games.priors import uniform
from sleuth.games.rules import PegRules, Rules, WordleRules
from sleuth.position import Position
from sleuth.proof.objective import Objective

if TYPE_CHECKING:
    from sleuth.proof.prove import Proof

T = TypeVar("T")
FORMAT = 1
"""The version of the file's layout, and of the search whose bounds it holds."""
_RESULT = "result"
_RULES: dict[str, type[WordleRules] | type[PegRules]] = {"wordle": WordleRules, "pegs": PegRules}


class Store:
    """A file of bounds of one game, position and objective: SQLite with a write-ahead log.

    A bound belongs to an opener and a number of turns left. Writes are complete or absent, whatever kills the
    process. Use it as a context manager.
    """

    def __init__(
        self, path: Path, identity: Mapping[str, str], details: Mapping[str, Any] | None = None
    ) -> None:
        """Open or make a store. Raises StoreError for a file that is no store, or one of something else.

        identity: what its bounds belong to. details: what a new store keeps to rebuild the run by, as JSON.
        """
        self.path = path
        try:
            self._connection = sqlite3.connect(path)
        except sqlite3.Error as error:
            raise StoreError(f"cannot open the store {path}: {error}") from None
        try:
            self._open(identity, {} if details is None else details)
        except BaseException:
            self._connection.close()
            raise

    def _open(self, identity: Mapping[str, str], details: Mapping[str, Any]) -> None:
        wanted = {"format": str(FORMAT), **identity}
        try:
            # Complete whatever kills the process; what the log still holds is flushed now and then.
            self._connection.execute("PRAGMA synchronous = NORMAL")
            if not list(self._connection.execute("SELECT name FROM sqlite_master")):
                self._make({**wanted, "run": json.dumps(details)})
            found = dict(self._connection.execute("SELECT key, value FROM about"))
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} is no store of a proof, or a broken one: {error}") from None
        for key, value in wanted.items():
            if found.get(key) != value:
                shown = [text if text and len(text) <= 60 else "another" for text in (found.get(key), value)]
                raise StoreError(
                    f"{self.path} is the store of another run: its {key} is {shown[0]}, this one's is"
                    f" {shown[1]}; give another file, or delete it"
                )

    def _make(self, about: Mapping[str, str]) -> None:
        """Lay out a new file, in one transaction: a run killed meanwhile leaves an empty one."""
        self._connection.execute("PRAGMA journal_mode = WAL")
        with self._connection:
            self._connection.execute("BEGIN")
            self._connection.execute("CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT)")
            self._connection.execute(
                "CREATE TABLE openers (turns INTEGER, guess TEXT, lower INTEGER, exact INTEGER,"
                " depth INTEGER, PRIMARY KEY (turns, guess))"
            )
            self._connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()

    def load(self, turns: int) -> dict[str, tuple[int, bool, int]]:
        """Return lower bound, whether it is the total, and depth of every opener known for so many turns."""
        query = "SELECT guess, lower, exact, depth FROM openers WHERE turns = ?"
        rows = self._run(lambda: list(self._connection.execute(query, (turns,))))
        return {guess: (lower, bool(exact), depth) for guess, lower, exact, depth in rows}

    def save(self, turns: int, rows: Iterable[tuple[str, int, bool, int]]) -> None:
        """Keep (guess, lower bound, whether it is the total, depth) of openers. Raises StoreError."""
        values = [(turns, guess, int(lower), int(exact), int(depth)) for guess, lower, exact, depth in rows]

        def write() -> None:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO openers VALUES (?, ?, ?, ?, ?)", values)

        self._run(write)

    def finish(self, proof: Proof, asked: str | None) -> None:
        """Keep the result of a finished run and its tree; of one that was stopped, nothing.

        asked: the opener that the run was about, where it was about one.
        """
        if proof.interrupted:
            return
        from sleuth.formats import tree_json

        tree = None if proof.tree is None else tree_json.to_text(proof.tree)
        result = Result(
            asked, proof.opener, proof.turns, proof.total, proof.failures, proof.lower_bound, tree
        )
        row = (_RESULT if asked is None else f"{_RESULT} {asked}", json.dumps(asdict(result)))

        def write() -> None:
            with self._connection:
                self._connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", row)

        self._run(write)

    def _run(self, action: Callable[[], T]) -> T:
        try:
            return action()
        except sqlite3.Error as error:
            raise StoreError(f"the store {self.path} failed: {error}; what was kept before is safe") from None


@dataclass(frozen=True)
class Result:
    """What a finished run found, as its store keeps it.

    Attributes:
        asked: the opener that the run was about, or None for all.
        opener, turns, total, failures, lower_bound: those of the Proof.
        tree: its tree in Sleuth's JSON, or None.

    """

    asked: str | None
    opener: str
    turns: int
    total: int | None
    failures: int | None
    lower_bound: int
    tree: str | None


@dataclass(frozen=True)
class OpenerBound:
    """What a store says of an opener: no strategy that begins so costs less than lower within the turns.

    exact: one costs just that. depth: the most guesses that it takes.
    """

    turns: int
    guess: str
    lower: int
    exact: bool
    depth: int


@dataclass(frozen=True)
class Contents:
    """All that a store holds.

    Attributes:
        about: what its bounds belong to.
        run: what the run began with, see details.
        results: what runs found that finished: of all openers first, then of one.
        openers: every bound.

    """

    about: dict[str, str]
    run: dict[str, Any]
    results: list[Result]
    openers: list[OpenerBound]


def read_store(path: Path) -> Contents:
    """Return what a store holds. Raises StoreError."""
    if not path.is_file():
        raise StoreError(f"there is no store {path}")
    try:
        # Without a log nothing writes to it, and it can be read where nothing may be written.
        file = path.resolve()
        how = "mode=ro" if file.with_name(f"{file.name}-wal").exists() else "immutable=1"
        with closing(sqlite3.connect(f"{file.as_uri()}?{how}", uri=True)) as connection:
            about = dict(connection.execute("SELECT key, value FROM about"))
            query = "SELECT turns, guess, lower, exact, depth FROM openers ORDER BY turns, guess"
            rows = list(connection.execute(query))
    except sqlite3.Error as error:
        raise StoreError(f"{path} is no store of a proof, or a broken one: {error}") from None
    if about.get("format") != str(FORMAT):
        raise StoreError(f"{path} has format {about.get('format')}; format {FORMAT} can be read")
    try:
        run = json.loads(about.pop("run"))
        keys = sorted(key for key in about if key.startswith(_RESULT))
        results = [Result(**json.loads(about.pop(key))) for key in keys]
        openers = [OpenerBound(int(t), str(g), int(low), bool(e), int(d)) for t, g, low, e, d in rows]
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"{path} is a broken store: {error!r}") from None
    return Contents(about, run, results, openers)


def details(position: Position, objective: Objective) -> dict[str, Any]:
    """Return what a run can be rebuilt from: the game, where play begins, and the objective.

    Games whose feedback is a function are known by name only.
    """
    game = position.game
    kind = _rules_of(game)
    words = {"guesses": game.guesses, "answers": game.answers} if kind is not None else {}
    everyone = len(position.candidates) == len(game.answers)
    return {
        "name": game.name,
        "rules": kind,
        **words,
        "prior": None if game.is_uniform else game.prior.tolist(),
        "max_turns": game.max_turns,
        "mode": game.mode,
        "candidates": None if everyone else position.candidates.tolist(),
        "legal": None if position.legal is None else position.legal.tolist(),
        "turn": position.turn,
        "objective": objective.kind,
        "penalty": objective.penalty,
    }


def rebuilt(run: Mapping[str, Any], game: Game | None = None) -> tuple[Position, Objective]:
    """Return where a run began and its objective, from its details. Raises StoreError.

    game: the run's, needed where its feedback is a function.
    """
    try:
        game = _game_of(run) if game is None else game
        candidates = range(len(game.answers)) if run["candidates"] is None else run["candidates"]
        legal = None if run["legal"] is None else np.array(run["legal"], np.int32)
        position = Position(game, np.array(candidates, np.int32), legal, int(run["turn"]))
        return position, Objective(run["objective"], run["penalty"])
    except StoreError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError, SleuthError) as error:
        raise StoreError(f"the store does not say what game its bounds are of: {error!r}") from None


def _rules_of(game: Game) -> list[Any] | None:
    """Return the rules as plain values, or None where only the game itself knows them."""
    match game.rules:
        case WordleRules(length):
            return ["wordle", length]
        case PegRules(pegs):
            return ["pegs", pegs]
    return None


def _game_of(run: Mapping[str, Any]) -> Game:
    if run["rules"] is None:
        raise StoreError(
            f"the feedback of {run['name']} is a function, which a store cannot keep; give the game itself"
        )
    kind, size = run["rules"]
    rules: Rules = _RULES[kind](size)
    answers = tuple(run["answers"])
    prior = uniform(len(answers)) if run["prior"] is None else np.array(run["prior"])
    made = Game(run["name"], rules, tuple(run["guesses"]), answers, prior, run["max_turns"], run["mode"])
    # As it was to the last bit: dividing by the sum once more might change some.
    object.__setattr__(made, "prior", prior)
    return made

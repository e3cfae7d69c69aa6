"""What a long run knows, kept in a file: every opener with its bound, so that a killed run goes on."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sleuth.exact.objective import Objective
from sleuth.exact.snapshot import Snapshot
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.games.rules import PegRules, Rules, WordleRules
from sleuth.support.errors import SleuthError, StoreError, TreeError
from sleuth.trees.formats import tree_json

if TYPE_CHECKING:
    from sleuth.exact.proof import Proof

T = TypeVar("T")
FORMAT = 2
"""The version of the file's layout, and of the search whose bounds it holds."""
PATIENCE = 60.0
"""Seconds that a store waits for another program that has it locked."""
_RESULT = "result"
_RULES: dict[str, Callable[[int], Rules]] = {
    "wordle": WordleRules,
    "pegs": PegRules,
    "black-pegs": lambda pegs: PegRules(pegs, black=True),
}
_OPENERS = "turns, guess, lower, exact, depth"
# Of a damaged file SQLite says much, and Python's own errors come through it too.
_FAULTS = (sqlite3.Error, ValueError, OverflowError)
Row = tuple[Any, ...]


class _UnreachableError(StoreError):
    """A file that the system does not let be written, or read."""


class Store:
    """A file of bounds of one game, position and objective: SQLite with a write-ahead log.

    A bound belongs to an opener and a number of turns left. Writes are complete or absent, whatever kills the
    process. Every row has a digest; one that does not fit its digest is never used. Use it as a context
    manager.

    What cannot be written, because another program has the file locked or the disk is full, is kept in memory
    and tried again with what comes next; settle() tries to the end. A store of a run that has finished is
    read where it may not be written.
    """

    def __init__(
        self, path: Path, identity: Mapping[str, str], details: Mapping[str, Any] | None = None
    ) -> None:
        """Open or make a store. Raises StoreError for a file that is no store, or one of something else.

        identity: what its bounds belong to. details: what a new store keeps to rebuild the run by, as JSON.
        """
        self.path = path
        self._run = run_digest(identity)
        self._waiting: dict[tuple[int, str], Row] = {}
        self._result: tuple[str, str] | None = None
        self._again = 0.0
        self._finished = False
        try:
            # No waiting in SQLite itself: Ctrl-C would wait with it.
            self._connection = sqlite3.connect(path, timeout=0)
        except _FAULTS as error:
            raise StoreError(f"cannot open the store {path}: {error}") from None
        try:
            try:
                self._open(identity, {} if details is None else details)
            except _UnreachableError:
                if not self._open_finished(identity):
                    raise
        except BaseException:
            self._connection.close()
            raise

    def _open(self, identity: Mapping[str, str], details: Mapping[str, Any]) -> None:
        try:
            # Complete whatever kills the process; what the log still holds is flushed now and then.
            self._patiently(lambda: self._connection.execute("PRAGMA synchronous = NORMAL"))
            if not self._patiently(self._tables):
                about = {"format": str(FORMAT), **identity, "run": json.dumps(details)}
                self._patiently(lambda: self._make(about))
            found = self._patiently(lambda: _read_about(self._connection, self.path))
        except _FAULTS as error:
            raise _explained(self.path, error) from None
        self._check_identity(identity, found)
        try:
            # A file that cannot be written is to be known now, not after the work. To begin is not enough: of
            # a disk that can only be read SQLite says so at the first statement that would write.
            self._patiently(lambda: self._connection.execute("BEGIN IMMEDIATE"))
            self._connection.execute("DELETE FROM openers WHERE 0")
            self._connection.rollback()
        except _FAULTS as error:
            raise _explained(self.path, error) from None

    def _open_finished(self, identity: Mapping[str, str]) -> bool:
        """Open a file that may not be written, and say whether its run has finished. Raises StoreError."""
        try:
            connection = _reading(self.path)
            found = _read_about(connection, self.path)
        except (*_FAULTS, OSError):
            return False
        self._connection.close()
        self._connection = connection
        self._check_identity(identity, found)
        self._finished = any(key.startswith(_RESULT) for key in found)
        return self._finished

    def _check_identity(self, identity: Mapping[str, str], found: Mapping[str, str]) -> None:
        """Raise StoreError where a file is of another run. found: what it says of itself."""
        for key, value in identity.items():
            if found.get(key) != value:
                shown = [text if text and len(text) <= 60 else "another" for text in (found.get(key), value)]
                raise StoreError(
                    f"{self.path} is the store of another run: its {key} is {shown[0]}, this one's is"
                    f" {shown[1]}; give another file, or delete it"
                )

    def _tables(self) -> list[Any]:
        return list(self._connection.execute("SELECT name FROM sqlite_master"))

    def _make(self, about: Mapping[str, str]) -> None:
        """Lay out a new file, in one transaction: a run killed meanwhile leaves an empty one."""
        self._connection.execute("PRAGMA journal_mode = WAL")
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            if self._tables():  # another run was faster
                return
            self._connection.execute("CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT, digest BLOB)")
            self._connection.execute(
                "CREATE TABLE openers (turns INTEGER, guess TEXT, lower INTEGER, exact INTEGER,"
                " depth INTEGER, digest BLOB, PRIMARY KEY (turns, guess)) WITHOUT ROWID"
            )
            self._connection.execute(
                "CREATE TABLE snapshot (one INTEGER PRIMARY KEY, keys TEXT, buckets INTEGER, entries BLOB,"
                " digest BLOB)"
            )
            rows = [(*pair, row_digest("about", *pair)) for pair in about.items()]
            self._connection.executemany("INSERT INTO about VALUES (?, ?, ?)", rows)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(*_FAULTS):
            self._write()
        self._connection.close()

    def load(self, turns: int) -> dict[str, tuple[int, bool, int]]:
        """Return lower bound, whether it is the total, and depth of every opener known for so many turns.

        Raises StoreError, also for a row that does not fit its digest.
        """
        query = f"SELECT {_OPENERS}, digest FROM openers WHERE turns = ?"
        try:
            rows = self._patiently(lambda: list(self._connection.execute(query, (turns,))))
        except _FAULTS as error:
            raise _explained(self.path, error) from None
        return {row.guess: (row.lower, row.exact, row.depth) for row in _bounds(self.path, self._run, rows)}

    def save(self, turns: int, rows: Iterable[tuple[str, int, bool, int]]) -> None:
        """Keep (guess, lower bound, whether it is the total, depth) of openers, at the next chance."""
        for guess, lower, exact, depth in rows:
            self._waiting[turns, guess] = (turns, guess, int(lower), int(exact), int(depth))
        if time.monotonic() >= self._again:
            try:
                self._write()
            except _FAULTS:
                self._again = time.monotonic() + 1  # settle() says what is wrong if it stays so

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep what the table of bounds knows, in place of what was kept; a failure costs nothing."""
        row = (snapshot.keys, snapshot.buckets, snapshot.entries, self._snapshot_digest(snapshot))
        with suppress(*_FAULTS), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("INSERT OR REPLACE INTO snapshot VALUES (1, ?, ?, ?, ?)", row)

    def load_snapshot(self) -> Snapshot | None:
        """Return what was kept of the table of bounds, or None where it is damaged or nothing was kept."""
        query = "SELECT keys, buckets, entries, digest FROM snapshot"
        with suppress(*_FAULTS, TypeError):
            for keys, buckets, entries, digest in self._connection.execute(query):
                snapshot = Snapshot(keys, buckets, entries)
                if digest == self._snapshot_digest(snapshot):
                    return snapshot
        return None

    def _snapshot_digest(self, snapshot: Snapshot) -> bytes:
        return row_digest(self._run, snapshot.keys, snapshot.buckets, blake2b(snapshot.entries).hexdigest())

    def finish(self, proof: Proof, asked: str | None) -> None:
        """Keep the result of a finished run and its tree, at the next chance; a stopped one leaves none.

        asked: the opener that the run was about, where it was about one.
        """
        if proof.interrupted or self._finished:
            return
        tree = None
        if proof.tree is not None:
            with suppress(TreeError):  # too deep for JSON: the bounds are kept all the same
                tree = tree_json.to_text(proof.tree)
        result = Result(
            asked, proof.opener, proof.turns, proof.total, proof.failures, proof.lower_bound, tree
        )
        self._result = (_RESULT if asked is None else f"{_RESULT} {asked}", json.dumps(asdict(result)))

    def settle(self, patience: float | None = None) -> str | None:
        """Write what is not written yet, and return why it cannot be, or None.

        patience: seconds that locks are waited for, else PATIENCE.
        """
        try:
            self._patiently(self._write, patience)
        except _FAULTS as error:
            why = str(_explained(self.path, error))
        else:
            return None
        return f"{why}; {len(self._waiting)} bounds{' and the result' if self._result else ''} are not kept"

    def _write(self) -> None:
        if not self._waiting and self._result is None:
            return
        bounds = [(*row, row_digest(self._run, *row)) for row in self._waiting.values()]
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            # Of two runs at once each may know more than the other.
            self._connection.executemany(
                f"INSERT INTO openers ({_OPENERS}, digest) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET lower = excluded.lower, exact = excluded.exact,"
                " depth = excluded.depth, digest = excluded.digest"
                " WHERE (excluded.exact, excluded.lower) > (exact, lower)",
                bounds,
            )
            if self._result is not None:
                row = (*self._result, row_digest("about", *self._result))
                self._connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?, ?)", row)
        self._waiting.clear()
        self._result = None

    def _patiently(self, action: Callable[[], T], patience: float | None = None) -> T:
        """Do something as soon as no other program has the file locked, or raise what SQLite says."""
        until = time.monotonic() + (PATIENCE if patience is None else patience)
        while True:
            try:
                return action()
            except sqlite3.OperationalError as error:
                if _code(error) not in _LOCKED or time.monotonic() >= until:
                    raise
            time.sleep(0.05)


_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_UNREACHABLE = (
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_IOERR,
)


def _code(error: BaseException) -> int:
    """Return SQLite's primary code of an error, or -1."""
    code = getattr(error, "sqlite_errorcode", None)
    return -1 if code is None else code & 0xFF


def _explained(path: Path, error: Exception) -> StoreError:
    """Return the error that says whether the disk, another program or the file itself is at fault."""
    if isinstance(error, StoreError):
        return error
    code = _code(error)
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"the disk is full: the store {path} cannot be written")
    if code in _LOCKED:
        return StoreError(f"the store {path} is locked by another program, and was for {PATIENCE:.0f} s")
    if code in _UNREACHABLE:
        return _UnreachableError(f"the store {path} cannot be read or written ({error})")
    return StoreError(f"{path} is no store of a proof, or a broken one: {error}")


def row_digest(*values: Any) -> bytes:
    """Return what a row is told by from a damaged one: 16 bytes of BLAKE2b. It is no signature."""
    return blake2b(ascii(values).encode(), digest_size=16).digest()


def run_digest(identity: Mapping[str, str]) -> str:
    """Return what the digests of the bounds of a run begin with."""
    return row_digest(FORMAT, sorted(identity.items())).hex()


def _reading(path: Path) -> sqlite3.Connection:
    """Return a connection that only reads."""
    # Without a log nothing writes to it, and it can be read where nothing may be written.
    file = path.resolve()
    how = "mode=ro" if file.with_name(f"{file.name}-wal").exists() else "immutable=1"
    return sqlite3.connect(f"{file.as_uri()}?{how}", uri=True)


def _read_about(connection: sqlite3.Connection, path: Path) -> dict[str, str]:
    """Return what a store says of itself. Raises StoreError, and what SQLite raises."""
    connection.text_factory = _text
    (form,) = connection.execute("SELECT value FROM about WHERE key = 'format'").fetchone() or (None,)
    if form == "1":
        raise StoreError(
            f"{path} has format 1, whose bounds have no digests and may be damaged unnoticed; give another"
            " file, or delete it: its bounds are found again"
        )
    if form != str(FORMAT):
        raise StoreError(f"{path} has format {form}; format {FORMAT} can be read")
    about = {}
    for key, value, digest in connection.execute("SELECT key, value, digest FROM about"):
        if digest != row_digest("about", key, value):
            raise _damaged(path, f"about {str(key)[:60]!r}")
        about[key] = value
    return about


def _bounds(path: Path, run: str, rows: Iterable[Row]) -> Iterator[OpenerBound]:
    """Return rows of bounds, their digests last, as bounds. Raises StoreError."""
    for turns, guess, lower, exact, depth, digest in rows:
        if digest != row_digest(run, turns, guess, lower, exact, depth):
            raise _damaged(path, f"of {str(guess)[:60]!r} within {str(turns)[:60]} turns")
        yield OpenerBound(turns, guess, lower, bool(exact), depth)


def _damaged(path: Path, which: str) -> StoreError:
    return StoreError(
        f"{path} is broken: what it says {which} does not fit its digest and is not used; delete that row,"
        " or the file, and what it held is found again"
    )


def _text(data: bytes) -> str:
    # Damaged text becomes text that does not fit its digest.
    return data.decode("utf-8", "replace")


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
    """Return what a store holds. Raises StoreError, also where a row does not fit its digest."""
    try:
        if not path.is_file():
            raise StoreError(f"there is no store {path}")
        with closing(_reading(path)) as connection:
            about = _read_about(connection, path)
            query = f"SELECT {_OPENERS}, digest FROM openers ORDER BY turns, guess"
            rows = list(connection.execute(query))
    except (*_FAULTS, OSError) as error:
        raise _explained(path, error) from None
    try:
        del about["format"]
        run = json.loads(about.pop("run"))
        keys = sorted(key for key in about if key.startswith(_RESULT))
        results = [Result(**json.loads(about.pop(key))) for key in keys]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"{path} is a broken store: {error!r}") from None
    return Contents(about, run, results, list(_bounds(path, run_digest(about), rows)))


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
        case PegRules(pegs, black):
            return ["black-pegs" if black else "pegs", pegs]
    return None


def _game_of(run: Mapping[str, Any]) -> Game:
    if run["rules"] is None:
        raise StoreError(
            f"the feedback of {run['name']} is a function, which a store cannot keep; give the game itself"
        )
    kind, size = run["rules"]
    rules = _RULES[kind](size)
    answers = tuple(run["answers"])
    prior = uniform(len(answers)) if run["prior"] is None else np.array(run["prior"])
    made = Game(run["name"], rules, tuple(run["guesses"]), answers, prior, run["max_turns"], run["mode"])
    # As it was to the last bit: dividing by the sum once more might change some.
    object.__setattr__(made, "prior", prior)
    return made

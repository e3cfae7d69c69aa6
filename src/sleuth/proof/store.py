"""What a long run knows, kept in a file: every opener with its bound, so that a killed run goes on where it was."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from sleuth.errors import StoreError

FORMAT = 1
"""The version of the file's layout, and of the search whose bounds it holds."""


class Store:
    """A file of bounds of one game, position and objective: SQLite with a write-ahead log.

    A bound belongs to an opener and a number of turns left. Writes are complete or absent, whatever kills the
    process. Use it as a context manager.
    """

    def __init__(self, path: Path, identity: Mapping[str, str]) -> None:
        """Open or make a store. Raises StoreError for a file that is no store, or one of something else."""
        self.path = path
        try:
            self._connection = sqlite3.connect(path)
        except sqlite3.Error as error:
            raise StoreError(f"cannot open the store {path}: {error}") from None
        try:
            self._open(identity)
        except BaseException:
            self._connection.close()
            raise

    def _open(self, identity: Mapping[str, str]) -> None:
        wanted = {"format": str(FORMAT), **identity}
        try:
            if self.path.stat().st_size == 0:
                self._connection.execute("PRAGMA journal_mode = WAL")
                with self._connection:
                    self._connection.execute("CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT)")
                    self._connection.execute(
                        "CREATE TABLE openers (turns INTEGER, guess TEXT, lower INTEGER, exact INTEGER,"
                        " depth INTEGER, PRIMARY KEY (turns, guess))"
                    )
                    self._connection.executemany("INSERT INTO about VALUES (?, ?)", wanted.items())
                return
            self._connection.execute("PRAGMA journal_mode = WAL")
            found = dict(self._connection.execute("SELECT key, value FROM about"))
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} is no store of a proof, or a broken one: {error}") from None
        for key, value in wanted.items():
            if found.get(key) != value:
                shown = [text if text and len(text) <= 60 else "another" for text in (found.get(key), value)]
                raise StoreError(
                    f"{self.path} is the store of another run: its {key} is {shown[0]}, this one's is {shown[1]};"
                    " give another file, or delete it"
                )

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

    def note(self, key: str, value: Any) -> None:
        """Keep a value about the run, as JSON, under a key of its own."""

        def write() -> None:
            with self._connection:
                self._connection.execute(
                    "INSERT OR REPLACE INTO about VALUES (?, ?)", (key, json.dumps(value))
                )

        self._run(write)

    def _run(self, action: Any) -> Any:
        try:
            return action()
        except sqlite3.Error as error:
            raise StoreError(f"the store {self.path} failed: {error}; what was kept before is safe") from None


def read_about(path: Path) -> dict[str, str]:
    """Return what a store says of its run. Raises StoreError."""
    if not path.is_file():
        raise StoreError(f"there is no store {path}")
    try:
        with sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True) as connection:
            return dict(connection.execute("SELECT key, value FROM about"))
    except sqlite3.Error as error:
        raise StoreError(f"{path} is no store of a proof, or a broken one: {error}") from None

"""What is known of every opener of a row's game: bounds of all, and exactly what the best ones take.

Tables ship in the folder `tables`, NAME.csv.gz for the row NAME: a line that says which game and task it is
of, then a line an opener, those of the fewest guesses first. An empty field says that there is no such
strategy, or that none was found.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sleuth.exact.beam import Beam
from sleuth.exact.proof import IMPOSSIBLE
from sleuth.exact.proving import ProofProgress, prove
from sleuth.exact.solver import Solver
from sleuth.exact.symmetry import orbits
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.ledger.record import Record, Status, named, records
from sleuth.support.errors import SleuthError
from sleuth.support.files import bytes_of, write_whole
from sleuth.support.parallel import map_threads, new_stop
from sleuth.support.progress import Progress, Watch

BATCH = 128
"""Openers that are bounded together; what is known is handed over after so many."""
_FOLDER = "tables"
SUFFIXES = (".csv", ".csv.gz")
"""What the names of tables end in; those that end in .gz are compressed."""
_HEAD = ("opener", "at_least", "at_most")
_GZIP = b"\x1f\x8b"
_MOST_BYTES = 2**26


class Opener(NamedTuple):
    """What is known of the best play after an opener, in weights as the row: guesses, under a uniform prior.

    Attributes:
        opener: the first guess.
        at_least: no strategy that begins with it has a smaller total; None where none finds every answer
            within the turns.
        at_most: the total of a strategy that was found, or None.

    """

    opener: str
    at_least: int | None
    at_most: int | None

    @property
    def proved(self) -> bool:
        """Whether the bounds meet, or there is no strategy at all."""
        return self.at_least == self.at_most

    def of(self, record: Record) -> Record:
        """Return the row with what is known of this opener in place of the best."""
        least, most = (None if value is None else (value,) for value in (self.at_least, self.at_most))
        status: Status = "proved" if self.proved else "bounds"
        return replace(record, asked=self.opener, status=status, at_least=least, at_most=most)

    @property
    def order(self) -> tuple[float, float, str]:
        """The key by which tables are sorted: fewest guesses found, then the lower bound, then the name."""
        most, least = (np.inf if value is None else value for value in (self.at_most, self.at_least))
        return most, least, self.opener


def openers(name: str, table: str | Path | None = None) -> tuple[Opener, ...]:
    """Return what is known of the openers of a row of `records()`, those of the fewest guesses first.

    table: a file like those that ship, in place of the one that ships. Raises SleuthError, also for a row
    without such a table.
    """
    (record,) = named(records(), [name])
    if table is not None:
        rows = read(Path(table), record)
        check_against(rows, record.game.build())
        return rows
    if name not in (there := shipped()):
        raise SleuthError(f"no openers of {name} ship; there are those of {', '.join(there)}")
    return _shipped(record)


def shipped() -> list[str]:
    """Return the names of the rows whose openers ship."""
    folder = resources.files("sleuth.ledger").joinpath(_FOLDER)
    return sorted(file.name.removesuffix(".csv.gz") for file in folder.iterdir() if file.name.endswith(".gz"))


@cache
def _shipped(record: Record) -> tuple[Opener, ...]:
    file = resources.files("sleuth.ledger").joinpath(_FOLDER, f"{record.name}.csv.gz")
    return _parsed(file.name, file.read_bytes(), record)


def read(table: Path, record: Record) -> tuple[Opener, ...]:
    """Read a table of the openers of a row. Raises SleuthError, also for one of another game."""
    return _parsed(str(table), bytes_of(table, _MOST_BYTES), record)


def write(rows: Iterable[Opener], table: Path, record: Record) -> None:
    """Write a table of openers, sorted, compressed where its name ends in .gz. Raises OSError.

    Equal rows make equal files.
    """
    text = io.StringIO()
    text.write(_task(record) + "\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_HEAD)
    ordered: list[Opener] = sorted(rows, key=lambda row: row.order)
    writer.writerows(ordered)
    content = text.getvalue().encode()
    write_whole(table, gzip.compress(content, mtime=0) if table.suffix == ".gz" else content)


def _task(record: Record) -> str:
    """Return the first line of a table: what must be the same for its bounds to hold."""
    game = record.game
    return f"# {game.mode} mode, prior {game.prior}, {game.max_turns} turns, rules and lists {record.digest}"


def _parsed(source: str, content: bytes, record: Record) -> tuple[Opener, ...]:
    broken = SleuthError(
        f"{source} is no table of openers: a line that says which game, then CSV with {', '.join(_HEAD)}"
    )
    try:
        if content.startswith(_GZIP):
            with gzip.open(io.BytesIO(content)) as file:
                content = file.read(_MOST_BYTES)
        text = content.decode()
        task, _, rest = text.partition("\n")
        task = task.rstrip()
        lines = list(csv.reader(io.StringIO(rest)))
    except (OSError, EOFError, ValueError, csv.Error):
        raise broken from None
    head, *body = lines or [[]]
    if not task.startswith("# ") or tuple(head) != _HEAD or any(len(line) != len(_HEAD) for line in body):
        raise broken
    if task != _task(record):
        other, asked = task[2:], _task(record)[2:]
        raise SleuthError(f"{source} is of another game than {record.name}: of {other}, not {asked}")
    try:
        rows = [Opener(line[0], *(int(part) if part else None for part in line[1:])) for line in body]
    except ValueError:
        raise broken from None
    _check_bounds(rows)
    return tuple(rows)


def check_asked(record: Record) -> Game:
    """Return the game of a row whose openers can be bounded. Raises SleuthError for another."""
    if record.objective != "mean" or record.asked is not None:
        raise SleuthError(f"openers are of rows that ask for the best mean of all openers, not {record.name}")
    return record.game.build()


def bounded(
    game: Game, known: Iterable[Opener] = (), progress: Watch | None = None
) -> Iterator[list[Opener]]:
    """Bound the openers that nothing is known of: by a beam from above, by one scan of each class from below.

    Yields what is known of a batch at a time, in the order of the game's guesses. From above it is the beam
    alone, without the heuristics that the strategy asks beside. Raises SleuthError.
    """
    there = {row.opener for row in known}
    alike = _alike(game)
    todo = np.array([first for first, others in alike.items() if not there.issuperset(others)], np.int32)
    solver, position = Solver(game), Position.start(game)
    start, scale = Frontier.of(position), int(solver.weights.sum())

    def found(opener: int) -> int | None:
        classes = start.after(np.array([opener], np.int32)).frontier
        if not len(classes):
            return scale
        totals = solver.beam(classes, Beam.width, Beam.looked)[1][:, 0]
        return None if totals.max() >= IMPOSSIBLE else scale + int(totals.sum())

    for begin in range(0, len(todo), BATCH):
        if progress is not None:
            progress(Progress(len(alike) - len(todo) + begin, len(alike), "openers bounded"))
        some = todo[begin : begin + BATCH]
        least = solver.sweep(position, some, game.max_turns, IMPOSSIBLE).tolist()
        most = map_threads(found, some.tolist(), new_stop())
        yield [
            Opener(name, None if low >= IMPOSSIBLE else low, high)
            for first, low, high in zip(some.tolist(), least, most, strict=True)
            for name in alike[first]
        ]


def _alike(game: Game) -> dict[int, list[str]]:
    """Return openers that are the same but for names of symbols and the order of places, by their first."""
    alike: dict[int, list[str]] = {}
    for name, first in zip(game.guesses, orbits(game).tolist(), strict=True):
        alike.setdefault(first, []).append(name)
    return alike


def with_best(
    game: Game,
    known: Sequence[Opener],
    best: int,
    *,
    store: Path | None = None,
    progress: Callable[[ProofProgress], None] | None = None,
) -> tuple[Opener, ...]:
    """Return what is known, and exactly what the best openers take, with proof that no other takes fewer.

    best: how many openers, those that are the same but for names counted once. store: where bounds are kept;
    the proof goes on from there. Raises SleuthError, StoreError; Interrupted where the proof is not finished.
    """
    solver = Solver(game)
    proof = prove(game, top=best, store=store, with_tree=False, progress=progress, solver=solver)
    alike = _alike(game)
    exact = {name: total for opener, total in proof.top for name in alike[game.guess_index[opener]]}
    rows = {row.opener: row for row in known}
    # Of those that tell something, who is not among them takes as many guesses as the last of them at least.
    if len(proof.top) >= best:
        telling = solver.first_bounds(Position.start(game), game.max_turns)[0].tolist()
        for name in (game.guesses[guess] for guess in telling if game.guesses[guess] in rows):
            rows[name] = _raised(rows[name], proof.top[-1][1])
    rows |= {name: Opener(name, total, total) for name, total in exact.items()}
    return tuple(sorted(rows.values(), key=lambda row: row.order))


def _raised(row: Opener, least: int) -> Opener:
    return row if row.at_least is None else row._replace(at_least=max(row.at_least, least))


def check_against(rows: Sequence[Opener], game: Game) -> None:
    """Raise SleuthError for rows that cannot be of a game: words that are no guesses."""
    guesses = set(game.guesses)
    for row in rows:
        if row.opener not in guesses:
            raise SleuthError(f"the table has {row.opener}, which is no guess of {game.name}")


def _check_bounds(rows: Sequence[Opener]) -> None:
    """Raise SleuthError for openers that are there twice, and bounds that cross."""
    there: set[str] = set()
    for row in rows:
        if row.opener in there:
            raise SleuthError(f"the table has {row.opener} twice")
        there.add(row.opener)
        if any(value is not None and value < 0 for value in row[1:]):
            raise SleuthError(f"the table has bounds of {row.opener} below 0")
        if None not in (row.at_least, row.at_most) and row.at_least > row.at_most:  # type: ignore[operator]
            raise SleuthError(f"the bounds of {row.opener} cross: {row.at_least} and {row.at_most}")

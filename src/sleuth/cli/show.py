"""What commands print: JSON on stdout, tables and histograms for people, progress and notes on stderr."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sleuth.cli.hearing import heard
from sleuth.support.errors import SleuthError
from sleuth.views.numbers import bar_of as bar_of
from sleuth.views.numbers import counted as counted
from sleuth.views.numbers import percent as percent
from sleuth.views.watching import progress as progress_of
from sleuth.views.watching import where

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from sleuth.games.game import Game
    from sleuth.games.strategy import Suggestion
    from sleuth.support.progress import Progress, Watch
    from sleuth.views.content import Table as Block


def as_json(value: Mapping[str, Any], rows: Iterable[Mapping[str, Any]] | None = None) -> None:
    """Print one JSON object; or the rows of its table alone, where the command was asked for those.

    Raises SleuthError where it was asked for rows and there are none.
    """
    _printed.append(True)
    if not _table:
        with heard():
            print(json.dumps(value, ensure_ascii=False))
        return
    if rows is not None:
        with heard():
            print(_table[-1](rows), end="")
    elif not value.get("interrupted"):
        raise SleuthError("this result is no table; --json, without --format, has all of it")
    if value.get("interrupted"):
        note("not finished: interrupted")


def rows_as(written: Callable[[Iterable[Mapping[str, Any]]], str]) -> None:
    """Let as_json print rows alone, as such text, until the run ends."""
    _table.append(written)


def counts(histogram: Mapping[int, int]) -> list[dict[str, int]]:
    """Return a histogram as rows: how many answers, or games, take so many guesses."""
    return [{"guesses": guesses, "count": count} for guesses, count in sorted(histogram.items())]


# How rows are written in the run that is under way, where they are asked for alone.
_table: list[Callable[[Iterable[Mapping[str, Any]]], str]] = []


# Whether JSON was printed, in the run that is under way.
_printed: list[bool] = []


def begin() -> None:
    """Forget what was shown in a run before this one."""
    _printed.clear()
    _table.clear()
    _last.clear()


def printed_json() -> bool:
    """Say whether a JSON object was printed."""
    return bool(_printed)


def console(*, stderr: bool = False) -> "Console":
    """Return a console: plain and never cut where it is no terminal, without colours under NO_COLOR."""
    from sleuth.cli.output import Output

    stream = sys.stderr if stderr else sys.stdout
    return Output(stderr=stderr, highlight=False, width=None if stream.isatty() else 1000)


def note(text: str) -> None:
    """Print a remark to stderr."""
    print(text, file=sys.stderr)


def table(*columns: str, left: int = 1, title: str | None = None) -> "Table":
    """Return an empty table whose first `left` columns are text and whose others are numbers."""
    from rich import box

    from sleuth.cli.rows import Rows

    made = Rows(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for i, column in enumerate(columns):
        made.add_column(column, justify="left" if i < left else "right", overflow="fold")
    return made


def suggestions(found: "tuple[Suggestion, ...] | list[Suggestion]") -> "Table":
    """Return a table of suggestions."""
    from sleuth.views.advice import suggestions as listed

    return block(listed(found))


def block(of: "Block") -> "Table":
    """Return a table that notebooks show as well."""
    made = table(*of.columns, left=of.left)
    for row in of.rows:
        made.add_row(*map(str, row))
    return made


def histogram(counts: Mapping[int, int], max_turns: int) -> list[str]:
    """Return a line for each number of guesses, with a bar that fits the terminal; failures are marked."""
    from sleuth.views.content import Bars
    from sleuth.views.text import bars

    return bars(Bars(dict(counts), max_turns), console().width)


@contextmanager
def steps(what: str, *, remaining: bool = False) -> "Iterator[Watch]":
    """Show how far a run is, on stderr; yields what takes its progress.

    In a terminal that is a bar; elsewhere, as in a log, a line a minute. remaining: show the time left too.
    """
    with _bar(what, remaining) if sys.stderr.isatty() else progress_of(what) as shown:

        def update(progress: "Progress") -> None:
            _last[:] = [where(what, progress)]
            shown(progress)

        _last.clear()
        yield update
        _last.clear()


# Where the run is that `steps` shows, while there is one.
_last: list[str] = []


def weighed(game: "Game") -> str:
    """Return what is to be said after the numbers of a game whose answers are not equally likely."""
    return "" if game.is_uniform else ", under a prior that weighs the mean"


def how_far() -> str:
    """Return where the run was that was shown last, if it did not end."""
    return _last[0] if _last else ""


@contextmanager
def _bar(what: str, remaining: bool) -> "Iterator[Watch]":
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars
    from rich.table import Column

    # Where the line is narrow, times are the last to be cut.
    def whole() -> Column:
        return Column(no_wrap=True, min_width=7)

    with Bars(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None, table_column=Column(ratio=1)),
        TextColumn("{task.fields[remark]}"),
        TimeElapsedColumn(whole()),
        *([TextColumn("left"), TimeRemainingColumn(table_column=whole())] if remaining else []),
        expand=True,
        console=console(stderr=True),
        transient=True,
    ) as bars:
        task = bars.add_task(what, total=None, remark="")

        def update(progress: "Progress") -> None:
            total = progress.total or None
            bars.update(task, completed=progress.done, total=total, remark=progress.remark)

        yield update

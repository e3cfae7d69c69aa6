"""Tables of Bhambri et al. (2022): for each opener, the mean guesses of several methods over all answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sleuth.games.game import Game, Mode
from sleuth.games.strategy import BatchStrategy
from sleuth.published import figures
from sleuth.published.table import Cell, Column, Row, Table
from sleuth.support.progress import Progress, Watch
from sleuth.trees.tree import DecisionTree


@dataclass(frozen=True)
class Method:
    """A column of such a table, the mode it is played in, and what plays it under either conditions."""

    column: Column
    mode: Mode
    paper: BatchStrategy
    clean: BatchStrategy


def mean(strategy: BatchStrategy, game: Game, opener: str) -> float:
    """Return the guesses a strategy takes from an opener, on average over the answers, with no turn limit."""
    return DecisionTree.build(strategy, game, opener).report().mean


def compare(
    name: str,
    title: str,
    paper: Game,
    clean: Game,
    methods: tuple[Method, ...],
    notes: tuple[str, ...],
    progress: Watch,
) -> Table:
    """Return the table of that name, opener by opener. Raises SleuthError.

    paper, clean: the games under either conditions, which may be one.
    """
    published = figures.read(name)
    modes = {method.mode for method in methods}
    paper_games = in_modes(paper, modes)
    clean_games = paper_games if clean is paper else in_modes(clean, modes)
    total = len(published) * len(methods)
    rows = []
    for done, row in enumerate(published):
        opener = row["opener"]
        cells = []
        for also, method in enumerate(methods):
            column = method.column
            progress(Progress(done * len(methods) + also, total, f"{opener}: {column.title}"))
            cells.append(
                Cell(
                    float(row[column.name]),
                    mean(method.paper, paper_games[method.mode], opener),
                    mean(method.clean, clean_games[method.mode], opener),
                )
            )
        rows.append(Row((opener,), tuple(cells)))
    progress(Progress(total, total, "done"))
    return Table(name, title, ("opener",), tuple(m.column for m in methods), tuple(rows), notes)


def in_modes(game: Game, modes: Iterable[Mode]) -> dict[Mode, Game]:
    """Return the game in each mode; they share the feedback matrix, which is computed here."""
    game.tables  # noqa: B018
    return {mode: game.with_mode(mode) for mode in modes}

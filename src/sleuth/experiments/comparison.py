"""Tables of document 000: for each opener, the mean guesses of several methods over all answers."""

from __future__ import annotations

from dataclasses import dataclass

from sleuth.experiments import Progress, figures
from sleuth.experiments.table import Cell, Column, Row, Table
from sleuth.games.game import Game, Mode
from sleuth.strategies.base import BatchStrategy
from sleuth.tree import DecisionTree


@dataclass(frozen=True)
class Method:
    """A column of such a table, the mode it is played in, and what plays it under either conditions."""

    column: Column
    mode: Mode
    paper: BatchStrategy
    clean: BatchStrategy

    def cell(self, game: Game, opener: str, published: str) -> Cell:
        """Play the method from an opener, in a game of its mode. published: the figure in print."""
        return Cell(float(published), *(mean(s, game, opener) for s in (self.paper, self.clean)))


def mean(strategy: BatchStrategy, game: Game, opener: str) -> float:
    """Return the guesses a strategy takes from an opener, on average over the answers, with no turn limit."""
    return DecisionTree.build(strategy, game, opener).report().mean


def compare(
    name: str, title: str, game: Game, methods: tuple[Method, ...], notes: tuple[str, ...], progress: Progress
) -> Table:
    """Return the table of that name, opener by opener. Raises SleuthError."""
    published = figures.read(name)
    game.tables  # noqa: B018  computed here, so that the modes share it
    games = {mode: game.with_mode(mode) for mode in {method.mode for method in methods}}
    total = len(published) * len(methods)
    rows = []
    for done, row in enumerate(published):
        cells = []
        for also, method in enumerate(methods):
            progress(done * len(methods) + also, total, f"{row['opener']}: {method.column.title}")
            cells.append(method.cell(games[method.mode], row["opener"], row[method.column.name]))
        rows.append(Row((row["opener"],), tuple(cells)))
    progress(total, total, "done")
    return Table(name, title, ("opener",), tuple(m.column for m in methods), tuple(rows), notes)

"""Tables of Bhambri et al. (2022): for each opener, the mean guesses of several methods over all answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.games.game import Game, Mode
from sleuth.games.strategy import BatchStrategy
from sleuth.published import figures
from sleuth.published.chart import Chart, Series
from sleuth.published.table import Cell, Column, Row, Table, bars
from sleuth.support.progress import Progress, Watch
from sleuth.trees.tree import DecisionTree


@dataclass(frozen=True)
class Method:
    """A column of such a table, the mode it is played in, and what plays it under either conditions."""

    column: Column
    mode: Mode
    paper: BatchStrategy
    clean: BatchStrategy


OPTIMUM: dict[Mode, tuple[str, float]] = {
    "easy": ("optimum (salet), 3.4212", 7920 / 2315),
    "strict": ("optimum of the New York Times' hard mode (salet), 3.5084", 8122 / 2315),
}
"""The lines of figure 4 of the document, and of a like figure for easy mode."""


@dataclass(frozen=True)
class Optimum:
    """A column of proven optima, and the mode they are for."""

    column: Column
    mode: Mode


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
    optima: tuple[Optimum, ...] = (),
    rules: Mapping[Mode, tuple[str, float]] = OPTIMUM,
) -> Table:
    """Return the table of that name, opener by opener. Raises SleuthError.

    paper, clean: the games under either conditions, which may be one. optima: columns of what is proven in
    the game under clean conditions. rules: lines in the picture of a mode.
    """
    published = figures.read(name)
    modes = {method.mode for method in methods} | {optimum.mode for optimum in optima}
    paper_games = in_modes(paper, modes)
    clean_games = paper_games if clean is paper else in_modes(clean, modes)
    steps = len(methods) + len(optima)
    total = len(published) * steps
    solvers = {optimum: Solver(clean_games[optimum.mode]) for optimum in optima}
    rows = []
    for done, row in enumerate(published):
        opener = row["opener"]
        cells = []
        for also, method in enumerate(methods):
            column = method.column
            progress(Progress(done * steps + also, total, f"{opener}: {column.title}"))
            cells.append(
                Cell(
                    float(row[column.name]),
                    mean(method.paper, paper_games[method.mode], opener),
                    mean(method.clean, clean_games[method.mode], opener),
                )
            )
        for also, optimum in enumerate(optima, len(methods)):
            column = optimum.column
            progress(Progress(done * steps + also, total, f"{opener}: {column.title}"))
            least = least_mean(solvers[optimum], opener)
            cells.append(Cell(float(row[column.name]) if row[column.name] else None, least, least))
        rows.append(Row((opener,), tuple(cells)))
    progress(Progress(total, total, "done"))
    columns = (*(method.column for method in methods), *(optimum.column for optimum in optima))
    charts = tuple(chart(title, methods, mode, rows, rules) for mode in sorted({m.mode for m in methods}))
    return Table(name, title, ("opener",), columns, tuple(rows), notes, charts)


def chart(
    title: str,
    methods: tuple[Method, ...],
    mode: Mode,
    rows: list[Row],
    rules: Mapping[Mode, tuple[str, float]],
) -> Chart:
    """Return the methods of a mode as bars by opener, as figure 4 has them, with a line for the optimum."""
    series: list[Series] = []
    for at, method in enumerate(methods):
        if method.mode == mode:
            cells = {row.labels[0]: row.cells[at] for row in rows}
            series += [bars(method.column.title, cells, "paper"), bars("published", cells, "published")]
    return Chart(title, "opener", "mean guesses", tuple(series), (rules[mode],) if mode in rules else ())


def least_mean(solver: Solver, opener: str) -> float | None:
    """Return the least mean of all strategies with an opener; None where none finds all answers in time."""
    return prove(solver.game, opener=opener, solver=solver, with_tree=False).mean


def in_modes(game: Game, modes: Iterable[Mode]) -> dict[Mode, Game]:
    """Return the game in each mode; they share the feedback matrix, which is computed here."""
    game.tables  # noqa: B018
    return {mode: game.with_mode(mode) for mode in modes}

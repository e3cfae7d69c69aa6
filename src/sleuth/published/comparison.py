"""Tables of Bhambri et al. (2022): for each opener, the mean guesses of several methods over all answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.games.game import Game, Mode
from sleuth.games.strategy import BatchStrategy
from sleuth.published import figures
from sleuth.published.chart import Chart, Series
from sleuth.published.steps import Steps
from sleuth.published.table import Cell, Column, Row, Table, bars
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
    steps: Steps,
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
    steps.total = len(published) * (len(methods) + len(optima))
    solvers = {optimum: Solver(clean_games[optimum.mode]) for optimum in optima}

    def both(method: Method, opener: str) -> list[float]:
        games = (method.paper, paper_games), (method.clean, clean_games)
        return [mean(strategy, of[method.mode], opener) for strategy, of in games]

    def played() -> Iterator[Row]:
        for row in published:
            opener = row["opener"]
            cells = []
            for method in methods:
                ours = steps.take(
                    f"{opener}: {method.column.title}",
                    partial(both, method, opener),
                )
                cells.append(Cell(float(row[method.column.name]), *ours))
            for optimum in optima:
                least = steps.take(
                    f"{opener}: {optimum.column.title}",
                    partial(least_mean, solvers[optimum], opener),
                )
                printed = row[optimum.column.name]
                cells.append(Cell(float(printed) if printed else None, least, least))
            yield Row((opener,), tuple(cells))

    columns = (*(method.column for method in methods), *(optimum.column for optimum in optima))
    modes_shown = sorted({method.mode for method in methods})

    def table(rows: tuple[Row, ...]) -> Table:
        charts = tuple(chart(title, methods, mode, rows, rules) for mode in modes_shown)
        return Table(name, title, ("opener",), columns, rows, notes, charts)

    return steps.table(played(), table)


def chart(
    title: str,
    methods: tuple[Method, ...],
    mode: Mode,
    rows: Sequence[Row],
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

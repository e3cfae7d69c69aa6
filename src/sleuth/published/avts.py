"""Tyl's comparison of samplers: iterations to the optimum of the New York Times' lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from statistics import median
from typing import NamedTuple

from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.processes.avts import optimize
from sleuth.processes.mdp import Bounds
from sleuth.published.chart import Chart, Series
from sleuth.published.steps import Steps
from sleuth.published.table import Cell, Column, Row, Table
from sleuth.support.progress import Watch

_OPTIMUM = 11219
_SAMPLERS = ("thompson", "laplace", "puct", "hoeffding", "epsilon-greedy", "thompson-frequencies")
_PUBLISHED = {"thompson": 870, "laplace": 17735, "puct": 20539, "hoeffding": 22954}
_SEEDS = 3


class Searched(NamedTuple):
    """What a search came to: iterations, guesses of the strategy found, seconds, the mean by iterations."""

    iterations: int
    total: float
    seconds: float
    history: list[tuple[int, float]]


@dataclass(frozen=True)
class Way:
    """A way to search: with which bounds, whether to the end, and how many iterations at most."""

    bounds: Bounds
    deep: bool
    most: int

    def run(self, sampler: str, seed: int, progress: Watch) -> Searched:
        """Search until the optimum is found, or for so long. progress: told of the iterations done."""
        found = optimize(
            Position.start(wordle("nyt")),
            sampler=sampler,
            seed=seed,
            bounds=self.bounds,
            deep=self.deep,
            target=_OPTIMUM,
            iterations=self.most,
            with_tree=False,
            progress=progress,
        )
        moments = [moment for moment in found.result.history if moment.achieved > -inf]
        history = [(moment.iterations, -moment.achieved) for moment in moments]
        return Searched(found.result.iterations, found.total or 0, found.result.seconds, history)


PLAIN = Way("none", False, 25_000)
"""As the document has it."""
BOUNDED = Way("exact", True, 300)
"""As `optimize` does by default."""


def run(steps: Steps) -> Table:
    """Search with every sampler until tarse's 11219 guesses are found, as the document does and as we do.

    Runs of the document's way have seed 0, of ours three seeds. About an hour of one core.
    """
    steps.total = len(_SAMPLERS) * (1 + _SEEDS)
    histories: dict[str, list[tuple[int, float]]] = {}
    columns = (
        Column("iterations", "Iterations until 11219 guesses", 0),
        Column("total", "Guesses of the strategy found, the worst of the seeds (the optimum is 11219)", 0),
        Column("seconds", "Seconds", 0),
    )
    notes = (
        "Paper's conditions: Tyl's search by itself. A simulation ends at the first set of candidates not met"
        " before, no guess leaves the game, nothing is known of sets of three candidates or more, and a run"
        f" gives up after {PLAIN.most} iterations; seed 0. The published counts are of parameters that their"
        " author looked for, and of the lists of 2023. An iteration simulates every set that the guess leads"
        " to, each once.",
        "Clean conditions: sets that the bounds of exact play settle are not simulated, guesses that cannot"
        f" be the best leave the game, simulations go to the end; {_SEEDS} seeds, medians, {BOUNDED.most}"
        " iterations at most.",
    )
    title = "samplers of Action Value Tree Search"
    return steps.table(
        _rows(steps, histories),
        lambda rows: Table("avts", title, ("sampler",), columns, rows, notes, (chart(histories),)),
    )


def _rows(steps: Steps, histories: dict[str, list[tuple[int, float]]]) -> Iterator[Row]:
    """Make the rows, and fill in what the document's way had found after how many iterations."""

    def searched(way: Way, sampler: str, seed: int, more: str = "") -> Searched:
        of = f"{sampler}, seed {seed}{more}"

        def find() -> Searched:
            return way.run(sampler, seed, lambda at: steps.tell(f"{of}, {at.done} iterations"))

        return Searched(*steps.take(of, find))

    for sampler in _SAMPLERS:
        bounded = [searched(BOUNDED, sampler, seed) for seed in range(_SEEDS)]
        plain = searched(PLAIN, sampler, 0, ", as the document has it")
        histories[sampler] = plain.history
        yield _row(sampler, plain, bounded)


def _row(sampler: str, plain: Searched, bounded: list[Searched]) -> Row:
    published = _PUBLISHED.get(sampler)
    return Row(
        (sampler,),
        (
            Cell(
                None if published is None else float(published),
                float(plain.iterations),
                float(median(found.iterations for found in bounded)),
            ),
            Cell(
                float(_OPTIMUM) if published else None,
                float(plain.total),
                float(max(found.total for found in bounded)),
            ),
            Cell(None, plain.seconds, float(median(found.seconds for found in bounded))),
        ),
    )


def chart(histories: Mapping[str, list[tuple[int, float]]]) -> Chart:
    """Return what runs with several samplers had found after each number of iterations, in one picture."""
    series = []
    for sampler, history in histories.items():
        xs, ys = tuple(float(at) for at, _ in history), tuple(mean for _, mean in history)
        series.append(Series(sampler, xs, ys, "steps"))
    mean = _OPTIMUM / len(wordle("nyt").answers)
    for sampler, count in _PUBLISHED.items():
        series.append(Series(f"{sampler}, published: {count}", (float(count),), (mean,), "points", True))
    return Chart(
        "Action Value Tree Search as Tyl (2024) has it, the New York Times' lists",
        "iterations",
        "mean guesses of the best strategy found",
        tuple(series),
        (("optimum, 3.5526", mean),),
        logarithmic=True,
    )

"""Tyl's comparison of samplers: iterations to the optimum of the New York Times' lists."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from statistics import median

from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.processes.avts import Optimized, optimize
from sleuth.processes.mdp import Bounds
from sleuth.published.chart import Chart, Series
from sleuth.published.table import Cell, Column, Row, Table
from sleuth.support.progress import Progress, Watch

_OPTIMUM = 11219
_SAMPLERS = ("thompson", "laplace", "puct", "hoeffding", "epsilon-greedy", "thompson-frequencies")
_PUBLISHED = {"thompson": 870, "laplace": 17735, "puct": 20539, "hoeffding": 22954}
_SEEDS = 3


@dataclass(frozen=True)
class Way:
    """A way to search: with which bounds, whether to the end, and how many iterations at most."""

    bounds: Bounds
    deep: bool
    most: int

    def run(self, sampler: str, seed: int, progress: Watch) -> Optimized:
        """Search until the optimum is found, or for so long. progress: told of the iterations done."""
        return optimize(
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


PLAIN = Way("none", False, 25_000)
"""As the document has it."""
BOUNDED = Way("exact", True, 300)
"""As `optimize` does by default."""


def run(progress: Watch) -> Table:
    """Search with every sampler until tarse's 11219 guesses are found, as the document does and as we do.

    Runs of the document's way have seed 0, of ours three seeds. About an hour of one core.
    """
    steps = len(_SAMPLERS) * (1 + _SEEDS)
    done = 0

    def searched(way: Way, sampler: str, seed: int) -> Optimized:
        nonlocal done
        of = f"{sampler}, seed {seed}{', as the document has it' if way is PLAIN else ''}"
        progress(Progress(done, steps, of))
        found = way.run(
            sampler, seed, lambda at: progress(Progress(done, steps, f"{of}, {at.done} iterations"))
        )
        done += 1
        return found

    bounded = {sampler: [searched(BOUNDED, sampler, seed) for seed in range(_SEEDS)] for sampler in _SAMPLERS}
    plain = {sampler: searched(PLAIN, sampler, 0) for sampler in _SAMPLERS}
    progress(Progress(steps, steps, ""))
    columns = (
        Column("iterations", "Iterations until 11219 guesses", 0),
        Column("total", "Guesses of the strategy found, the worst of the seeds (the optimum is 11219)", 0),
        Column("seconds", "Seconds", 0),
    )
    rows = tuple(_row(sampler, plain[sampler], bounded[sampler]) for sampler in _SAMPLERS)
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
    return Table("avts", title, ("sampler",), columns, rows, notes, (chart(plain),))


def _row(sampler: str, plain: Optimized, bounded: list[Optimized]) -> Row:
    published = _PUBLISHED.get(sampler)
    return Row(
        (sampler,),
        (
            Cell(
                None if published is None else float(published),
                float(plain.result.iterations),
                float(median(found.result.iterations for found in bounded)),
            ),
            Cell(
                float(_OPTIMUM) if published else None,
                float(plain.total or 0),
                float(max(found.total or 0 for found in bounded)),
            ),
            Cell(None, plain.result.seconds, float(median(found.result.seconds for found in bounded))),
        ),
    )


def chart(runs: dict[str, Optimized]) -> Chart:
    """Return what runs with several samplers had found after each number of iterations, in one picture."""
    series = []
    for sampler, found in runs.items():
        moments = [moment for moment in found.result.history if moment.achieved > -inf]
        xs = tuple(float(moment.iterations) for moment in moments)
        series.append(Series(sampler, xs, tuple(-moment.achieved for moment in moments), "steps"))
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

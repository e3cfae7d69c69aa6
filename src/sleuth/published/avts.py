"""Tyl's comparison of samplers: iterations to the optimum of the New York Times' lists."""

from __future__ import annotations

from statistics import median

from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.processes.avts import Optimized, optimize
from sleuth.published.table import Cell, Column, Row, Table
from sleuth.support.progress import Progress, Watch

_OPTIMUM = 11219
# Simulations after which a run ends that has not come to the optimum.
_MOST = 300
_SEEDS = 3
_PUBLISHED = {"thompson": 870, "laplace": 17735, "puct": 20539, "hoeffding": 22954}
_OTHERS = ("thompson-frequencies", "epsilon-greedy")


def run(progress: Watch) -> Table:
    """Search with every sampler under several seeds, until tarse's 11219 guesses are found."""
    start = Position.start(wordle("nyt"))
    samplers = [*_PUBLISHED, *_OTHERS]
    runs: dict[str, list[Optimized]] = {sampler: [] for sampler in samplers}
    steps = len(samplers) * _SEEDS
    for done, (sampler, seed) in enumerate((s, k) for s in samplers for k in range(_SEEDS)):
        progress(Progress(done, steps, f"{sampler}, seed {seed}"))
        found = optimize(
            start, sampler=sampler, seed=seed, target=_OPTIMUM, iterations=_MOST, with_tree=False
        )
        runs[sampler].append(found)
    progress(Progress(steps, steps, ""))
    rows = []
    for sampler, found_ones in runs.items():
        iterations = float(median(found.result.iterations for found in found_ones))
        total = float(max(found.total or 0 for found in found_ones))
        seconds = float(median(found.result.seconds for found in found_ones))
        published = _PUBLISHED.get(sampler)
        rows.append(
            Row(
                (sampler,),
                (
                    Cell(None if published is None else float(published), None, iterations),
                    Cell(float(_OPTIMUM) if published else None, None, total),
                    Cell(None, None, seconds),
                ),
            )
        )
    return Table(
        "avts",
        f"samplers of Action Value Tree Search, medians over {_SEEDS} seeds",
        ("sampler",),
        (
            Column("iterations", f"Iterations until 11219 guesses, {_MOST} at most", 0),
            Column(
                "total", "Guesses of the strategy found, the worst of the seeds (the optimum is 11219)", 0
            ),
            Column("seconds", "Seconds", 0),
        ),
        tuple(rows),
        (
            "The document's simulations go one level deeper than the tree; ours go to the end, and sets of"
            " candidates that the bounds of exact play settle are not simulated. So the counts show what"
            " that and the sampler bring together; among the samplers they compare like with like.",
        ),
    )

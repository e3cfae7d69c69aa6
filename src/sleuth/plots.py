"""Pictures of evaluations, drawn to files (matplotlib, the extra `plots`)."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from sleuth.errors import SleuthError
from sleuth.evaluation import Evaluation

if TYPE_CHECKING:
    from sleuth.strategies.avts import Optimized

SUFFIXES = (".png", ".svg", ".pdf")


def check_path(path: Path) -> None:
    """Raise SleuthError where a picture cannot be drawn to the path, before the work is done."""
    if path.suffix.lower() not in SUFFIXES:
        raise SleuthError(f"cannot draw to {path}: a picture ends in {', '.join(SUFFIXES)}")
    if not path.absolute().parent.is_dir():
        raise SleuthError(f"cannot draw to {path}: there is no folder {path.parent}")
    try:
        import matplotlib  # noqa: F401  asked for only where a picture is
    except ImportError:
        raise SleuthError("pictures need matplotlib: pip install '.[plots]'") from None


def compare(results: Mapping[str, Evaluation], path: Path) -> None:
    """Draw the histograms of several evaluations side by side. Raises OSError."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    last = max(result.report.worst for result in results.values())
    width = 0.8 / len(results)
    for i, (name, result) in enumerate(results.items()):
        counts = [result.report.histogram.get(turns, 0) for turns in range(1, last + 1)]
        places = [turns + (i - (len(results) - 1) / 2) * width for turns in range(1, last + 1)]
        label = f"{name}, {result.tree.opener}: {result.report.mean:.4f}"
        axes.bar(places, counts, width, label=label)
    game = next(iter(results.values())).tree.game
    axes.set_xticks(range(1, last + 1))
    axes.set_xlabel("guesses")
    axes.set_ylabel("answers")
    axes.set_title(f"{game.name}, {game.mode} mode, {len(game.answers)} answers")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(title="strategy, opener: mean", frameon=False, loc="outside lower center")
    figure.savefig(path, dpi=150)


def improvement(runs: Mapping[str, Optimized], path: Path) -> None:
    """Draw what tree searches had found after each number of iterations. Raises OSError."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    for name, run in runs.items():
        moments = [moment for moment in run.result.history if moment.achieved > -inf]
        means = [-moment.achieved for moment in moments]
        axes.step(
            [moment.iterations for moment in moments], means, where="post", label=f"{name}: {run.opener}"
        )
    game = next(iter(runs.values())).position.game
    axes.set_xscale("log")
    axes.set_xlabel("iterations")
    axes.set_ylabel("mean guesses of the best strategy found")
    axes.set_title(f"{game.name}, {game.mode} mode, {len(game.answers)} answers")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)

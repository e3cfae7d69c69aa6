"""Pictures of evaluations, drawn to files (matplotlib, the extra `plots`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sleuth.errors import SleuthError
from sleuth.evaluation import Evaluation

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
        raise SleuthError("pictures need matplotlib: pip install 'sleuth[plots]'") from None


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

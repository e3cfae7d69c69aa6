"""Pictures of evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sleuth.support.pictures import canvas, save
from sleuth.trees.evaluation import Evaluation


def draw_comparison(results: Mapping[str, Evaluation], path: Path) -> None:
    """Draw the histograms of several evaluations side by side. Raises OSError."""
    figure, axes = canvas()
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
    axes.yaxis.get_major_locator().set_params(integer=True)
    weighed = "" if game.is_uniform else ", means weighed by a prior"
    axes.set_title(f"{game.name}, {game.mode} mode, {len(game.answers)} answers{weighed}")
    figure.legend(title="strategy, opener: mean", frameon=False, loc="outside lower center")
    save(figure, path)

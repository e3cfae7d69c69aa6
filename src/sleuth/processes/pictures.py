"""Pictures of tree searches."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from pathlib import Path

from sleuth.processes.avts import Optimized
from sleuth.support.pictures import canvas, save


def draw_improvement(runs: Mapping[str, Optimized], path: Path) -> None:
    """Draw what tree searches had found after each number of iterations. Raises OSError."""
    figure, axes = canvas()
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
    axes.legend(frameon=False)
    save(figure, path)

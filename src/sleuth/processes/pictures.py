"""Pictures of tree searches."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

from sleuth.processes.avts import Optimized
from sleuth.support.errors import SleuthError
from sleuth.support.pictures import axes_or_new


def improvement(runs: Mapping[str, Optimized], ax: Any = None) -> Any:
    """Draw what tree searches, by what they are called, had found after each number of iterations.

    Returns the axes, new ones unless given. Raises SleuthError where there are none, or one has found no
    strategy yet.
    """
    if not runs:
        raise SleuthError("no picture is drawn: there are no searches")
    for name, run in runs.items():
        if run.total is None:
            raise SleuthError(f"no picture is drawn: {name} has found no strategy yet")
    from matplotlib.ticker import LogLocator, NullFormatter

    axes = axes_or_new(ax)
    for name, run in runs.items():
        moments = [moment for moment in run.result.history if moment.achieved > -inf]
        means = [-moment.achieved for moment in moments]
        axes.step(
            [moment.iterations for moment in moments],
            means,
            where="post",
            label=f"{name}: {run.opener}",
            marker="o",
            markevery=[-1],
        )
    game = next(iter(runs.values())).position.game
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter("{x:,.10g}")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("iterations")
    axes.set_ylabel("mean guesses of the best strategy found")
    axes.set_title(f"{game.name}, {game.mode} mode, {len(game.answers)} answers")
    axes.legend(frameon=False, loc="lower left")  # where no falling line comes
    return axes

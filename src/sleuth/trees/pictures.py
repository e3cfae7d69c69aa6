"""Pictures of evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sleuth.support.errors import SleuthError
from sleuth.support.pictures import axes_or_new
from sleuth.trees.evaluation import Evaluation
from sleuth.trees.tree import Report


def histogram(report: Report | Evaluation, ax: Any = None) -> Any:
    """Draw how many answers take how many guesses; returns the axes, new ones unless given."""
    if isinstance(report, Evaluation):
        report = report.report
    axes = axes_or_new(ax)
    axes.bar(list(report.histogram), list(report.histogram.values()), 0.8)
    axes.set_xticks(range(1, report.worst + 1))
    axes.set_xlim(0.4, report.worst + 0.6)  # a number that no answer takes has its place too
    axes.set_xlabel("guesses")
    axes.set_ylabel("answers")
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set_title(f"{report.answers} answers, {report.mean:.4f} guesses on average")
    return axes


def comparison(results: Mapping[str, Evaluation], ax: Any = None) -> Any:
    """Draw the histograms of several evaluations, by what they are called, side by side.

    Returns the axes, new ones unless given. Raises SleuthError where there are none.
    """
    if not results:
        raise SleuthError("no picture is drawn: there are no evaluations")
    axes = axes_or_new(ax)
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
    below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.12)}
    axes.legend(title="strategy, opener: mean", frameon=False, **below)
    return axes

"""Pictures of benchmarks of planning."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sleuth.planning.benchmark.results import Results
from sleuth.support.pictures import intervals, of_one

COLUMNS = 3
"""Of panels side by side."""
_CHANCE = "random"


def panels(found: Results) -> list[Callable[[Any], Any]]:
    """Return what draws a benchmark, problem by problem."""
    names = dict.fromkeys(standing.problem for standing in found.standings())
    return [partial(rewards, found, problem=name) for name in names]


def rewards(found: Results, ax: Any = None, problem: str | None = None) -> Any:
    """Draw the mean discounted rewards of the methods in a problem, with their 95 % intervals.

    A band is what is proven of the optimum. What lies far off, as random play does, is told at the edge in
    place of being drawn. problem: the first, unless given. Returns the axes, new ones unless given. Raises
    SleuthError where no episode of it is played.
    """
    standings = of_one(found.standings(), "problem", problem, "no episode is played")
    axes = intervals([(one.method, one.reward) for one in standings], ax)
    planned = [one.reward for one in standings if one.method != _CHANCE]
    bounds = found.bounds(standings[0].problem)
    if bounds is not None:
        axes.axvspan(*bounds, color="tab:green", alpha=0.25, linewidth=0)
        # A line, where the bounds meet.
        axes.axvline(bounds[0], color="tab:green", linewidth=1)
    if planned and len(planned) < len(standings):
        ends = [end for one in planned for end in (one.value, one.low, one.high) if abs(end) < float("inf")]
        least, most = min(*ends, *(bounds or ())), max(*ends, *(bounds or ()))
        room = 0.1 * (most - least) or 1.0
        axes.set_xlim(least - room, most + room)
        for place, one in zip(range(len(standings), 0, -1), standings, strict=True):
            if one.reward.value < least - room:
                axes.annotate(
                    f"\N{LEFTWARDS ARROW} {one.reward.value:.2f}",
                    (0.02, place),
                    xycoords=("axes fraction", "data"),
                    va="center",
                )
    axes.set_xlabel("discounted reward")
    axes.set_title(standings[0].problem)
    return axes

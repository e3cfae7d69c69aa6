"""Pictures of learning."""

from __future__ import annotations

from math import inf, isfinite
from typing import Any

from sleuth.learning.runs.curves import Curves
from sleuth.support.errors import SleuthError
from sleuth.support.pictures import axes_or_new

_FEW = 30  # evaluations of a run that each get a mark
_ACROSS = {"seconds": "seconds of processor time", "steps": "steps", "games": "games played"}
_UNITS = {"mean": "guesses", "total": "guesses", "worst": "guesses", "failures": "answers"}


def learning(
    found: Curves,
    ax: Any = None,
    *,
    optimum: float | None = None,
    highest: float | None = None,
    log: bool = False,
) -> Any:
    """Draw learning curves: a colour a curve, a line a run, its band behind them.

    optimum: where a dashed line is drawn. highest: where the axis upward ends; where the curves do, unless
    given. log: whether the axis across is logarithmic. Returns the axes, new ones unless given. Raises
    SleuthError for values that show nothing.
    """
    if optimum is not None and not isfinite(optimum):
        raise SleuthError(f"the optimum must be a finite number, not {optimum}")
    least = min(min(line.y) for curve in found.curves for line in curve.lines)
    if highest is not None and not least < highest < inf:
        raise SleuthError(f"the axis cannot end at {highest}: the least {found.measure} is {least:.6g}")
    axes = axes_or_new(ax)
    for number, curve in enumerate(found.curves):
        colour = f"C{number}"
        if curve.band is not None:
            band = curve.band
            axes.fill_between(band.x, band.least, band.most, color=colour, alpha=0.2, linewidth=0)
        for i, line in enumerate(curve.lines):
            axes.plot(
                line.x,
                line.y,
                color=colour,
                linewidth=1.8 if len(curve.lines) == 1 else 0.9,
                marker="o" if len(line.x) <= _FEW else None,
                markersize=3.5,
                label=_plain(curve.label) if i == 0 else None,
            )
    if optimum is not None:
        axes.axhline(optimum, color="0.35", linewidth=1, linestyle="--", label=f"optimum {optimum:.6g}")
        axes.autoscale(axis="y")  # a line within the margin would else lie on the axis across
    if highest is not None:
        axes.set_ylim(top=highest)
    if log:
        axes.set_xscale("log")
    else:
        axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter("{x:,.10g}")
    axes.ticklabel_format(axis="y", useOffset=False)
    axes.set_xlabel(_ACROSS[found.against])
    unit = next((unit for word, unit in _UNITS.items() if word in found.measure), None)
    axes.set_ylabel(_plain(found.measure.replace("_", " ")) + (f" ({unit})" if unit else ""))
    axes.legend(frameon=False)
    return axes


def _plain(text: str) -> str:
    """Return text that matplotlib shows as it is: no formula, and not hidden for a leading underscore."""
    shown = text.replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown

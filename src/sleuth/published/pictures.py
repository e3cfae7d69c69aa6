"""Charts of published tables drawn to files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import cycle
from math import isnan
from pathlib import Path
from typing import Any

from sleuth.published.chart import Chart, Series
from sleuth.support.pictures import axes_or_new
from sleuth.support.pictures import draw as draw_to


def draw(charts: Sequence[Chart], path: Path) -> None:
    """Draw charts to a file, one below the other. Raises OSError."""
    draw_to(path, *(partial(draw_chart, chart) for chart in charts))


def draw_chart(chart: Chart, ax: Any = None) -> Any:
    """Draw a chart, what is in print in black or grey, ours in colours; returns the axes."""
    axes = axes_or_new(ax)
    _bars(axes, [series for series in chart.series if series.style in ("bars", "marks")])
    markers, dashes = cycle("Dos^v"), cycle(("solid", "dashed"))  # a line on top of another shows it
    for series in chart.series:
        look: dict[str, Any] = {"label": series.name}
        if series.published:
            look["color"] = "0.55"
        if series.style == "steps":
            axes.step(series.xs, series.ys, where="post", **look)
        elif series.style == "line":
            axes.plot(series.xs, series.ys, marker="o", markersize=3, linestyle=next(dashes), **look)
        elif series.style == "points":
            axes.plot(series.xs, series.ys, linestyle="none", marker=next(markers), markersize=5, **look)
    for name, height in chart.rules:
        axes.axhline(height, color="0.2", linewidth=1, linestyle="--", label=name)
    if chart.logarithmic:
        axes.set_xscale("log")
    axes.set_xlabel(chart.x)
    axes.set_ylabel(chart.y)
    axes.set_title(chart.title)
    # Marks on the bars of several series are all called the same.
    handles, labels = axes.get_legend_handles_labels()
    entries = dict(zip(labels, handles, strict=True))
    size = max(
        (handle.get_markersize() for handle in handles if hasattr(handle, "get_markersize")), default=1
    )
    axes.legend(entries.values(), entries.keys(), frameon=False, markerscale=min(1, 15 / size))
    return axes


def _bars(axes: Any, found: Sequence[Series]) -> None:
    """Draw bars side by side over the labels of the first series, and marks on them."""
    bars = sum(series.style == "bars" for series in found)
    if not bars:
        return
    labels, width, at = found[0].xs, 0.8 / bars, -1
    for series in found:
        at += series.style == "bars"
        places = [i - 0.4 + width * (at + 0.5) for i in range(len(labels))]
        if series.style == "bars":
            axes.bar(places, series.ys, width, label=series.name)
        else:
            look = {"marker": "_", "markersize": 300 * width / len(labels), "markeredgewidth": 1.5}
            axes.plot(places, series.ys, linestyle="none", color="black", label=series.name, **look)
    crowded = len(labels) > 8 or sum(len(str(label)) for label in labels) > 60
    axes.set_xticks(
        range(len(labels)), labels, rotation=45 if crowded else 0, ha="right" if crowded else "center"
    )
    # Bars that differ little are told apart from their feet on. Above is room for the legend.
    heights = [height for series in found for height in series.ys if not isnan(height)]
    low, high = min(heights), max(heights)
    close = low > 0.5 * high
    span = (high - low or high) if close else high
    axes.set_ylim(low - 0.5 * (high - low or low) if close else None, high + 0.3 * span)

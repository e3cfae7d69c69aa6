"""A published picture with ours in it, as plain figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Style = Literal["steps", "line", "points", "bars", "marks"]
"""How a series is drawn; steps hold a value until the next one. Bars stand side by side over labels, and
marks on the bars of the series before."""


@dataclass(frozen=True)
class Series:
    """Figures that belong together: what they are, where they stand and how large they are.

    xs: numbers, or labels for bars. published: whether they are those in print.
    """

    name: str
    xs: tuple[float, ...] | tuple[str, ...]
    ys: tuple[float, ...]
    style: Style = "line"
    published: bool = False


@dataclass(frozen=True)
class Chart:
    """A picture.

    Attributes:
        title: what it shows; x, y: what the axes are.
        series: what is drawn.
        rules: horizontal lines, a name and a height each, such as an optimum.
        logarithmic: whether the horizontal axis is.

    """

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    rules: tuple[tuple[str, float], ...] = ()
    logarithmic: bool = False

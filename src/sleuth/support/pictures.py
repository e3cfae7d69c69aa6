"""Pictures (matplotlib, the extra `plots`): what draws one takes the axes to draw in, and returns them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from math import ceil, isfinite
from pathlib import Path
from typing import Any, TypeVar

from sleuth.support.errors import SleuthError, installed_by
from sleuth.support.estimate import Estimate
from sleuth.support.files import why_not_writable, write_whole

T = TypeVar("T")

SUFFIXES = (".png", ".svg", ".pdf")


def check_path(path: Path) -> None:
    """Raise SleuthError where a picture cannot be drawn to the path, before the work is done."""
    if path.suffix.lower() not in SUFFIXES:
        raise SleuthError(f"cannot draw to {path}: a picture ends in {', '.join(SUFFIXES)}")
    why = why_not_writable(path)
    if why is not None:
        raise SleuthError(f"cannot draw to {path}: {why}")
    _check_installed()


def _check_installed() -> None:
    try:
        import matplotlib  # noqa: F401  asked for only where a picture is
    except ImportError:
        raise SleuthError("pictures need matplotlib", remedy=f": {installed_by('plots')}") from None


def axes_or_new(axes: Any) -> Any:
    """Return the axes given, or those of a new figure of pyplot, which notebooks show. Raises SleuthError."""
    if axes is not None:
        return axes
    _check_installed()
    from matplotlib import pyplot

    _, new = pyplot.subplots(figsize=(9, 5), layout="constrained")
    _tidy([new])
    return new


def of_one(rows: Sequence[T], kind: str, name: str | None, nothing: str) -> list[T]:
    """Return the rows whose attribute of that kind is a name, that of the first row unless given.

    nothing: said where there are none. Raises SleuthError then.
    """
    if name is None and rows:
        name = getattr(rows[0], kind)
    found = [row for row in rows if getattr(row, kind) == name]
    if not found:
        raise SleuthError(f"no picture is drawn: {nothing}{'' if name is None else f' of {name!r}'}")
    return found


def intervals(rows: Sequence[tuple[str, Estimate]], ax: Any = None) -> Any:
    """Draw numbers by name with their 95 % intervals, the first on top, and return the axes."""
    axes = axes_or_new(ax)
    places = range(len(rows), 0, -1)
    values = [estimate.value for _, estimate in rows]
    # Of a single number nothing is known of how far off it is.
    errors = [estimate.within if isfinite(estimate.within) else 0.0 for _, estimate in rows]
    axes.errorbar(values, places, xerr=errors, fmt="o", capsize=4)
    # What matplotlib takes for a formula is none.
    axes.set_yticks(places, [name.replace("$", r"\$") for name, _ in rows])
    axes.set_ylim(0.4, len(rows) + 0.6)
    return axes


def draw(path: Path, *plots: Callable[[Any], object], columns: int = 1) -> None:
    """Draw a picture to a file, a panel for each of what draws in axes. Raises OSError."""
    figure, panels = canvases(len(plots), columns)
    for plot, axes in zip(plots, panels, strict=True):
        plot(axes)
    save(figure, path)


def canvases(panels: int, columns: int = 1) -> tuple[Any, list[Any]]:
    """Return an empty figure and its axes, row by row; several columns have smaller panels."""
    from matplotlib.figure import Figure

    columns = min(columns, panels)
    rows = ceil(panels / columns)
    wide, high = (9, 5) if columns == 1 else (5, 3)  # inches, of a panel
    figure = Figure(figsize=(wide * columns, high * rows), layout="constrained")
    places = list(figure.subplots(rows, columns, squeeze=False).flat)
    for place in places[panels:]:
        place.remove()
    found = places[:panels]
    _tidy(found)
    return figure, found


def _tidy(panels: list[Any]) -> None:
    """Take away the lines above and beside the axes of a figure, and keep text from its edges."""
    panels[0].figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)  # inches
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)


def save(figure: Any, path: Path) -> None:
    """Write a figure, whole or not at all. Raises OSError."""
    picture = BytesIO()
    figure.savefig(picture, format=path.suffix[1:].lower(), dpi=150)
    write_whole(path, picture.getvalue())

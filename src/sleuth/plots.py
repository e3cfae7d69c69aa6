"""Pictures of evaluations and of learning, drawn to files (matplotlib, the extra `plots`)."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sleuth.support.errors import SleuthError
from sleuth.support.files import write_whole

if TYPE_CHECKING:
    from sleuth.learning.runs.curves import Curves
    from sleuth.processes.avts import Optimized
    from sleuth.trees.evaluation import Evaluation

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
        raise SleuthError("pictures need matplotlib: pip install '.[plots]'") from None


def compare(results: Mapping[str, Evaluation], path: Path) -> None:
    """Draw the histograms of several evaluations side by side. Raises OSError."""
    figure, axes = _canvas()
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
    figure.legend(title="strategy, opener: mean", frameon=False, loc="outside lower center")
    _save(figure, path)


def improvement(runs: Mapping[str, Optimized], path: Path) -> None:
    """Draw what tree searches had found after each number of iterations. Raises OSError."""
    figure, axes = _canvas()
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
    _save(figure, path)


def learning(
    found: Curves,
    path: Path,
    optimum: float | None = None,
    highest: float | None = None,
    log: bool = False,
) -> None:
    """Draw learning curves, see learning_figure. Raises SleuthError and OSError."""
    _save(learning_figure(found, optimum, highest, log), path)


def learning_figure(
    found: Curves, optimum: float | None = None, highest: float | None = None, log: bool = False
) -> Any:
    """Return the matplotlib Figure of learning curves: a colour a curve, a line a run, its band behind them.

    optimum: where a dashed line is drawn. highest: where the axis upward ends; where the curves do, unless
    given. log: whether the axis across is logarithmic. Raises SleuthError for values that show nothing.
    """
    if optimum is not None and not isfinite(optimum):
        raise SleuthError(f"the optimum must be a finite number, not {optimum}")
    least = min(min(line.y) for curve in found.curves for line in curve.lines)
    if highest is not None and not least < highest < inf:
        raise SleuthError(f"the axis cannot end at {highest}: the least {found.measure} is {least:.6g}")
    figure, axes = _canvas()
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
    return figure


_FEW = 30  # evaluations of a run that each get a mark
_ACROSS = {"seconds": "seconds of processor time", "steps": "steps", "games": "games played"}
_UNITS = {"mean": "guesses", "total": "guesses", "worst": "guesses", "failures": "answers"}


def _plain(text: str) -> str:
    """Return text that matplotlib shows as it is: no formula, and not hidden for a leading underscore."""
    shown = text.replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown


def _canvas() -> tuple[Any, Any]:
    """Return an empty figure and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    """Write a figure, whole or not at all. Raises OSError."""
    picture = BytesIO()
    figure.savefig(picture, format=path.suffix[1:].lower(), dpi=150)
    write_whole(path, picture.getvalue())

"""Pictures: what draws one takes the axes, and returns them."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sleuth
from sleuth.planning.benchmark.results import Benchmark, Episode, Pair, Played, Results
from sleuth.support import pictures
from sleuth.support.errors import SleuthError

pyplot = pytest.importorskip("matplotlib.pyplot")
GAME = sleuth.mastermind(2, 3)


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    pyplot.switch_backend("agg")
    yield
    pyplot.close("all")


@cache
def study() -> sleuth.Experiment:
    names = ["information-gain", "random", "worst-case"]
    return sleuth.experiment(sleuth.Study.of(names, GAME, seeds=2, baseline="random"))


@cache
def evaluations() -> dict[str, sleuth.Evaluation]:
    return {name: sleuth.evaluate(name, GAME) for name in ("information-gain", "random")}


@cache
def hard() -> sleuth.Difficulty:
    return sleuth.difficulty(sleuth.wordle("original:12"), games=4)


@cache
def searched() -> sleuth.Optimized:
    return sleuth.optimize(sleuth.Position.start(GAME), iterations=30)


@cache
def benchmark() -> Results:
    names = ("tree", "hsvi", "random")
    episodes = {0: Episode(1.0, 4, 0.5), 1: Episode(3.0, 4, 0.5)}
    played = {Pair("tiger", name): Played(episodes, (0.5, 4.0)) for name in names}
    return Results(Benchmark(("tiger",), names, 2), played, {})


PLOTS: dict[str, Callable[..., Any]] = {
    "histogram": lambda **ax: sleuth.plots.histogram(evaluations()["random"], **ax),
    "comparison": lambda **ax: sleuth.plots.comparison(evaluations(), **ax),
    "means": lambda **ax: sleuth.plots.means(study(), **ax),
    "differences": lambda **ax: sleuth.plots.differences(study(), **ax),
    "improvement": lambda **ax: sleuth.plots.improvement({"a": searched()}, **ax),
    "rewards": lambda **ax: sleuth.plots.rewards(benchmark(), **ax),
    "guesses": lambda **ax: sleuth.plots.guesses(hard(), **ax),
    "won": lambda **ax: sleuth.plots.won({"a": hard()}, **ax),
}


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_draws_in_the_axes_given_and_returns_them(name: str) -> None:
    _, (left, right) = pyplot.subplots(1, 2)
    drawn = len(left.patches) + len(left.lines) + len(left.containers)
    assert PLOTS[name](ax=left) is left
    assert len(left.patches) + len(left.lines) + len(left.containers) > drawn
    assert left.get_xlabel()
    assert not right.get_xlabel()


@pytest.mark.parametrize("name", PLOTS)
def test_without_axes_it_makes_new_ones_that_notebooks_show(name: str) -> None:
    axes = PLOTS[name]()
    assert pyplot.gcf() is axes.figure
    other = PLOTS[name]()
    assert other is not axes


def test_all_plots_are_tried_here() -> None:
    assert set(sleuth.plots.__all__) == {*PLOTS, "learning"}  # which tests/learning/test_curves.py draws


def test_a_histogram_has_a_bar_for_each_number_of_guesses() -> None:
    report = evaluations()["random"].report
    axes = sleuth.plots.histogram(report)
    bars = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axes.patches}
    assert bars == report.histogram


def test_intervals_are_drawn_as_they_are_told() -> None:
    found = study()
    axes = sleuth.plots.differences(found)
    (container,) = axes.containers
    apart = [one.against.difference for one in found.standings() if one.against is not None]
    assert container.lines[0].get_xdata().tolist() == [one.value for one in apart]
    (bars,) = container.lines[2]
    ends = [(segment[0][0], segment[1][0]) for segment in bars.get_segments()]
    assert np.allclose(ends, [(one.low, one.high) for one in apart])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["information-gain", "worst-case"]


@pytest.mark.parametrize("name", PLOTS)
def test_text_keeps_from_the_edges(name: str) -> None:
    axes = PLOTS[name]()
    axes.figure.draw_without_rendering()
    taken = axes.get_tightbbox().transformed(axes.figure.dpi_scale_trans.inverted())  # inches
    wide, high = axes.figure.get_size_inches()
    assert min(taken.x0, taken.y0, wide - taken.x1, high - taken.y1) >= 0.08


def test_every_number_of_guesses_has_its_place() -> None:
    game = sleuth.wordle("original")
    axes = sleuth.plots.histogram(sleuth.evaluate("information-gain", game, opener="salet"))
    left, _ = axes.get_xlim()
    assert left < 0.6  # the bar of 1, if there was one


def test_iterations_are_whole_numbers() -> None:
    axes = PLOTS["improvement"]()
    show = axes.xaxis.get_major_formatter()
    assert [show(place) for place in (1, 20, 1000)] == ["1", "20", "1,000"]


def test_a_legend_lies_over_no_line() -> None:
    axes = PLOTS["improvement"]()
    axes.figure.draw_without_rendering()
    box = axes.get_legend().get_window_extent()
    (line,) = axes.lines
    assert not line.get_path().transformed(line.get_transform()).intersects_bbox(box, filled=False)
    assert PLOTS["guesses"]().get_legend().get_frame().get_alpha() == 1  # hides the line at the turn limit


def test_what_shows_nothing_is_told() -> None:
    found = study()
    with pytest.raises(SleuthError, match="no run is finished of 'chess'"):
        sleuth.plots.means(found, game="chess")
    with pytest.raises(SleuthError, match="no run is finished"):
        sleuth.plots.means(sleuth.Experiment(found.study, {}))
    alone = sleuth.experiment(sleuth.Study.of(["random"], GAME))
    with pytest.raises(SleuthError, match="nothing is compared with a baseline in mastermind 2x3"):
        sleuth.plots.differences(alone)
    for plot in (sleuth.plots.comparison, sleuth.plots.improvement):
        with pytest.raises(SleuthError, match="no picture is drawn: there are no"):
            plot({})


def test_a_file_has_a_panel_for_each(tmp_path: Path) -> None:
    panels: list[Any] = []
    pictures.draw(tmp_path / "a.svg", panels.append, panels.append)
    assert len(panels) == 2
    assert panels[0].figure is panels[1].figure
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<?xml")

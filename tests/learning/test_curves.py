"""Learning curves: runs read, grouped by configuration, drawn and shown."""

import json
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Never

import pytest
from command_line import Run as RunCommand
from command_line import json_of
from hypothesis import given
from hypothesis import strategies as st

from sleuth.learning.runs.curves import Run, curves
from sleuth.support.errors import SleuthError, StoreError

TABLE = {"answers": 8, "network": {"dimension": 4}}


def evaluation(step: int, mean: float, **others: Any) -> dict[str, float]:
    """Return what training writes of an evaluation after a step; a step takes 2 s and 64 games."""
    spent = {"seconds": 3.0 * step, "processor_seconds": 2.0 * step, "games": 64.0 * step}
    return {"step": step, **spent, "mean": mean, "failures": 0.0, **others}


def write(
    folder: Path,
    points: list[dict[str, float]],
    seed: int | None = 0,
    name: str = "tiny",
    table: Mapping[str, object] = TABLE,
) -> Path:
    """Write the folder of a run; without configuration where seed is None."""
    folder.mkdir(parents=True)
    (folder / "curve.json").write_text(json.dumps(points))
    if seed is not None:
        kept = {"name": name, "algorithm": "ppo", "words": "original", "seed": seed, "table": table}
        (folder / "configuration.json").write_text(json.dumps(kept))
    return folder


@pytest.fixture
def seeds(tmp_path: Path) -> list[Path]:
    """Return the folders of three runs that differ in the seed; the last was stopped early."""
    means = [(6.0, 4.0, 3.5), (5.5, 4.5, 3.6), (5.0, 4.2)]
    return [
        write(tmp_path / f"seed{seed}", [evaluation(2 * i + 2, mean) for i, mean in enumerate(of)], seed)
        for seed, of in enumerate(means)
    ]


def read(*folders: Path) -> list[Run]:
    return [Run.read(folder) for folder in folders]


def test_runs_that_differ_in_the_seed_are_one_curve(seeds: list[Path], tmp_path: Path) -> None:
    other = write(tmp_path / "other", [evaluation(2, 5.0)], name="wide", table={"answers": 16})
    found = curves(read(seeds[0], other, *seeds[1:]), "steps")
    assert [curve.label for curve in found.curves] == ["tiny, seeds 0, 1, 2", "wide"]
    together, alone = found.curves
    assert [line.seed for line in together.lines] == [0, 1, 2]
    assert [line.folder for line in together.lines] == [str(folder) for folder in seeds]
    assert together.lines[0].x == together.lines[0].steps == (2, 4, 6)
    assert together.lines[2].y == (5.0, 4.2)
    # Where all three were evaluated, and no further.
    assert together.band is not None
    assert together.band.x == (2, 4)
    assert together.band.least == (5.0, 4.0)
    assert together.band.most == (6.0, 4.5)
    assert alone.band is None


def test_kinds_of_one_name_are_called_by_what_their_folders_begin_with(tmp_path: Path) -> None:
    kinds: dict[str, Mapping[str, object]] = {"plain": TABLE, "wide": {"answers": 16}}
    runs = [
        write(tmp_path / f"{kind}-{seed}", [evaluation(1, 5.0)], seed, table=table)
        for kind, table in kinds.items()
        for seed in (0, 1)
    ]
    labels = [curve.label for curve in curves(read(*runs)).curves]
    assert labels == [f"{tmp_path / kind}, seeds 0, 1" for kind in kinds]


@pytest.mark.parametrize(("against", "scale"), [("seconds", 2.0), ("steps", 1), ("games", 64.0)])
def test_what_the_axis_across_may_be(seeds: list[Path], against: str, scale: float) -> None:
    found = curves(read(seeds[0]), against)
    assert found.curves[0].lines[0].x == tuple(scale * step for step in (2, 4, 6))


def test_a_band_in_time_lies_at_the_mean_of_the_times(tmp_path: Path) -> None:
    first = write(tmp_path / "a", [evaluation(1, 5.0, processor_seconds=10.0)], seed=0)
    second = write(tmp_path / "b", [evaluation(1, 4.0, processor_seconds=20.0)], seed=1)
    (curve,) = curves(read(first, second)).curves
    assert [line.x for line in curve.lines] == [(10.0,), (20.0,)]
    assert (curve.band.x, curve.band.least, curve.band.most) == ((15.0,), (4.0,), (5.0,))


def test_seeds_that_share_no_step_have_no_band(tmp_path: Path) -> None:
    first = write(tmp_path / "a", [evaluation(1, 5.0)], seed=0)
    second = write(tmp_path / "b", [evaluation(2, 4.0)], seed=1)
    (curve,) = curves(read(first, second)).curves
    assert len(curve.lines) == 2
    assert curve.band is None


@given(st.lists(st.dictionaries(st.integers(1, 9), st.floats(3, 9), min_size=1), min_size=2, max_size=4))
def test_a_band_holds_all_lines(
    tmp_path_factory: pytest.TempPathFactory, runs: list[dict[int, float]]
) -> None:
    folder = tmp_path_factory.mktemp("runs")
    folders = [
        write(folder / str(seed), [evaluation(step, of[step]) for step in sorted(of)], seed)
        for seed, of in enumerate(runs)
    ]
    (curve,) = curves(read(*folders), "steps").curves
    shared = [step for step in range(10) if all(step in of for of in runs)]
    if not shared:
        assert curve.band is None
        return
    assert list(curve.band.x) == shared
    assert list(curve.band.least) == [min(of[step] for of in runs) for step in shared]
    assert list(curve.band.most) == [max(of[step] for of in runs) for step in shared]


def test_runs_of_the_same_seed_are_curves_of_their_own(tmp_path: Path) -> None:
    runs = [
        write(tmp_path / name, [evaluation(1, 5.0)], seed) for name, seed in (("a", 0), ("b", 0), ("c", 1))
    ]
    found = curves(read(*runs)).curves
    assert [curve.label for curve in found] == [str(run) for run in runs]
    other = write(tmp_path / "d", [evaluation(1, 5.0)], name="wide", table={"answers": 16})
    assert [curve.lines[0].folder for curve in curves(read(*runs, other)).curves] == [
        *map(str, runs),
        str(other),
    ]
    assert all(curve.band is None for curve in found)


def test_labels_tell_curves_apart(tmp_path: Path) -> None:
    runs = [
        write(tmp_path / "a0", [evaluation(1, 5.0)], 0, "one", {"a": 1}),
        write(tmp_path / "a1", [evaluation(1, 5.0)], 1, "another", {"a": 1}),
        write(tmp_path / "b", [evaluation(1, 5.0)], 0, "same", {"a": 2}),
        write(tmp_path / "c", [evaluation(1, 5.0)], 0, "same", {"a": 3}),
        write(tmp_path / "old", [evaluation(1, 5.0)], None),
    ]
    assert [curve.label for curve in curves(read(*runs)).curves] == [
        "one, another, seeds 0, 1",
        f"same in {tmp_path / 'b'}",
        f"same in {tmp_path / 'c'}",
        str(tmp_path / "old"),
    ]
    # A name that all have tells nothing.
    alike = [str(tmp_path / "b"), str(tmp_path / "c")]
    assert [curve.label for curve in curves(read(*runs[2:4])).curves] == alike


def test_evaluations_without_the_measure_are_left_out(tmp_path: Path) -> None:
    points = [evaluation(1, 5.0), evaluation(2, 4.0, worst=9.0)]
    (curve,) = curves(read(write(tmp_path / "run", points)), "steps", "worst").curves
    assert (curve.lines[0].x, curve.lines[0].y) == ((2,), (9.0,))


# Drawn


def test_what_is_drawn(seeds: list[Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from sleuth.learning.runs.pictures import learning

    other = write(tmp_path / "other", [evaluation(2, 5.0)], name="_$a$", table={"answers": 16})
    found = curves(read(*seeds, other), "games")
    axes = learning(found, optimum=3.4212)
    *lines, optimum = axes.lines
    drawn = [line for curve in found.curves for line in curve.lines]
    assert [line.get_xydata().tolist() for line in lines] == [
        [list(point) for point in zip(line.x, line.y, strict=True)] for line in drawn
    ]
    colours = [line.get_color() for line in lines]
    assert colours[0] == colours[1] == colours[2] != colours[3]
    assert optimum.get_ydata() == [3.4212, 3.4212]
    assert optimum.get_linestyle() == "--"
    (band,) = axes.collections
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices.tolist()}
    assert corners == {(128.0, 5.0), (128.0, 6.0), (256.0, 4.0), (256.0, 4.5)}
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("games played", "mean (guesses)")
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["tiny, seeds 0, 1, 2", r" _\$a\$", "optimum 3.4212"]
    # All is within the axes, the optimum too.
    low, high = axes.get_ylim()
    assert low < 3.4
    assert high > 6.0
    assert axes.get_xlim()[0] == 0


def test_axes_can_be_cut_and_logarithmic(seeds: list[Path]) -> None:
    pytest.importorskip("matplotlib")
    from sleuth.learning.runs.pictures import learning

    found = curves(read(*seeds), "seconds", "failures")
    axes = learning(found, log=True)
    assert axes.get_xscale() == "log"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("seconds of processor time", "failures (answers)")
    found = curves(read(*seeds))
    axes = learning(found, highest=4.25)
    assert axes.get_ylim()[1] == 4.25
    assert axes.get_ylim()[0] < 3.5
    for highest in (3.5, float("inf"), float("nan")):
        with pytest.raises(SleuthError, match=r"the least mean is 3\.5"):
            learning(found, highest=highest)
    with pytest.raises(SleuthError, match="finite"):
        learning(found, optimum=float("nan"))


def test_a_full_disk_leaves_the_picture_before(
    seeds: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    from sleuth.learning.runs.pictures import learning
    from sleuth.support.pictures import draw

    plot = tmp_path / "curves.png"
    plot.write_bytes(b"before")

    def full(descriptor: int) -> Never:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left on device: .*curves\.png"):
        draw(plot, partial(learning, curves(read(*seeds))))
    assert plot.read_bytes() == b"before"
    assert not list(tmp_path.glob(".*"))


# What is wrong


def test_folders_that_hold_no_run(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    begun = tmp_path / "begun"
    begun.mkdir()
    (begun / "configuration.json").write_text("{}")
    for name, message in (
        ("none", "there is no folder"),
        ("file", "there is no folder"),
        ("empty", "it holds no curve.json"),
        ("begun", "has no evaluation yet"),
    ):
        with pytest.raises(StoreError, match=message):
            Run.read(tmp_path / name)
    with pytest.raises(StoreError, match="has no evaluation yet"):
        Run.read(write(tmp_path / "nothing", []))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        '[{"step": 1, "mean": NaN}]',
        '[{"step": 1, "mean": 1e999}]',
        '[{"step": 1, "mean": "3"}]',
        '[{"step": 1, "mean": true}]',
        '[{"step": 1.5, "mean": 3}]',
        '[{"mean": 3}]',
        '[{"step": 2, "mean": 3}, {"step": 2, "mean": 3}]',
        '{"step": 1}',
        "[3]",
        "null",
        "[" * 100_000,
        "\x00",
    ],
)
def test_broken_curves(tmp_path: Path, text: str) -> None:
    folder = write(tmp_path / "run", [])
    (folder / "curve.json").write_text(text)
    with pytest.raises(StoreError, match=r"curve\.json is broken"):
        Run.read(folder)


@pytest.mark.parametrize("text", ["", "[]", '{"name": "a"}', '{"name": 3, "seed": 3}', "null"])
def test_broken_configurations(tmp_path: Path, text: str) -> None:
    folder = write(tmp_path / "run", [evaluation(1, 3.0)])
    (folder / "configuration.json").write_text(text)
    with pytest.raises(StoreError, match=r"configuration\.json is broken"):
        Run.read(folder)


def test_what_a_run_does_not_have(tmp_path: Path) -> None:
    old = write(tmp_path / "old", [{"step": 5, "seconds": 9.0, "mean": 4.0, "failures": 1.0}], None)
    with pytest.raises(SleuthError, match=r"old has no measure 'men'; it has failures, mean"):
        curves(read(old), "steps", "men")
    for against in ("seconds", "games"):
        with pytest.raises(SleuthError, match="draw them against steps"):
            curves(read(old), against)
    assert curves(read(old), "steps").curves[0].lines[0].seed is None
    with pytest.raises(SleuthError, match="did you mean games"):
        curves(read(old), "game")


# The command


def test_the_command(run: RunCommand, seeds: list[Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot = tmp_path / "curves.png"
    arguments = ("curves", *seeds, "--against", "steps")
    found = json_of(
        run(*arguments, "--plot", plot, "--optimum", "3.4212", "--highest", "5", "--log", "--json")
    )
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert (found["against"], found["measure"]) == ("steps", "mean")
    (curve,) = found["curves"]
    assert curve["label"] == "tiny, seeds 0, 1, 2"
    assert curve["runs"][1] == {
        "folder": str(seeds[1]),
        "seed": 1,
        "steps": [2, 4, 6],
        "x": [2, 4, 6],
        "y": [5.5, 4.5, 3.6],
    }
    assert curve["band"] == {"x": [2, 4], "least": [5.0, 4.0], "most": [6.0, 4.5]}
    code, out, _ = run(*arguments, "--plot", tmp_path / "curves.SVG")
    assert code == 0
    assert "3.6000" in out
    assert "picture written to" in out
    assert "<svg" in (tmp_path / "curves.SVG").read_text()


def test_the_command_says_what_is_wrong(run: RunCommand, seeds: list[Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for arguments, message in (
        ([], "Missing argument"),
        ([tmp_path / "none"], "there is no folder"),
        ([seeds[0], "--against", "hours"], "unknown axis 'hours'"),
        ([seeds[0], "--measure", "worst"], "it has failures, mean"),
        ([seeds[0], "--plot", tmp_path / "x.gif"], "a picture ends in .png"),
        ([seeds[0], "--plot", tmp_path / "x.png", "--highest", "2"], "the least mean is 3.5"),
    ):
        code, out, err = run("curves", *arguments)
        assert (code, out) == (2, "")
        assert message in err
    assert not list(tmp_path.glob("*.png"))

"""Learning curves: one measure of the evaluations of runs, against time of processors, steps or games.

Runs whose configurations differ only in the seed belong together: one curve with a line for each of them, and
a band from the least to the most of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from os.path import commonprefix
from pathlib import Path
from typing import Any

from sleuth.learning.runs.training import CHECKPOINT, CONFIGURATION, CURVE
from sleuth.support.errors import SleuthError, StoreError
from sleuth.support.registry import unknown_name
from sleuth.support.tabled import Tabled

AGAINST = {"seconds": "processor_seconds", "steps": "step", "games": "games"}
"""What a measure may be drawn against, and where an evaluation has it."""

_NO_MEASURES = {*AGAINST.values(), "seconds"}
_LARGEST = 1e300  # of numbers that can be drawn


@dataclass(frozen=True)
class Run:
    """What a run of `sleuth train` left in its folder.

    Attributes:
        folder: as it was given.
        evaluations: the metrics of each, the first first; one at least. All have `step`.
        configuration: `name`, `seed` and what else was trained; None where the folder does not say.

    """

    folder: Path
    evaluations: tuple[Mapping[str, float], ...]
    configuration: Mapping[str, Any] | None

    @classmethod
    def read(cls, folder: Path) -> Run:
        """Read a folder. Raises StoreError for one that holds no run, no evaluation, or broken files."""
        if not folder.is_dir():
            raise StoreError(f"there is no folder {folder}")
        path, kept = folder / CURVE, folder / CONFIGURATION
        if not (path.exists() or kept.exists() or (folder / CHECKPOINT).exists()):
            raise StoreError(
                f"{folder} is no folder of a run: it holds no {CURVE}, which sleuth train writes"
            )
        evaluations = _load(path) if path.exists() else []
        if evaluations == []:
            raise StoreError(
                f"{folder} has no evaluation yet; schedule.evaluate_every says when the first is"
            )
        if not isinstance(evaluations, list) or not all(map(_is_evaluation, evaluations)):
            raise StoreError(f"{path} is broken: it must be a list of evaluations, each numbers by name")
        steps = [evaluation["step"] for evaluation in evaluations]
        if any(before >= after for before, after in pairwise(steps)):
            raise StoreError(f"{path} is broken: the steps of its evaluations must ascend")
        configuration = _load(kept) if kept.exists() else None
        if kept.exists() and not _is_configuration(configuration):
            raise StoreError(f"{kept} is broken: it must have a name and a seed")
        return cls(folder, tuple(evaluations), configuration)

    @property
    def measures(self) -> list[str]:
        """What its evaluations measured."""
        return sorted({name for evaluation in self.evaluations for name in evaluation} - _NO_MEASURES)

    @property
    def kind(self) -> str:
        """What runs that differ only in the seed have in common, and no others."""
        if self.configuration is None:
            return str(self.folder)
        return json.dumps({**self.configuration, "name": None, "seed": None}, sort_keys=True)


@dataclass(frozen=True)
class Line:
    """One run: the measure `y` at `x`, after `steps`."""

    folder: str
    seed: int | None
    steps: tuple[int, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Band:
    """The least and the most of some runs at the steps where all were evaluated; x: the mean of theirs."""

    x: tuple[float, ...]
    least: tuple[float, ...]
    most: tuple[float, ...]


@dataclass(frozen=True)
class Curve:
    """The runs of one configuration; no band where it has one run, or they share no step."""

    label: str
    lines: tuple[Line, ...]
    band: Band | None


@dataclass(frozen=True)
class Curves(Tabled):
    """What a picture of learning shows.

    Attributes:
        against: a name of AGAINST.
        measure: what the evaluations measured.
        curves: one a configuration, in the order of the runs given.

    """

    against: str
    measure: str
    curves: tuple[Curve, ...]

    def to_json(self) -> dict[str, Any]:
        """Return all numbers, as plain data."""
        return {
            "against": self.against,
            "measure": self.measure,
            "curves": [
                {
                    "label": curve.label,
                    "runs": [vars(line) for line in curve.lines],
                    "band": None if curve.band is None else vars(curve.band),
                }
                for curve in self.curves
            ],
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each evaluation of each run."""
        return [
            {
                "label": curve.label,
                "folder": line.folder,
                "seed": line.seed,
                "step": step,
                self.against: x,
                self.measure: y,
            }
            for curve in self.curves
            for line in curve.lines
            for step, x, y in zip(line.steps, line.x, line.y, strict=True)
        ]


def curves(runs: Sequence[Run], against: str = "seconds", measure: str = "mean") -> Curves:
    """Return one measure of runs against a name of AGAINST.

    Evaluations without the measure, or from before the run counted what it is drawn against, are left out.
    Raises SleuthError where none is left, and for an unknown name.
    """
    if against not in AGAINST:
        raise unknown_name("axis", against, AGAINST)
    often = Counter((run.kind, _seed(run)) for run in runs)
    twice = {kind for (kind, _), times in often.items() if times > 1}
    kinds: dict[str, list[Run]] = {}
    for run in runs:  # where a seed comes twice, each run is a curve of its own
        kinds.setdefault(str(run.folder) if run.kind in twice else run.kind, []).append(run)
    found = []
    for label, alike in zip(_labels(list(kinds.values())), kinds.values(), strict=True):
        lines = tuple(_line(run, against, measure) for run in alike)
        found.append(Curve(label, lines, _band(lines)))
    return Curves(against, measure, tuple(found))


def _line(run: Run, against: str, measure: str) -> Line:
    if measure not in run.measures:
        raise SleuthError(
            f"{run.folder} has no measure {measure!r}; it has {', '.join(run.measures) or 'none'}"
        )
    key = AGAINST[against]
    points = [point for point in run.evaluations if measure in point and key in point]
    if not points:
        counted = {name for point in run.evaluations if measure in point for name in point}
        others = [name for name, key in AGAINST.items() if key in counted]
        raise SleuthError(
            f"{run.folder} keeps no {key} of its evaluations; draw them against {' or '.join(others)}"
        )
    return Line(
        folder=str(run.folder),
        seed=_seed(run),
        steps=tuple(int(point["step"]) for point in points),
        x=tuple(point[key] for point in points),
        y=tuple(point[measure] for point in points),
    )


def _band(lines: Sequence[Line]) -> Band | None:
    at = [dict(zip(line.steps, zip(line.x, line.y, strict=True), strict=True)) for line in lines]
    shared = sorted(set(at[0]).intersection(*at[1:]))
    if len(lines) == 1 or not shared:
        return None
    return Band(
        x=tuple(sum(points[step][0] for points in at) / len(at) for step in shared),
        least=tuple(min(points[step][1] for points in at) for step in shared),
        most=tuple(max(points[step][1] for points in at) for step in shared),
    )


def _together(folders: Sequence[str]) -> str:
    """Return what several folders begin with, as in "wide" of wide-0 and wide-1, else all of them."""
    begin = commonprefix(folders).rstrip("-_0123456789") if len(folders) > 1 else ""  # noqa: RUF071  by letters
    return begin if begin and not begin.endswith("/") else ", ".join(folders)


def _labels(kinds: Sequence[Sequence[Run]]) -> list[str]:
    """Return what to call each kind of runs: its names, and its folders where others have the same names.

    Where all have the same, names tell nothing and are left out.
    """
    names = [", ".join(dict.fromkeys(_name(run) for run in alike)) for alike in kinds]
    often = Counter(names)
    labels = []
    for name, alike in zip(names, kinds, strict=True):
        label = name
        if often[name] > 1:
            folders = _together([str(run.folder) for run in alike])
            label = f"{name} in {folders}" if len(often) > 1 else folders
        if len(alike) > 1:
            seeds = sorted(seed for run in alike if (seed := _seed(run)) is not None)
            label += f", seeds {', '.join(map(str, seeds))}" if seeds else ""
        labels.append(label)
    return labels


def _seed(run: Run) -> int | None:
    return None if run.configuration is None else run.configuration["seed"]


def _name(run: Run) -> str:
    return str(run.folder) if run.configuration is None else run.configuration["name"]


def _load(path: Path) -> Any:
    """Return what a file of JSON holds. Raises StoreError."""
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise StoreError(f"{path} is broken: it is no JSON") from None
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror or error})") from None


def _is_evaluation(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and type(value.get("step")) is int
        and all(type(number) in (int, float) and abs(number) < _LARGEST for number in value.values())
    )


def _is_configuration(value: Any) -> bool:
    return isinstance(value, dict) and type(value.get("name")) is str and type(value.get("seed")) is int

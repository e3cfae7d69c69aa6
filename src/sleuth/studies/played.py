"""What came of the runs of a study: rows for other programs, and the table of how strategies compare."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.studies.study import Run, Study
from sleuth.support.errors import SleuthError
from sleuth.support.estimate import Estimate
from sleuth.support.files import save_bytes, why_not_writable
from sleuth.support.shown import Shown
from sleuth.support.tabled import Tabled
from sleuth.trees.comparison import Duel, duel, mean_of
from sleuth.trees.tree import Report

SUFFIXES = (".csv", ".parquet")
_COLUMNS = {
    "game": "string",
    "strategy": "string",
    "seed": "int64",  # also where none is drawn: files of several studies go together
    "answer": "string",
    "turns": "int64",
    "probability": "float64",
}
"""The columns of results, with their types as Arrow and polars call them."""


@dataclass(frozen=True)
class Played:
    """What came of a run: int32 [answers], the guesses that each answer takes, and the seconds it took."""

    turns: NDArray[np.int32]
    seconds: float


@dataclass(frozen=True)
class Standing:
    """How a strategy does in a game, over all its runs.

    Attributes:
        game, strategy: as they are called.
        seeds: how many runs there are, one for each seed.
        mean: the guesses it takes.
        worst: the most guesses of any answer.
        failures: answers that it does not find in time, on average over the runs.
        against: how it compares with the baseline; None for the baseline itself, and where there is none.
        seconds: what its runs took together.

    """

    game: str
    strategy: str
    seeds: int
    mean: Estimate
    worst: int
    failures: float
    against: Duel | None
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        compared = dict.fromkeys(_DUEL) if self.against is None else self.against.to_json()
        return {
            "game": self.game,
            "strategy": self.strategy,
            "seeds": self.seeds,
            "mean": self.mean.value,
            "mean_low": self.mean.low,
            "mean_high": self.mean.high,
            "worst": self.worst,
            "failures": self.failures,
            **compared,
            "seconds": round(self.seconds, 4),
        }


_DUEL = ("wins", "ties", "losses", "difference", "difference_low", "difference_high")


@dataclass(frozen=True, eq=False, repr=False)
class Experiment(Shown, Tabled):
    """What came of a study.

    Attributes:
        study: the study.
        played: what came of each run that is finished, in the order of the study.
        problems: what went wrong, by the runs that could not be played.

    """

    study: Study
    played: Mapping[Run, Played]
    problems: Mapping[Run, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Experiment: {len(self.played)} of {len(self.study.runs())} runs>"

    @property
    def finished(self) -> bool:
        """Whether all runs are played."""
        return len(self.played) == len(self.study.runs())

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each answer of each run: game, strategy, seed, answer, turns and probability."""
        return list(self._rows())

    def _rows(self) -> Iterator[dict[str, Any]]:
        for run, played in self.played.items():
            game = self.study.games[run.game]
            rows = zip(game.answers, played.turns.tolist(), game.prior.tolist(), strict=True)
            for row in rows:
                yield dict(zip(_COLUMNS, (run.game, run.strategy, run.seed, *row), strict=True))

    def standings(self) -> list[Standing]:
        """Return how the strategies do, game by game, those with no finished run left out."""
        found = []
        for name, game in self.study.games.items():
            base = self._runs(name, self.study.baseline)
            for strategy in self.study.strategies:
                runs = self._runs(name, strategy)
                if not runs:
                    continue
                compared = strategy != self.study.baseline
                found.append(_standing(game, name, strategy, runs, base if compared else {}))
        return found

    def _runs(self, game: str, strategy: str | None) -> dict[int | None, Played]:
        """Return what came of the finished runs of a strategy in a game, by their seeds."""
        return {r.seed: p for r, p in self.played.items() if (r.game, r.strategy) == (game, strategy)}

    def to_json(self) -> dict[str, Any]:
        """Return how the strategies do as plain values, without the guesses of each answer."""
        return {
            "baseline": self.study.baseline,
            "runs": len(self.study.runs()),
            "finished": len(self.played),
            "results": [standing.to_json() for standing in self.standings()],
            "problems": list(self.problems.values()),
        }

    def save(self, path: Path | str) -> None:
        """Write the rows of to_records() as the suffix says, .csv or .parquet. Raises SleuthError."""
        path = Path(path)
        check_path(path)
        save_bytes(path, self._csv() if path.suffix == ".csv" else self._parquet())

    def _csv(self) -> bytes:
        out = io.StringIO()
        writer = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self._rows())
        return out.getvalue().encode()

    def _parquet(self) -> bytes:
        out = io.BytesIO()
        if find_spec("pyarrow") is not None:
            pyarrow = import_module("pyarrow")
            table = pyarrow.Table.from_pylist(self.to_records(), schema=pyarrow.schema(_COLUMNS))
            import_module("pyarrow.parquet").write_table(table, out)
        else:
            polars = import_module("polars")
            types = {name: getattr(polars, kind.capitalize()) for name, kind in _COLUMNS.items()}
            polars.DataFrame(self.to_records(), schema=types).write_parquet(out)
        return out.getvalue()


def check_path(path: Path) -> None:
    """Raise SleuthError where results cannot be written to a path, before the work is done."""
    if path.suffix not in SUFFIXES:
        raise SleuthError(f"cannot write results to {path}: such a file ends in {' or '.join(SUFFIXES)}")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None and find_spec("polars") is None:
        raise SleuthError(
            "parquet needs pyarrow or polars, and neither is installed; .csv needs nothing, and pip install"
            " pyarrow brings one"
        )
    why = why_not_writable(path)
    if why is not None:
        raise SleuthError(f"cannot write results to {path}: {why}")


def _standing(
    game: Game,
    name: str,
    strategy: str,
    runs: Mapping[int | None, Played],
    base: Mapping[int | None, Played],
) -> Standing:
    turns = np.stack([played.turns for played in runs.values()])
    reports = [Report.of(game, played.turns) for played in runs.values()]
    return Standing(
        name,
        strategy,
        len(runs),
        mean_of(game, turns),
        int(turns.max()),
        sum(report.failures for report in reports) / len(reports),
        _against(game, runs, base),
        sum(played.seconds for played in runs.values()),
    )


def _against(game: Game, runs: Mapping[int | None, Played], base: Mapping[int | None, Played]) -> Duel | None:
    """Return how runs compare with those of the baseline: seed by seed, where both have seeds."""
    pairs = [
        (played.turns, other.turns)
        for seed, played in runs.items()
        for at, other in base.items()
        if seed == at or None in (seed, at)
    ]
    if not pairs:
        return None
    ours, others = (np.stack(turns) for turns in zip(*pairs, strict=True))
    return duel(game, ours, others)

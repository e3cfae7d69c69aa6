"""A file of the episodes played, from which a benchmark goes on: whole at any time, whatever ends it."""

from __future__ import annotations

from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from sleuth.planning.benchmark.results import BOUNDS, Benchmark, Episode, Pair, Played
from sleuth.support import json_files
from sleuth.support.errors import SleuthError
from sleuth.support.files import check_writable
from sleuth.support.foreign import contents
from sleuth.support.ranges import check_number
from sleuth.support.version import VERSION

_KIND, _VERSION = "sleuth-benchmark", 1
# Seconds between writings, unless the work ends.
_PAUSE = 2.0


class _Kept(NamedTuple):
    """All that episodes depend on, but their numbers."""

    sleuth: str
    problem: str
    method: str
    seconds: float
    seed: int


class Keeper:
    """A file of episodes, of any benchmarks."""

    def __init__(self, path: Path) -> None:
        """Read the file, if it is there. Raises SleuthError where it is damaged or cannot be written."""
        if path.exists() and not path.is_file():
            raise SleuthError(f"{path} is no file that episodes can be kept in")
        check_writable(path)
        self._path = path
        self._kept = json_files.read(path, _KIND, _VERSION, _made, _plain) if path.exists() else {}
        self._written = monotonic()

    def find(self, benchmark: Benchmark, pair: Pair) -> Played:
        """Return what is kept of a method in a problem: the episodes that the benchmark has."""
        found = self._kept.get(_key(benchmark, pair), Played({}))
        wanted = {number: one for number, one in found.episodes.items() if number < benchmark.episodes}
        return Played(wanted, found.bounds)

    def keep(self, benchmark: Benchmark, pair: Pair, played: Played) -> None:
        """Keep what is played by now; it is written now or soon."""
        key = _key(benchmark, pair)
        before = self._kept.get(key, Played({})).episodes
        self._kept[key] = Played({**before, **played.episodes}, played.bounds)
        if monotonic() - self._written >= _PAUSE:
            self.write()

    def write(self) -> None:
        """Write all that is kept, whole or not at all. Raises SleuthError where it cannot be."""
        json_files.save(self._path, _KIND, _VERSION, _plain(self._kept))
        self._written = monotonic()


def _key(benchmark: Benchmark, pair: Pair) -> _Kept:
    # What is in files counts, too, so that one that was changed is another.
    problem, method = (" ".join([text, *contents(text)]) for text in pair)
    if pair.method == BOUNDS:  # whatever is played
        return _Kept(VERSION, problem, method, 0.0, 0)
    return _Kept(VERSION, problem, method, float(benchmark.seconds), benchmark.seed)


def _plain(kept: dict[_Kept, Played]) -> dict[str, Any]:
    return {
        "runs": [
            {
                **key._asdict(),
                "bounds": None if played.bounds is None else list(played.bounds),
                "episodes": {str(number): list(one) for number, one in sorted(played.episodes.items())},
            }
            for key, played in kept.items()
        ]
    }


def _made(values: dict[str, Any]) -> dict[_Kept, Played]:
    found = {}
    for run in values["runs"]:
        if any(int(number) < 0 for number in run["episodes"]):
            raise SleuthError("episodes are numbered from 0")
        episodes = {int(number): _episode(*one) for number, one in run["episodes"].items()}
        bounds = None if run["bounds"] is None else _bounds(*run["bounds"])
        found[_Kept(*(run[name] for name in _Kept._fields))] = Played(episodes, bounds)
    return found


def _episode(reward: float, decisions: int, seconds: float) -> Episode:
    """Return an episode as it is kept. Raises SleuthError for values that no episode has."""
    check_number("reward", reward, below=inf)
    check_number("decisions", decisions, least=0, whole=True)
    check_number("seconds", seconds, least=0, below=inf)
    return Episode(reward, decisions, seconds)


def _bounds(lower: float, upper: float) -> tuple[float, float]:
    """Return bounds as they are kept. Raises SleuthError for values that are none."""
    check_number("lower", lower, below=inf)
    check_number("upper", upper, least=lower)
    return lower, upper

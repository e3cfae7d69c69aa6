"""What came of a benchmark: episodes, and how the methods compare in each problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from math import inf, isfinite
from typing import Any, NamedTuple

from sleuth.planning.benchmark.problems import SUMMARIES, BenchmarkProblem, is_drawn, problem_of
from sleuth.planning.methods import DrawnMethod, pomdp_method
from sleuth.planning.simulation import mean_and_error
from sleuth.support.errors import SleuthError
from sleuth.support.estimate import Estimate
from sleuth.support.foreign import names_a_file
from sleuth.support.indices import shown
from sleuth.support.ranges import check_number, check_seed
from sleuth.support.specification import specification_of

ALL = tuple(SUMMARIES)
"""The problems of the benchmark."""
METHODS = ("tree", "despot", "pomcp", "hsvi", "hsvi(online=true)", "oracle-lookahead", "random")
"""What is played unless other methods are asked for."""

BOUNDS = "bounds"
"""In the place of a method: bounds of the optimal value that are proven of the problem itself."""


class Pair(NamedTuple):
    """A problem and a method, as they are called."""

    problem: str
    method: str


class Episode(NamedTuple):
    """An episode: its discounted reward, how many decisions it had, and the seconds that those took."""

    reward: float
    decisions: int
    seconds: float


@dataclass(frozen=True)
class Played:
    """The episodes of a method in a problem, by their numbers, and the bounds that it proved, if it does."""

    episodes: dict[int, Episode]
    bounds: tuple[float, float] | None = None


@dataclass(frozen=True)
class Benchmark:
    """What is to be played.

    Attributes:
        problems: names of problems; .pomdp and .pomdpx files, or FILE.py:NAME for a POMDP, a DrawnPomdp or a
            SampledPomdp made there.
        methods: methods for POMDPs, as in "despot(scenarios=100)", or FILE.py:NAME. Of those that can play a
            problem the others are compared with the first.
        episodes: of each method in each problem.
        seconds: of processor time for a decision.
        seed: of the episodes; all methods meet the same ones.

    """

    problems: tuple[str, ...] = ALL
    methods: tuple[str, ...] = METHODS
    episodes: int = 100
    seconds: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        """Write the methods as they are known by. Raises SleuthError for what there is not."""
        check_number("episodes", self.episodes, least=1, whole=True)
        check_number("seconds", self.seconds, above=0, below=inf)
        check_seed(self.seed)
        for what, names in (("problems", self.problems), ("methods", self.methods)):
            if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
                raise SleuthError(f"{what} are a tuple of names, not {shown(names)}")
        for problem in self.problems:
            if problem not in ALL and isinstance(posed := problem_of(problem), BenchmarkProblem):
                posed.make()  # what is wrong with a file is told once, before any method plays
        methods = tuple(_as_known(method) for method in self.methods)
        for what, names in (("problems", self.problems), ("methods", methods)):
            if not names:
                raise SleuthError(f"there are no {what}; a benchmark needs one at least")
            for name in names:
                if names.count(name) > 1:
                    given = getattr(self, what)
                    raise SleuthError(f"{what} are named twice in {', '.join(given)}: {name}")

        object.__setattr__(self, "methods", methods)
        for problem in self.problems:
            if not self.able(problem):
                raise SleuthError(
                    f"the states of {problem} are drawn, which {', '.join(methods)} cannot take; pomcp,"
                    " despot and random can"
                )

    def able(self, problem: str) -> tuple[str, ...]:
        """Return the methods that can play a problem: those of a problem that is drawn from are few."""
        if problem not in self._drawn:
            return self.methods
        return tuple(
            method for method in self.methods if isinstance(pomdp_method(method, files=True), DrawnMethod)
        )

    @cached_property
    def _drawn(self) -> list[str]:
        """The problems whose states are drawn."""
        return [problem for problem in self.problems if is_drawn(problem_of(problem))]

    def pairs(self) -> list[Pair]:
        """Return all that is played, problem by problem."""
        return [Pair(problem, method) for problem in self.problems for method in self.able(problem)]

    def left_out(self) -> str | None:
        """Say in a line what is not played, if there is something."""
        drawn = self._drawn
        unable = [method for method in self.methods if drawn and method not in self.able(drawn[0])]
        if not unable:
            return None
        return f"not played by {', '.join(unable)}, as states are drawn there: {', '.join(drawn)}"


def _as_known(text: str) -> str:
    """Return a method in the one way in which it is written. Raises SleuthError for what there is not."""
    name = text.partition("(")[0].strip()
    return specification_of(pomdp_method(text, files=True), name if names_a_file(name) else None)


@dataclass(frozen=True)
class Standing:
    """How a method did in a problem.

    Attributes:
        problem, method: as they are called.
        episodes: how many are played.
        reward: the mean discounted reward.
        against: how far that is above the first method's, over the episodes that both have played; None for
            the first method itself, and where there are none.
        seconds: of processor time a decision, on average.
        decisions: an episode, on average.

    """

    problem: str
    method: str
    episodes: int
    reward: Estimate
    against: Estimate | None
    seconds: float
    decisions: float

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values; an interval of a single episode is null."""
        return {
            "problem": self.problem,
            "method": self.method,
            "episodes": self.episodes,
            **_plain("reward", self.reward),
            **_plain("difference", self.against),
            "seconds_per_decision": self.seconds,
            "decisions": self.decisions,
        }


@dataclass(frozen=True)
class Results:
    """What came of a benchmark.

    Attributes:
        benchmark: what was to be played.
        played: by the problem and the method; what no episode is known of is left out.
        problems: why what could not be played could not.

    """

    benchmark: Benchmark
    played: Mapping[Pair, Played]
    problems: Mapping[Pair, str]

    @property
    def done(self) -> int:
        """How many episodes are played."""
        return sum(len(played.episodes) for played in self.played.values())

    def bounds(self, problem: str) -> tuple[float, float] | None:
        """Return between what the optimal value of a problem lies, proven, where a method proved bounds."""
        found = [
            played.bounds
            for pair, played in self.played.items()
            if pair.problem == problem and played.bounds is not None
        ]
        return (max(low for low, _ in found), min(high for _, high in found)) if found else None

    @property
    def failures(self) -> list[str]:
        """What could not be played and why, a line for all methods that fail in a problem alike."""
        alike: dict[tuple[str, str], list[str]] = {}
        for pair, why in self.problems.items():
            alike.setdefault((pair.problem, why), []).append(pair.method)
        return [f"{', '.join(methods)} on {problem}: {why}" for (problem, why), methods in alike.items()]

    def standings(self) -> list[Standing]:
        """Return how the methods did, problem by problem, those without an episode left out."""
        found = []
        for pair in self.benchmark.pairs():
            if pair in self.played:
                first = self.benchmark.able(pair.problem)[0]
                base = self.played.get(Pair(pair.problem, first)) if pair.method != first else None
                found.append(_standing(pair, self.played[pair].episodes, base))
        return found

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each method in each problem, with the bounds proved of the problem."""
        rows = []
        for standing in self.standings():
            lower, upper = self.bounds(standing.problem) or (None, None)
            rows.append({**standing.to_json(), "lower": lower, "upper": upper})
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return all of it but the single episodes as plain values."""
        return {
            **asdict(self.benchmark),
            "results": self.to_records(),
            "failures": self.failures,
        }


def _standing(pair: Pair, episodes: Mapping[int, Episode], base: Played | None) -> Standing:
    decisions = sum(episode.decisions for episode in episodes.values())
    apart = [
        episode.reward - base.episodes[number].reward
        for number, episode in episodes.items()
        if base is not None and number in base.episodes
    ]
    return Standing(
        *pair,
        len(episodes),
        Estimate(*mean_and_error([episode.reward for episode in episodes.values()])),
        Estimate(*mean_and_error(apart)) if apart else None,
        sum(episode.seconds for episode in episodes.values()) / max(1, decisions),
        decisions / len(episodes),
    )


def _plain(name: str, estimate: Estimate | None) -> dict[str, float | None]:
    value, low, high = (None,) * 3 if estimate is None else (estimate.value, estimate.low, estimate.high)
    known = {name: value, f"{name}_low": low, f"{name}_high": high}
    return {key: number if number is not None and isfinite(number) else None for key, number in known.items()}

"""The problems of the benchmark, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from sleuth.planning.pomdps.drawn.problem import DrawnPomdp
from sleuth.planning.pomdps.drawn.problems import battleship, drawn_rocksample
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.pomcp import Preference
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.planning.pomdps.problems import hallway_pomdp, rocksample_pomdp, tag_pomdp, tiger_pomdp
from sleuth.planning.pomdps.rock_preference import rock_preference
from sleuth.planning.pomdps.small_problems import (
    bandit_pomdp,
    dosing_pomdp,
    light_dark_pomdp,
    twenty_questions_pomdp,
)


@dataclass(frozen=True)
class BenchmarkProblem:
    """A problem.

    Attributes:
        make: returns the POMDP.
        preference: returns what rollouts prefer, of the POMDP laid out; None where any action is as good.

    """

    make: Callable[[], POMDP]
    preference: Callable[[ModelledPomdp], Preference] | None = None


def _rocks(n: int, k: int) -> BenchmarkProblem:
    return BenchmarkProblem(partial(rocksample_pomdp, n, k), partial(rock_preference, n=n, k=k))


PROBLEMS = {
    "tiger": BenchmarkProblem(tiger_pomdp),
    "hallway": BenchmarkProblem(hallway_pomdp),
    "tag": BenchmarkProblem(tag_pomdp),
    "rocksample-4-4": _rocks(4, 4),
    "rocksample-7-8": _rocks(7, 8),
    "light-dark": BenchmarkProblem(light_dark_pomdp),
    "twenty-questions": BenchmarkProblem(twenty_questions_pomdp),
    "dosing": BenchmarkProblem(dosing_pomdp),
    "bandit": BenchmarkProblem(bandit_pomdp),
}
"""Those that are laid out."""
DRAWN: dict[str, Callable[[], DrawnPomdp]] = {
    "rocksample-11-11": partial(drawn_rocksample, 11, 11),
    "rocksample-15-15": partial(drawn_rocksample, 15, 15),
    "battleship": battleship,
}
"""Those that are drawn from, as they have too many states."""

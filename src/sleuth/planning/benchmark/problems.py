"""The problems of the benchmark, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeGuard

from sleuth.planning.benchmark.wording import (
    dosing_in_words,
    hallway_in_words,
    rocks_in_words,
    tag_in_words,
)
from sleuth.planning.methods import PomdpMethod, planners_of
from sleuth.planning.pomdps.drawn.problem import DrawnPomdp, StatedBounds
from sleuth.planning.pomdps.drawn.problems import battleship, drawn_rocksample
from sleuth.planning.pomdps.model_files import MODELS, read_model
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import Planners
from sleuth.planning.pomdps.pomcp import Preference
from sleuth.planning.pomdps.pomdp import POMDP, check_pomdp
from sleuth.planning.pomdps.problems import hallway_pomdp, rocksample_pomdp, tag_pomdp, tiger_pomdp
from sleuth.planning.pomdps.rock_preference import rock_preference
from sleuth.planning.pomdps.sampled.problem import SampledPomdp, check_sampled_pomdp, is_sampled_pomdp
from sleuth.planning.pomdps.small_problems import (
    bandit_pomdp,
    dosing_pomdp,
    light_dark_pomdp,
    twenty_questions_pomdp,
)
from sleuth.planning.problems.rock_bounds import rock_bounds
from sleuth.support.errors import SleuthError
from sleuth.support.foreign import names_a_file
from sleuth.support.registry import Registry, unknown_name
from sleuth.support.specification import from_text

_FILES: Registry[Any] = Registry("problem of the benchmark")
"""What is found in files alone."""


@dataclass(frozen=True)
class BenchmarkProblem:
    """A problem.

    Attributes:
        title: what it is called.
        summary: what it is about, in a sentence.
        make: returns the POMDP.
        preference: returns what rollouts prefer, of the POMDP laid out; None where any action is as good.
        words: returns the name of a state or an observation as people read it.
        bounds: returns between what the optimal value lies by what is known of the problem, if it is.

    """

    title: str
    summary: str
    make: Callable[[], POMDP]
    preference: Callable[[ModelledPomdp], Preference] | None = None
    words: Callable[[str], str] = str
    bounds: StatedBounds | None = None

    def planners(self, method: PomdpMethod, modelled: ModelledPomdp, seconds: float) -> Planners:
        """Return what a method makes for it.

        modelled: the POMDP laid out. seconds: of a decision. Raises SleuthError.
        """
        preference = None if self.preference is None else self.preference(modelled)
        return planners_of(method, modelled, preference, seconds)


def _rocks(n: int, k: int) -> BenchmarkProblem:
    return BenchmarkProblem(
        f"RockSample({n},{k})",
        f"A rover among {k} rocks, good or bad, that it can check from afar.",
        partial(rocksample_pomdp, n, k),
        partial(rock_preference, n=n, k=k),
        rocks_in_words,
        partial(rock_bounds, n, k),
    )


PROBLEMS = {
    "tiger": BenchmarkProblem(
        "Tiger", "Listen, or open one of two doors: a tiger is behind one.", tiger_pomdp
    ),
    "hallway": BenchmarkProblem(
        "Hallway",
        "To the goal of a hallway, by walls that are seen with errors.",
        hallway_pomdp,
        words=hallway_in_words,
    ),
    "tag": BenchmarkProblem(
        "Tag", "Catch somebody who flees and is seen only when met.", tag_pomdp, words=tag_in_words
    ),
    "rocksample-4-4": _rocks(4, 4),
    "rocksample-7-8": _rocks(7, 8),
    "light-dark": BenchmarkProblem(
        "Light-dark", "A walk in the dark, and a light to see where one is.", light_dark_pomdp
    ),
    "twenty-questions": BenchmarkProblem(
        "Twenty questions", "Which of 16 objects is meant, by answers that err.", twenty_questions_pomdp
    ),
    "dosing": BenchmarkProblem(
        "Dosing",
        "A drug that each patient clears at a rate of their own.",
        dosing_pomdp,
        words=dosing_in_words,
    ),
    "bandit": BenchmarkProblem("Bandit", "Three arms with unknown chances of success.", bandit_pomdp),
}
"""Those that are laid out."""
DRAWN: dict[str, Callable[[], DrawnPomdp]] = {
    "rocksample-11-11": partial(drawn_rocksample, 11, 11),
    "rocksample-15-15": partial(drawn_rocksample, 15, 15),
    "battleship": battleship,
}
"""Those that are drawn from, as they have too many states."""
SUMMARIES = {name: one.summary for name, one in PROBLEMS.items()} | dict.fromkeys(
    DRAWN, "By draws, which pomcp and despot plan for."
)
"""What the problems are about, by name."""


def problem_of(name: str) -> BenchmarkProblem | DrawnPomdp | SampledPomdp:
    """Return a problem: of ours by its name, or of a file, which is run if it is Python.

    A file is a .pomdp or .pomdpx file, or FILE.py:NAME, a POMDP, a DrawnPomdp, a SampledPomdp, or a function
    that returns one. Raises SleuthError.
    """
    if name.endswith(MODELS):
        return BenchmarkProblem(name, "", partial(read_model, name))
    if names_a_file(name.partition("(")[0].strip()):
        made = _of_file(name)
        return BenchmarkProblem(name, "", lambda: made) if isinstance(made, POMDP) else made
    if name in DRAWN:
        return DRAWN[name]()
    if name not in PROBLEMS:
        raise unknown_name(_FILES.kind, name, SUMMARIES)
    return PROBLEMS[name]


def is_drawn(problem: object) -> TypeGuard[DrawnPomdp | SampledPomdp]:
    """Say whether the states of a POMDP are drawn, by kernels or by Python, and not laid out."""
    return isinstance(problem, DrawnPomdp) or is_sampled_pomdp(problem)


def bounds_of(problem: str) -> StatedBounds | None:
    """Return what works out bounds of the optimal value from what is known of a problem, if there is such."""
    posed = problem_of(problem)
    return posed.bounds if isinstance(posed, BenchmarkProblem | DrawnPomdp) else None


def laid_out(problem: POMDP | DrawnPomdp | SampledPomdp | str) -> POMDP:
    """Return a POMDP whose states are laid out, by its name as problem_of takes it, or as it is.

    Raises SleuthError.
    """
    given = problem_of(problem) if isinstance(problem, str) else problem
    pomdp = given.make() if isinstance(given, BenchmarkProblem) else given
    if is_drawn(pomdp):
        raise SleuthError("a POMDP that is laid out is needed here; the states of this one are drawn")
    check_pomdp(pomdp)
    assert isinstance(pomdp, POMDP)
    return pomdp


def _of_file(name: str) -> POMDP | DrawnPomdp | SampledPomdp:
    made: POMDP | DrawnPomdp | SampledPomdp = from_text(_FILES, name, files=True)
    if is_sampled_pomdp(made):
        check_sampled_pomdp(made)
    elif not isinstance(made, POMDP | DrawnPomdp):
        raise SleuthError(
            f"{name} is no POMDP but of type {type(made).__name__}; POMDP.of_arrays and pomdp_of_functions"
            " make one, SampledPomdp one that is drawn from, and pomdp_of_control(problem).pomdp is one of a"
            " problem of adaptive control"
        )
    return made

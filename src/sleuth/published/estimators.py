"""Value against policy estimators as predictors of Action Value Tree Search, at equal processor time.

Tyl (2024) builds his search on an estimator of action values, doubts that a policy network does as well, and
leaves the comparison open. It has no figures in print.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from statistics import median
from typing import NamedTuple

from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.planning.samplers import sampler_of
from sleuth.planning.tree_search import TreeSearch
from sleuth.processes.mdp import GuessingMDP, Predictor
from sleuth.published.chart import Chart, Series
from sleuth.published.steps import Steps
from sleuth.published.table import Cell, Column, Row, Table

BUDGETS = (1.0, 3.0, 10.0, 30.0)
"""Seconds of processor time after which the best strategy found is looked at."""
_SEEDS = 3
_LISTS = {"original": 7920, "nyt": 11219}
"""Lists of words, and the fewest guesses for all of their answers."""


@dataclass(frozen=True)
class Way:
    """A way to estimate actions and to pick those that are simulated."""

    name: str
    predictor: Predictor
    sampler: str = "thompson"


WAYS = (
    Way("value: entropic", "entropic"),
    Way("value: rollout of information gain", "rollout"),
    Way("value: network", "learned"),
    Way("policy: network", "policy"),
    Way("policy: network, PUCT", "policy", "puct"),
)


class Moment(NamedTuple):
    """How far a search had come: processor time, the total of the best strategy found, iterations, states."""

    seconds: float
    total: float
    iterations: int
    states: int


def search(game: Game, way: Way, seed: int, seconds: float, optimum: int) -> list[Moment]:
    """Search until the optimum is found, or for so many seconds of processor time, of all threads.

    Returns what was found after each iteration. optimum: the total below which there is none.

    What the search needs to know of the game is made before the clock starts, but nothing of its estimates:
    the game must be one that nobody has searched before, since rollout remembers what it played.
    """
    mdp = GuessingMDP(Position.start(game), way.predictor)
    searched = TreeSearch(mdp, sampler_of(way.sampler), seed, deep=True)
    moments: list[Moment] = []
    began = time.process_time()
    while not moments or (moments[-1].seconds < seconds and moments[-1].total > optimum):
        found = searched.run(1)
        total = inf if found.value == -inf else float(mdp.total(found.value))
        moments.append(Moment(time.process_time() - began, total, found.iterations, found.states))
    return moments


def at(moments: list[Moment], seconds: float) -> Moment:
    """Return the last moment within so many seconds; before the first one nothing was found."""
    within = [moment for moment in moments if moment.seconds <= seconds]
    return within[-1] if within else Moment(0.0, inf, 0, 0)


def run(steps: Steps) -> Table:
    """Search both lists in every way, one after another. Some minutes of one core.

    Processor time counts, so that other work on the machine does not; with SLEUTH_THREADS=1 it is that of one
    thread.
    """
    steps.total = len(_LISTS) * len(WAYS) * _SEEDS
    small = wordle(wordle("original").answers[::40])
    for way in WAYS:  # kernels and weights are loaded before anything is timed
        search(small, way, 0, 0.5, 0)
    runs: dict[tuple[str, Way], list[list[Moment]]] = {}
    return steps.table(_rows(steps, runs), lambda rows: table(rows, runs))


def _rows(steps: Steps, runs: dict[tuple[str, Way], list[list[Moment]]]) -> Iterator[Row]:
    """Make the rows, and fill in what they are of: for each list and way the moments of each seed."""

    def searched(words: str, way: Way, seed: int) -> list[Moment]:
        game = wordle(words)
        game.tables  # noqa: B018
        return search(game, way, seed, BUDGETS[-1], _LISTS[words])

    for words in _LISTS:
        for way in WAYS:
            found = [
                steps.take(
                    f"{words}, {way.name}, seed {seed}",
                    partial(searched, words, way, seed),
                )
                for seed in range(_SEEDS)
            ]
            runs[words, way] = [[Moment(*moment) for moment in moments] for moments in found]
            yield Row((words, way.name), tuple(_cells(runs[words, way])))


def table(rows: tuple[Row, ...], runs: Mapping[tuple[str, Way], list[list[Moment]]]) -> Table:
    """Return the table of rows and the runs that they are of."""
    columns = (
        *(
            Column(
                f"total_{seconds:g}", f"Guesses of the best strategy after {seconds:g} s of processor time", 0
            )
            for seconds in BUDGETS
        ),
        Column("worst", f"The same after {BUDGETS[-1]:g} s, the worst of the seeds", 0),
        Column("seconds", f"Seconds until the optimum, or {BUDGETS[-1]:g}", 1),
        Column("iterations", "Iterations in this time", 0),
        Column("states", "States in this time", 0),
    )
    optima = ", ".join(f"{total} on {words}" for words, total in _LISTS.items())
    notes = (
        f"Clean conditions; nothing is in print. Medians of {_SEEDS} seeds. The optima are {optima}. Seconds"
        " are those of processor time. Kernels are compiled, and the bounds of the game are laid out, before"
        " the clock starts; what the estimates need is not.",
        "Value estimators say what a guess takes; the policy network says how likely it is to be taken, and a"
        " guess is worth the logarithm of that. PUCT explores by the policy itself, as AlphaGo does.",
    )
    title = "value against policy estimators in Action Value Tree Search"
    charts = tuple(
        _chart(words, {way: found for (of, way), found in runs.items() if of == words})
        for words in dict.fromkeys(words for words, _ in runs)
    )
    return Table("estimators", title, ("words", "predictor"), columns, rows, notes, charts)


def _cells(found: list[list[Moment]]) -> Iterable[Cell]:
    for seconds in BUDGETS:
        yield _cell(median(at(moments, seconds).total for moments in found))
    ends = [at(moments, BUDGETS[-1]) for moments in found]
    yield _cell(max(end.total for end in ends))
    yield _cell(median(min(moments[-1].seconds, BUDGETS[-1]) for moments in found))
    yield _cell(median(end.iterations for end in ends))
    yield _cell(median(end.states for end in ends))


def _cell(value: float) -> Cell:
    return Cell(None, None, float(value) if value < inf else None)


def _chart(words: str, runs: dict[Way, list[list[Moment]]]) -> Chart:
    """Return what each way had found after how long, the median of the seeds."""
    answers, series = len(wordle(words).answers), []
    for way, found in runs.items():
        times = sorted({moment.seconds for moments in found for moment in moments})
        totals = [median(at(moments, seconds).total for moments in found) for seconds in times]
        known = [(x, y / answers) for x, y in zip(times, totals, strict=True) if y < inf]
        series.append(Series(way.name, tuple(x for x, _ in known), tuple(y for _, y in known), "steps"))
    return Chart(
        f"estimators in Action Value Tree Search, {words} lists",
        "seconds of processor time",
        "mean guesses of the best strategy found",
        tuple(series),
        (("optimum", _LISTS[words] / answers),),
        logarithmic=True,
    )

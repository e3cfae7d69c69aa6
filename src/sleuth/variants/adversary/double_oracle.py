"""The equilibrium of guesser and host: how hard the answers can be chosen, and how well that is met.

The host picks a distribution over the answers, the guesser one over strategies; the payoff is the expected
number of guesses, without a limit of turns. Double oracle: the best mixture of the strategies found so far
has a worst answer, which bounds the value from above, and a distribution that holds it there; the least mean
under a distribution bounds the value from below, and the strategies that come near it join the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from sleuth.exact.beam import Beam
from sleuth.exact.proving import prove
from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.strategies.heuristics import InformationGain
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.parallel import PIECES, map_threads, thread_count
from sleuth.support.progress import Progress
from sleuth.support.ranges import check_seconds
from sleuth.support.tabled import Tabled
from sleuth.trees.growing import MAX_DEPTH
from sleuth.trees.tree import DecisionTree
from sleuth.variants.adversary.mixture import Mixture, Solution, Weights

# Games of so many answers times guesses are solved exactly in every round.
_SMALL = 200_000
# The next distribution asked for lies so far from an earlier one toward the mixture's, which jump, each to
# where little is known yet: between them the guesser's least mean is greater.
_STEP = 0.3
# In larger ones so many openers are searched in a round, each by a beam of this width (exact/beam.py),
_OPENERS, _WIDTH, _LOOKED = 24, 2, 4
# more of them and more widely once the bounds are within so many gaps,
_NEAR = 4
# and so many times as many and as widely before the bounds are believed.
_SURE = 4
# Openers are looked at with so many second guesses, the ones that the strategies make most.
_SECONDS, _CANDIDATES = 40, 6
# All of them once; then so many of the best in every round, and of all one in so many.
_WATCHED, _IN_TURN = 1500, 8
_NONE = "some answers cannot be told apart, so no strategy finds them all"


@dataclass(frozen=True)
class Round(Progress):
    """How far a run has come: rounds of double oracle done, and the bounds of the value (see Equilibrium)."""

    lower: float = 0.0
    upper: float = 0.0


@dataclass(frozen=True, eq=False)
class Equilibrium(Tabled):
    """Distributions of host and guesser from which neither gains more than the gap.

    Attributes:
        game: the game; its prior and its limit of turns play no part.
        lower: the best strategy known takes so many guesses on average against `host`.
        proved: whether no strategy takes fewer; else none was found.
        upper: no answer takes the guesser's mixture more guesses on average.
        host: float64 [answers], the distribution over answers.
        mixture, solution: the strategies, and how the guesser mixes them.
        iterations: rounds of double oracle.
        seconds: how long it took.
        interrupted: whether it was stopped.

    """

    game: Game
    lower: float
    proved: bool
    upper: float
    host: Weights
    mixture: Mixture
    solution: Solution
    iterations: int
    seconds: float
    interrupted: bool

    @property
    def value(self) -> float:
        """The middle of the two bounds."""
        return (self.lower + self.upper) / 2

    def hardest(self, limit: int = 20) -> list[tuple[str, float]]:
        """Return the answers that the host picks most often, with their probabilities."""
        order = np.argsort(-self.host, kind="stable")[:limit]
        return [(self.game.answers[a], float(self.host[a])) for a in order if self.host[a] > 0]

    def openers(self, limit: int = 20) -> list[tuple[str, float]]:
        """Return the guesser's likeliest first guesses, with their probabilities."""
        return [pair for pair in self.mixture.openers(self.solution)[:limit] if pair[1] > 0]

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each answer, in the order of the game: how likely the host chooses it."""
        words = self.game.answers
        return [{"answer": a, "probability": p} for a, p in zip(words, self.host.tolist(), strict=True)]

    def to_json(self) -> dict[str, Any]:
        """Return the equilibrium as plain values."""
        return {
            "game": self.game.name,
            "mode": self.game.mode,
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "proved": self.proved,
            "iterations": self.iterations,
            "hardest": [{"answer": word, "probability": p} for word, p in self.hardest()],
            "openers": [{"guess": word, "probability": p} for word, p in self.openers()],
            "seconds": round(self.seconds, 3),
            "interrupted": self.interrupted,
        }


def equilibrium(
    game: Game,
    gap: float = 0.01,
    seconds: float | None = None,
    progress: Callable[[Round], None] | None = None,
) -> Equilibrium:
    """Find distributions whose bounds are at most `gap` guesses apart, or as near as the time allows.

    seconds: when to end, after the round under way. progress: called after every round. Raises SleuthError
    for a gap that is not positive, where some answers cannot be told apart, and without scipy; on Ctrl-C
    Interrupted, whose `known` is the Equilibrium so far, if a strategy was found.
    """
    if not gap > 0:
        raise SleuthError(f"a gap must be positive, not {gap}")
    check_seconds(seconds)
    run = _Run(game, gap, seconds, progress)
    interrupted = False
    try:
        run.play()
    except KeyboardInterrupt:
        if run.solution is None:
            raise
        interrupted = True
    if run.solution is None:
        raise SleuthError("the time was up before a strategy was found")
    found = Equilibrium(
        game,
        run.lower,
        run.small,
        run.solution.upper,
        run.host,
        run.mixture,
        run.solution,
        run.iterations,
        time.perf_counter() - run.began,
        interrupted,
    )
    if interrupted:
        raise Interrupted(found)
    return found


class _Run:
    """One double oracle under way."""

    def __init__(
        self, game: Game, gap: float, seconds: float | None, progress: Callable[[Round], None] | None
    ) -> None:
        answers = len(game.answers)
        self.game = replace(game, max_turns=min(MAX_DEPTH, max(answers, game.max_turns)))
        self.gap = gap
        self.progress = progress
        self.began = time.perf_counter()
        self.seconds = inf if seconds is None else seconds
        self.mixture = Mixture(self.game)
        self.solution: Solution | None = None
        self.host: Weights = np.full(answers, 1 / answers)
        self.lower = 0.0
        self.iterations = 0
        self.estimates: Weights = np.zeros(0)
        self.small = answers * len(game.guesses) <= _SMALL

    @property
    def open(self) -> bool:
        """Whether the bounds are further apart than is asked for."""
        return self.solution is None or self.solution.upper - self.lower > self.gap

    def play(self) -> None:
        """Go round until the gap is closed or the time is up."""
        asked, step = self.host, _STEP
        while True:
            new = self.prove(asked) if self.small else self.search(asked, self.effort)
            solution = self.solved()
            if not (self.open or self.small or self.late):
                new += self.search(self.host, _SURE)
                solution = self.solved()
            if not self.open or self.late:
                return
            if not new and step == 1.0:
                raise SleuthError(f"the bounds do not come within {self.gap} guesses: they are rounded")
            # Where a step brings nothing new, the mixture's own distribution is asked for.
            step = _STEP if new else 1.0
            # What is proven shows which distribution is the best so far; what is searched shows too little.
            asked = (1 - step) * (self.host if self.small else asked) + step * solution.host

    @property
    def effort(self) -> int:
        """How hard to search for best responses: the harder the nearer the bounds are."""
        apart = inf if self.solution is None else max(self.solution.upper - self.lower, self.gap)
        return min(_SURE, max(1, int(_NEAR * self.gap / apart)))

    def prove(self, host: Weights) -> int:
        """Add the best strategy against a distribution, proven; return how much of it is new."""
        proof = prove(self.game.with_prior(host))
        if proof.tree is None or proof.mean is None:
            raise SleuthError(_NONE)
        if proof.mean > self.lower:
            self.lower, self.host = proof.mean, host
        return self.mixture.add(proof.tree)

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return time.perf_counter() - self.began >= self.seconds

    def solved(self) -> Solution:
        """End a round: mix what is known."""
        self.iterations += 1
        # While the bounds are far apart, the best mixture need not be known better.
        far = 0.0 if self.solution is None else self.solution.upper - self.lower
        self.solution = solution = self.mixture.solve(max(self.gap / 4, far / 8))
        if self.progress is not None:
            lower, upper = self.lower, solution.upper
            remark = f"round {self.iterations}: {lower:.4f} to {upper:.4f} guesses"
            self.progress(Round(self.iterations, 0, remark, lower, upper))
        return solution

    def search(self, host: Weights, effort: int) -> int:
        """Add the best strategies that searches find against a distribution; return how much of them is new.

        The distribution with the greatest least mean is kept; what is added may lower that of the one kept.
        """
        game = self.game.with_prior(host)
        beam = Beam(_WIDTH * effort, _LOOKED * effort)
        start = Frontier.of(Position.start(game))
        openers = self.promising(start, effort * _OPENERS)
        after = start.take(np.zeros(len(openers), np.int64)).after(openers)
        means = beam.weigh(after.frontier, 1)[1][:, 0]
        masses = np.maximum(after.frontier.weights, np.finfo(float).tiny)
        below = np.bincount(after.parent, means * masses, len(openers))
        costs = 1 + below / len(game.answers)
        if not np.any(costs < inf):
            raise SleuthError(_NONE)
        known = inf if self.solution is None else self.mixture.least(host)
        before = len(self.mixture)
        for place in np.argsort(costs, kind="stable").tolist():
            # Later states of a strategy may be new even where as a whole it is no better than what is known.
            if costs[place] < known + self.gap:
                self.mixture.add(DecisionTree.build(beam, game, game.guesses[openers[place]]))
        self.lower = min(self.lower, self.mixture.least(self.host))
        least = self.mixture.least(host)
        if least > self.lower or host is self.host:
            self.lower, self.host = least, host
        return len(self.mixture) - before

    def promising(self, start: Frontier, count: int) -> Indices:
        """Return openers to be searched against the prior of a game, int32, by several estimates."""
        game = start.game
        by_information: Indices = InformationGain().best(start, count)[0]
        by_information = by_information[by_information >= 0]
        if self.solution is None:
            return by_information
        from sleuth.kernels.estimates import two_guesses

        # The host makes hard what is known, so what one guess tells misleads: two are looked at.
        everything = np.arange(len(game.guesses), dtype=np.int32)
        uses = np.bincount(self.mixture.guesses, minlength=len(everything))
        seconds = np.argsort(-uses, kind="stable")[:_SECONDS].astype(np.int32)
        due = everything
        if len(self.estimates):  # the best of before, and some of the others in turn
            best = np.argsort(self.estimates, kind="stable")[:_WATCHED].astype(np.int32)
            due = np.union1d(best, everything[self.iterations % _IN_TURN :: _IN_TURN])
        else:
            self.estimates = np.empty(len(everything))
        self.estimates[due] = np.concatenate(
            map_threads(
                lambda part: two_guesses(
                    game.tables, game.solved_label, part, seconds, _CANDIDATES, game.prior
                ),
                np.array_split(due, PIECES * thread_count()),
            )
        )
        by_two = np.argsort(self.estimates, kind="stable")
        rng = np.random.default_rng(self.iterations)
        part = count // 4
        some = rng.permutation(by_two[: max(count, len(by_two) // 4)])[:part]
        chosen = [*by_two[: 2 * part - part // 2].tolist(), *self.mixture.best(game.prior)[:part]]
        chosen = list(dict.fromkeys([*chosen, *by_information[:part].tolist(), *some.tolist()]))
        return np.array(chosen[:count], np.int32)

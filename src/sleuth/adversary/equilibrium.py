"""The equilibrium of guesser and host: how hard the answers can be chosen, and how well that is met.

The host picks a distribution over the answers, the guesser one over strategies; the payoff is the expected
number of guesses, without a limit of turns. Double oracle: a linear program finds the best mixture of the
strategies found so far, whose worst answer bounds the value from above, and with it a distribution (its
dual); the least mean under a distribution bounds the value from below, and the strategies that reach it
join the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Any, cast

import numpy as np

from sleuth.adversary.mixture import Mixture, Solution, Weights
from sleuth.errors import SleuthError
from sleuth.games.game import Game
from sleuth.planning.avts import TreeSearch
from sleuth.position import Position
from sleuth.proof.prove import Proof, prove
from sleuth.strategies.avts import AvtsPlayer
from sleuth.strategies.guessing import GuessingMDP
from sleuth.tree import MAX_DEPTH, DecisionTree

# Games of so many answers times guesses are solved exactly in every round.
_SMALL = 200_000
# Where the next distribution is asked for: so far from the best one toward the program's own, which jumps.
_STEP = 0.3
# Openers that a search simulates, and how many of them give a strategy.
_SIMULATED, _TAKEN = 12, 6
_NONE = "some answers cannot be told apart, so no strategy finds them all"


@dataclass(frozen=True)
class Round:
    """How far a run has come: the value lies between lower and upper.

    Attributes:
        iterations: rounds of double oracle.
        lower, upper: what is proven; lower is 0 until the first proof.
        estimate: about what the best distribution so far would prove.

    """

    iterations: int
    lower: float
    upper: float
    estimate: float


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """Distributions of host and guesser from which neither gains more than the gap.

    Attributes:
        game: the game; its prior and its limit of turns play no part.
        lower: no guesser expects fewer guesses against `host` (proven).
        upper: no answer takes the guesser's mixture more guesses on average.
        host: float64 [answers], the distribution over answers.
        mixture, solution: the strategies, and how the guesser mixes them.
        iterations: rounds of double oracle.
        seconds: how long it took.
        interrupted: whether it was stopped.

    """

    game: Game
    lower: float
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

    def to_json(self) -> dict[str, Any]:
        """Return the equilibrium as plain values."""
        return {
            "game": self.game.name,
            "mode": self.game.mode,
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
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

    seconds: when to end; the proof of the lower bound is begun before, and finished. progress: called after
    every round. Ctrl-C ends the search with what is known. Raises SleuthError for a gap that is not positive,
    where some answers cannot be told apart, and without scipy.
    """
    if not gap > 0:
        raise SleuthError(f"a gap must be positive, not {gap}")
    run = _Run(game, gap, seconds, progress)
    interrupted = False
    try:
        run.play()
    except KeyboardInterrupt:
        interrupted = True
    if run.solution is None:
        raise SleuthError("stopped before a strategy was found")
    solution = run.solution
    spent = time.perf_counter() - run.began
    return Equilibrium(
        game,
        run.lower,
        solution.upper,
        run.host,
        run.mixture,
        solution,
        run.iterations,
        spent,
        interrupted,
    )


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
        self.exact = answers * len(game.guesses) <= _SMALL
        self.proving = 60.0  # about how many seconds a proof takes

    def play(self) -> None:
        """Go round until the gap is closed or the time is up."""
        asked = best = self.host
        estimate = 0.0  # of the least mean under `best`
        step, exact = _STEP, self.exact
        while True:
            self.iterations += 1
            mean, new = self.solve(asked) if exact else self.search(asked)
            if mean > estimate:
                estimate, best = mean, asked
            self.solution = solution = self.mixture.solve()
            late = time.perf_counter() - self.began + (0 if self.exact else self.proving) >= self.seconds
            # What searches find is no less than the least: with some room a proof is worth its time.
            if self.lower < estimate and (late or solution.upper - estimate <= 0.9 * self.gap):
                estimate = self.proof(best, with_tree=False).mean or 0.0
            if self.progress is not None:
                self.progress(Round(self.iterations, self.lower, solution.upper, estimate))
            if solution.upper - self.lower <= self.gap or late:
                return
            if not new and step == 1.0 and exact:
                raise SleuthError(f"the linear program is not exact enough for a gap of {self.gap}")
            # Where a step brings nothing new, the program's own distribution is asked for, then exactly.
            exact = self.exact or (not new and step == 1.0)
            step = _STEP if new else 1.0
            asked = (1 - step) * best + step * solution.host

    def search(self, host: Weights) -> tuple[float, bool]:
        """Add the best strategies that a search finds against a distribution.

        Returns the least mean found, and whether any of the strategies is new.
        """
        game = self.game.with_prior(host)
        mdp = GuessingMDP(Position.start(game))
        search = TreeSearch(mdp, seed=self.iterations, deep=True)
        search.run(_SIMULATED)
        player = AvtsPlayer(mdp, search)
        found = sorted((edge for edge in search.tried if edge.achieved > -inf), key=lambda e: -e.achieved)
        if not found:
            raise SleuthError(_NONE)
        new = False
        for edge in found[:_TAKEN]:
            tree = DecisionTree.build(player, game, game.guesses[cast(int, edge.action)])
            new = self.mixture.add(tree) or new
        return -search.root.achieved, new

    def solve(self, host: Weights) -> tuple[float, bool]:
        """Add the best strategy against a distribution; return the least mean, and whether it is new."""
        proof = self.proof(host, with_tree=True)
        if proof.tree is None or proof.mean is None:
            raise SleuthError(_NONE)
        return proof.mean, self.mixture.add(proof.tree)

    def proof(self, host: Weights, *, with_tree: bool) -> Proof:
        """Find the least mean under a distribution, proven."""
        proof = prove(self.game.with_prior(host), with_tree=with_tree)
        self.proving = max(self.proving, proof.seconds)
        lower = proof.mean_of(proof.lower_bound)
        if lower is not None and lower > self.lower:
            self.lower, self.host = lower, host
        return proof

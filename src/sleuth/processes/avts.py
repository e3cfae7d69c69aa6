"""Action Value Tree Search for guessing games (Tyl 2024): a strategy, and an optimizer of whole games."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any, ClassVar

import numpy as np

from sleuth.exact.player import OptimalPlayer
from sleuth.exact.solver import Solver
from sleuth.exact.solvers import solver_of
from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion, describe
from sleuth.planning.samplers import sampler_of
from sleuth.planning.tree_search import EPSILON, Moment, Result, TreeSearch, check_run
from sleuth.processes.mdp import MEMORY, Bounds, GuessingMDP, Predictor
from sleuth.strategies.rollout import Rollout
from sleuth.support.errors import Interrupted, SleuthError, StrategyError
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_range, check_seed
from sleuth.trees.tree import DecisionTree


class AvtsPlayer:
    """Plays the best policy that a tree search has found; what the bounds had settled is played exactly."""

    name: ClassVar[str] = "avts"

    def __init__(self, mdp: GuessingMDP, search: TreeSearch) -> None:
        self.mdp = mdp
        self.search = search
        self._exact = OptimalPlayer(mdp.solver, mdp.position.turn, mdp.initial.turns)

    def choose(self, position: Position) -> int:
        """Return the guess that the search found best."""
        if len(position.candidates) > 1:
            guess = self.search.policy(self.mdp.spot(position))
            if guess is not None:
                return int(guess)
        return self._exact.choose(position)

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guess with its numbers."""
        return describe(position, np.array([self.choose(position)], np.int32))[:limit]


@dataclass(frozen=True)
class Avts:
    """Search from each position for so many iterations, and play the best guess found.

    Attributes:
        iterations: simulations a choice, fewer where the best is proven earlier.
        sampler: how the action to simulate is picked; see SAMPLERS.
        predictor: the base predictor: "entropic", "statistical", "rollout", "learned" or "policy".
        seed: of the sampler's draws.

    """

    iterations: int = 20
    sampler: str = "thompson"
    predictor: Predictor = "entropic"
    seed: int = 0
    name: ClassVar[str] = "avts"

    def __post_init__(self) -> None:
        check_range(self, "iterations", least=1, whole=True, error=StrategyError)
        check_seed(self.seed, StrategyError)
        sampler_of(self.sampler)

    def choose(self, position: Position) -> int:
        """Return the best guess found."""
        if len(position.candidates) == 1:
            return int(position.game.answer_guess[position.candidates[0]])
        if _weightless(position):
            return Rollout().choose(position)
        return self._searched(position).choose(position)

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the guesses that were simulated, best first, with what the strategies found after them take.

        That is exact where no strategy takes less; else it is shown with the least that one may take.
        """
        if len(position.candidates) == 1 or _weightless(position):
            return describe(position, np.array([self.choose(position)], np.int32))
        player = self._searched(position)
        best = player.choose(position)
        tried = sorted(
            (edge for edge in player.search.tried if edge.achieved > -inf),
            key=lambda edge: (-edge.achieved, edge.action != best),
        )[:limit]
        if not tried:
            return describe(position, np.array([best], np.int32))
        rows = describe(position, np.array([edge.action for edge in tried], np.int32))
        return [
            replace(
                row,
                expected_guesses=-edge.achieved,
                expected_by="exact" if edge.bound <= edge.achieved + EPSILON else "search",
                least=-edge.bound,
            )
            for row, edge in zip(rows, tried, strict=True)
        ]

    def _searched(self, position: Position) -> AvtsPlayer:
        from sleuth.kernels.search.records import UNLIMITED

        solver = solver_of("avts", position.game, MEMORY)
        turns = solver.turns_left(position)
        if turns:
            found = self._player(position, solver, turns)
            if found.search.root.achieved > -inf:
                return found
        # Not every answer can be found in time, or none is left: play goes on without a limit.
        return self._player(position, solver, int(UNLIMITED))

    def _player(self, position: Position, solver: Solver, turns: int) -> AvtsPlayer:
        mdp = GuessingMDP(position, self.predictor, solver, turns)
        search = TreeSearch(mdp, sampler_of(self.sampler), self.seed, deep=True)
        search.run(self.iterations)
        return AvtsPlayer(mdp, search)


def _weightless(position: Position) -> bool:
    """Return whether no candidate is possible under the prior, so that there is nothing to weigh."""
    return not solver_of("avts", position.game, MEMORY).weights[position.candidates].any()


@dataclass(frozen=True)
class Optimized:
    """The best strategy that a tree search found for a position.

    Attributes:
        position: where play begins.
        opener: its first guess, or "" where none reaches the end.
        total: guesses over all candidates, in the integer weights of the prior (their sum is scale), or None.
        estimate: the debiased estimate of the least total.
        lower_bound: no strategy has a smaller total; 0 where nothing is known, None where no strategy finds
            every answer in time.
        result: how the search went; values are means with the sign turned.
        tree: the strategy.

    """

    position: Position
    sampler: str
    seed: int
    opener: str
    total: int | None
    estimate: float
    lower_bound: int | None
    scale: int
    result: Result
    tree: DecisionTree | None

    @property
    def mean(self) -> float | None:
        """The expected number of guesses, or None."""
        return None if self.total is None else self.total / self.scale

    def to_json(self) -> dict[str, Any]:
        """Return what was found as plain values."""
        result = self.result
        return {
            "game": self.position.game.name,
            "mode": self.position.game.mode,
            "opener": self.opener,
            "total": self.total,
            "mean": self.mean,
            "worst": None if self.tree is None else self.tree.report().worst,
            "estimate": self.estimate,
            "lower_bound": self.lower_bound,
            "scale": self.scale,
            "proved": result.proved,
            "interrupted": result.interrupted,
            "iterations": result.iterations,
            "states": result.states,
            "seconds": round(result.seconds, 3),
            "target_reached": result.target_reached,
            "sampler": self.sampler,
            "seed": self.seed,
            "history": [
                {
                    "iterations": m.iterations,
                    "seconds": round(m.seconds, 3),
                    "total": round(-m.achieved * self.scale),
                }
                for m in result.history
                if m.achieved > -inf
            ],
        }


def _check_target(mdp: GuessingMDP, target: int) -> None:
    """Raise SleuthError for a total that nothing can reach."""
    candidates = mdp.position.candidates
    weights = mdp.solver.weights[candidates]
    # One answer is found by the first guess at most; an answer that no guess can name needs none of its own.
    named = (mdp.position.game.answer_guess[candidates] >= 0).all()
    least = int(2 * weights.sum() - weights.max()) if named else 1
    if target < least:
        raise SleuthError(
            f"the target must be {least} or more, not {target}: no strategy takes fewer guesses for all"
            f" {len(candidates)} answers"
        )


def optimize(
    position: Position,
    *,
    sampler: str = "thompson",
    predictor: Predictor = "entropic",
    bounds: Bounds = "exact",
    deep: bool = True,
    iterations: int | None = None,
    seconds: float | None = None,
    target: int | None = None,
    seed: int = 0,
    threads: int = 1,
    with_tree: bool = True,
    progress: Watch | None = None,
) -> Optimized:
    """Search for the best strategy from a position until one of the limits, or proof.

    bounds, deep: see GuessingMDP and TreeSearch; "none" and False are the search as Tyl (2024) has it, which
    proves nothing and has no end of its own. target: a total to reach. threads: simulations at a time; with
    one a run repeats exactly under its seed. progress: told of the iterations done. Raises SleuthError; on
    Ctrl-C Interrupted, whose `known` is what was found.
    """
    if bounds == "none" and iterations is None and seconds is None and target is None:
        raise SleuthError(
            "without bounds a search has no end of its own: give iterations, seconds or a target"
        )
    check_run(iterations, seconds, threads)
    picks = sampler_of(sampler)
    mdp = GuessingMDP(position, predictor, bounds=bounds)
    if target is not None:
        _check_target(mdp, target)
    search = TreeSearch(mdp, picks, seed, deep, closing=bounds == "exact")
    scale = mdp.initial.weight

    def report(moment: Moment) -> None:
        if progress is not None:
            best = search.root.best
            word = position.game.guesses[search.policy(mdp.initial)] if best is not None else ""
            total = round(-moment.achieved * scale) if moment.achieved > -inf else "no strategy yet"
            progress(Progress(moment.iterations, iterations or 0, f"{word} {total}, {moment.states} states"))

    limit = None if target is None else -target / scale
    try:
        result = search.run(iterations, seconds, limit, threads, report)
    except Interrupted as stop:
        result = stop.known
    found = result.value > -inf
    tree, total = None, round(-result.value * scale) if found else None
    if found and with_tree:
        where = None if position.turn == 1 else position
        tree = DecisionTree.build(AvtsPlayer(mdp, search), position.game, position=where)
        # Values are floating-point numbers, which hold 53 bits; weights may take more.
        total = int(tree.turns.astype(np.int64) @ mdp.solver.weights[position.candidates])
    bound = result.bound * scale
    optimized = Optimized(
        position,
        sampler,
        seed,
        position.game.guesses[result.action] if found else "",
        total,
        round(-result.estimate * scale, 6),
        None if bound == -inf else 0 if bound == inf else round(-bound),
        scale,
        result,
        tree,
    )
    if result.interrupted:
        raise Interrupted(optimized)
    return optimized

"""Exact play: the guess of a strategy that is proven optimal, within a time budget."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sleuth.exact.objective import Kind, Objective
from sleuth.exact.player import OptimalPlayer
from sleuth.exact.proof import Proof
from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.exact.solvers import searching
from sleuth.games.frontier import Frontier, Indices
from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion, describe
from sleuth.strategies.rollout import Rollout
from sleuth.support.errors import StrategyError
from sleuth.support.ranges import MOST_MEMORY, MOST_SECONDS, check_range

# Larger sets are solved guess by guess on all threads, smaller ones by one search.
_LARGE = 300
_MEGABYTE = 2**20


@dataclass(frozen=True)
class Exact:
    """Play optimally, and say so only where that is proven.

    A position that cannot be searched to the end in time is played by rollout. Where the objective asks for
    every answer within the turns and no strategy does that, the most answers within the turns are played
    for.

    Attributes:
        objective: what is made least; see exact/objective.py.
        seconds: how long one choice may take.
        memory: MiB for the table of bounds.

    """

    objective: Kind = "mean"
    seconds: float = 120.0
    memory: int = 512
    name: ClassVar[str] = "exact"

    def __post_init__(self) -> None:
        Objective(self.objective)
        # More than a timer takes is no use.
        check_range(self, "seconds", above=0, most=MOST_SECONDS, error=StrategyError)
        check_range(self, "memory", least=1, error=StrategyError)
        check_range(self, "memory", most=MOST_MEMORY, error=StrategyError)

    def choose(self, position: Position) -> int:
        """Return the guess of an optimal strategy, or rollout's where the time does not suffice."""
        if len(position.candidates) == 1:
            return int(position.game.answer_guess[position.candidates[0]])
        if len(position.candidates) > _LARGE:
            best = self.proof(position).opener
            return position.game.find(best) if best else Rollout().choose(position)
        with self._solving(position, self.seconds) as solver:
            guess = OptimalPlayer(solver, position.turn, solver.turns_left(position)).choose(position)
        return guess if guess >= 0 else Rollout().choose(position)

    def choose_all(self, frontier: Frontier) -> Indices:
        """Return the guess of every set, int32 [sets]."""
        return np.array([self.choose(position) for position in frontier.positions()], np.int32)

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guesses, best first, with what they cost exactly.

        Where the time did not suffice, the guesses that are not known exactly come last, by what rollout
        makes of them, with the least that they may cost.
        """
        first = self.choose(position)
        if len(position.candidates) == 1:
            return describe(position, np.array([first], np.int32))
        if len(position.candidates) > _LARGE:
            return _of_proof(self.proof(position, limit), limit, first)
        with self._solving(position, self.seconds) as solver:
            scale = int(solver.weights[position.candidates].sum())
            best = solver.best(position, limit)
            complete = not solver.stopped
            # Of the objective "solved" what is shown is the mean: the order says which fail least.
            unit = solver.leftover if self.objective == "solved" else None
        if not best and complete and self.objective != "solved":
            return replace(self, objective="solved").rank(position, limit)
        totals = [(bound.lower % unit if unit else bound.lower, bound.guess) for bound in best]
        return _exact(position, totals, scale, limit, first)

    def proof(self, position: Position, top: int = 1) -> Proof:
        """Return what is known of the best guesses of a position when the time is up, or before."""
        with self._solving(position, None) as solver:
            proof = prove(position, solver=solver, top=top, seconds=self.seconds, with_tree=False)
        if proof.opener or not proof.proved or self.objective == "solved":
            return proof
        return replace(self, objective="solved").proof(position, top)

    def _solving(self, position: Position, seconds: float | None) -> AbstractContextManager[Solver]:
        """Lend the solver of a game until the time is up, if there is a limit."""
        objective = Objective(self.objective)
        return searching(self.name, position, self.memory * _MEGABYTE, objective, seconds)


def _exact(
    position: Position, totals: list[tuple[int, int]], scale: int, limit: int, first: int
) -> list[Suggestion]:
    """Return guesses with their exact totals, best first, as suggestions; `first`, one of the best, leads."""
    if totals:
        totals = [(totals[0][0], first), *(pair for pair in totals if pair[1] != first)]
    ordered = totals[:limit]
    rows = describe(position, np.array([guess for _, guess in ordered], np.int32))
    means = [total / scale if scale else 0.0 for total, _ in ordered]
    return [
        replace(row, expected_guesses=mean, expected_by="exact", least=mean)
        for row, mean in zip(rows, means, strict=True)
    ]


def _of_proof(proof: Proof, limit: int, first: int) -> list[Suggestion]:
    """Return the guesses of a proof as suggestions, those that are not known exactly last."""
    position, game = proof.position, proof.position.game
    exact = [(total, game.find(guess)) for guess, total in proof.top]
    found = _exact(position, exact, proof.scale, limit, first) if exact else []
    open_ = proof.open[: limit - len(found)]
    guesses = np.array([guess for guess, _ in open_], np.int32)
    if proof.interrupted and len(guesses):
        frontier = Frontier.of(position).take(np.zeros(len(guesses), np.int64))
        costs = Rollout().q_factors(frontier, guesses) / frontier.weights
        rest = [
            replace(row, expected_guesses=float(cost), expected_by="rollout", least=proof.mean_of(least))
            for row, (_, least), cost in zip(describe(position, guesses), open_, costs, strict=True)
        ]
        found += sorted(rest, key=lambda row: row.expected_guesses)
    return found

"""Exact play: the guess of a strategy that is proven optimal, within a time budget."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sleuth.exact.alike import alike
from sleuth.exact.objective import Kind, Objective
from sleuth.exact.player import OptimalPlayer
from sleuth.exact.proof import Proof
from sleuth.exact.proving import prove
from sleuth.exact.solver import Solver
from sleuth.exact.solvers import searching
from sleuth.games.frontier import Frontier, Indices
from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion, describe
from sleuth.kernels.compiling import seconds_worked
from sleuth.strategies.rollout import Rollout
from sleuth.support.errors import StrategyError
from sleuth.support.ranges import MOST_MEMORY, MOST_SECONDS, check_range

# Larger sets are solved guess by guess on all threads, smaller ones by one search.
_LARGE = 300
_MEGABYTE = 2**20
_LEAST_SECONDS = 1e-3


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
            guess = _optimal(solver, position)
        return guess if guess >= 0 else Rollout().choose(position)

    def choose_all(self, frontier: Frontier) -> Indices:
        """Return the guess of every set, int32 [sets]."""
        return np.array([self.choose(position) for position in frontier.positions()], np.int32)

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guesses, best first, with what they cost exactly.

        Where the time did not suffice, the guesses that are not known exactly come last, by what rollout
        makes of them, with the least that they may cost.
        """
        if len(position.candidates) == 1:
            return _exact(position, [(1, self.choose(position))], 1, 1)
        if len(position.candidates) > _LARGE:
            return _of_proof(self.proof(position, limit), limit, self.choose(position))
        # Of the objective "solved" what is shown is the mean: the order says which fail least.
        failures = self.objective == "solved"
        begun = seconds_worked()
        with self._solving(position, self.seconds) as solver:
            first = _optimal(solver, position)
            scale = int(solver.weights[position.candidates].sum())
            best = solver.best(position, limit)
            if solver.stopped and first >= 0:
                best = [solver.bound(position), *(bound for bound in best if bound.guess != first)]
            totals = [(b.lower % solver.leftover if failures else b.lower, b.guess) for b in best]
            complete = not solver.stopped
            if complete and position.game.mode == "easy" and solver.turns_left(position) > 1:
                totals = _with_alike(position, totals, solver.weights, limit)
            open_ = [] if complete else _open_guesses(solver, position)
        if complete and not best and not failures:
            left = max(_LEAST_SECONDS, self.seconds - (seconds_worked() - begun))
            return replace(self, objective="solved", seconds=left).rank(position, limit)
        if complete:
            return _exact(position, totals, scale, limit, first)
        known = {guess for _, guess in totals}
        unit = 0 if failures else scale
        rest = [(guess, least / unit if unit else None) for guess, least in open_ if guess not in known]
        found = _exact(position, totals, scale, limit) + _by_rollout(position, rest[:limit])
        if first < 0:
            found.sort(key=lambda row: row.expected_guesses)
        return found[:limit]

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


def _optimal(solver: Solver, position: Position) -> int:
    """Return an optimal guess, or -1 where none is known in time."""
    guess = OptimalPlayer(solver, position.turn, solver.turns_left(position)).choose(position)
    return -1 if solver.stopped else guess


def _open_guesses(solver: Solver, position: Position) -> list[tuple[int, int]]:
    """Return guesses and what each costs at least, the most promising first."""
    guesses, bounds = solver.first_bounds(position, solver.turns_left(position))
    order = np.argsort(bounds, kind="stable")
    return list(zip(guesses[order].tolist(), bounds[order].tolist(), strict=True))


def _with_alike(
    position: Position, totals: list[tuple[int, int]], weights: NDArray[np.int64], limit: int
) -> list[tuple[int, int]]:
    """Return the best guesses with those that split the candidates alike, and the totals of all."""
    found = []
    for total, guess in totals:
        answer = int(position.game.guess_answer[guess])
        own = int(weights[answer]) if answer in position.candidates else 0
        found.append((total, guess))
        found += [(total + own, other) for other in alike(position, guess).tolist()]
    return sorted(found, key=lambda pair: pair[0])[:limit]


def _exact(
    position: Position, totals: list[tuple[int, int]], scale: int, limit: int, first: int = -1
) -> list[Suggestion]:
    """Return guesses with their exact totals, best first, as suggestions.

    first: one of the best, which leads; -1 for the first of them.
    """
    if totals and first >= 0:
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
    if proof.interrupted:
        rest = [(guess, proof.mean_of(least)) for guess, least in proof.open]
        found += _by_rollout(position, rest[: limit - len(found)])
    return found


def _by_rollout(position: Position, guesses: list[tuple[int, float | None]]) -> list[Suggestion]:
    """Return guesses by what rollout makes of them, best first. guesses: with what each costs at least."""
    if not guesses:
        return []
    chosen = np.array([guess for guess, _ in guesses], np.int32)
    frontier = Frontier.of(position).take(np.zeros(len(chosen), np.int64))
    costs = Rollout().q_factors(frontier, chosen) / frontier.weights
    rows = [
        replace(row, expected_guesses=float(cost), expected_by="rollout", least=least)
        for row, (_, least), cost in zip(describe(position, chosen), guesses, costs, strict=True)
    ]
    return sorted(rows, key=lambda row: row.expected_guesses)

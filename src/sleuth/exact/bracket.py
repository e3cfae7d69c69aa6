"""Both bounds of the best play, where a proof takes too long: a scan from below, a beam from above."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sleuth.exact.beam import Beam
from sleuth.exact.cores import TURNS
from sleuth.exact.most_found import MostFound, lost_after, promising
from sleuth.exact.objective import Objective, Value
from sleuth.exact.proof import IMPOSSIBLE, Proof
from sleuth.exact.proving import openers_of
from sleuth.exact.solver import Solver
from sleuth.games.frontier import Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.support.errors import SleuthError
from sleuth.support.parallel import map_threads, new_stop, thread_count
from sleuth.support.progress import Progress
from sleuth.trees.evaluation import evaluate
from sleuth.trees.tree import DecisionTree

_BATCH = 16
_AT_ONCE = 8
# Guesses followed in a set where some answer is lost whatever is done.
_WIDTH = 256
# Within so many turns all are followed.
_ALL_FOLLOWED = 3


@dataclass(frozen=True)
class Bracket:
    """What is known of the best play in a game.

    Attributes:
        at_least: no strategy has a lower value; None where none finds every answer within the turns.
        at_most: what a strategy that was found comes to; None where none was found.
        opener: the first guess of that strategy, or None.
        worst: the most guesses that it takes, or None where that is not known.
        scale: the sum of the answers' weights, by which totals are divided for means.

    """

    at_least: Value | None
    at_most: Value | None
    opener: str | None
    worst: int | None
    scale: int

    @property
    def closed(self) -> bool:
        """Whether the bounds meet: they are the optimum then, or there is no strategy at all."""
        return self.at_least == self.at_most


def bracket_of(proof: Proof) -> Bracket:
    """Return the bounds that a proof comes to, which meet where it is finished."""
    at_most = None if proof.total is None else _value(proof, proof.total, proof.failures)
    at_least = at_most
    if not proof.proved and proof.lower_bound < IMPOSSIBLE:
        at_least = _value(proof, proof.lower_bound, proof.lower_failures)
    return Bracket(at_least, at_most, proof.opener or None, proof.worst, proof.scale)


def _value(proof: Proof, total: int, failures: int | None) -> Value:
    match proof.objective.kind:
        case "worst":
            return proof.turns, total
        case "solved":
            return failures or 0, total
    return (total,)


def bracket(
    game: Game,
    objective: Objective | None = None,
    opener: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Bracket:
    """Return both bounds: by one scan of each class of every opener, and by what beam search finds.

    Under the objective "solved" what is lost within three turns is exact where every guess is legal and every
    answer a guess; within four, every class counts of which some answer must be lost (cores.py). Bounds do
    not depend on the number of threads. opener: for the strategies that begin with it. Raises SleuthError,
    also for a penalty, UnknownGuessError.

    >>> from sleuth.games.pegs import mastermind
    >>> found = bracket(mastermind(2, 3))
    >>> found.at_least, found.at_most
    ((21,), (21,))
    """
    objective = objective or Objective()
    if objective.penalty is not None:
        raise SleuthError("bounds are of objectives without a penalty")
    scan = _Scan(game, objective, opener, progress)
    if objective.kind != "worst":
        return scan.bracket(scan.least(game.max_turns), scan.good_strategy())
    # The fewest turns that the scan leaves possible, and the fewest in which beam search finds every answer.
    scanned = (scan.least(turns) for turns in range(1, game.max_turns + 1))
    at_least = next((least for least in scanned if least is not None), None)
    if at_least is None:
        return scan.bracket(None, None)
    for turns in range(at_least[0], game.max_turns):
        tree = evaluate(Beam(), replace(game, max_turns=turns), opener).tree
        if tree.turns.max() <= turns:
            return scan.bracket(at_least, tree)
    return scan.bracket(at_least, scan.good_strategy())


class _Scan:
    """The openers of a game, and values in the integer weights of its prior."""

    def __init__(
        self,
        game: Game,
        objective: Objective,
        opener: str | None,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.solver = Solver(game, objective)
        self.position = Position.start(game)
        self.opener = None if opener is None else game.find(opener)
        self.progress = progress

    def bracket(self, at_least: Value | None, tree: DecisionTree | None) -> Bracket:
        """Return a bracket of a bound and a strategy, if there is one that finds every answer in time."""
        at_most = None if tree is None else self.reached(tree)
        if tree is None or at_most is None:
            return Bracket(at_least, None, None, None, self.solver.scale)
        return Bracket(at_least, at_most, tree.opener, int(tree.turns.max()), self.solver.scale)

    def good_strategy(self) -> DecisionTree:
        """Return the strategy of beam search, or one that loses fewer answers if that does not find all."""
        game = self.position.game
        openers, _ = openers_of(self.solver, self.position, game.max_turns, self.opener)
        # Beam search of a whole game takes long, and symmetry often leaves one opener.
        opener = game.guesses[openers[0]] if len(openers) == 1 else None
        tree = evaluate(Beam(), game, opener).tree
        late = (tree.turns > game.max_turns).any()
        if game.mode != "easy" or not late:
            return tree
        width = len(game.guesses)
        if game.max_turns > _ALL_FOLLOWED:
            # As many ways are followed in all, however many turns there are.
            width = max(2, round(_WIDTH ** (1 / (game.max_turns - _ALL_FOLLOWED))))
            if opener is None:
                opener = game.guesses[promising(self.position, openers, self.solver.weights)[0]]
        other = evaluate(MostFound(width, trials=True), game, opener).tree
        return min(tree, other, key=self._lost_and_taken)

    def _lost_and_taken(self, tree: DecisionTree) -> tuple[int, int]:
        """Return the weight of the answers that a strategy does not find in time, and its total."""
        weights, late = self.solver.weights, tree.turns > self.position.game.max_turns
        return int(weights[late].sum()), int((weights * tree.turns).sum())

    def reached(self, tree: DecisionTree) -> Value | None:
        """Return what a strategy comes to, None where it has to find every answer in time and does not."""
        lost, total = self._lost_and_taken(tree)
        if self.solver.objective.kind == "solved":
            return lost, total
        if lost:
            return None
        return (int(tree.turns.max()), total) if self.solver.objective.kind == "worst" else (total,)

    def least(self, turns: int) -> Value | None:
        """Return a value that no strategy of so many turns goes below, None where there is none of them."""
        guesses, lower = openers_of(self.solver, self.position, turns, self.opener)
        order = np.argsort(lower, kind="stable")
        guesses, lower = guesses[order], lower[order]
        least, stop = IMPOSSIBLE, new_stop()
        for begin in range(0, len(guesses), _BATCH * _AT_ONCE * thread_count()):
            if lower[begin] >= least:
                break
            limit = least

            def bounds(part: slice, limit: int = limit) -> NDArray[np.int64]:
                swept = self.solver.sweep(self.position, guesses[part], turns, limit)
                return np.maximum(swept, lower[part])

            ends = min(len(guesses), begin + _BATCH * _AT_ONCE * thread_count())
            parts = [slice(i, min(i + _BATCH, ends)) for i in range(begin, ends, _BATCH)]
            least = min(least, *(int(found.min()) for found in map_threads(bounds, parts, stop)))
            if self.progress is not None:
                self.progress(Progress(ends, len(guesses), f"openers bounded within {turns} turns"))
        if least >= IMPOSSIBLE:
            return None
        match self.solver.objective.kind:
            case "solved":
                lost, total = divmod(least, self.solver.leftover)
                more = self.lost(turns)
                # The total belongs to what is lost with it: who loses more may take fewer guesses.
                return (lost, total) if more <= lost else (more, int(lower.min()))
            case "worst":
                return turns, least
        return (least,)

    def lost(self, turns: int) -> int:
        """Return a weight of answers that every strategy of so many turns loses at least."""
        if turns > max(TURNS) or not self.solver.search.all_named:
            return 0
        openers, lower = openers_of(self.solver, self.position, turns, self.opener)
        openers = openers[np.argsort(lower, kind="stable")]
        after = self._lost_after if turns <= _ALL_FOLLOWED else self._lost_by_cores
        least, at_once = int(self.solver.weights.sum()), _AT_ONCE * thread_count()
        for begin in range(0, len(openers), at_once):
            some = openers[begin : begin + at_once]
            least = min(least, *after(some, turns, least))
            if self.progress is not None:
                done = begin + len(some)
                self.progress(Progress(done, len(openers), f"openers bounded by what {turns} turns lose"))
        return least

    def _lost_after(self, openers: Indices, turns: int, enough: int) -> list[int]:
        found: list[int] = lost_after(
            self.position, openers, self.solver.weights, len(self.position.game.guesses)
        ).tolist()
        return found

    def _lost_by_cores(self, openers: Indices, turns: int, enough: int) -> list[int]:
        solver = self._of_cores
        refuter = solver.refuter
        if refuter is None:
            return [0] * len(openers)
        rows, weights = solver.rows_of(self.position), self.solver.weights[solver.view.answers]

        def lost(column: int) -> int:
            return refuter.lost(rows, column, turns, weights, enough)

        return map_threads(lost, solver.column_of[openers].tolist(), new_stop())

    @cached_property
    def _of_cores(self) -> Solver:
        """Cores belong to searches in which no answer may be lost."""
        return Solver(self.position.game, Objective("worst"))

"""A guessing game as a decision process: what tree searches and other planners work on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sleuth.exact.objective import Objective
from sleuth.exact.proof import IMPOSSIBLE
from sleuth.exact.solver import Solver
from sleuth.exact.symmetry import orbits
from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.learning.candidates.player import load
from sleuth.learning.candidates.sets import shortlist
from sleuth.learning.strategies import SHIPPED
from sleuth.planning.mdp import Option, Outcome
from sleuth.strategies.rollout import Rollout
from sleuth.strategies.values import Remembered, totals_after
from sleuth.support.errors import SleuthError
from sleuth.support.registry import unknown_name

if TYPE_CHECKING:
    from sleuth.kernels.search.records import View
    from sleuth.strategies.values import Values

Predictor = Literal["entropic", "statistical", "rollout", "learned", "policy"]
"""What estimates the guesses that an action takes: the entropy of what it tells; how many times fewer
candidates it leaves on average; what information gain takes when it plays on; the value network's opinion of
the sets that it leaves; or how likely the policy network is to take it."""
Bounds = Literal["exact", "none"]
"""What is known of sets without a search: the bounds of exact play, or only totals that a formula gives, such
as those of one or two candidates."""
Ranked = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""Guesses, best first, with what they are estimated to take and take at least."""
# Guesses kept in order at a time; when they are used up, more are ranked: eight times as many. Without bounds
# there are many more states.
_AHEAD = {"exact": 512, "none": 8}
Look = Callable[[Frontier, NDArray[np.int32]], NDArray[np.float64]]
"""What guesses are estimated to take in a set, float64 [guesses]; the set alone in its frontier."""
# Guesses that rollout and the value network look at together.
_LOOKED = 16
MEMORY = 2**28
"""Bytes for the table of bounds."""


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A set of candidates as a state, with the turns left.

    Attributes:
        key: what tells it from others.
        view: answers and guesses; rows: the candidates there, int32 ascending.
        turns: turns left.
        weight: of the candidates.
        least: no strategy has a smaller mean.

    """

    key: bytes
    view: View
    rows: NDArray[np.int32]
    turns: int
    weight: int
    least: float

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spot) and self.key == other.key


class GuessingMDP:
    """A guessing game from a position on: states are sets of candidates, a guess brings a reward of -1.

    Sets whose total the bounds of exact play settle (exact/solver.py) are no states but part of the reward.
    A game that is not won within the turns is worth -inf.
    """

    discount = 1.0

    def __init__(
        self,
        position: Position,
        predictor: Predictor = "entropic",
        solver: Solver | None = None,
        turns: int | None = None,
        bounds: Bounds = "exact",
    ) -> None:
        """Begin at a position.

        predictor: see Predictor. solver: what bounds sets, shared among processes of one game. turns: turns
        left, else those that the game allows. Raises SleuthError where no turn is left or no candidate has
        any weight.
        """
        if predictor not in get_args(Predictor):
            raise unknown_name("predictor", predictor, get_args(Predictor))
        self.position = position
        self.game: Game = position.game
        if bounds not in get_args(Bounds):
            raise unknown_name("kind of bounds", bounds, get_args(Bounds))
        self.predictor = predictor
        self.bounds = bounds
        self._look: Look | None = None
        if predictor == "rollout":
            self._look = _played_on
        elif predictor == "learned":
            self._look = _by_values(Remembered(load(SHIPPED).values))
        if solver is None:
            solver = Solver(self.game, Objective(), MEMORY, position.candidates)
        self.solver = solver
        self.turns = self.solver.turns_left(position) if turns is None else turns
        if not self.turns:
            raise SleuthError("no turn is left there")
        weight = int(self.solver.weights[position.candidates].sum())
        if not weight:
            raise SleuthError("no candidate there has any weight")
        self.initial = self.spot(position)
        if bounds == "exact":
            lower = self.solver.bound(position, self.turns, beta=0).lower
            self.initial = replace(self.initial, least=inf if lower >= IMPOSSIBLE else lower / weight)

    def spot(self, position: Position) -> Spot:
        """Return a position of later play as a state, without a bound."""
        view, rows = self.solver.view_of(position)
        return self._spot(view, rows, self.turns - position.turn + self.position.turn, -inf)

    def _spot(self, view: View, rows: NDArray[np.int32], turns: int, least: float) -> Spot:
        answers = view.answers[rows]
        # More turns than candidates are no limit.
        head = np.array([turns if turns < len(rows) else -1], np.int32).tobytes()
        key = head + answers.tobytes() + (view.keys.tobytes() if self.solver.search.restricted else b"")
        return Spot(key, view, rows, turns, int(self.solver.weights[answers].sum()), least)

    def limits(self, state: Any) -> tuple[float, float]:
        """Return the values of losing, and of the strategy that no other beats."""
        return -inf, -float(state.least) if self.bounds == "exact" else inf

    def options(self, state: Any) -> Iterator[Option]:
        """Yield the guesses that tell something, least estimate first; one of those that split alike.

        With rollout and the learned predictors that order holds within each block of guesses looked at
        together.
        """
        blocks = self._blocks(state)
        if self._look is not None:
            blocks = self._looked_ahead(state, blocks, self._look)
        elif self.predictor == "policy":
            blocks = self._by_policy(state, blocks)
        for ranked in blocks:
            for guess, estimate, bound in zip(*(column.tolist() for column in ranked), strict=True):
                yield Option(guess, -estimate, -bound)

    def _blocks(self, spot: Spot) -> Iterator[Ranked]:
        begin, ahead = 0, _AHEAD[self.bounds]
        while True:
            ranked = self._ranked(spot, begin, ahead)
            yield ranked
            if len(ranked[0]) < ahead:
                return
            begin, ahead = begin + ahead, 8 * ahead

    def _frontier(self, spot: Spot) -> Frontier:
        """Return the set alone, with its legal guesses where rollout is to keep to them."""
        answers = np.sort(spot.view.answers[spot.rows])
        starts = np.array([0, len(answers)])
        turn = self.position.turn
        if self.predictor != "rollout" or not self.solver.search.restricted:  # networks know of no limits
            return Frontier(self.game, turn, starts, answers)
        legal = np.sort(spot.view.columns).astype(np.int32)
        return Frontier(self.game, turn, starts, answers, np.array([0, len(legal)]), legal)

    def _looked_ahead(self, spot: Spot, blocks: Iterator[Ranked], look: Look) -> Iterator[Ranked]:
        """Yield the guesses by what rollout or the value network expects of the sets that they leave.

        So many guesses of the given order are looked at together, when they are asked for. Those that by
        their bound are no better than the best found so far are not looked at: the bound is their estimate.
        """
        frontier = self._frontier(spot)
        best = inf
        for guesses, _, least in blocks:
            left = np.arange(len(guesses))
            while len(hopeful := left[least[left] < best]):
                some = hopeful[:_LOOKED]
                estimates = look(frontier, guesses[some].astype(np.int32))
                best = min(best, float(estimates.min()))
                order = np.argsort(estimates, kind="stable")
                yield guesses[some[order]], estimates[order], least[some[order]]
                left = np.setdiff1d(left, some)
            left = left[np.argsort(least[left], kind="stable")]
            yield guesses[left], least[left], least[left]

    def _by_policy(self, spot: Spot, blocks: Iterator[Ranked]) -> Iterator[Ranked]:
        """Yield the guesses of each block that the policy network chooses among, likeliest first; then more.

        The document has a policy of estimates, pi = exp(q) / sum exp(q). Read the other way, what a guess is
        worth is the logarithm of its chance but for a constant: here the likeliest guess is worth what the
        best one is estimated to be, and none more than its bound. Other guesses follow as they were.
        """
        player, frontier = load(SHIPPED), self._frontier(spot)
        (few,) = shortlist(frontier, player.shortlist)
        few = few[few >= 0]
        if len(few) == 0:  # no guess tells anything
            yield from blocks
            return
        behind = np.full(len(self.game.guesses), inf)
        logits = player.logits(frontier, few[None])[0].astype(np.float64)
        behind[few] = logits.max() - logits
        best = inf
        for guesses, estimates, least in blocks:
            best = min(best, float(estimates.min(initial=inf)))
            order = np.argsort(behind[guesses], kind="stable")
            chosen = behind[guesses[order]] < inf
            first, rest = order[chosen], np.sort(order[~chosen])
            yield guesses[first], np.maximum(best + behind[guesses[first]], least[first]), least[first]
            yield guesses[rest], estimates[rest], least[rest]

    def _ranked(self, spot: Spot, begin: int, ahead: int) -> Ranked:
        from sleuth.kernels.estimates import estimates
        from sleuth.kernels.search.guess import laid_out
        from sleuth.kernels.search.records import INFINITE
        from sleuth.kernels.search.views import FEW

        solver = self.solver
        view, rows, least = spot.view, spot.rows, None
        if self.bounds == "exact":
            view, rows, least = laid_out(
                solver.search, solver.moves, view, rows, spot.turns, FEW, solver.no_past
            )
        weights = solver.weights[view.answers[rows]] / spot.weight
        whole = len(rows) == len(self.game.answers)
        found = estimates(
            view.codes,
            view.codes.shape[1] > len(view.columns),
            view.own,
            rows,
            weights,
            self.game.n_labels,
            self.predictor != "statistical",
            begin + ahead if least is None and not whole else 0,
        )
        useful = np.flatnonzero(
            np.isfinite(found) if least is None else (least < INFINITE) & np.isfinite(found)
        )
        if whole:  # openers that are the same in other names are one
            useful = useful[orbits(self.game)[view.columns[useful]] == view.columns[useful]]
        order = _first(found, useful, begin + ahead)[begin:]
        if least is None:
            return view.columns[order], found[order], np.full(len(order), -inf)
        surplus = int(solver.weights[view.answers[rows]][~solver.search.named[view.answers[rows]]].sum())
        return view.columns[order], found[order], (least[order] - surplus) / spot.weight

    def outcomes(self, state: Any, action: Any) -> list[Outcome]:
        """Return what a guess leads to: the sets that are not settled, and the rest together."""
        from sleuth.kernels.search import guess as kernels
        from sleuth.kernels.search.records import INFINITE
        from sleuth.kernels.search.views import restricted

        spot: Spot = state
        search, weights = self.solver.search, self.solver.weights
        column = self._column(spot, action)
        bounded = self.bounds == "exact"
        starts, members, lower, done = kernels.outcomes(
            search, spot.view, spot.rows, column, spot.turns, bounded
        )
        if np.any(lower >= INFINITE):
            return [Outcome(1.0, -np.inf, None)]
        answers = spot.view.answers[members]
        heavy = weights[answers]
        surplus = np.where(search.named[answers], 0, heavy)
        begin = starts[:-1]
        mass = np.add.reduceat(heavy, begin) if len(begin) else np.zeros(0, np.int64)
        lower = lower - (np.add.reduceat(surplus, begin) if len(begin) else 0)
        settled = int(lower[done].sum())
        rest = spot.weight - int(mass[~done].sum())
        found = [] if not rest else [Outcome(rest / spot.weight, -1.0 - settled / rest, None)]
        for i in np.flatnonzero(~done).tolist():
            child = members[starts[i] : starts[i + 1]]
            if not mass[i]:
                continue
            view = spot.view
            if search.restricted:
                view = restricted(search, spot.view, child, column)
                child = np.arange(len(child), dtype=np.int32)
            after = self._spot(view, child, spot.turns - 1, float(lower[i] / mass[i]))
            found.append(Outcome(float(mass[i] / spot.weight), -1.0, after))
        return found

    def _column(self, spot: Spot, guess: int) -> int:
        if spot.view is self.solver.view:
            return int(self.solver.column_of[guess])
        return int(np.flatnonzero(spot.view.columns == guess)[0])

    def total(self, value: float) -> int:
        """Return a value of the initial state as a total in the solver's integer weights."""
        return round(-value * self.initial.weight)


def _played_on(frontier: Frontier, guesses: NDArray[np.int32]) -> NDArray[np.float64]:
    """Look by rollout: information gain plays on after each guess."""
    repeated = frontier.take(np.zeros(len(guesses), np.int64))
    means: NDArray[np.float64] = Rollout().q_factors(repeated, guesses) / repeated.weights
    return means


def _by_values(values: Values) -> Look:
    """Look by values of the sets that a guess leaves."""
    return lambda frontier, guesses: totals_after(frontier, guesses[None], values)[0] / frontier.weights[0]


def _first(values: NDArray[np.float64], among: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """Return the places of the n least values, least first, of those at some places, ascending int64 [m]."""
    if n < len(among):
        among = among[values[among] <= np.partition(values[among], n - 1)[n - 1]]
    return among[np.argsort(values[among], kind="stable")][:n]

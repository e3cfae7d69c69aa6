"""What guesses are worth in a position: the guesses expected until the answer is found.

Two methods, never mixed in a comparison. "exact": the least that any strategy needs, by the solver of
exact/, where a game that is lost counts as twice its turns. "search": what the best strategy needs that beam
search finds after the guess, near the least; answers that take longer than the turns count as they are.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sleuth.coaching.advice import EXACT_UP_TO, SECONDS, advise
from sleuth.coaching.losses import lost_counts_as
from sleuth.exact.beam import Beam
from sleuth.exact.objective import Objective
from sleuth.exact.solver import Bound, Solver
from sleuth.exact.solvers import searching
from sleuth.exact.symmetry import orbits
from sleuth.games.frontier import Children, Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.priors import uniform
from sleuth.support.errors import StrategyError

Method = Literal["exact", "search"]

# With so few turns left, exact search is done at once with any number of candidates.
_LAST_TURNS = 2
# Beyond so many candidates the full beam takes several seconds a guess, and its narrow form two.
_LARGE = 4000
_MEMORY = 256 * 2**20


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The kinds of feedback that a guess may get in a position.

    Attributes:
        codes: [kinds]: the feedback, ascending.
        chances: float64 [kinds], sum 1: how likely each is.
        left: float64 [kinds]: guesses expected to be left after each, 0 after a right guess.

    """

    codes: NDArray[np.int64]
    chances: NDArray[np.float64]
    left: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Worth:
    """What guesses are worth in a position, all by one method, in guesses expected (the guess included).

    Attributes:
        position: the position, weighed evenly where no candidate has any weight.
        method: where the values come from.
        best: the guess of the least value that is known.
        least: its value.
        own: Sleuth's own guess.
        own_value: its value.
        value: that of the guess asked for.
        loss: value less least; equal values have loss 0 exactly.
        gain: own_value less value; positive where the guess is better than Sleuth's own.
        outcomes: what may come of the guess.

    """

    position: Position
    method: Method
    best: int
    least: float
    own: int
    own_value: float
    value: float
    loss: float
    gain: float
    outcomes: Outcomes


def weigh(
    position: Position, guess: int | None, turns: int, seconds: float, by_search: float | None = None
) -> Worth:
    """Return what a legal guess is worth in a position, or Sleuth's own where it is None.

    turns: turns left. seconds: for exact search; where they do not suffice, beam search is used. by_search:
    seconds for that, for each of the two guesses; None for no limit.
    Raises StrategyError where no strategy tells the candidates apart, UnfinishedError where beam search does
    not end in time, or goes too deep.
    """
    position = evened(position)
    if len(position.candidates) <= EXACT_UP_TO or turns <= _LAST_TURNS:
        worth = _exact(position, guess, turns, seconds, by_search)
        if worth is not None:
            return worth
    return _by_search(position, guess, by_search)


def own_guess(position: Position, seconds: float | None = None) -> int:
    """Return the guess that Sleuth advises. seconds: how long that may take, else as long as advice does.

    Raises StrategyError where no guess tells the candidates apart, so that none is advised.
    """
    limit = SECONDS if seconds is None else seconds
    found = advise(position, 1, seconds=limit).suggestions
    if not found:
        raise StrategyError("no guess tells the candidates apart")
    return position.game.find(found[0].guess)


def evened(position: Position) -> Position:
    """Return the position with even weights where no candidate has any, else as it is."""
    game = position.game
    if game.prior[position.candidates].sum() > 0:
        return position
    even = game.with_answers(position.words, uniform(len(position.candidates)))
    return replace(position, game=even, candidates=np.arange(len(even.answers), dtype=np.int32))


def _exact(
    position: Position, guess: int | None, turns: int, seconds: float, by_search: float | None
) -> Worth | None:
    """Return exact values, or None where the time does not suffice."""
    with searching_of(position, seconds) as solver:
        weight = int(solver.weights[position.candidates].sum())
        best = solver.bound(position, turns)
    if weight == 0 or not best.exact:
        return None
    try:
        own = own_guess(position, by_search)
    except StrategyError:  # no strategy finds every answer: what finds the most is played
        if best.guess < 0:
            raise
        own = best.guess
    asked = own if guess is None else guess
    with searching_of(position, seconds) as solver:
        totals: dict[int, float] = {best.guess: best.lower} if best.guess >= 0 else {}
        for g in {own, asked}:
            children = _after(position, g)
            bounds = [least_total(solver, child, turns - 1).lower for child in children.frontier.positions()]
            if solver.stopped:
                return None
            below = np.array(bounds, np.float64)
            # What is lost is lost: past the turns no guess is better than another.
            totals[g] = weight + int(below.sum()) if turns > 0 else best.lower
            if g == asked:
                weights = [int(solver.weights[c].sum()) for c in _members(children.frontier)]
                outcomes = _outcomes(position, asked, children, below, np.array(weights, np.float64))
    return _worth(position, "exact", totals, own, asked, weight, outcomes)


def least_total(solver: Solver, position: Position, turns: int) -> Bound:
    """Return what is known of the least total of a position, and the guess that has it, -1 where any has."""
    if len(position.candidates) == 1:
        # A frontier lists no legal guess for a lone answer: its guess is forced.
        position = replace(position, legal=None)
    left = max(0, turns)
    found = solver.bound(position, left)
    # Where no legal guess tells the candidates apart, the game is lost.
    lost = (left + solver.leftover) * int(solver.weights[position.candidates].sum())
    return found if found.lower <= lost else Bound(lost, lost)


def searching_of(position: Position, seconds: float | None) -> AbstractContextManager[Solver]:
    """Lend the solver of reviews to one thread, until the time is up; lost games count as lost_counts_as."""
    objective = Objective(penalty=lost_counts_as(position.game))
    return searching("review", position, _MEMORY, objective, seconds)


def _by_search(position: Position, guess: int | None, seconds: float | None) -> Worth:
    game = position.game
    # So few candidates come here where exact search took too long: it is not tried again.
    few = len(position.candidates) <= EXACT_UP_TO
    if few:
        with _beam(position, seconds) as beam:
            own = beam.choose(position)
    else:
        own = own_guess(position, seconds)
    asked = own if guess is None else guess
    weight = float(Frontier.of(position).weights[0])
    totals = {}
    for g in {own, asked}:
        opening = position.turn == 1 and len(position.candidates) == len(game.answers)
        if opening:
            children, below = _opening(game, int(_orbits(game)[g]), seconds)
        else:
            children, below = _searched(position, g, seconds)
        if not np.isfinite(below).all():
            raise StrategyError(f"no strategy tells all answers apart after {game.guesses[g]} in {game.name}")
        # Sums of weights in another order differ in their last bits: they tie.
        totals[g] = round(weight + float(below.sum()), 9)
        if g == asked:
            outcomes = _outcomes(position, asked, children, below, children.frontier.weights)
    return _worth(position, "search", totals, own, asked, weight, outcomes)


def _beam(position: Position, seconds: float | None) -> AbstractContextManager[Beam]:
    """Lend beam search until the time is up, if there is a limit."""
    beam = Beam() if len(position.candidates) <= _LARGE else Beam(width=1, looked=2)
    return nullcontext(beam) if seconds is None else beam.within(position.game, seconds)


def _searched(position: Position, guess: int, seconds: float | None) -> tuple[Children, NDArray[np.float64]]:
    """Return what a guess leads to, and the total of each, float64 [children], by beam search."""
    children = _after(position, guess)
    if len(children.frontier) == 0:
        return children, np.zeros(0)
    with _beam(position, seconds) as beam:
        means = beam.weigh(children.frontier, 1)[1][:, 0]
    return children, means * children.frontier.weights


@lru_cache(maxsize=64)
def _opening(game: Game, guess: int, seconds: float | None) -> tuple[Children, NDArray[np.float64]]:
    """Return _searched of an opener; those that were asked for last are kept."""
    return _searched(Position.start(game), guess, seconds)


@lru_cache(maxsize=4)
def _orbits(game: Game) -> Indices:
    """Return orbits(game), int32 [guesses]: openers that are the same but for names get equal values."""
    return orbits(game)


def _after(position: Position, guess: int) -> Children:
    return Frontier.of(position).after(np.array([guess], np.int32))


def _members(frontier: Frontier) -> list[Indices]:
    """Return the candidates of each set."""
    return np.split(frontier.candidates, frontier.starts[1:-1]) if len(frontier) else []


def _outcomes(
    position: Position,
    guess: int,
    children: Children,
    below: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> Outcomes:
    """Return what may come of a guess. below, weights: total and weight of each child."""
    n_codes = position.game.rules.n_codes
    codes = position.game.feedback_row(guess)[position.candidates]
    chances = np.bincount(codes, position.weights, minlength=n_codes)
    left = np.zeros(n_codes, np.float64)
    # Nothing is known of what no weight leads to; as it has no chance, it moves nothing.
    left[children.codes] = np.divide(below, weights, out=np.zeros(len(below)), where=weights > 0)
    kinds = np.unique(codes).astype(np.int64)
    # Sums of weights in another order differ in their last bits: they tie.
    return Outcomes(kinds, chances[kinds].astype(np.float64), np.round(left[kinds], 9))


def _worth(
    position: Position,
    method: Method,
    totals: dict[int, float],
    own: int,
    asked: int,
    weight: float,
    outcomes: Outcomes,
) -> Worth:
    """Return values from totals; among the best, the guess asked for comes first, then Sleuth's own."""
    best = min(totals, key=lambda g: (totals[g], g != asked, g != own))
    return Worth(
        position,
        method,
        best,
        totals[best] / weight,
        own,
        totals[own] / weight,
        totals[asked] / weight,
        (totals[asked] - totals[best]) / weight,
        (totals[own] - totals[asked]) / weight,
        outcomes,
    )

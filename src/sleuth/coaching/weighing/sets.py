"""What the positions after a guess are worth, as well as a time allows.

Small sets come first: each is solved exactly while its time lasts, then by beam search while that has time,
and what is left is estimated. Every value says which it is. Exact values count a lost game as reviews do:
after the last turn of a game all that is not found is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from sleuth.coaching.losses import lost_counts_as
from sleuth.coaching.solving import least_total, searching_of
from sleuth.coaching.turns import LAST_TURNS, turns_after
from sleuth.exact.beam import Beam
from sleuth.exact.solver import Solver
from sleuth.games.frontier import Frontier
from sleuth.games.position import Position
from sleuth.games.strategy import Certainty, describe
from sleuth.strategies.heuristics import ExpectedGuesses
from sleuth.support.errors import UnfinishedError

# Exact search of a larger set takes too long to be tried in a share of a second.
_EXACT_UP_TO = 300
BEAM_UP_TO = 1000
"""Beam search of a larger set takes a second and more."""
# Beyond so many candidates the full beam takes several seconds, and its narrow form two.
_NARROW_FROM = 4000


@dataclass(frozen=True)
class Value:
    """What a position is worth.

    Attributes:
        expected: guesses that are expected until the answer is found; None where nothing is known.
        kind: what that number is.
        guess: the guess to make, by index; -1 where none is known, or none is needed.

    """

    expected: float | None
    kind: Certainty
    guess: int


def values_after(
    position: Position, children: Frontier, exact: float, search: float, largest: int = BEAM_UP_TO
) -> list[Value]:
    """Return the value of each set that a guess in a position leads to.

    exact, search: seconds for exact play, and for beam search of what that leaves. largest: the most
    candidates of a set that is searched.
    """
    positions, turns = list(children.positions()), turns_after(position)
    if not turns:  # what is not found by now is lost
        lost = float(lost_counts_as(position.game) - position.turn)
        return [Value(lost, "proved", -1)] * len(children)
    order = [s for s in np.argsort(children.sizes, kind="stable").tolist() if children.weights[s] > 0]
    found: dict[int, Value] = {}
    for s in order:
        if children.sizes[s] == 1:
            guess = int(children.game.answer_guess[positions[s].candidates[0]])
            found[s] = Value(float(guess >= 0), "proved", guess)
    with laid_out(position, exact) as solver:
        most = len(children.game.answers) if turns < LAST_TURNS else _EXACT_UP_TO
        for s in (s for s in order if s not in found and children.sizes[s] <= most):
            value = _exactly(solver, positions[s], turns)
            if value is None:
                break
            found[s] = value
    for beam, sizes in ((Beam(), (0, _NARROW_FROM)), (Beam(width=1, looked=2), (_NARROW_FROM, largest))):
        some = [s for s in order if s not in found and sizes[0] < children.sizes[s] <= min(sizes[1], largest)]
        found |= _searched(beam, children, some, search)
    found |= _estimated(children, [s for s in order if s not in found])
    return [found.get(s, Value(None, "estimate", -1)) for s in range(len(children))]


def _searched(beam: Beam, children: Frontier, sets: Sequence[int], seconds: float) -> dict[int, Value]:
    """Return the values of some sets by beam search, of as many as there is time for."""
    found: dict[int, Value] = {}
    if not sets:
        return found
    with beam.within(children.game, seconds) as timed:
        for s in sets:
            try:
                guesses, means = timed.weigh(children.take(np.array([s])), 1)
            except UnfinishedError:
                break
            if guesses[0, 0] >= 0 and np.isfinite(means[0, 0]):
                found[s] = Value(float(means[0, 0]), "at most", int(guesses[0, 0]))
    return found


@contextmanager
def laid_out(position: Position, seconds: float) -> Iterator[Solver]:
    """Lend the solver of reviews until the time is up, which laying the game out takes nothing of."""
    with searching_of(position, None) as solver:
        _ = solver.search, solver.view
    with searching_of(position, seconds) as solver:
        yield solver


def _exactly(solver: Solver, position: Position, turns: int) -> Value | None:
    """Return the exact value of a position with so many turns left, None where the time is up."""
    bound = least_total(solver, position, turns)
    if solver.stopped or not bound.exact:
        return None
    weight = int(solver.weights[position.candidates].sum())
    return Value(bound.lower / weight, "proved", bound.guess) if weight else Value(None, "estimate", -1)


def _estimated(children: Frontier, sets: Sequence[int]) -> dict[int, Value]:
    """Return the estimates of some sets, worked out together: that takes all threads."""
    if not sets:
        return {}
    some = children.take(np.array(sets))
    guesses = ExpectedGuesses().best(some, 1)
    found: dict[int, Value] = {}
    for s, position, guess in zip(sets, some.positions(), guesses, strict=True):
        number = describe(position, guess)[0].expected_guesses if guess[0] >= 0 else np.inf
        found[s] = Value(number if np.isfinite(number) else None, "estimate", int(guess[0]))
    return found

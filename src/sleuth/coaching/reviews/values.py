"""What guesses are worth in a position: the guesses expected until the answer is found.

Every number is that of the analysis of the position, and says how it is known: "proved", the least that any
strategy needs, where a game that is lost counts as twice its turns; "at most", what the best strategy found
needs; or "estimate". Where one of two guesses is not known better, the difference is that of what both leave,
estimated, and the value of the guess made is Sleuth's own and that difference.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sleuth.coaching.advice import EXACT_UP_TO, SECONDS
from sleuth.coaching.solving import evened, least_total, searching_of
from sleuth.coaching.turns import LAST_TURNS
from sleuth.coaching.weighing.guesses import EXACT, SEARCH, Weighed, surer, weighed
from sleuth.coaching.weighing.suggestions import suggested
from sleuth.exact.symmetry import orbits
from sleuth.games.frontier import Children, Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.strategy import Certainty, Suggestion, describe
from sleuth.support.errors import StrategyError

# The most seconds for beam search of what a guess leaves: words take two or three.
_SEARCHED = 10.0
# The most candidates that are searched then.
_LARGEST = 20_000
_DIGITS = 9


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
    """What guesses are worth in a position, in guesses expected (the guess included).

    Attributes:
        position: the position, weighed evenly where no candidate has any weight.
        played: the guess asked for.
        best: the guess of the least value that is known; of equals that asked for, then Sleuth's own.
        own: Sleuth's own guess.
        loss: the value of the guess less that of the best; equal values have loss 0 exactly.
        gain: the value of Sleuth's own guess less that of the guess; positive where the guess is better.
        outcomes: what may come of the guess.

    """

    position: Position
    played: Suggestion
    best: Suggestion
    own: Suggestion
    loss: float
    gain: float
    outcomes: Outcomes

    @property
    def is_counted(self) -> bool:
        """Whether the loss is of two numbers that were counted; the error of an estimate nobody knows."""
        return "estimate" not in (self.played.kind, self.best.kind)

    @property
    def value(self) -> float:
        """Guesses expected with the guess asked for."""
        return self.played.expected_guesses

    @property
    def least(self) -> float:
        """Guesses expected with the best guess."""
        return self.best.expected_guesses

    @property
    def kind(self) -> Certainty:
        """What the least value is."""
        return self.best.kind


def weigh(position: Position, guess: int | None, turns: int, seconds: float) -> Worth:
    """Return what a legal guess is worth in a position, or Sleuth's own where it is None.

    turns: turns left. seconds: for exact search, and for finding Sleuth's own guess. Raises StrategyError
    where no strategy tells the candidates apart.
    """
    position = evened(position)
    if len(position.candidates) <= EXACT_UP_TO or turns <= LAST_TURNS:
        worth = _exact(position, guess, turns, seconds)
        if worth is not None:
            return worth
    return _by_groups(position, guess, seconds)


def own_guess(position: Position, seconds: float = SECONDS) -> int:
    """Return the guess that Sleuth advises. seconds: how long that may take.

    Raises StrategyError where no guess tells the candidates apart, so that none is advised.
    """
    return position.game.find(_own(suggested(position, seconds=seconds).suggestions).guess)


def _own(found: tuple[Suggestion, ...]) -> Suggestion:
    if not found:
        raise StrategyError("no guess tells the candidates apart")
    return found[0]


def _exact(position: Position, guess: int | None, turns: int, seconds: float) -> Worth | None:
    """Return exact values, or None where the time does not suffice."""
    with searching_of(position, seconds) as solver:
        weight = int(solver.weights[position.candidates].sum())
        best = solver.bound(position, turns)
    if weight == 0 or not best.exact:
        return None
    try:
        own = own_guess(position, seconds)
    except StrategyError:  # no strategy finds every answer: what finds the most is played
        if best.guess < 0:
            raise
        own = best.guess
    asked = own if guess is None else guess
    with searching_of(position, seconds) as solver:
        totals: dict[int, float] = {best.guess: best.lower} if best.guess >= 0 else {}
        for g in {own, asked}:
            children = Frontier.of(position).after(np.array([g], np.int32))
            bounds = [least_total(solver, child, turns - 1).lower for child in children.frontier.positions()]
            if solver.stopped:
                return None
            below = np.array(bounds, np.float64)
            # What is lost is lost: past the turns no guess is better than another.
            totals[g] = weight + int(below.sum()) if turns > 0 else best.lower
            if g == asked:
                weights = [int(solver.weights[c].sum()) for c in _members(children.frontier)]
                outcomes = _outcomes(position, asked, children, below, np.array(weights, np.float64))
    found = {g: _valued(position, g, total / weight, "exact") for g, total in totals.items()}
    least = min(totals, key=lambda g: (totals[g], g != asked, g != own))
    loss, gain = (totals[asked] - totals[least]) / weight, (totals[own] - totals[asked]) / weight
    return Worth(position, found[asked], found[least], found[own], loss, gain, outcomes)


def _by_groups(position: Position, guess: int | None, seconds: float) -> Worth:
    """Return values by what each guess leaves, as the analysis of the position has them."""
    own = _own(suggested(position, seconds=seconds).suggestions)
    game = position.game
    asked = game.find(own.guess) if guess is None else guess
    if own.kind == "estimate":
        found = weighed(position, asked, EXACT, SEARCH)
    elif position.turn == 1 and len(position.candidates) == len(game.answers):
        found = _opening(game, int(_orbits(game)[asked]), seconds)
        found = replace(found, numbers=replace(found.numbers, guess=game.guesses[asked]))
    else:
        found = weighed(position, asked, seconds, _SEARCHED, _LARGEST)
    if any(value.expected is None for _, value in found.likely):
        raise StrategyError(f"no strategy tells all answers apart after {game.guesses[asked]} in {game.name}")
    played = surer(own, found.numbers) if own.guess == found.numbers.guess else found.numbers
    if own.guess == played.guess:
        own = played
    elif "estimate" in (own.kind, played.kind):
        beside = weighed(position, game.find(own.guess), EXACT, SEARCH)
        more = max(0.0, _left(found) - _left(beside))
        played = replace(played, expected_guesses=own.expected_guesses + more, expected_by="estimate")
    own, played = (
        replace(one, expected_guesses=round(one.expected_guesses, _DIGITS)) for one in (own, played)
    )
    gain = round(own.expected_guesses - played.expected_guesses, _DIGITS)
    best = played if gain >= 0 else own
    return Worth(position, played, best, own, max(0.0, -gain), gain, _outcomes_of(found))


def _left(found: Weighed) -> float:
    """Return what a guess leaves on average, by values that may be estimates."""
    return sum(chance * (value.expected or 0.0) for chance, value in found.likely)


def _valued(position: Position, guess: int, value: float, expected_by: str) -> Suggestion:
    return describe(position, np.array([guess], np.int32), np.array([value]), expected_by)[0]


@lru_cache(maxsize=64)
def _opening(game: Game, guess: int, seconds: float) -> Weighed:
    """Return an opener weighed; those that were asked for last are kept."""
    return weighed(Position.start(game), guess, seconds, _SEARCHED, _LARGEST)


@lru_cache(maxsize=4)
def _orbits(game: Game) -> Indices:
    """Return orbits(game), int32 [guesses]: openers that are the same but for names get equal values."""
    return orbits(game)


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
    codes = position.game.feedback_row(guess)[position.candidates]
    kinds, of = np.unique(codes.astype(np.int64), return_inverse=True)
    chances = np.bincount(of, position.weights).astype(np.float64)
    left = np.zeros(len(kinds), np.float64)
    # Nothing is known of what no weight leads to; as it has no chance, it moves nothing.
    after = np.searchsorted(kinds, children.codes)
    left[after] = np.divide(below, weights, out=np.zeros(len(below)), where=weights > 0)
    # Sums of weights in another order differ in their last bits: they tie.
    return Outcomes(kinds, chances, np.round(left, _DIGITS))


def _outcomes_of(found: Weighed) -> Outcomes:
    """Return what may come of a guess that was weighed."""
    left = np.array([value.expected or 0.0 for value in found.values])
    return Outcomes(found.codes, found.chances, np.round(left, _DIGITS))

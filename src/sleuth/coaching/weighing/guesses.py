"""What one guess is worth in a position: by what it may get, or by the book; the same for whoever asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sleuth.coaching import book
from sleuth.coaching.weighing.sets import BEAM_UP_TO, Value, values_after
from sleuth.games.frontier import Frontier
from sleuth.games.position import Position
from sleuth.games.strategy import CERTAINTIES, Certainty, Suggestion, describe

FOUND = Value(0.0, "proved", -1)
"""What is left where the guess was right, or one answer alone that no guess can name."""
EXACT, SEARCH = 0.4, 0.2
"""Of each second that a look at one guess may take: for exact play, and for beam search."""
_DIGITS = 12
_EXPECTED_BY: dict[Certainty, str] = {"proved": "exact", "at most": "search", "estimate": "estimate"}


@dataclass(frozen=True, eq=False)
class Weighed:
    """A guess weighed.

    Attributes:
        numbers: its numbers; expected_guesses is the best that is known.
        codes: int64 [kinds]: the kinds of feedback that it may get, ascending.
        chances: float64 [kinds], sum 1: how likely each is.
        values: what each leaves.

    """

    numbers: Suggestion
    codes: NDArray[np.int64]
    chances: NDArray[np.float64]
    values: tuple[Value, ...]

    @property
    def known(self) -> dict[int, Value]:
        """What each kind of feedback leaves, by its code."""
        return dict(zip(self.codes.tolist(), self.values, strict=True))

    @property
    def likely(self) -> Iterator[tuple[float, Value]]:
        """The kinds of feedback that have a chance: that, and what each leaves."""
        return ((c, v) for c, v in zip(self.chances.tolist(), self.values, strict=True) if c > 0)


def weighed(
    position: Position, guess: int, exact: float, search: float, largest: int = BEAM_UP_TO
) -> Weighed:
    """Return what a guess, by index, is worth. exact, search, largest: as of values_after.

    At the first move the book is asked too, and what is more certain is taken.
    """
    children = Frontier.of(position).after(np.array([guess], np.int32))
    left = values_after(position, children.frontier, exact, search, largest)
    known = dict(zip(children.codes.tolist(), left, strict=True))
    codes, at = np.unique(position.game.feedback_row(guess)[position.candidates], return_inverse=True)
    chances = np.bincount(at, position.weights).astype(np.float64)
    found = Weighed(
        describe(position, np.array([guess], np.int32))[0],
        codes.astype(np.int64),
        chances,
        tuple(known.get(code, FOUND) for code in codes.tolist()),
    )
    return replace(found, numbers=_numbers(position, found))


def can_be_counted(position: Position, guess: int) -> bool:
    """Say whether each set that a guess may lead to is small enough to be searched."""
    codes = position.game.feedback_row(guess)[position.candidates]
    return bool(np.bincount(codes[position.weights > 0]).max(initial=0) <= BEAM_UP_TO)


def _numbers(position: Position, of: Weighed) -> Suggestion:
    """Return the numbers of a guess, its value by what it leaves or by the book."""
    described = of.numbers
    listed = book.listed(position.game, described.guess) if position.turn == 1 else None
    kind = max((value.kind for _, value in of.likely), key=CERTAINTIES.index)
    if listed is not None and CERTAINTIES.index(listed.kind) <= CERTAINTIES.index(kind):
        return listed
    # An estimate is one wherever it stands: that of the guess, and no sum of those of its groups.
    if kind == "estimate" or any(value.expected is None for _, value in of.likely):
        return described
    # Sums in another order differ in their last bits: they tie.
    expected = round(1 + sum(chance * (value.expected or 0.0) for chance, value in of.likely), _DIGITS)
    least = expected if kind == "proved" else None
    return replace(described, expected_guesses=expected, expected_by=_EXPECTED_BY[kind], least=least)


def surer(one: Suggestion, other: Suggestion) -> Suggestion:
    """Return what is said of a guess by two: the more certain, then the lower; the first of equals."""
    known, now = CERTAINTIES.index(one.kind), CERTAINTIES.index(other.kind)
    if now > known or (now == known and other.expected_guesses >= one.expected_guesses):
        return one
    return replace(other, least=one.least if other.least is None else other.least)

"""Rows that no answer explains: which one was probably mistyped, and which of its marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sleuth.games.feedback import MarkNotation
from sleuth.games.game import Game
from sleuth.games.position import Row
from sleuth.games.rules import PegRules
from sleuth.support.errors import SleuthError

_MARKS = ("absent", "elsewhere", "in the right place")


@dataclass(frozen=True)
class Blame:
    """One change of one row that makes the rows possible again.

    Attributes:
        row: the row, from 1.
        guess: its guess.
        feedback: the feedback it has.
        instead: the feedback it would have to have.
        places: the places whose marks change, from 1; none where feedback has no marks.
        letters: the letters in those places.
        changed: how much changes: marks, or in other games steps of the two numbers.
        candidates: how many words would explain all rows then.
        message: all that in a sentence.

    """

    row: int
    guess: str
    feedback: str
    instead: str
    places: tuple[int, ...]
    letters: tuple[str, ...]
    changed: int
    candidates: int
    message: str


def blame(game: Game, rows: Sequence[Row], limit: int = 3) -> tuple[Blame, ...]:
    """Return the smallest changes of a single row that make the rows possible again, smallest first.

    Equal changes are ordered by how likely the answers are that they make possible, then the last row first.
    Where no listed answer explains a change, allowed guesses may. None are returned where at least two rows
    must change. Which guesses the mode allows plays no part. Raises UnknownGuessError, FeedbackError.
    """
    read = [(game.find(guess), game.rules.notation.parse(shown)) for guess, shown in rows]
    found = _changes(game, [(game.feedback_row(g), code) for g, code in read], game.prior)
    if not found:
        try:
            as_answers = [(game.codes_as_answers(g), code) for g, code in read]
        except SleuthError:  # guesses that cannot be answers, in a game by a function of its own
            return ()
        found = _changes(game, as_answers, np.ones(len(game.guesses)))
    return tuple(_describe(game, read, *change) for change in found[:limit])


_Change = tuple[int, int, int, int]
"""How much changes, the row from 0, the code instead, the candidates then."""


def _changes(
    game: Game, rows: list[tuple[NDArray[np.unsignedinteger], int]], prior: NDArray[np.float64]
) -> list[_Change]:
    """Return every change of one row that some answer explains, the smallest first."""
    fits = np.array([codes == code for codes, code in rows])
    found: list[tuple[int, float, int, _Change]] = []
    for row, (codes, code) in enumerate(rows):
        others = np.flatnonzero(np.delete(fits, row, axis=0).all(axis=0))
        for instead in np.unique(codes[others]).tolist():
            if instead == code or (instead == game.solved and row < len(rows) - 1):
                continue
            kept = others[codes[others] == instead]
            size = _distance(game, code, instead)
            found.append((size, -float(prior[kept].sum()), -row, (size, row, instead, len(kept))))
    return [change for *_, change in sorted(found)]


def _distance(game: Game, code: int, other: int) -> int:
    """Return how many marks differ, or by how much the numbers of pegs do; else every change is one."""
    notation = game.rules.notation
    if isinstance(notation, MarkNotation):
        return sum(a != b for a, b in zip(notation.marks(code), notation.marks(other), strict=True))
    if isinstance(game.rules, PegRules):
        counts = game.rules.notation.counts
        return sum(abs(a - b) for a, b in zip(counts(code), counts(other), strict=True))
    return 1


def _describe(
    game: Game, rows: list[tuple[int, int]], changed: int, row: int, instead: int, candidates: int
) -> Blame:
    guess, code = rows[row]
    word, notation = game.guesses[guess], game.rules.notation
    shown, other = notation.show(code), notation.show(instead)
    places: tuple[int, ...] = ()
    if isinstance(notation, MarkNotation):
        marks, wanted = notation.marks(code), notation.marks(instead)
        places = tuple(i for i, (a, b) in enumerate(zip(marks, wanted, strict=True), 1) if a != b)
        if changed <= 2:
            what = " and ".join(
                f"letter {i}, {word[i - 1].upper()},"
                f" were {_MARKS[wanted[i - 1]]} instead of {_MARKS[marks[i - 1]]}"
                for i in places
            )
        else:
            what = f"it had got {other} instead of {shown}"
    else:
        what = f"it had got {other} instead of {shown}"
    words = "1 word" if candidates == 1 else f"{candidates} words"
    return Blame(
        row + 1,
        word,
        shown,
        other,
        places,
        tuple(word[i - 1] for i in places),
        changed,
        candidates,
        f"row {row + 1}, {word}: {words} would fit if {what}",
    )

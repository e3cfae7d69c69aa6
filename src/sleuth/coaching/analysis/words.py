"""The words that are left in a position, and what each takes when it is guessed next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sleuth.coaching.hosts import Lied, blows_of
from sleuth.coaching.solving import evened
from sleuth.coaching.weighing.candidates import EXACT_UP_TO, exact_values, may_be_made
from sleuth.games.frontier import Indices
from sleuth.games.position import Position
from sleuth.games.strategy import Certainty, describe

# Pairs of a word and a candidate up to which every word is estimated.
_MOST_PAIRS = 30_000_000


@dataclass(frozen=True)
class WordLeft:
    """A word that may be the answer.

    Attributes:
        word: the word.
        chance: how likely it is the answer.
        expected_guesses: guesses that are expected when it is guessed next; None where nothing is known.
        kind: what that number is.

    """

    word: str
    chance: float
    expected_guesses: float | None
    kind: Certainty

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return vars(self).copy()


def words_left(
    position: Position, offset: int = 0, limit: int | None = None, seconds: float = 1.0
) -> list[WordLeft]:
    """Return the words that are left, the likeliest first, equals in the order of the list.

    Their values are exact where all of a few words can be solved in time, else estimates; they are of
    one kind, so that they can be compared. limit: how many from `offset` on; None is all. seconds: for exact
    play.
    """
    position = evened(position)
    order = np.argsort(-position.weights, kind="stable")
    end = None if limit is None else offset + limit
    chosen = order[slice(offset, end)]
    answers, chances = position.candidates[chosen], position.weights[chosen]
    guesses = position.game.answer_guess[answers]
    values = exact_values(position, guesses, seconds)
    kind: Certainty = "estimate" if values is None else "proved"
    values = _estimates(position, guesses) if values is None else values
    rows = zip(answers.tolist(), chances.tolist(), values, strict=True)
    return [WordLeft(position.game.answers[a], chance, value, kind) for a, chance, value in rows]


def words_against_host(
    position: Position, offset: int = 0, limit: int | None = None, seconds: float = 1.0
) -> list[WordLeft]:
    """Return the words that the host of Absurdle keeps, as words_left does, by what beats it.

    Of many words nothing is worked out.
    """
    end = None if limit is None else offset + limit
    answers = position.candidates[offset:end]
    guesses = position.game.answer_guess[answers]
    made = [guess for guess in guesses.tolist() if may_be_made(position, guess)]
    known = blows_of(position, made, seconds) if 0 < len(made) <= EXACT_UP_TO else {}
    found = []
    for answer, guess, chance in zip(
        answers.tolist(), guesses.tolist(), position.weights[offset:end].tolist(), strict=True
    ):
        one = known.get(guess)
        value = None if one is None else one.expected_guesses
        kind: Certainty = "estimate" if one is None else one.kind
        found.append(WordLeft(position.game.answers[answer], chance, value, kind))
    return found


def words_through_lies(at: Lied, offset: int = 0, limit: int | None = None) -> list[WordLeft]:
    """Return the words that may be the answer of a game of Fibble, as words_left does, with estimates."""
    end = None if limit is None else offset + limit
    chosen = at.likeliest[offset:end]
    guesses = [at.belief.game.find(word) for word, _ in chosen]
    values = at.estimates(guesses)
    return [
        WordLeft(word, chance, value if np.isfinite(value) else None, "estimate")
        for (word, chance), value in zip(chosen, values, strict=True)
    ]


def _estimates(position: Position, guesses: Indices) -> list[float | None]:
    """Return the estimate of each guess, None for no guess, and for all where there are too many."""
    made = [guess for guess in guesses.tolist() if may_be_made(position, guess)]
    if len(made) * len(position.candidates) > _MOST_PAIRS:
        return [None] * len(guesses)
    known = {
        position.game.guess_index[one.guess]: one.expected_guesses
        for one in describe(position, np.array(made, np.int32))
    }
    found = (known.get(guess, np.inf) for guess in guesses.tolist())
    return [value if np.isfinite(value) else None for value in found]

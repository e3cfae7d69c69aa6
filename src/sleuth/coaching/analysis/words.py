"""The words that are left in a position, and what each takes when it is guessed next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sleuth.coaching import book
from sleuth.coaching.hosts import Lied, blows_of
from sleuth.coaching.solving import evened
from sleuth.coaching.weighing.candidates import EXACT_UP_TO, exact_values, may_be_made
from sleuth.games.position import Position
from sleuth.games.strategy import Certainty, Suggestion


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

    Their values are exact where all of a few words can be solved in time, else those of the openers of the
    book, and None for words that were not searched: an estimate might contradict what is proved. limit: how
    many from `offset` on; None is all. seconds: for exact play.
    """
    position = evened(position)
    order = np.argsort(-position.weights, kind="stable")
    end = None if limit is None else offset + limit
    chosen = order[slice(offset, end)]
    answers, chances = position.candidates[chosen], position.weights[chosen]
    guesses = position.game.answer_guess[answers]
    values = exact_values(position, guesses, seconds)
    words = [position.game.answers[answer] for answer in answers]
    if values is not None:
        rows = zip(words, chances.tolist(), values, strict=True)
        return [WordLeft(word, chance, value, "proved") for word, chance, value in rows]
    known, found = _of_the_book(position), []
    for word, chance, guess in zip(words, chances.tolist(), guesses.tolist(), strict=True):
        one = known.get(guess)
        number: tuple[float | None, Certainty] = (
            (None, "estimate") if one is None else (one.expected_guesses, one.kind)
        )
        found.append(WordLeft(word, chance, *number))
    return found


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


def _of_the_book(position: Position) -> dict[int, Suggestion]:
    """Return what the book has of openers that were counted, by index; nothing past the first move."""
    found = book.openers(position.game) if position.turn == 1 else ()
    return {position.game.find(one.guess): one for one in found if one.kind != "estimate"}

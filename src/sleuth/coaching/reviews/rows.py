"""The rows of a finished game: read, checked against the answer, and followed position by position."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np

from sleuth.games.feedback import typed
from sleuth.games.game import Game
from sleuth.games.position import Position, Row
from sleuth.games.rules import WordleRules
from sleuth.support.errors import ContradictionError, FeedbackError, UnknownGuessError, about_row

Played = tuple[int, int]
"""A guess, by index, and the code that it got."""


def read_rows(game: Game, rows: Iterable[Row | str], answer: str | None = None) -> list[Played]:
    """Return the rows of a game; with an answer, rows may be bare guesses, and what they got is computed.

    rows: ("salet", "bbybb") or "salet:bbybb", or "salet" where the answer is given. Raises
    UnknownGuessError, FeedbackError, and ContradictionError naming the row that the answer does not fit.
    """
    secret = None if answer is None else find_answer(game, answer)
    read: list[Played] = []
    for number, row in enumerate(rows, 1):
        with about_row(number):
            guess, code = _read(game, number, row, secret)
            if read and read[-1][1] == game.solved:
                raise FeedbackError(
                    f"row {number - 1} is right: the game is over, and row {number} comes after it"
                )
        read.append((guess, code))
    if not read:
        raise FeedbackError(
            f"there is no row to review; give rows such as {game.guesses[0]}:{game.rules.notation.example}"
        )
    return read


def _read(game: Game, number: int, row: Row | str, secret: str | None) -> Played:
    """Return row `number`; secret: the answer, where it is known. Raises as read_rows does."""
    word, shown = _parts(row)
    guess = game.find(word)
    code = None if shown is None else game.rules.notation.parse(shown)
    if secret is not None:
        right = game.rules.code(game.guesses[guess], secret)
        if code is not None and code != right:
            raise ContradictionError(
                f"row {number}: {game.guesses[guess]} would have got {typed(game.rules.notation, right)},"
                f" not {typed(game.rules.notation, code)}, if {secret} is the answer"
            )
        code = right
    if code is None:
        example = f"{word}:{game.rules.notation.example}"
        raise FeedbackError(
            f"row {number} is {word!r} alone: give what it got, such as {example}, or the answer"
        )
    return guess, code


def positions(game: Game, read: Sequence[Played]) -> list[Position]:
    """Return the position before each row and the one after the last.

    Where no listed answer fits any longer, the candidates widen to all guesses that do, from there on.
    Raises ContradictionError naming the row that nothing fits, FeedbackError where a row is not legal, or
    comes after the only answer left, which no guess can name.
    """
    found = [Position.start(game)]
    for row, (guess, code) in enumerate(read, 1):
        with about_row(row):
            if is_found(found[-1]):
                raise FeedbackError(
                    f"row {row} comes after the end: {found[-1].words[0]} was the only answer left, and no"
                    " guess can name it"
                )
            found.append(after(found[-1], game, read[: row - 1], guess, code))
    return found


def after(position: Position, game: Game, before: Sequence[Played], guess: int, code: int) -> Position:
    """Return the position after one more row. before: the rows that led to it, in the game as it began."""
    try:
        return position.after(guess, code)
    except ContradictionError:
        if position.widened:
            raise
        show = game.rules.notation.show
        return Position.after_rows(game, [(game.guesses[g], show(c)) for g, c in [*before, (guess, code)]])


def is_found(position: Position) -> bool:
    """Say whether one answer is left that no guess can name: it counts as found."""
    lone = len(position.candidates) == 1
    return lone and bool(position.game.answer_guess[position.candidates[0]] < 0)


def keeps_hard_mode(game: Game, read: Sequence[Played]) -> list[bool] | None:
    """Say of each row whether hard mode allows it after the rows before; None where there is no such mode."""
    if not isinstance(game.rules, WordleRules):
        return None
    words = [game.guesses[guess] for guess, _ in read]
    as_answers = game.rules.codes(words, words)
    kept = np.ones(len(words), bool)
    for row, (_, code) in enumerate(read):
        kept[row + 1 :] &= game.rules.uses(words[row], code, as_answers[row, row + 1 :])
    return [bool(legal) for legal in kept]


def _parts(row: Row | str) -> tuple[str, str | None]:
    """Return the guess of a row, and what it got where that is given."""
    if not isinstance(row, str):
        return str(row[0]), str(row[1])
    guess, colon, shown = row.partition(":")
    return guess.strip(), shown if colon else None


def find_answer(game: Game, answer: str) -> str:
    """Return an answer as the game writes it; a guess that no list of answers has may be one too.

    Raises UnknownGuessError.
    """
    plain = unicodedata.normalize("NFC", answer.strip().lower())
    for word in (answer, plain):
        if word in game.answers or word in game.guess_index:
            return word
    try:
        return game.guesses[game.find(answer)]
    except UnknownGuessError as error:
        raise UnknownGuessError(f"the answer: {error}") from None

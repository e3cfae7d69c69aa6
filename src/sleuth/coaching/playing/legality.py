"""Why a guess is not legal, in words: what the kernels know as a rule on codes (kernels/legality.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sleuth.games.feedback import MarkNotation

if TYPE_CHECKING:
    from sleuth.games.game import Game

_TIMES = {1: "", 2: " twice", 3: " three times"}


def objection(game: Game, rows: Iterable[tuple[str, int]], guess: str) -> str | None:
    """Return why the mode forbids a guess after rows of guesses and codes, None where it does not."""
    if game.mode == "easy":
        return None
    for number, (earlier, code) in enumerate(rows, 1):
        would = game.rules.code(earlier, guess)
        if would == code:
            continue
        if game.mode == "strict":
            show = game.rules.notation.show
            return (
                f"{guess} is not legal in strict mode: were it the answer, row {number}, {earlier},"
                f" would have got {show(would)}, not {show(code)}"
            )
        missing = _missing(game, earlier, code, guess)
        if missing:
            return f"{guess} is not legal in hard mode: row {number}, {earlier}, {missing}"
    return None


def _missing(game: Game, earlier: str, code: int, guess: str) -> str | None:
    """Return the first hint of a row that a guess does not use, greens first."""
    notation = game.rules.notation
    assert isinstance(notation, MarkNotation)  # games without marks have no hard mode
    marks = notation.marks(code)
    for place, (letter, mark) in enumerate(zip(earlier, marks, strict=True)):
        if mark == 2 and guess[place] != letter:
            return f"has {letter.upper()} green in place {place + 1}, where it must stay"
    for letter in dict.fromkeys(earlier):
        hinted = sum(mark > 0 for other, mark in zip(earlier, marks, strict=True) if other == letter)
        if guess.count(letter) < hinted:
            times = _TIMES.get(hinted, f" {hinted} times")
            return f"shows that {letter.upper()} is in the word{times}, so it must be used{times}"
    return None

"""A shared grid and the words that go with it, as a person pastes them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from sleuth.games.game import Game
from sleuth.games.position import Row
from sleuth.games.rules import PegRules, WordleRules
from sleuth.support.errors import FeedbackError

_NUMBER = re.compile(r"^\s*\d{1,2}[.):]\s+")
MOST_ROWS = 32


def read_share(game: Game, text: str, words: Sequence[str] = ()) -> list[Row | str]:
    """Return the rows of a pasted text, for review.

    text: a grid of coloured squares among lines of anything else. The words stand on the grid's lines or on
    lines of their own, or are given as `words`. Rows such as "salet:bbybb" or "salet bbybb" are read too, and
    rows may be numbered. Words without colours are returned alone, which takes an answer to review. Raises
    FeedbackError that says what is missing.
    """
    lines = [_NUMBER.sub("", unicodedata.normalize("NFC", line)) for line in text.splitlines()]
    if any(_written(game, line) is not None for line in lines):
        mixed = (_written(game, line) or _lone(game, line) for line in lines)
        return [*(row for row in mixed if row is not None), *words]
    grid = [(line, shown) for line in lines if (shown := _squares(game, line)) is not None]
    beside = [_words(game, line) for line, _ in grid]
    if not words and grid and all(len(found) == 1 for found in beside):
        words = [found[0] for found in beside]
    elif not words:
        # A line of prose may hold a word of the game; a line of words is nothing else.
        words = [
            word
            for line in lines
            if line.split() and len(found := _words(game, line)) == len(line.split())
            for word in found
        ]
    if not grid and not words:
        raise FeedbackError(
            "the text has no row of coloured squares and no words; paste a grid and its words, such as"
            f" {game.guesses[0]} ⬛🟨⬛⬛🟩, one row a line"
        )
    if grid and len(grid) != len(words):
        rows = f"{len(grid)} {'row' if len(grid) == 1 else 'rows'}"
        named = f": {', '.join(words)}" if words else ""
        raise FeedbackError(
            f"the grid has {rows} and {len(words) or 'no'} {'word' if len(words) == 1 else 'words'} came with"
            f" it{named}; give the word of each row, on its line or after the grid"
        )
    return [(word, shown) for word, (_, shown) in zip(words, grid, strict=True)] if grid else list(words)


def read_grid(game: Game, text: str) -> list[tuple[int, str | None]]:
    """Return the rows of a pasted grid whose words may be missing: each code, and the word beside it if any.

    Rows are squares, or lines of nothing but letters or digits such as bbybb, and "salet bbybb" where the
    word is known. Raises FeedbackError where there is no row, or more than MOST_ROWS.
    """
    found: list[tuple[int, str | None]] = []
    for line in (_NUMBER.sub("", unicodedata.normalize("NFC", line)) for line in text.splitlines()):
        word, shown = _grid_row(game, line)
        if shown is not None:
            found.append((game.rules.notation.parse(shown), word))
    if not found:
        raise FeedbackError(
            f"the text has no row of coloured squares or letters for the {game.listed}, such as"
            f" {game.rules.notation.example}; paste one row a line"
        )
    if len(found) > MOST_ROWS:
        raise FeedbackError(f"the grid has {len(found)} rows; {MOST_ROWS} are read at most")
    return found


def _grid_row(game: Game, line: str) -> tuple[str | None, str | None]:
    """Return the word of a line and the feedback that it shows, None where there is none."""
    written = _written(game, line)
    if written is not None:
        return written
    shown = _squares(game, line)
    if shown is not None:
        words = _words(game, line)
        return (words[0] if len(words) == 1 else None), shown
    bare = line.strip()
    if not bare.isascii() or bare.lower() in game.guess_index:
        return None, None
    try:
        game.rules.notation.parse(bare)
    except FeedbackError:
        return None, None
    return None, bare


def _written(game: Game, line: str) -> Row | None:
    """Return the row that a line is, guess and feedback in letters or digits, if it is one."""
    guess, _, shown = line.strip().replace(":", " ", 1).partition(" ")
    if guess.lower() not in game.guess_index or not shown.strip().isascii():
        return None
    # Two words of the game, side by side, are words.
    if shown.strip().lower() in game.guess_index and ":" not in line:
        return None
    try:
        game.rules.notation.parse(shown)
    except FeedbackError:
        return None
    return guess, shown.strip()


def _lone(game: Game, line: str) -> str | None:
    """Return the word that a line is, if it is one."""
    found = _words(game, line)
    return found[0] if len(found) == len(line.split()) == 1 else None


def _squares(game: Game, line: str) -> str | None:
    """Return the feedback that a line of a grid shows, or None where it shows none."""
    found = [c for c in line if unicodedata.category(c) == "So"]
    if isinstance(game.rules, PegRules):
        signs = "⚫⚪"[: len(game.rules.notation.kinds)]
        if len(found) != game.rules.pegs or not set(found) <= {*signs, "➖"}:
            return None
        return ",".join(str(found.count(sign)) for sign in signs)
    if not isinstance(game.rules, WordleRules) or len(found) != game.rules.length:
        return None
    shown = "".join(found)
    try:
        game.rules.notation.parse(shown)
    except FeedbackError:
        return None
    return shown


def _words(game: Game, line: str) -> list[str]:
    """Return the words of a line that are guesses of the game."""
    tokens = ("".join(c for c in token if c.isalnum()).lower() for token in line.split())
    return [token for token in tokens if token in game.guess_index]

"""Pasted grids without words: which words fit each row, and which answers fit them all."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.coaching.reviews.rows import find_answer
from sleuth.coaching.reviews.share import read_grid
from sleuth.games.codes import Codes
from sleuth.games.feedback import typed
from sleuth.games.game import Game
from sleuth.games.priors import by_frequency, uniform
from sleuth.games.rules import WordleRules
from sleuth.games.wordlists import LONGEST, SHORTEST
from sleuth.support.errors import (
    ContradictionError,
    FeedbackError,
    SleuthError,
    UnknownGuessError,
    WordListError,
    about_row,
)

LISTED = 50
"""The most words that are named of a row, or of the answers."""
# Feedback in letters or digits, perhaps after a number or a word.
_LETTERS = re.compile(r"\s*(?:[\w.)]+[\s:]+)?([byg]{2,}|[012]{2,})\s*", re.IGNORECASE)
# Codes that are looked at at once: so few that they stay in the cache, which is six times as fast.
_CELLS = 2**18
Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Fitting:
    """Words that fit.

    Attributes:
        count: how many there are.
        words: the likeliest of them, the likeliest first.

    """

    count: int
    words: tuple[str, ...]

    @classmethod
    def of(cls, words: tuple[str, ...], likely: Weights) -> Fitting:
        """Return the words of positive weight. likely: float64 [words]."""
        order = np.argsort(-likely, kind="stable")
        count = int(np.count_nonzero(likely > 0))
        return cls(count, tuple(words[w] for w in order[: min(count, LISTED)].tolist()))


@dataclass(frozen=True)
class Fit:
    """Whether a grid may be of a game, and of which words.

    Attributes:
        why: why it cannot be, None where it can.
        answers: the answers that fit all rows.
        rows: of each row its feedback, and the guesses that fit it where the answer is one of these.

    """

    why: str | None
    answers: Fitting
    rows: tuple[tuple[str, Fitting], ...]

    @property
    def fits(self) -> bool:
        """Whether the grid may be of the game."""
        return self.why is None

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "fits": self.fits,
            "why": self.why,
            "answers": {"count": self.answers.count, "words": list(self.answers.words)},
            "rows": [
                {"feedback": feedback, "count": fitting.count, "words": list(fitting.words)}
                for feedback, fitting in self.rows
            ],
        }


def fit(game: Game, text: str, answer: str | None = None) -> Fit:
    """Return which words of a game fit a pasted grid, with the answer or without.

    text: rows of squares, letters or digits, among lines of anything else; a word beside its row is kept to.
    People are taken to guess words as often as they are written. Raises FeedbackError where the text has no
    grid or too long a one.
    """
    grid = read_grid(game, text)
    shown = [typed(game.rules.notation, code) for code, _ in grid]
    try:
        codes, answers, likely = _against(game, answer)
        made = [_made(game, number, word) for number, (_, word) in enumerate(grid, 1)]
        masses: list[Weights] = []
        for number, ((code, _), weights) in enumerate(zip(grid, made, strict=True), 1):
            if number > 1 and grid[number - 2][0] == game.solved:
                raise FeedbackError(f"row {number - 1} is right, so row {number} cannot come after it")
            masses.append(_mass(codes, code, weights))
            likely = likely * masses[-1]
            if not likely.any():
                raise ContradictionError(_why(game, number, answer))
            likely /= likely.sum()
    except SleuthError as error:
        none = Fitting(0, ())
        return Fit(str(error), none, tuple((feedback, none) for feedback in shown))
    rows = []
    for feedback, (code, _), weights, mass in zip(shown, grid, made, masses, strict=True):
        share = np.divide(likely, mass, out=np.zeros_like(likely), where=likely > 0)
        fits = weights * _shares(codes, code, share)
        rows.append((feedback, Fitting.of(game.guesses, fits)))
    return Fit(None, Fitting.of(answers, likely), tuple(rows))


def length_of(text: str) -> int | None:
    """Return how long the words of a grid are: the length of most of its rows, None where it is one of pegs.

    Raises FeedbackError where there is no grid.
    """
    lengths: Counter[int | None] = Counter()
    for line in text.splitlines():
        squares = sum(unicodedata.category(character) == "So" for character in line)
        if any(peg in line for peg in "⚫⚪"):
            lengths[None] += 1
        elif squares:
            lengths[squares] += 1
        elif found := _LETTERS.fullmatch(line):
            lengths[len(found[1])] += 1
    likely = [
        length for length, _ in lengths.most_common() if length is None or SHORTEST <= length <= LONGEST
    ]
    if not likely:
        raise FeedbackError(
            "the text has no row of coloured squares and none of letters, such as ⬛🟨⬛⬛🟩 or bybbg;"
            " paste one row a line"
        )
    return likely[0]


def _against(game: Game, answer: str | None) -> tuple[Codes, tuple[str, ...], Weights]:
    """Return the codes of all guesses, [guesses, answers], those answers, and how likely each is.

    Raises UnknownGuessError for an answer that is none.
    """
    if answer is None:
        return game.feedback, game.answers, game.prior
    secret = find_answer(game, answer)
    if secret not in game.answers:
        raise UnknownGuessError(f"{secret} may be guessed, but is no answer among the {game.listed}")
    return game.rules.codes(game.guesses, [secret]), (secret,), np.ones(1)


def _made(game: Game, number: int, word: str | None) -> Weights:
    """Return how likely each guess was made in a row, float64 [guesses]. Raises UnknownGuessError."""
    if word is None:
        return _frequencies(game)
    weights = np.zeros(len(game.guesses))
    with about_row(number):
        weights[game.find(word)] = 1.0
    return weights


@lru_cache(maxsize=8)
def _frequencies(game: Game) -> Weights:
    """Return how likely people guess each word, float64 [guesses]: as often as it is written, where known."""
    if not isinstance(game.rules, WordleRules):
        return uniform(len(game.guesses))
    language = re.search(r"frequent:(\w+):", game.name)
    try:
        return by_frequency(game.guesses, language[1] if language else "en")
    except WordListError:
        return uniform(len(game.guesses))


def _mass(codes: Codes, code: int, weights: Weights) -> Weights:
    """Return how likely a guess gets a code with each answer, float64 [answers]."""
    found = np.zeros(codes.shape[1])
    for part in _parts(*codes.shape):
        found += weights[part].astype(np.float32) @ _equal(codes[part], code)
    return found


def _shares(codes: Codes, code: int, likely: Weights) -> Weights:
    """Return the sum of what is likely over the answers with which each guess gets a code, [guesses]."""
    found = np.empty(codes.shape[0])
    for part in _parts(*codes.shape):
        found[part] = _equal(codes[part], code) @ likely.astype(np.float32)
    return found


def _equal(codes: Codes, code: int) -> NDArray[np.float32]:
    """Return 1 where codes are a code, else 0."""
    return np.equal(codes, code, out=np.empty(codes.shape, np.float32), casting="unsafe")


def _parts(rows: int, columns: int) -> Iterator[slice]:
    """Yield slices of rows with so few cells each as are looked at at once."""
    step = max(1, _CELLS // max(1, columns))
    for begin in range(0, rows, step):
        yield slice(begin, begin + step)


def _why(game: Game, number: int, answer: str | None) -> str:
    """Return why nothing fits any longer with row `number`."""
    if answer is not None:
        return (
            f"row {number}: none of the {game.listed} gets that when {answer.strip().lower()} is the answer"
        )
    before = " together with the rows before it" if number > 1 else ""
    return f"row {number}: no answer among the {game.listed} fits it{before}"

"""Wordle: words of one length, feedback for each letter."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sleuth.games import wordlists
from sleuth.games.game import Game, Mode
from sleuth.games.priors import uniform
from sleuth.games.rules import WordleRules


def wordle(
    words: str | wordlists.WordList | Iterable[str] = "original",
    *,
    prior: NDArray[np.float64] | None = None,
    max_turns: int = 6,
    mode: Mode = "easy",
) -> Game:
    """Return Wordle on a named list, on one read from files (wordlists.read), or on words of your own.

    prior: float64 [answers] in the order of the list, sum 1; None is uniform. Raises SleuthError.

    >>> wordle("original").guesses[:3]
    ('aahed', 'aalii', 'aargh')
    """
    if isinstance(words, str):
        listed = wordlists.load(words)
    else:
        listed = words if isinstance(words, wordlists.WordList) else wordlists.from_words(words)
    return Game(
        f"wordle ({listed.name})",
        WordleRules(listed.length),
        listed.guesses,
        listed.answers,
        uniform(len(listed.answers)) if prior is None else prior,
        max_turns,
        mode,
        listed.notes,
    )

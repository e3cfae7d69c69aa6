"""Wordle: words of one length, feedback for each letter."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sleuth.games import wordlists
from sleuth.games.game import Game, Mode
from sleuth.games.priors import normalise, uniform
from sleuth.games.rules import WordleRules
from sleuth.support.errors import WordListError


def wordle(
    words: str | wordlists.WordList | Iterable[str] = "original",
    *,
    prior: NDArray[np.float64] | None = None,
    max_turns: int = 6,
    mode: Mode = "easy",
) -> Game:
    """Return Wordle on a named list, on one read from files (wordlists.read), or on words of your own.

    prior: nonnegative weights [answers], None is uniform. They belong to words of your own in the order that
    these are given in, and to the words of a list in its alphabetical order (WordList.answers); a pandas
    Series is read by position, whatever its labels. Raises SleuthError.

    >>> wordle("original").guesses[:3]
    ('aahed', 'aalii', 'aargh')
    >>> game = wordle(["zebra", "apfel", "birne"], prior=[2, 1, 1])
    >>> game.answers, game.prior
    (('apfel', 'birne', 'zebra'), array([0.25, 0.25, 0.5 ]))
    """
    if isinstance(words, str):
        listed = wordlists.load(words)
    elif isinstance(words, wordlists.WordList):
        listed = words
    else:
        given = list(words)
        listed = wordlists.from_words(given)
        if prior is not None:
            if isinstance(words, set | frozenset):
                raise WordListError("words in a set have no order for weights to follow; give a list")
            order = sorted(range(len(given)), key=lambda i: wordlists.canonical(given[i]))
            prior = normalise(prior, len(given))[order]
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

"""Games to learn from, drawn anew: lists of words in six languages and of three to eight letters, and pegs.

What a player is judged by is drawn from no more than its kind: German, English, Polish and Russian are never
drawn, nor are some sizes of Mastermind (HELD_OUT), nor Bulls and Cows of three digits.
"""

from __future__ import annotations

from functools import cache
from math import exp, log
from typing import NamedTuple

import numpy as np

from sleuth.games.game import Game
from sleuth.games.pegs import mastermind
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import WordList, from_words, load

LANGUAGES = ("es", "fr", "it", "nl", "pt", "sv")
LENGTHS = range(3, 9)
# Answers of a list, and the words of a language and length that they are drawn from.
_LEAST, _MOST, _DRAWN_FROM = 100, 700, 4000
# The part of lists that allow other guesses, too, and of games that are lists.
_WIDER, _WORDS = 0.5, 0.6
# Far more than any player takes: a game that is lost teaches nothing.
_TURNS = 30


class Size(NamedTuple):
    """A size of Mastermind."""

    pegs: int
    colours: int
    repeats: bool = True
    black: bool = False


HELD_OUT = (Size(4, 6), Size(5, 4), Size(3, 9), Size(4, 7, repeats=False), Size(3, 10, repeats=False))
# Where feedback says little, as of two pegs or of black pegs alone, the teacher takes minutes for a game.
SIZES = (
    *(Size(2, colours) for colours in (6, 8, 10)),
    *(Size(3, colours) for colours in range(4, 9)),
    *(Size(4, colours) for colours in range(3, 6)),
    Size(5, 3),
    Size(6, 3),
    Size(7, 2),
    Size(8, 2),
    *(Size(3, colours, repeats=False) for colours in range(6, 10)),
    *(Size(4, colours, repeats=False) for colours in range(5, 7)),
    *(Size(3, colours, black=True) for colours in (4, 5)),
    Size(4, 3, black=True),
)


def draw(rng: np.random.Generator) -> Game:
    """Return a game to learn from."""
    if rng.random() < _WORDS:
        return _words(rng)
    pegs, colours, repeats, black = SIZES[rng.integers(len(SIZES))]
    return mastermind(pegs, colours, repeats=repeats, black=black, max_turns=_TURNS)


def _words(rng: np.random.Generator) -> Game:
    language = LANGUAGES[rng.integers(len(LANGUAGES))]
    words = _frequent(language, int(rng.choice(LENGTHS))).answers
    count = min(len(words), round(exp(rng.uniform(log(_LEAST), log(_MOST)))))
    order = [words[place] for place in rng.permutation(len(words))]
    more = round(count * rng.uniform(0, 2)) if rng.random() < _WIDER else 0
    return wordle(from_words(order[:count], order[: count + more]), max_turns=_TURNS)


@cache
def _frequent(language: str, length: int) -> WordList:
    return load(f"frequent:{language}:{length}:{_DRAWN_FROM}")

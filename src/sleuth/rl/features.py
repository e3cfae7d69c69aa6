"""Document 003's features: what the feedback told of each letter, the turn, and words letter by letter."""

from __future__ import annotations

import string
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sleuth.errors import SleuthError
from sleuth.frontier import Indices
from sleuth.games.game import Game
from sleuth.games.rules import WordleRules

ALPHABET = len(string.ascii_lowercase)


@lru_cache(maxsize=4)
def rules_of(game: Game) -> WordleRules:
    """Return the rules of a game that has these features. Raises SleuthError for any other."""
    if not isinstance(game.rules, WordleRules) or game.mode != "easy":
        raise SleuthError(f"document 003's player plays words in easy mode, not {game.name}, {game.mode}")
    odd = next((word for word in game.guesses if not set(word) <= set(string.ascii_lowercase)), None)
    if odd is not None:
        raise SleuthError(f"document 003's player knows the letters a to z, and {odd!r} has others")
    return game.rules


def state_size(game: Game) -> int:
    """Return the number of features of a state: 26 letters of 1 + 2 * length, and the turns (292)."""
    return ALPHABET * (1 + 2 * rules_of(game).length) + game.max_turns


@lru_cache(maxsize=4)
def letters(game: Game) -> Indices:
    """Return the letters of every guess, int32 [guesses, length], 0 for a."""
    length = rules_of(game).length
    points = np.array(game.guesses, f"U{length}").view(np.uint32).reshape(len(game.guesses), length)
    return (points - ord("a")).astype(np.int32)


def action_features(game: Game) -> NDArray[np.float32]:
    """Return float32 [guesses, length * 26]: for each place, which letter stands there (130)."""
    hot: NDArray[np.float32] = np.eye(ALPHABET, dtype=np.float32)[letters(game)]
    return hot.reshape(len(game.guesses), -1)


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What the rows so far told of each letter, in many games of the same turn.

    What follows from several rows together is concluded too: a letter known to come twice with two places
    left is known to stand there. The word list is not looked at.

    Attributes:
        known: uint8 [games, 26, 1 + 2 * length]: of each letter the least number of times it occurs, the
            places where it does, and those where it does not.
        most: uint8 [games, 26]: the most times it may occur; no feature, but conclusions are drawn from it.

    """

    known: NDArray[np.uint8]
    most: NDArray[np.uint8]

    @classmethod
    def start(cls, game: Game) -> Knowledge:
        """Return what is known before the first guess, of one game: nothing."""
        length = rules_of(game).length
        return cls(
            np.zeros((1, ALPHABET, 1 + 2 * length), np.uint8), np.full((1, ALPHABET), length, np.uint8)
        )

    def after(self, game: Game, which: NDArray[np.int64], guesses: Indices, codes: Indices) -> Knowledge:
        """Return what is known in games `which`, int64 [n], after guesses and codes, int32 [n]."""
        from sleuth.kernels.knowledge import learn

        known, most = self.known[which], self.most[which]
        learn(known, most, letters(game)[guesses], rules_of(game).digits[codes])
        return Knowledge(known, most)

    def features(self, turn: int, max_turns: int) -> NDArray[np.float32]:
        """Return float32 [games, 26 * (1 + 2 * length) + max_turns]: the letters, then the turn, one-hot.

        Turns after the last have the features of the last.
        """
        out = np.zeros((len(self.known), self.known[0].size + max_turns), np.float32)
        out[:, : self.known[0].size] = self.known.reshape(len(self.known), -1)
        out[:, self.known[0].size + min(turn, max_turns) - 1] = 1.0
        return out

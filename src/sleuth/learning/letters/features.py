"""Weaver's features: what the feedback told of each letter, the turn, and words letter by letter."""

from __future__ import annotations

import string
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.rules import FEW_LETTERS, WordleRules
from sleuth.support.errors import StrategyError

ALPHABET = len(string.ascii_lowercase)


@lru_cache(maxsize=4)
def rules_of(game: Game) -> WordleRules:
    """Return the rules of a game that has these features. Raises StrategyError for any other."""
    if not isinstance(game.rules, WordleRules):
        raise StrategyError(f"this player plays games of words, not {game.name}")
    if game.rules.length > FEW_LETTERS:
        raise StrategyError(
            f"this player knows words of up to {FEW_LETTERS} letters, and those of {game.name} have"
            f" {game.rules.length}"
        )
    words = chain(game.guesses, game.answers)
    odd = next((word for word in words if not set(word) <= set(string.ascii_lowercase)), None)
    if odd is not None:
        raise StrategyError(f"this player knows the letters a to z, and {odd!r} has others")
    return game.rules


def state_size(game: Game) -> int:
    """Return the number of features of a state: 26 letters of 1 + 2 * length, and the turns (292)."""
    return ALPHABET * (1 + 2 * rules_of(game).length) + game.max_turns


@lru_cache(maxsize=4)
def letters(game: Game) -> Indices:
    """Return the letters of every guess, int32 [guesses, length], 0 for a."""
    return spelled(game.guesses, rules_of(game).length)


def spelled(words: Sequence[str], length: int) -> Indices:
    """Return the letters of words of one length from a to z, int32 [words, length], 0 for a."""
    points = np.array(words, f"U{length}").view(np.uint32).reshape(len(words), length)
    return (points - ord("a")).astype(np.int32)


def action_features(game: Game) -> NDArray[np.float32]:
    """Return float32 [guesses, length * 26]: for each place, which letter stands there (130)."""
    hot: NDArray[np.float32] = np.eye(ALPHABET, dtype=np.float32)[letters(game)]
    return hot.reshape(len(game.guesses), -1)


def knowledge(frontier: Frontier) -> NDArray[np.uint8]:
    """Return what rows told of each letter, uint8 [sets, 26, 1 + 2 * length].

    That is the least number of times it occurs, the places where it does, and those where it does not. What
    follows from several rows together is concluded too: a letter known to come twice with two places left is
    known to stand there. The word list is not looked at. Raises StrategyError for sets whose rows are not
    known, and see rules_of.
    """
    from sleuth.kernels.knowledge import learn

    game, rules = frontier.game, rules_of(frontier.game)
    if frontier.rows is None:
        raise StrategyError("Weaver's player needs the rows that led to a position, and has none")
    known = np.zeros((len(frontier), ALPHABET, 1 + 2 * rules.length), np.uint8)
    # No feature, but conclusions are drawn from how often a letter may occur at most.
    most = np.full((len(frontier), ALPHABET), rules.length, np.uint8)
    for guesses, codes in frontier.rows.transpose(1, 2, 0):
        learn(known, most, letters(game)[guesses], rules.digits[codes])
    return known


def state_features(frontier: Frontier) -> NDArray[np.float32]:
    """Return float32 [sets, 26 * (1 + 2 * length) + max_turns]: the letters, then the turn, one-hot.

    Turns after the last have the features of the last. Raises StrategyError, see knowledge.
    """
    known = knowledge(frontier).reshape(len(frontier), -1)
    turns = np.zeros((len(frontier), frontier.game.max_turns), np.float32)
    turns[:, min(frontier.turn, frontier.game.max_turns) - 1] = 1.0
    return np.concatenate([known, turns], axis=1)

"""The best guesses where there are too many pairs of guess and answer to look at all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.strategy import BatchStrategy, Player, choose
from sleuth.strategies.heuristics import ExpectedGuesses, Heuristic, InformationGain, best_of_many
from sleuth.support.errors import GameTooLargeError

MOST_PAIRS = 2**28
"""Pairs of guess and answer up to which all are looked at, in a second or two."""
_PAIRS = 2**26
_KEPT = 256
"""Guesses that a round keeps at most, and the share of those that it looked at."""
_SHARE = 16


def is_long(game: Game) -> bool:
    """Say whether advice does without the feedback of the whole game, which takes too long or much room."""
    return game.is_large or len(game.guesses) * len(game.answers) > MOST_PAIRS


def sampled_best(position: Position, k: int) -> Indices:
    """Return the k guesses of a position best by expected-guesses, int32, of those that a sample finds good.

    In rounds: the guesses that tell most of a sample of the answers are kept, and looked at with a larger
    sample, until so few are left that they are compared over all answers (successive halving, Karnin et al.
    2013, with guesses for arms). The answers of a sample are evenly spaced in the list by their weights. All
    pairs are looked at where there are few.
    """
    game = position.game
    guesses = np.arange(len(game.guesses), dtype=np.int32) if position.legal is None else position.legal
    while len(guesses) * len(position.candidates) > max(_PAIRS, _KEPT * k):
        keep = max(k, min(_KEPT, len(guesses) // _SHARE))
        sample = _sample(position, max(1, _PAIRS // len(guesses)))
        best = best_of_many(InformationGain(), sample, guesses, keep)
        if np.count_nonzero(best >= 0) in (0, len(guesses)):
            break
        guesses = np.sort(best[best >= 0])
    found = best_of_many(ExpectedGuesses(), position, guesses, k)
    return found[found >= 0]


def choose_where_large(player: Player, position: Position) -> int:
    """Return the guess in a position that memory has no room for.

    It is the strategy's own of heuristics, and of strategies that do without the feedback of the whole game.
    Others play the guess of sampled_best there. Raises StrategyError.
    """
    if isinstance(player, Heuristic) or not isinstance(player, BatchStrategy):
        try:
            return choose(player, position)
        except GameTooLargeError:
            pass
    found = sampled_best(position, 1)
    return int(found[0]) if len(found) else -1


def _sample(position: Position, size: int) -> Position:
    """Return the start of a game whose answers are so many of the candidates, evenly spaced by weight.

    One that is met more than once weighs the more.
    """
    weights = position.weights
    if position.game.is_uniform:
        marks = np.linspace(0, len(weights) - 1, min(size, len(weights))).astype(np.int64)
    else:
        marks = np.searchsorted(np.cumsum(weights), (np.arange(size) + 0.5) / size)
    places, times = np.unique(np.minimum(marks, len(weights) - 1), return_counts=True)
    prior: NDArray[np.float64] = times.astype(np.float64)
    return Position.start(position.game.part(position.candidates[places], prior=prior))

"""How sure a mean is, and how sure the difference of two strategies on the same answers.

The mean over the answers of a list is exact: nothing is drawn. Its interval is for who wants to say more,
and holds the list to be a sample: it covers the mean over all answers like these in 95 of 100 such lists. Two
strategies that play the same answers are compared pair by pair, for what one answer has of its own, an easy
word or a hard one, falls out of each difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.support.errors import TreeError
from sleuth.support.estimate import Estimate

Turns = NDArray[np.int32]
"""int32 [answers] or [seeds, answers]: the guesses that each answer takes."""


@dataclass(frozen=True)
class Duel:
    """A strategy against another on the same answers.

    Attributes:
        difference: its mean less the other's; below 0 where it takes fewer guesses.
        wins, ties, losses: in how many games it takes fewer guesses, as many, more.

    """

    difference: Estimate
    wins: int
    ties: int
    losses: int

    def to_json(self) -> dict[str, Any]:
        """Return the duel as plain values."""
        return {
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "difference": self.difference.value,
            "difference_low": self.difference.low,
            "difference_high": self.difference.high,
        }


def mean_of(game: Game, turns: Turns) -> Estimate:
    """Return the mean guesses of a strategy, under the prior of the game.

    The error is sqrt(sum p^2 (t - mean)^2 / (1 - sum p^2)) over the answers of probability p, whose guesses t
    are averaged over the seeds; without a prior that is the sample's deviation over the root of its size.
    The variance of the seeds' means, over their number, is added under the root, which errs on the safe side.
    Raises TreeError for turns of another number of answers.
    """
    return _estimate(game, np.atleast_2d(turns))


def duel(game: Game, turns: Turns, others: Turns) -> Duel:
    """Return how a strategy compares with another: answer by answer, and seed by seed.

    Raises TreeError for turns of other shapes.
    """
    first, second = np.atleast_2d(turns), np.atleast_2d(others)
    if first.shape[1] != second.shape[1]:
        raise TreeError(f"{first.shape[1]} answers cannot be compared with {second.shape[1]}")
    if len(first) != len(second):
        raise TreeError(f"{len(first)} seeds cannot be paired with {len(second)}")
    apart = first - second
    wins, losses = int((apart < 0).sum()), int((apart > 0).sum())
    return Duel(_estimate(game, apart), wins, apart.size - wins - losses, losses)


def _estimate(game: Game, values: Turns) -> Estimate:
    """Return the mean of values, int32 [seeds, answers]."""
    if values.shape[1] != len(game.answers):
        raise TreeError(f"{values.shape[1]} answers are not the {len(game.answers)} of {game.name}")
    p = game.prior
    means = values.mean(axis=1) if game.is_uniform else values @ p
    value = float(means.mean())
    squares = float(p @ p)
    spread = float((p**2) @ (values.mean(axis=0) - value) ** 2)
    variance = spread / (1 - squares) if squares < 1 else 0.0
    if len(means) > 1:
        variance += float(means.var(ddof=1)) / len(means)
    return Estimate(value, sqrt(variance))

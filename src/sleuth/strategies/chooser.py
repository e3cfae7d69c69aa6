"""Strategies that only choose, where others are needed that rank guesses for many sets at once."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.players import Ranking, as_player
from sleuth.games.position import Position
from sleuth.games.strategy import BatchStrategy, Player, Suggestion, choose_where_it_can
from sleuth.strategies.heuristics import ExpectedGuesses
from sleuth.support.specification import specification_of


class Chooser(BatchStrategy):
    """A strategy that only chooses, as the base of a rollout and the like.

    It ranks first what the strategy chooses, then the guesses that ExpectedGuesses thinks best, so that a
    rollout has something to weigh. What is played to the end is the strategy's own choice alone. Unless the
    strategy says otherwise (attributes `markov` and `stationary`), it may look at the rows that led to a set:
    every history is then asked for by itself, which takes longer.

    Attributes:
        given: the strategy.

    """

    def __init__(self, given: Player) -> None:
        self.given = given

    @property
    def name(self) -> str:  # type: ignore[override]  # that of an instance, not of the class
        return self.given.name

    @property
    def markov(self) -> bool:
        return bool(getattr(self.given, "markov", False))

    @property
    def stationary(self) -> bool:
        return bool(getattr(self.given, "stationary", self.markov))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chooser) and other.given is self.given

    def __hash__(self) -> int:
        return id(self.given)  # what is given need not be hashable

    def __repr__(self) -> str:
        return specification_of(self.given)

    def choose_all(self, frontier: Frontier) -> Indices:
        return choose_where_it_can(self.given, frontier)

    def best(self, frontier: Frontier, k: int) -> Indices:
        own = self.choose_all(frontier)
        if k == 1:
            return own[:, None]
        others = ExpectedGuesses().best(frontier, k)
        again = others == own[:, None]
        # Without its own choice among them, the last of the others goes.
        again[~again.any(axis=1), -1] = True
        out = np.full((len(frontier), k), -1, np.int32)
        out[:, 0] = own
        out[:, 1:] = others[~again].reshape(len(frontier), k - 1)
        out[own < 0] = -1  # where it finds none it is lost, whatever others would do
        return out

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        return Ranking.rank(self.given, position, limit)


def batched(given: Any) -> BatchStrategy:
    """Return a strategy that ranks guesses for many sets at once: what is given, or a Chooser of it.

    given: a strategy, or a function of a position. Raises StrategyError for what does not play.
    """
    played = as_player(given)
    return played if isinstance(played, BatchStrategy) else Chooser(cast(Player, played))

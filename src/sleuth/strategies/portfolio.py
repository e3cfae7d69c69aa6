"""Several strategies at once: in every set, the one that takes the fewest guesses from there.

Short (2022, section 5) proposes an alpha that changes with the turn; here it changes with the state. What
each strategy takes from a set is worked out by playing it to the end (parallel rollout; Chang, Givan and
Chong 2004).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.strategy import BatchStrategy, best_of
from sleuth.strategies.chooser import batched
from sleuth.strategies.heuristics import ExpectedGuesses, InformationGain
from sleuth.strategies.rollout import costs_to_go
from sleuth.support.errors import StrategyError


@dataclass(frozen=True)
class Portfolio(BatchStrategy):
    """Play the strategy that takes the fewest guesses from here to the end, chosen anew in every set.

    So it takes no more guesses than any of them, from every position. Those that take as many come in the
    order given. It ranks the best guess of each, then the second best of each, and so on.

    Attributes:
        bases: the strategies, one or more.

    """

    bases: tuple[BatchStrategy, ...] = field(default_factory=lambda: (ExpectedGuesses(), InformationGain()))
    name: ClassVar[str] = "portfolio"

    def __post_init__(self) -> None:
        if not self.bases:
            raise StrategyError("a portfolio needs at least one strategy")
        object.__setattr__(self, "bases", tuple(map(batched, self.bases)))

    @property
    def stationary(self) -> bool:
        return all(base.stationary for base in self.bases)

    @property
    def markov(self) -> bool:
        return all(base.markov for base in self.bases)

    def best(self, frontier: Frontier, k: int) -> Indices:
        # Sums of weights in another order differ in their last bits: they tie.
        costs = np.round([costs_to_go(base, frontier) for base in self.bases], 9)
        each = np.stack([best_of(base, frontier, k) for base in self.bases])
        ordered = np.take_along_axis(each, np.argsort(costs, axis=0, kind="stable")[:, :, None], axis=0)
        return first_distinct(ordered.transpose(1, 2, 0).reshape(len(frontier), -1), k)


def first_distinct(guesses: Indices, k: int) -> Indices:
    """Return the first k different guesses of each row, int32 [rows, k], then -1.

    guesses: int32 [rows, n], n no less than k; -1 is no guess.
    """
    again = guesses < 0
    for column in range(1, guesses.shape[1]):
        again[:, column] |= (guesses[:, :column] == guesses[:, column, None]).any(1)
    order = np.argsort(again, axis=1, kind="stable")[:, :k]
    found: Indices = np.where(
        np.take_along_axis(again, order, axis=1), -1, np.take_along_axis(guesses, order, axis=1)
    )
    return found

"""Rollout as the code of Bhambri et al. (2022) plays it, which differs from their equations 4 and 5."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.strategy import BatchStrategy
from sleuth.published.splits import Numbers, candidates_only, class_sums
from sleuth.strategies.heuristics import InformationGain
from sleuth.strategies.rollout import Costs, Rollout, costs_to_go, places

RIGHT = -5
"""The Q-factor of a right guess, where equation 4 has 1: the code calls it an additional reward."""

BY_LIST = InformationGain(ties="list-order")


@dataclass(frozen=True)
class PaperRollout(Rollout):
    """Rollout under the conditions of the code of Bhambri et al. (2022).

    The guesses considered are the `width` best of `ranking` and the word of least expected score. In the
    Q-factors a right guess counts RIGHT, and the guess of a last candidate counts nothing (Algorithm 1: the
    loop leaves off when one word is left, before it adds to the score). Among guesses of equal Q-factor the
    first considered is taken. For games under the uniform prior in which every answer may be guessed.

    Attributes:
        ranking: whose best guesses are considered; the code breaks ties otherwise there than in some bases.

    """

    base: BatchStrategy = BY_LIST
    ranking: BatchStrategy = field(default_factory=lambda: BY_LIST)
    name: ClassVar[str] = "paper-rollout"

    def considered(self, frontier: Frontier) -> Indices:
        assert self.width != "all"
        best = self.ranking.best(frontier, self.width)
        extra = least_expected_score(frontier)
        extra[(best == extra[:, None]).any(1)] = -1
        return np.column_stack([best, extra])

    def q_factors(self, frontier: Frontier, guesses: Indices) -> Costs:
        children = frontier.after(guesses)
        below = costs_to_go(self.base, children.frontier, lone=0.0)
        first = frontier.weights + (RIGHT - 1) * (children.right >= 0)
        return first + np.bincount(children.parent, below, len(frontier))

    def order(
        self,
        frontier: Frontier,
        which: NDArray[np.int64],
        column: NDArray[np.int64],
        guesses: Indices,
        costs: Costs,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        order = np.lexsort((column, costs, which))
        return order, places(which[order])


def least_expected_score(frontier: Frontier) -> Indices:
    """Return the word of least expected score for every set, int32 [sets].

    The score is p + (1 - p)(1 + f(H0 - H)), where p is the chance of the guess, H0 the entropy of the
    candidates, H the information of the guess, and f the expected number of guesses left (see guesses_left).
    It falls with H, so the best is the most informative of all words or of the candidates.
    """
    words = [BY_LIST.best(some, 1)[:, 0] for some in (frontier, candidates_only(frontier))]
    # Rounded, so that equal scores tie: the code takes the first in the list.
    scores = [np.round(expected_scores(frontier, guesses), 12) for guesses in words]
    later = (scores[1] < scores[0]) | ((scores[1] == scores[0]) & (words[1] < words[0]))
    return np.where(later, words[1], words[0]).astype(np.int32)


def expected_scores(frontier: Frontier, guesses: Indices) -> Numbers:
    """Return the expected score of a guess for each set, float64 [sets] (see least_expected_score)."""
    left, may_be_right = class_sums(frontier, guesses, lambda sizes: sizes * np.log2(sizes))
    chance = may_be_right / frontier.sizes
    return chance + (1 - chance) * (1 + guesses_left(left / frontier.sizes))


def guesses_left(bits: Numbers) -> Numbers:
    """Return the guesses still needed with this much entropy left, by the line the code fits.

    With probability 2**-bits the next guess is right, else it takes two; and 1.5 guesses for 11.5 bits.
    """
    hit: Numbers = 2.0**-bits
    return hit + 2 * (1 - hit) + 1.5 * bits / 11.5

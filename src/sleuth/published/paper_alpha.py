"""Alpha-optimality as the tables of Short (2022) were computed: given that the guess is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.strategy import BatchStrategy
from sleuth.published.splits import Numbers, candidates_only, class_sums
from sleuth.strategies.heuristics import Alpha
from sleuth.strategies.rollout import places

# Legal guesses held at once.
_AT_ONCE = 4_000_000

# How many candidates may come before the best other words, which are otherwise looked for by themselves.
_AHEAD = 4


@dataclass(frozen=True)
class PaperAlpha(BatchStrategy):
    """Alpha with the expectation of equation 4 of Short (2022) taken over the answers that the guess is not.

    The score is the sum over classes of n_c**(alpha + 1), the class of a right guess left out as the equation
    has it, divided by the number of candidates *that are not the guess*: n - 1 for a candidate, n for any
    other word. The equation divides by n throughout. This was found by trying readings on the paper's Table
    3: of those tried it alone gives the means and the failure counts of all alphas. For easy games under the
    uniform prior in which every answer may be guessed, and alpha neither 0 nor infinite.

    Attributes:
        alpha: any real number but 0.

    """

    alpha: float = -0.5
    name: ClassVar[str] = "paper-alpha"

    def best(self, frontier: Frontier, k: int) -> Indices:
        # Among candidates, and among other words, the order is that of Alpha, with all its tie-breaks:
        # only where one meets the other does the divisor matter.
        order = Alpha(alpha=self.alpha)
        own = order.best(candidates_only(frontier), k)
        other = np.full_like(own, -1)
        unsettled = np.flatnonzero(~_told_apart(frontier, own[:, -1]))
        other[unsettled] = _others(order, frontier.take(unsettled), k)
        return self._merge(frontier, np.column_stack([own, other]))[:, :k]

    def _merge(self, frontier: Frontier, guesses: Indices) -> Indices:
        """Return the guesses, int32 [sets, k], by score; among equals the first comes first."""
        which, column = np.nonzero(guesses >= 0)
        found = guesses[which, column]
        scores = self.scores(frontier.take(which), found)
        # Rounded in the logarithm, so that scores tie that differ by the rounding of their sums.
        worth = np.round(np.sign(self.alpha) * np.log(scores), 12)
        order = np.lexsort((column, worth, which))
        out = np.full_like(guesses, -1)
        out[which, places(which)] = found[order]
        return out

    def scores(self, frontier: Frontier, guesses: Indices) -> Numbers:
        """Return the expected n_c**alpha given that the guess is wrong, float64 [sets]; 1 if it cannot be."""
        sums, may_be_right = class_sums(frontier, guesses, lambda sizes: sizes ** (self.alpha + 1))
        wrong = frontier.sizes - may_be_right
        return np.where(wrong > 0, sums, 1.0) / np.maximum(wrong, 1)


def _told_apart(frontier: Frontier, guesses: Indices) -> NDArray[np.bool_]:
    """Say of each set whether it has one answer, or this guess (or -1) tells all its answers apart.

    No score is better than that of such a candidate, so no other word comes before it.
    """
    apart: NDArray[np.bool_] = frontier.sizes == 1
    known = np.flatnonzero(guesses >= 0)
    classes, may_be_right = class_sums(frontier.take(known), guesses[known], np.ones_like)
    apart[known] |= classes + may_be_right == frontier.sizes[known]
    return apart


def _others(order: Alpha, frontier: Frontier, k: int) -> Indices:
    """Return the k best words that are no candidates, int32 [sets, k].

    They are looked for among the best of all words, where most sets have them: that is faster than to list
    the legal guesses of each set.
    """
    best = order.best(frontier, k + _AHEAD)
    own = frontier.game.answer_guess[frontier.candidates]
    words = len(frontier.game.guesses)
    which = np.repeat(np.arange(len(frontier)), frontier.sizes)
    is_other = (best >= 0) & ~np.isin(np.arange(len(frontier))[:, None] * words + best, which * words + own)
    row, column = np.nonzero(is_other)
    rank = places(row)
    out = np.full((len(frontier), k), -1, np.int32)
    out[row[rank < k], rank[rank < k]] = best[row[rank < k], column[rank < k]]
    short = np.flatnonzero((out[:, -1] < 0) & (best[:, -1] >= 0))
    step = max(1, _AT_ONCE // words)
    for part in np.split(short, np.arange(step, len(short), step)):
        out[part] = order.best(_others_only(frontier.take(part)), k)
    return out


def _others_only(frontier: Frontier) -> Frontier:
    """Return the sets with all words but their candidates as the legal guesses."""
    legal = np.ones((len(frontier), len(frontier.game.guesses)), bool)
    own = frontier.game.answer_guess[frontier.candidates]
    legal[np.repeat(np.arange(len(frontier)), frontier.sizes), own] = False
    starts = np.concatenate([[0], np.cumsum(np.count_nonzero(legal, axis=1))])
    return replace(frontier, legal_starts=starts, legal=np.nonzero(legal)[1].astype(np.int32))

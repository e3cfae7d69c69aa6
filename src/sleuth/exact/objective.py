"""What exact play makes least."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.support.errors import SleuthError
from sleuth.support.registry import unknown_name

Kind = Literal["mean", "worst", "solved"]
KINDS: dict[Kind, str] = {
    "mean": "the least mean of guesses, every answer found within the turns",
    "worst": "the fewest guesses in the worst case, then the least mean",
    "solved": "the most answers found within the turns, then the least mean; play goes on after them",
}
Value = tuple[int, ...]
"""What an objective makes least, in its order: for "mean" the total; for "worst" the most guesses that any
answer takes, then the total; for "solved" the weight of the answers not found in time, then the total."""
MOST_TOTAL = 2**56
"""Totals stay below this: sums of them fit 64 bits."""
# Weights may sum to so much whatever the totals.
_LEAST_SUM = 2**32
# A prior's 53 bits, less what dividing by sums takes.
_PRECISION = 2e-15
# Weights whose least one takes more bits are rounded.
_STEP_BITS = 32


@dataclass(frozen=True)
class Objective:
    """What is made least, among the strategies that a game allows.

    Attributes:
        kind: "mean", "worst" or "solved".
        penalty: for "mean", the guesses that an answer counts as which is not found within the turns, or None
            where every answer must be found.

    Raises UnknownNameError for another kind, SleuthError for a penalty that cannot be.

    """

    kind: Kind = "mean"
    penalty: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("objective", self.kind, KINDS)
        if self.penalty is not None and self.kind != "mean":
            raise SleuthError(f"a penalty goes with the objective mean, not with {self.kind}")

    def check(self, game: Game) -> None:
        """Raise SleuthError for a penalty that finding an answer on the last turn might exceed."""
        if self.penalty is not None and self.penalty <= game.max_turns:
            raise SleuthError(
                f"the penalty is {self.penalty}; a failure counts as at least {game.max_turns + 1} guesses"
                f" where there are {game.max_turns} turns"
            )

    @property
    def label(self) -> str:
        """The objective in a word or two, as stores keep it."""
        return self.kind if self.penalty is None else f"{self.kind}, penalty {self.penalty}"


@dataclass(frozen=True, eq=False)
class Weights:
    """The prior in integers, as a search reckons with it.

    Attributes:
        values: int64 [answers].
        answers: how many of them it was made for; where not for all, the others weigh nothing.

    """

    values: NDArray[np.int64]
    answers: int

    @property
    def scale(self) -> int:
        """Their sum."""
        return int(self.values.sum())

    @property
    def price(self) -> int:
        """What the objective "solved" has a failure cost, for each unit of weight: more than any total.

        No sensible strategy takes more guesses than there are answers.
        """
        return max(1, self.scale) * (self.answers + 1)


def crossing_bounds(at_least: Value | None, at_most: Value | None) -> str:
    """Return a lower bound above the upper one, and that, as text; nothing where they can both be true."""
    if at_least is None or at_most is None or at_least <= at_most:
        return ""
    return f"{list(at_least)} and {list(at_most)}"


def weights_of(game: Game, objective: Objective, candidates: NDArray[np.int32] | None = None) -> Weights:
    """Return the integer weights of a game's answers, for the search of positions within some candidates.

    candidates: int32, or None for all answers. Under the uniform prior all weights are 1. A prior in
    proportion to integers becomes those, whatever the candidates, as long as 64 bits hold the totals of a
    search. Else what counts is the prior of the candidates alone: in proportion to integers again, or
    rounded as finely as 64 bits allow.
    """
    n = len(game.answers)
    if game.is_uniform:
        return Weights(np.ones(n, np.int64), n)
    whole = _in_proportion(game.prior, _most(objective, n))
    if whole is not None:
        return Weights(whole, n)
    chosen = np.arange(n, dtype=np.int32) if candidates is None else candidates
    prior, most = game.prior[chosen], _most(objective, len(chosen))
    found = _in_proportion(prior, most)
    if found is None:
        found = np.rint(prior * (2.0 ** (most.bit_length() - 1) / prior.sum())).astype(np.int64)
    values = np.zeros(n, np.int64)
    values[chosen] = found
    return Weights(values, len(chosen))


def rounding(prior: NDArray[np.float64], weights: NDArray[np.int64]) -> float:
    """Return the sum of how far the shares of integer weights are from those of a prior, 0 where exact.

    prior: float64 [n]; weights: int64 [n]. What the prior's own 53 bits leave open is not counted.
    """
    total, scale = float(prior.sum()), int(weights.sum())
    if total == 0:
        return 0.0
    if scale == 0:
        return 2.0
    shares, wanted = weights / scale, prior / total
    off = np.abs(shares - wanted)
    # Shares are reckoned to 53 bits themselves.
    return float(off.sum()) + 2.0**-50 if np.any(off > _PRECISION * wanted) else 0.0


def _most(objective: Objective, answers: int) -> int:
    """Return the largest sum of weights of so many answers with which all totals fit 64 bits."""
    if objective.kind == "solved":  # its totals are up to the sum times the price of a failure
        return isqrt(2**59 // (answers + 1))
    return max(_LEAST_SUM, MOST_TOTAL // max(answers + 2, objective.penalty or 0))


def _in_proportion(prior: NDArray[np.float64], most: int) -> NDArray[np.int64] | None:
    """Return the least integers in proportion to a prior, int64, or None where their sum is above most."""
    if not prior.any():
        return np.zeros(len(prior), np.int64)
    with np.errstate(over="ignore"):  # of numbers next to nothing
        ratios = prior / prior[prior > 0].min()
    step = 1
    while float(ratios.sum()) * step <= most:
        scaled = ratios * step
        whole = np.rint(scaled)
        off = np.flatnonzero(np.abs(whole - scaled) > _PRECISION * scaled)
        if not len(off):
            weights = whole.astype(np.int64)
            least: NDArray[np.int64] = weights // np.gcd.reduce(weights)
            return least
        step *= max(2, _denominator(float(scaled[off[0]])))
    return None


def _denominator(number: float) -> int:
    """Return the denominator of a fraction that is a number, as simple as may be."""
    exact = Fraction(number)
    for bits in range(1, _STEP_BITS):
        simple = exact.limit_denominator(2**bits)
        if abs(float(simple - exact)) <= _PRECISION * number:
            return int(simple.denominator)
    return 1 << _STEP_BITS

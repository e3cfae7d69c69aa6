"""What exact play makes least."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sleuth.errors import SleuthError
from sleuth.games.game import Game
from sleuth.registry import unknown_name

Kind = Literal["mean", "worst", "solved"]
KINDS: dict[Kind, str] = {
    "mean": "the least mean of guesses, every answer found within the turns",
    "worst": "the fewest guesses in the worst case, then the least mean",
    "solved": "the most answers found within the turns, then the least mean; play goes on after them",
}
_SCALE = 2**32
# The objective "solved" counts a failure as more than any total, which takes the rest of 60 bits.
_SCALE_SOLVED = 2**22


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


def integer_weights(game: Game, kind: Kind = "mean") -> tuple[NDArray[np.int64], int]:
    """Return the prior as integers, int64 [answers], and their sum, by which totals turn into means.

    Under the uniform prior all weights are 1. A prior in proportion to small integers becomes those; any
    other is rounded to multiples of about 2**-32 (2**-22 for "solved"), and exact play is exact for the
    rounded prior.
    """
    if game.is_uniform:
        ones = np.ones(len(game.answers), np.int64)
        return ones, len(ones)
    scale = _SCALE_SOLVED if kind == "solved" else _SCALE
    positive = game.prior[game.prior > 0]
    # Beyond the scale the least weight rounds to nothing, and no ratio to it matters.
    ratios = game.prior / max(float(positive.min()), float(game.prior.max()) / scale)
    denominators = {Fraction(float(r)).limit_denominator(64).denominator for r in np.unique(ratios)[:64]}
    step = lcm(*denominators)
    whole = np.rint(ratios * float(step))
    if whole.sum() <= scale and np.allclose(whole, ratios * float(step), rtol=1e-9, atol=1e-9):
        weights = whole.astype(np.int64)
        weights //= max(1, int(np.gcd.reduce(weights)))
    else:
        weights = np.rint(game.prior * scale).astype(np.int64)
    return weights, int(weights.sum())

"""Rollout against a host that lies: the best of a few guesses by games played to their ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sleuth.support.errors import StrategyError
from sleuth.support.ranges import check_range, check_seed
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.simulation import finish
from sleuth.variants.noise.strategies import NoisyExpectedGuesses, ScoredStrategy


@dataclass(frozen=True)
class NoisyRollout:
    """The best of the base strategy's `width` best guesses, when the base plays on after it.

    Every guess is tried against the same answers and the same lies, drawn from the posterior (common random
    numbers), so that differences between guesses are sharper than the values themselves. A guess that seems
    better by no more than chance explains is not preferred to the base's own. Through a channel
    that always shows a code as the same one there is nothing to draw: each possible answer is played once
    and the values are exact.

    Attributes:
        base: the strategy that ranks the guesses and plays on.
        width: how many of its best guesses are tried.
        simulations: games per guess.
        caution: by how many standard errors a guess must beat the base's own.
        seed: what the draws come from; the same position gets the same draws.
        most: guesses after which a simulated game is given up.

    """

    base: ScoredStrategy = field(default_factory=NoisyExpectedGuesses)
    width: int = 10
    simulations: int = 200
    caution: float = 1.0
    seed: int = 0
    most: int = 30
    name: ClassVar[str] = "rollout"

    def __post_init__(self) -> None:
        check_seed(self.seed, StrategyError)
        check_range(self, "caution", least=0, below=inf, error=StrategyError)
        check_range(self, "width", "simulations", "most", least=1, error=StrategyError)

    def choose(self, position: NoisyPosition) -> int:
        """Return the index of the next guess. Raises StrategyError.

        It is the base's own guess unless another is better by more than `caution` standard errors of the
        difference, and then the one that is so by most.
        """
        guesses = self.base.best(position, self.width)
        if len(guesses) < 2:
            return self.base.choose(position)
        taken, shares = self.taken(position, guesses)
        better = taken[0] - taken
        gains = better @ shares
        if not position.channel.is_certain:
            errors = np.sqrt(np.maximum(better**2 @ shares - gains**2, 0) / better.shape[1])
            gains[1:] -= self.caution * errors[1:]
        return int(guesses[int(np.argmax(np.round(gains, 9)))])

    def values(self, position: NoisyPosition, guesses: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the Q-factors: the mean guesses of the games that each guess begins, float64 [guesses]."""
        taken, shares = self.taken(position, guesses)
        values: NDArray[np.float64] = taken @ shares
        return values

    def taken(
        self, position: NoisyPosition, guesses: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return the guesses that games take, int32 [guesses, games], and each game's share, sum 1."""
        weights = position.weights[position.support]
        if position.channel.is_certain:
            answers, shares, draws = position.support, weights, np.zeros((len(weights), self.most))
            teller = None
        else:
            n = self.simulations
            rng = np.random.default_rng([self.seed, position.turn])
            # Evenly spaced through the posterior, which has less variance than answers drawn apart.
            places = (rng.random() + np.arange(n)) / n
            answers = position.support[np.searchsorted(np.cumsum(weights)[:-1], places, side="right")]
            shares, draws = np.full(n, 1 / n), rng.random((n, self.most))
            teller = position.teller(answers, rng)
        taken = [finish(self.base, position, answers, draws, int(g), teller=teller) for g in guesses]
        return np.array(taken), shares

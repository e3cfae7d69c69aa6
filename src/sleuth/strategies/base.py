"""What a strategy is: something that names the next guess of any position, and can say why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from sleuth.errors import StrategyError
from sleuth.frontier import Frontier, Indices
from sleuth.position import Position
from sleuth.registry import unknown_name

Ties = Literal["candidates-first", "list-order"]
TIES: dict[Ties, str] = {
    "candidates-first": "among equals, a guess that may be the answer; then list order",
    "list-order": "among equals, the first of the list",
}


def check_ties(ties: str) -> None:
    """Raise UnknownNameError for a tie rule that does not exist."""
    if ties not in TIES:
        raise unknown_name("tie rule", ties, TIES)


@dataclass(frozen=True)
class Suggestion:
    """A guess and what a person wants to know of it.

    Attributes:
        guess: the guess.
        chance: how likely it is the answer, 0 to 1.
        bits: expected information of its feedback, in bits.
        expected_left: expected number of candidates left after it (0 when it is right).
        worst_left: the most candidates that may be left.
        classes: how many different kinds of feedback it may get.
        expected_guesses: guesses still needed, this one included.
        expected_by: where expected_guesses comes from: "estimate" (the entropic one of document 001, as a
            rule too low), "network" (what a value network expects), "rollout" (a base strategy followed to
            the end), "search" (the best strategy found) or "exact".
        least: no strategy needs fewer guesses after it on average, where that is proven, else None.

    """

    guess: str
    chance: float
    bits: float
    expected_left: float
    worst_left: int
    classes: int
    expected_guesses: float
    expected_by: str = "estimate"
    least: float | None = None


class Strategy(Protocol):
    """Anything that plays. A strategy may also have choose_all(frontier), see choose_all."""

    name: ClassVar[str]

    def choose(self, position: Position) -> int:
        """Return the index of the next guess. Raises StrategyError."""

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guesses, best first, with their numbers."""


class BatchStrategy:
    """A base for strategies that choose for many sets at once; they add best(frontier, k)."""

    name: ClassVar[str]

    @property
    def stationary(self) -> bool:
        """Whether the guess depends on the candidates and legal guesses alone, not on the turn."""
        return self.markov

    @property
    def markov(self) -> bool:
        """Whether the guess depends on these and the turn alone, not on the rows that led there."""
        return True

    def best(self, frontier: Frontier, k: int) -> Indices:
        """Return int32 [sets, k]: the k best guesses of each set, best first, then -1."""
        raise NotImplementedError

    def choose_all(self, frontier: Frontier) -> Indices:
        """Return the best guess of every set, int32 [sets], or -1 where there is none."""
        return self.best(frontier, 1)[:, 0]

    def choose(self, position: Position) -> int:
        """Return the index of the next guess. Raises StrategyError."""
        return int(choose_all(self, Frontier.of(position))[0])

    def rank(self, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the best guesses, best first, with their numbers."""
        found = self.best(Frontier.of(position), limit)[0]
        return describe(position, found[found >= 0])


def describe(
    position: Position,
    guesses: Indices,
    expected: NDArray[np.float64] | None = None,
    expected_by: str = "estimate",
) -> list[Suggestion]:
    """Return the numbers of some guesses, int32 [guesses], in a position.

    expected: expected_guesses, [guesses], and expected_by where they come from. Unless given, they are
    p + (1 - p)(1 + H0 / H), where p is the chance to be right, H the information of the guess and H0 what
    there is to learn: log2 of the number of candidates under a uniform prior.
    """
    game, weights = position.game, position.weights
    prior_bits = float(-(weights[weights > 0] * np.log2(weights[weights > 0])).sum())
    suggestions = []
    for which, g in enumerate(guesses):
        codes = game.feedback_row(int(g))[position.candidates]
        sizes = np.bincount(codes, minlength=game.rules.n_codes)
        masses = np.bincount(codes, weights, minlength=game.rules.n_codes)
        positive = masses[masses > 0]
        bits = max(0.0, float(-(positive * np.log2(positive)).sum()))
        chance = float(weights[position.candidates == game.guess_answer[g]].sum())
        left = sizes.copy()
        if chance > 0 or np.any(position.candidates == game.guess_answer[g]):
            left[game.solved] = 0
        suggestions.append(
            Suggestion(
                game.guesses[g],
                chance,
                bits,
                float((masses * left).sum()),
                int(left.max()),
                int(np.count_nonzero(sizes)),
                entropic_estimate(chance, bits, prior_bits) if expected is None else float(expected[which]),
                expected_by,
            )
        )
    return suggestions


def entropic_estimate(chance: float, bits: float, prior_bits: float) -> float:
    """Return p + (1 - p)(1 + H0 / H), the estimate of guesses needed (document 001)."""
    if chance >= 1:
        return 1.0
    # Below this, bits are the rounding of masses that sum to one; the kernels draw the line there too.
    return chance + (1 - chance) * (1 + prior_bits / bits) if bits > 1e-12 else float("inf")


def choose_all(strategy: Strategy, frontier: Frontier) -> Indices:
    """Return the strategy's guess for every set, int32 [sets]. Raises StrategyError.

    A strategy with a method choose_all is asked once; any other is asked position by position.
    """
    batch = getattr(strategy, "choose_all", None)
    if batch is not None:
        guesses: Indices = batch(frontier)
    else:
        guesses = np.array([_choose(strategy, position) for position in frontier.positions()], np.int32)
    if np.any(guesses < 0):
        stuck = next(p for p, g in zip(frontier.positions(), guesses, strict=True) if g < 0)
        if len(stuck.candidates) == 1:
            raise StrategyError(
                f"{stuck.words[0]} is the only answer left and no guess can name it: it is found"
            )
        raise StrategyError(
            f"{strategy.name} finds no guess that tells apart {', '.join(stuck.words[:5])}"
            f"{', …' if len(stuck.words) > 5 else ''} in {frontier.game.name}"
        )
    return guesses


def _choose(strategy: Strategy, position: Position) -> int:
    guess = strategy.choose(position)
    if len(position.candidates) > 1 and position.legal is not None and guess not in position.legal:
        word, mode = position.game.guesses[guess], position.game.mode
        raise StrategyError(f"{strategy.name} guesses {word}, which is not legal there in {mode} mode")
    return guess

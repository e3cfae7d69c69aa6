"""One-step strategies against a host that lies: what a guess tells through the channel."""

from __future__ import annotations

from dataclasses import dataclass, is_dataclass, replace
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sleuth.support.errors import StrategyError
from sleuth.support.indices import checked_index, checked_indices
from sleuth.support.parallel import PIECES, even_slices, map_threads, thread_count
from sleuth.support.registry import Registry, unknown_name
from sleuth.support.specification import from_text, specification_of
from sleuth.variants.noise.belief import NoisyPosition

# Scores are held to 2**-34, as the criteria of weighted games are: far above their rounding error, so that
# equals tie, and far below any difference that matters.
_FINE = 2.0**34
# Answers that a call of a kernel looks at for its guesses together, at the least.
_PIECE = 2**18
# Below this, information is the rounding of masses that sum to one.
_ROUNDING = 1e-12


class NoisyStrategy(Protocol):
    """Anything that plays against a host that lies. Its choice depends on the position alone."""

    name: ClassVar[str]

    def choose(self, position: NoisyPosition) -> int:
        """Return the index of the next guess. Raises StrategyError."""


NOISY: Registry[type[Any]] = Registry("strategy against lies")
for _name, _target, _summary in (
    (
        "expected-guesses",
        "variants.noise.strategies:NoisyExpectedGuesses",
        "by what is left and what is told",
    ),
    ("information-gain", "variants.noise.strategies:NoisyInformationGain", "most told of the answer"),
    ("learned", "learning.noise.player:NoisyLearned", "lookahead by a network that learned any game"),
    ("rollout", "variants.noise.noisy_rollout:NoisyRollout", "the best of a few by games to their ends"),
):
    NOISY.register(_name, f"sleuth.{_target}", _summary)


def make_noisy(specification: str) -> NoisyStrategy:
    """Return a strategy by its name, with options as in "learned(width=8)". Raises SleuthError.

    There are expected-guesses and information-gain without options, learned with those of NoisyLearned, and
    rollout with those of NoisyRollout, whose base is one of the first two.
    """
    made: NoisyStrategy = from_text(NOISY, specification, readers={ScoredStrategy: _base})
    return made


def called(strategy: NoisyStrategy) -> str:
    """Return what a strategy is asked for by, with its options; one of somebody's own may have none."""
    return specification_of(strategy) if is_dataclass(strategy) else strategy.name


def _base(name: str, value: Any) -> ScoredStrategy:
    """Return a strategy that ranks guesses, which others build on. Raises SleuthError."""
    able = [known for known in NOISY if issubclass(NOISY.load(known), ScoredStrategy)]
    if (base := str(value).partition("(")[0].strip()) not in able:
        raise unknown_name(name, base, able)
    made: ScoredStrategy = from_text(NOISY, value)
    return made


def chosen(strategy: NoisyStrategy, position: NoisyPosition) -> int:
    """Return the strategy's guess. Raises StrategyError for what is none of the game."""
    source, count = f"{strategy.name}.choose: {position.game.name}", len(position.game.guesses)
    try:
        guess = strategy.choose(position)
    except AttributeError as error:
        if error.obj is not position:
            raise
        raise StrategyError(
            f"{strategy.name} plays against hosts who tell the truth, since it asks a position for its"
            f" {error.name}; those for hosts who lie are NoisyExpectedGuesses, NoisyInformationGain,"
            " NoisyRollout and NoisyLearned"
        ) from None
    return checked_index(source, "guess", guess, count, error=StrategyError)


class ScoredStrategy:
    """A base for strategies that score all guesses at once; they add scores(position)."""

    name: ClassVar[str]

    def scores(self, position: NoisyPosition) -> NDArray[np.float64]:
        """Return float64 [guesses], the smaller the better."""
        raise NotImplementedError

    def best(self, position: NoisyPosition, k: int) -> NDArray[np.int32]:
        """Return int32, the k best useful guesses, best first; fewer where there are not so many.

        Ties are broken by the chance to be right, then by list order. A guess is useful that tells something
        or may be right.
        """
        scores = np.rint(self.scores(position) * _FINE)
        chances = np.rint(position.chances * _FINE)
        if k == 1:
            tied = np.flatnonzero(scores == scores.min())
            found = tied[[int(np.argmax(chances[tied]))]]
        else:
            found = np.lexsort((-chances, scores))[:k]
        useful = (position.chances[found] > 0) | (information(position, found) > _ROUNDING)
        return found[useful].astype(np.int32)

    def choose(self, position: NoisyPosition) -> int:
        """Return the index of the next guess. Raises StrategyError where no guess tells anything."""
        found, game = self.best(position, 1), position.game
        if len(found) == 0:
            # The prior may leave one answer alone, which no guess can name, and others of prior 0.
            even = game.with_prior(np.ones(len(game.answers)))
            found = self.best(replace(position, game=even), 1)
        if len(found) == 0:
            left = [game.answers[a] for a in position.support]
            raise StrategyError(
                f"{self.name} finds no guess that tells apart {', '.join(left[:5])}"
                f"{', …' if len(left) > 5 else ''} in {game.name}"
            )
        return int(found[0])


@dataclass(frozen=True)
class NoisyInformationGain(ScoredStrategy):
    """Most information that the shown feedback is expected to give about the answer."""

    name: ClassVar[str] = "information-gain"

    def scores(self, position: NoisyPosition) -> NDArray[np.float64]:
        return -information(position)


@dataclass(frozen=True)
class NoisyExpectedGuesses(ScoredStrategy):
    """Fewest guesses by the entropic estimate p + (1 - p)(1 + H0 / I) (Tyl 2024, generalised).

    p is the chance to be right, H0 the entropy of the answer and I what the shown feedback tells of it.
    """

    name: ClassVar[str] = "expected-guesses"

    def scores(self, position: NoisyPosition) -> NDArray[np.float64]:
        told, p = information(position), position.chances
        useful = told > _ROUNDING
        needed = position.bits / np.where(useful, told, 1.0)
        return np.where(p >= 1, 1.0, np.where(useful, p + (1 - p) * (1 + needed), np.inf))


def information(
    position: NoisyPosition, guesses: NDArray[np.signedinteger[Any]] | None = None
) -> NDArray[np.float64]:
    """Return the bits that what is shown for each guess tells of the answer, float64 [guesses].

    guesses: which guesses, by index, else all. It is the mutual information of the answer and the shown code.
    Raises SleuthError for what is no guess.
    """
    game, inform = position.game, position.informer()
    if guesses is None:
        guesses = np.arange(len(game.guesses), dtype=np.int32)
    asked = checked_indices(game.name, "guess", guesses, len(game.guesses))
    out = np.empty(len(asked))

    def fill(part: slice) -> None:
        inform(asked[part], out[part])

    pieces = min(PIECES * thread_count(), 1 + len(out) * len(position.support) // _PIECE)
    map_threads(fill, even_slices(np.ones(len(out), np.int64), pieces))
    return out

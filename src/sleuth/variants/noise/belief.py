"""How likely each answer is after rows that may be lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.priors import checked_weights
from sleuth.support.errors import ContradictionError, SleuthError
from sleuth.support.indices import checked_index
from sleuth.variants.noise.channel import Channel

_CERTAIN = 1e-9

Teller = Callable[[int, int, float], int]
"""What hosts show: a game's number, the true code and a draw from [0, 1) to the code shown."""

Informer = Callable[[NDArray[np.int32], NDArray[np.float64]], None]
"""Guesses by index, int32 [n], which are not checked, and float64 [n] for the bits that each tells."""


@dataclass(frozen=True, eq=False)
class NoisyPosition:
    """A position of a game whose feedback goes through a channel. Start with start, go on with after.

    Raises SleuthError for a game, channel and likelihood that do not go together, see start.

    Attributes:
        game: the game, in easy mode.
        channel: what its host shows.
        likelihood: float64 [answers], the largest 1: how likely each answer makes the rows so far, up to a
            common factor. 0 means that it is ruled out.
        turn: the number of the next guess, from 1.

    """

    game: Game
    channel: Channel
    likelihood: NDArray[np.float64]
    turn: int = 1

    def __post_init__(self) -> None:
        game, codes = self.game, self.game.rules.n_codes
        if game.mode != "easy":
            raise SleuthError(f"a host that lies is played in easy mode, not {game.mode}")
        if len(self.channel.matrix) != codes:
            self.channel.check(game)
        likelihood = checked_weights(self.likelihood, len(game.answers))
        object.__setattr__(self, "likelihood", likelihood)

    @classmethod
    def start(cls, game: Game, channel: Channel) -> NoisyPosition:
        """Return the position before the first guess.

        Raises SleuthError for a channel that does not fit the game and for a game that is not in easy mode:
        what other modes allow depends on feedback that may be a lie.
        """
        channel.check(game)
        return cls(game, channel, np.ones(len(game.answers)))

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """float64 [answers], sum 1: how likely each answer is.

        Where only answers of prior 0 are left, the prior says nothing about them and the likelihood decides.
        """
        weights = self.game.prior * self.likelihood
        if not np.any(weights > 0):
            weights = self.likelihood
        normalised: NDArray[np.float64] = weights / weights.sum()
        return normalised

    @cached_property
    def support(self) -> NDArray[np.int32]:
        """int32, ascending: the answers of positive weight."""
        return np.flatnonzero(self.weights > 0).astype(np.int32)

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """float64 [guesses]: how likely each guess is right."""
        out = np.zeros(len(self.game.guesses))
        named = self.game.answer_guess >= 0
        out[self.game.answer_guess[named]] = self.weights[named]
        return out

    @cached_property
    def bits(self) -> float:
        """The entropy of the answer, in bits: what is left to learn."""
        weights = self.weights[self.support]
        return max(0.0, float(-(weights * np.log2(weights)).sum()))

    @cached_property
    def is_known(self) -> bool:
        """Whether an answer that no guess can name is certain, so that it counts as found.

        It is certain once all others have a weight, and a likelihood, of less than 1e-9 together: through
        most channels none is ever ruled out.
        """
        best = int(np.argmax(self.likelihood))
        others = float(self.likelihood.sum() - 1)
        return bool(
            self.game.answer_guess[best] < 0 and others < _CERTAIN and 1 - self.weights[best] < _CERTAIN
        )

    def after(self, guess: int, shown: int) -> NoisyPosition:
        """Return the position after a guess and the code shown for it, both by index, by Bayes' rule.

        Raises SleuthError for a guess or code that does not exist, ContradictionError naming the row when no
        answer explains it.
        """
        guess, shown = self.checked(guess, shown)
        likelihood = self.likelihood * self.channel.matrix[:, shown][self.game.feedback_row(guess)]
        most = likelihood.max()
        if most <= 0:
            raise self.contradiction(guess, shown)
        return replace(self, likelihood=likelihood / most, turn=self.turn + 1)

    def checked(self, guess: int, shown: int) -> tuple[int, int]:
        """Return a guess and a code by index. Raises SleuthError where there is no such."""
        game, row = self.game, f"row {self.turn}: {self.game.name}"
        guess = checked_index(row, "guess", guess, len(game.guesses))
        return guess, checked_index(row, "feedback", shown, game.rules.n_codes)

    def contradiction(self, guess: int, shown: int) -> ContradictionError:
        """Return the error that says that no answer explains a row."""
        game = self.game
        return ContradictionError(
            f"row {self.turn}: no possible answer lets {game.rules.notation.show(shown)} be shown for"
            f" {game.guesses[guess]}{' after the rows before it' if self.turn > 1 else ''}"
        )

    def informer(self) -> Informer:
        """Return what fills an array with the bits that guesses tell of the answer, by any thread."""
        from sleuth.kernels.classes import codes_of
        from sleuth.kernels.noise import FEW, shown_information

        rows, spread = self.support, self.channel.spread
        codes = codes_of(self.game.tables, len(rows) <= FEW)
        weights = self.weights[rows]

        def fill(guesses: NDArray[np.int32], out: NDArray[np.float64]) -> None:
            shown_information(codes, rows, weights, spread, guesses, out)

        return fill

    def teller(self, answers: NDArray[np.int32], rng: np.random.Generator) -> Teller:
        """Return what hosts may show from here on, one for each of some games with these answers."""
        return self.channel.tell

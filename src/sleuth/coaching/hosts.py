"""Advice against other hosts: Absurdle's, who chooses no answer, and Fibble's, who lies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sleuth.games.game import Game
from sleuth.games.position import Position, Row
from sleuth.games.strategy import Suggestion, describe
from sleuth.support.errors import FeedbackError, about_row
from sleuth.variants.adversary.host import Blow, blows
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.channel import fibble
from sleuth.variants.noise.strategies import NoisyExpectedGuesses, information


@dataclass(frozen=True, eq=False)
class Lied:
    """Where a game of Fibble stands.

    Attributes:
        belief: how likely each answer is.
        solved: whether the last row was right.

    """

    belief: NoisyPosition
    solved: bool

    @classmethod
    def after_rows(cls, game: Game, rows: Iterable[Row]) -> Lied:
        """Return the position after rows, one mark of each of which is a lie.

        Raises UnknownGuessError, FeedbackError, ContradictionError naming the row at fault.
        """
        belief, solved = NoisyPosition.start(game, fibble(game)), False
        for number, (guess, shown) in enumerate(rows, 1):
            with about_row(number):
                if solved:
                    raise FeedbackError(
                        f"row {number - 1} is right: the game is over, and row {number} comes after it"
                    )
                code = game.rules.notation.parse(shown)
                belief = belief.after(game.find(guess), code)
                solved = code == game.solved
        return cls(belief, solved)

    @property
    def likeliest(self) -> list[tuple[str, float]]:
        """The words that may be the answer and how likely each is, the likeliest first."""
        weights = self.belief.weights
        order = self.belief.support[np.argsort(-weights[self.belief.support], kind="stable")]
        return [(self.belief.game.answers[a], float(weights[a])) for a in order]

    def best(self, limit: int) -> list[Suggestion]:
        """Return the best guesses by what they tell through the lies, best first."""
        position = self.belief
        guesses = NoisyExpectedGuesses().best(position, limit)
        return self.numbers(guesses.tolist())

    def estimates(self, guesses: Sequence[int]) -> list[float]:
        """Return the guesses expected with each guess by index, as NoisyExpectedGuesses estimates them."""
        position, chosen = self.belief, np.array(guesses, np.int32)
        bits = information(position, chosen)
        return [
            _estimate(chance, told, position.bits)
            for chance, told in zip(position.chances[chosen].tolist(), bits.tolist(), strict=True)
        ]

    def numbers(self, guesses: Sequence[int]) -> list[Suggestion]:
        """Return the numbers of guesses by index; guesses expected are estimates."""
        position, game = self.belief, self.belief.game
        chosen = np.array(guesses, np.int32)
        bits, spread = information(position, chosen), position.channel.matrix > 0
        found = []
        for guess, told in zip(guesses, bits.tolist(), strict=True):
            codes = game.feedback_row(guess)[position.support]
            sizes = np.bincount(codes, minlength=game.rules.n_codes)
            masses = np.bincount(codes, position.weights[position.support], minlength=game.rules.n_codes)
            shown = masses @ position.channel.matrix
            left = np.where(shown > 0, sizes @ spread, 0)
            left[game.solved : game.solved + 1] = 0
            chance = float(position.chances[guess])
            found.append(
                Suggestion(
                    game.guesses[guess],
                    chance,
                    told,
                    float(shown @ left),
                    int(left.max()),
                    int(np.count_nonzero(shown)),
                    _estimate(chance, told, position.bits),
                )
            )
        return found


def _estimate(chance: float, told: float, bits: float) -> float:
    """Return the estimate of NoisyExpectedGuesses, infinite for a guess that tells nothing."""
    if chance >= 1:
        return 1.0
    return chance + (1 - chance) * (1 + bits / told) if told > 1e-12 else np.inf


def against_host(position: Position, limit: int, seconds: float) -> list[Suggestion]:
    """Return the best guesses against Absurdle's host, best first.

    Guesses expected are those that beat the host, which keeps as many candidates as it can.
    """
    return [_beating(position, blow) for blow in blows(position, limit, seconds)]


def blow_of(position: Position, guess: int, seconds: float) -> Suggestion:
    """Return the numbers of one guess against Absurdle's host."""
    return _beating(position, blows(position, 1, seconds, np.array([guess], np.int32))[0])


def blows_of(position: Position, guesses: Sequence[int], seconds: float) -> dict[int, Suggestion]:
    """Return the numbers of guesses by index against Absurdle's host, of those not the best the least."""
    asked = np.array(guesses, np.int32)
    return {blow.guess: _beating(position, blow) for blow in blows(position, len(asked), seconds, asked)}


def _beating(position: Position, blow: Blow) -> Suggestion:
    """Return the numbers of a guess by what the host does."""
    return replace(
        describe(position, np.array([blow.guess], np.int32))[0],
        chance=float(blow.kept == 0),
        expected_left=float(blow.kept),
        worst_left=blow.kept,
        expected_guesses=float(blow.guesses),
        expected_by="exact" if blow.proved else "estimate",
        least=float(blow.guesses),
    )

"""What the network sees of a belief: how much is left to learn, and how fast it may be learned. NumPy only.

Nothing of words, pegs or codes is in it, so that one network values the beliefs of any game and any host.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sleuth.support.parallel import even_slices, map_threads, thread_count
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.strategies import information

INPUTS = 13
# What a guess is taken to tell at the least, in bits.
_LEAST = 1e-3
# Up to so many times as many guesses as the next one seems to need is told apart.
_MOST = 6.0


@dataclass(frozen=True)
class Outlook:
    """What is known of a game where a guess is made, which tells how fast the answer may be learned.

    Attributes:
        told: what the best of some guesses is expected to tell, in bits.
        noise: what the host's lies keep of that guess's feedback, in bits: the entropy of what is shown once
            the answer is known.
        bits: what is left to learn before the guess.
        answers: of the game.

    """

    told: float
    noise: float
    bits: float
    answers: int

    @classmethod
    def of(cls, position: NoisyPosition, guesses: NDArray[np.int32]) -> Outlook:
        """Return what is known of a position by some guesses, at least one."""
        told = information(position, guesses)
        best = int(guesses[np.argmax(told)])
        codes = position.game.feedback_row(best)[position.support]
        noise = position.channel.spread.entropies[codes] @ position.weights[position.support]
        return cls(float(told.max()), float(noise / np.log(2)), position.bits, len(position.game.answers))


def joints(position: NoisyPosition, guesses: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return what may be believed after guesses, float64 [guesses, codes, POSTERIOR] of kernels/noise.py.

    Where the rate of lies is not known, as through a channel of the rate that is expected.
    """
    from sleuth.kernels.classes import codes_of
    from sleuth.kernels.noise import FEW, POSTERIOR, posteriors

    rows, channel, game = position.support, position.channel, position.game
    codes, weights = codes_of(game.tables, len(rows) <= FEW), position.weights[rows]
    out = np.empty((len(guesses), len(channel.matrix), POSTERIOR))

    def fill(part: slice) -> None:
        posteriors(codes, rows, weights, channel.spread, guesses[part], out[part])

    map_threads(fill, even_slices(np.ones(len(guesses), np.int64), thread_count()))
    return out


def believed(position: NoisyPosition) -> NDArray[np.float64]:
    """Return what is believed in a position as joints has it, float64 [1, POSTERIOR]."""
    from sleuth.kernels.noise import LARGEST

    weights = position.weights[position.support]
    largest = np.zeros(LARGEST)
    few = np.sort(weights)[::-1][:LARGEST]
    largest[: len(few)] = few
    return np.array([[1.0, weights @ np.log(weights), weights @ weights, *largest]])


def describe(joint: NDArray[np.float64], outlook: Outlook) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return what the network reads of beliefs, and an estimate that it improves.

    joint: float64 [beliefs, POSTERIOR], each of some chance. Returns float32 [beliefs, INPUTS], and float64
    [beliefs]: guesses expected, p + (1 - p)(1 + H / I) as NoisyExpectedGuesses has it, where the likeliest
    answer is guessed next and guesses go on telling as much as they did, or all that is left.
    """
    chance = joint[:, 0]
    bits = np.maximum(np.log(chance) - joint[:, 1] / chance, 0) / np.log(2)
    largest = joint[:, 3:] / chance[:, None]
    doubt = 1 - largest[:, 0]
    alike = -np.log2(joint[:, 2] / chance**2)
    told = np.maximum(np.minimum(outlook.told, bits), _LEAST)
    needed = bits / told
    of_game = np.array([outlook.told / 4, outlook.noise, outlook.bits / 8, np.log2(outlook.answers) / 8])
    seen = [bits / 4, *largest.T, alike / 4, np.minimum(needed, _MOST) / 4, doubt * bits / 4, told / 4]
    inputs = np.concatenate([np.stack(seen, axis=1), np.tile(of_game, (len(joint), 1))], axis=1)
    return inputs.astype(np.float32), largest[:, 0] + doubt * (1 + needed)

"""The network of letter pairs without torch: in NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.learning.arrays import read
from sleuth.learning.letters.pairs import CELL_INPUTS, GUESS_INPUTS, Floats, guess_pairs, pair_features
from sleuth.learning.letters.player import LetterPlayer, Logits, layer, perceptron
from sleuth.support.errors import SleuthError

PAIRS = "letter_pairs"
"""What its files that ship are named after."""
AT_ONCE = 2


@lru_cache(maxsize=4)
def load(name: str, game: Game) -> LetterPlayer:
    """Return the player of a file of weights, or of a name that ships, for a game. Raises SleuthError."""
    arrays = {key: array.astype(np.float32) for key, array in read(name, PAIRS).items()}
    return pair_player(arrays, game)


def pair_player(weights: Mapping[str, NDArray[np.float32]], game: Game) -> LetterPlayer:
    """Return the greedy player of saved weights for a game. Raises SleuthError."""
    return LetterPlayer(forward(weights, game), features=pair_features, at_once=AT_ONCE)


def forward(weights: Mapping[str, NDArray[np.float32]], game: Game) -> Logits:
    """Return the network of saved weights as a function, in NumPy alone. Raises SleuthError.

    weights: by the names that torch gives the parameters of PairAttention.
    """
    try:
        mean, peak = layer(weights, "mean"), layer(weights, "peak")
        means, numbers = len(mean[1]), len(mean[1]) + len(peak[1])
        pair = [layer(weights, "pair"), (np.vstack([mean[0], peak[0]]), np.concatenate([mean[1], peak[1]]))]
        layers = sum(key.startswith("guess.") and key.endswith(".weight") for key in weights)
        guess = [layer(weights, f"guess.{2 * i}") for i in range(layers)]
        skip = [layer(weights, "skip")]
        perceptron(pair, np.zeros((1, CELL_INPUTS), np.float32))  # do they fit each other?
        nothing = np.zeros((1, numbers + GUESS_INPUTS), np.float32)
        if (perceptron(guess, nothing) + perceptron(skip, nothing)).shape != (1, 1):
            raise ValueError("a guess has one logit")
    except (KeyError, IndexError, ValueError) as error:
        raise SleuthError(f"these are no weights of the player of letter pairs ({error})") from None
    _, words = guess_pairs(game)
    columns, own = np.ascontiguousarray(words.T), len(words) * GUESS_INPUTS

    def logits(features: Floats) -> Floats:
        n = len(features)
        table = perceptron(pair, features[:, :-own].reshape(n, -1, CELL_INPUTS))
        inputs = np.empty((n, len(words), numbers + GUESS_INPUTS), np.float32)
        for of, into in zip(table, inputs, strict=True):
            found = of[columns[0]]
            peaks = found[:, means:].copy()
            for column in columns[1:]:
                some = of[column]
                np.maximum(peaks, some[:, means:], out=peaks)
                found += some
            into[:, :means] = found[:, :means] / len(columns)
            into[:, means:numbers] = peaks
        inputs[..., numbers:] = features[:, -own:].reshape(n, len(words), GUESS_INPUTS)
        worth: Floats = (perceptron(guess, inputs) + perceptron(skip, inputs))[..., 0]
        return worth

    return logits

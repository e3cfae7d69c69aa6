"""Weaver's player without torch: its network in NumPy, and greedy play by what a network makes of states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.strategy import BatchStrategy
from sleuth.learning.arrays import read
from sleuth.learning.letters.constraints import allowed
from sleuth.learning.letters.features import ALPHABET, action_features, rules_of, state_features, state_size
from sleuth.support.errors import SleuthError, StrategyError

PLAYER = "document_003"
"""What its files that ship are named after."""
Logits = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""Features float32 [states, features] to float32 [states, guesses]."""
Features = Callable[[Frontier], NDArray[np.float32]]
"""Sets to float32 [states, features]."""

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Weights [out, in] and biases [out]."""


@dataclass(frozen=True, eq=False)
class LetterPlayer(BatchStrategy):
    """Take the guess of the largest logit.

    Attributes:
        logits: of the network.
        constrained: whether the document's inductive biases hold, see constraints.allowed.
        features: what the network sees.
        at_once: states whose logits are held at once.

    """

    logits: Logits
    constrained: bool = True
    features: Features = state_features
    at_once: int = 512
    name: ClassVar[str] = "document-003"

    @property
    def markov(self) -> bool:
        return False

    def best(self, frontier: Frontier, k: int) -> Indices:
        out = np.full((len(frontier), k), -1, np.int32)
        for at in range(0, len(frontier), self.at_once):
            part = slice(at, at + self.at_once)
            states = frontier.take(np.arange(len(frontier))[part])
            mask = allowed(states, self.constrained)
            scores = np.where(mask, np.float32(0), -np.inf)
            open_ = np.flatnonzero(mask.sum(1) > 1)
            if len(open_):  # elsewhere there is no choice
                logits = self.logits(self.features(states.take(open_)))
                scores[open_] = np.where(mask[open_], logits, -np.inf)
            if k == 1:
                order = scores.argmax(axis=1)[:, None]
            else:
                order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
            found = np.where(np.isinf(np.take_along_axis(scores, order, axis=1)), -1, order)
            out[part, : found.shape[1]] = found
        return out


def forward(weights: Mapping[str, NDArray[np.float32]], game: Game) -> Logits:
    """Return the network of saved weights as a function, in NumPy alone. Raises SleuthError.

    weights: by the names that torch gives the parameters of Attention.
    """
    layers = {key.rpartition(".")[0] for key in weights if key.startswith("trunk.")}
    trunk = [f"trunk.{2 * i}" for i in range(len(layers))]
    try:
        phi2 = [layer(weights, name) for name in (*trunk, "phi2")]
        if "phi1.weight" in weights:  # an embedding of its own for each word
            words = weights["phi1.weight"].T
            _check_fit("guesses", len(words), len(game.guesses), game)
        else:
            phi1 = [layer(weights, "phi1.0"), layer(weights, "phi1.2")]
            _check_fit("letters a word", phi1[0][0].shape[1] // ALPHABET, rules_of(game).length, game)
            words = perceptron(phi1, action_features(game))
        turns = phi2[0][0].shape[1] - state_size(game) + game.max_turns
        _check_fit("turns", turns, game.max_turns, game)
        embedded = words.T / np.float32(np.sqrt(words.shape[1]))
        perceptron(phi2, np.zeros((1, state_size(game)), np.float32)) @ embedded  # do they fit each other?
    except (KeyError, IndexError, ValueError) as error:
        if isinstance(error, SleuthError):
            raise
        raise SleuthError(f"these are no weights of Weaver's player ({error})") from None
    return lambda features: perceptron(phi2, features) @ embedded


def _check_fit(what: str, theirs: int, ours: int, game: Game) -> None:
    if theirs != ours:
        raise StrategyError(f"these weights are for {theirs} {what}, and {game.name} has {ours}")


@lru_cache(maxsize=4)
def load(name: str, game: Game) -> Logits:
    """Return the network of a file of weights, or of a name that ships, for a game. Raises SleuthError."""
    arrays = {key: array.astype(np.float32) for key, array in read(name, PLAYER).items()}
    return forward(arrays, game)


def layer(weights: Mapping[str, NDArray[np.float32]], name: str) -> Layer:
    """Return a layer by its name. Raises KeyError and ValueError."""
    weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    if weight.ndim != 2 or bias.shape != weight.shape[:1]:
        raise ValueError(f"{name} has weights of shape {weight.shape} and biases of shape {bias.shape}")
    return weight, bias


def perceptron(layers: Sequence[Layer], inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what linear layers with the positive parts taken in between make of inputs [..., features]."""
    found = inputs
    for i, (weight, bias) in enumerate(layers):
        if i:
            np.maximum(found, 0, out=found)
        found = found @ weight.T
        found += bias
    return found

"""Document 003's player without torch: its network in NumPy, and the tree of its greedy play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sleuth.errors import SleuthError
from sleuth.games.game import Game
from sleuth.rl.arrays import read
from sleuth.rl.features import action_features, state_size
from sleuth.rl.states import States
from sleuth.tree import DecisionTree

PLAYER = "document_003"
"""What its files that ship are named after."""
Logits = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""Features float32 [states, features] to float32 [states, guesses]."""

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Weights [out, in] and biases [out]."""
_BATCH = 512


def greedy_tree(game: Game, logits: Logits, constrained: bool = True) -> DecisionTree:
    """Return the tree of the likeliest guesses, from the empty board; play goes on after the last turn."""
    states = States.start(game)
    guess: list[NDArray[np.int32]] = []
    parent: list[NDArray[np.int32]] = []
    code: list[NDArray[np.int32]] = []
    parents = codes = np.array([-1], np.int32)
    first = 0
    while len(states):
        chosen = np.empty(len(states), np.int32)
        features, mask = states.features(), states.allowed(constrained)
        for at in range(0, len(states), _BATCH):
            part = slice(at, at + _BATCH)
            chosen[part] = np.where(mask[part], logits(features[part]), -np.inf).argmax(1)
        children = states.frontier.after(chosen)
        guess.append(chosen)
        parent.append(parents)
        code.append(codes)
        parents, codes = children.parent + np.int32(first), children.codes
        first += len(chosen)
        everything = np.arange(len(states), dtype=np.int64)
        states = states.after(everything, chosen, children, np.arange(len(children.frontier)))
    return DecisionTree(
        game, np.concatenate(guess), np.concatenate(parent), np.concatenate(code), "document 003"
    )


def forward(weights: Mapping[str, NDArray[np.float32]], game: Game) -> Logits:
    """Return the network of saved weights as a function, in NumPy alone. Raises SleuthError.

    weights: by the names that torch gives the parameters of Attention.
    """
    trunk = [f"trunk.{i}" for i in range(0, 2 * len(weights), 2) if f"trunk.{i}.weight" in weights]
    try:
        phi2 = [_layer(weights, name) for name in (*trunk, "phi2")]
        if "phi1.weight" in weights:  # an embedding of its own for each word
            words = weights["phi1.weight"].T
        else:
            words = _perceptron([_layer(weights, "phi1.0"), _layer(weights, "phi1.2")], action_features(game))
        embedded = words.T / np.float32(np.sqrt(words.shape[1]))
        if (len(words), phi2[0][0].shape[1]) != (len(game.guesses), state_size(game)):
            raise SleuthError(f"these are weights of another game than {game.name}")
    except (KeyError, ValueError) as error:
        if isinstance(error, SleuthError):
            raise
        raise SleuthError(
            f"these are no weights of document 003's player for {game.name} ({error})"
        ) from None
    return lambda features: _perceptron(phi2, features) @ embedded


def load(name: str, game: Game) -> Logits:
    """Return the network of a file of weights, or of a name that ships, for a game. Raises SleuthError."""
    arrays = {key: array.astype(np.float32) for key, array in read(name, PLAYER).items()}
    return forward(arrays, game)


def _layer(weights: Mapping[str, NDArray[np.float32]], name: str) -> Layer:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _perceptron(layers: Sequence[Layer], inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what linear layers with the positive parts taken in between make of inputs [n, features]."""
    found = inputs
    for i, (weight, bias) in enumerate(layers):
        found = (np.maximum(found, 0) if i else found) @ weight.T + bias
    return found

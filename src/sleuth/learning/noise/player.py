"""The player against hosts who lie, from its weights: one-step lookahead by a network, in NumPy alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sleuth.learning.arrays import read
from sleuth.learning.noise.beliefs import INPUTS, Outlook, describe, joints
from sleuth.support.errors import SleuthError, StrategyError
from sleuth.support.ranges import check_range
from sleuth.support.specification import check_options
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.strategies import NoisyExpectedGuesses

PLAYER = "noise"
"""What its files that ship are named after."""
SHIPPED = "noise_any"
LAYERS = 3
# Values are held to 2**-20 of a guess, far above the rounding of float32: equals go by the shortlist's order.
_FINE = 2.0**20
# Codes that are shown with less than this are left out.
_NEVER = 1e-12

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BeliefNetwork:
    """How many guesses beliefs take: an estimate and what a network adds to it.

    Attributes:
        weights: float32 [inputs, outputs] of each of the LAYERS, the last one of one output.
        biases: float32 [outputs] of each.

    """

    weights: tuple[NDArray[np.float32], ...]
    biases: tuple[NDArray[np.float32], ...]

    def values(self, joint: NDArray[np.float64], outlook: Outlook) -> Values:
        """Return the guesses that beliefs take from there, float64 [beliefs]; see describe."""
        x, estimate = describe(joint, outlook)
        for weights, biases in zip(self.weights[:-1], self.biases[:-1], strict=True):
            x = np.maximum(x @ weights + biases, 0)
        added: Values = (x @ self.weights[-1] + self.biases[-1])[:, 0].astype(np.float64)
        return np.maximum(estimate + added, 1.0)

    def weigh(self, position: NoisyPosition, guesses: NDArray[np.int32], outlook: Outlook) -> Values:
        """Return the guesses that are expected from a position after each of some, that one too, float64."""
        joint = joints(position, guesses)
        joint[:, position.game.solved] = 0
        which, codes = np.nonzero(joint[..., 0] > _NEVER)
        found = joint[which, codes]
        totals = np.ones(len(guesses))
        np.add.at(totals, which, found[:, 0] * self.values(found, outlook))
        return totals


@dataclass(frozen=True)
class NoisyLearned:
    """Take the guess after which a network expects the fewest guesses, over the best by NoisyExpectedGuesses.

    Every belief that a guess may lead to is valued once. What the network sees of it is how much is left to
    learn and how fast it may be learned, so that it plays any game against any channel; it learned from hosts
    who lie in a row of fifty to a row of three, or in every row of words.

    Attributes:
        weights: the name of weights that ship, or a file or folder that `sleuth train` wrote.
        width: how many guesses are looked at.

    """

    weights: str = SHIPPED
    width: int = 32
    name: ClassVar[str] = "learned"

    def __post_init__(self) -> None:
        check_options(self)
        check_range(self, "width", least=1, error=StrategyError)

    def choose(self, position: NoisyPosition) -> int:
        """Return the index of the next guess. Raises StrategyError where no guess tells anything."""
        return look(load(self.weights), position, self.width)[0]


def look(network: BeliefNetwork, position: NoisyPosition, width: int) -> tuple[int, float, Outlook | None]:
    """Return the best guess of a position, what it is expected to take, and the outlook where it was made.

    The outlook is None, and nothing is expected, where there is no choice. Raises StrategyError.
    """
    shortlist = NoisyExpectedGuesses()
    guesses = shortlist.best(position, width)
    if len(guesses) == 0:
        return shortlist.choose(position), np.nan, None
    outlook = Outlook.of(position, guesses)
    values = network.weigh(position, guesses, outlook)
    best = int(np.argmin(np.rint(values * _FINE)))
    return int(guesses[best]), float(values[best]), outlook


@lru_cache(maxsize=4)
def load(name: str) -> BeliefNetwork:
    """Return the network of a file, or of a name that ships with the package. Raises SleuthError."""
    return unpacked(read(name, PLAYER), name)


def packed(network: BeliefNetwork) -> dict[str, NDArray[np.float32]]:
    """Return a network as a file of weights holds it."""
    named = {f"layer.{i}.weight": array for i, array in enumerate(network.weights)}
    return named | {f"layer.{i}.bias": array for i, array in enumerate(network.biases)}


def unpacked(arrays: Mapping[str, NDArray[np.floating]], name: str) -> BeliefNetwork:
    """Return the network that a file of weights holds. Raises SleuthError."""
    weights, biases, inputs = [], [], INPUTS
    for i in range(LAYERS):
        weight, bias = (arrays.get(f"layer.{i}.{part}") for part in ("weight", "bias"))
        if weight is None or bias is None:
            lacking = f"layer.{i}.{'weight' if weight is None else 'bias'}"
            raise SleuthError(f"weights {name!r} lack {lacking}: not those of a player against lies")
        outputs = 1 if i == LAYERS - 1 else bias.size
        for part, array, shape in (("weight", weight, (inputs, outputs)), ("bias", bias, (outputs,))):
            if array.shape != shape:
                raise SleuthError(
                    f"weights {name!r}: layer.{i}.{part} has the shape {array.shape}, not {shape}"
                )
        weights.append(weight.astype(np.float32))
        biases.append(bias.astype(np.float32))
        inputs = outputs
    return BeliefNetwork(tuple(weights), tuple(biases))

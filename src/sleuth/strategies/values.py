"""Values of candidate sets, as a network gives them, and one step of lookahead by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.support.registry import Registry

Totals = NDArray[np.float64]
"""float64: guesses summed over the answers of a set."""
Values = Callable[[Frontier], Totals]
"""What sets of three answers and more take in total."""

NETWORKS: Registry[Callable[[str], Any]] = Registry("value network")
NETWORKS.register("candidates", "sleuth.learning.candidates.player:load", "the network over candidate sets")


def network(weights: str) -> Values:
    """Return the values of a network over candidate sets, by the name of weights that ship or by a file.

    Raises SleuthError for weights that cannot be read.
    """
    values: Values = NETWORKS.load("candidates")(weights).values
    return values


class Remembered:
    """Values that are asked for once a set, by any number of threads; afterwards they are known."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._known: dict[int, float] = {}

    def __call__(self, frontier: Frontier) -> Totals:
        """Return the totals of sets of three answers and more, float64 [sets]."""
        keys = frontier.keys().tolist()
        missing = [s for s, key in enumerate(keys) if key not in self._known]
        if missing:
            found = self._values(frontier.take(np.array(missing)))
            for s, value in zip(missing, found.tolist(), strict=True):
                # Of threads that value a set at the same moment, the first one counts.
                self._known.setdefault(keys[s], value)
        return np.array([self._known[key] for key in keys])


def expected(frontier: Frontier, values: Values) -> Totals:
    """Return the guesses that each set takes in total at some value, float64 [sets].

    Those of one and two answers are known. Under a prior, totals are in Frontier.weights, as if every answer
    of a set took as many guesses. Sets that come up several times are valued once.
    """
    if len(frontier) == 0:
        return np.zeros(0)
    _, first, which = np.unique(frontier.keys(), return_index=True, return_inverse=True)
    sizes = frontier.sizes[first]
    told = np.where(sizes == 1, 1.0, 3.0)
    large = np.flatnonzero(sizes > 2)
    if len(large):
        told[large] = values(frontier.take(first[large]))
    totals: Totals = told[which] * (frontier.weights / frontier.sizes)
    return totals


def totals_after(frontier: Frontier, guesses: Indices, values: Values) -> Totals:
    """Return the guesses in total when each guess is made and play goes on at some value, [sets, guesses].

    Totals are those of `expected`. Guesses of -1 get inf.
    """
    asked, column = np.nonzero(guesses >= 0)
    repeated = frontier.take(asked)
    children = repeated.after(guesses[asked, column])
    out = np.full(guesses.shape, np.inf)
    below = expected(children.frontier, values)
    out[asked, column] = repeated.weights + np.bincount(children.parent, below, len(repeated))
    return out

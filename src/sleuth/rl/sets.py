"""What the networks of the candidate-set player see of candidate sets, and one-step lookahead. NumPy only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sleuth.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.rules import WordleRules
from sleuth.parallel import even_slices, map_threads, thread_count
from sleuth.strategies.heuristics import InformationGain

Floats = NDArray[np.float32]
Totals = NDArray[np.float64]
"""float64: guesses summed over the answers of a set."""
Values = Callable[[Frontier], Totals]
"""What sets of three answers and more take in total."""

LENGTH, ALPHABET = 5, 26
WORD_ROWS = LENGTH * ALPHABET + ALPHABET
"""Rows of the table of letters: a letter at a place, then a letter anywhere."""
GUESS_INPUTS = 23
SET_INPUTS = 11
OWN_TELLS, PROBE_TELLS = 5, 10
"""Columns of describe_sets: 1 where a candidate, or a probe, tells all answers of the set apart."""


def shortlist(frontier: Frontier, k: int) -> Indices:
    """Return the k guesses of most information of every set, int32 [sets, k], then -1."""
    return InformationGain().best(frontier, k)


def word_rows(game: Game, words: Sequence[str]) -> NDArray[np.int64] | None:
    """Return the rows of the table of letters that each word sums, int64 [words, 10].

    None where words are not of five letters from a to z: they have no vectors then.
    """
    if not isinstance(game.rules, WordleRules) or game.rules.length != LENGTH:
        return None
    if not all(word.isascii() and word.isalpha() for word in words):
        return None
    letters = np.array([list(word.lower().encode()) for word in words], np.int64) - ord("a")
    return np.concatenate([letters + ALPHABET * np.arange(LENGTH), letters + LENGTH * ALPHABET], axis=1)


def describe_guesses(frontier: Frontier, guesses: Indices) -> Floats:
    """Return what guesses split the sets into, float32 [sets, guesses, COLUMNS] of kernels/partitions.py."""
    from sleuth.kernels.partitions import COLUMNS, partitions

    out = np.empty((*guesses.shape, COLUMNS), np.float32)

    def fill(part: slice) -> None:
        sets = frontier.take(np.arange(part.start, part.stop)).sets
        partitions(frontier.game.tables, sets, guesses[part], out[part])

    map_threads(fill, even_slices(frontier.sizes, 4 * thread_count()))
    return out


def guess_inputs(described: Floats, sizes: NDArray[np.int64]) -> Floats:
    """Return what the policy reads of guesses, float32 [sets, guesses, GUESS_INPUTS].

    The numbers as parts of the set, and their difference from those of the first guess: a class more is
    about one guess less in total, whatever the size of the set.
    """
    n = sizes[:, None, None].astype(np.float32)
    bits, flag = described[..., :1], described[..., 2:3]
    counts = np.concatenate([described[..., 1:2], described[..., 3:]], axis=-1)
    ahead = np.clip((counts - counts[:, :1]) / 4, -2, 2)
    gained = np.clip((bits - bits[:, :1]) * n / 8, -2, 2)
    return np.concatenate([bits / 8, flag, counts / n, ahead, gained], axis=-1)


@lru_cache(maxsize=4)
def _spaced(guesses: int, first: int) -> Indices:
    """Return all guesses, int32, in an order in which the first ones are spaced evenly in the list."""
    return np.argsort(np.arange(guesses) % -(-guesses // first), kind="stable").astype(np.int32)


def describe_sets(frontier: Frontier) -> Floats:
    """Return what the networks read of sets beside their words, float32 [sets, SET_INPUTS]."""
    from sleuth.kernels.partitions import BESTS, MANY, bests

    game = frontier.game
    probes = _spaced(len(game.guesses), MANY)[:MANY]
    found = np.empty((len(frontier), BESTS), np.float32)

    def fill(part: slice) -> None:
        sets = frontier.take(np.arange(part.start, part.stop)).sets
        bests(game.tables, sets, probes, found[part])

    map_threads(fill, even_slices(frontier.sizes, 4 * thread_count()))
    n = frontier.sizes.astype(np.float32)
    to_learn = np.log2(np.maximum(n, 2))
    own, own_bits, separating, probed, probed_bits = found.T
    return np.stack(
        [
            to_learn / 8,
            1 / n,
            own / n,
            np.minimum((n - own) / 8, 2),
            own_bits / to_learn,
            separating > 0,
            separating / n,
            probed / n,
            np.minimum((n - probed) / 8, 2),
            probed_bits / to_learn,
            probed >= n,
        ],
        axis=1,
    ).astype(np.float32)


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


def order_of(guesses: Indices, worth: NDArray[np.floating]) -> NDArray[np.int64]:
    """Return the columns of the guesses of each set, the most worth first, int64 [sets, guesses]; -1 last.

    Worth is held to 2**-10, far above rounding, so that a guess does not depend on what is computed with it.
    Equals keep their order.
    """
    held = np.rint(np.where(guesses >= 0, worth, -np.inf).astype(np.float64) * 1024)
    return np.argsort(-held, axis=1, kind="stable")


def ordered(guesses: Indices, worth: NDArray[np.floating], k: int) -> Indices:
    """Return the k guesses of the most worth, best first, int32 [sets, k], then -1; see order_of."""
    best = np.take_along_axis(guesses, order_of(guesses, worth), axis=1)[:, :k]
    out = np.full((len(guesses), k), -1, np.int32)
    out[:, : best.shape[1]] = best
    return out


def join(frontiers: Sequence[Frontier]) -> Frontier:
    """Return the sets of several frontiers of one game, without limits on legal guesses, as one."""
    sizes = np.concatenate([frontier.sizes for frontier in frontiers])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return replace(
        frontiers[0],
        starts=starts,
        candidates=np.concatenate([frontier.candidates for frontier in frontiers]),
        rows=None,
    )

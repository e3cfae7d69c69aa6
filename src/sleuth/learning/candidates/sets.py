"""What the networks of the candidate-set player see of candidate sets. NumPy only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.rules import WordleRules
from sleuth.strategies.heuristics import InformationGain
from sleuth.support.parallel import even_slices, map_threads, thread_count

Floats = NDArray[np.float32]

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

"""What the answers still possible tell of every two letters of a guess. NumPy only.

A guess gets a mark for each place: the letter stands there, stands elsewhere, or is not in the word. How
often two places of a guess get each of the nine pairs of marks is known of the two letters alone, whatever
word they belong to: so what is seen are the pairs of a letter at one place and a letter at another, and no
word. A letter that a guess has twice is taken to be marked at both places as if it were there once.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.learning.letters.features import ALPHABET, letters, rules_of, spelled

Floats = NDArray[np.float32]

MARKS = 9
"""Pairs of marks: that of the first place, then that of the second: here, elsewhere, nowhere."""
CELL_INPUTS = 2 * MARKS + 3
"""What is read of two letters: see cells."""
TOGETHER = (3, 4)
"""How many letters of a guess are looked at together."""
GUESS_INPUTS = 4 + 2 * len(TOGETHER)
"""What is read of a guess beside its letters: see guess_inputs."""
_SQUARE = ALPHABET * ALPHABET


def places(length: int) -> list[tuple[int, int]]:
    """Return every two places of a word."""
    return list(combinations(range(length), 2))


@lru_cache(maxsize=4)
def guess_pairs(game: Game) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs of letters that guesses have, and which each guess has.

    int64 [pairs], numbered by the two places, the letter at the first and the letter at the second; and
    int64 [guesses, pairs of places], places in the first array.
    """
    found = letters(game).astype(np.int64)
    numbers = [
        number * _SQUARE + ALPHABET * found[:, i] + found[:, j]
        for number, (i, j) in enumerate(places(rules_of(game).length))
    ]
    used, which = np.unique(np.stack(numbers, axis=1), return_inverse=True)
    return used, which.reshape(len(found), -1)


@lru_cache(maxsize=4)
def _together(game: Game) -> NDArray[np.int64]:
    """Return which two of its features each answer has, int64 [answers, pairs], see moments; -1 for none."""
    length = rules_of(game).length
    found = spelled(game.answers, length).astype(np.int64)
    within = ALPHABET * length + found
    for i, j in places(length):
        within[found[:, i] == found[:, j], j] = -1  # counted at its first place
    features = np.concatenate([ALPHABET * np.arange(length) + found, within], axis=1)
    both = (features[:, :, None] >= 0) & (features[:, None, :] >= 0)
    size = ALPHABET * (length + 1)
    return np.where(both, features[:, :, None] * size + features[:, None, :], -1).reshape(len(found), -1)


def moments(frontier: Frontier) -> Floats:
    """Return the share of each set's answers that have two features both, float32 [sets, n, n].

    An answer has 26 features for each place, one for each letter there, and 26 for the letters it has
    anywhere; n = 26 * (length + 1), 156 for words of five letters. Sets weigh their answers alike.
    """
    together, size = _together(frontier.game), ALPHABET * (rules_of(frontier.game).length + 1)
    out = np.empty((len(frontier), size * size), np.float32)
    for s, (begin, end) in enumerate(zip(frontier.starts[:-1], frontier.starts[1:], strict=True)):
        found = together[frontier.candidates[begin:end]].ravel()
        out[s] = np.bincount(found[found >= 0], minlength=size * size) / (end - begin)
    return out.reshape(-1, size, size)


def joint_marks(moment: Floats, length: int, used: NDArray[np.int64]) -> Floats:
    """Return how likely every pair of marks is, float32 [sets, pairs, MARKS].

    moment: see moments; used: int64 [pairs], numbered as guess_pairs does.
    """
    first, second = np.array(places(length))[used // _SQUARE].T
    a, b = ALPHABET * length + used % _SQUARE // ALPHABET, ALPHABET * length + used % ALPHABET
    here_a, here_b = a - ALPHABET * (length - first), b - ALPHABET * (length - second)
    either = np.diagonal(moment, axis1=1, axis2=2)
    here, near = moment[:, here_a, here_b], moment[:, here_a, b]
    far, within = moment[:, a, here_b], moment[:, a, b]
    at_a, at_b, of_a, of_b = either[:, here_a], either[:, here_b], either[:, a], either[:, b]
    marks = np.empty((*here.shape, MARKS), np.float32)
    marks[..., 0] = here
    marks[..., 1] = near - here
    marks[..., 2] = at_a - near
    marks[..., 3] = far - here
    marks[..., 4] = within - near - far + here
    marks[..., 5] = of_a - at_a - within + near
    marks[..., 6] = at_b - far
    marks[..., 7] = of_b - at_b - within + far
    marks[..., 8] = 1 - of_a - of_b + within
    return np.clip(marks, 0, 1, out=marks)  # of rounding


def cells(frontier: Frontier) -> Floats:
    """Return what the network reads of the pairs of letters, float32 [sets, pairs, CELL_INPUTS].

    Of each of the nine pairs of marks the root of its chance, and what it tells in bits, -p log2 p; whether
    the two letters are one; log2 of the number of answers in eighths, and one over their number. Pairs are
    those of guess_pairs.
    """
    game = frontier.game
    used, _ = guess_pairs(game)
    marks = joint_marks(moments(frontier), rules_of(game).length, used)
    out = np.empty((*marks.shape[:2], CELL_INPUTS), np.float32)
    np.sqrt(marks, out=out[..., :MARKS])
    np.multiply(marks, -np.log2(np.maximum(marks, 1e-9)), out=out[..., MARKS : 2 * MARKS])
    out[..., -3] = used // ALPHABET % ALPHABET == used % ALPHABET
    out[..., -2] = np.log2(frontier.sizes)[:, None] / 8
    out[..., -1] = 1 / frontier.sizes[:, None]
    return out


def pair_features(frontier: Frontier) -> Floats:
    """Return all that the network reads of sets, float32 [sets, features]: cells, then guess_inputs."""
    n = len(frontier)
    return np.concatenate([cells(frontier).reshape(n, -1), guess_inputs(frontier).reshape(n, -1)], axis=1)


def guess_inputs(frontier: Frontier) -> Floats:
    """Return what the network reads of guesses beside their letters, float32 [sets, guesses, GUESS_INPUTS].

    Whether the guess may be the answer, how likely it is; what three of its letters tell together, the mean
    and the most over all three places, and so four (kernels/marks.py); and of the set log2 of its size in
    eighths, and one over it.
    """
    from sleuth.kernels.marks import tell

    game = frontier.game
    length = rules_of(game).length
    out = np.zeros((len(frontier), len(game.guesses), GUESS_INPUTS), np.float32)
    sets = np.repeat(np.arange(len(frontier)), frontier.sizes)
    named = game.answer_guess[frontier.candidates]
    out[sets[named >= 0], named[named >= 0], 0] = 1
    out[..., 1] = out[..., 0] / frontier.sizes[:, None]
    mean, most = np.empty((2, *out.shape[:2]), np.float32)
    for number, together in enumerate(TOGETHER):
        some = np.array(list(combinations(range(length), together)), np.int64).reshape(-1, together)
        tell(frontier.sets, _marks(game), letters(game), some, mean, most)
        out[..., 2 + 2 * number], out[..., 3 + 2 * number] = mean, most
    out[..., -2] = np.log2(frontier.sizes)[:, None] / 8
    out[..., -1] = 1 / frontier.sizes[:, None]
    return out


@lru_cache(maxsize=4)
def _marks(game: Game) -> NDArray[np.uint8]:
    """Return what mark a letter at a place gets, uint8 [26, length, answers]: here, elsewhere or nowhere."""
    found = spelled(game.answers, rules_of(game).length)
    alphabet = np.arange(ALPHABET)[:, None, None]
    here = found.T[None] == alphabet
    return np.where(here, 0, np.where(here.any(axis=1, keepdims=True), 1, 2)).astype(np.uint8)

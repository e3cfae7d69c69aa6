"""What kernels on candidate sets and the classes that guesses make of them have in common."""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import inlined, inner
from sleuth.kernels.types import Codes, Tables

SMALL = 160
"""Where all guesses are gone through, sets up to this size are read from the matrix by answers: one cache
line holds the codes of 64 guesses, and the lines of more answers would not stay in the cache."""


def codes_of(tables: Tables, by_answer: bool) -> Codes:
    """Return the codes of a game in the order that they are read in, by answers or by guesses."""
    if by_answer:
        return Codes(tables.by_answer.ravel(), tables.wide, 1, tables.guess_answer.size)
    return Codes(tables.by_guess.ravel(), tables.wide, tables.answer_guess.size, 1)


laid_out = inlined(codes_of)


@inner
def weight_of(tables: Tables, set_: Array) -> float:
    """Return the weight of a set, int32 [n]; 0 where its candidates are equally likely."""
    total = 0.0
    if tables.weights.size > 0:
        for a in set_:
            total += tables.weights[a]
    return total


@inlined
def _width(by_answer: Array, wide: bool, begin: Int, most: Int) -> Int:
    """Return how many guesses there are from `begin` on, so many at most."""
    return max(0, min(most, by_answer.shape[1] // (2 if wide else 1) - begin))


@inner
def count_pairs(by_answer: Array, wide: bool, set_: Array, begin: Int, pairs: Array) -> None:
    """Fill pairs, uint8 [n], with the pairs of equal codes that n guesses from `begin` on get in a set.

    Where there are fewer guesses, the rest is left as it is.
    by_answer: codes [answers, guesses], as bytes. set_: int32, at most 23 answers, whose pairs fit a byte.
    """
    width = _width(by_answer, wide, begin, pairs.size)
    for g in range(width):
        pairs[g] = 0
    # Slices, so that the inner loop begins at 0 and vectorises.
    for i in range(1, set_.size):
        if wide:
            for j in range(i):
                _count_equal(by_answer, set_[i], set_[j], begin, pairs[:width])
            continue
        row = by_answer[set_[i], begin : begin + width]
        for j in range(i):
            other = by_answer[set_[j], begin : begin + width]
            for g in range(width):
                pairs[g] += np.uint8(row[g] == other[g])


@inner
def _count_equal(by_answer: Array, a: Int, b: Int, begin: Int, counts: Array) -> None:
    """Add to counts, uint8 [n], 1 where guesses from `begin` on get one code, of two bytes, for a and b."""
    row = by_answer[a].view(np.uint16)[begin : begin + counts.size]
    other = by_answer[b].view(np.uint16)[begin : begin + counts.size]
    for g in range(counts.size):
        counts[g] += np.uint8(row[g] == other[g])


@inner
def sum_losses(
    by_answer: Array, wide: bool, set_: Array, chances: Array, begin: Int, seen: Array, losses: Array
) -> None:
    """Fill losses, float32 [n], with bits that n guesses from `begin` on leave unknown of a set, at least.

    Where there are fewer guesses, the rest is left as it is. Of a class with chances p1 >= p2 >= ... that add
    up to P, the sum of p_i log2(P / p_i) stays unknown. That is no less than p2 + p3 + ..., for P is 2 p_i or
    more from the second on.
    set_: int32, at most SMALL, the likeliest first; chances: float32, theirs. seen: uint8 [n], overwritten.
    """
    width = _width(by_answer, wide, begin, losses.size)
    for g in range(width):
        losses[g] = 0.0
    for i in range(1, set_.size):
        for g in range(width):
            seen[g] = 0
        if wide:
            for j in range(i):
                _count_equal(by_answer, set_[i], set_[j], begin, seen[:width])
            for g in range(width):
                seen[g] = min(seen[g], np.uint8(1))
        else:
            row = by_answer[set_[i], begin : begin + width]
            for j in range(i):
                other = by_answer[set_[j], begin : begin + width]
                for g in range(width):
                    seen[g] |= np.uint8(row[g] == other[g])
        chance = chances[i]
        for g in range(width):
            losses[g] += chance * np.float32(seen[g])

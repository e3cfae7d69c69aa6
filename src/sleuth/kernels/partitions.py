"""What a guess splits a candidate set into, as numbers that a network reads."""

import numpy as np
from numba import njit

from sleuth.kernels import Array
from sleuth.kernels.types import Sets, Tables

# The columns of partitions(); classes of these sizes and more, up to the next, are counted together.
BITS = 0
CLASSES = 1
CANDIDATE = 2
LARGEST = 3
SIZES = (1, 2, 3, 4, 5, 7, 11, 21)
COLUMNS = LARGEST + 1 + len(SIZES)
# The columns of bests().
BESTS = 5
# Bits are held to 2**-16, so that those of equal classes are equal in whatever order they are added.
_FINE = 2.0**16
# Candidates of a set that bests() tries at most; the largest set that all probes are tried on, and how many
# are tried on larger ones.
_TRIED = 128
FEW = 12
MANY = 512


@njit(cache=True, nogil=True)
def _bucket(size: int) -> int:
    """Return which of SIZES a class of this size is counted with."""
    found = 0
    for i in range(len(SIZES)):
        if size >= SIZES[i]:
            found = i
    return found


@njit(cache=True, nogil=True)
def _bits(entropies: float, n: int) -> float:
    """Return the information of classes whose m log2 m sum to entropies, of n candidates."""
    return float(np.rint((np.log2(n) - entropies / n) * _FINE) / _FINE)


@njit(cache=True, nogil=True)
def partitions(tables: Tables, sets: Sets, guesses: Array, out: Array) -> None:
    """Fill out, float32 [sets, guesses, COLUMNS], for guesses, int32 [sets, guesses]; zeros where -1.

    Columns: information in bits, number of classes, 1 where the guess is a candidate, size of the largest
    class, and how many classes there are of each size of SIZES. Every candidate counts the same, and the
    class of a right guess counts like any other.
    """
    counts = np.zeros(tables.n_codes, np.int32)
    for s in range(guesses.shape[0]):
        set_ = sets.members[sets.starts[s] : sets.starts[s + 1]]
        for j in range(guesses.shape[1]):
            row = out[s, j]
            row[:] = 0.0
            g = guesses[s, j]
            if g < 0:
                continue
            codes = tables.by_guess[g]
            entropies = 0.0
            largest = 0
            for a in set_:
                counts[codes[a]] += 1
            for a in set_:
                if a == tables.guess_answer[g]:
                    row[CANDIDATE] = 1.0
                m = counts[codes[a]]
                if m > 0:
                    row[CLASSES] += 1.0
                    row[LARGEST + 1 + _bucket(m)] += 1.0
                    largest = max(largest, m)
                    entropies += m * np.log2(m)
                    counts[codes[a]] = 0
            row[LARGEST] = largest
            row[BITS] = _bits(entropies, set_.size)


@njit(cache=True, nogil=True)
def bests(tables: Tables, sets: Sets, probes: Array, out: Array) -> None:
    """Fill out, float32 [sets, BESTS]: how well a set can be told apart by its own candidates and by probes.

    probes: int32, guesses that are tried in this order until one tells all apart; on sets of more than FEW
    answers only the first MANY. Of large sets some of the candidates are tried, evenly spaced. Columns: the
    most classes and the most bits of a candidate, how many candidates tell all apart, and the most classes
    and the most bits of a probe.
    """
    counts = np.zeros(tables.n_codes, np.int32)
    for s in range(out.shape[0]):
        set_ = sets.members[sets.starts[s] : sets.starts[s + 1]]
        n = set_.size
        row = out[s]
        row[:] = 0.0
        step = (n + _TRIED - 1) // _TRIED
        tried = (n + step - 1) // step
        asked = probes.size if n <= FEW else min(MANY, probes.size)
        for i in range(tried + asked):
            own = i < tried
            g = tables.answer_guess[set_[i * step]] if own else probes[i - tried]
            if g < 0:
                continue
            codes = tables.by_guess[g]
            classes = 0
            for a in set_:
                counts[codes[a]] += 1
                classes += counts[codes[a]] == 1
            entropies = 0.0
            at = 0 if own else 3
            # Small sets are asked so much that bits are worth computing only where there are as many classes.
            telling = n > FEW or classes >= row[at]
            for a in set_:
                m = counts[codes[a]]
                if m > 1 and telling:
                    entropies += m * np.log2(m)
                counts[codes[a]] = 0
            if telling:
                row[at] = max(row[at], classes)
                row[at + 1] = max(row[at + 1], _bits(entropies, n))
            if classes == n:
                if not own:
                    break
                row[2] += 1.0

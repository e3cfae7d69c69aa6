"""What a guess splits a candidate set into, as numbers that a network reads."""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.classes import count_pairs
from sleuth.kernels.codes import gather
from sleuth.kernels.jit import inner, kernel
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
# Candidates of a set that bests() tries at most; the largest set that all guesses are tried on, and how many
# probes are tried on larger ones.
_TRIED = 128
FEW = 12
MANY = 512


@inner
def _bucket(size: int) -> int:
    """Return which of SIZES a class of this size is counted with."""
    found = 0
    for i in range(len(SIZES)):
        if size >= SIZES[i]:
            found = i
    return found


@inner
def _bits(entropies: float, n: int) -> float:
    """Return the information of classes whose m log2 m sum to entropies, of n candidates."""
    return float(np.rint((np.log2(n) - entropies / n) * _FINE) / _FINE)


@kernel
def partitions(tables: Tables, sets: Sets, guesses: Array, out: Array) -> None:
    """Fill out, float32 [sets, guesses, COLUMNS], for guesses, int32 [sets, guesses]; zeros where -1.

    Columns: information in bits, number of classes, 1 where the guess is a candidate, size of the largest
    class, and how many classes there are of each size of SIZES. Every candidate counts the same, and the
    class of a right guess counts like any other.
    """
    counts = np.zeros(tables.n_codes, np.int32)
    room = np.empty(tables.answer_guess.size, np.uint16)
    for s in range(guesses.shape[0]):
        set_ = sets.members[sets.starts[s] : sets.starts[s + 1]]
        codes = room[: set_.size]
        for j in range(guesses.shape[1]):
            row = out[s, j]
            row[:] = 0.0
            g = guesses[s, j]
            if g < 0:
                continue
            gather(tables.by_guess[g], tables.wide, 0, 1, set_, codes)
            entropies = 0.0
            largest = 0
            for code in codes:
                counts[code] += 1
            for i in range(set_.size):
                if set_[i] == tables.guess_answer[g]:
                    row[CANDIDATE] = 1.0
                m = counts[codes[i]]
                if m > 0:
                    row[CLASSES] += 1.0
                    row[LARGEST + 1 + _bucket(m)] += 1.0
                    largest = max(largest, m)
                    entropies += m * np.log2(m)
                    counts[codes[i]] = 0
            row[LARGEST] = largest
            row[BITS] = _bits(entropies, set_.size)


@inner
def _told_apart(tables: Tables, guess: Int, set_: Array, room: Array, counts: Array) -> tuple[int, float]:
    """Return how many classes a guess splits a set into, and the bits; counts stay zero.

    room: uint16 [answers], overwritten.
    """
    classes = 0
    entropies = 0.0
    codes = room[: set_.size]
    gather(tables.by_guess[guess], tables.wide, 0, 1, set_, codes)
    for code in codes:
        counts[code] += 1
    for code in codes:
        m = counts[code]
        if m > 0:
            classes += 1
            if m > 1:
                entropies += m * np.log2(m)
            counts[code] = 0
    return classes, _bits(entropies, set_.size)


@kernel
def bests(tables: Tables, sets: Sets, probes: Array, out: Array) -> None:
    """Fill out, float32 [sets, BESTS]: how well a set can be told apart by its own candidates and by others.

    Columns: the most classes and the most bits of a candidate, how many candidates tell all apart, and the
    most classes and the most bits of a guess. Sets of FEW answers and fewer are tried with every guess, and
    bits are the most of the guesses with the most classes. Larger ones are tried with some candidates,
    evenly spaced, and with probes, int32; the most bits may be those of another guess than the most classes.
    """
    counts = np.zeros(tables.n_codes, np.int32)
    pairs = np.empty(tables.guess_answer.size, np.uint8)
    room = np.empty(tables.answer_guess.size, np.uint16)
    for s in range(out.shape[0]):
        set_ = sets.members[sets.starts[s] : sets.starts[s + 1]]
        n = set_.size
        row = out[s]
        row[:] = 0.0
        step = (n + _TRIED - 1) // _TRIED
        for i in range(0, n, step):
            g = tables.answer_guess[set_[i]]
            if g >= 0:
                classes, bits = _told_apart(tables, np.int64(g), set_, room, counts)
                if n > FEW:
                    row[0], row[1] = max(row[0], classes), max(row[1], bits)
                elif classes > row[0] or (classes == row[0] and bits > row[1]):
                    row[0], row[1] = classes, bits
                row[2] += classes == n
        if n > FEW:
            for g in probes:
                classes, bits = _told_apart(tables, np.int64(g), set_, room, counts)
                row[3], row[4] = max(row[3], classes), max(row[4], bits)
                if classes == n:
                    break
        elif row[2] > 0:
            row[3], row[4] = row[0], row[1]
        else:
            count_pairs(tables.by_answer, tables.wide, set_, np.int64(0), pairs)
            # A guess with k classes less than answers has from k to k (k + 1) / 2 pairs alike, so that only
            # those of few pairs may have the most classes. Equal pairs and classes may still differ in bits.
            least = np.int64(pairs.min())
            for g in range(pairs.size):
                if pairs[g] <= least * (least + 1) // 2:
                    classes, bits = _told_apart(tables, np.int64(g), set_, room, counts)
                    if classes > row[3] or (classes == row[3] and bits > row[4]):
                        row[3], row[4] = classes, bits
                    if classes == n:
                        break

"""Most answers found within the turns left: two turns left exactly, more by the promising guesses alone.

With two turns left a guess finds, with the one after it, the heaviest answer of each of its classes: its gain
(docs/exact.md, bound 2). With more turns it finds what its classes come to with one turn less. Of guesses
that find the same by symmetry (alike.py) one is looked at.
"""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.codes import gather
from sleuth.kernels.jit import inner, kernel
from sleuth.kernels.search.alike import firsts_after, tells_apart, then
from sleuth.kernels.search.records import Moves, Past
from sleuth.kernels.topk import heap_of, insert, place_ascending, pop


@inner
def _firsts(moves: Moves, past: Past, guesses: Int) -> Array:
    """Return the guesses that are the first of those alike after a past, int64 ascending."""
    every = np.arange(guesses)
    if tells_apart(past):
        return every
    return every[firsts_after(moves, past, every.astype(np.int32))]


@inner
def _promising(codes: Array, guesses: Array, n_codes: Int, width: Int) -> Array:
    """Return so many of some guesses, int64, those with the smallest classes on average, the smallest first.

    codes: uint16 [guesses, answers], of the answers of one set.
    """
    best = np.full(min(width, guesses.size), np.iinfo(np.int64).max)
    chosen = np.zeros(best.size, np.int64)
    counts = np.zeros(n_codes, np.int64)
    for g in guesses:
        squares = np.int64(0)
        for code in codes[g]:
            squares += 2 * counts[code] + 1
            counts[code] += 1
        for code in codes[g]:
            counts[code] = 0
        if squares < best[-1]:
            place = place_ascending(best, squares)
            insert(best, place, squares)
            insert(chosen, place, g)
    return chosen


@inner
def _gain(
    codes: Array, weights: Array, members: Array, first: Array, guesses: Array, n_codes: Int
) -> tuple[Int, Int]:
    """Return the most that two guesses find of some answers, and the first of them.

    members: int64, columns. first: guesses to look at before the others, int64.
    """
    heaviest = np.zeros(n_codes, np.int64)
    seen = np.full(n_codes, -1, np.int64)
    whole = np.int64(0)
    for m in members:
        whole += weights[m]
    best, chosen = np.int64(-1), np.int64(-1)
    for x in range(first.size + guesses.size):
        guess = first[x] if x < first.size else guesses[x - first.size]
        found = whole
        for m in members:
            code, weight = codes[guess, m], weights[m]
            if seen[code] != x:
                seen[code], heaviest[code] = x, weight
                continue
            found -= min(weight, heaviest[code])
            heaviest[code] = max(weight, heaviest[code])
            if found <= best:
                break
        if found > best:
            best, chosen = found, guess
            if best == whole:
                break
    return best, chosen


@inner
def _by_class(row: Array, n_codes: Int) -> tuple[Array, Array]:
    """Return where each class of a guess begins, int64 [codes + 1], and the columns by class, int64."""
    starts = np.zeros(n_codes + 1, np.int64)
    for code in row:
        starts[np.int64(code) + 1] += 1
    for c in range(n_codes):
        starts[c + 1] += starts[c]
    place = starts[:-1].copy()
    members = np.empty(row.size, np.int64)
    for column in range(row.size):
        code = row[column]
        members[place[code]] = column
        place[code] += 1
    return starts, members


@inner
def _found(
    codes: Array,
    weights: Array,
    turns: Int,
    width: Int,
    n_codes: Int,
    moves: Moves,
    past: Past,
    guesses: Array,
    stop: Array,
) -> tuple[Int, Int]:
    """Return how much of a set is found within so many turns, and the guess that does it, or -1.

    codes: uint16 [guesses, answers], weights: int64 [answers], both of that set alone. guesses: int64, the
    first of those alike after the past.
    """
    whole = weights.sum()
    if turns <= 0:
        return np.int64(0), np.int64(-1)
    if turns == 1:
        return weights.max(), np.int64(-1)
    if turns == 2:
        return _gain(codes, weights, np.arange(weights.size), np.zeros(0, np.int64), guesses, n_codes)
    promising = _promising(codes, guesses, n_codes, width)
    best, chosen = np.int64(-1), np.int64(-1)
    for guess in promising:
        if stop[0] != 0:
            break
        starts, members = _by_class(codes[guess], n_codes)
        now = then(moves, past, guess)
        firsts = _firsts(moves, now, codes.shape[0])
        found = whole
        smaller = starts[:-1] - starts[1:]
        heap = heap_of(smaller)
        for waiting in range(heap.size, 0, -1):
            c = pop(heap, smaller, waiting)
            some = members[starts[c] : starts[c + 1]]
            if some.size < turns:  # n turns are never a limit for n answers
                break
            if turns == 3:
                value, _ = _gain(codes, weights, some, promising, firsts, n_codes)
            else:
                value, _ = _found(
                    codes[:, some], weights[some], turns - 1, width, n_codes, moves, now, firsts, stop
                )
            found += value - weights[some].sum()
            if found <= best:
                break
        if found > best:
            best, chosen = found, guess
            if best == whole:
                break
    return best, chosen


@kernel
def most_found(
    flat: Array,
    wide: bool,
    n_codes: Int,
    weights: Array,
    starts: Array,
    members: Array,
    turns: Int,
    width: Int,
    moves: Moves,
    past: Past,
    stop: Array,
    found: Array,
    guesses: Array,
) -> None:
    """Fill found and guesses, int64 [sets]: the most weight found within so many turns, and the guess for it.

    flat, wide: codes by guess, see kernels/codes.py. weights: int64 [answers]. starts, members: the sets,
    int32 answers. width: guesses followed in a set, where three turns are left or more. past: that of all the
    sets. stop: uint8 [1]; set, it ends the search, which has found nothing then. The guess is -1 where one
    turn is left or none.
    """
    firsts = _firsts(moves, past, flat.shape[0])
    for s in range(found.size):
        some = members[starts[s] : starts[s + 1]]
        codes = np.empty((flat.shape[0], some.size), np.uint16)
        for g in range(flat.shape[0]):
            gather(flat[g], wide, 0, 1, some, codes[g])
        found[s], guesses[s] = _found(codes, weights[some], turns, width, n_codes, moves, past, firsts, stop)

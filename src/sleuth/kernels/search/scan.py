"""What guesses gain on a set, by the codes that they get there.

A guess costs at least three times the weight of the set, less its gain, less its weight where it is a
candidate. The gain is the sum over its classes of the heaviest weight (the first: rows go by weight).
"""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.codes import widen
from sleuth.kernels.jit import apart, inlined, inner, kernel
from sleuth.kernels.search.records import SCANS, Search, View, is_wide, weight_of
from sleuth.kernels.topk import insert, place_descending

LARGE = 70
"""Smaller sets compare rows pairwise, larger ones mark the codes seen."""
# Guesses scanned at once by either way.
_BLOCK = 512
_NARROW = 64
_ONE = np.uint8(1)


@inner
def gain_of(search: Search, view: View, codes: Array, rows: Array, counts: Array) -> tuple[Int, Int]:
    """Return what a guess gains on a set, and the size of its largest class.

    codes: uint8 or uint16 [view rows], what it gets. counts: int32 [codes], zero before and after.
    """
    stepped = rows.size > search.most_classes
    gain = np.int64(0)
    largest = 0
    for r in rows:
        code = codes[r]
        m = counts[code]
        if stepped:
            gain += 2 - search.floors[m + 1] + search.floors[m]
        elif m == 0:
            gain += search.weights[view.answers[r]]
        counts[code] = m + 1
        largest = max(largest, m + 1)
    for r in rows:
        counts[codes[r]] = 0
    return gain, largest


@inner
def wide_gain_of(search: Search, view: View, column: Int, rows: Array, counts: Array) -> tuple[Int, Int]:
    """Return gain_of for a column of a view of codes of two bytes. Apart, for that is rare."""
    return gain_of(search, view, view.codes.view(np.uint16)[:, column], rows, counts)


@inner
def _by_flags(codes: Array, rows: Array, begin: Int, flags: Array, few: Array, gains: Array) -> None:
    """Fill gains, int64 [w], with the number of codes that w guesses from `begin` on get: a flag for each.

    codes: uint8 [rows, columns]. flags: uint8 [codes * _NARROW], few: uint8 [_NARROW]; overwritten.
    """
    w = gains.size
    n_codes = flags.size // _NARROW
    a = few[:w]
    for c in range(flags.size):
        flags[c] = 0
    for i in range(rows.size):
        row = codes[rows[i], begin : begin + w]
        for j in range(w):
            flags[(np.uint32(row[j]) << np.uint32(6)) | np.uint32(j)] = 1
    for j in range(w):
        gains[j] = 0
    first = 0
    while first < n_codes:  # in parts that a byte can count
        last = min(n_codes, first + 200)
        for j in range(w):
            a[j] = 0
        for c in range(first, last):
            line = flags[c * _NARROW : c * _NARROW + w]
            for j in range(w):
                a[j] += line[j]
        for j in range(w):
            gains[j] += a[j]
        first = last


@inner
def _by_marks(
    search: Search,
    answers: Array,
    codes: Array,
    rows: Array,
    begin: Int,
    stepped: bool,
    marks: Array,
    gains: Array,
) -> None:
    """Fill gains, int64 [w], with what w guesses from `begin` on gain: the size of each class so far.

    answers: see View. codes: uint8 or uint16 [rows, columns]. stepped: whether classes gain by their sizes
    (see Search.most_classes). marks: int32 [codes * _NARROW],
    zero before and after.
    """
    w = gains.size
    weights, floors = search.weights, search.floors
    for j in range(w):
        gains[j] = 0
    for i in range(rows.size):
        row = codes[rows[i], begin : begin + w]
        weight = weights[answers[rows[i]]]
        for j in range(w):
            at = (np.uint32(row[j]) << np.uint32(6)) | np.uint32(j)
            m = marks[at]
            if stepped:
                gains[j] += 2 - floors[m + 1] + floors[m]
            elif m == 0:
                gains[j] += weight
            marks[at] = m + 1
    for i in range(rows.size):
        row = codes[rows[i], begin : begin + w]
        for j in range(w):
            marks[(np.uint32(row[j]) << np.uint32(6)) | np.uint32(j)] = 0


@inner
def _by_wide_marks(
    search: Search, view: View, rows: Array, begin: Int, stepped: bool, marks: Array, gains: Array
) -> None:
    """Fill gains by marks in a view of codes of two bytes. Apart, for that is rare."""
    codes = view.codes.view(np.uint16)
    _by_marks(search, view.answers, codes, rows, begin, stepped, marks, gains)


@inlined
def _compare(codes: Array, rows: Array, i: Int, begin: Int, near: Array) -> None:
    """Fill near, uint8 [w], for w guesses from `begin` on: 0 where a row before the i-th has its code.

    i: from 1.
    """
    w = near.size
    x = codes[rows[i], begin : begin + w]
    head = codes[rows[0], begin : begin + w]
    for j in range(w):
        near[j] = x[j] ^ head[j]
    q = 1
    while q + 8 <= i:
        r1 = codes[rows[q], begin : begin + w]
        r2 = codes[rows[q + 1], begin : begin + w]
        r3 = codes[rows[q + 2], begin : begin + w]
        r4 = codes[rows[q + 3], begin : begin + w]
        r5 = codes[rows[q + 4], begin : begin + w]
        r6 = codes[rows[q + 5], begin : begin + w]
        r7 = codes[rows[q + 6], begin : begin + w]
        r8 = codes[rows[q + 7], begin : begin + w]
        for j in range(w):
            near[j] = min(
                min(min(near[j], x[j] ^ r1[j]), min(min(x[j] ^ r2[j], x[j] ^ r3[j]), x[j] ^ r4[j])),
                min(min(x[j] ^ r5[j], x[j] ^ r6[j]), min(x[j] ^ r7[j], x[j] ^ r8[j])),
            )
        q += 8
    while q + 4 <= i:
        r1 = codes[rows[q], begin : begin + w]
        r2 = codes[rows[q + 1], begin : begin + w]
        r3 = codes[rows[q + 2], begin : begin + w]
        r4 = codes[rows[q + 3], begin : begin + w]
        for j in range(w):
            near[j] = min(min(near[j], x[j] ^ r1[j]), min(min(x[j] ^ r2[j], x[j] ^ r3[j]), x[j] ^ r4[j]))
        q += 4
    while q < i:
        r1 = codes[rows[q], begin : begin + w]
        for j in range(w):
            near[j] = min(near[j], x[j] ^ r1[j])
        q += 1


@inner
def _first_most(counts: Array) -> tuple[Int, Int]:
    """Return the largest of counts, [w], and where it first stands; without widening them."""
    top = counts[0]
    for j in range(counts.size):
        top = max(top, counts[j])
    at = 0
    while counts[at] != top:
        at += 1
    return np.int64(top), np.int64(at)


@inner
def _count_by_pairs(codes: Array, rows: Array, begin: Int, near: Array, counts: Array, best: Int) -> bool:
    """Fill counts with the number of codes that w guesses from `begin` on get: of rows unlike those before.

    counts, near: uint8 [w]. Returns False, and leaves the rest, once none can get more than best.
    """
    w = counts.size
    n = rows.size
    for j in range(w):
        counts[j] = 1
    for i in range(1, n):
        _compare(codes, rows, i, begin, near)
        for j in range(w):
            counts[j] += min(near[j], _ONE)
        left = n - 1 - i
        # The last rows take longest; it is worth a look where few guesses can have got more by then.
        if 1 < left <= best - 4:
            most, _ = _first_most(counts)
            if most + left <= best:
                return False
    return True


@inner
def _weigh_by_pairs(
    codes: Array, rows: Array, weights: Array, answers: Array, begin: Int, near: Array, gains: Array
) -> None:
    """Fill gains, int64 [w], with the weight of the rows whose codes by a guess are unlike those before."""
    w = gains.size
    weight = weights[answers[rows[0]]]
    for j in range(w):
        gains[j] = weight
    for i in range(1, rows.size):
        _compare(codes, rows, i, begin, near)
        weight = weights[answers[rows[i]]]
        for j in range(w):
            gains[j] += weight * np.int64(min(near[j], _ONE))


@apart
@inner
def scan(search: Search, view: View, rows: Array, gains: Array, wanted: Int) -> tuple[Int, Int]:
    """Return the most that any guess gains on a set, and its column.

    gains: int64 [columns], filled; where it is empty, the scan stops once no later guess can gain more, and
    where `wanted` is positive, once none can be among so many that gain most, own weight included.
    """
    codes = view.codes
    n = rows.size
    n_columns = view.columns.size
    keep = gains.size > 0
    best = np.int64(-1)
    best_column = np.int64(-1)
    total = weight_of(search.weights, view.answers, rows)
    stepped = n > search.most_classes
    wide = is_wide(view)
    n_codes = search.n_codes if wide else min(search.n_codes, 256)
    marked = n >= LARGE or stepped or wide
    plain = search.uniform and not stepped
    flagged = marked and plain and not wide
    width = _NARROW if marked else _BLOCK
    gain = np.empty(width, np.int64)
    few = np.empty(width, np.uint8)
    near = np.empty(width, np.uint8)
    most = np.full(wanted, -1, np.int64)  # descending
    heaviest = search.weights[view.answers[rows[0]]]
    flags = np.empty(n_codes * _NARROW if flagged else 0, np.uint8)
    marks = np.zeros(n_codes * _NARROW if marked and not flagged else 0, np.int32)
    for begin in range(0, n_columns, width):
        w = min(width, n_columns - begin)
        if not keep and (best == total or view.quality[begin] <= best):
            break
        if wanted > 0 and view.quality[begin] + heaviest <= most[wanted - 1]:
            break
        g = gain[:w]
        if wide:
            _by_wide_marks(search, view, rows, begin, stepped, marks, g)
        elif flagged:
            _by_flags(codes, rows, begin, flags, few, g)
        elif marked:
            _by_marks(search, view.answers, codes, rows, begin, stepped, marks, g)
        elif plain:
            a = few[:w]
            if not _count_by_pairs(codes, rows, begin, near[:w], a, np.int64(0) if keep else best):
                continue
            if not keep:
                top, at = _first_most(a)
                if top > best:
                    best, best_column = top, np.int64(begin + at)
                continue
            for j in range(w):
                g[j] = a[j]
        else:
            _weigh_by_pairs(codes, rows, search.weights, view.answers, begin, near[:w], g)
        for j in range(w):
            if g[j] > best:
                best, best_column = g[j], np.int64(begin + j)
        if keep:
            out = gains[begin : begin + w]
            for j in range(w):
                out[j] = g[j]
        if wanted > 0:
            for j in range(w):
                if g[j] > most[wanted - 1]:
                    insert(most, place_descending(most, g[j]), g[j])
    search.control[SCANS] += 1
    return best, best_column


@kernel
def gains_of(search: Search, view: View, rows: Array) -> Array:
    """Return what each guess gains on a set, int64 [columns] (see scan)."""
    gains = np.empty(view.columns.size, np.int64)
    scan(search, view, rows, gains, np.int64(0))
    return gains


@kernel
def whole_gains(by_guess: Array, weights: Array, answer_guess: Array, n_codes: Int) -> tuple[Array, Int, Int]:
    """Return what each guess gains on all answers, int64 [guesses], and how many answers guesses tell apart.

    That is the most classes that one has, and the most answers that one has outside its largest class; a
    right answer is in no class there. by_guess: codes [guesses, answers], as bytes. weights: int64 [answers];
    answer_guess: int32 [answers].
    """
    n_guesses, n_answers = by_guess.shape[0], answer_guess.size
    wide = by_guess.shape[1] > n_answers
    row = np.empty(n_answers, np.uint16)
    gains = np.zeros(n_guesses, np.int64)
    heaviest = np.zeros(n_codes, np.int64)
    seen = np.full(n_codes, -1, np.int32)
    counts = np.zeros(n_codes, np.int32)
    most, most_removed = 0, 0
    for guess in range(n_guesses):
        widen(by_guess[guess], wide, row)
        classes = 0
        largest = 0
        gain = np.int64(0)
        for a in range(n_answers):
            code = row[a]
            if seen[code] != guess:
                seen[code] = guess
                counts[code] = 0
                classes += 1
                heaviest[code] = weights[a]
                gain += weights[a]
            elif weights[a] > heaviest[code]:
                gain += weights[a] - heaviest[code]
                heaviest[code] = weights[a]
            if answer_guess[a] != guess:
                counts[code] += 1
                largest = max(largest, counts[code])
        gains[guess] = gain
        most = max(most, classes)
        most_removed = max(most_removed, n_answers - largest)
    return gains, most, most_removed

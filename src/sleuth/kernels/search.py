"""Branch and bound over candidate sets: the least total of guesses, exactly.

The total of a set is the sum over its answers of weight times the guesses needed from there on. Every
kernel here counts virtually: an answer that no guess can name costs its weight once more than it does in
play, as if a guess were spent on it when it is the only one left. So all answers follow one rule; callers
take the surplus (the weight of those answers) off the result. docs/exact.md proves the bounds.
"""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import kernel
from sleuth.kernels.types import Legality

INFINITE = np.int64(2**60)
"""The total of a set that cannot be solved within the turns left."""
UNLIMITED = np.int64(2**30)
"""Turns left where there is no limit."""
DEEPEST = np.int64(400)
"""Sets that may be searched one inside the other: so many fit a stack of 2 MB."""
GAVE_UP, TOO_DEEP = np.int64(-1), np.int64(-2)
"""In place of a depth: the search ended before the total was known, by a request or at DEEPEST."""
STOP, NODES, SCANS, TRIED, BUCKETS, FILLED = 0, 1, 2, 3, 4, 5
"""Places in Search.control: a request to stop; counts of sets searched, scans, guesses tried; buckets of
the table in use and entries filled. Threads add to counts without locks, so that a few get lost."""

# Guesses scanned at once: sets up to _LARGE compare rows pairwise, larger ones mark the codes seen.
_BLOCK = 512
_NARROW = 64
_LARGE = 70
# Beyond so many codes, marks are cleared one by one.
_MANY_CODES = 1024
# Up to this size, searching a set starts by keeping one guess for each partition (labels fit a byte).
_DISTINCT = 255
# Entries of a bucket of the table; an entry is four words.
WAYS = 4
WORDS = 4
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ODD = np.uint64(0xD6E8FEB86659FD93)
# An entry has 16 bits for the size of a set and 16 for a depth; the largest stands for all from there on.
_FULL = 65535


class Search(NamedTuple):
    """A game and an objective as the search sees them, and what its threads share."""

    weights: Array  # int64 [answers]
    named: Array  # bool [answers]: whether some guess is this answer
    floors: Array  # int64 [answers + 1]: no set of so many answers costs less (uniform weights only)
    answer_hashes: Array  # uint64 [answers, 2]
    guess_hashes: Array  # uint64 [guesses, 2], used where legality matters
    turn_hashes: Array  # uint64 [turns, 2]
    table: Array  # uint64 [WORDS * entries]: bounds of sets met before, shared by threads
    control: Array  # int64 [8]
    legality: Legality
    guess_codes: Array  # [guesses, guesses] where legality matters, else empty
    n_codes: int
    most_removed: int  # no guess leaves fewer answers than all but so many in its largest class
    uniform: bool  # all weights are 1
    all_named: bool  # every answer is a guess
    restricted: bool  # which guesses are legal depends on the feedback
    most_classes: int  # larger sets bound guesses by the sizes of their classes, not by their number
    leftover: int  # what each unit of weight costs that is left when the turns are up, or INFINITE
    goes_on: bool  # whether the answers left then are still searched for, at their cost


class View(NamedTuple):
    """Answers and guesses that a part of the search deals with."""

    codes: Array  # uint8 or uint16 [rows, columns]
    answers: Array  # int32 [rows]
    own: Array  # int32 [rows]: the column that is the row's answer, or -1
    columns: Array  # int32 [columns]: guesses
    quality: Array  # int64 [columns], descending: no set in the view gains more by this guess
    keys: Array  # uint64 [2]: hash of the legal guesses, 0 where all are


@kernel
def _scan(search: Search, view: View, rows: Array, gains: Array, wanted: Int) -> tuple[Int, Int]:
    """Return the most that any guess gains on a set, and its column.

    A guess costs at least three times the weight of the set, less its gain, less its weight where it is a
    candidate. The gain is the sum over its classes of the heaviest weight (the first: rows go by weight).
    gains: int64 [columns], filled; where it is empty, the scan stops once no later guess can gain more, and
    where `wanted` is positive, once none can be among so many that gain most, own weight included.
    """
    codes = view.codes
    n = rows.size
    n_columns = codes.shape[1]
    keep = gains.size > 0
    best = np.int64(-1)
    best_column = np.int64(-1)
    total = np.int64(0)
    for i in range(n):
        total += search.weights[view.answers[rows[i]]]
    stepped = n > search.most_classes
    wide = n >= _LARGE or stepped
    plain = search.uniform and not stepped
    flagged = wide and plain and search.n_codes <= _MANY_CODES
    width = _NARROW if wide else _BLOCK
    gain = np.empty(width, np.int64)
    few = np.empty(width, codes.dtype)
    near = np.empty(width, codes.dtype)
    units = np.ones(1, codes.dtype)
    unit = units[0]
    most = np.full(wanted, -1, np.int64)  # descending
    heaviest = search.weights[view.answers[rows[0]]]
    flags = np.empty(search.n_codes * _NARROW if flagged else 0, np.uint8)
    marks = np.zeros(search.n_codes * _NARROW if wide and not flagged else 0, np.int32)
    begin = 0
    while begin < n_columns:
        w = min(width, n_columns - begin)
        if not keep and (best == total or view.quality[begin] <= best):
            break
        if wanted > 0 and view.quality[begin] + heaviest <= most[wanted - 1]:
            break
        g = gain[:w]
        if flagged:
            for c in range(flags.size):
                flags[c] = 0
            for i in range(n):
                row = codes[rows[i], begin : begin + w]
                for j in range(w):
                    flags[(np.uint32(row[j]) << np.uint32(6)) | np.uint32(j)] = 1
            a = few[:w]
            for j in range(w):
                g[j] = 0
            first = 0
            while first < search.n_codes:  # in parts that a byte can count
                last = min(search.n_codes, first + 200)
                for j in range(w):
                    a[j] = 0
                for c in range(first, last):
                    line = flags[c * _NARROW : c * _NARROW + w]
                    for j in range(w):
                        a[j] += line[j]
                for j in range(w):
                    g[j] += a[j]
                first = last
        elif wide:
            for j in range(w):
                g[j] = 0
            for i in range(n):
                row = codes[rows[i], begin : begin + w]
                weight = search.weights[view.answers[rows[i]]]
                for j in range(w):
                    at = (np.uint32(row[j]) << np.uint32(6)) | np.uint32(j)
                    m = marks[at]
                    if stepped:
                        g[j] += 2 - search.floors[m + 1] + search.floors[m]
                    elif m == 0:
                        g[j] += weight
                    marks[at] = m + 1
            for i in range(n):
                row = codes[rows[i], begin : begin + w]
                for j in range(w):
                    marks[(np.uint32(row[j]) << np.uint32(6)) | np.uint32(j)] = 0
        else:
            a = few[:w]
            d = near[:w]
            weight = search.weights[view.answers[rows[0]]]
            for j in range(w):
                a[j] = unit
            if not plain:
                for j in range(w):
                    g[j] = weight
            head = codes[rows[0], begin : begin + w]
            for i in range(1, n):
                # d is 0 where some earlier row has the same code.
                x = codes[rows[i], begin : begin + w]
                for j in range(w):
                    d[j] = x[j] ^ head[j]
                q = 1
                while q + 4 <= i:
                    r1 = codes[rows[q], begin : begin + w]
                    r2 = codes[rows[q + 1], begin : begin + w]
                    r3 = codes[rows[q + 2], begin : begin + w]
                    r4 = codes[rows[q + 3], begin : begin + w]
                    for j in range(w):
                        d[j] = min(
                            min(d[j], x[j] ^ r1[j]), min(min(x[j] ^ r2[j], x[j] ^ r3[j]), x[j] ^ r4[j])
                        )
                    q += 4
                while q < i:
                    r1 = codes[rows[q], begin : begin + w]
                    for j in range(w):
                        d[j] = min(d[j], x[j] ^ r1[j])
                    q += 1
                if plain:
                    for j in range(w):
                        a[j] += min(d[j], unit)
                else:
                    weight = search.weights[view.answers[rows[i]]]
                    for j in range(w):
                        g[j] += weight * np.int64(min(d[j], unit))
            if plain:
                if not keep:
                    # The widest blocks end here: the largest count without widening it.
                    top = unit
                    for j in range(w):
                        top = max(top, a[j])
                    if np.int64(top) > best:
                        best = np.int64(top)
                        for j in range(w):
                            if a[j] == top:
                                best_column = np.int64(begin + j)
                                break
                    begin += w
                    continue
                for j in range(w):
                    g[j] = a[j]
        for j in range(w):
            if g[j] > best:
                best = g[j]
                best_column = np.int64(begin + j)
        if keep:
            out = gains[begin : begin + w]
            for j in range(w):
                out[j] = g[j]
        if wanted > 0:
            for j in range(w):
                if g[j] > most[wanted - 1]:
                    place = wanted - 1
                    while place > 0 and most[place - 1] < g[j]:
                        most[place] = most[place - 1]
                        place -= 1
                    most[place] = g[j]
        begin += w
    search.control[SCANS] += 1
    return best, best_column


@kernel
def _place(low: np.uint64, buckets: Int) -> Int:
    """Return where in the table the bucket of a hash begins, of so many buckets."""
    return np.int64(((low >> np.uint64(32)) * np.uint64(buckets)) >> np.uint64(32)) * (WAYS * WORDS)


@kernel
def _sealed(key: np.uint64, lower: np.uint64, upper: np.uint64, info: np.uint64) -> np.uint64:
    """Return the first word of an entry: the key, by the other three words.

    Each is multiplied by another odd number, so that no two cancel, equal or exchanged.
    """
    return key ^ ((lower * _ODD + upper) * _ODD + info)


@kernel
def _probe(search: Search, key: np.uint64, low: np.uint64) -> tuple[Int, Int, Int]:
    """Return lower bound, upper bound and what else is known (0: nothing) of a set met before.

    Threads write without locks; an entry that another one was half through does not fit its key. The table
    grows by doubling, and what was stored just before lies where half as many buckets put it.
    """
    table = search.table
    buckets = search.control[BUCKETS]
    for _ in range(2):
        begin = _place(low, buckets)
        for way in range(WAYS):
            at = begin + way * WORDS
            lower, upper, info = table[at + 1], table[at + 2], table[at + 3]
            if info != 0 and table[at] == _sealed(key, lower, upper, info):
                return np.int64(lower), np.int64(upper), np.int64(info)
        buckets //= 2
        if buckets == 0:
            break
    return np.int64(-1), INFINITE, np.int64(0)


@kernel
def _store(
    search: Search, key: np.uint64, low: np.uint64, n: Int, lower: Int, upper: Int, depth: Int, guess: Int
) -> None:
    """Remember the bounds of a set of n answers; in a full bucket the smallest set gives way."""
    table = search.table
    control = search.control
    buckets = control[BUCKETS]
    begin = _place(low, buckets)
    chosen = begin
    least = np.int64(2**62)
    for way in range(WAYS):
        at = begin + way * WORDS
        info = table[at + 3]
        if info != 0 and table[at] == _sealed(key, table[at + 1], table[at + 2], info):
            chosen = at
            break
        size = np.int64(info >> np.uint64(48))
        if size < least:
            least = size
            chosen = at
    if table[chosen + 3] == 0:
        control[FILLED] += 1
        if control[FILLED] > 2 * buckets and 2 * buckets * WAYS * WORDS <= table.size:
            control[BUCKETS] = 2 * buckets  # of what was read above: two threads at once double it once
    info = (
        (np.uint64(min(n, _FULL)) << np.uint64(48))
        | (np.uint64(min(depth, _FULL)) << np.uint64(32))
        | np.uint64(guess + 2)
    )
    table[chosen] = _sealed(key, np.uint64(lower), np.uint64(upper), info)
    table[chosen + 1] = np.uint64(lower)
    table[chosen + 2] = np.uint64(upper)
    table[chosen + 3] = info


@kernel
def _depth_of(info: Int) -> Int:
    """Return the depth that an entry holds, or UNLIMITED where it may be any from the largest on."""
    depth = (info >> 32) & _FULL
    return UNLIMITED if depth == _FULL else depth


@kernel
def _guess_of(info: Int) -> Int:
    return (info & 0xFFFFFFFF) - 2


@kernel
def _may_be_lost(search: Search) -> bool:
    """Say whether there may be answers that no guess finds, at a penalty for each."""
    return bool(search.leftover < INFINITE) and not search.goes_on and not search.all_named


@kernel
def _key(search: Search, view: View, rows: Array, turns: Int) -> tuple[np.uint64, np.uint64]:
    """Return the two hashes of a set, the turns left (where they may matter) and the legal guesses.

    In any n turns a sensible strategy finds n answers, so more turns than answers are no limit. But what is
    never found costs the more the more turns are left.
    """
    key, low = view.keys[0], view.keys[1]
    for r in rows:
        a = view.answers[r]
        key ^= search.answer_hashes[a, 0]
        low ^= search.answer_hashes[a, 1]
    if turns < rows.size:
        key ^= search.turn_hashes[turns, 0]
        low ^= search.turn_hashes[turns, 1]
    elif _may_be_lost(search):
        key ^= np.uint64(turns + 1) * _GOLDEN
        low ^= np.uint64(turns + 1) * _ODD
    return key, low


@kernel
def _closed(search: Search, view: View, rows: Array, turns: Int) -> tuple[Int, Int]:
    """Return total and depth of a set for which there is a formula, else -1."""
    n = rows.size
    first = view.answers[rows[0]]
    if n == 1:
        w = search.weights[first]
        if not search.named[first]:  # the guess that names it is virtual and takes no turn
            return w, np.int64(0)
        if turns > 0:
            return w, np.int64(1)
        if search.leftover == INFINITE:
            return INFINITE, np.int64(1)
        if search.goes_on:
            return search.leftover * w + w, np.int64(1)
        return search.leftover * w, np.int64(1)
    if turns >= 2:
        if n == 2 and search.all_named:
            a = search.weights[first]
            b = search.weights[view.answers[rows[1]]]
            return a + b + min(a, b), np.int64(2)
        if search.leftover == INFINITE and n > 1 + search.most_removed * (turns - search.all_named):
            return INFINITE, np.int64(1)
        return np.int64(-1), np.int64(0)
    if search.goes_on:
        return np.int64(-1), np.int64(0)
    total = np.int64(0)
    most = np.int64(0)
    surplus = np.int64(0)
    for r in rows:
        w = search.weights[view.answers[r]]
        total += w
        most = max(most, w)
        if not search.named[view.answers[r]]:
            surplus += w
    if turns == 0:
        return INFINITE if search.leftover == INFINITE else search.leftover * total + surplus, np.int64(1)
    if search.all_named:
        if search.leftover == INFINITE:
            return INFINITE, np.int64(1)
        return total + search.leftover * (total - most), np.int64(1)
    return np.int64(-1), np.int64(0)


@kernel
def _given_up(search: Search, view: View, rows: Array, turns: Int) -> Int:
    """Return the total of a set that has no formula and that no guess tells apart, if there is a penalty.

    The guesses of the view are the legal ones. Otherwise the result is -1: any guess that tells something
    costs no more than to give up.
    """
    if not _may_be_lost(search):
        return np.int64(-1)
    head = view.codes[rows[0]]
    total = np.int64(0)
    for r in rows:
        total += search.weights[view.answers[r]]
        if view.own[r] >= 0:
            return np.int64(-1)
        line = view.codes[r]
        for j in range(line.size):
            if line[j] != head[j]:
                return np.int64(-1)
    if turns > UNLIMITED // 2:
        return INFINITE
    return (turns + search.leftover) * total + total  # none is a guess, so each counts once more


@kernel
def _floor(search: Search, view: View, rows: Array, turns: Int) -> Int:
    """Return a lower bound of the total from sizes and weights alone."""
    if search.uniform:
        floor = search.floors[rows.size]
        return floor + search.leftover * rows.size if turns == 0 else floor
    total = np.int64(0)
    most = np.int64(0)
    for r in rows:
        w = search.weights[view.answers[r]]
        total += w
        most = max(most, w)
    floor = 2 * total - most
    return floor + search.leftover * total if turns == 0 else floor


@kernel
def split_rows(search: Search, view: View, rows: Array, column: Int) -> tuple[Array, Array]:
    """Split a set by a guess: int32 starts [classes + 1] and members; a right answer is in no class."""
    n = rows.size
    counts = np.zeros(search.n_codes, np.int32)
    seen = np.empty(n, np.int32)
    starts = np.empty(n + 1, np.int32)
    members = np.empty(n, np.int32)
    n_seen = 0
    for r in rows:
        if view.own[r] == column:
            continue
        code = view.codes[r, column]
        if counts[code] == 0:
            seen[n_seen] = code
            n_seen += 1
        counts[code] += 1
    filled = 0
    for i in range(n_seen):
        code = seen[i]
        starts[i] = filled
        filled += counts[code]
        counts[code] = starts[i]
    starts[n_seen] = filled
    for r in rows:
        if view.own[r] == column:
            continue
        code = view.codes[r, column]
        members[counts[code]] = r
        counts[code] += 1
    return starts[: n_seen + 1], members[:filled]


@kernel
def _gain(search: Search, view: View, rows: Array, column: Int, counts: Array) -> tuple[Int, Int]:
    """Return what a guess gains on a set (see _scan), and the size of its largest class.

    counts: int32 [codes], zero before and after.
    """
    stepped = rows.size > search.most_classes
    gain = np.int64(0)
    largest = 0
    for r in rows:
        code = view.codes[r, column]
        m = counts[code]
        if stepped:
            gain += 2 - search.floors[m + 1] + search.floors[m]
        elif m == 0:
            gain += search.weights[view.answers[r]]
        counts[code] = m + 1
        largest = max(largest, m + 1)
    for r in rows:
        counts[view.codes[r, column]] = 0
    return gain, largest


@kernel
def _bound(search: Search, view: View, rows: Array, turns: Int, key: np.uint64, low: np.uint64) -> Int:
    """Bound a set that has no formula by one scan of the guesses, store the bounds, return the lower one.

    The bounds are equal where the best guess leaves classes of one or two.
    """
    n = rows.size
    total = np.int64(0)
    for r in rows:
        total += search.weights[view.answers[r]]
    upper = INFINITE
    depth = np.int64(0)
    guess = np.int64(-1)
    if turns <= 1:
        lower = _floor(search, view, rows, turns)
        _store(search, key, low, n, lower, upper, depth, guess)
        return lower
    # A guess whose classes hold two answers at most costs what its bound says.
    exact = turns >= 3 and search.all_named
    counts = np.zeros(search.n_codes, np.int32)
    candidates = INFINITE
    for r in rows:
        own = view.own[r]
        if own < 0:
            continue
        gain, largest = _gain(search, view, rows, own, counts)
        value = _least_cost(search, n, total, gain, search.weights[view.answers[r]], turns)
        candidates = min(candidates, value)
        if exact and largest <= 2 and value < upper:
            upper = value
            guess = np.int64(view.columns[own])
            depth = np.int64(1 + largest)
    if upper <= min(candidates, 2 * total):  # no other guess costs less than two for each answer
        _store(search, key, low, n, upper, upper, depth, guess)
        return upper
    none = np.empty(0, np.int64)
    nothing = np.int64(0)
    best, column = _scan(search, view, rows, none, nothing)
    best = max(best, nothing)  # there may be no legal guess
    scanned = _least_cost(search, n, total, best, nothing, turns)
    lower = min(candidates, scanned)
    if upper <= lower:
        lower = upper
    elif exact and scanned <= lower:
        _, largest = _gain(search, view, rows, column, counts)
        if largest <= 2:
            upper = scanned
            guess = np.int64(view.columns[column])
            depth = np.int64(1 + largest)
    _store(search, key, low, n, lower, upper, depth, guess)
    return lower


@kernel
def _bounds(
    search: Search, view: View, rows: Array, turns: Int, key: np.uint64, low: np.uint64
) -> tuple[Int, Int, Int]:
    """Return lower and upper bound, and what else is known, of a set that has no formula."""
    lower, upper, info = _probe(search, key, low)
    if info == 0:
        _bound(search, view, rows, turns, key, low)
        lower, upper, info = _probe(search, key, low)
        if info == 0:  # another thread took the place
            lower = _floor(search, view, rows, turns)
    return lower, upper, info


@kernel
def _sift(order: Array, value: Array, at: Int, size: Int) -> None:
    """Move an item of a heap down to its place: least value first, then least index."""
    item = order[at]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        c = order[child]
        if child + 1 < size:
            other = order[child + 1]
            if value[other] < value[c] or (value[other] == value[c] and other < c):
                child += 1
                c = other
        if value[c] > value[item] or (value[c] == value[item] and c > item):
            break
        order[at] = c
        at = child
    order[at] = item


@kernel
def _gather(view: View, rows: Array, picked: Array, quality: Array, keys: Array) -> View:
    """Return the view of some rows and columns, int32 [rows] and [columns], in that order."""
    n = rows.size
    m = picked.size
    columns = np.empty(m, np.int32)
    place = np.full(view.columns.size, -1, np.int32)
    for j in range(m):
        columns[j] = view.columns[picked[j]]
        place[picked[j]] = j
    answers = np.empty(n, np.int32)
    own = np.empty(n, np.int32)
    codes = np.empty((n, m), view.codes.dtype)
    for i in range(n):
        answers[i] = view.answers[rows[i]]
        own[i] = place[view.own[rows[i]]] if view.own[rows[i]] >= 0 else -1
        line = view.codes[rows[i]]
        out = codes[i]
        for j in range(m):
            out[j] = line[picked[j]]
    return View(codes, answers, own, columns, quality, keys)


@kernel
def _distinct(search: Search, view: View, rows: Array, gains: Array) -> View:
    """Return the view of a set with one guess for each partition of it, most gain first.

    Guesses with the same partition of a set have the same partitions of its subsets. The candidates are all
    kept.
    """
    n = rows.size
    codes = view.codes
    n_columns = codes.shape[1]
    candidate = np.zeros(n_columns, np.bool_)
    for r in rows:
        if view.own[r] >= 0:
            candidate[view.own[r]] = True
    hashes = np.zeros(n_columns, np.uint64)
    label = np.empty(_BLOCK, np.uint8)
    begin = 0
    while begin < n_columns:
        w = min(_BLOCK, n_columns - begin)
        h = hashes[begin : begin + w]
        lab = label[:w]
        for i in range(1, n):
            # The label of a row is the first row with its code: labels tell partitions apart.
            x = codes[rows[i], begin : begin + w]
            for j in range(w):
                lab[j] = 255
            for q in range(i):
                r = codes[rows[q], begin : begin + w]
                number = np.uint8(q)
                for j in range(w):
                    lab[j] = min(lab[j], number if x[j] == r[j] else np.uint8(255))
            for j in range(w):
                h[j] = (h[j] + np.uint64(lab[j]) + np.uint64(1)) * _GOLDEN
                h[j] ^= h[j] >> np.uint64(29)
        begin += w
    size = 1
    while size < 2 * n_columns:
        size *= 2
    slots = np.full(size, -1, np.int32)
    order = np.empty(n_columns, np.int32)
    value = np.empty(n_columns, np.int64)
    m = 0
    heaviest = np.int64(0)
    for r in rows:
        heaviest = max(heaviest, search.weights[view.answers[r]])
    for turn in range(2):  # first the candidates
        for c in range(n_columns):
            if candidate[c] != (turn == 0):
                continue
            at = np.int64(hashes[c] & np.uint64(size - 1))
            while slots[at] >= 0 and hashes[slots[at]] != hashes[c]:
                at = (at + 1) & (size - 1)
            if slots[at] < 0:
                slots[at] = c
            elif turn == 1:
                continue
            value[c] = -gains[c]
            order[m] = c
            m += 1
    for i in range(m // 2 - 1, -1, -1):
        _sift(order, value, i, m)
    picked = np.empty(m, np.int32)
    quality = np.empty(m, np.int64)
    left = m
    start = np.int64(0)
    for j in range(m):
        picked[j] = order[0]
        quality[j] = gains[order[0]]
        left -= 1
        order[0] = order[left]
        _sift(order, value, start, left)
    return _gather(view, rows, picked, quality, view.keys)


@kernel
def _least_cost(search: Search, n: Int, total: Int, gain: Int, own: Int, turns: Int) -> Int:
    """Return a lower bound of what a guess costs on n answers of weight `total`, by what it gains there.

    own: its weight, if it is a candidate. With two turns left each class has one guess, for its heaviest.
    """
    if turns <= 1:
        return total
    if turns == 2 and search.all_named and gain < total:
        if search.leftover == INFINITE:
            if search.uniform:
                return INFINITE
        elif n <= search.most_classes:
            return 2 * total - own + search.leftover * (total - gain)
    return 3 * total - gain - own


@kernel
def _costs_by_gains(search: Search, view: View, rows: Array, gains: Array, turns: Int) -> Array:
    """Return what each guess costs on a set at least, int64 [columns], by what it gains there."""
    total = np.int64(0)
    own = np.zeros(gains.size, np.int64)
    for r in rows:
        weight = search.weights[view.answers[r]]
        total += weight
        if view.own[r] >= 0:
            own[view.own[r]] = weight
    costs = np.empty(gains.size, np.int64)
    for j in range(gains.size):
        costs[j] = _least_cost(search, rows.size, total, gains[j], own[j], turns)
    return costs


@kernel
def _least_costs(search: Search, view: View, rows: Array, turns: Int, wanted: Int) -> Array:
    """Return what each guess costs on a set at least, int64 [columns], by one scan.

    wanted: where it is positive, guesses that are not among so many best may be said to cost more.
    """
    gains = np.zeros(view.columns.size, np.int64)
    _scan(search, view, rows, gains, wanted)
    return _costs_by_gains(search, view, rows, gains, turns)


@kernel
def _laid_out(search: Search, view: View, rows: Array, turns: Int) -> tuple[View, Array, Array]:
    """Return a view to search a set in, its rows there, and what each guess costs at least, int64."""
    n = rows.size
    all_ = np.int64(0)
    if n > min(_DISTINCT, search.most_classes) or search.restricted:
        return view, rows, _least_costs(search, view, rows, turns, all_)
    gains = np.empty(view.columns.size, np.int64)
    _scan(search, view, rows, gains, all_)
    inner = _distinct(search, view, rows, gains)
    at = np.arange(n).astype(np.int32)
    return inner, at, _costs_by_gains(search, inner, at, inner.quality, turns)


@kernel
def _allows(legality: Legality, guess: Int, code: Int, as_answer: Int) -> bool:
    """Say whether a word may be guessed after `guess` got `code`.

    A copy of kernels/sets.py: allows, for the disk cache does not see an edit in another file.
    """
    if not legality.hard or as_answer == code:
        return bool(as_answer == code)
    length = legality.letters.shape[1]
    shown = legality.digits[code]
    would = legality.digits[as_answer]
    for i in range(length):
        if shown[i] == 2 and would[i] != 2:
            return False
        if shown[i] > 0:
            hinted = 0
            reused = 0
            for j in range(length):
                if legality.letters[guess, j] == legality.letters[guess, i]:
                    hinted += shown[j] > 0
                    reused += would[j] > 0
            if reused < hinted:
                return False
    return True


@kernel
def _restrict(search: Search, view: View, rows: Array, column: Int) -> View:
    """Return the view of a class with the guesses that are legal after this guess and tell something."""
    n = rows.size
    guess = view.columns[column]
    code = view.codes[rows[0], column]
    as_answers = search.guess_codes[guess]
    n_columns = view.columns.size
    picked = np.empty(n_columns, np.int32)
    # Feedback has few kinds: ask once for each.
    verdict = np.zeros(search.n_codes, np.int8)
    keys = np.zeros(2, np.uint64)
    candidate = np.zeros(n_columns, np.bool_)
    for r in rows:
        if view.own[r] >= 0:
            candidate[view.own[r]] = True
    head = view.codes[rows[0]]
    m = 0
    for c in range(n_columns):
        h = view.columns[c]
        other = as_answers[h]
        if verdict[other] == 0:
            verdict[other] = 1 if _allows(search.legality, guess, code, other) else -1
        if verdict[other] < 0:
            continue
        useful = candidate[c]
        i = 1
        while not useful and i < n:
            useful = view.codes[rows[i], c] != head[c]
            i += 1
        if useful:
            picked[m] = c
            m += 1
            keys[0] ^= search.guess_hashes[h, 0]
            keys[1] ^= search.guess_hashes[h, 1]
    quality = np.full(m, INFINITE, np.int64)
    return _gather(view, rows, picked[:m], quality, keys)


@kernel
def _try(
    search: Search, view: View, rows: Array, column: Int, turns: Int, best: Int
) -> tuple[Int, Int, Array, Array, Array, Array]:
    """Bound what a guess costs on a set by bounds of its classes, as far as it takes to reach best.

    Returns the bound, the depth of the classes known so far, the classes (starts, members) and for each its
    lower bound and whether that is exact.
    """
    search.control[TRIED] += 1
    starts, members = split_rows(search, view, rows, column)
    n = starts.size - 1
    lower = np.empty(n, np.int64)
    done = np.zeros(n, np.bool_)
    depth = np.int64(1)
    if n == 1 and starts[1] == rows.size:
        return INFINITE, depth, starts, members, lower, done
    total = np.int64(0)
    for r in rows:
        total += search.weights[view.answers[r]]
    after = turns - 1
    for i in range(n):
        child = members[starts[i] : starts[i + 1]]
        value, child_depth = _closed(search, view, child, after)
        if value >= 0:
            lower[i] = value
            done[i] = True
            depth = max(depth, child_depth + 1)
        else:
            lower[i] = _floor(search, view, child, after)
        total += lower[i]
        if total >= best:
            return min(total, INFINITE), depth, starts, members, lower, done
    keys = np.empty((n, 2), np.uint64)
    fresh = np.zeros(n, np.bool_)
    if not search.restricted:
        for i in range(n):
            if done[i]:
                continue
            child = members[starts[i] : starts[i + 1]]
            keys[i, 0], keys[i, 1] = _key(search, view, child, after)
            low, high, info = _probe(search, keys[i, 0], keys[i, 1])
            if info == 0:
                fresh[i] = True
                continue
            total += low - lower[i]
            lower[i] = low
            if low == high:
                done[i] = True
                depth = max(depth, _depth_of(info) + 1)
            if total >= best:
                return min(total, INFINITE), depth, starts, members, lower, done
    else:
        for i in range(n):
            fresh[i] = not done[i]
    # The largest classes are the farthest from their floors.
    while True:
        pick = -1
        size = 0
        for i in range(n):
            if fresh[i] and starts[i + 1] - starts[i] > size:
                size = starts[i + 1] - starts[i]
                pick = i
        if pick < 0:
            break
        fresh[pick] = False
        child = members[starts[pick] : starts[pick + 1]]
        inner = view
        if search.restricted:
            inner = _restrict(search, view, child, column)
            child = np.arange(size).astype(np.int32)
            keys[pick, 0], keys[pick, 1] = _key(search, inner, child, after)
        low, high, info = _probe(search, keys[pick, 0], keys[pick, 1])
        if info == 0:
            _bound(search, inner, child, after, keys[pick, 0], keys[pick, 1])
            low, high, info = _probe(search, keys[pick, 0], keys[pick, 1])
        low = max(low, lower[pick])
        total += low - lower[pick]
        lower[pick] = low
        if low == high:
            done[pick] = True
            depth = max(depth, _depth_of(info) + 1)
        if total >= best:
            break
    return min(total, INFINITE), depth, starts, members, lower, done


@kernel
def _smallest_open(starts: Array, done: Array) -> Int:
    """Return the smallest class that is not done, or -1."""
    pick = -1
    size = 2**30
    for i in range(done.size):
        if not done[i] and starts[i + 1] - starts[i] < size:
            size = starts[i + 1] - starts[i]
            pick = i
    return pick


@kernel
def solve(
    search: Search, view: View, rows: Array, turns: Int, beta: Int, only: Int, room: Int
) -> tuple[Int, Int, Int]:
    """Return the least total of a set, the depth of a strategy that reaches it, and its guess.

    rows: int32, places in the view. turns: turns left, or UNLIMITED. The total is exact when below beta,
    else a lower bound. only: the column of the one guess to try, or -1. The guess is -1 where a formula
    gave the total. room: sets that may be searched one inside the other, DEEPEST at first. Where the depth
    is negative (GAVE_UP once control[STOP] is set, TOO_DEEP), the total is a lower bound that may be weak.
    """
    n = rows.size
    anything = np.int64(-1)
    if room == 0:
        return np.int64(0), TOO_DEEP, anything
    key, low = _key(search, view, rows, turns)
    lower = np.int64(0)
    upper = INFINITE
    info = np.int64(0)
    if only < 0:
        value, depth = _closed(search, view, rows, turns)
        if value >= 0:
            return value, depth, anything
        value = _given_up(search, view, rows, turns)
        if value >= 0:
            return value, np.int64(turns), anything
        if turns == 0:
            # Play goes on without a limit, at its cost.
            total = np.int64(0)
            for r in rows:
                total += search.weights[view.answers[r]]
            value, depth, guess = solve(search, view, rows, UNLIMITED, INFINITE, anything, room - 1)
            return value + search.leftover * total, depth, guess
        lower, upper, info = _bounds(search, view, rows, turns, key, low)
        if lower >= upper or lower >= beta:
            return lower, _depth_of(info), _guess_of(info)
        if turns < n and (search.leftover == INFINITE or search.goes_on):
            # Without the limit it costs no more; where that takes few enough turns, it is the answer.
            value, depth, guess = solve(search, view, rows, UNLIMITED, beta, anything, room - 1)
            if value >= beta or depth <= turns:  # or it gave up
                return value, depth, guess
            lower = max(lower, value)
    search.control[NODES] += 1
    limit = min(beta, upper)
    inner = view
    at = rows
    if only < 0:
        inner, at, at_least = _laid_out(search, view, rows, turns)
    else:
        at_least = np.zeros(view.columns.size, np.int64)
    n_columns = inner.columns.size
    order = np.empty(n_columns, np.int32)
    m = 0
    least = INFINITE  # over the guesses that are passed over
    for j in range(n_columns):
        if only >= 0 and j != only:
            continue
        if at_least[j] < limit:
            order[m] = j
            m += 1
        else:
            least = min(least, at_least[j])
    for i in range(m // 2 - 1, -1, -1):
        _sift(order, at_least, i, m)
    value = limit
    found = anything
    found_depth = np.int64(0)
    start = np.int64(0)
    while m > 0:
        column = order[0]
        if at_least[column] >= value:
            least = min(least, at_least[column])
            break
        m -= 1
        order[0] = order[m]
        _sift(order, at_least, start, m)
        total, depth, starts, members, bounds, done = _try(search, inner, at, column, turns, value)
        gave_up = GAVE_UP if search.control[STOP] != 0 else np.int64(0)
        while total < value and gave_up == 0:
            pick = _smallest_open(starts, done)
            if pick < 0:
                break
            child = members[starts[pick] : starts[pick + 1]]
            deeper = inner
            if search.restricted:
                deeper = _restrict(search, inner, child, column)
                child = np.arange(child.size).astype(np.int32)
            cost, child_depth, _ = solve(
                search, deeper, child, turns - 1, value - total + bounds[pick], anything, room - 1
            )
            # Not asked of control, which another thread may have set back.
            gave_up = min(child_depth, np.int64(0))
            done[pick] = True
            total += cost - bounds[pick]
            depth = max(depth, child_depth + 1)
        if gave_up < 0:
            if found >= 0 and only < 0:  # the best so far is worth keeping
                _store(search, key, low, n, lower, value, found_depth, found)
            return lower, gave_up, anything
        if total < value:
            value = total
            found = np.int64(inner.columns[column])
            found_depth = depth
            if value <= lower:
                break
        else:
            least = min(least, total)
    if only >= 0:
        return (value, found_depth, found) if found >= 0 else (min(least, INFINITE), found_depth, found)
    if found >= 0:
        _store(search, key, low, n, value, value, found_depth, found)
        return value, found_depth, found
    lower = max(lower, min(least, upper))
    _store(search, key, low, n, lower, upper, _depth_of(info), _guess_of(info))
    return lower, _depth_of(info), _guess_of(info)


@kernel
def outcomes(
    search: Search, view: View, rows: Array, column: Int, turns: Int
) -> tuple[Array, Array, Array, Array]:
    """Return the classes of a guess, int32 starts [classes + 1] and members, and what is known of each.

    That is a lower bound of its total, int64 [classes], and whether it is the total, bool [classes].
    """
    _, _, starts, members, lower, done = _try(search, view, rows, column, turns, INFINITE)
    return starts, members, lower, done


@kernel
def restricted(search: Search, view: View, rows: Array, column: Int) -> View:
    """Return the view of a class of a guess with the guesses that are legal then and tell something."""
    return _restrict(search, view, rows, column)


@kernel
def laid_out(search: Search, view: View, rows: Array, turns: Int) -> tuple[View, Array, Array]:
    """Return a view with one guess for each partition of a set, its rows there, and what each costs.

    The costs are lower bounds, int64 [columns].
    """
    return _laid_out(search, view, rows, turns)


@kernel
def known(search: Search, view: View, rows: Array, turns: Int) -> tuple[Int, Int, Int, Int]:
    """Return what the table knows of a set: lower bound, upper bound or INFINITE, depth and guess."""
    value, depth = _closed(search, view, rows, turns)
    if value >= 0:
        return value, value, depth, np.int64(-1)
    key, low = _key(search, view, rows, turns)
    lower, upper, info = _probe(search, key, low)
    return max(lower, _floor(search, view, rows, turns)), upper, _depth_of(info), _guess_of(info)


@kernel
def remember(
    search: Search, view: View, rows: Array, turns: Int, lower: Int, upper: Int, depth: Int, guess: Int
) -> None:
    """Keep bounds of a set that were found by other means."""
    key, low = _key(search, view, rows, turns)
    _store(search, key, low, rows.size, lower, upper, depth, guess)


@kernel
def whole_gains(by_guess: Array, weights: Array, answer_guess: Array, n_codes: Int) -> tuple[Array, Int, Int]:
    """Return what each guess gains on all answers, int64 [guesses], and how many answers guesses tell apart.

    That is the most classes that one has, and the most answers that one has outside its largest class; a
    right answer is in no class there. weights: int64 [answers]; answer_guess: int32 [answers].
    """
    n_guesses, n_answers = by_guess.shape
    gains = np.zeros(n_guesses, np.int64)
    heaviest = np.zeros(n_codes, np.int64)
    seen = np.full(n_codes, -1, np.int32)
    counts = np.zeros(n_codes, np.int32)
    most, most_removed = 0, 0
    for guess in range(n_guesses):
        row = by_guess[guess]
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


@kernel
def _bucket_of(n: Int) -> Int:
    """Return the half power of two that a size falls in."""
    return np.int64(2.0 * np.log2(n))


@kernel
def _most_gains(
    search: Search,
    view: View,
    by_guess: Array,
    starts: Array,
    members: Array,
    slot_of: Array,
    most: Array,
) -> None:
    """Raise most, int64 [slots], to the most that any guess gains on each of many sets, own weight included.

    starts, members: the sets; slot_of: int32 [openers, rows], the slot that a row is in, or -1. by_guess:
    view.codes transposed, so that a guess's codes of all the answers stay in the nearest cache.
    """
    n_slots = starts.size - 1
    fast = search.uniform and search.n_codes <= 256
    flags = np.zeros(256, np.uint8)
    counts = np.zeros(search.n_codes, np.int32)
    row_of = np.full(view.columns.size, -1, np.int32)
    heaviest = np.int64(0)
    for r in range(view.own.size):
        heaviest = max(heaviest, search.weights[view.answers[r]])
        if view.own[r] >= 0:
            row_of[view.own[r]] = r
    for column in range(view.columns.size):
        if column % 64 == 0:
            least = INFINITE
            for s in range(n_slots):
                least = min(least, most[s])
            if search.control[STOP] != 0 or view.quality[column] + heaviest <= least:
                return
        codes = by_guess[column]
        ceiling = view.quality[column] + heaviest
        right = row_of[column]
        for s in range(n_slots):
            if ceiling <= most[s]:
                continue
            set_ = members[starts[s] : starts[s + 1]]
            gain = np.int64(0)
            stepped = set_.size > search.most_classes
            if fast and not stepped:
                for c in range(256):
                    flags[c] = 0
                for i in range(set_.size):
                    flags[codes[set_[i]]] = 1
                few = np.uint8(0)
                for c in range(256):
                    few += flags[c]
                gain += few
            else:
                for r in set_:
                    code = codes[r]
                    m = counts[code]
                    if stepped:
                        gain += 2 - search.floors[m + 1] + search.floors[m]
                    elif m == 0:
                        gain += search.weights[view.answers[r]]
                    counts[code] = m + 1
                for r in set_:
                    counts[codes[r]] = 0
            most[s] = max(most[s], gain)
        if right >= 0:
            for o in range(slot_of.shape[0]):
                s = slot_of[o, right]
                if s >= 0:
                    # Again for the one set that the guess is a candidate of, with its weight.
                    gain = search.weights[view.answers[right]]
                    set_ = members[starts[s] : starts[s + 1]]
                    stepped = set_.size > search.most_classes
                    for r in set_:
                        m = counts[codes[r]]
                        if stepped:
                            gain += 2 - search.floors[m + 1] + search.floors[m]
                        elif m == 0:
                            gain += search.weights[view.answers[r]]
                        counts[codes[r]] = m + 1
                    for r in set_:
                        counts[codes[r]] = 0
                    most[s] = max(most[s], gain)


@kernel
def bound_openers(
    search: Search,
    view: View,
    by_guess: Array,
    rows: Array,
    openers: Array,
    turns: Int,
    best: Int,
    learned: Array,
    out: Array,
) -> None:
    """Fill out, int64 [openers], with lower bounds of what openers cost, as far as it takes to reach best.

    openers: int32 columns. Many are done at once, the large classes of all of them in one pass over the
    guesses. learned: float64 [64, 2], sums of gains and weights by size, which foretell how many classes it
    will take; they only steer.
    """
    n_openers = openers.size
    n_rows = view.own.size
    total_weight = np.int64(0)
    for r in rows:
        total_weight += search.weights[view.answers[r]]
    # The classes of all the openers end to end.
    starts = np.empty(n_openers * (rows.size + 1) + 1, np.int64)
    members = np.empty(n_openers * rows.size, np.int32)
    first = np.empty(n_openers + 1, np.int64)
    lower = np.empty(starts.size, np.int64)
    fresh = np.zeros(starts.size, np.bool_)
    n_sets = 0
    filled = 0
    starts[0] = 0
    after = turns - 1
    for o in range(n_openers):
        first[o] = n_sets
        out[o] = total_weight
        begins, parts = split_rows(search, view, rows, openers[o])
        if begins.size == 2 and parts.size == rows.size:
            out[o] = INFINITE
            continue
        for i in range(begins.size - 1):
            child = parts[begins[i] : begins[i + 1]]
            low, _ = _closed(search, view, child, after)
            if low < 0:
                low = _floor(search, view, child, after)
                key, where = _key(search, view, child, after)
                known, _, info = _probe(search, key, where)
                fresh[n_sets] = info == 0 and after > 1  # what is gained bounds a set from two turns on
                low = max(low, known)
            lower[n_sets] = low
            out[o] = min(out[o] + low, INFINITE)
            for j in range(child.size):
                members[filled + j] = child[j]
            filled += child.size
            n_sets += 1
            starts[n_sets] = filled
    first[n_openers] = n_sets
    slot_of = np.full((n_openers, n_rows), -1, np.int32)
    slot_set = np.empty(n_sets, np.int64)
    slot_opener = np.empty(n_sets, np.int64)
    slot_starts = np.empty(n_sets + 1, np.int64)
    slot_members = np.empty(filled, np.int32)
    while search.control[STOP] == 0:
        n_slots = 0
        taken = 0
        slot_starts[0] = 0
        # Of each opener the largest classes, as many as are foretold to suffice.
        for o in range(n_openers):
            foretold = float(out[o])
            while foretold < best:
                pick = -1
                size = 0
                for s in range(first[o], first[o + 1]):
                    if fresh[s] and starts[s + 1] - starts[s] > size:
                        size = starts[s + 1] - starts[s]
                        pick = s
                if pick < 0:
                    break
                child = members[starts[pick] : starts[pick + 1]]
                if size < _LARGE:
                    # In small classes comparing rows is faster; they come when no large one waits.
                    if foretold > out[o]:
                        break
                    key, where = _key(search, view, child, after)
                    low = max(lower[pick], _bound(search, view, child, after, key, where))
                    out[o] += low - lower[pick]
                    lower[pick] = low
                    fresh[pick] = False
                    foretold = float(out[o])
                    continue
                fresh[pick] = False
                slot_set[n_slots] = pick
                slot_opener[n_slots] = o
                weight = np.int64(0)
                for j in range(size):
                    slot_members[taken + j] = child[j]
                    slot_of[o, child[j]] = n_slots
                    weight += search.weights[view.answers[child[j]]]
                taken += size
                n_slots += 1
                slot_starts[n_slots] = taken
                at = _bucket_of(size)
                ratio = learned[at, 0] / learned[at, 1] if learned[at, 1] > 0 else 0.3
                foretold += max(0.0, (3.0 - ratio) * weight - lower[pick])
        if n_slots == 0:
            break
        most = np.zeros(n_slots, np.int64)
        _most_gains(search, view, by_guess, slot_starts[: n_slots + 1], slot_members, slot_of, most)
        if search.control[STOP] != 0:
            break
        for i in range(n_slots):
            s, o = slot_set[i], slot_opener[i]
            child = members[starts[s] : starts[s + 1]]
            weight = np.int64(0)
            for r in child:
                weight += search.weights[view.answers[r]]
                slot_of[o, r] = -1
            learned[_bucket_of(child.size), 0] += most[i]
            learned[_bucket_of(child.size), 1] += weight
            low = max(lower[s], 3 * weight - most[i])
            key, where = _key(search, view, child, after)
            _store(search, key, where, child.size, low, INFINITE, np.int64(0), np.int64(-1))
            out[o] += low - lower[s]
            lower[s] = low


@kernel
def gains_of(search: Search, view: View, rows: Array) -> Array:
    """Return what each guess gains on a set, int64 [columns] (see _scan)."""
    gains = np.empty(view.codes.shape[1], np.int64)
    _scan(search, view, rows, gains, np.int64(0))
    return gains


@kernel
def best_guesses(
    search: Search, view: View, rows: Array, turns: Int, guesses: Array, totals: Array, depths: Array
) -> tuple[Int, Int]:
    """Find the best guesses of a set with their exact totals, best first.

    Returns how many there are, and 0, or a negative number where some may lack (see solve). guesses, totals,
    depths: int64 [k]. Of guesses with the same partition one is taken, each candidate apart.
    """
    k = guesses.size
    inner, at, bounds = _laid_out(search, view, rows, turns)
    n_columns = inner.columns.size
    order = np.empty(n_columns, np.int32)
    for j in range(n_columns):
        order[j] = j
    m = n_columns
    start = np.int64(0)
    for i in range(m // 2 - 1, -1, -1):
        _sift(order, bounds, i, m)
    found = 0
    gave_up = np.int64(0)
    while m > 0:
        column = order[0]
        limit = totals[k - 1] if found == k else INFINITE
        if bounds[column] >= limit:
            break
        m -= 1
        order[0] = order[m]
        _sift(order, bounds, start, m)
        value, depth, _ = solve(search, inner, at, turns, limit, np.int64(column), DEEPEST)
        if depth < 0:
            gave_up = depth
            break
        if value >= limit:
            continue
        place = min(found, k - 1)
        while place > 0 and totals[place - 1] > value:
            totals[place] = totals[place - 1]
            guesses[place] = guesses[place - 1]
            depths[place] = depths[place - 1]
            place -= 1
        totals[place] = value
        guesses[place] = inner.columns[column]
        depths[place] = depth
        found = min(found + 1, k)
    return found, gave_up


@kernel
def _promising(
    search: Search, view: View, rows: Array, turns: Int, width: Int, looked: Int, limit: Int
) -> tuple[Array, Array]:
    """Return guesses of a set that may cost less than `limit`, int64 columns, and what they cost at least.

    Of the guesses that cost least by one scan, so many as `looked` are bounded by their classes, and the
    `width` with the least bounds are returned, those first.
    """
    costs = _least_costs(search, view, rows, turns, looked)
    left = costs.size
    order = np.arange(left).astype(np.int32)
    for i in range(left // 2 - 1, -1, -1):
        _sift(order, costs, i, left)
    columns = np.empty(width, np.int64)
    bounds = np.full(width, limit, np.int64)
    start = np.int64(0)
    found = 0
    looks = 0
    while looks < looked and left > 0:
        column = np.int64(order[0])
        worst = bounds[width - 1]
        if costs[column] >= worst:
            break
        left -= 1
        order[0] = order[left]
        _sift(order, costs, start, left)
        bound, _, starts, _, _, _ = _try(search, view, rows, column, turns, worst)
        if starts.size == 2 and starts[1] == rows.size:
            continue  # it tells nothing, which among answers of no weight costs nothing either
        looks += 1
        if bound >= worst:
            continue
        found = min(found + 1, width)
        place = found - 1
        while place > 0 and bounds[place - 1] > bound:
            bounds[place], columns[place] = bounds[place - 1], columns[place - 1]
            place -= 1
        bounds[place], columns[place] = bound, column
    return columns[:found], bounds[:found]


@kernel
def _beam(
    search: Search,
    view: View,
    rows: Array,
    turns: Int,
    width: Int,
    looked: Int,
    beta: Int,
    only: Int,
    room: Int,
) -> tuple[Int, Int, Int]:
    """Return the total of a good strategy of a set, its depth and its guess, or a total from `beta` on.

    The `width` most promising guesses are followed, of so many `looked` at, and half as many in each class.
    only: the column of the one guess to follow, or -1. The guess is -1 where a formula gave the total.
    room: see solve; where it does not suffice the depth is TOO_DEEP.
    """
    anything = np.int64(-1)
    if room == 0:
        return INFINITE, TOO_DEEP, anything
    key, low = _key(search, view, rows, turns)
    lower, upper, info = np.int64(0), INFINITE, np.int64(0)
    if only < 0:
        value, depth = _closed(search, view, rows, turns)
        if value >= 0:
            return value, depth, anything
        value = _given_up(search, view, rows, turns)
        if value >= 0:
            return value, np.int64(turns), anything
        lower, upper, info = _bounds(search, view, rows, turns, key, low)
        if lower >= upper or lower >= beta:
            return lower, _depth_of(info), _guess_of(info)
        columns, bounds = _promising(search, view, rows, turns, width, looked, min(beta, upper))
    else:
        columns, bounds = np.full(1, only, np.int64), np.zeros(1, np.int64)
    found, found_depth = _guess_of(info), _depth_of(info)
    best = upper
    narrower = max(np.int64(1), width // 2)
    for i in range(columns.size):
        limit = min(best, beta)
        if bounds[i] >= limit or search.control[STOP] != 0:
            break
        column = columns[i]
        total, depth, starts, members, known, done = _try(search, view, rows, column, turns, limit)
        while total < limit:
            pick = _smallest_open(starts, done)
            if pick < 0:
                break
            child = members[starts[pick] : starts[pick + 1]]
            deeper = view
            if search.restricted:
                deeper = _restrict(search, view, child, column)
                child = np.arange(child.size).astype(np.int32)
            beyond = limit - total + known[pick]
            cost, below, _ = _beam(
                search, deeper, child, turns - 1, narrower, looked, beyond, anything, room - 1
            )
            if below < 0:
                return best, below, found
            done[pick] = True
            total += cost - known[pick]
            depth = max(depth, below + 1)
        if total < limit:
            best, found, found_depth = total, np.int64(view.columns[column]), depth
            if best <= lower:
                break
    if only < 0 and best < upper:
        _store(search, key, low, rows.size, lower, best, found_depth, found)
    return best, found_depth, found


@kernel
def beam(
    search: Search,
    view: View,
    starts: Array,
    members: Array,
    turns: Int,
    width: Int,
    looked: Int,
    guesses: Array,
    totals: Array,
) -> bool:
    """Fill guesses and totals, int64 [sets, k], with good guesses of sets, best first, and what they cost.

    starts, members: the sets, rows of the view. Of each all guesses `looked` at are followed, whatever k is,
    so that more guesses begin with the same ones. See _beam. Where there are fewer, and where a formula
    gives the total, the guess is -1; a set that is not solved within the turns costs INFINITE. Returns
    whether there was room enough, see solve.
    """
    n_sets, k = guesses.shape
    for s in range(n_sets):
        rows = members[starts[s] : starts[s + 1]]
        guesses[s, :] = -1
        totals[s, :] = INFINITE
        value, _ = _closed(search, view, rows, turns)
        if value < 0:
            value = _given_up(search, view, rows, turns)
        if value >= 0:
            totals[s, 0] = value
            continue
        key, low = _key(search, view, rows, turns)
        lower, upper, info = _bounds(search, view, rows, turns, key, low)
        known = _guess_of(info) if lower >= upper else np.int64(-1)
        if known >= 0:
            totals[s, 0], guesses[s, 0] = upper, known
            if k == 1:
                continue
        columns, bounds = _promising(search, view, rows, turns, looked, looked, INFINITE)
        for i in range(columns.size):
            if bounds[i] >= totals[s, k - 1]:
                break
            guess = np.int64(view.columns[columns[i]])
            if guess == known:
                continue
            cost, depth, _ = _beam(
                search, view, rows, turns, width, looked, totals[s, k - 1], columns[i], DEEPEST
            )
            if depth < 0:
                return False
            if cost >= totals[s, k - 1]:
                continue
            place = k - 1
            while place > 0 and totals[s, place - 1] > cost:
                totals[s, place], guesses[s, place] = totals[s, place - 1], guesses[s, place - 1]
                place -= 1
            totals[s, place], guesses[s, place] = cost, guess
    return True

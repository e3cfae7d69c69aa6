"""Parts of a view: the classes of a guess, guesses that differ, guesses that are legal."""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.codes import FIRST, SECOND, code_at, gather
from sleuth.kernels.hashing import GOLDEN
from sleuth.kernels.jit import apart, inlined, inner, kernel
from sleuth.kernels.legality import allows
from sleuth.kernels.rows import numbers
from sleuth.kernels.search.records import Search, View, is_wide
from sleuth.kernels.topk import make_heap, pop

FEW = 255
"""In views of so many answers the codes of a guess can be labelled with bytes."""
# Guesses compared at once.
_BLOCK = 512


@kernel
def split_rows(search: Search, view: View, rows: Array, column: Int) -> tuple[Array, Array]:
    """Split a set by a guess: int32 starts [classes + 1] and members; a right answer is in no class."""
    n = rows.size
    counts = np.zeros(search.n_codes, np.int32)
    seen = np.empty(n, np.int32)
    starts = np.empty(n + 1, np.int32)
    members = np.empty(n, np.int32)
    n_seen = 0
    wide, low, high = is_wide(view), 2 * column + FIRST, 2 * column + SECOND
    for r in rows:
        if view.own[r] == column:
            continue
        if wide:
            code = np.int64(view.codes[r, low]) | (np.int64(view.codes[r, high]) << 8)
        else:
            code = np.int64(view.codes[r, column])
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
        if wide:
            code = np.int64(view.codes[r, low]) | (np.int64(view.codes[r, high]) << 8)
        else:
            code = np.int64(view.codes[r, column])
        members[counts[code]] = r
        counts[code] += 1
    return starts[: n_seen + 1], members[:filled]


@inner
def _candidates(view: View, rows: Array) -> Array:
    """Return which guesses of a view are candidates of a set, bool [columns]."""
    candidate = np.zeros(view.columns.size, np.bool_)
    for r in rows:
        if view.own[r] >= 0:
            candidate[view.own[r]] = True
    return candidate


@inner
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
    wide = is_wide(view)
    codes = np.empty((n, 2 * m if wide else m), np.uint8)
    for i in range(n):
        answers[i] = view.answers[rows[i]]
        own[i] = place[view.own[rows[i]]] if view.own[rows[i]] >= 0 else -1
        line = view.codes[rows[i]]
        out = codes[i]
        if wide:
            gather(line, wide, 0, 1, picked, out.view(np.uint16))
        else:
            for j in range(m):
                out[j] = line[picked[j]]
    return View(codes, answers, own, columns, quality, keys)


@kernel
def labelled(view: View, rows: Array, n_codes: Int) -> View:
    """Return the view of some answers, at most FEW, with labels for codes. view: wide."""
    n, m = rows.size, view.columns.size
    codes = np.empty((n, m), np.uint8)
    label = np.zeros(n_codes, np.uint8)
    seen = np.full(n_codes, -1, np.int32)
    got = np.empty(n, np.uint16)
    flat = view.codes.ravel()
    for column in range(m):
        gather(flat, True, column, m, rows, got)
        labels = np.uint8(0)
        for i in range(n):
            code = got[i]
            if seen[code] != column:
                seen[code] = column
                label[code] = labels
                labels += np.uint8(1)
            codes[i, column] = label[code]
    return View(codes, view.answers[rows], view.own[rows], view.columns, view.quality, view.keys)


@inner
def narrowed(search: Search, view: View, rows: Array) -> tuple[View, Array]:
    """Return a view that holds a set and is not wide, if it may, and the rows of the set there.

    What is legal goes by codes, which labels stand for where all answers are guesses (see restricted).
    """
    if is_wide(view) and rows.size <= FEW and (search.all_named or not search.restricted):
        return labelled(view, rows, search.n_codes), numbers(rows.size)
    return view, rows


@inner
def _partition_hashes(view: View, rows: Array) -> Array:
    """Return a hash of the partition that each guess makes of a set, uint64 [columns].

    rows: int32, at most 255 of them, whose labels fit a byte. The view is not wide.
    """
    codes = view.codes
    n_columns = view.columns.size
    hashes = np.zeros(n_columns, np.uint64)
    label = np.empty(_BLOCK, np.uint8)
    for begin in range(0, n_columns, _BLOCK):
        w = min(_BLOCK, n_columns - begin)
        h = hashes[begin : begin + w]
        lab = label[:w]
        for i in range(1, rows.size):
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
                h[j] = (h[j] + np.uint64(lab[j]) + np.uint64(1)) * GOLDEN
                h[j] ^= h[j] >> np.uint64(29)
    return hashes


@inlined
def _one_of_each(hashes: Array, candidate: Array, preferred: Array) -> Array:
    """Return the candidates and one other guess of each hash that no candidate has, int32 columns.

    It is the first of the preferred, if any. hashes: uint64 [columns]; candidate, preferred: bool [columns].
    """
    n_columns = hashes.size
    size = 1
    while size < 2 * n_columns:
        size *= 2
    slots = np.full(size, -1, np.int32)
    kept = np.empty(n_columns, np.int32)
    m = 0
    for turn in range(3):  # first the candidates
        for c in range(n_columns):
            if turn != (0 if candidate[c] else 1 if preferred[c] else 2):
                continue
            at = np.int64(hashes[c] & np.uint64(size - 1))
            while slots[at] >= 0 and hashes[slots[at]] != hashes[c]:
                at = (at + 1) & (size - 1)
            if slots[at] < 0:
                slots[at] = c
            elif turn > 0:
                continue
            kept[m] = c
            m += 1
    return kept[:m]


@inner
def _descending(view: View, rows: Array, heap: Array, gains: Array) -> tuple[View, Array]:
    """Return the view of a set with some guesses, int32 columns, most gain first, and their columns."""
    m = heap.size
    cost = -gains
    make_heap(heap, cost, m)
    picked = np.empty(m, np.int32)
    quality = np.empty(m, np.int64)
    for j in range(m):
        picked[j] = pop(heap, cost, m - j)
        quality[j] = gains[picked[j]]
    return _gather(view, rows, picked, quality, view.keys), picked


@inner
def distinct(view: View, rows: Array, gains: Array, preferred: Array) -> tuple[View, Array]:
    """Return the view of a set with one guess for each partition of it, most gain first, and their columns.

    Guesses with the same partition of a set have the same partitions of its subsets. The candidates are all
    kept, and of others a preferred one. rows: int32, at most 255 of them; the view is not wide. gains: int64
    [columns]. preferred: bool [columns].
    """
    heap = _one_of_each(_partition_hashes(view, rows), _candidates(view, rows), preferred)
    return _descending(view, rows, heap, gains)


@inner
def ordered(view: View, rows: Array, gains: Array) -> tuple[View, Array]:
    """Return the view of a set with all guesses, most gain first, and their columns.

    gains: int64 [columns].
    """
    return _descending(view, rows, numbers(gains.size), gains)


@inner
def code_after(search: Search, view: View, row: Int, column: Int) -> Int:
    """Return the code that a guess gets for an answer, where legality matters."""
    as_answers = search.guess_codes[view.columns[column]]
    double, wide = as_answers.size > search.guess_codes.shape[0], is_wide(view)
    if double and not wide:  # the view has labels, and all answers are guesses
        return np.int64(code_at(as_answers, double, view.columns[view.own[row]]))
    return np.int64(code_at(view.codes[row], wide, column))


@apart
@kernel
def restricted(search: Search, view: View, rows: Array, column: Int) -> View:
    """Return the view of a class of a guess with the guesses that are legal then and tell something."""
    n = rows.size
    guess = view.columns[column]
    as_answers = search.guess_codes[guess]
    double, wide = as_answers.size > search.guess_codes.shape[0], is_wide(view)
    code = code_after(search, view, np.int64(rows[0]), column)
    n_columns = view.columns.size
    picked = np.empty(n_columns, np.int32)
    # Feedback has few kinds: ask once for each. Without a branch for each guess, none of which is foretold.
    got = np.empty(n_columns, np.uint16)
    verdict = np.zeros(search.n_codes, np.uint8)
    for c in range(n_columns):
        got[c] = code_at(as_answers, double, view.columns[c])
        verdict[got[c]] = 1
    for other in range(search.n_codes):
        if verdict[other] and not allows(search.legality, np.int64(guess), code, np.int64(other)):
            verdict[other] = 0
    m = 0
    for c in range(n_columns):
        picked[m] = c
        m += verdict[got[c]]
    keys = np.zeros(2, np.uint64)
    candidate = _candidates(view, rows)
    head = view.codes[rows[0]]
    legal = m
    m = 0
    for k in range(legal):
        c = picked[k]
        useful = candidate[c]
        i = 1
        while not useful and i < n and not wide:
            useful = view.codes[rows[i], c] != head[c]
            i += 1
        while not useful and i < n:
            low, high = 2 * c, 2 * c + 1
            useful = view.codes[rows[i], low] != head[low] or view.codes[rows[i], high] != head[high]
            i += 1
        if useful:
            picked[m] = c
            m += 1
            h = search.weights.size + view.columns[c]
            keys[0] ^= search.hashes[h, 0]
            keys[1] ^= search.hashes[h, 1]
    found = _gather(view, rows, picked[:m], view.quality[picked[:m]], keys)
    return narrowed(search, found, numbers(n))[0]

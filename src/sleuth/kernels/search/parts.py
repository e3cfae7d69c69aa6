"""Parts of all answers, and what each guess gains on them at most: the same for many openers.

Openers that share letters at the same places share coarse feedback: that of these letters alone. A class of
such an opener lies within a class of the coarse feedback, a part, and no guess gains more on it than there.
"""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import inlined, inner, kernel
from sleuth.kernels.rows import copy
from sleuth.kernels.search.records import STOP, Search, View

LEAST = 20
"""Rows that a part has at least."""


class Parts(NamedTuple):
    """Disjoint sets of the rows of a view, and what guesses gain on each at most."""

    of_row: Array  # int32 [rows]: the part that a row is in
    sizes: Array  # int64 [parts]: how many rows are in each. The last part is all of them
    most: Array  # int64 [parts]: what any guess gains at most on a part
    limits: Array  # int64 [columns, parts]: and what each does


@kernel
def whole(view: View) -> Parts:
    """Return all rows of a view as one part."""
    limits = np.empty((view.columns.size, 1), np.int64)
    copy(view.quality, limits[:, 0])
    most = np.zeros(1, np.int64)
    for quality in view.quality:  # there may be no guess
        most[0] = max(most[0], quality)
    return Parts(np.zeros(view.own.size, np.int32), np.full(1, view.own.size, np.int64), most, limits)


@inner
def part_of(parts: Parts, set_: Array) -> Int:
    """Return the part that a set of rows lies within."""
    part = parts.of_row[set_[0]]
    for r in set_:
        if parts.of_row[r] != part:
            return np.int64(parts.sizes.size - 1)
    return np.int64(part)


@inner
def flag_count(codes: Array, begin: Int, set_: Array, flags: Array) -> Int:
    """Return how many codes a guess gets on a set.

    codes: uint8, those of the guess from `begin` on: a slice costs as much as to count twenty of them. set_:
    int32 [n]. flags: uint8 [256], overwritten.
    """
    for c in range(256):
        flags[c] = 0
    for r in set_:
        flags[codes[np.uint64(begin) + np.uint64(r)]] = 1
    few = np.uint8(0)
    for c in range(256):
        few += flags[c]
    return np.int64(few)


@inner
def _weigh(search: Search, view: View, codes: Array, begin: Int, set_: Array, flags: Array) -> Int:
    """Return what a guess gains on a set by weights. See flag_count."""
    for c in range(256):
        flags[c] = 0
    gain = np.int64(0)
    for r in set_:
        code = codes[np.uint64(begin) + np.uint64(r)]
        if flags[code] == 0:
            flags[code] = 1
            gain += search.weights[view.answers[r]]
    return gain


@inlined
def _by_label(rows: Array, labels: Array, of_row: Array) -> tuple[Array, Array]:
    """Return the large sets of rows with the same label: int64 starts [sets + 1] and int32 members.

    of_row: int32 [rows of the view], filled with the set that a row is in, or their number.
    """
    counts = np.zeros(np.int64(labels.max()) + 1, np.int64)
    for r in rows:
        counts[labels[r]] += 1
    set_of = np.full(counts.size, -1, np.int64)
    starts = np.zeros(counts.size + 1, np.int64)
    n = 0
    for label in range(counts.size):
        if counts[label] >= LEAST:
            set_of[label] = n
            n += 1
            starts[n] = starts[n - 1] + counts[label]
    of_row[:] = n
    filled = starts[: n + 1].copy()
    members = np.empty(starts[n], np.int32)
    for r in rows:
        i = set_of[labels[r]]
        if i >= 0:
            of_row[r] = i
            members[filled[i]] = r
            filled[i] += 1
    return starts[: n + 1], members


@kernel
def refined(
    search: Search, view: View, by_guess: Array, rows: Array, labels: Array, parts: Parts, share: float
) -> Parts:
    """Return the large sets of rows with the same label as parts, within given ones.

    by_guess: view.codes transposed; not wide. labels: uint16 [rows of the view]. What a guess gains on a part
    is counted if it may be a share of the most that one before it gains.
    """
    of_row = np.empty(view.own.size, np.int32)
    starts, members = _by_label(rows, labels, of_row)
    n = starts.size - 1
    limits = np.empty((view.columns.size, n + 1), np.int64)
    for i in range(n):
        part = part_of(parts, members[starts[i] : starts[i + 1]])
        copy(parts.limits[:, part], limits[:, i])
    copy(view.quality, limits[:, n])
    enough = np.zeros(n, np.float64)
    flags = np.empty(256, np.uint8)
    codes = by_guess.ravel()
    for column in range(view.columns.size):
        if search.control[STOP] != 0:
            break
        begin = column * by_guess.shape[1]
        for i in range(n):
            if limits[column, i] < enough[i]:
                continue
            set_ = members[starts[i] : starts[i + 1]]
            if search.uniform:
                gain = flag_count(codes, begin, set_, flags)
            else:
                gain = _weigh(search, view, codes, begin, set_, flags)
            limits[column, i] = gain
            enough[i] = max(enough[i], share * gain)
    sizes = np.empty(n + 1, np.int64)
    for i in range(n):
        sizes[i] = starts[i + 1] - starts[i]
    sizes[n] = view.own.size
    most = np.zeros(n + 1, np.int64)
    for column in range(view.columns.size):
        for i in range(n + 1):
            most[i] = max(most[i], limits[column, i])
    return Parts(of_row, sizes, most, limits)

"""Sets of answers that cannot all be found within two or three turns, by small sets that explain why.

With two turns left one guess must tell all answers apart. A set on which none does holds a small one of that
kind, a *core*: no set that holds a core can be solved in two turns. With three turns left a guess is refuted
as soon as one of its classes holds a core, and a core that refuted one guess refutes many others, of other
sets too (learning of nogoods: Dechter 1990, doi:10.1016/0004-3702(90)90046-3).

Answers are columns of `codes`, guesses its rows; all answers must be guesses themselves.
"""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import inner, kernel
from sleuth.kernels.rows import copy, numbers
from sleuth.kernels.search.records import STOP
from sleuth.kernels.topk import heap_of, pop

LARGEST = 16
"""Answers that a core which is kept has at most."""


class Cores(NamedTuple):
    """Cores, the first so many of which are whole: others may be about to be added."""

    members: Array  # int32 [room, LARGEST]: answers
    sizes: Array  # int32 [room]


@inner
def _shortest(codes: Array, answers: Array, n: Int, left: Array) -> Int:
    """Return how many of the first n answers no guess tells apart, as few as possible, or 0 where one does.

    left: int32 [guesses], overwritten.
    """
    m = codes.shape[0]
    for k in range(m):
        left[k] = k
    for i in range(1, n):
        last = answers[i]
        telling = 0
        for x in range(m):
            row = codes[left[x]]
            told = True
            for j in range(i):
                if row[answers[j]] == row[last]:
                    told = False
                    break
            if told:
                left[telling] = left[x]
                telling += 1
        m = telling
        if m == 0:
            return i + 1
    return 0


@inner
def _core(codes: Array, answers: Array, n: Int, left: Array) -> tuple[Array, Int]:
    """Return a core of the first n answers, int32, and its size, or 0 where a guess tells them apart.

    No answer of a core can be left out.
    """
    m = _shortest(codes, answers, n, left)
    core = answers[:m].copy()
    if m == 0:
        return core, m
    fewer = np.empty(m, np.int32)
    # All before the last one are told apart by some guess, so the last one stays.
    core[0], core[m - 1] = core[m - 1], core[0]
    i = 1
    while i < m:
        copy(core[:i], fewer)
        copy(core[i + 1 : m], fewer[i:])
        found = _shortest(codes, fewer, m - 1, left)
        if found > 0:
            m = found
            copy(fewer[:m], core)
        else:
            i += 1
    return core, m


@inner
def _holds(row: Array, core: Array, size: Int) -> bool:
    """Say whether a core lies within one class of a guess. row: its codes."""
    code = row[core[0]]
    for j in range(1, size):  # noqa: SIM110  numba compiles the loop, not all()
        if row[core[j]] != code:
            return False
    return True


@inner
def _by_class(row: Array, answers: Array, counts: Array, members: Array) -> None:
    """Put answers in order of their codes: counts, int64 [codes + 1], become where each class begins."""
    counts[:] = 0
    for a in answers:
        counts[np.int64(row[a]) + 1] += 1
    for c in range(1, counts.size):
        counts[c] += counts[c - 1]
    place = counts.copy()
    for a in answers:
        at = place[row[a]]
        members[at] = a
        place[row[a]] += 1


@kernel
def unsolvable(
    codes: Array,
    answers: Array,
    turns: Int,
    n_codes: Int,
    known: Cores,
    count: Int,
    found: Cores,
    stop: Array,
) -> tuple[bool, Int]:
    """Say whether answers cannot all be found within so many turns; return too how many cores were learned.

    codes: [guesses, answers]. answers: int32. turns: 2 or 3. known: of which `count` are used. found: takes
    what is learned, as far as it has room. stop: Search.control; asked to stop, it says False.
    """
    n = answers.size
    learned = 0
    left = np.empty(codes.shape[0], np.int32)
    if turns == 2:
        return _shortest(codes, answers, n, left) > 0, learned
    inside = np.zeros(codes.shape[1], np.bool_)
    inside[answers] = True
    room = found.sizes.size
    own = np.empty((count + room, LARGEST), np.int32)
    sizes = np.empty(count + room, np.int32)
    m = 0
    for c in range(count):
        size = known.sizes[c]
        whole = True
        for j in range(size):
            if not inside[known.members[c, j]]:
                whole = False
                break
        if whole:
            copy(known.members[c], own[m])
            sizes[m] = size
            m += 1
    order = numbers(m + room)
    members = np.empty(n, np.int32)
    starts = np.empty(n_codes + 1, np.int64)
    for k in range(codes.shape[0]):
        if stop[STOP] != 0:
            return False, learned
        row = codes[k]
        refuted = False
        for x in range(m):
            c = order[x]
            if _holds(row, own[c], sizes[c]):
                # What serves often comes to the front.
                order[x], order[x // 2] = order[x // 2], c
                refuted = True
                break
        if refuted:
            continue
        _by_class(row, answers, starts, members)
        smaller = starts[:-1] - starts[1:]
        heap = heap_of(smaller)
        for waiting in range(heap.size, 0, -1):
            c = pop(heap, smaller, waiting)
            size = starts[c + 1] - starts[c]
            if size <= 2:
                break
            core, least = _core(codes, members[starts[c] : starts[c + 1]], size, left)
            if least == 0:
                continue
            refuted = True
            if least <= LARGEST and learned < room:
                copy(core[:least], own[m])
                copy(core[:least], found.members[learned])
                sizes[m], found.sizes[learned] = least, least
                order[m], order[0] = order[0], m
                m += 1
                learned += 1
            break
        if not refuted:
            return False, learned
    return True, learned

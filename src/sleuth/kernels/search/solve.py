"""The exact search: the least total of a set, and its best guesses."""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import apart, inlined, kernel
from sleuth.kernels.search.alike import nothing_known, then
from sleuth.kernels.search.bounds import bounds_of, settled
from sleuth.kernels.search.guess import MERGED, class_view, laid_out, smallest_open, try_guess
from sleuth.kernels.search.records import (
    DEEPEST,
    GAVE_UP,
    INFINITE,
    NODES,
    STOP,
    TOO_DEEP,
    UNLIMITED,
    Moves,
    Past,
    Search,
    View,
    weight_of,
)
from sleuth.kernels.search.table import depth_of, guess_of, key_of, store
from sleuth.kernels.search.views import FEW
from sleuth.kernels.topk import heap_of, insert, make_heap, place_ascending, pop


@inlined
def _worth_trying(at_least: Array, limit: Int) -> tuple[Array, Int, Int]:
    """Return the guesses that may cost less than a limit, as a heap, how many, and the least of the others.

    at_least: int64 [columns], what each guess costs at least. The heap is int32 [columns].
    """
    heap = np.empty(at_least.size, np.int32)
    m = 0
    least = INFINITE
    for j in range(at_least.size):
        if at_least[j] < limit:
            heap[m] = j
            m += 1
        else:
            least = min(least, at_least[j])
    make_heap(heap, at_least, m)
    return heap, m, least


@apart
@kernel
def solve(
    search: Search,
    moves: Moves,
    view: View,
    rows: Array,
    turns: Int,
    beta: Int,
    only: Int,
    room: Int,
    past: Past,
) -> tuple[Int, Int, Int]:
    """Return the least total of a set, the depth of a strategy that reaches it, and its guess.

    rows: int32, places in the view. turns: turns left, or UNLIMITED. The total is exact when below beta,
    else a lower bound. only: the column of the one guess to try, or -1. The guess is -1 where a formula
    gave the total. room: sets that may be searched one inside the other, DEEPEST at first. past: of guesses
    after which the set is all that is possible, or none. Where the depth is negative (GAVE_UP once
    control[STOP] is set, TOO_DEEP), the total is a lower bound that may be weak.
    """
    n = rows.size
    anything = np.int64(-1)
    if room == 0:
        return np.int64(0), TOO_DEEP, anything
    key, low = key_of(search, view, rows, turns)
    lower = np.int64(0)
    upper = INFINITE
    info = np.int64(0)
    if only < 0:
        value, depth = settled(search, view, rows, turns)
        if value >= 0:
            return value, depth, anything
        if turns == 0:
            # Play goes on without a limit, at its cost.
            total = weight_of(search.weights, view.answers, rows)
            value, depth, guess = solve(
                search, moves, view, rows, UNLIMITED, INFINITE, anything, room - 1, past
            )
            return value + search.leftover * total, depth, guess
        lower, upper, info = bounds_of(search, view, rows, turns, key, low)
        if lower >= upper or lower >= beta:
            return lower, depth_of(info), guess_of(info)
        if turns < n and (search.leftover == INFINITE or search.goes_on):
            # Without the limit it costs no more; where that takes few enough turns, it is the answer.
            value, depth, guess = solve(search, moves, view, rows, UNLIMITED, beta, anything, room - 1, past)
            if value >= beta or depth <= turns:  # or it gave up
                return value, depth, guess
            lower = max(lower, value)
    search.control[NODES] += 1
    limit = min(beta, upper)
    inner, at, at_least = view, rows, np.zeros(0, np.int64)
    if only < 0:
        inner, at, at_least = laid_out(search, moves, view, rows, turns, MERGED, past)
        heap, m, least = _worth_trying(at_least, limit)
    else:
        at_least = np.zeros(view.columns.size, np.int64)
        heap, m, least = np.full(1, only).astype(np.int32), 1, INFINITE
    value = limit
    found = anything
    found_depth = np.int64(0)
    while m > 0:
        if at_least[heap[0]] >= value:
            least = min(least, at_least[heap[0]])
            break
        column = pop(heap, at_least, m)
        m -= 1
        total, depth, classes = try_guess(search, inner, at, column, turns, value, True)
        starts, members, bounds, done = classes
        gave_up = GAVE_UP if search.control[STOP] != 0 else np.int64(0)
        after = then(moves, past, np.int64(inner.columns[column])) if total < value else past
        while total < value and gave_up == 0:
            pick = smallest_open(starts, done)
            if pick < 0:
                break
            deeper, child = class_view(search, inner, members[starts[pick] : starts[pick + 1]], column)
            cost, child_depth, _ = solve(
                search,
                moves,
                deeper,
                child,
                turns - 1,
                value - total + bounds[pick],
                anything,
                room - 1,
                after,
            )
            # Not asked of control, which another thread may have set back.
            gave_up = min(child_depth, np.int64(0))
            done[pick] = True
            total += cost - bounds[pick]
            depth = max(depth, child_depth + 1)
        if gave_up < 0:
            if found >= 0 and only < 0:  # the best so far is worth keeping
                store(search.table, search.control, key, low, n, lower, value, found_depth, found)
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
        store(search.table, search.control, key, low, n, value, value, found_depth, found)
        return value, found_depth, found
    lower = max(lower, min(least, upper))
    store(search.table, search.control, key, low, n, lower, upper, depth_of(info), guess_of(info))
    return lower, depth_of(info), guess_of(info)


@kernel
def best_guesses(
    search: Search,
    moves: Moves,
    view: View,
    rows: Array,
    turns: Int,
    guesses: Array,
    totals: Array,
    depths: Array,
    past: Past,
) -> tuple[Int, Int]:
    """Find the best guesses of a set with their exact totals, best first.

    Returns how many there are, and 0, or a negative number where some may lack (see solve). guesses, totals,
    depths: int64 [k]. Of guesses with the same partition one is taken, each candidate apart, and all that
    cost the same. past: see solve.
    """
    k = guesses.size
    inner, at, bounds = laid_out(search, moves, view, rows, turns, FEW, nothing_known())
    heap = heap_of(bounds)
    found = 0
    gave_up = np.int64(0)
    for m in range(heap.size, 0, -1):
        limit = totals[k - 1] if found == k else INFINITE
        if bounds[heap[0]] >= limit:
            break
        column = pop(heap, bounds, m)
        value, depth, _ = solve(search, moves, inner, at, turns, limit, column, DEEPEST, past)
        if depth < 0:
            gave_up = depth
            break
        if value >= limit:
            continue
        found = min(found + 1, k)
        place = place_ascending(totals[:found], value)
        insert(totals[:found], place, value)
        insert(guesses[:found], place, np.int64(inner.columns[column]))
        insert(depths[:found], place, depth)
    return found, gave_up

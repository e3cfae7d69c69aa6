"""Good strategies without a proof: the few most promising guesses of each set are followed, and no other."""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import inner, kernel
from sleuth.kernels.search.bounds import bounds_of, least_costs, settled
from sleuth.kernels.search.guess import class_view, smallest_open, try_guess
from sleuth.kernels.search.records import DEEPEST, INFINITE, STOP, TOO_DEEP, Search, View
from sleuth.kernels.search.table import depth_of, guess_of, key_of, store
from sleuth.kernels.search.views import narrowed
from sleuth.kernels.topk import heap_of, insert, place_ascending, pop


@inner
def _promising(
    search: Search, view: View, rows: Array, turns: Int, width: Int, looked: Int, limit: Int
) -> tuple[Array, Array]:
    """Return guesses of a set that may cost less than `limit`, int64 columns, and what they cost at least.

    Of the guesses that cost least by one scan, so many as `looked` are bounded by their classes, and the
    `width` with the least bounds are returned, those first.
    """
    costs = least_costs(search, view, rows, turns, looked)
    left = costs.size
    heap = heap_of(costs)
    columns = np.empty(width, np.int64)
    bounds = np.full(width, limit, np.int64)
    found = 0
    looks = 0
    while looks < looked and left > 0:
        worst = bounds[width - 1]
        if costs[heap[0]] >= worst:
            break
        column = pop(heap, costs, left)
        left -= 1
        bound, _, classes = try_guess(search, view, rows, column, turns, worst, True)
        if classes.starts.size == 2 and classes.starts[1] == rows.size:
            continue  # it tells nothing, which among answers of no weight costs nothing either
        looks += 1
        if bound >= worst:
            continue
        found = min(found + 1, width)
        place = place_ascending(bounds[:found], bound)
        insert(bounds[:found], place, bound)
        insert(columns[:found], place, column)
    return columns[:found], bounds[:found]


@inner
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
    key, low = key_of(search, view, rows, turns)
    lower, upper, info = np.int64(0), INFINITE, np.int64(0)
    if only < 0:
        value, depth = settled(search, view, rows, turns)
        if value >= 0:
            return value, depth, anything
        lower, upper, info = bounds_of(search, view, rows, turns, key, low)
        if lower >= upper or lower >= beta:
            return lower, depth_of(info), guess_of(info)
        columns, bounds = _promising(search, view, rows, turns, width, looked, min(beta, upper))
    else:
        columns, bounds = np.full(1, only, np.int64), np.zeros(1, np.int64)
    found, found_depth = guess_of(info), depth_of(info)
    best = upper
    narrower = max(np.int64(1), width // 2)
    for i in range(columns.size):
        limit = min(best, beta)
        if bounds[i] >= limit or search.control[STOP] != 0:
            break
        column = columns[i]
        total, depth, classes = try_guess(search, view, rows, column, turns, limit, True)
        starts, members, known, done = classes
        while total < limit:
            pick = smallest_open(starts, done)
            if pick < 0:
                break
            deeper, child = class_view(search, view, members[starts[pick] : starts[pick + 1]], column)
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
        store(search.table, search.control, key, low, rows.size, lower, best, found_depth, found)
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
        inner, rows = narrowed(search, view, members[starts[s] : starts[s + 1]])
        guesses[s, :] = -1
        totals[s, :] = INFINITE
        value, _ = settled(search, inner, rows, turns)
        if value >= 0:
            totals[s, 0] = value
            continue
        key, low = key_of(search, inner, rows, turns)
        lower, upper, info = bounds_of(search, inner, rows, turns, key, low)
        known = guess_of(info) if lower >= upper else np.int64(-1)
        if known >= 0:
            totals[s, 0], guesses[s, 0] = upper, known
            if k == 1:
                continue
        columns, bounds = _promising(search, inner, rows, turns, looked, looked, INFINITE)
        for i in range(columns.size):
            if bounds[i] >= totals[s, k - 1]:
                break
            guess = np.int64(view.columns[columns[i]])
            if guess == known:
                continue
            cost, depth, _ = _beam(
                search, inner, rows, turns, width, looked, totals[s, k - 1], columns[i], DEEPEST
            )
            if depth < 0:
                return False
            if cost >= totals[s, k - 1]:
                continue
            place = place_ascending(totals[s], cost)
            insert(totals[s], place, cost)
            insert(guesses[s], place, guess)
    return True

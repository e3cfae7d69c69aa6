"""Bounds of a set's total: by formulas, by weights alone, and by what guesses gain at most.

docs/exact.md numbers the bounds. A penalty p changes them as follows. A set S of n candidates has weights
w, in all W, the heaviest m; T turns are left; an answer that is never found costs T + l, where
l = p - max_turns >= 1, so V(S, 0) = l W.

- Guesses that tell nothing can be left out: such a guess may as well come last. To give a set up costs
  (T + l) W; a guess that tells something costs at most W + the sum over its classes C of (T - 1 + l) W(C),
  which is no more. So sets are given up only where no guess tells anything.
- Bounds 1, 2 and 3: an answer that the first guess does not find costs 2 or more, also if it is lost. Bound
  2 needs two turns; with one turn left a guess costs W + l (W - own - [those known after it]). Exact: two
  named answers, two turns: 2W - m; named answers, one turn: W + l (W - m). A set without a guess costs at
  least 3W from two turns on.
- Bounds 4 and 5: the strategy for the union finds each answer of A no later on A alone, and loses no other.
- Bounds 6 and 7, where all answers can be named and a turn is left: no answer counts as more than 1 + l by
  its depth. With F(n) the least that any n answers cost, and n - r of them together in one class, F(n) is
  at least the lesser of n + (r - 1) + F(n - r) and of what one turn leaves, n + l (n - 1). Totals without a
  limit say nothing else, since what is lost costs less with fewer turns.
"""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import apart, inlined, inner, kernel
from sleuth.kernels.search.records import (
    INFINITE,
    UNLIMITED,
    Search,
    View,
    is_wide,
    may_be_lost,
    weight_of,
)
from sleuth.kernels.search.scan import gain_of, scan, wide_gain_of
from sleuth.kernels.search.table import depth_of, guess_of, key_of, probe, store


@inner
def _alone(search: Search, answer: Int, turns: Int) -> tuple[Int, Int]:
    """Return total and depth of a set of one answer."""
    w = search.weights[answer]
    if not search.named[answer]:  # the guess that names it is virtual and takes no turn
        return w, np.int64(0)
    if turns > 0:
        return w, np.int64(1)
    if search.leftover == INFINITE:
        return INFINITE, np.int64(1)
    if search.goes_on:
        return search.leftover * w + w, np.int64(1)
    return search.leftover * w, np.int64(1)


@inner
def closed(search: Search, view: View, rows: Array, turns: Int) -> tuple[Int, Int]:
    """Return total and depth of a set for which there is a formula, else -1."""
    n = rows.size
    first = view.answers[rows[0]]
    if n == 1:
        return _alone(search, np.int64(first), turns)
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


@inlined
def given_up(search: Search, view: View, rows: Array, turns: Int) -> Int:
    """Return the total of a set that has no formula and that no guess tells apart, if there is a penalty.

    The guesses of the view are the legal ones. Otherwise the result is -1: any guess that tells something
    costs no more than to give up.
    """
    if not may_be_lost(search):
        return np.int64(-1)
    head = view.codes[rows[0]]
    total = weight_of(search.weights, view.answers, rows)
    for r in rows:
        if view.own[r] >= 0:
            return np.int64(-1)
        line = view.codes[r]
        for j in range(line.size):
            if line[j] != head[j]:
                return np.int64(-1)
    if turns > UNLIMITED // 2:
        return INFINITE
    return (turns + search.leftover) * total + total  # none is a guess, so each counts once more


@inlined
def settled(search: Search, view: View, rows: Array, turns: Int) -> tuple[Int, Int]:
    """Return total and depth of a set that need no search, by a formula or since it is given up, else -1."""
    value, depth = closed(search, view, rows, turns)
    if value < 0:
        value, depth = given_up(search, view, rows, turns), np.int64(turns)
    return value, depth


@inner
def floor_of(search: Search, view: View, rows: Array, turns: Int) -> Int:
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


@inner
def least_cost(search: Search, n: Int, total: Int, gain: Int, own: Int, turns: Int) -> Int:
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


@inner
def costs_by_gains(search: Search, view: View, rows: Array, gains: Array, turns: Int) -> Array:
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
        costs[j] = least_cost(search, rows.size, total, gains[j], own[j], turns)
    return costs


@inner
def floor_within(search: Search, view: View, rows: Array, turns: Int, most: Int) -> Int:
    """Return floor_of, raised where no guess gains more than `most` on a set that holds these rows."""
    floor = floor_of(search, view, rows, turns)
    total = np.int64(rows.size) if search.uniform else weight_of(search.weights, view.answers, rows)
    if total <= most or turns <= 1:
        return floor
    heaviest = search.weights[view.answers[rows[0]]]
    return max(floor, least_cost(search, rows.size, total, most, heaviest, turns))


@inlined
def least_costs(search: Search, view: View, rows: Array, turns: Int, wanted: Int) -> Array:
    """Return what each guess costs on a set at least, int64 [columns], by one scan.

    wanted: where it is positive, guesses that are not among so many best may be said to cost more.
    """
    gains = np.zeros(view.columns.size, np.int64)
    scan(search, view, rows, gains, wanted)
    return costs_by_gains(search, view, rows, gains, turns)


@apart
@inner
def bound_set(search: Search, view: View, rows: Array, turns: Int, key: np.uint64, low: np.uint64) -> Int:
    """Bound a set that has no formula by one scan of the guesses, store the bounds, return the lower one.

    The bounds are equal where the best guess leaves classes of one or two.
    """
    n = rows.size
    total = weight_of(search.weights, view.answers, rows)
    upper = INFINITE
    depth = np.int64(0)
    guess = np.int64(-1)
    if turns <= 1:
        lower = floor_of(search, view, rows, turns)
        store(search.table, search.control, key, low, n, lower, upper, depth, guess)
        return lower
    # A guess whose classes hold two answers at most costs what its bound says.
    exact = turns >= 3 and search.all_named
    counts = np.zeros(search.n_codes, np.int32)
    wide = is_wide(view)
    candidates = INFINITE
    for r in rows:
        own = view.own[r]
        if own < 0:
            continue
        if wide:
            gain, largest = wide_gain_of(search, view, np.int64(own), rows, counts)
        else:
            gain, largest = gain_of(search, view, view.codes[:, own], rows, counts)
        value = least_cost(search, n, total, gain, search.weights[view.answers[r]], turns)
        candidates = min(candidates, value)
        if exact and largest <= 2 and value < upper:
            upper = value
            guess = np.int64(view.columns[own])
            depth = np.int64(1 + largest)
    if upper <= min(candidates, 2 * total):  # no other guess costs less than two for each answer
        store(search.table, search.control, key, low, n, upper, upper, depth, guess)
        return upper
    none = np.empty(0, np.int64)
    nothing = np.int64(0)
    best, column = scan(search, view, rows, none, nothing)
    best = max(best, nothing)  # there may be no legal guess
    scanned = least_cost(search, n, total, best, nothing, turns)
    lower = min(candidates, scanned)
    if upper <= lower:
        lower = upper
    elif exact and scanned <= lower:
        if wide:
            _, largest = wide_gain_of(search, view, column, rows, counts)
        else:
            _, largest = gain_of(search, view, view.codes[:, column], rows, counts)
        if largest <= 2:
            upper = scanned
            guess = np.int64(view.columns[column])
            depth = np.int64(1 + largest)
    store(search.table, search.control, key, low, n, lower, upper, depth, guess)
    return lower


@inlined
def bounds_of(
    search: Search, view: View, rows: Array, turns: Int, key: np.uint64, low: np.uint64
) -> tuple[Int, Int, Int]:
    """Return lower and upper bound, and what else is known, of a set that has no formula."""
    lower, upper, info = probe(search.table, search.control, key, low)
    if info == 0:
        bound_set(search, view, rows, turns, key, low)
        lower, upper, info = probe(search.table, search.control, key, low)
        if info == 0:  # another thread took the place
            lower = floor_of(search, view, rows, turns)
    return lower, upper, info


@kernel
def known(search: Search, view: View, rows: Array, turns: Int) -> tuple[Int, Int, Int, Int]:
    """Return what the table knows of a set: lower bound, upper bound or INFINITE, depth and guess."""
    value, depth = closed(search, view, rows, turns)
    if value >= 0:
        return value, value, depth, np.int64(-1)
    key, low = key_of(search, view, rows, turns)
    lower, upper, info = probe(search.table, search.control, key, low)
    return max(lower, floor_of(search, view, rows, turns)), upper, depth_of(info), guess_of(info)

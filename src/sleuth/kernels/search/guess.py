"""The guesses that a set is searched by, and what one costs by the bounds of its classes."""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import apart, inlined, inner, kernel
from sleuth.kernels.rows import numbers
from sleuth.kernels.search.alike import firsts_after, tells_apart
from sleuth.kernels.search.bounds import bound_set, closed, costs_by_gains, floor_within, least_costs
from sleuth.kernels.search.records import INFINITE, TRIED, Moves, Past, Search, View, weight_of
from sleuth.kernels.search.scan import scan
from sleuth.kernels.search.table import depth_of, key_of, probe
from sleuth.kernels.search.views import distinct, narrowed, ordered, restricted, split_rows

MERGED = 64
"""In larger sets fewer guesses make the same partition, and a search finds them later than it tries them."""


class Classes(NamedTuple):
    """The classes of a guess on a set, and what is known of each."""

    starts: Array  # int32 [classes + 1]
    members: Array  # int32: rows
    lower: Array  # int64 [classes]: lower bounds
    done: Array  # bool [classes]: whether the lower bound is the total


@apart
@kernel
def laid_out(
    search: Search, moves: Moves, view: View, rows: Array, turns: Int, few: Int, past: Past
) -> tuple[View, Array, Array]:
    """Return a view to search a set in, its rows there, and each guess's least cost, int64 [columns].

    Guesses that gain most on the set come first, so that scans of parts of it end early. Of those with the
    same partition of a set of so `few` answers, FEW at most, it has one. Of guesses that cost the same after
    the past all but one have INFINITE: they stay in the view, for on a part they may cost less than it.
    """
    n = rows.size
    all_ = np.int64(0)
    some_alike = not tells_apart(past)
    first = np.zeros(view.columns.size, np.bool_)
    if some_alike:
        first = firsts_after(moves, past, view.columns)
    if n > search.most_classes:  # what guesses gain by sizes may be more on a part
        costs = least_costs(search, view, rows, turns, all_)
        for c in range(costs.size):
            if some_alike and not first[c]:
                costs[c] = INFINITE
        return view, rows, costs
    if not search.restricted:
        view, rows = narrowed(search, view, rows)
    gains = np.empty(view.columns.size, np.int64)
    scan(search, view, rows, gains, all_)
    merged = n <= few and not search.restricted  # what is legal later goes by the guess itself
    inner, picked = distinct(view, rows, gains, first) if merged else ordered(view, rows, gains)
    at = numbers(n)
    costs = costs_by_gains(search, inner, at, inner.quality, turns)
    for c in range(costs.size):
        if some_alike and not first[picked[c]]:
            costs[c] = INFINITE
    return inner, at, costs


@inner
def class_view(search: Search, view: View, child: Array, column: Int) -> tuple[View, Array]:
    """Return the view that a class of a guess is searched in, and its rows there."""
    if search.restricted:
        return restricted(search, view, child, column), numbers(child.size)
    return narrowed(search, view, child)


@inlined
def _by_formulas(
    search: Search, view: View, classes: Classes, turns: Int, total: Int, best: Int
) -> tuple[Int, Int]:
    """Bound classes by formulas and weights until `total`, the weight of the set, comes to `best`.

    Fills lower and done. Returns the total with the bounds, and the depth of the classes that are done.
    """
    starts, members, lower, done = classes
    depth = np.int64(1)
    most = view.quality[0] if view.quality.size > 0 else INFINITE
    for i in range(done.size):
        child = members[starts[i] : starts[i + 1]]
        value, child_depth = closed(search, view, child, turns)
        if value >= 0:
            lower[i] = value
            done[i] = True
            depth = max(depth, child_depth + 1)
        else:
            lower[i] = floor_within(search, view, child, turns, most)
        total += lower[i]
        if total >= best:
            break
    return total, depth


@inlined
def _by_table(
    search: Search,
    view: View,
    classes: Classes,
    turns: Int,
    total: Int,
    depth: Int,
    best: Int,
    keys: Array,
    fresh: Array,
) -> tuple[Int, Int]:
    """Raise the bounds of classes by the table until `total` comes to `best`; return total and depth.

    keys: uint64 [classes, 2], filled. fresh: bool [classes], set where the table has nothing.
    """
    starts, members, lower, done = classes
    for i in range(done.size):
        if done[i]:
            continue
        child = members[starts[i] : starts[i + 1]]
        keys[i, 0], keys[i, 1] = key_of(search, view, child, turns)
        low, high, info = probe(search.table, search.control, keys[i, 0], keys[i, 1])
        if info == 0:
            fresh[i] = True
            continue
        total += low - lower[i]
        lower[i] = low
        if low == high:
            done[i] = True
            depth = max(depth, depth_of(info) + 1)
        if total >= best:
            break
    return total, depth


@inlined
def _largest_fresh(starts: Array, fresh: Array) -> Int:
    """Return the largest class that is fresh, or -1."""
    pick = -1
    size = 0
    for i in range(fresh.size):
        if fresh[i] and starts[i + 1] - starts[i] > size:
            size = starts[i + 1] - starts[i]
            pick = i
    return pick


@inlined
def _by_scans(
    search: Search,
    view: View,
    classes: Classes,
    column: Int,
    turns: Int,
    total: Int,
    depth: Int,
    best: Int,
    keys: Array,
    fresh: Array,
) -> tuple[Int, Int]:
    """Raise the bounds of classes that are fresh by a scan of each until `total` comes to `best`.

    keys: uint64 [classes, 2], filled where what is legal goes by feedback, else read. fresh: bool [classes].
    Returns the total and the depth of the classes that are done.
    """
    starts, members, lower, done = classes
    while total < best:
        # The largest classes are the farthest from their floors.
        pick = _largest_fresh(starts, fresh)
        if pick < 0:
            break
        fresh[pick] = False
        inner, child = class_view(search, view, members[starts[pick] : starts[pick + 1]], column)
        if search.restricted:
            keys[pick, 0], keys[pick, 1] = key_of(search, inner, child, turns)
        low, high, info = probe(search.table, search.control, keys[pick, 0], keys[pick, 1])
        if info == 0:
            bound_set(search, inner, child, turns, keys[pick, 0], keys[pick, 1])
            low, high, info = probe(search.table, search.control, keys[pick, 0], keys[pick, 1])
        low = max(low, lower[pick])
        total += low - lower[pick]
        lower[pick] = low
        if low == high:
            done[pick] = True
            depth = max(depth, depth_of(info) + 1)
    return total, depth


@inlined
def _raised(
    search: Search, view: View, classes: Classes, column: Int, turns: Int, total: Int, depth: Int, best: Int
) -> tuple[Int, Int]:
    """Raise the bounds of classes by the table, then by scans, until `total` comes to `best`.

    Returns the total and the depth of the classes that are done.
    """
    n = classes.done.size
    keys = np.empty((n, 2), np.uint64)
    fresh = np.zeros(n, np.bool_)
    if search.restricted:  # what is known of a class goes by the guesses that are legal then
        for i in range(n):
            fresh[i] = not classes.done[i]
    else:
        total, depth = _by_table(search, view, classes, turns, total, depth, best, keys, fresh)
    return _by_scans(search, view, classes, column, turns, total, depth, best, keys, fresh)


@apart
@inner
def try_guess(
    search: Search, view: View, rows: Array, column: Int, turns: Int, best: Int, bounded: bool
) -> tuple[Int, Int, Classes]:
    """Bound what a guess costs on a set by bounds of its classes, as far as it takes to reach best.

    bounded: whether by the table and by scans, too, or by formulas alone. Returns the bound, the depth of the
    classes known so far, and the classes; a guess that tells nothing costs INFINITE.
    """
    search.control[TRIED] += 1
    starts, members = split_rows(search, view, rows, column)
    n = starts.size - 1
    lower = np.empty(n, np.int64)
    done = np.zeros(n, np.bool_)
    classes = Classes(starts, members, lower, done)
    if n == 1 and starts[1] == rows.size:
        lower[0], done[0] = INFINITE, False
        return INFINITE, np.int64(1), classes
    after = turns - 1
    total, depth = _by_formulas(
        search, view, classes, after, weight_of(search.weights, view.answers, rows), best
    )
    if bounded and total < best:
        total, depth = _raised(search, view, classes, column, after, total, depth, best)
    return min(total, INFINITE), depth, classes


@inner
def smallest_open(starts: Array, done: Array) -> Int:
    """Return the smallest class that is not done, or -1."""
    pick = -1
    size = 2**30
    for i in range(done.size):
        if not done[i] and starts[i + 1] - starts[i] < size:
            size = starts[i + 1] - starts[i]
            pick = i
    return pick


@kernel
def outcomes(search: Search, view: View, rows: Array, column: Int, turns: Int, bounded: bool) -> Classes:
    """Return the classes of a guess, and what is known of each without a search.

    bounded: whether that is all that is known, or only the totals for which there is a formula.
    """
    _, _, classes = try_guess(search, view, rows, column, turns, INFINITE, bounded)
    return classes

"""What a set's bound rests on: bounds of smaller sets, for the guesses that one scan does not refute."""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import inner, kernel
from sleuth.kernels.rows import copy, numbers
from sleuth.kernels.search.alike import firsts_after, nothing_known, tells_apart, then
from sleuth.kernels.search.bounds import closed, floor_of, least_cost, least_costs
from sleuth.kernels.search.guess import class_view, laid_out, smallest_open, try_guess
from sleuth.kernels.search.records import DEEPEST, INFINITE, Moves, Past, Search, View, weight_of
from sleuth.kernels.search.solve import solve
from sleuth.kernels.search.views import FEW


class Premises(NamedTuple):
    """Sets end to end, and what each costs at least."""

    starts: Array  # int64 [sets + 1]
    members: Array  # int32: answers
    bounds: Array  # int64 [sets]
    guesses: Array  # int32 [sets]: the guess that leads to it


@inner
def _grown(array: Array, needed: Int) -> Array:
    """Return an array with room for so many elements, with those that it has."""
    if needed <= array.size:
        return array
    more = np.empty(max(needed, 2 * array.size), array.dtype)
    copy(array, more)
    return more


@inner
def scan_bound(search: Search, view: View, rows: Array, turns: Int) -> Int:
    """Return what a set costs at least by a formula, by weights alone or by one scan (bounds 1, 3 and 6)."""
    value, _ = closed(search, view, rows, turns)
    if value >= 0:
        return value
    floor = floor_of(search, view, rows, turns)
    if turns <= 1:
        return floor
    nothing = np.int64(0)
    lower = least_cost(
        search, rows.size, weight_of(search.weights, view.answers, rows), nothing, nothing, turns
    )
    for cost in least_costs(search, view, rows, turns, nothing):
        lower = min(lower, cost)
    return max(floor, lower)


@kernel
def premises(
    search: Search, moves: Moves, view: View, rows: Array, turns: Int, limit: Int, only: Int, past: Past
) -> tuple[Premises, Int]:
    """Return bounds of smaller sets from which it follows that a set costs `limit` at least, and a guess.

    Each is more than one scan of the set says, and no more than is needed. The guess is -1, or one that
    costs less. only: the column of the one guess to look at, or -1. past: of the guesses that led to the set;
    of those that cost the same after it only the first of all is looked at.
    """
    starts = np.zeros(64, np.int64)
    members = np.empty(1024, np.int32)
    bounds = np.empty(64, np.int64)
    guesses = np.empty(64, np.int32)
    n_sets = 0
    filled = 0
    anything = np.int64(-1)
    after = turns - 1
    inner, at = view, rows
    at_least = np.zeros(view.columns.size, np.int64)
    first = np.ones(0, np.bool_)
    if not tells_apart(past):
        first = firsts_after(moves, past, numbers(moves.words.shape[0]))
    if only < 0:
        # Of guesses with one partition the first of its kind may be left out for one that is not.
        few = 0 if first.size > 0 else FEW
        inner, at, at_least = laid_out(search, moves, view, rows, turns, few, nothing_known())
    for column in range(inner.columns.size):
        if (only >= 0 and column != only) or at_least[column] >= limit:
            continue
        if only < 0 and first.size > 0 and not first[inner.columns[column]]:
            continue
        total, _, formulas = try_guess(search, inner, at, column, turns, INFINITE, False)
        if total >= limit:
            continue
        base = formulas.lower
        known = then(moves, past, np.int64(inner.columns[column]))
        _, _, classes = try_guess(search, inner, at, column, turns, limit, True)
        begins, parts, lower, done = classes
        n = done.size
        total = weight_of(search.weights, inner.answers, at) + np.sum(lower)
        while total < limit:
            pick = smallest_open(begins, done)
            if pick < 0:
                break
            deeper, child = class_view(search, inner, parts[begins[pick] : begins[pick + 1]], column)
            cost, depth, _ = solve(
                search, moves, deeper, child, after, limit - total + lower[pick], anything, DEEPEST, known
            )
            if depth < 0:
                break
            done[pick] = True
            total += cost - lower[pick]
            lower[pick] = cost
        if total < limit:
            return Premises(starts[:1], members[:0], bounds[:0], guesses[:0]), np.int64(inner.columns[column])
        spare = total - limit
        for others in (False, True):  # those not raised are scanned where that may spare claims
            if others and np.sum(lower - base) <= spare:
                break
            for i in range(n):
                if (lower[i] > base[i]) == others:
                    continue
                deeper, child = class_view(search, inner, parts[begins[i] : begins[i + 1]], column)
                base[i] = max(base[i], scan_bound(search, deeper, child, after))
                spare = min(spare + max(0, base[i] - lower[i]), INFINITE)
                lower[i] = max(lower[i], base[i])
        while True:
            # The least that a bound may fall short by is given away first.
            pick = -1
            for i in range(n):
                if lower[i] > base[i] and (pick < 0 or lower[i] - base[i] < lower[pick] - base[pick]):
                    pick = i
            if pick < 0:
                break
            short = min(spare, lower[pick] - base[pick])
            spare -= short
            bound = lower[pick] - short if lower[pick] < INFINITE or short == INFINITE else INFINITE
            lower[pick] = base[pick]
            if bound <= base[pick]:
                continue
            size = begins[pick + 1] - begins[pick]
            starts = _grown(starts, n_sets + 2)
            bounds = _grown(bounds, n_sets + 1)
            guesses = _grown(guesses, n_sets + 1)
            members = _grown(members, filled + size)
            for i in range(size):
                members[filled + i] = inner.answers[parts[begins[pick] + i]]
            filled += size
            bounds[n_sets] = bound
            guesses[n_sets] = inner.columns[column]
            n_sets += 1
            starts[n_sets] = filled
    found = Premises(starts[: n_sets + 1], members[:filled], bounds[:n_sets], guesses[:n_sets])
    return found, anything

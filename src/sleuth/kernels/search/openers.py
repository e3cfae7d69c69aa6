"""Lower bounds of many openers at once: the large classes of all of them in one pass over the guesses."""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.codes import code_at
from sleuth.kernels.jit import inlined, inner, kernel
from sleuth.kernels.legality import allows
from sleuth.kernels.rows import copy
from sleuth.kernels.search.bounds import bound_set, closed, floor_of, least_cost
from sleuth.kernels.search.guess import class_view
from sleuth.kernels.search.parts import Parts, flag_count, part_of
from sleuth.kernels.search.records import INFINITE, STOP, Search, View, is_wide, weight_of
from sleuth.kernels.search.scan import LARGE, gain_of, wide_gain_of
from sleuth.kernels.search.table import key_of, probe, store
from sleuth.kernels.search.views import code_after, split_rows

_NEAR = 2.0
"""A class that is one part in so many is bounded by what is known of the part."""
_SMALL = 10
"""Smaller classes cost hardly more than they do at least."""


class _Sets(NamedTuple):
    """The classes of all openers end to end."""

    first: Array  # int64 [openers + 1]: where those of each opener begin
    starts: Array  # int64 [classes + 1]
    members: Array  # int32: rows
    lower: Array  # int64 [classes]: lower bounds
    fresh: Array  # bool [classes]: whether what is gained may say more
    parts: Array  # int64 [classes]: the part that each lies within


class _Slots(NamedTuple):
    """The classes of one pass over the guesses."""

    of_row: Array  # int32 [rows, openers]: the slot that a row is in, or -1
    sets: Array  # int64 [slots]: which of the classes
    openers: Array  # int64 [slots]: and whose
    starts: Array  # int64 [slots + 1]
    members: Array  # int32: rows
    verdicts: Array  # int8 [slots, codes]: whether guesses of such codes are legal after it, or 0


@inner
def _bucket_of(n: Int) -> Int:
    """Return the half power of two that a size falls in."""
    return np.int64(2.0 * np.log2(n))


@inlined
def _gain(
    search: Search,
    view: View,
    by_guess: Array,
    flat: Array,
    column: Int,
    set_: Array,
    flags: Array,
    counts: Array,
) -> Int:
    """Return what a guess gains on a set.

    flat: by_guess raveled; a view of an array costs as much as to count twenty codes. flags: uint8 [256],
    overwritten. counts: int32 [codes], zero.
    """
    if is_wide(view):
        gain, _ = wide_gain_of(search, view, column, set_, counts)
    elif search.uniform and set_.size <= search.most_classes:
        gain = flag_count(flat, column * by_guess.shape[1], set_, flags)
    else:
        gain, _ = gain_of(search, view, by_guess[column], set_, counts)
    return gain


@inlined
def _is_legal(search: Search, view: View, row: Int, opener: Int, column: Int, verdicts: Array) -> bool:
    """Say whether a guess may follow what an opener gets for an answer. verdicts: see _Slots.

    Feedback has few kinds: each is asked for once.
    """
    guess = np.int64(view.columns[opener])
    as_answers = search.guess_codes[guess]
    double = as_answers.size > search.guess_codes.shape[0]
    other = np.int64(code_at(as_answers, double, view.columns[column]))
    if verdicts[other] == 0:
        code = code_after(search, view, row, opener)
        verdicts[other] = 1 if allows(search.legality, guess, code, other) else -1
    return bool(verdicts[other] > 0)


@inlined
def _slots_by_part(sets: _Sets, slots: _Slots, n_slots: Int, n_parts: Int) -> tuple[Array, Array]:
    """Return the slots in the order of their parts: int32 starts [parts + 1] and int32 [slots]."""
    begins = np.zeros(n_parts + 2, np.int32)
    for s in range(n_slots):
        begins[sets.parts[slots.sets[s]] + 2] += 1
    for p in range(n_parts):
        begins[p + 2] += begins[p + 1]
    by_part = np.empty(n_slots, np.int32)
    for s in range(n_slots):
        part = sets.parts[slots.sets[s]]
        by_part[begins[part + 1]] = s
        begins[part + 1] += 1
    return begins[: n_parts + 1], by_part


@inner
def _most_gains(
    search: Search,
    view: View,
    by_guess: Array,
    openers: Array,
    parts: Parts,
    sets: _Sets,
    slots: _Slots,
    n_slots: Int,
    most: Array,
) -> None:
    """Raise most, int64 [slots], to the most that any guess gains on each of many sets, own weight included.

    by_guess: view.codes transposed, so that a guess's codes of all the answers stay in the nearest cache.
    """
    starts, members, of_row = slots.starts, slots.members, slots.of_row
    flags = np.zeros(256, np.uint8)
    counts = np.zeros(search.n_codes, np.int32)
    row_of = np.full(view.columns.size, -1, np.int32)
    heaviest = np.int64(0)
    for r in range(view.own.size):
        heaviest = max(heaviest, search.weights[view.answers[r]])
        if view.own[r] >= 0:
            row_of[view.own[r]] = r
    flat = by_guess.ravel()
    begins, by_part = _slots_by_part(sets, slots, n_slots, parts.sizes.size)
    floors = np.zeros(parts.sizes.size, np.int64)  # no slot of a part has less
    for p in range(floors.size):
        if begins[p] == begins[p + 1]:
            floors[p] = INFINITE
    for column in range(view.columns.size):
        if column % 64 == 0 and (
            search.control[STOP] != 0 or view.quality[column] + heaviest <= most[:n_slots].min()
        ):
            return
        for p in range(floors.size):
            limit = parts.limits[column, p]
            if limit <= floors[p]:
                continue
            floors[p] = INFINITE
            for i in range(begins[p], begins[p + 1]):
                s = by_part[i]
                if limit > most[s] and (
                    not search.restricted
                    or _is_legal(
                        search,
                        view,
                        np.int64(members[starts[s]]),
                        np.int64(openers[slots.openers[s]]),
                        np.int64(column),
                        slots.verdicts[s],
                    )
                ):
                    set_ = members[starts[s] : starts[s + 1]]
                    gain = _gain(search, view, by_guess, flat, np.int64(column), set_, flags, counts)
                    most[s] = max(most[s], gain)
                floors[p] = min(floors[p], most[s])
        right = row_of[column]
        for o in range(openers.size if right >= 0 else 0):
            s = of_row[right, o]
            if s < 0:
                continue
            weight = search.weights[view.answers[right]]
            if parts.limits[column, sets.parts[slots.sets[s]]] + weight > most[s]:
                # Again for the one set that the guess is a candidate of, with its weight.
                set_ = members[starts[s] : starts[s + 1]]
                gain = _gain(search, view, by_guess, flat, np.int64(column), set_, flags, counts)
                most[s] = max(most[s], weight + gain)


@inner
def _classes_of(
    search: Search, view: View, rows: Array, openers: Array, parts: Parts, turns: Int, out: Array
) -> _Sets:
    """Return the classes of openers, and fill out, int64 [openers], with the openers' bounds by theirs.

    turns: turns left after the opener.
    """
    n_openers = openers.size
    total_weight = weight_of(search.weights, view.answers, rows)
    first = np.empty(n_openers + 1, np.int64)
    starts = np.empty(n_openers * (rows.size + 1) + 1, np.int64)
    members = np.empty(n_openers * rows.size, np.int32)
    lower = np.empty(starts.size, np.int64)
    fresh = np.zeros(starts.size, np.bool_)
    within = np.empty(starts.size, np.int64)
    n_sets = 0
    filled = 0
    starts[0] = 0
    for o in range(n_openers):
        first[o] = n_sets
        out[o] = total_weight
        begins, ended = split_rows(search, view, rows, np.int64(openers[o]))
        if begins.size == 2 and ended.size == rows.size:
            out[o] = INFINITE
            continue
        for i in range(begins.size - 1):
            child = ended[begins[i] : begins[i + 1]]
            low, _ = closed(search, view, child, turns)
            if low < 0:
                low = floor_of(search, view, child, turns)
                fresh[n_sets] = turns > 1  # what is gained bounds a set from two turns on
                if not search.restricted:  # there what is known goes by the guesses that are legal then
                    key, where = key_of(search, view, child, turns)
                    known, _, info = probe(search.table, search.control, key, where)
                    fresh[n_sets] = info == 0 and turns > 1
                    low = max(low, known)
            within[n_sets] = part_of(parts, child)
            if fresh[n_sets]:
                most = parts.most[within[n_sets]] + search.weights[view.answers[child[0]]]
                weight = weight_of(search.weights, view.answers, child)
                low = max(low, least_cost(search, child.size, weight, most, np.int64(0), turns))
            lower[n_sets] = low
            out[o] = min(out[o] + low, INFINITE)
            copy(child, members[filled:])
            filled += child.size
            n_sets += 1
            starts[n_sets] = filled
    first[n_openers] = n_sets
    return _Sets(first, starts, members, lower, fresh, within)


@inner
def _is_near(sets: _Sets, parts: Parts, s: Int) -> bool:
    """Say whether a class is most of its part, so that few guesses may gain on it what the best one does."""
    size = np.int64(sets.starts[s + 1] - sets.starts[s])
    return bool(_NEAR * size >= parts.sizes[sets.parts[s]])


@inner
def _rank(sets: _Sets, parts: Parts, s: Int) -> Int:
    """Return the larger a number the more a class promises for what it takes to bound it.

    First those that are most of their part. Then small ones, whose rows are compared, but for the smallest.
    """
    size = np.int64(sets.starts[s + 1] - sets.starts[s])
    if _is_near(sets, parts, s):
        stage = 3
    elif size >= LARGE:
        stage = 1
    else:
        stage = 2 if size >= _SMALL else 0
    return stage * sets.members.size + size


@inlined
def _most_promising(sets: _Sets, parts: Parts, o: Int) -> Int:
    """Return the class of an opener that is fresh and promises most, or -1."""
    pick = -1
    most = np.int64(-1)
    for s in range(sets.first[o], sets.first[o + 1]):
        if sets.fresh[s]:
            rank = _rank(sets, parts, s)
            if rank > most:
                most = rank
                pick = s
    return pick


@inner
def _pick_classes(
    search: Search,
    view: View,
    openers: Array,
    parts: Parts,
    sets: _Sets,
    slots: _Slots,
    turns: Int,
    best: Int,
    learned: Array,
    out: Array,
) -> Int:
    """Fill slots with the largest classes of each opener, as many as are foretold to suffice.

    Small classes are bounded at once, and out raised, where no large one waits. Returns how many slots are
    filled.
    """
    n_slots = 0
    taken = 0
    slots.starts[0] = 0
    for o in range(out.size):
        foretold = float(out[o])
        while foretold < best:
            pick = _most_promising(sets, parts, o)
            if pick < 0:
                break
            child = sets.members[sets.starts[pick] : sets.starts[pick + 1]]
            size = child.size
            if size < LARGE and not _is_near(sets, parts, np.int64(pick)):
                # In small classes comparing rows is faster; they come when no large one waits.
                if foretold > out[o]:
                    break
                inner, at = class_view(search, view, child, np.int64(openers[o]))
                key, where = key_of(search, inner, at, turns)
                low, _, info = probe(search.table, search.control, key, where)
                if info == 0:
                    low = bound_set(search, inner, at, turns, key, where)
                low = max(low, sets.lower[pick])
                out[o] += low - sets.lower[pick]
                sets.lower[pick] = low
                sets.fresh[pick] = False
                foretold = float(out[o])
                continue
            sets.fresh[pick] = False
            slots.sets[n_slots] = pick
            if search.restricted:
                slots.verdicts[n_slots] = 0
            slots.openers[n_slots] = o
            for j in range(size):
                slots.members[taken + j] = child[j]
                slots.of_row[child[j], o] = n_slots
            weight = weight_of(search.weights, view.answers, child)
            taken += size
            n_slots += 1
            slots.starts[n_slots] = taken
            at = _bucket_of(size)
            ratio = learned[at, 0] / learned[at, 1] if learned[at, 1] > 0 else 0.3
            foretold += max(0.0, (3.0 - ratio) * weight - sets.lower[pick])
    return n_slots


@inner
def _take_gains(
    search: Search,
    view: View,
    sets: _Sets,
    slots: _Slots,
    turns: Int,
    most: Array,
    learned: Array,
    out: Array,
) -> None:
    """Raise bounds by the most that any guess gains, int64 [slots], and empty the slots."""
    for i in range(most.size):
        s, o = slots.sets[i], slots.openers[i]
        child = sets.members[sets.starts[s] : sets.starts[s + 1]]
        weight = weight_of(search.weights, view.answers, child)
        for r in child:
            slots.of_row[r, o] = -1
        learned[_bucket_of(child.size), 0] += most[i]
        learned[_bucket_of(child.size), 1] += weight
        low = max(sets.lower[s], least_cost(search, child.size, weight, most[i], np.int64(0), turns))
        if not search.restricted:
            key, where = key_of(search, view, child, turns)
            store(
                search.table, search.control, key, where, child.size, low, INFINITE, np.int64(0), np.int64(-1)
            )
        out[o] = min(out[o] + low - sets.lower[s], INFINITE)
        sets.lower[s] = low


@kernel
def bound_openers(
    search: Search,
    view: View,
    by_guess: Array,
    rows: Array,
    openers: Array,
    parts: Parts,
    turns: Int,
    best: Int,
    learned: Array,
    out: Array,
) -> None:
    """Fill out, int64 [openers], with lower bounds of what openers cost, as far as it takes to reach best.

    openers: int32 columns. by_guess: view.codes transposed. learned: float64 [64, 2], sums of gains and
    weights by size, which foretell how many classes it will take; they only steer.
    """
    after = turns - 1
    sets = _classes_of(search, view, rows, openers, parts, after, out)
    n_sets = sets.first[openers.size]
    slots = _Slots(
        np.full((view.own.size, openers.size), -1, np.int32),
        np.empty(n_sets, np.int64),
        np.empty(n_sets, np.int64),
        np.empty(n_sets + 1, np.int64),
        np.empty(sets.starts[n_sets], np.int32),
        np.empty((n_sets if search.restricted else 0, search.n_codes), np.int8),
    )
    while search.control[STOP] == 0:
        n_slots = _pick_classes(search, view, openers, parts, sets, slots, after, best, learned, out)
        if n_slots == 0:
            break
        most = np.zeros(n_slots, np.int64)
        _most_gains(search, view, by_guess, openers, parts, sets, slots, n_slots, most)
        if search.control[STOP] != 0:
            break
        _take_gains(search, view, sets, slots, after, most, learned, out)

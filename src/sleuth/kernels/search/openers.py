"""Lower bounds of many openers, in easy mode the large classes of all in one pass over the guesses."""

from typing import NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import inlined, inner, kernel
from sleuth.kernels.search.bounds import bound_set, closed, floor_of
from sleuth.kernels.search.guess import try_guess
from sleuth.kernels.search.records import INFINITE, STOP, Search, View, is_wide, weight_of
from sleuth.kernels.search.scan import LARGE, gain_of, wide_gain_of
from sleuth.kernels.search.table import key_of, probe, store
from sleuth.kernels.search.views import narrowed, split_rows


class _Sets(NamedTuple):
    """The classes of all openers end to end."""

    first: Array  # int64 [openers + 1]: where those of each opener begin
    starts: Array  # int64 [classes + 1]
    members: Array  # int32: rows
    lower: Array  # int64 [classes]: lower bounds
    fresh: Array  # bool [classes]: whether what is gained may say more


class _Slots(NamedTuple):
    """The classes of one pass over the guesses."""

    of_row: Array  # int32 [openers, rows]: the slot that a row is in, or -1
    sets: Array  # int64 [slots]: which of the classes
    openers: Array  # int64 [slots]: and whose
    starts: Array  # int64 [slots + 1]
    members: Array  # int32: rows


@inner
def _bucket_of(n: Int) -> Int:
    """Return the half power of two that a size falls in."""
    return np.int64(2.0 * np.log2(n))


@inner
def _flag_count(codes: Array, set_: Array, flags: Array) -> Int:
    """Return how many codes a guess gets on a set. codes: uint8; flags: uint8 [256], overwritten."""
    for c in range(256):
        flags[c] = 0
    for i in range(set_.size):
        flags[codes[set_[i]]] = 1
    few = np.uint8(0)
    for c in range(256):
        few += flags[c]
    return np.int64(few)


@inlined
def _most_gains(
    search: Search, view: View, by_guess: Array, slots: _Slots, n_slots: Int, most: Array
) -> None:
    """Raise most, int64 [slots], to the most that any guess gains on each of many sets, own weight included.

    by_guess: view.codes transposed, so that a guess's codes of all the answers stay in the nearest cache.
    """
    starts, members, of_row = slots.starts, slots.members, slots.of_row
    wide = is_wide(view)
    fast = search.uniform and not wide
    flags = np.zeros(256, np.uint8)
    counts = np.zeros(search.n_codes, np.int32)
    row_of = np.full(view.columns.size, -1, np.int32)
    heaviest = np.int64(0)
    for r in range(view.own.size):
        heaviest = max(heaviest, search.weights[view.answers[r]])
        if view.own[r] >= 0:
            row_of[view.own[r]] = r
    for column in range(view.columns.size):
        ceiling = view.quality[column] + heaviest
        if column % 64 == 0 and (search.control[STOP] != 0 or ceiling <= most[:n_slots].min()):
            return
        codes = by_guess[column]
        for s in range(n_slots):
            if ceiling <= most[s]:
                continue
            set_ = members[starts[s] : starts[s + 1]]
            if fast and set_.size <= search.most_classes:
                gain = _flag_count(codes, set_, flags)
            elif wide:
                gain, _ = wide_gain_of(search, view, np.int64(column), set_, counts)
            else:
                gain, _ = gain_of(search, view, codes, set_, counts)
            most[s] = max(most[s], gain)
        right = row_of[column]
        for o in range(of_row.shape[0] if right >= 0 else 0):
            s = of_row[o, right]
            if s >= 0:
                # Again for the one set that the guess is a candidate of, with its weight.
                set_ = members[starts[s] : starts[s + 1]]
                if wide:
                    gain, _ = wide_gain_of(search, view, np.int64(column), set_, counts)
                else:
                    gain, _ = gain_of(search, view, codes, set_, counts)
                most[s] = max(most[s], search.weights[view.answers[right]] + gain)


@inlined
def _classes_of(search: Search, view: View, rows: Array, openers: Array, turns: Int, out: Array) -> _Sets:
    """Return the classes of openers, and fill out, int64 [openers], with the openers' bounds by theirs.

    turns: turns left after the opener.
    """
    n_openers = openers.size
    total_weight = weight_of(search, view, rows)
    first = np.empty(n_openers + 1, np.int64)
    starts = np.empty(n_openers * (rows.size + 1) + 1, np.int64)
    members = np.empty(n_openers * rows.size, np.int32)
    lower = np.empty(starts.size, np.int64)
    fresh = np.zeros(starts.size, np.bool_)
    n_sets = 0
    filled = 0
    starts[0] = 0
    for o in range(n_openers):
        first[o] = n_sets
        out[o] = total_weight
        begins, parts = split_rows(search, view, rows, openers[o])
        if begins.size == 2 and parts.size == rows.size:
            out[o] = INFINITE
            continue
        for i in range(begins.size - 1):
            child = parts[begins[i] : begins[i + 1]]
            low, _ = closed(search, view, child, turns)
            if low < 0:
                low = floor_of(search, view, child, turns)
                key, where = key_of(search, view, child, turns)
                known, _, info = probe(search, key, where)
                fresh[n_sets] = info == 0 and turns > 1  # what is gained bounds a set from two turns on
                low = max(low, known)
            lower[n_sets] = low
            out[o] = min(out[o] + low, INFINITE)
            for j in range(child.size):
                members[filled + j] = child[j]
            filled += child.size
            n_sets += 1
            starts[n_sets] = filled
    first[n_openers] = n_sets
    return _Sets(first, starts, members, lower, fresh)


@inlined
def _largest_fresh(sets: _Sets, o: Int) -> Int:
    """Return the largest class of an opener that is fresh, or -1."""
    pick = -1
    size = 0
    for s in range(sets.first[o], sets.first[o + 1]):
        if sets.fresh[s] and sets.starts[s + 1] - sets.starts[s] > size:
            size = sets.starts[s + 1] - sets.starts[s]
            pick = s
    return pick


@inlined
def _pick_classes(
    search: Search,
    view: View,
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
            pick = _largest_fresh(sets, o)
            if pick < 0:
                break
            child = sets.members[sets.starts[pick] : sets.starts[pick + 1]]
            size = child.size
            if size < LARGE:
                # In small classes comparing rows is faster; they come when no large one waits.
                if foretold > out[o]:
                    break
                key, where = key_of(search, view, child, turns)
                inner, at = narrowed(search, view, child)
                low = max(sets.lower[pick], bound_set(search, inner, at, turns, key, where))
                out[o] += low - sets.lower[pick]
                sets.lower[pick] = low
                sets.fresh[pick] = False
                foretold = float(out[o])
                continue
            sets.fresh[pick] = False
            slots.sets[n_slots] = pick
            slots.openers[n_slots] = o
            for j in range(size):
                slots.members[taken + j] = child[j]
                slots.of_row[o, child[j]] = n_slots
            weight = weight_of(search, view, child)
            taken += size
            n_slots += 1
            slots.starts[n_slots] = taken
            at = _bucket_of(size)
            ratio = learned[at, 0] / learned[at, 1] if learned[at, 1] > 0 else 0.3
            foretold += max(0.0, (3.0 - ratio) * weight - sets.lower[pick])
    return n_slots


@inlined
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
        weight = weight_of(search, view, child)
        for r in child:
            slots.of_row[o, r] = -1
        learned[_bucket_of(child.size), 0] += most[i]
        learned[_bucket_of(child.size), 1] += weight
        low = max(sets.lower[s], 3 * weight - most[i])
        key, where = key_of(search, view, child, turns)
        store(search, key, where, child.size, low, INFINITE, np.int64(0), np.int64(-1))
        out[o] += low - sets.lower[s]
        sets.lower[s] = low


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

    openers: int32 columns. by_guess: view.codes transposed. learned: float64 [64, 2], sums of gains and
    weights by size, which foretell how many classes it will take; they only steer.
    """
    after = turns - 1
    sets = _classes_of(search, view, rows, openers, after, out)
    n_sets = sets.first[openers.size]
    slots = _Slots(
        np.full((openers.size, view.own.size), -1, np.int32),
        np.empty(n_sets, np.int64),
        np.empty(n_sets, np.int64),
        np.empty(n_sets + 1, np.int64),
        np.empty(sets.starts[n_sets], np.int32),
    )
    while search.control[STOP] == 0:
        n_slots = _pick_classes(search, view, sets, slots, after, best, learned, out)
        if n_slots == 0:
            break
        most = np.zeros(n_slots, np.int64)
        _most_gains(search, view, by_guess, slots, n_slots, most)
        if search.control[STOP] != 0:
            break
        _take_gains(search, view, sets, slots, after, most, learned, out)


@kernel
def bound_restricted(
    search: Search, view: View, rows: Array, openers: Array, turns: Int, best: Int, out: Array
) -> None:
    """Fill out, int64 [openers], as bound_openers does, where what may follow an opener goes by its feedback.

    What is legal after one is a view of its own for each class, so that openers share no pass.
    """
    out[:] = weight_of(search, view, rows)
    for o in range(openers.size):
        if search.control[STOP] != 0:
            break
        out[o], _, _ = try_guess(search, view, rows, openers[o], turns, best)

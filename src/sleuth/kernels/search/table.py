"""The table of sets met before: what is known of their totals, shared by threads without locks."""

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.hashing import GOLDEN
from sleuth.kernels.jit import inlined, inner, kernel
from sleuth.kernels.search.records import BUCKETS, FILLED, INFINITE, UNLIMITED, Search, View, may_be_lost

WAYS = 4
"""Entries of a bucket."""
WORDS = 4
"""Words of an entry, uint64: the key, sealed; lower bound; upper bound; what else is known (see store)."""
_ODD = np.uint64(0xD6E8FEB86659FD93)
# An entry has 16 bits for the size of a set and 16 for a depth; the largest stands for all from there on.
_FULL = 65535


@inlined
def _place(low: np.uint64, buckets: Int) -> Int:
    """Return where in the table the bucket of a hash begins, of so many buckets."""
    return np.int64(((low >> np.uint64(32)) * np.uint64(buckets)) >> np.uint64(32)) * (WAYS * WORDS)


@inlined
def _sealed(key: np.uint64, lower: np.uint64, upper: np.uint64, info: np.uint64) -> np.uint64:
    """Return the first word of an entry: the key, by the other three words.

    Each is multiplied by another odd number, so that no two cancel, equal or exchanged.
    """
    return key ^ ((lower * _ODD + upper) * _ODD + info)


@inner
def key_of(search: Search, view: View, rows: Array, turns: Int) -> tuple[np.uint64, np.uint64]:
    """Return the two hashes of a set, the turns left (where they may matter) and the legal guesses.

    In any n turns a sensible strategy finds n answers, so more turns than answers are no limit. But what is
    never found costs the more the more turns are left.
    """
    key, low = view.keys[0], view.keys[1]
    for r in rows:
        a = view.answers[r]
        key ^= search.hashes[a, 0]
        low ^= search.hashes[a, 1]
    if turns < rows.size:
        of_turns = search.hashes.shape[0] - search.weights.size + turns
        key ^= search.hashes[of_turns, 0]
        low ^= search.hashes[of_turns, 1]
    elif may_be_lost(search):
        key ^= np.uint64(turns + 1) * GOLDEN
        low ^= np.uint64(turns + 1) * _ODD
    return key, low


@kernel
def probe(table: Array, control: Array, key: np.uint64, low: np.uint64) -> tuple[Int, Int, Int]:
    """Return lower bound, upper bound and what else is known (0: nothing) of a set met before.

    Threads write without locks; an entry that another one was half through does not fit its key. The table
    grows by doubling, and what was stored just before lies where half as many buckets put it.
    """
    buckets = control[BUCKETS]
    for _ in range(2):
        begin = _place(low, buckets)
        for way in range(WAYS):
            at = begin + way * WORDS
            lower, upper, info = table[at + 1], table[at + 2], table[at + 3]
            if info != 0 and table[at] == _sealed(key, lower, upper, info):
                return np.int64(lower), np.int64(upper), np.int64(info)
        buckets //= 2
        if buckets == 0:
            break
    return np.int64(-1), INFINITE, np.int64(0)


@kernel
def store(
    table: Array,
    control: Array,
    key: np.uint64,
    low: np.uint64,
    n: Int,
    lower: Int,
    upper: Int,
    depth: Int,
    guess: Int,
) -> None:
    """Remember the bounds of a set of n answers; in a full bucket the smallest set gives way."""
    buckets = control[BUCKETS]
    begin = _place(low, buckets)
    chosen = begin
    least = np.int64(2**62)
    for way in range(WAYS):
        at = begin + way * WORDS
        info = table[at + 3]
        if info != 0 and table[at] == _sealed(key, table[at + 1], table[at + 2], info):
            chosen = at
            break
        size = np.int64(info >> np.uint64(48))
        if size < least:
            least = size
            chosen = at
    if table[chosen + 3] == 0:
        control[FILLED] += 1
        if control[FILLED] > 2 * buckets and 2 * buckets * WAYS * WORDS <= table.size:
            control[BUCKETS] = 2 * buckets  # of what was read above: two threads at once double it once
    info = (
        (np.uint64(min(n, _FULL)) << np.uint64(48))
        | (np.uint64(min(depth, _FULL)) << np.uint64(32))
        | np.uint64(guess + 2)
    )
    table[chosen] = _sealed(key, np.uint64(lower), np.uint64(upper), info)
    table[chosen + 1] = np.uint64(lower)
    table[chosen + 2] = np.uint64(upper)
    table[chosen + 3] = info


@kernel
def depth_of(info: Int) -> Int:
    """Return the depth that an entry holds, or UNLIMITED where it may be any from the largest on."""
    depth = (info >> 32) & _FULL
    return UNLIMITED if depth == _FULL else depth


@inlined
def guess_of(info: Int) -> Int:
    """Return the guess that an entry holds, or -1."""
    return (info & 0xFFFFFFFF) - 2


@kernel
def remember(
    search: Search, view: View, rows: Array, turns: Int, lower: Int, upper: Int, depth: Int, guess: Int
) -> None:
    """Keep bounds of a set that were found by other means."""
    key, low = key_of(search, view, rows, turns)
    store(search.table, search.control, key, low, rows.size, lower, upper, depth, guess)

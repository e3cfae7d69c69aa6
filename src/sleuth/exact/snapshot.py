"""The table of bounds as bytes: what a search that is cut off knows, so that the next one finds it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from sleuth.exact.solver import Solver

VERSION = 1
"""To be raised when a key or an entry of the table means something else, see kernels/search/table.py."""
_LEAST = 16
"""Smaller sets are searched again in no time."""
_MOST = 200_000
"""The most entries that are kept, 40 bytes each: those of the largest sets."""


@dataclass(frozen=True)
class Snapshot:
    """Entries of a table.

    Attributes:
        keys: what the keys of the table come from; entries of others mean nothing.
        buckets: how many buckets were in use.
        entries: little-endian uint64 [entries, 5]: the place of each, and its words.

    """

    keys: str
    buckets: int
    entries: bytes


def take(solver: Solver) -> Snapshot | None:
    """Return what the table knows of large sets, or None where it knows nothing; searches may be under way.

    An entry that a thread is half through fits no key and is never found, here as in the table itself.
    """
    from sleuth.kernels.search.records import BUCKETS
    from sleuth.kernels.search.table import WAYS, WORDS

    search = solver.search
    buckets = int(search.control[BUCKETS])
    table = search.table[: buckets * WAYS * WORDS].reshape(-1, WORDS)
    sizes = (table[:, 3] >> np.uint64(48)).astype(np.int64)
    found = np.flatnonzero(sizes >= _LEAST)
    if not len(found):
        return None
    if len(found) > _MOST:
        found = np.sort(found[np.argsort(-sizes[found], kind="stable")[:_MOST]])
    entries = np.column_stack([found.astype(np.uint64), table[found]]).astype("<u8")
    return Snapshot(_keys(solver), buckets, entries.tobytes())


def restore(solver: Solver, snapshot: Snapshot) -> bool:
    """Put entries into a table that is empty and may grow to as many buckets; say whether it was so."""
    from sleuth.kernels.search.records import BUCKETS, FILLED
    from sleuth.kernels.search.table import WAYS, WORDS

    search = solver.search
    table = search.table.reshape(-1, WORDS)
    growth, rest = divmod(len(table), snapshot.buckets * WAYS)
    if search.control[FILLED] or snapshot.keys != _keys(solver) or rest or growth.bit_count() != 1:
        return False
    entries = np.frombuffer(snapshot.entries, "<u8").reshape(-1, 1 + WORDS)
    table[entries[:, 0].astype(np.int64)] = entries[:, 1:]
    search.control[BUCKETS] = snapshot.buckets
    search.control[FILLED] = len(entries)
    return True


def _keys(solver: Solver) -> str:
    search = solver.search
    digest = blake2b(str(VERSION).encode(), digest_size=16)
    digest.update(search.hashes.tobytes())
    return digest.hexdigest()

"""Openers after which some answers cannot be found within three or four turns in all, refuted by their cores.

That is a question of yes or no, much easier than what an opener costs: kernels/search/cores.py says how.
"""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sleuth.kernels.search.cores import Cores
    from sleuth.kernels.search.records import Search

TURNS = (3, 4)
"""Turns left, the opener's among them, within which openers are refuted."""
_MOST = 2**18
# Learned from one class, beyond which what is learned is forgotten.
_ROOM = 2**10


class Refuter:
    """Refutes openers, and keeps the cores that it learns; threads may share one."""

    def __init__(self, search: Search, codes: NDArray[np.uint8]) -> None:
        """Begin with no core.

        search: of a game whose answers are all guesses, with no penalty. codes: uint8 [guesses, rows].
        """
        from sleuth.kernels.search.cores import LARGEST, Cores

        self.search = search
        self.codes = codes
        self._lock = Lock()
        self._cores = Cores(np.zeros((_ROOM, LARGEST), np.int32), np.zeros(_ROOM, np.int32))
        self._count = 0
        self._served = np.zeros(_MOST, np.int32)

    @property
    def cores(self) -> list[list[int]]:
        """The sets learned so far, by rows: no guess tells all members of one apart."""
        kept, count = self._cores, self._count
        return [kept.members[i, : kept.sizes[i]].tolist() for i in range(count)]

    def prepare(self) -> None:
        """Have the kernel compiled."""
        self._unsolvable(np.zeros(1, np.int32), 2)

    def refutes(self, rows: NDArray[np.int32], column: int, turns: int) -> bool:
        """Say whether a guess with so many turns left, itself included, cannot lead to all answers.

        rows: int32, the answers. False says nothing: guesses that are not legal later count as legal.
        """
        classes = self._classes(rows, column)
        # The largest one is the hardest, nearly always.
        return any(self._unsolvable(some, turns - 1) for some in classes)

    def lost(
        self, rows: NDArray[np.int32], column: int, turns: int, weights: NDArray[np.int64], enough: int
    ) -> int:
        """Return a weight that is not found within so many turns after a guess, itself included, at least.

        Of each class that cannot be found whole, its lightest answer is lost. weights: int64 [rows of the
        game]. enough: more need not be known.
        """
        lost = 0
        for some in self._classes(rows, column):
            if lost >= enough:
                break
            if self._unsolvable(some, turns - 1):
                lost += int(weights[some].min())
        return lost

    def reasons(self, rows: NDArray[np.int32], column: int, turns: int) -> list[NDArray[np.int32]] | None:
        """Return sets that no guess tells apart, enough of them to refute a guess, or None where it is not.

        With four turns left, those show that every next guess keeps one together on some class. With three
        there are none, as a class speaks for itself. Those that served before come first.
        """
        for some in self._classes(rows, column):
            if self._unsolvable(some, turns - 1):
                return self._cover(some) if turns > 3 else []
        return None

    def _cover(self, rows: NDArray[np.int32]) -> list[NDArray[np.int32]]:
        """Return sets within rows that no guess tells apart, one of which each guess keeps together."""
        with self._lock:
            known, count = self._cores, self._count
        inside = np.zeros(self.codes.shape[1], bool)
        inside[rows] = True
        past = np.arange(known.members.shape[1]) >= known.sizes[:count, None]
        held = np.flatnonzero(inside[np.where(past, rows[0], known.members[:count])].all(1))
        left = np.arange(len(self.codes))
        found = []
        for i in held[np.argsort(-self._served[held], kind="stable")]:
            core = known.members[i, : known.sizes[i]]
            got = self._by_row[core][:, left]
            together = got.min(0) == got.max(0)
            if together.any():
                self._served[i] += 1
                found.append(core)
                left = left[~together]
            if not len(left):
                break
        # What refuted others was too large to be kept.
        return found + [
            next(some for some in self._classes(rows, guess) if self._unsolvable(some, 2))
            for guess in left.tolist()
        ]

    @cached_property
    def _by_row(self) -> NDArray[np.uint8]:
        """The codes, [rows, guesses]."""
        return np.ascontiguousarray(self.codes.T)

    def _classes(self, rows: NDArray[np.int32], column: int) -> list[NDArray[np.int32]]:
        """Return the classes of three answers or more, the largest first: two take two turns."""
        codes = self.codes[column, rows]
        order = np.argsort(codes, kind="stable")
        cuts = np.flatnonzero(np.diff(codes[order])) + 1
        return sorted((some for some in np.split(rows[order], cuts) if len(some) > 2), key=len, reverse=True)

    def _unsolvable(self, rows: NDArray[np.int32], turns: int) -> bool:
        from sleuth.kernels.search.cores import LARGEST, Cores, unsolvable

        with self._lock:
            known, count = self._cores, self._count
        found = Cores(np.empty((_ROOM, LARGEST), np.int32), np.empty(_ROOM, np.int32))
        search = self.search
        lost, learned = unsolvable(
            self.codes, rows, turns, search.n_codes, known, count, found, search.control
        )
        self._keep(found, learned)
        return bool(lost)

    def _keep(self, found: Cores, learned: int) -> None:
        """Add what was learned. Those who read meanwhile look no further than what was there before."""
        with self._lock:
            count = self._count + learned
            if count > _MOST:
                return
            while len(self._cores.sizes) < count:
                self._cores = type(found)(*(np.concatenate([part, part]) for part in self._cores))
            for kept, new in zip(self._cores, found, strict=True):
                kept[self._count : count] = new[:learned]
            self._count = count

"""Many candidate sets of one game at once, and following a strategy down from them level by level.

Trees, evaluations and rollouts all grow this way: one kernel call chooses for every set of a level, one
splits them all, so that Python runs once a turn and not once a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_indices, checked_sets

if TYPE_CHECKING:
    from sleuth.kernels.types import Sets

Indices = NDArray[np.int32]
_FNV_PRIME = np.uint64(0x100000001B3)


@dataclass(frozen=True, eq=False)
class Frontier:
    """Candidate sets of one game, at one turn, end to end.

    Raises SleuthError where sets or rows are none of the game.

    Attributes:
        game: the game.
        turn: the number of the next guess, from 1.
        starts: int64 [sets + 1]: where each set begins.
        candidates: int32 [total]: answers, ascending within a set, one or more in each.
        legal_starts, legal: int64 [sets + 1] and int32 [total], the legal guesses of each set; None when
            every guess is legal. A set of one answer may have an empty list: its guess is forced.
        rows: int32 [sets, turn - 1, 2]: the guesses made and the codes of their feedback, for strategies that
            look at them; None where they are not known.

    """

    game: Game
    turn: int
    starts: NDArray[np.int64]
    candidates: Indices
    legal_starts: NDArray[np.int64] | None = None
    legal: Indices | None = None
    rows: Indices | None = None

    def __post_init__(self) -> None:
        game = self.game
        starts, candidates = checked_sets(
            game.name, "answer", self.starts, self.candidates, len(game.answers)
        )
        object.__setattr__(self, "starts", starts)
        object.__setattr__(self, "candidates", candidates)
        if self.legal_starts is not None or self.legal is not None:
            legal_starts, legal = checked_sets(
                game.name, "guess", self.legal_starts, self.legal, len(game.guesses), empty=True
            )
            if len(legal_starts) != len(starts):
                raise SleuthError(
                    f"{game.name}: legal guesses are for {len(legal_starts) - 1} of {len(self)} sets"
                )
            object.__setattr__(self, "legal_starts", legal_starts)
            object.__setattr__(self, "legal", legal)
        if self.rows is not None:
            codes, shape = game.rules.n_codes, (len(self), self.turn - 1)
            rows = checked_indices(game.name, "row", self.rows, 2**31, (*shape, 2))
            checked_indices(game.name, "guess", rows[:, :, 0], len(game.guesses), shape)
            checked_indices(game.name, "feedback", rows[:, :, 1], codes, shape)
            object.__setattr__(self, "rows", rows)

    @classmethod
    def of(cls, position: Position) -> Frontier:
        """Return the frontier of one position."""
        legal_starts = None if position.legal is None else np.array([0, len(position.legal)])
        starts = np.array([0, len(position.candidates)])
        rows = None
        if len(position.rows) == position.turn - 1:
            rows = np.array(position.rows, np.int32).reshape(1, -1, 2)
        return _made(
            position.game, position.turn, starts, position.candidates, legal_starts, position.legal, rows
        )

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """int64 [sets]: answers in each set."""
        return np.diff(self.starts)

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """float64 [sets]: the prior of each set times the number of answers of the game.

        Under the uniform prior this is the number of answers in the set, exactly.
        """
        if self.game.is_uniform:
            return self.sizes.astype(np.float64)
        if len(self) == 0:
            return np.zeros(0)
        scaled = self.game.prior[self.candidates] * len(self.game.answers)
        sums: NDArray[np.float64] = np.add.reduceat(scaled, self.starts[:-1])
        return sums

    @property
    def sets(self) -> Sets:
        """The sets as the kernels take them."""
        from sleuth.kernels.types import Sets

        no_starts, no_legal = np.empty(0, np.int64), np.empty(0, np.int32)
        return Sets(
            self.starts,
            self.candidates,
            no_starts if self.legal_starts is None else self.legal_starts,
            no_legal if self.legal is None else self.legal,
        )

    def keys(self) -> NDArray[np.uint64]:
        """Return uint64 [sets], equal for equal sets with equal legal guesses."""
        from sleuth.kernels.sets import keys

        found: NDArray[np.uint64] = keys(self.sets)
        return found

    def histories(self) -> NDArray[np.uint64]:
        """Return uint64 [sets], equal for equal sets after the same rows."""
        found = self.keys()
        if self.rows is not None:
            for numbers in self.rows.reshape(len(self), -1).T.astype(np.uint64):
                found = (found ^ numbers) * _FNV_PRIME
        return found

    def without_rows(self) -> Frontier:
        """Return the same sets, however they came about, for strategies that do not look at it."""
        if self.rows is None:
            return self
        return _made(self.game, self.turn, self.starts, self.candidates, self.legal_starts, self.legal, None)

    def take(self, which: NDArray[np.int64]) -> Frontier:
        """Return the frontier of some of the sets, int64 [which], in that order."""
        starts, candidates = _take(self.starts, self.candidates, which)
        legal_starts = legal = None
        if self.legal_starts is not None and self.legal is not None:
            legal_starts, legal = _take(self.legal_starts, self.legal, which)
        rows = None if self.rows is None else self.rows[which]
        return _made(self.game, self.turn, starts, candidates, legal_starts, legal, rows)

    def holds(self, which: NDArray[np.int64], answers: Indices) -> NDArray[np.bool_]:
        """Say of pairs of a set, int64 [pairs], and an answer (or -1) whether the answer is in the set."""
        return _holds(self.starts, self.candidates, len(self.game.answers), which, answers)

    def allows(self, guesses: Indices) -> NDArray[np.bool_]:
        """Say of each set whether its guess, int32 [sets], is legal there; that of one answer is forced."""
        if self.legal_starts is None or self.legal is None:
            return np.ones(len(self), bool)
        which, count = np.arange(len(self)), len(self.game.guesses)
        allowed = _holds(self.legal_starts, self.legal, count, which, guesses)
        allowed[self.sizes == 1] = True
        return allowed

    def positions(self) -> Iterator[Position]:
        """Yield each set as a position."""
        for s in range(len(self)):
            legal = None
            if self.legal_starts is not None and self.legal is not None:
                legal = self.legal[self.legal_starts[s] : self.legal_starts[s + 1]]
            members = self.candidates[self.starts[s] : self.starts[s + 1]]
            rows = () if self.rows is None else tuple((g, code) for g, code in self.rows[s].tolist())
            yield Position(self.game, members, legal, self.turn, rows=rows)

    def parts(self) -> Iterator[tuple[Frontier, Indices]]:
        """Yield the sets, in their order, as frontiers of parts of the game that memory has room for.

        With each come the answers of its game, int32 ascending: where they stand in the whole one. Guesses
        keep their numbers. No set may have more than game.room answers.
        """
        game, ends = self.game, np.cumsum(self.sizes)
        begin = 0
        while begin < len(self):
            done = ends[begin - 1] if begin else 0
            end = max(begin + 1, int(np.searchsorted(ends, done + game.room, side="right")))
            some = self.take(np.arange(begin, end))
            answers = np.unique(some.candidates)
            places = np.searchsorted(answers, some.candidates).astype(np.int32)
            part = game.part(answers)
            yield (
                _made(part, self.turn, some.starts, places, some.legal_starts, some.legal, some.rows),
                answers,
            )
            begin = end

    def after(self, guesses: Indices) -> Children:
        """Split every set by the feedback to its guess, int32 [sets].

        Raises SleuthError for what is no guess of the game, GameTooLargeError.
        """
        from sleuth.kernels.codes import as_bytes
        from sleuth.kernels.sets import refine, split

        game, count = self.game, len(self.game.guesses)
        guesses = checked_indices(game.name, "guess", guesses, count, (len(self),))
        if game.is_large and self.legal_starts is None:
            return self._after_by_rows(guesses)
        tables, sets = game.tables, self.sets
        starts, members, parent, codes, right = split(tables, sets, guesses)
        legal_starts = legal = None
        if self.legal_starts is not None:
            legal_starts, legal = refine(
                game.legality, as_bytes(game.guess_labels), tables.wide, sets, guesses, starts, parent, codes
            )
        codes = game.codes_of(guesses[parent], codes)
        rows = None
        if self.rows is not None:
            last = np.stack([guesses[parent], codes], axis=1, dtype=np.int32)
            rows = np.concatenate([self.rows[parent], last[:, None]], axis=1)
        frontier = _made(self.game, self.turn + 1, starts, members, legal_starts, legal, rows)
        return Children(frontier, parent, codes, right)

    def _after_by_rows(self, guesses: Indices) -> Children:
        """Do as `after` does where every guess is legal, computing no codes but those of each set's guess."""
        game = self.game
        members, sizes, parent, codes = [], [], [], []
        right = np.full(len(self), -1, np.int32)
        for s, guess in enumerate(guesses.tolist()):
            set_ = self.candidates[self.starts[s] : self.starts[s + 1]]
            named = set_ == game.guess_answer[guess]
            if named.any():
                right[s] = game.guess_answer[guess]
                set_ = set_[~named]
            got = game.some_feedback(guesses[s : s + 1], set_)[0]
            order = np.argsort(got, kind="stable")
            for child in np.split(order, np.flatnonzero(np.diff(got[order])) + 1):
                # A lone answer that no guess can name is known.
                if len(child) > 1 or (len(child) == 1 and game.answer_guess[set_[child[0]]] >= 0):
                    members.append(set_[child])
                    sizes.append(len(child))
                    parent.append(s)
                    codes.append(int(got[child[0]]))
        of, shown = np.array(parent, np.int32), np.array(codes, np.int32)
        rows = None
        if self.rows is not None:
            last = np.stack([guesses[of], shown], axis=1, dtype=np.int32)
            rows = np.concatenate([self.rows[of], last[:, None]], axis=1)
        starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        held = np.concatenate(members) if members else np.empty(0, np.int32)
        return Children(_made(game, self.turn + 1, starts, held, None, None, rows), of, shown, right)


@dataclass(frozen=True, eq=False)
class Children:
    """What a level of guesses leads to.

    Attributes:
        frontier: the sets that are left, one turn on; without the answers found.
        parent: int32 [children]: the set each comes from.
        codes: int32 [children]: the feedback that leads to it.
        right: int32 [parents]: the answer that was guessed right, or -1.

    """

    frontier: Frontier
    parent: Indices
    codes: Indices
    right: Indices

    def reached(self, which: NDArray[np.int64], codes: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the child that each feedback to the guess of a parent leads to, int64 [n]; -1 where none.

        which: int64 [n], parents; codes: integers [n]. A right guess leads to none.
        """
        stride = self.frontier.game.rules.n_codes
        keys = self.parent.astype(np.int64) * stride + self.codes
        asked = which * stride + codes
        if not len(keys):
            return np.full(len(asked), -1)
        order = np.argsort(keys, kind="stable")
        at = order[np.minimum(np.searchsorted(keys, asked, sorter=order), len(keys) - 1)]
        return np.where(keys[at] == asked, at, -1)


def _made(
    game: Game,
    turn: int,
    starts: NDArray[np.int64],
    candidates: Indices,
    legal_starts: NDArray[np.int64] | None,
    legal: Indices | None,
    rows: Indices | None,
) -> Frontier:
    """Return a frontier made of parts of one that is checked: strategies make thousands, each a part."""
    made = object.__new__(Frontier)
    values = (game, turn, starts, candidates, legal_starts, legal, rows)
    vars(made).update(zip((field.name for field in fields(Frontier)), values, strict=True))
    return made


def _holds(
    starts: NDArray[np.int64], items: Indices, count: int, which: NDArray[np.int64], asked: Indices
) -> NDArray[np.bool_]:
    """Say of pairs of a slice that starts marks and an item below count (or -1) whether it is in there."""
    held = np.repeat(np.arange(len(starts) - 1) * count, np.diff(starts)) + items
    if not len(held):
        return np.zeros(len(asked), bool)
    keys = which * count + asked
    at = np.minimum(np.searchsorted(held, keys), len(held) - 1)
    inside: NDArray[np.bool_] = (held[at] == keys) & (asked >= 0)
    return inside


def _take(
    starts: NDArray[np.int64], items: Indices, which: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Indices]:
    """Return the starts and items of some of the slices that starts marks."""
    sizes = starts[which + 1] - starts[which]
    new_starts = np.concatenate([[0], np.cumsum(sizes)])
    at = np.repeat(starts[which] - new_starts[:-1], sizes) + np.arange(new_starts[-1])
    return new_starts, items[at]

"""The search on one machine: a game and an objective laid out for the kernels, with the table of bounds."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sleuth.exact.cores import Refuter
from sleuth.exact.counting import floors, least_turns
from sleuth.exact.families import shared_parts
from sleuth.exact.objective import MOST_TOTAL, Objective, rounding, weights_of
from sleuth.exact.symmetry import moves_of, past_of
from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.support.errors import SleuthError, UnfinishedError
from sleuth.support.parallel import even_slices, interruptible, map_threads, thread_count

if TYPE_CHECKING:
    from sleuth.kernels.search.records import Moves, Past, Search, View

T = TypeVar("T")

DEFAULT_MEMORY = 2**30
"""Bytes that the table of bounds may take unless told otherwise."""
_BUCKET = 128
_FIRST_BUCKETS = 2**14
_SEED = 0x51E17
# Searches of smaller sets end before anybody notices.
_BRIEF = 24
# Guesses are bounded by the sizes of their classes, not only by how many there are, in games with so few.
_FEW_CLASSES = 40


@dataclass(frozen=True)
class Bound:
    """What is known of the total of a position, or of a guess in it.

    Attributes:
        lower: no strategy has a smaller total.
        upper: the total of a strategy that was found, or None.
        guess: its guess, or -1.
        depth: the most guesses that it takes.

    """

    lower: int
    upper: int | None = None
    guess: int = -1
    depth: int = 0

    @property
    def exact(self) -> bool:
        """Whether the total is known."""
        return self.lower == self.upper


class Solver:
    """Exact totals of the positions of one game under one objective, on any number of threads.

    Totals are in integer weights (see weights_of). The table of bounds is shared by all calls.
    """

    def __init__(
        self,
        game: Game,
        objective: Objective | None = None,
        memory: int = DEFAULT_MEMORY,
        candidates: NDArray[np.int32] | None = None,
    ) -> None:
        """Make ready for a game. Raises SleuthError for a penalty that cannot be.

        memory: bytes for the table. candidates: int32, those that all positions to come are within, so that
        weights can be the finer; None for all answers.
        """
        self.game = game
        self.objective = Objective() if objective is None else objective
        self.objective.check(game)
        self._made = weights_of(game, self.objective, candidates)
        self.weights, self.scale = self._made.values, self._made.scale
        if self.objective.penalty is not None and self.objective.penalty * self.scale >= MOST_TOTAL:
            raise SleuthError(f"a penalty may be {MOST_TOTAL // self.scale - 1} guesses at most here")
        self.memory = memory
        self._learned = np.zeros((64, 2))
        self._last: tuple[Position, Any] | None = None

    def serving(self, position: Position) -> Solver:
        """Return this solver where it has the weights of a position's candidates, else one that has."""
        wanted = weights_of(self.game, self.objective, position.candidates)
        same = wanted.values[position.candidates] == self._made.values[position.candidates]
        if same.all() and wanted.price == self._made.price:
            return self
        return Solver(self.game, self.objective, self.memory, position.candidates)

    def tolerance(self, position: Position) -> float:
        """Return how far the least mean of a position may be off, in guesses, for the weights are rounded.

        It is 0 where they are exact. For the objective "solved" that is said of the share of failures; the
        mean is the least among strategies whose failures weigh the same after rounding.
        """
        n, turns = len(position.candidates), self.turns_left(position)
        most = n if self.objective.kind == "solved" else min(n, turns)
        if self.objective.penalty is not None:
            most = self.objective.penalty - self.game.max_turns + turns
        off = rounding(self.game.prior[position.candidates], self.weights[position.candidates])
        # Every answer takes from one to so many guesses, and the shares that are off sum to nothing.
        return (most - 1) / 2 * off

    @cached_property
    def leftover(self) -> int:
        """What each unit of weight costs that is not found within the turns."""
        from sleuth.kernels.search.records import INFINITE

        if self.objective.kind == "solved":
            return self._made.price
        if self.objective.penalty is not None:
            return self.objective.penalty - self.game.max_turns
        return int(INFINITE)

    @cached_property
    def search(self) -> Search:
        """The game and the objective as the kernels take them."""
        from sleuth.kernels.codes import as_bytes
        from sleuth.kernels.search.records import BUCKETS, Search
        from sleuth.kernels.search.table import WAYS, WORDS

        game, answers = self.game, len(self.game.answers)
        restricted = game.mode != "easy"
        rng = np.random.default_rng(_SEED)
        # For answers, guesses, and turns left where there are fewer than answers.
        hashes = rng.integers(0, 2**64, (2 * answers + len(game.guesses), 2), dtype=np.uint64)
        uniform = bool(np.all(self.weights == 1))
        may_fail = self.objective.penalty is not None
        all_named = bool((game.answer_guess >= 0).all())
        _, most_classes, most_removed = self._whole_gains
        classes, removed, lost = max(2, most_classes), max(1, most_removed), None
        if may_fail and all_named:
            lost = self.leftover
        elif may_fail:
            classes, removed = 2**30, answers
        # The table starts small and doubles as it fills: memory is taken when it is needed.
        most = max(1, self.memory // _BUCKET)
        doublings = max(0, (most // _FIRST_BUCKETS).bit_length() - 1)
        first = most >> doublings
        control = np.zeros(8, np.int64)
        control[BUCKETS] = first
        return Search(
            self.weights,
            game.answer_guess >= 0,
            floors(answers, classes, removed, lost),
            hashes,
            np.zeros((first << doublings) * WAYS * WORDS, np.uint64),
            control,
            game.legality,
            as_bytes(game.guess_labels) if restricted else np.zeros((0, 0), np.uint8),
            game.n_labels,
            most_removed,
            uniform,
            all_named,
            restricted,
            classes if uniform and classes <= _FEW_CLASSES and not may_fail else 2**30,
            self.leftover,
            self.objective.kind == "solved",
        )

    def bound(
        self, position: Position, turns: int | None = None, beta: int | None = None, guess: int = -1
    ) -> Bound:
        """Return the least total of a position, or what a guess in it costs.

        turns: turns left, else those that the game allows. beta: the total is exact when below it, else the
        lower bound alone. guess: the guess to begin with, or -1. After stop() the bounds are those known so
        far. Raises SleuthError for a search that goes too deep.
        """
        from sleuth.kernels.search.records import DEEPEST, INFINITE
        from sleuth.kernels.search.solve import solve

        left = self.turns_left(position) if turns is None else turns
        if guess >= 0 and left <= 0:
            return self._bound_past_the_turns(position, beta, guess)
        past = self._past(position)
        if guess >= 0 and len(past.orders) and len(position.candidates) == len(self.game.answers):
            return self._bound_by_classes(position, left, beta, guess)
        view, rows, place = self._laid_out(position)
        surplus = self.surplus(position)
        only = -1 if guess < 0 else int(place[guess])
        if only < 0 <= guess:  # not legal, or it tells nothing
            return Bound(int(INFINITE))
        limit = int(INFINITE) if beta is None else min(int(INFINITE), beta + surplus)
        lower, depth, found = self._heard(
            len(rows), lambda: solve(self.search, self.moves, view, rows, left, limit, only, DEEPEST, past)
        )
        if depth < 0:
            _check_depth(depth)
            return self._known(view, rows, left, surplus) if guess < 0 else Bound(lower - surplus)
        if lower >= limit:
            return Bound(lower - surplus if lower < INFINITE else int(INFINITE))
        if guess < 0 and found < 0:
            found = self._forced(position)
        return Bound(lower - surplus, lower - surplus, guess if guess >= 0 else found, depth)

    def sweep(
        self, position: Position, guesses: NDArray[np.int32], turns: int, limit: int
    ) -> NDArray[np.int64]:
        """Return lower bounds of what guesses cost in a position, int64 [guesses], by one scan of each class.

        A bound is only as good as it takes to reach limit. Guesses that share letters (families.py) take less
        together. Given none, it has the kernels compiled.
        """
        from sleuth.kernels.codes import as_bytes
        from sleuth.kernels.search.openers import bound_openers
        from sleuth.kernels.search.records import INFINITE

        view, rows, place = self._laid_out(position)
        by_guess = self._by_guess if view is self.view else as_bytes(_codes_of(view).T)
        surplus = self.surplus(position)
        out = np.zeros(len(guesses), np.int64)
        best = min(int(INFINITE), limit + surplus)
        for parts, some in shared_parts(self.game, self.search, view, by_guess, rows, guesses):
            bounds = np.empty(len(some), np.int64)
            columns = place[guesses[np.array(some, np.intp)]]
            bound_openers(
                self.search, view, by_guess, rows, columns, parts, turns, best, self._learned, bounds
            )
            out[some] = bounds
        return np.where(out >= INFINITE, int(INFINITE), out - surplus)

    def first_bounds(self, position: Position, turns: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the guesses that tell something, int32, and what each costs at least, int64."""
        from sleuth.kernels.search.scan import gains_of

        view, rows, _ = self._laid_out(position)
        total = int(self.weights[position.candidates].sum())
        if turns <= 1:
            bounds = np.full(len(view.columns), total, np.int64)
        else:
            bounds = 3 * total - gains_of(self.search, view, rows)
            own = view.own[rows]
            heavy = self.weights[view.answers[rows]]
            bounds[own[own >= 0]] -= heavy[own >= 0]
        codes = _codes_of(view)
        useful = np.any(codes[rows] != codes[rows[0]], axis=0)
        useful[view.own[rows][view.own[rows] >= 0]] = True
        return view.columns[useful], bounds[useful] - self.surplus(position)

    def _laid_out(self, position: Position) -> tuple[View, NDArray[np.int32], NDArray[np.int32]]:
        """Return view_of a position and the column of each guess; the last one is kept where it is costly."""
        from sleuth.kernels.search.views import FEW, labelled

        labels = self.game.tables.wide and len(position.candidates) <= FEW
        labels = labels and (self.search.all_named or not self.search.restricted)
        if position.all_legal and not labels:
            return *self.view_of(position), self.column_of
        last = self._last
        if last is None or last[0] is not position:
            view, rows = self.view_of(position)
            if labels:
                view = labelled(view, rows, self.search.n_codes)
                rows = np.arange(len(rows), dtype=np.int32)
            place = np.full(len(self.game.guesses), -1, np.int32)
            place[view.columns] = np.arange(len(view.columns))
            # Other threads may do the same at once: what is returned is this position's in any case.
            self._last = last = position, (view, rows, place)
        return last[1]

    @cached_property
    def _by_guess(self) -> NDArray[np.uint8]:
        """The codes of the view of all, [guesses, answers], as bytes."""
        from sleuth.kernels.codes import as_bytes

        return as_bytes(_codes_of(self.view).T)

    @cached_property
    def refuter(self) -> Refuter | None:
        """What refutes openers within few turns, where it can."""
        from sleuth.kernels.search.records import INFINITE

        search = self.search
        if self.game.tables.wide or not search.all_named or search.leftover < INFINITE:
            return None
        return Refuter(search, self._by_guess)

    @cached_property
    def _symmetry(self) -> tuple[Moves, Past]:
        return moves_of(self.game)

    @property
    def moves(self) -> Moves:
        """What renamings and rearrangements of the game go by."""
        return self._symmetry[0]

    @property
    def no_past(self) -> Past:
        """That of a set of which it is not known which guesses led to it."""
        start = self._symmetry[1]
        return type(start)(start.orders[:0], start.names[:0])

    def _past(self, position: Position) -> Past:
        return past_of(position, *self._symmetry)

    def _bound_past_the_turns(self, position: Position, beta: int | None, guess: int) -> Bound:
        """Bound what a guess costs when the turns are up: where play goes on, what it costs then."""
        from sleuth.kernels.search.records import INFINITE, UNLIMITED

        if self.leftover >= INFINITE:
            return Bound(int(INFINITE))
        lost = self.leftover * int(self.weights[position.candidates].sum())
        if self.objective.kind != "solved":
            return Bound(lost, lost if beta is None or lost < beta else None, guess, 1)
        then = self.bound(position, int(UNLIMITED), None if beta is None else beta - lost, guess)
        if then.lower >= INFINITE:
            return then
        return Bound(then.lower + lost, None if then.upper is None else then.upper + lost, guess, then.depth)

    def _bound_by_classes(self, position: Position, left: int, beta: int | None, guess: int) -> Bound:
        """Bound an opener of a symmetric game: guesses of each of its classes are tried several at a time.

        What is found is kept in the table.
        """
        from sleuth.kernels.search.records import INFINITE

        limit = int(INFINITE) if beta is None else min(int(INFINITE), beta)
        codes = np.unique(self.game.feedback[guess][position.candidates])
        classes = [position.after(guess, int(code)) for code in codes if code != self.game.solved]
        classes.sort(key=lambda child: len(child.candidates))
        # Small classes are solved at once; of large ones a first bound.
        bounds = [self.bound(child, left - 1, None if len(child.candidates) < 32 else 0) for child in classes]
        total = int(self.weights[position.candidates].sum()) + sum(bound.lower for bound in bounds)
        depth = 1
        if total >= limit:
            return Bound(min(total, int(INFINITE)))
        for child, known in zip(classes, bounds, strict=True):
            best = known
            if not known.exact:
                best = self._bound_by_orbits(child, left - 1, limit - total + known.lower)
            total += best.lower - known.lower
            depth = max(depth, best.depth + 1)
            if total >= limit or not best.exact:  # too much, or stopped
                return Bound(min(total, int(INFINITE)))
        return Bound(total, total, guess, depth)

    def _bound_by_orbits(self, position: Position, turns: int, limit: int) -> Bound:
        """Bound a position by the guesses that are the first of their orbit, several at a time.

        The total is exact when below limit. What is found is kept in the table.
        """
        from sleuth.kernels.search.alike import firsts_after
        from sleuth.kernels.search.records import INFINITE
        from sleuth.kernels.search.table import remember

        guesses, bounds = self.first_bounds(position, turns)
        if not len(guesses):
            return self.bound(position, turns)
        useful = firsts_after(self.moves, self._past(position), guesses)
        least = int(INFINITE)
        best: Bound | None = None
        lock = Lock()

        def attempt(guess: int, bound: int) -> None:
            nonlocal least, best
            beta = limit if best is None else best.lower
            found = Bound(bound) if bound >= beta else self.bound(position, turns, beta, guess)
            with lock:
                least = min(least, found.lower)
                if found.exact and (best is None or found.lower < best.lower):
                    best = found

        order = np.argsort(bounds[useful], kind="stable")
        with ThreadPoolExecutor(thread_count()) as pool:
            list(pool.map(attempt, guesses[useful][order].tolist(), bounds[useful][order].tolist()))
        # Some may have been given up: those have lower bounds alone.
        found = best if best is not None and best.lower <= least else Bound(least)
        view, rows = self.view_of(position)
        surplus = self.surplus(position)
        lower = min(int(INFINITE), found.lower + surplus)
        upper = int(INFINITE) if found.upper is None else found.upper + surplus
        remember(self.search, view, rows, turns, max(0, lower), upper, found.depth, found.guess)
        return found

    def best(self, position: Position, k: int, turns: int | None = None) -> list[Bound]:
        """Return the k best guesses of a position with their exact totals, best first.

        Of guesses that split the candidates alike one is taken, but every candidate. After stop() some of
        the best may lack. Raises SleuthError for a search that goes too deep.
        """
        from sleuth.kernels.search.records import INFINITE, UNLIMITED
        from sleuth.kernels.search.solve import best_guesses

        view, rows, _ = self._laid_out(position)
        left = self.turns_left(position) if turns is None else turns
        lost = 0
        if left <= 0:
            if self.leftover >= INFINITE:
                return []
            # What is left is lost; where play goes on, the guesses cost what they do without a limit.
            left, lost = int(UNLIMITED), self.leftover * int(self.weights[position.candidates].sum())
        guesses, totals, depths = np.zeros((3, k), np.int64)
        found, gave_up = self._heard(
            len(rows),
            lambda: best_guesses(
                self.search, self.moves, view, rows, left, guesses, totals, depths, self._past(position)
            ),
        )
        _check_depth(gave_up)
        totals += lost - self.surplus(position)
        return [Bound(int(totals[i]), int(totals[i]), int(guesses[i]), int(depths[i])) for i in range(found)]

    def beam(
        self, frontier: Frontier, width: int, looked: int, k: int = 1, turns: int | None = None
    ) -> tuple[Indices, NDArray[np.int64]]:
        """Return good guesses of sets, int32 [sets, k], best first, and what they cost, int64 [sets, k].

        See kernels/search/beam.py. turns: turns left, else those that the game allows. Where there are
        fewer guesses, and where none solves a set within the turns, the guess is -1. Raises SleuthError for a
        search that goes too deep.
        """
        from sleuth.kernels.search.beam import beam
        from sleuth.kernels.search.records import INFINITE, TOO_DEEP

        left = max(0, self.game.max_turns - frontier.turn + 1) if turns is None else turns
        guesses = np.full((len(frontier), k), -1, np.int64)
        totals = np.full((len(frontier), k), int(INFINITE))
        rows = self._row_of[frontier.candidates]
        rows = rows[np.lexsort((rows, np.repeat(np.arange(len(frontier)), frontier.sizes)))]
        starts = frontier.starts

        def fill(part: slice) -> None:
            own = starts[part.start : part.stop + 1] - starts[part.start]
            members = rows[starts[part.start] : starts[part.stop]]
            view = self.view
            if frontier.legal is not None:
                position = next(frontier.take(np.arange(part.start, part.stop)).positions())
                view, members = self.view_of(position)
            search = self.search
            if not beam(search, view, own, members, left, width, looked, guesses[part], totals[part]):
                _check_depth(int(TOO_DEEP))

        if frontier.legal is None:
            parts = even_slices(frontier.sizes, 4 * thread_count())
        else:  # each has its own guesses
            parts = [slice(s, s + 1) for s in range(len(frontier))]
        self._heard(int(frontier.sizes.max()), lambda: map_threads(fill, parts))
        named = self.game.answer_guess[frontier.candidates]
        surplus = np.where(named < 0, self.weights[frontier.candidates], 0)
        virtual = np.add.reduceat(surplus, starts[:-1])[:, None]
        totals = np.where(totals < INFINITE, totals - virtual, totals)
        # Where a formula gives the total, the heaviest candidate that has a name is guessed.
        forced = (guesses[:, 0] < 0) & (totals[:, 0] < INFINITE)
        for s in np.flatnonzero(forced).tolist():
            own = self.game.answer_guess[self.view.answers[rows[starts[s] : starts[s + 1]]]]
            guesses[s, 0] = next(iter(own[own >= 0]), -1)
        return guesses.astype(np.int32), totals

    def _heard(self, largest: int, call: Callable[[], T]) -> T:
        """Return what a search returns, whose largest set has so many answers; Ctrl-C ends it."""
        return call() if largest <= _BRIEF else interruptible(call, self.stop, self.resume)

    def _known(self, view: View, rows: NDArray[np.int32], turns: int, surplus: int) -> Bound:
        """Return what the table knows of a set when the search was stopped."""
        from sleuth.kernels.search.bounds import known
        from sleuth.kernels.search.records import INFINITE

        lower, upper, depth, guess = known(self.search, view, rows, turns)
        if guess < 0 or upper >= INFINITE:
            return Bound(lower - surplus)
        return Bound(lower - surplus, upper - surplus, guess, depth)

    def _forced(self, position: Position) -> int:
        """Return the heaviest candidate that is a guess, or -1: the guess where a formula gives the total."""
        rows = np.sort(self._row_of[position.candidates])
        guesses = self.game.answer_guess[self.view.answers[rows]]
        named = guesses[guesses >= 0]
        return int(named[0]) if len(named) else -1

    def stop(self) -> None:
        """Make every search under way return soon, on whatever thread."""
        self.search.control[0] = 1

    def resume(self) -> None:
        """Take back stop()."""
        self.search.control[0] = 0

    @property
    def stopped(self) -> bool:
        """Whether stop() was called."""
        return bool(self.search.control[0])

    @property
    def nodes(self) -> int:
        """Sets searched so far; with several threads, about so many."""
        return int(self.search.control[1])

    def turns_left(self, position: Position) -> int:
        """Return the turns that a position has left."""
        return max(0, self.game.max_turns - position.turn + 1)

    def least_turns(self, n: int) -> int:
        """Return how many turns it takes at least to find any of n answers."""
        return least_turns(n, self._whole_gains[1], self.search.all_named)

    def surplus(self, position: Position) -> int:
        """Return the weight that the kernels count once too often (see kernels/search)."""
        unnamed = self.game.answer_guess[position.candidates] < 0
        return int(self.weights[position.candidates[unnamed]].sum())

    def rows_of(self, position: Position) -> NDArray[np.int32]:
        """Return the rows of the candidates in the view of all, int32 ascending."""
        return np.sort(self._row_of[position.candidates])

    def view_of(self, position: Position) -> tuple[View, NDArray[np.int32]]:
        """Return a view that holds the legal guesses of a position, and the rows of its candidates."""
        from sleuth.kernels.codes import as_bytes
        from sleuth.kernels.search.records import View

        rows = self.rows_of(position)
        if position.all_legal:
            return self.view, rows
        columns = self.column_of[position.legal]
        codes = _codes_of(self.view)[np.ix_(rows, columns)]
        useful = np.any(codes != codes[0], axis=0)
        own = self.view.own[rows]
        useful |= np.isin(columns, own)
        columns, codes = columns[useful], as_bytes(codes[:, useful])
        guesses = self.view.columns[columns]
        place = np.full(len(self.column_of) + 1, -1, np.int32)
        place[columns] = np.arange(len(columns))
        keys = np.bitwise_xor.reduce(self.search.hashes[len(self.game.answers) + guesses], axis=0)
        quality = np.full(len(columns), 2**60, np.int64)
        view = View(codes, self.view.answers[rows], place[own], guesses, quality, keys)
        return view, np.arange(len(rows), dtype=np.int32)

    @cached_property
    def _whole_gains(self) -> tuple[NDArray[np.int64], int, int]:
        """What each guess gains on all answers, int64 [guesses], and how many it tells apart at most."""
        from sleuth.kernels.search.scan import whole_gains

        game = self.game
        gains, classes, removed = whole_gains(
            game.tables.by_guess, self.weights, game.answer_guess, game.n_labels
        )
        return gains, int(classes), int(removed)

    @cached_property
    def _row_of(self) -> NDArray[np.int32]:
        """int32 [answers]: their rows in the view, the heaviest first."""
        order = np.argsort(-self.weights, kind="stable")
        rows = np.empty(len(order), np.int32)
        rows[order] = np.arange(len(order))
        return rows

    @cached_property
    def view(self) -> View:
        """All answers, the heaviest first, and all guesses, those with the most classes first."""
        from sleuth.kernels.codes import as_bytes
        from sleuth.kernels.search.records import View

        game = self.game
        answers = np.argsort(-self.weights, kind="stable").astype(np.int32)
        gains = self._whole_gains[0]
        columns = np.argsort(-gains, kind="stable").astype(np.int32)
        place = np.empty(len(columns), np.int32)
        place[columns] = np.arange(len(columns))
        own = np.where(game.answer_guess >= 0, place[game.answer_guess], -1).astype(np.int32)
        by_answer = game.tables.by_answer.view(game.labels.dtype)
        codes = np.take(by_answer[answers], columns, axis=1)
        return View(as_bytes(codes), answers, own[answers], columns, gains[columns], np.zeros(2, np.uint64))

    @cached_property
    def column_of(self) -> NDArray[np.int32]:
        """int32 [guesses]: the column of each guess in the view of all."""
        place = np.empty(len(self.game.guesses), np.int32)
        place[self.view.columns] = np.arange(len(place))
        return place


def _codes_of(view: View) -> NDArray[np.unsignedinteger[Any]]:
    """Return the codes or labels of a view, [rows, columns]."""
    wide = view.codes.shape[1] > len(view.columns)
    return view.codes.view(np.uint16 if wide else np.uint8)


def _check_depth(depth: int) -> None:
    """Raise UnfinishedError where a search went too deep."""
    from sleuth.kernels.search.records import DEEPEST, TOO_DEEP

    if depth == TOO_DEEP:
        raise UnfinishedError(
            f"exact and beam search follow {DEEPEST} guesses in a row at most, and here there are more:"
            " guesses tell too few of the answers apart"
        )

"""Alpha-optimality with fully discernible sets (Short 2022, section 3.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.strategy import BatchStrategy, Ties, check_ties
from sleuth.strategies.heuristics import CANDIDATE, Alpha, Criterion, Heuristic, tie_chain
from sleuth.support.errors import StrategyError
from sleuth.support.parallel import even_slices, map_threads, thread_count

# What is known of sets, by their key: neither, external or internal (kernels.discernible).
_KNOWN: WeakKeyDictionary[Game, dict[int, int]] = WeakKeyDictionary()
_REMEMBERED = 4_000_000
_AT_ONCE = 256


@dataclass(frozen=True)
class _Settled(Heuristic):
    """The order of guesses that tie in what alpha-FDS weighs: by the tie rule, then by Short's chain."""

    def criteria(self, game: Game) -> list[Criterion]:
        return [*([CANDIDATE] if self.ties == "candidates-first" else []), *tie_chain(game)]


@dataclass(frozen=True)
class AlphaFds(BatchStrategy):
    """Short's alpha-FDS: alpha-optimality over modified class sizes.

    A set is fully discernible when some guess, its key, gets different feedback for each of its answers.
    With an external key it takes two more guesses, like a set of three that a guess tells apart, so its
    size counts as 3; with an internal key it takes 2 - 1/n on average, which lies between a set of two
    (1.5) and of three (2), so its size counts as 3 - 2/n. Other sets, and those of one or two, count as
    they are. In the modes hard and strict a key must be legal.

    Guesses are weighed in order of a bound, the value they would have if all their classes were internal,
    until the bound cannot win: the choice is that of weighing all guesses.

    Attributes:
        ties: what breaks ties, before Short's chain (see Alpha).
        alpha: any number but 0, and not infinite.

    """

    ties: Ties = "candidates-first"
    alpha: float = -0.5
    name: ClassVar[str] = "alpha-fds"

    def __post_init__(self) -> None:
        check_ties(self.ties)
        if not math.isfinite(self.alpha) or self.alpha == 0:
            raise StrategyError(f"alpha-fds takes any finite alpha but 0, not {self.alpha}")

    def best(self, frontier: Frontier, k: int) -> Indices:
        lone = [frontier.take(np.array([s])) for s in range(len(frontier))]
        found = map_threads(lambda one: self._best(one, k), lone)
        return np.array(found, np.int32).reshape(-1, k)

    def _best(self, one: Frontier, k: int) -> Indices:
        """Return the k best guesses of a frontier of one set."""
        if one.sizes[0] == 1:
            return Alpha(self.ties).best(one, k).ravel()
        guesses = one.legal if one.legal is not None else np.arange(len(one.game.guesses), dtype=np.int32)
        bounds = self._bounds(one, guesses)
        order = np.argsort(bounds, kind="stable")
        weighed: NDArray[np.float64] = np.zeros(0)
        for begin in range(0, len(order), _AT_ONCE):
            if len(weighed) >= k and bounds[order[begin]] > np.partition(weighed, k - 1)[k - 1]:
                break
            weighed = np.concatenate([weighed, self._weigh(one, guesses[order[begin : begin + _AT_ONCE]])])
        found = guesses[order[: len(weighed)]]
        out: list[int] = []
        for value in np.unique(weighed):
            if len(out) >= k:
                break
            tied = np.sort(found[weighed == value])
            chosen = _Settled(self.ties).best(self._among(one, tied), min(k, len(tied)))[0]
            out += chosen[chosen >= 0].tolist()
        return np.array((out + [-1] * k)[:k], np.int32)

    @staticmethod
    def _among(one: Frontier, guesses: Indices) -> Frontier:
        """Return the frontier with only some guesses to choose from."""
        starts = np.array([0, len(guesses)])
        return replace(one, legal_starts=starts, legal=guesses)

    def _value(self, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the value of classes by their modified sizes, the smaller the better."""
        powers: NDArray[np.float64] = np.sign(self.alpha) * sizes**self.alpha
        return powers

    def _held(self, values: NDArray[np.float64], one: Frontier) -> NDArray[np.float64]:
        """Return values rounded so that equals tie: to a part in 10**12 of the largest that there may be."""
        largest = max(0.0, self.alpha) * math.log10(one.sizes[0])
        held: NDArray[np.float64] = np.round(values, 12 - math.ceil(largest))
        return held

    def _bounds(self, one: Frontier, guesses: Indices) -> NDArray[np.float64]:
        """Return what each guess would be worth if all its classes had internal keys, [guesses]."""
        from sleuth.kernels.discernible import class_sums

        sizes = np.arange(1, one.sizes[0] + 1, dtype=np.float64)
        possible = np.minimum(sizes, np.where(sizes <= one.game.rules.n_codes, 3 - 2 / sizes, sizes))
        values = np.concatenate([[0.0], self._value(possible)])
        out = np.empty(len(guesses))
        class_sums(one.game.tables, one.candidates, guesses, values, out)
        return self._held(out, one)

    def _weigh(self, one: Frontier, guesses: Indices) -> NDArray[np.float64]:
        """Return what each guess is worth, float64 [guesses]; equals tie."""
        from sleuth.kernels.discernible import EXTERNAL, INTERNAL

        many = one.take(np.zeros(len(guesses), np.int64))
        children = many.after(guesses)
        below = children.frontier
        sizes = below.sizes.astype(np.float64)
        kinds = _kinds(below)
        sizes = np.where(
            kinds == EXTERNAL, 3.0, np.where(kinds == INTERNAL, 3 - 2 / np.maximum(sizes, 1), sizes)
        )
        # Answers that all have no weight are equally likely, as in the kernels.
        weightless = one.weights[0] == 0
        chances = below.sizes / one.sizes[0] if weightless else below.weights / one.weights[0]
        # Of no children, bincount makes whole numbers.
        out = np.bincount(children.parent, chances * self._value(sizes), len(guesses)).astype(np.float64)
        # A right guess is a class of its own, which after() leaves out.
        right = children.right >= 0
        own = one.game.prior[children.right[right]] * len(one.game.answers)
        out[right] += (1 / one.sizes[0] if weightless else own / one.weights[0]) * self._value(np.ones(1))[0]
        return self._held(out, one)


def _kinds(frontier: Frontier) -> NDArray[np.uint8]:
    """Return uint8 [sets]: NOT, EXTERNAL or INTERNAL for sets of three or more, else NOT."""
    from sleuth.kernels.discernible import discernible

    known = _KNOWN.setdefault(frontier.game, {})
    if len(known) > _REMEMBERED:
        known.clear()
    kinds = np.zeros(len(frontier), np.uint8)
    larger = np.flatnonzero(frontier.sizes >= 3)
    if len(larger) == 0:
        return kinds
    sets = frontier.take(larger)
    keys, first, inverse = np.unique(sets.keys(), return_index=True, return_inverse=True)
    found = np.array([known.get(key, 255) for key in keys.tolist()], np.uint8)
    missing = np.flatnonzero(found == 255)
    if len(missing):
        todo = sets.take(first[missing])

        def look(part: slice) -> NDArray[np.uint8]:
            piece = todo.take(np.arange(part.start, part.stop))
            out: NDArray[np.uint8] = discernible(todo.game.tables, piece.sets)
            return out

        parts = map_threads(look, even_slices(todo.sizes, 4 * thread_count()))
        found[missing] = np.concatenate(parts)
        known.update(zip(keys[missing].tolist(), found[missing].tolist(), strict=True))
    kinds[larger] = found[inverse]
    return kinds

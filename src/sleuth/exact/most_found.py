"""As many answers as can be found within the turns of a game, where not all can."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from sleuth.exact.beam import Beam
from sleuth.exact.objective import Objective, weights_of
from sleuth.exact.symmetry import moves_of, past_of
from sleuth.games.frontier import Frontier, Indices
from sleuth.games.position import Position
from sleuth.games.strategy import BatchStrategy
from sleuth.support.errors import StrategyError
from sleuth.support.parallel import even_slices, map_threads, new_stop, thread_count
from sleuth.support.ranges import check_range

if TYPE_CHECKING:
    from sleuth.kernels.search.records import Past

# How many guesses are tried at most, those with the smallest classes on average, and how many are followed in
# the sets after them; the better ones are tried again with more.
_TRIALS = ((1024, 4), (64, 16), (4, 128))
# Of large sets fewer: so many guesses times answers.
_TRIED = 2**20
# Guesses tried before it is asked whether one of them loses nothing.
_AT_ONCE = 32
# Guesses whose feedback is held at once.
_HELD = 1024
# With so many turns left what is found after a guess is exact: there are no trials.
_FEW_TURNS = 3
# With so many, as many are followed as in any trial: else what a trial found would be lost a turn later.
_LAST_TURNS = 4


@dataclass(frozen=True)
class MostFound(BatchStrategy):
    """Find as many answers, by their weight, as can be found within the turns of the game; then play as Beam.

    Where Beam loses no answer it is followed. Elsewhere the guess is taken that finds most with the turns
    left: exactly with two of them, by a beam over `width` guesses of every set with more, if that is more
    than what Beam finds. In the hard and strict modes it plays as Beam throughout.

    Attributes:
        width: guesses followed in a set.
        trials: whether sets that lose even so with four turns left or more have hundreds of guesses tried by
            narrow beams, and the better ones by wider ones (128 guesses in a set, as with four turns left
            or fewer); that takes seconds a set, or minutes.

    """

    width: int = 16
    trials: bool = False
    name: ClassVar[str] = "most-found"

    def __post_init__(self) -> None:
        check_range(self, "width", least=1, error=StrategyError)

    @property
    def stationary(self) -> bool:
        return False

    def best(self, frontier: Frontier, k: int) -> Indices:
        guesses = Beam().best(frontier, k)
        if frontier.legal is not None or frontier.turn > frontier.game.max_turns:
            return guesses
        lost = Beam().plan(frontier)[1]
        losing = np.flatnonzero(lost > 0)
        some = frontier.take(losing)
        if not len(some):
            return guesses
        weights = weights_of(frontier.game, Objective()).values  # as beam search has them
        width, left = self.width, _turns_left(frontier)
        if self.trials and left <= _LAST_TURNS:
            width = max(width, _TRIALS[-1][1])
        found, own = most_found(some, weights, width)
        lost_by_own = _sums(weights, some) - found
        if self.trials and left > _FEW_TURNS:
            every = np.arange(len(frontier.game.guesses), dtype=np.int32)
            open_ = np.flatnonzero(lost_by_own > 0)
            for s, position in zip(open_.tolist(), some.take(open_).positions(), strict=True):
                guess, least = promising(position, every, weights)
                if least < lost_by_own[s]:
                    own[s], lost_by_own[s] = guess, least
        better = lost_by_own < lost[losing]
        for s, guess in zip(losing[better].tolist(), own[better].tolist(), strict=True):
            others = guesses[s][guesses[s] != guess]
            guesses[s] = [guess, *others][:k]
        return guesses


def most_found(
    frontier: Frontier, weights: NDArray[np.int64], width: int
) -> tuple[NDArray[np.int64], Indices]:
    """Return the most weight of each set that is found within the turns left, int64, and its guess, int32.

    Every guess counts as legal, and every answer as one that can be guessed. width: guesses followed in a
    set; with two turns left all are. weights: int64 [answers of the game]. The guess is -1 where no turn is
    left.
    """
    from sleuth.kernels.search.found import most_found as fill

    game, stop = frontier.game, new_stop()
    tables = game.tables_by_guess
    turns = _turns_left(frontier)
    found, guesses = np.zeros((2, len(frontier)), np.int64)
    moves, start = moves_of(game)
    if len(start.orders):
        pieces = [
            (slice(s, s + 1), past_of(position, moves, start))
            for s, position in enumerate(frontier.positions())
        ]
    else:
        pieces = [(part, start) for part in even_slices(frontier.sizes, 8 * thread_count())]

    def search(piece: tuple[slice, Past]) -> None:
        part, past = piece
        starts = frontier.starts[part.start : part.stop + 1]
        fill(
            tables.by_guess,
            tables.wide,
            tables.n_codes,
            weights,
            starts,
            frontier.candidates,
            turns,
            width,
            moves,
            past,
            stop,
            found[part],
            guesses[part],
        )

    map_threads(search, pieces, stop)
    if turns == 1:
        which = np.repeat(np.arange(len(frontier)), frontier.sizes)
        heaviest = np.lexsort((-weights[frontier.candidates], which))[frontier.starts[:-1]]
        guesses[:] = game.answer_guess[frontier.candidates[heaviest]]
    return found, guesses.astype(np.int32)


def promising(position: Position, guesses: Indices, weights: NDArray[np.int64]) -> tuple[int, int]:
    """Return one of some guesses after which much is found within the turns of the game, and what is lost.

    Of guesses that find the same by symmetry one is tried. guesses: int32, all legal. weights: int64 [answers
    of the game].
    """
    from sleuth.kernels.search.alike import firsts_after

    moves, start = moves_of(position.game)
    guesses = guesses[firsts_after(moves, past_of(position, moves, start), guesses)]
    squares: list[int] = []
    for begin in range(0, len(guesses), _HELD):
        codes = position.game.some_feedback(guesses[begin : begin + _HELD], position.candidates)
        squares += [int((np.unique(row, return_counts=True)[1] ** 2).sum()) for row in codes]
    guesses = guesses[np.argsort(squares, kind="stable")]
    guesses = guesses[: max(_TRIALS[1][0], _TRIED // len(position.candidates))]
    for most, followed in _TRIALS:
        guesses = guesses[:most]
        lost: list[int] = []
        for begin in range(0, len(guesses), _AT_ONCE):
            lost += lost_after(position, guesses[begin : begin + _AT_ONCE], weights, followed).tolist()
            if 0 in lost:
                return int(guesses[lost.index(0)]), 0
        guesses = guesses[np.argsort(lost, kind="stable")]
    return int(guesses[0]), min(lost)


def lost_after(
    position: Position, openers: Indices, weights: NDArray[np.int64], width: int
) -> NDArray[np.int64]:
    """Return the weight that is not found within the turns of the game after each opener, int64 [openers].

    openers: int32. Every guess counts as legal, so that no strategy loses less where `width` takes in all
    guesses, and all answers can be guessed.
    """
    which = np.zeros(len(openers), np.int64)
    children = Frontier.of(position).take(which).after(openers)
    lost = np.zeros(len(openers), np.int64)
    if len(children.frontier):
        first, same = np.unique(children.frontier.keys(), return_index=True, return_inverse=True)[1:]
        sets = children.frontier.take(first)
        np.add.at(lost, children.parent, (_sums(weights, sets) - most_found(sets, weights, width)[0])[same])
    return lost


def _turns_left(frontier: Frontier) -> int:
    """Return how many guesses may still be made."""
    return frontier.game.max_turns - frontier.turn + 1


def _sums(weights: NDArray[np.int64], frontier: Frontier) -> NDArray[np.int64]:
    """Return the weight of each set, int64 [sets]."""
    sums: NDArray[np.int64] = np.add.reduceat(weights[frontier.candidates], frontier.starts[:-1])
    return sums

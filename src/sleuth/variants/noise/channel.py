"""What a host shows instead of the truth: a distribution over shown feedback for each true one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game, memory_limit
from sleuth.games.labels import MOST_LABELS
from sleuth.games.rules import FEW_LETTERS, WordleRules
from sleuth.support.errors import GameTooLargeError, SleuthError

if TYPE_CHECKING:
    from sleuth.kernels.noise import Spread

Ways = NDArray[np.bool_]
"""bool [codes, codes]: which codes (columns) a lie may show instead of each true one (rows)."""


@dataclass(frozen=True, eq=False, repr=False)
class Channel:
    """What is shown for each true feedback. Build one with honest, lies_with or fibble.

    Attributes:
        name: what it is called.
        matrix: float64 [codes, codes], read-only: P(shown | true), true codes in rows, each of sum 1.

    Raises SleuthError for a matrix that is not square or whose rows are not distributions.

    """

    name: str
    matrix: NDArray[np.float64]

    def __post_init__(self) -> None:
        matrix = np.array(self.matrix, np.float64, order="C")
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise SleuthError(
                f"channel {self.name}: the matrix must be square, codes by codes, not {matrix.shape}"
            )
        bad = np.flatnonzero(~((matrix >= 0).all(axis=1) & (np.abs(matrix.sum(axis=1) - 1) < 1e-9)))
        if len(bad):
            raise SleuthError(f"channel {self.name}: row {bad[0]} is no distribution")
        matrix.setflags(write=False)
        object.__setattr__(self, "matrix", matrix)

    def __repr__(self) -> str:
        return f"<Channel {self.name}: {len(self.matrix)} codes>"

    @cached_property
    def is_certain(self) -> bool:
        """Whether each true code is always shown as one and the same code."""
        return bool(np.all(np.count_nonzero(self.matrix, axis=1) == 1))

    @cached_property
    def spread(self) -> Spread:
        """The matrix as the kernels take it, without its zeros."""
        from sleuth.kernels.noise import Spread

        rows, columns = np.nonzero(self.matrix)
        values = self.matrix[rows, columns]
        starts = np.searchsorted(rows, np.arange(len(self.matrix) + 1)).astype(np.int64)
        entropies = -np.bincount(rows, values * np.log(values), len(self.matrix))
        return Spread(starts, columns.astype(np.int32), values, entropies)

    def show(self, true: int, draw: float) -> int:
        """Return the code shown for a true one. draw: a number drawn uniformly from [0, 1)."""
        spread = self.spread
        row = slice(int(spread.starts[true]), int(spread.starts[true + 1]))
        # A row may sum to a little less than 1: the last code has what is missing.
        place = int(np.searchsorted(np.cumsum(spread.values[row])[:-1], draw, side="right"))
        return int(spread.columns[row][place])

    def tell(self, game: int, true: int, draw: float) -> int:
        """Return what show does, in any game: as a Teller."""
        return self.show(true, draw)

    def check(self, game: Game) -> None:
        """Raise SleuthError unless this channel fits a game: as many codes, and a win told truthfully.

        The feedback of a right guess must be shown as it is, and never for a wrong guess, since it ends the
        game.
        """
        solved, codes = game.solved, game.rules.n_codes
        _check_kinds(game)
        if len(self.matrix) != codes:
            raise SleuthError(
                f"channel {self.name} is for {len(self.matrix)} kinds of feedback; {game.name} has {codes}"
            )
        if solved < codes and (
            self.matrix[solved, solved] != 1 or np.count_nonzero(self.matrix[:, solved]) > 1
        ):
            raise SleuthError(
                f"channel {self.name} must show the feedback of a right guess for that and nothing else"
            )


def honest(game: Game) -> Channel:
    """Return the channel that always tells the truth. Raises GameTooLargeError."""
    _check_size(game)
    return Channel("honest", np.eye(game.rules.n_codes))


def lies_with(game: Game, p: float) -> Channel:
    """Return the channel that lies in each row with probability p, rows apart.

    A lie is a code with exactly one mark changed where feedback marks symbols one by one (Wordle), else
    any other code that some guess gets for some answer; each is equally likely. A right guess is always
    told truthfully and a wrong one is never shown as right. Raises SleuthError for p outside [0, 1) or
    when there is nothing to lie with, GameTooLargeError.
    """
    if isinstance(p, bool) or not isinstance(p, int | float | np.floating) or not 0 <= p < 1:
        raise SleuthError(f"the probability of a lie must be at least 0 and less than 1, not {p!r}")
    return Channel(f"lies with {p:g}", _lying(game, _ways(game, p), p))


def always_lies(game: Game) -> Channel:
    """Return the channel whose every row is a lie as lies_with has them. Raises as that does."""
    return Channel("always lies", _lying(game, _ways(game, 1.0), 1.0))


def fibble(game: Game, lies: int = 1) -> Channel:
    """Return the channel that changes exactly so many marks of every row, each way equally likely.

    With one lie it is the game Fibble. A right guess is told truthfully, since all marks correct end the
    game; for the same reason a lie never makes a wrong guess look right: that way is left out and the
    others stay equally likely. Raises SleuthError for a game without marks or more lies than marks,
    GameTooLargeError.
    """
    if not isinstance(game.rules, WordleRules):
        raise SleuthError(f"Fibble needs feedback that marks letters one by one, which {game.name} lacks")
    whole = isinstance(lies, int | np.integer) and not isinstance(lies, bool)
    if not whole or not 0 <= lies <= game.rules.length:
        raise SleuthError(f"{game.name} has rows of {game.rules.length} marks; {lies} of them cannot be lies")
    _check_size(game)
    ways = _changed(game.rules) == lies
    return Channel("fibble" if lies == 1 else f"fibble of {lies} lies", _lying(game, ways, 1.0))


def _ways(game: Game, p: float) -> Ways:
    """Return what lies_with may show instead. Raises SleuthError, GameTooLargeError."""
    _check_size(game)
    if isinstance(game.rules, WordleRules):
        ways: Ways = _changed(game.rules) == 1
        return ways
    occurs = np.zeros(game.rules.n_codes, bool)
    occurs[np.unique(game.feedback)] = True
    occurs[game.solved : game.solved + 1] = False  # an empty slice where no guess is ever right
    if p > 0 and occurs.sum() == 1:
        raise SleuthError(f"{game.name} has too few kinds of feedback to lie with")
    return occurs & ~np.eye(game.rules.n_codes, dtype=bool)


def _changed(rules: WordleRules) -> NDArray[np.uint8]:
    """Return in how many marks codes differ, uint8 [codes, codes]."""
    changed = np.zeros((rules.n_codes, rules.n_codes), np.uint8)
    for place in range(rules.length):
        marks = rules.digits[:, place]
        changed += marks[:, None] != marks
    return changed


def _lying(game: Game, ways: Ways, p: float) -> NDArray[np.float64]:
    """Return the channel's matrix: the truth with 1 - p, else one of the ways, each equally likely."""
    codes = game.rules.n_codes
    ways = ways.copy()
    ways[:, game.solved : game.solved + 1] = False
    ways[game.solved : game.solved + 1] = np.arange(codes) == game.solved
    # A code that no guess gets may have no other to be shown as.
    stuck = ~ways.any(axis=1)
    ways[stuck] = np.eye(codes, dtype=bool)[stuck]
    matrix: NDArray[np.float64] = ways * (p / ways.sum(axis=1))[:, None]
    matrix[np.diag_indices(codes)] += 1 - p
    # p / 1 + (1 - p) may miss 1 by rounding.
    matrix[game.solved : game.solved + 1] = np.arange(codes) == game.solved
    return matrix


def fits(codes: int) -> bool:
    """Say whether kernels take so many kinds of feedback, and a channel of them is within SLEUTH_MEMORY.

    It has numbers of 8 bytes.
    """
    return codes <= MOST_LABELS and codes * codes * 8 <= memory_limit()


def _check_kinds(game: Game) -> None:
    """Raise GameTooLargeError for a game of more kinds of feedback than kernels take as they are."""
    if game.rules.n_codes > MOST_LABELS:
        raise GameTooLargeError(
            f"hosts that lie play games of {MOST_LABELS:,} kinds of feedback at most, such as words of up to"
            f" {FEW_LETTERS} letters, and {game.name} has {game.rules.n_codes:,}"
        )


def _check_size(game: Game) -> None:
    """Raise GameTooLargeError when a channel of a game does not fit."""
    codes = game.rules.n_codes
    _check_kinds(game)
    if not fits(codes):
        raise GameTooLargeError(
            f"{game.name} has {codes} kinds of feedback, too many for a channel",
            remedy="; set SLEUTH_MEMORY",
        )

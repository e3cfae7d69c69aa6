"""Where a game of several boards stands: every guess goes to all boards that are not solved yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.position import Position, Row
from sleuth.support.errors import ContradictionError, FeedbackError, SleuthError, about_row
from sleuth.support.ranges import check_range

SPARE = 5
"""Guesses allowed beyond one a board, unless max_turns says else: Dordle 7, Quordle 9, Octordle 13."""
SOLVED = "-"
"""What stands for the feedback of a board that is solved already."""

BoardsRow = tuple[str, Sequence[str]]
"""A guess and what each board showed for it, as a person writes them."""


@dataclass(frozen=True, eq=False)
class BoardsPosition:
    """A position on several boards. Start with BoardsPosition.start(game, boards), go on with play.

    Raises SleuthError for no board, one of another game, and a mode that restricts guesses: one board may
    allow what another does not.

    Attributes:
        game: the game on every board, in easy mode.
        boards: the position of each board, or None where it is solved. Their answers are independent draws.
        turn: the number of the next guess, from 1.
        max_turns: guesses after which the game is lost.

    """

    game: Game
    boards: tuple[Position | None, ...]
    turn: int
    max_turns: int

    def __post_init__(self) -> None:
        if not self.boards:
            raise SleuthError("boards must be 1 or more, not 0")
        if self.game.mode != "easy":
            raise SleuthError(
                f"several boards are played in easy mode, not {self.game.mode}: a guess goes to every board,"
                " and what is legal on one may not be on another"
            )
        for number, board in enumerate(self.boards, 1):
            if board is not None and board.game is not self.game:
                raise SleuthError(f"board {number} is of another game than {self.game.name}")
        check_range(self, "turn", "max_turns", least=1)

    @classmethod
    def start(cls, game: Game, boards: int = 4, max_turns: int | None = None) -> BoardsPosition:
        """Return the position before the first guess. max_turns: boards + 5 unless given.

        Raises SleuthError.
        """
        if boards < 1:
            raise SleuthError(f"boards must be 1 or more, not {boards}")
        turns = boards + SPARE if max_turns is None else max_turns
        return cls(game, (_unless_found(Position.start(game)),) * boards, 1, turns)

    @classmethod
    def after_rows(
        cls, game: Game, rows: Iterable[BoardsRow], boards: int = 4, max_turns: int | None = None
    ) -> BoardsPosition:
        """Return the position after rows such as ("crane", ["bbygb", "bbbbb"]).

        Raises UnknownGuessError, FeedbackError, and ContradictionError naming the board and the row.
        """
        position = cls.start(game, boards, max_turns)
        for guess, shown in rows:
            with about_row(position.turn):
                position = position.play(guess, shown)
        return position

    def play(self, guess: str, feedbacks: Sequence[str]) -> BoardsPosition:
        """Return the position after a guess and the feedback of each board, as a person writes them.

        A board that is solved already shows nothing: "-" or "". Raises UnknownGuessError, FeedbackError,
        ContradictionError.
        """
        found, count = self.game.find(guess), len(self.boards)
        if self.is_over:
            raise FeedbackError(f"every board is solved before row {self.turn}: the game is over")
        if len(feedbacks) != count:
            raise FeedbackError(
                f"row {self.turn} has feedback for {len(feedbacks)} boards and there are {count};"
                f" a board that is solved already takes {SOLVED}"
            )
        codes = []
        for number, (board, shown) in enumerate(zip(self.boards, feedbacks, strict=True), 1):
            empty = shown.strip() in ("", SOLVED)
            if empty == (board is not None):
                raise FeedbackError(
                    f"board {number}, row {self.turn}: "
                    + (
                        f"feedback is missing, for example {self.game.rules.notation.example}"
                        if empty
                        else f"the board is solved already and takes {SOLVED}, not {shown!r}"
                    )
                )
            try:
                codes.append(self.game.solved if empty else self.game.rules.notation.parse(shown))
            except FeedbackError as error:
                raise FeedbackError(f"board {number}, row {self.turn}: {error}") from None
        return self.after(found, codes)

    def after(self, guess: int, codes: Sequence[int]) -> BoardsPosition:
        """Return the position after guess number `guess` got these codes; those of solved boards are ignored.

        Raises ContradictionError.
        """
        boards: list[Position | None] = []
        for number, (board, code) in enumerate(zip(self.boards, codes, strict=True), 1):
            try:
                left = None if board is None else board.after(guess, code)
            except ContradictionError as error:
                raise ContradictionError(f"board {number}, {error}") from None
            boards.append(None if left is None or code == self.game.solved else _unless_found(left))
        return replace(self, boards=tuple(boards), turn=self.turn + 1)

    @property
    def is_over(self) -> bool:
        """Whether every board is solved."""
        return not self.open

    @cached_property
    def open(self) -> tuple[Position, ...]:
        """The boards that are not solved, in order."""
        return tuple(board for board in self.boards if board is not None)

    @property
    def turns_left(self) -> int:
        """Guesses that are left; 0 or less where the game is lost and played on."""
        return self.max_turns - self.turn + 1

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """int64 [open boards]: candidates of each."""
        return np.array([len(board.candidates) for board in self.open], np.int64)

    @cached_property
    def members(self) -> NDArray[np.int32]:
        """int32 [open boards, widest]: the candidates of each in its row, as the kernels take them."""
        rows = np.zeros((len(self.open), int(self.sizes.max(initial=0))), np.int32)
        for row, board in zip(rows, self.open, strict=True):
            row[: len(board.candidates)] = board.candidates
        return rows


def rows_together(game: Game, boards: Sequence[Sequence[Row]]) -> list[BoardsRow]:
    """Return the rows of all boards from those of each, which end with the row that solved it.

    Raises UnknownGuessError, FeedbackError, and SleuthError naming the board where boards differ in what was
    guessed, or one lacks a row.
    """
    rows: list[BoardsRow] = []
    for number in range(max(map(len, boards), default=0)):
        with about_row(number + 1):
            made = {game.guesses[game.find(board[number][0])] for board in boards if len(board) > number}
            if len(made) > 1:
                words = " on one board and ".join(sorted(made))
                raise SleuthError(f"row {number + 1} is {words} on another; a guess goes to every board")
            shown = []
            for place, board in enumerate(boards, 1):
                if len(board) > number:
                    shown.append(board[number][1])
                elif board and game.rules.notation.parse(board[-1][1]) == game.solved:
                    shown.append(SOLVED)
                else:
                    raise SleuthError(f"board {place} is not solved and lacks row {number + 1}")
            rows.append((made.pop(), shown))
    return rows


def _unless_found(board: Position) -> Position | None:
    """Return the position, or None where its only answer is one that no guess can name: it is found then."""
    lone = len(board.candidates) == 1 and board.game.answer_guess[board.candidates[0]] < 0
    return None if lone else board

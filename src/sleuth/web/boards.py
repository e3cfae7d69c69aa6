"""Several boards at once: the best next guess, and the review of a game."""

from __future__ import annotations

from typing import Any

from sleuth.coaching.reviews.others import review_boards
from sleuth.coaching.reviews.rows import read_rows
from sleuth.games.game import Game
from sleuth.games.position import Row
from sleuth.support.errors import SleuthError
from sleuth.variants.boards.position import BoardsPosition, rows_together
from sleuth.variants.boards.strategies import advised
from sleuth.web.advising import finite, rows_of
from sleuth.web.games import game_of
from sleuth.web.schemas import BoardsRequest, BoardsReviewRequest, ReviewedBoard

_WORDS = 100


def suggest(request: BoardsRequest) -> dict[str, Any]:
    """Return the best guesses of several boards, weighed together. Raises SleuthError."""
    game = game_of(request.game)
    rows = rows_together(game, [rows_of(board) for board in request.boards])
    at = BoardsPosition.after_rows(game, rows, len(request.boards))
    left = [0 if board is None else len(board.candidates) for board in at.boards]
    strategy = advised(at)
    found = [] if at.is_over else strategy.rank(at, request.limit)
    return {
        "turn": at.turn,
        "max_turns": at.max_turns,
        "solved": at.is_over,
        "candidates": left,
        "boards": [
            {
                "solved": board is None,
                "candidates": count,
                "words": [] if board is None else list(board.likeliest[:_WORDS]),
            }
            for board, count in zip(at.boards, left, strict=True)
        ],
        "notes": list(game.notes),
        "method": "solved" if at.is_over else strategy.name,
        "provisional": False,
        "guess": found[0].guess if found else None,
        "guesses": [vars(one) for one in found],
    }


def review(request: BoardsReviewRequest) -> dict[str, Any]:
    """Return the review of a game on several boards. Raises SleuthError."""
    game = game_of(request.game)
    boards = [_rows(game, number, board) for number, board in enumerate(request.boards, 1)]
    found: dict[str, Any] = finite(review_boards(game, boards).to_json())
    return found


def _rows(game: Game, number: int, board: ReviewedBoard) -> list[Row]:
    """Return the rows of a board, what they got computed where the answer is given. Raises SleuthError."""
    if not board.rows:
        return []
    given = [row.guess if row.feedback is None else (row.guess, row.feedback) for row in board.rows]
    try:
        read = read_rows(game, given, board.answer)
    except SleuthError as error:
        raise _of_board(number, error) from None
    return [(game.guesses[guess], game.rules.notation.show(code)) for guess, code in read]


def _of_board(number: int, error: SleuthError) -> SleuthError:
    """Return the error as one of a board."""
    told = type(error)(f"board {number}: {error}")
    told.row = error.row
    return told

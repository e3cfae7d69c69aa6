"""Puzzles and guesses in them. Nothing is kept: what a guess gets follows from the puzzle and the guesses."""

from __future__ import annotations

from typing import Any

from sleuth.coaching.playing import puzzles
from sleuth.coaching.playing.session import replay
from sleuth.games.feedback import typed
from sleuth.web.games import game_of
from sleuth.web.schemas import GuessRequest, PuzzleRequest


def puzzle(request: PuzzleRequest) -> dict[str, Any]:
    """Return a puzzle with its number, today's unless another is asked for. Raises SleuthError."""
    number = puzzles.today() if request.number is None else request.number
    made = _puzzle(request, number)
    return {
        "puzzle": {**request.model_dump(mode="json", exclude_none=True), "number": number},
        "max_turns": made.max_turns,
        "length": len(made.game.guesses[0]),
    }


def guess(request: GuessRequest) -> dict[str, Any]:
    """Return what a guess gets on every board, and the answers once the game is over. Raises SleuthError."""
    made = _puzzle(request.puzzle, request.puzzle.number)
    session = replay(made, [*request.guesses, request.guess])
    notation = made.game.rules.notation
    return {
        "feedback": [None if code is None else typed(notation, code) for code in session.codes[-1]],
        "solved": list(session.solved),
        "over": session.over,
        "won": session.won,
        "answers": list(session.answers) if session.over else None,
        "turn": session.turn,
        "max_turns": made.max_turns,
    }


def _puzzle(request: PuzzleRequest, number: int) -> puzzles.Puzzle:
    return puzzles.Puzzle(game_of(request.game), number, request.boards, request.variant)

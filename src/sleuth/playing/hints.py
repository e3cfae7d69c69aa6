"""What a player may ask for: how much is left, then the best guess and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sleuth.playing.session import Session
from sleuth.position import Position

if TYPE_CHECKING:
    from sleuth.advice import Advice
    from sleuth.noise.belief import NoisyPosition


@dataclass(frozen=True)
class Hint:
    """The best guess.

    Attributes:
        guess: the guess.
        board: the board that it is best for, from 0; None where there is but one.
        advice: where it comes from, or None where the host lies.
        chance: how likely it is right on that board.
        bits: the information its feedback is expected to give, in bits.

    """

    guess: str
    board: int | None
    advice: Advice | None
    chance: float
    bits: float


def candidates_left(session: Session) -> tuple[int, ...]:
    """Return how many answers are possible on each board; 0 where it is solved. Raises SleuthError."""
    return tuple(
        0
        if solved
        else len(_believed(session, board).support if _lies(session) else _at(session, board).words)
        for board, solved in enumerate(session.solved)
    )


def hint(session: Session) -> Hint:
    """Return the best next guess of a game that is not over.

    With several boards it is the best one for the open board with the fewest candidates. Raises SleuthError.
    """
    counts = candidates_left(session)
    board = min((b for b, solved in enumerate(session.solved) if not solved), key=lambda b: counts[b])
    shown = board if session.puzzle.boards > 1 else None
    if _lies(session):
        from sleuth.noise.strategies import NoisyExpectedGuesses, information

        believed = _believed(session, board)
        guess = NoisyExpectedGuesses().best(believed, 1)
        return Hint(
            session.puzzle.game.guesses[int(guess[0])],
            shown,
            None,
            float(believed.chances[guess][0]),
            float(information(believed, guess)[0]),
        )
    from sleuth.advice import advise

    advice = advise(_at(session, board))
    best = advice.suggestions[0]
    return Hint(best.guess, shown, advice, best.chance, best.bits)


def _lies(session: Session) -> bool:
    return session.puzzle.variant == "fibble"


def _at(session: Session, board: int) -> Position:
    return Position.after_rows(session.puzzle.game, session.rows(board))


def _believed(session: Session, board: int) -> NoisyPosition:
    from sleuth.noise.belief import NoisyPosition
    from sleuth.noise.channel import fibble

    game = session.puzzle.game
    position = NoisyPosition.start(game, fibble(game))
    for guess, code in session.board(board):
        position = position.after(guess, code)
    return position

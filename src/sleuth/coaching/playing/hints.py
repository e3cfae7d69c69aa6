"""What a player may ask for: how much is left, then the best guess and why."""

from __future__ import annotations

from dataclasses import dataclass

from sleuth.coaching.advice import Advice, advise
from sleuth.coaching.playing.session import Session
from sleuth.games.position import Position
from sleuth.variants.boards.position import BoardsPosition
from sleuth.variants.boards.strategies import JointSuggestion, make_joint
from sleuth.variants.noise.belief import NoisyPosition
from sleuth.variants.noise.channel import fibble
from sleuth.variants.noise.strategies import NoisyExpectedGuesses, information


@dataclass(frozen=True)
class Told:
    """What a guess is good for where the host lies.

    Attributes:
        board: the board that the guess is best for, from 0.
        chance: how likely it is right there, 0 to 1.
        bits: what its feedback is expected to tell of the answer, in bits.

    """

    board: int
    chance: float
    bits: float


@dataclass(frozen=True)
class Hint:
    """The best guess, and why: by advice on one board, jointly on several, through the lies of Fibble."""

    guess: str
    why: Advice | JointSuggestion | Told


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

    Several boards are weighed together, but for Fibble's: there it is the best guess for the open board with
    the fewest candidates. Advice is provisional where kernels are not compiled. Raises SleuthError.
    """
    if _lies(session):
        return _through_lies(session)
    if session.puzzle.boards > 1:
        suggestion = make_joint("joint-rollout").rank(_together(session), 1)[0]
        return Hint(suggestion.guess, suggestion)
    advice = advise(_at(session, 0), at_once=True)
    return Hint(advice.suggestions[0].guess, advice)


def _through_lies(session: Session) -> Hint:

    believed = {board: _believed(session, board) for board, solved in enumerate(session.solved) if not solved}
    board = min(believed, key=lambda b: len(believed[b].support))
    guess = NoisyExpectedGuesses().best(believed[board], 1)
    told = Told(
        board, float(believed[board].chances[guess][0]), float(information(believed[board], guess)[0])
    )
    return Hint(session.puzzle.game.guesses[int(guess[0])], told)


def _lies(session: Session) -> bool:
    return session.puzzle.variant == "fibble"


def _at(session: Session, board: int) -> Position:
    return Position.after_rows(session.puzzle.game, session.rows(board))


def _together(session: Session) -> BoardsPosition:

    puzzle = session.puzzle
    position = BoardsPosition.start(puzzle.game, puzzle.boards, puzzle.max_turns)
    for guess, codes in zip(session.guesses, session.codes, strict=True):
        # The code of a board that is solved plays no part.
        position = position.after(guess, [puzzle.game.solved if code is None else code for code in codes])
    return position


def _believed(session: Session, board: int) -> NoisyPosition:

    game = session.puzzle.game
    position = NoisyPosition.start(game, fibble(game))
    for guess, code in session.board(board):
        position = position.after(guess, code)
    return position

"""The grid that a player shares: what every guess got, without the words."""

from __future__ import annotations

from sleuth.coaching.playing.session import Session
from sleuth.games.feedback import MarkNotation
from sleuth.games.rules import PegRules

_PAIR = 2


def share(session: Session) -> str:
    """Return the grid of a game that is over, lines under a header such as "Sleuth original 1234 4/6*".

    The star says that the mode was hard or strict; X stands for a game that was lost. Several boards stand
    two side by side, rows after a board was solved in white.
    """
    puzzle = session.puzzle
    boards = [_grid(session, board) for board in range(puzzle.boards)]
    lines = [header(session)]
    for first in range(0, len(boards), _PAIR):
        pair = boards[first : first + _PAIR]
        height = max(len(grid) for grid in pair)
        blank = "⬜" * (len(pair[0][0]) if pair[0] else 0)
        rows = zip(*(grid + [blank] * (height - len(grid)) for grid in pair), strict=True)
        lines += ["", *(" ".join(row) for row in rows)]
    return "\n".join(lines)


def header(session: Session) -> str:
    """Return the first line of the grid."""
    puzzle = session.puzzle
    variant = "" if puzzle.variant == "standard" else puzzle.variant
    boards = "" if puzzle.boards == 1 else f"{puzzle.boards} boards"
    number = "" if puzzle.number is None else str(puzzle.number)
    taken = str(len(session.guesses)) if session.won else "X"
    score = f"{taken}/{puzzle.max_turns}{'' if puzzle.game.mode == 'easy' else '*'}"
    return " ".join(filter(None, ["Sleuth", variant, list_name(puzzle.game.name), boards, number, score]))


def list_name(name: str) -> str:
    """Return what a game is called in a header: Wordle goes by its list.

    >>> list_name("wordle (original)"), list_name("mastermind 4x6")
    ('original', 'mastermind 4x6')
    """
    return name.removeprefix("wordle (").removesuffix(")") if name.startswith("wordle (") else name


def _grid(session: Session, board: int) -> list[str]:
    return [_line(session, code) for _, code in session.board(board)]


def _line(session: Session, code: int) -> str:
    """Return the feedback of a row in symbols."""
    rules = session.puzzle.game.rules
    if isinstance(rules, PegRules):
        counts = rules.notation.counts(code)
        return f"{''.join(sign * n for sign, n in zip('⚫⚪', counts, strict=False)):➖<{rules.pegs}}"
    notation = rules.notation
    return notation.show(code, "emoji") if isinstance(notation, MarkNotation) else notation.show(code)

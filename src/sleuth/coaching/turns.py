"""How many turns a position has left: a game that is not won within them is lost."""

from __future__ import annotations

from sleuth.games.position import Position

LAST_TURNS = 2
"""With so few turns left, exact search of one guess is done at once with any number of candidates."""


def turns_left(position: Position) -> int:
    """Return the turns that a position has left; where they are up, play goes on without a limit."""
    from sleuth.kernels.search.records import UNLIMITED

    return int(UNLIMITED) if are_up(position) else position.game.max_turns - position.turn + 1


def turns_after(position: Position) -> int:
    """Return the turns that are left after a guess in a position: none after the last one."""
    return turns_left(position) if are_up(position) else turns_left(position) - 1


def are_up(position: Position) -> bool:
    """Say whether no turn of the game is left."""
    return position.turn > position.game.max_turns

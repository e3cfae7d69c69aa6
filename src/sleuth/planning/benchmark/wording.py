"""States and observations of the problems in words: their names are values as Python writes them."""

from __future__ import annotations

from ast import literal_eval
from typing import Any


def rocks_in_words(name: str) -> str:
    """Return a state of RockSample: the rover's cell, and which rocks are good.

    >>> rocks_in_words("((0, 2), 5)"), rocks_in_words("((0, 2), 0)"), rocks_in_words("none")
    ('(0, 2), good 0 2', '(0, 2), all bad', 'none')
    """
    value = _value(name)
    if not isinstance(value, tuple):
        return name
    cell, mask = value
    if cell == "out":
        return "out"
    good = [str(rock) for rock in range(mask.bit_length()) if mask >> rock & 1]
    return f"{cell}, {'good ' + ' '.join(good) if good else 'all bad'}"


def tag_in_words(name: str) -> str:
    """Return a state or an observation of Tag: where both are, or where the robot is and what it sees.

    >>> tag_in_words("((0, 0), (1, 0))"), tag_in_words("((1, 0), 'here')"), tag_in_words("tagged")
    ('robot (0, 0), other (1, 0)', '(1, 0), here', 'tagged')
    """
    value = _value(name)
    if not isinstance(value, tuple):
        return name
    robot, other = value
    return f"robot {robot}, other {other}" if isinstance(other, tuple) else f"{robot}, {other}"


def hallway_in_words(name: str) -> str:
    """Return a state of Hallway: the cell, and where the robot looks.

    >>> hallway_in_words("((8, -1), 2)"), hallway_in_words("1011")
    ('(8, -1), looks south', '1011')
    """
    value = _value(name)
    if not isinstance(value, tuple):
        return name
    cell, look = value
    return f"{cell}, looks {('north', 'east', 'south', 'west')[look]}"


def dosing_in_words(name: str) -> str:
    """Return a state of dosing: the level, and how much the patient clears.

    >>> dosing_in_words("(8, 3)"), dosing_in_words("4")
    ('level 8, clears 3', '4')
    """
    value = _value(name)
    return f"level {value[0]}, clears {value[1]}" if isinstance(value, tuple) else name


def _value(name: str) -> Any:
    try:
        return literal_eval(name)
    except (ValueError, SyntaxError):  # a plain word
        return name

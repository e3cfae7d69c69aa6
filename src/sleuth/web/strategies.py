"""The strategies that requests name: their numbers bounded, and no files of the server opened for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sleuth.games.strategy import Strategy
from sleuth.learning.arrays import shipped
from sleuth.learning.candidates.player import PLAYER
from sleuth.strategies.registry import make
from sleuth.support.errors import SleuthError
from sleuth.support.specification import default_of, option_fields

MOST = 10**9
"""The largest number in an option."""
MOST_OF = {"width": 1000, "looked": 1000, "depth": 10, "memory": 512}
"""The largest number in options that memory grows with."""
FILES = {"weights": None, "values": PLAYER}
"""Options that name weights that ship, or a file, and whose they are; None: those of the option's default."""


def strategy_of(text: str, options: Mapping[str, Any]) -> Strategy:
    """Return a strategy by its name and options. Raises SleuthError."""
    strategy = make(text, options)
    _check(strategy)
    return strategy


def _check(strategy: Any) -> None:
    """Raise SleuthError for a number out of bounds or a file, in strategies within the strategy too."""
    for key, field in option_fields(type(strategy)).items():
        value = getattr(strategy, key)
        if key in FILES and value != default_of(field):
            names = shipped(FILES[key] or default_of(field))
            if value not in names:
                raise SleuthError(f"{strategy.name} option {key}: the server takes {', '.join(names)}")
        for item in value if isinstance(value, tuple) else (value,):
            most = MOST_OF.get(key, MOST)
            if isinstance(item, int | float) and not abs(item) <= most:
                raise SleuthError(f"{strategy.name} option {key} is {item}; the server takes up to {most}")
            _check(item)

"""The strategies that requests name, their numbers bounded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sleuth.errors import SleuthError
from sleuth.strategies.base import Strategy
from sleuth.strategies.specification import make, option_fields

MOST = 10**9


def strategy_of(text: str, options: Mapping[str, Any]) -> Strategy:
    """Return a strategy by its name and options. Raises SleuthError, for a number beyond MOST too."""
    strategy = make(text, options)
    _check(strategy)
    return strategy


def _check(strategy: Any) -> None:
    """Raise SleuthError for a number that is not within bounds, in strategies within the strategy too."""
    for key in option_fields(type(strategy)):
        value = getattr(strategy, key)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, int | float) and not abs(item) <= MOST:
                raise SleuthError(f"{strategy.name} option {key} is {item}; the server takes up to {MOST}")
            _check(item)

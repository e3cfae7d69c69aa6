"""The strategies that requests name: what their options take, and no files of the server opened for them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from sleuth.games.strategy import BatchStrategy, Strategy
from sleuth.learning.arrays import shipped
from sleuth.learning.candidates.player import PLAYER
from sleuth.planning.samplers import SAMPLERS
from sleuth.strategies.registry import STRATEGIES, make
from sleuth.support.errors import SleuthError
from sleuth.support.specification import default_of, option_fields

MOST = 10**9
"""The largest number in an option."""
MOST_OF = {"width": 1000, "looked": 1000, "depth": 10, "memory": 512, "seconds": 900}
"""The largest number in options that memory or time grows with."""
LEAST_OF = {
    **dict.fromkeys(("width", "looked", "depth", "memory", "iterations", "penalty", "threshold"), 1),
    "seed": 0,
    "seconds": 0.1,
}
"""The least number in options that do not take any; of seconds the least that is worth a form."""
INFINITE = {"alpha"}
"""Options whose limits at infinity are rules of their own, which take no longer."""
FILES = {"weights": None, "values": PLAYER}
"""Options that name weights that ship, or a file, and whose they are; None: those of the option's default."""


def offered() -> dict[str, type[Any]]:
    """Return the classes of the strategies by name, without those of packages that cannot be loaded."""
    found: dict[str, type[Any]] = {}
    for name in STRATEGIES:
        with suppress(SleuthError):
            found[name] = STRATEGIES.load(name)
    return found


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
            if isinstance(item, int | float) and not abs(item) <= most and not _is_limit(key, item):
                span = f"{LEAST_OF.get(key, -most)} up to {most}"
                also = ", inf or -inf" if key in INFINITE else ""
                raise SleuthError(f"{strategy.name} option {key} is {item}; the server takes {span}{also}")
            _check(item)


def _is_limit(key: str, item: float) -> bool:
    """Say whether a number is infinite and may be."""
    return key in INFINITE and math.isinf(item)


def fields_of(kind: type[Any]) -> list[dict[str, Any]]:
    """Return what the options of a strategy's class take, each as results.OptionInfo has it."""
    hints = get_type_hints(kind) if option_fields(kind) else {}
    found = []
    for key, field in option_fields(kind).items():
        kind_, choices = _taken(key, hints[key], default_of(field))
        most = MOST_OF.get(key, MOST) if kind_ in ("whole", "number") else None
        least = None if most is None else LEAST_OF.get(key, -most)
        found.append({"name": key, "kind": kind_, "choices": choices, "least": least, "most": most})
    return found


def _taken(key: str, hint: Any, default: Any) -> tuple[str, list[str]]:
    """Return the kind of an option, and the values there are to choose from."""
    if key in FILES:
        names = shipped(FILES[key] or default)
        return "choice", names if default in names else [default, *names]
    if key == "sampler":
        return "choice", list(SAMPLERS)
    if get_origin(hint) in (Union, UnionType):
        parts = [_taken(key, part, default) for part in get_args(hint)]
        return parts[0][0], [choice for _, choices in parts for choice in choices]
    if get_origin(hint) is Literal:
        return "choice", [str(choice) for choice in get_args(hint)]
    if hint is BatchStrategy or get_origin(hint) is tuple:
        listed = [name for name, kind in offered().items() if issubclass(kind, BatchStrategy)]
        return "strategy" if hint is BatchStrategy else "strategies", listed
    if hint is bool:
        return "choice", ["true", "false"]
    return {int: "whole", float: "number"}.get(hint, "text"), []

"""What plays as people hand it in: a strategy, or a function of a position; and what it lacks, in a line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from sleuth.games.position import Position
from sleuth.games.strategy import Player, Suggestion, chosen
from sleuth.support.errors import StrategyError

Playable = Player | Callable[[Position], int]
"""What plays a game: a strategy, or a function of a position that returns the number of a guess."""

_METHODS = {"choose": ("position",), "rank": ("position", "limit"), "choose_all": ("frontier",)}
"""What Sleuth calls, with what it gives; all but the first may be left out."""
_TAKES = "a strategy has a name (text) and a method choose(position), which returns the number of a guess"


class Ranking:
    """What gives a strategy that only chooses its rank: the guess that it chooses, and no other."""

    def rank(self: Player, position: Position, limit: int = 20) -> list[Suggestion]:
        """Return the guess chosen, with its numbers; none where there is none."""
        return chosen(self, position)


class FunctionStrategy(Ranking):
    """A function of a position as a strategy: it returns the number of the next guess.

    >>> from sleuth.games.pegs import mastermind
    >>> def first(position):
    ...     return position.game.find(position.words[0])
    >>> FunctionStrategy(first).name, FunctionStrategy(first).choose(Position.start(mastermind(2, 3)))
    ('first', 0)
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)

    def choose(self, position: Any) -> Any:
        """Return what the function returns; whoever asks checks it."""
        return self.function(position)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FunctionStrategy) and other.function == self.function

    def __hash__(self) -> int:
        return hash(self.function)

    def __str__(self) -> str:
        return str(self.name)


def as_player(given: Any) -> Any:
    """Return what plays: a strategy as it is, a function of a position as a strategy.

    Raises StrategyError for what does not play, and says all that it lacks.
    """
    if isinstance(given, type):
        raise StrategyError(f"{given.__name__} is a class: give an instance of it, {given.__name__}()")
    if inspect.isroutine(given) or isinstance(given, FunctionStrategy):
        _check_call(given if inspect.isroutine(given) else given.function, "function", ("position",))
        return FunctionStrategy(given) if inspect.isroutine(given) else given
    kind = type(given).__name__
    lacking = [] if isinstance(getattr(given, "name", None), str) else ["name"]
    if not callable(getattr(given, "choose", None)):
        lacking.append("method choose")
    if lacking:
        lone = lacking == ["name"]
        said = "has no name" if lone else f"is no strategy, it has no {' and no '.join(lacking)}"
        raise StrategyError(f"a {kind} {said}; {_TAKES}")
    for method, arguments in _METHODS.items():
        called = getattr(given, method, None)
        if called is not None:
            _check_call(called, f"{given.name}.{method}", arguments)
    return given


def as_class(found: Any) -> Any:
    """Return the class of strategies that a name of another program stands for, with rank where it has none.

    A function becomes a class whose only instance plays it; what is neither is returned as it is.
    """
    if inspect.isroutine(found):
        as_player(found)

        class Named(FunctionStrategy):
            """The function, as a class that is made without options."""

            def __init__(self) -> None:
                super().__init__(found)

        return Named
    if not isinstance(found, type) or not hasattr(found, "choose") or hasattr(found, "rank"):
        return found
    return type(found.__name__, (found, Ranking), {"__module__": found.__module__, "__doc__": found.__doc__})


def _check_call(called: Any, what: str, arguments: tuple[str, ...]) -> None:
    """Raise StrategyError unless something can be called with so many arguments."""
    listed = ", ".join(arguments)
    if not callable(called):
        raise StrategyError(f"{what} is {called!r}; it is a method of ({listed})")
    try:
        inspect.signature(called).bind(*arguments)
    except ValueError:  # builtins do not tell
        return
    except TypeError as error:
        name = getattr(called, "__name__", what) if what == "function" else what
        raise StrategyError(f"{name} is called with ({listed}), and does not take that: {error}") from None

"""The tiger problem: listen, or open one of two doors (Kaelbling et al. 1998)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from sleuth.planning.control import ListedControl, check_problem
from sleuth.support.errors import SleuthError
from sleuth.support.specification import check_options

_LISTENING, _TIGER, _TREASURE = 1.0, 100.0, -10.0
_OTHER = {"left": "right", "right": "left"}


@dataclass(frozen=True)
class Tiger(ListedControl):
    """A tiger behind one of two doors, and a reward behind the other; it stays where it is.

    Listening costs 1. Opening the tiger's door costs 100, the other one -10, and ends play (in the original
    the tiger is then put behind a door anew). Known answer: with the defaults, listen until one side was
    heard three times more than the other, then open the other door; this costs -3.7702.

    Attributes:
        accuracy: how likely the side heard is the tiger's, in [0.5, 1].
        discount: what a cost counts one stage later.

    """

    accuracy: float = 0.85
    discount: float = 0.95
    parameters = ("left", "right")
    initial_state = "begin"

    def __post_init__(self) -> None:
        check_options(self)
        if not 0.5 <= self.accuracy <= 1:
            raise SleuthError(f"the accuracy lies in [0.5, 1], not {self.accuracy}")
        check_problem(self)

    def controls(self, state: Hashable) -> Sequence[str]:
        return "listen", "open left", "open right"

    def is_terminal(self, state: Hashable) -> bool:
        return state == "open"

    def cost(self, state: Hashable, parameter: str, control: str, after: Hashable) -> float:
        if control == "listen":
            return _LISTENING
        return _TIGER if control == f"open {parameter}" else _TREASURE

    def outcomes(self, state: Hashable, parameter: str, control: str) -> Sequence[tuple[float, str]]:
        if control != "listen":
            return [(1.0, "open")]
        wrong = f"heard {_OTHER[parameter]}"
        return [(self.accuracy, f"heard {parameter}"), (1 - self.accuracy, wrong)]

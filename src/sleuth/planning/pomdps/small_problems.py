"""Small POMDPs of our own, whose values are in no paper."""

from __future__ import annotations

from itertools import product
from math import erf, sqrt
from typing import Any

from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.planning.pomdps.stating import MOST_STATES, pomdp_of_functions
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.ranges import check_number

_OVER = "over"
_MOST_OBJECTS = 2**10


def twenty_questions_pomdp(objects: int = 16, truth: float = 0.85) -> POMDP:
    """Return twenty questions with answers that err: which of the objects, numbered in binary, is meant.

    A question is whether a binary digit of the number is 1; it costs 1, and the answer is right with a chance
    of `truth`. Naming the object brings 20 where it is right, -20 where it is not, and ends play.
    """
    check_number("objects", objects, least=1, most=_MOST_OBJECTS, whole=True)
    check_number("truth", truth, least=0, most=1)
    digits = range(int(objects - 1).bit_length())
    meant = {f"ask-{digit}": ("ask", digit) for digit in digits}
    meant |= {f"name-{number}": ("name", number) for number in range(objects)}

    def outcomes(state: Any, action: str) -> list[tuple[float, Any, float]]:
        kind, number = meant[action]
        if state == _OVER:
            return [(1.0, _OVER, 0.0)]
        if kind == "ask":
            return [(1.0, state, -1.0)]
        return [(1.0, _OVER, 20.0 if number == state else -20.0)]

    def observe(action: str, state: Any) -> list[tuple[float, Any]]:
        kind, number = meant[action]
        if state == _OVER or kind == "name":
            return [(1.0, _OVER)]
        yes = truth if state >> number & 1 else 1 - truth
        return [(yes, "yes"), (1 - yes, "no")]

    initial: dict[Any, float] = dict.fromkeys(range(objects), 1 / objects)
    return pomdp_of_functions(initial, list(meant), outcomes, observe, 0.95)


def bandit_pomdp(arms: int = 3, chances: tuple[float, ...] = (0.2, 0.5, 0.8)) -> POMDP:
    """Return a bandit played for ever: the chance of each arm is one of those given, each as likely.

    A success brings 1, and is seen; the discount is 0.95.
    """
    check_number("arms", arms, least=1, whole=True)
    if not isinstance(chances, tuple | list) or not chances:
        raise SleuthError(f"chances must be a tuple of numbers, not {shown(chances)}")
    for chance in chances:
        check_number("a chance", chance, least=0, most=1)
    if len(set(chances)) < len(chances):
        raise SleuthError("no chance is given twice")
    if arms > MOST_STATES or len(chances) ** arms > MOST_STATES:
        raise SleuthError(f"{arms} arms of {len(chances)} chances have more than {MOST_STATES} states")
    states = list(product(chances, repeat=arms))
    return pomdp_of_functions(
        dict.fromkeys(states, 1 / len(states)),
        range(arms),
        lambda state, arm: [(1.0, state, state[arm])],
        lambda arm, state: [(state[arm], "success"), (1 - state[arm], "failure")],
        0.95,
    )


def dosing_pomdp() -> POMDP:
    """Return a drug that a patient clears at an unknown rate: hold its level between 3 and 5.

    A level is a whole number from 0 to 8. A dose of 0 to 3 is added, then 1, 2 or 3 are cleared, which is the
    patient's own; with a chance of 0.2 it is one less. The level is measured rightly with a chance of 0.6,
    else one too high or too low. A step in the window brings 1, each level beyond 6 costs 3; play goes on for
    ever, with a discount of 0.95.
    """
    top = 8

    def outcomes(state: Any, dose: int) -> list[tuple[float, Any, float]]:
        level, rate = state
        gain = float(3 <= level <= 5) - 3.0 * max(0, level - 6)
        found: dict[Any, float] = {}
        for chance, cleared in ((0.8, rate), (0.2, rate - 1)):
            to = min(top, max(0, level + dose - cleared)), rate
            found[to] = found.get(to, 0.0) + chance
        return [(chance, to, gain) for to, chance in found.items()]

    def observe(_: int, state: Any) -> list[tuple[float, Any]]:
        level, _rate = state
        found: dict[int, float] = {}
        for chance, told in ((0.6, level), (0.2, level - 1), (0.2, level + 1)):
            told = min(top, max(0, told))
            found[told] = found.get(told, 0.0) + chance
        return [(chance, told) for told, chance in found.items()]

    return pomdp_of_functions({(0, rate): 1 / 3 for rate in (1, 2, 3)}, range(4), outcomes, observe, 0.95)


def light_dark_pomdp() -> POMDP:
    """Return a walk on a line in the dark, after the light-dark domain of Platt et al. (2010).

    Positions are whole numbers from -10 to 10, and the first is drawn from -4 to 8. A step of 1 or 3 to
    either side costs 1. Stopping at 0 brings 100, elsewhere -100, and ends play. The position is seen with
    normal noise of a standard deviation of half the distance from the light, which is at 6, and 0.1 more, to
    the next whole number. The discount is 0.95.
    """
    least, most, light = -10, 10, 6

    def outcomes(state: Any, step: int) -> list[tuple[float, Any, float]]:
        if state == _OVER:
            return [(1.0, _OVER, 0.0)]
        if step == 0:
            return [(1.0, _OVER, 100.0 if state == 0 else -100.0)]
        return [(1.0, min(most, max(least, state + step)), -1.0)]

    def observe(_: int, state: Any) -> list[tuple[float, Any]]:
        if state == _OVER:
            return [(1.0, _OVER)]
        noise = abs(state - light) / 2 + 0.1

        def below(end: float) -> float:
            return (1 + erf((end - state) / (noise * sqrt(2)))) / 2

        edges = [0.0, *(below(place + 0.5) for place in range(least, most)), 1.0]
        return [(edges[i + 1] - edges[i], place) for i, place in enumerate(range(least, most + 1))]

    initial: dict[Any, float] = dict.fromkeys(range(-4, 9), 1 / 13)
    return pomdp_of_functions(initial, (0, -3, -1, 1, 3), outcomes, observe, 0.95)

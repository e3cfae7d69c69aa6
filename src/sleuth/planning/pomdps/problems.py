"""POMDPs of the literature whose hidden state changes."""

from __future__ import annotations

from typing import Any

from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.planning.pomdps.stating import MOST_STATES, pomdp_of_functions
from sleuth.planning.problems.rock_layouts import accuracy, layout
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_index, shown
from sleuth.support.ranges import check_number

_STEPS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}


def tiger_pomdp(accuracy: float = 0.85, discount: float = 0.95) -> POMDP:
    """Return the tiger that is put behind a door anew whenever one was opened (Kaelbling et al. 1998)."""
    check_number("accuracy", accuracy, least=0, most=1)
    doors = ("left", "right")

    def outcomes(state: str, action: str) -> list[tuple[float, str, float]]:
        if action == "listen":
            return [(1.0, state, -1.0)]
        gain = -100.0 if action == f"open-{state}" else 10.0
        return [(0.5, door, gain) for door in doors]

    def observe(action: str, state: str) -> list[tuple[float, str]]:
        right = accuracy if action == "listen" else 0.5
        return [(right if heard == state else 1 - right, heard) for heard in doors]

    actions = ("listen", "open-left", "open-right")
    return pomdp_of_functions(dict.fromkeys(doors, 0.5), actions, outcomes, observe, discount)


def rocksample_pomdp(n: int = 4, k: int = 4, half_distance: float = 20.0, seed: int = 0) -> POMDP:
    """Return RockSample(n, k) as Smith and Simmons (2004) state it: a good rock is bad once sampled.

    A state is the rover's cell and a bit for each good rock. The rocks stand where they do in the problem of
    adaptive control of this name. A sample without a rock costs 100; a step against a wall does nothing.
    """
    check_number("n", n, least=1, whole=True)
    check_number("k", k, least=1, most=n * n, whole=True)
    check_number("half_distance", half_distance, above=0)
    if n * n * 2 ** min(k, 64) >= MOST_STATES:
        raise SleuthError(f"rocksample_pomdp({n}, {k}) has more than {MOST_STATES} states")
    rocks = layout(n, k, seed)
    places = {cell: rock for rock, cell in enumerate(rocks)}
    over = ("out", 0)

    def outcomes(state: Any, action: str) -> list[tuple[float, Any, float]]:
        cell, good = state
        if state == over or action.startswith("check"):
            return [(1.0, state, 0.0)]
        if action == "sample":
            rock = places.get(cell)
            if rock is None:
                return [(1.0, state, -100.0)]
            return [(1.0, (cell, good & ~(1 << rock)), 10.0 if good >> rock & 1 else -10.0)]
        x, y = cell[0] + _STEPS[action][0], cell[1] + _STEPS[action][1]
        if x == n:
            return [(1.0, over, 10.0)]
        inside = x >= 0 and 0 <= y < n
        return [(1.0, ((x, y), good) if inside else state, 0.0)]

    def observe(action: str, state: Any) -> list[tuple[float, Any]]:
        cell, good = state
        if state == over or not action.startswith("check"):
            return [(1.0, "none")]
        rock = int(action.removeprefix("check-"))
        right = accuracy(cell, rocks[rock], half_distance)
        told = "good" if good >> rock & 1 else "bad"
        other = "bad" if told == "good" else "good"
        return [(right, told), (1 - right, other)]

    begin = {((0, n // 2), good): 1 / 2**k for good in range(1 << k)}
    actions = (*_STEPS, "sample", *(f"check-{rock}" for rock in range(k)))
    return pomdp_of_functions(begin, actions, outcomes, observe, 0.95)


def tag_pomdp() -> POMDP:
    """Return Tag (Pineau et al. 2003): a robot, which sees where it is, and an opponent who flees.

    29 cells: two rows of ten, and three of three above their columns 5 to 7. A step costs 1. Tagging brings
    10 in the opponent's cell and ends play; elsewhere it costs 10. The opponent stays with a chance of 0.2;
    else it goes away from the robot, along each axis with 0.4, and stays where that is a wall. The robot sees
    it in its own cell alone. Play begins anywhere, and the robot learns its own cell with the first step.
    """
    cells = [(x, y) for y in (0, 1) for x in range(10)] + [(x, y) for y in (2, 3, 4) for x in (5, 6, 7)]
    known = set(cells)
    over = "tagged"

    def fleeing(robot: tuple[int, int], other: tuple[int, int]) -> dict[tuple[int, int], float]:
        found = {other: 0.2}
        for axis in (0, 1):
            away = other[axis] - robot[axis]
            steps = [1, -1] if away == 0 else [1 if away > 0 else -1]
            for step in steps:
                moved = (other[0] + step, other[1]) if axis == 0 else (other[0], other[1] + step)
                to = moved if moved in known else other
                found[to] = found.get(to, 0.0) + 0.4 / len(steps)
        return found

    def outcomes(state: Any, action: str) -> list[tuple[float, Any, float]]:
        if state == over:
            return [(1.0, over, 0.0)]
        robot, other = state
        if action == "tag":
            if robot == other:
                return [(1.0, over, 10.0)]
            return [(chance, (robot, to), -10.0) for to, chance in fleeing(robot, other).items()]
        step = _STEPS[action]
        moved = robot[0] + step[0], robot[1] + step[1]
        then = moved if moved in known else robot
        return [(chance, (then, to), -1.0) for to, chance in fleeing(robot, other).items()]

    def observe(action: str, state: Any) -> list[tuple[float, Any]]:
        if state == over:
            return [(1.0, over)]
        robot, other = state
        return [(1.0, (robot, "here" if robot == other else "away"))]

    begin = {(robot, other): 1 / len(cells) ** 2 for robot in cells for other in cells}
    return pomdp_of_functions(begin, (*_STEPS, "tag"), outcomes, observe, 0.95)


def hallway_pomdp(length: int = 11, alcoves: tuple[int, ...] = (2, 4, 6), goal: int = 8) -> POMDP:
    """Return a corridor with alcoves to one side, after the Hallway of Littman et al. (1995).

    A state is a cell and where the robot looks, 15 cells as there; the chances are our own, so that its
    values are not those in print. A step or turn does as told with a chance of 0.8, nothing with 0.1, and
    turns left with 0.1. Each of the four walls around is told rightly with 0.9; who looks south above an
    alcove of the numbers given sees which it is. The goal's alcove brings 1, and play begins anew anywhere.
    """
    check_number("length", length, least=1, most=MOST_STATES // 8, whole=True)
    if not isinstance(alcoves, tuple | list):
        raise SleuthError(f"alcoves must be a tuple of numbers of cells, not {shown(alcoves)}")
    for alcove in (goal, *alcoves):
        checked_index(f"a corridor of {length}", "cell", alcove, length)
    if goal in alcoves:
        raise SleuthError(f"the goal is an alcove of its own, and {goal} is among the others")
    corridor = [(x, 0) for x in range(length)]
    cells = set(corridor) | {(x, -1) for x in (*alcoves, goal)}
    end = (goal, -1)
    around = ("north", "east", "south", "west")
    starts = [(cell, look) for cell in sorted(cells - {end}) for look in range(4)]

    def ahead(state: Any, turn: int) -> tuple[int, int]:
        (x, y), look = state
        dx, dy = _STEPS[around[(look + turn) % 4]]
        return x + dx, y + dy

    def moved(state: Any, action: str) -> Any:
        cell, look = state
        if action == "forward":
            to = ahead(state, 0)
            return (to if to in cells else cell), look
        return cell, (look + {"left": 3, "right": 1, "about": 2, "stay": 0}[action]) % 4

    def outcomes(state: Any, action: str) -> list[tuple[float, Any, float]]:
        if state[0] == end:
            return [(1 / len(starts), start, 1.0) for start in starts]
        found: dict[Any, float] = {}
        for chance, done in ((0.8, action), (0.1, "stay"), (0.1, "left")):
            to = moved(state, done)
            found[to] = found.get(to, 0.0) + chance
        return [(chance, to, 0.0) for to, chance in found.items()]

    def observe(action: str, state: Any) -> list[tuple[float, Any]]:
        if state[0] == end:
            return [(1.0, "goal")]
        if state[0][1] == 0 and state[0][0] in alcoves and around[state[1]] == "south":
            return [(1.0, f"alcove-{state[0][0]}")]
        found = [(1.0, "")]
        for turn in range(4):
            right = "1" if ahead(state, turn) not in cells else "0"
            wrong = "0" if right == "1" else "1"
            found = [(p * q, s + bit) for p, s in found for q, bit in ((0.9, right), (0.1, wrong))]
        return found

    initial = dict.fromkeys(starts, 1 / len(starts))
    return pomdp_of_functions(initial, ("forward", "left", "right", "about", "stay"), outcomes, observe, 0.95)


_LAKES = {
    4: ("SFFF", "FHFH", "FFFH", "HFFG"),
    8: (
        "SFFFFFFF",
        "FFFFFFFF",
        "FFFHFFFF",
        "FFFFFHFF",
        "FFFHFFFF",
        "FHHFFFHF",
        "FHFFHFHF",
        "FFFHFFFG",
    ),
}


def frozen_lake_pomdp(size: int = 4, discount: float = 0.99) -> POMDP:
    """Return FrozenLake as Gymnasium has it, 4x4 or 8x8 and slippery; nothing is hidden.

    A state is the number of a cell, row by row, and is observed. A step goes as told or to one of the sides,
    a third each; the goal brings 1, and there and in a hole play ends. Raises SleuthError for other sizes.
    """
    check_number("size", size, whole=True)
    if size not in _LAKES:
        raise SleuthError(f"a frozen lake is of size 4 or 8, not {size}")
    lake = "".join(_LAKES[size])
    steps = ((0, -1), (1, 0), (0, 1), (-1, 0))
    names = ("left", "down", "right", "up")

    def outcomes(cell: int, action: str) -> list[tuple[float, int, float]]:
        if lake[cell] in "HG":
            return [(1.0, cell, 0.0)]
        found: dict[int, float] = {}
        for turn in (-1, 0, 1):
            down, right = steps[(names.index(action) + turn) % 4]
            row, column = (min(max(at, 0), size - 1) for at in (cell // size + down, cell % size + right))
            to = row * size + column
            found[to] = found.get(to, 0.0) + 1 / 3
        return [(chance, to, float(lake[to] == "G")) for to, chance in found.items()]

    return pomdp_of_functions({0: 1.0}, names, outcomes, lambda _, cell: [(1.0, cell)], discount)

"""RockSample (Smith and Simmons 2004) as a problem to draw from; see problem.py for what each part is.

A state is int64 [4]: the rover's x and y, a bit for each rock that is good, and one for each that was
sampled. x = n: play is over. numbers: int64, n, the number k of rocks, the x and then the y of each rock,
and for each cell, x * n + y, its rock or -1. chances: float64, how likely a check is right, [cells, rocks],
the log odds of that, [cells, rocks], and powers of the discount, from 0 on. Notes are float64 [3 * k]: of
each rock the log odds that it is good, how many more checks said so than not, and how many checks there
were.
"""

from typing import Any

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.draws import uniform
from sleuth.kernels.jit import inlined, inner

X, Y, GOOD, SAMPLED = range(4)
NORTH, SOUTH, EAST, WEST, SAMPLE, CHECK = range(6)
"""Actions; CHECK is the check of the first rock, and those of the others follow."""
NOTHING, TOLD_GOOD, TOLD_BAD = range(3)
"""Observations."""
PRIZE = 10.0
NO_ROCK = -100.0
_CHECKS = 5
_CLEAR = 2
_SURE = 20.0


@inner
def rocks_first(state: Array, numbers: Array, rng: Array) -> None:
    """Draw a first state: each rock is good with a chance of a half."""
    state[X], state[Y], state[GOOD], state[SAMPLED] = 0, numbers[0] // 2, 0, 0
    for rock in range(numbers[1]):
        if uniform(rng) < 0.5:
            state[GOOD] |= np.int64(1) << rock


@inner
def rocks_nudge(state: Array, numbers: Array, rng: Array) -> Any:
    """Let one rock be what it is not."""
    state[GOOD] ^= np.int64(1) << np.int64(numbers[1] * uniform(rng))
    return True


@inlined
def _rock_at(state: Array, numbers: Array) -> Any:
    """Return the rock of the rover's cell, -1 where there is none."""
    n, k = numbers[0], numbers[1]
    return numbers[2 + 2 * k + state[X] * n + state[Y]]


@inlined
def rocks_move(state: Array, action: Int, numbers: Array) -> Any:
    """Change a state by an action; return the reward, and whether play is over."""
    n = numbers[0]
    if action >= CHECK:
        return 0.0, False
    if action == SAMPLE:
        rock = _rock_at(state, numbers)
        if rock < 0:
            return NO_ROCK, False
        bit = np.int64(1) << rock
        good = state[GOOD] & bit
        state[GOOD] &= ~bit
        state[SAMPLED] |= bit
        return PRIZE if good else -PRIZE, False
    if action == EAST:
        state[X] += 1
        return (PRIZE, True) if state[X] == n else (0.0, False)
    if action == NORTH:
        state[Y] = min(state[Y] + 1, n - 1)
    elif action == SOUTH:
        state[Y] = max(state[Y] - 1, 0)
    else:
        state[X] = max(state[X] - 1, 0)
    return 0.0, False


@inlined
def rocks_likely(state: Array, action: Int, observation: Int, numbers: Array, chances: Array) -> Any:
    """Return how likely an observation is."""
    if action < CHECK:
        return 1.0 if observation == NOTHING else 0.0
    if observation == NOTHING:
        return 0.0
    n, k, rock = numbers[0], numbers[1], action - CHECK
    right = chances[(state[X] * n + state[Y]) * k + rock]
    good = state[GOOD] >> rock & 1
    return right if good == (observation == TOLD_GOOD) else 1 - right


@inlined
def rocks_note(
    notes: Array, state: Array, action: Int, observation: Int, numbers: Array, chances: Array
) -> None:
    """Add a check to what is known of its rock."""
    if action < CHECK:
        return
    n, k, rock = numbers[0], numbers[1], action - CHECK
    sign = 1.0 if observation == TOLD_GOOD else -1.0
    notes[rock] += sign * chances[(n * n + state[X] * n + state[Y]) * k + rock]
    notes[k + rock] += sign
    notes[2 * k + rock] += 1.0


@inner
def rocks_legal(state: Array, numbers: Array, options: Array) -> Any:
    """Fill in what is no step into a wall, sample without a rock, or check of a rock that was sampled."""
    n, k, count = numbers[0], numbers[1], 0
    for action in range(CHECK):
        if (
            (action == NORTH and state[Y] < n - 1)
            or (action == SOUTH and state[Y] > 0)
            or action == EAST
            or (action == WEST and state[X] > 0)
        ):
            options[count] = action
            count += 1
        elif action == SAMPLE:
            rock = _rock_at(state, numbers)
            if rock >= 0 and not state[SAMPLED] >> rock & 1:
                options[count] = action
                count += 1
    for rock in range(k):
        if not state[SAMPLED] >> rock & 1:
            options[count] = CHECK + rock
            count += 1
    return count


@inner
def rocks_preferred(state: Array, notes: Array, numbers: Array, options: Array) -> Any:
    """Fill in what Silver and Veness (2010) prefer.

    Here a rock of more good checks than bad is sampled; else any step to a rock that no more checks spoke
    against than for, or a check of a rock that is neither clear nor checked five times. East if all seem bad.
    """
    k, x, y, count = numbers[1], state[X], state[Y], 0
    here = _rock_at(state, numbers)
    if here >= 0 and not state[SAMPLED] >> here & 1 and notes[k + here] > 0:
        options[0] = SAMPLE
        return 1
    north = south = east = west = some = False
    for rock in range(k):
        if state[SAMPLED] >> rock & 1:
            continue
        balance = notes[k + rock]
        if balance >= 0:
            some = True
            east |= numbers[2 + rock] > x
            west |= numbers[2 + rock] < x
            north |= numbers[2 + k + rock] > y
            south |= numbers[2 + k + rock] < y
        if abs(balance) < _CLEAR and notes[2 * k + rock] < _CHECKS and abs(notes[rock]) < _SURE:
            options[count] = CHECK + rock
            count += 1
    if not some:
        options[0] = EAST
        return 1
    for action, towards in ((NORTH, north), (SOUTH, south), (EAST, east), (WEST, west)):
        if towards:
            options[count] = action
            count += 1
    if not count:
        options[0] = EAST
        count = 1
    return count


@inlined
def _power(time: Int, numbers: Array, chances: Array) -> Any:
    """Return the discount to the power of a time."""
    return chances[2 * numbers[0] * numbers[0] * numbers[1] + time]


@inner
def rocks_by_default(
    states: Array, begin: Int, count: Int, left: Int, numbers: Array, chances: Array, scratch: Array
) -> Any:
    """Return what a tour brings on average, and its first action.

    It goes to the rocks that are good in some of the states, the one that promises most first, as long as
    that pays, and then east. A rock is checked where it lies, which is never wrong, and sampled if it is
    good; one that is good in most states is sampled at once, where that pays more. scratch: int64 [rocks],
    overwritten.
    """
    n, k = numbers[0], numbers[1]
    x, y = states[begin, X], states[begin, Y]
    for rock in range(k):
        scratch[rock] = 0
    for i in range(begin, begin + count):
        good = states[i, GOOD]
        for rock in range(k):
            scratch[rock] += good >> rock & 1
    best, action, begun, soonest = 0.0, EAST, -1, np.int64(0)
    if n - 1 - x < left:
        best = PRIZE * _power(n - 1 - x, numbers, chances)
    times, gains = np.zeros(count, np.int64), np.zeros(count)
    while True:
        chosen, most, far = -1, 0.0, 0
        for rock in range(k):
            if scratch[rock] > 0:
                away = abs(numbers[2 + rock] - x) + abs(numbers[2 + k + rock] - y)
                worth = scratch[rock] * _power(away, numbers, chances)
                if worth > most:
                    chosen, most, far = rock, worth, away
        if chosen < 0 or soonest + far >= left:
            return best, action
        # A check costs a step, a bad sample as much as a good one brings.
        at_once = 2 * scratch[chosen] - count > _power(1, numbers, chances) * scratch[chosen]
        if begun < 0:
            if far == 0:
                begun = SAMPLE if at_once else CHECK + chosen
            elif numbers[2 + chosen] != x:
                begun = EAST if numbers[2 + chosen] > x else WEST
            else:
                begun = NORTH if numbers[2 + k + chosen] > y else SOUTH
        x, y, scratch[chosen] = numbers[2 + chosen], numbers[2 + k + chosen], 0
        total, soonest = 0.0, left
        for i in range(count):
            good = states[begin + i, GOOD] >> chosen & 1
            time = times[i] + far + (not at_once)
            if at_once or good:
                if time < left:
                    gains[i] += (PRIZE if good else -PRIZE) * _power(time, numbers, chances)
                time += 1
            times[i] = time
            soonest = min(soonest, time)
            total += gains[i]
            if time + n - 1 - x < left:
                total += PRIZE * _power(time + n - 1 - x, numbers, chances)
        if total > best * count:
            best, action = total / count, begun


@inner
def rocks_at_most(
    states: Array, begin: Int, numbers: Array, chances: Array, scratch: Array, most: Array
) -> None:
    """Fill in more than any policy gets that knows the rocks, of states from one on.

    Who has sampled m + 1 rocks has gone as far as the farthest of them, and needs a step for each; the
    nearest good ones are the soonest. A step lies between two samples at least, and the way out takes a step
    for each column. scratch: int64 [2 * rocks], overwritten.
    """
    n, k = numbers[0], numbers[1]
    x, y, known = states[begin, X], states[begin, Y], 0
    for rock in range(k):
        if states[begin, SAMPLED] >> rock & 1:
            continue
        away = abs(numbers[2 + rock] - x) + abs(numbers[2 + k + rock] - y)
        place = known
        while place and scratch[2 * place - 1] > away:
            scratch[2 * place], scratch[2 * place + 1] = scratch[2 * place - 2], scratch[2 * place - 1]
            place -= 1
        scratch[2 * place], scratch[2 * place + 1] = rock, away
        known += 1
    for i in range(most.size):
        good = states[begin + i, GOOD]
        bound, gain = PRIZE * _power(n - 1 - x, numbers, chances), 0.0
        sampled, last = 0, -2
        for place in range(known):
            if good >> scratch[2 * place] & 1:
                last = max(scratch[2 * place + 1] + sampled, last + 2)
                sampled += 1
                gain += PRIZE * _power(last, numbers, chances)
                out = max(n - 1 - x + sampled, last + 1)
                bound = max(bound, gain + PRIZE * _power(out, numbers, chances))
        most[i] = bound

"""Beliefs by particles in problems that are drawn from, stirred by Metropolis steps.

Resample and move is by Gilks and Berzuini (2001).

A particle is a first state, and what it has become by the actions since.
"""

from typing import Any

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.drawn.problem import Drawn, likely, move, note, nudge
from sleuth.kernels.draws import uniform
from sleuth.kernels.jit import inner, kernel


@inner
def _replayed(
    problem: Drawn, first: Array, history: Array, count: Int, floor: float, least: float, state: Array
) -> Any:
    """Return the log of how likely a history is from a first state on, and let state be what follows.

    A factor is no less than the floor. It stops, with -inf, where the log falls below the least.
    """
    state[:] = first
    total = 0.0
    for i in range(count):
        move(problem, state, history[i, 0])
        factor = max(floor, likely(problem, state, history[i, 0], history[i, 1]))
        total += np.log(factor) if factor > 0 else -np.inf
        if total < least:
            return -np.inf
    return total


@kernel
def weighed(
    problem: Drawn, action: int, observation: int, now: Array, weights: Array, logs: Array, notes: Array
) -> None:
    """Take particles on by an action and an observation, and the notes, float64 [notes].

    now: int64 [particles, state]; weights: float64 [particles]; logs: float64 [particles], of how likely the
    whole history is under each.
    """
    for i in range(weights.size):
        move(problem, now[i], action)
        factor = likely(problem, now[i], action, observation)
        weights[i] *= factor
        logs[i] += np.log(factor) if factor > 0 else -np.inf
    note(problem, notes, now[0], action, observation)


@kernel
def stirred(
    problem: Drawn,
    history: Array,
    count: int,
    rounds: int,
    floor: float,
    notes: Array,
    first: Array,
    now: Array,
    logs: Array,
    rng: Array,
) -> Any:
    """Take so many Metropolis steps with each particle; they leave what is believed of first states as it is.

    history: int64 [steps, 2], action and observation, of which count are filled. floor: no observation is
    less likely, to find states that explain a history from others that do not; else 0. notes: float64
    [notes]. Returns how many steps were taken.
    """
    other, after = first[0].copy(), first[0].copy()
    taken = 0
    for i in range(logs.size):
        for _ in range(rounds):
            other[:] = first[i]
            u = uniform(rng)
            if not nudge(problem, other, notes, rng):
                continue
            least = logs[i] + np.log(1.0 - u)
            found = _replayed(problem, other, history, count, floor, least, after)
            if found >= least and found > -np.inf:
                first[i], now[i], logs[i] = other, after, found
                taken += 1
    return taken


@kernel
def replayed(
    problem: Drawn, history: Array, count: int, floor: float, first: Array, now: Array, logs: Array
) -> None:
    """Fill now and logs by replaying the history from first states."""
    for i in range(logs.size):
        logs[i] = _replayed(problem, first[i], history, count, floor, -np.inf, now[i])

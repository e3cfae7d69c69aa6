"""POMDPs that are drawn from, as kernels see them, whatever is in them: each part asks the problem's own.

What is hidden is drawn at first. Actions then change a state without chance, and observations are drawn. What
is seen of a state is the same in all states that agree with a history.
"""

from typing import Any, NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.drawn.rocks import (
    rocks_at_most,
    rocks_by_default,
    rocks_first,
    rocks_legal,
    rocks_likely,
    rocks_move,
    rocks_note,
    rocks_nudge,
    rocks_preferred,
)
from sleuth.kernels.drawn.ships import (
    ships_at_most,
    ships_by_default,
    ships_first,
    ships_legal,
    ships_likely,
    ships_move,
    ships_note,
    ships_nudge,
    ships_preferred,
    ships_useful,
)
from sleuth.kernels.draws import uniform
from sleuth.kernels.frugal import held
from sleuth.kernels.jit import inlined, inner, kernel

ROCKS, SHIPS = range(2)
"""Kinds of problems."""


@held
class Drawn(NamedTuple):
    """A problem.

    kind: ROCKS or SHIPS. state, notes, scratch: how many numbers a state and notes have, and by_default
    overwrites. actions, observations: how many there are. discount: what a reward is worth one step later.
    numbers: int64, and chances: float64, as rocks.py and ships.py have them.
    """

    kind: int
    state: int
    notes: int
    actions: int
    observations: int
    scratch: int
    discount: float
    numbers: Array
    chances: Array


@inlined
def draw_first(problem: Drawn, state: Array, rng: Array) -> None:
    """Draw a first state, int64 [state]. rng: uint64 [1], as draws.py has it."""
    if problem.kind == ROCKS:
        rocks_first(state, problem.numbers, rng)
    else:
        ships_first(state, problem.numbers, rng)


@inlined
def nudge(problem: Drawn, state: Array, notes: Array, rng: Array) -> Any:
    """Change a first state to another, as likely as the way back; say whether it is one.

    notes: what is known by now. First states are all as likely, so that these are moves of Metropolis.
    """
    if problem.kind == ROCKS:
        return rocks_nudge(state, problem.numbers, rng)
    return ships_nudge(state, notes, problem.numbers, rng)


@inlined
def move(problem: Drawn, state: Array, action: Int) -> Any:
    """Change a state by an action; return the reward, and whether play is over."""
    if problem.kind == ROCKS:
        return rocks_move(state, action, problem.numbers)
    return ships_move(state, action, problem.numbers)


@inlined
def likely(problem: Drawn, state: Array, action: Int, observation: Int) -> Any:
    """Return how likely an observation is after an action that led to a state."""
    if problem.kind == ROCKS:
        return rocks_likely(state, action, observation, problem.numbers, problem.chances)
    return ships_likely(state, action, observation, problem.numbers)


@inlined
def seen(problem: Drawn, state: Array, action: Int, rng: Array) -> Any:
    """Return an observation after an action that led to a state, drawn by one number."""
    left, last = uniform(rng), problem.observations - 1
    for observation in range(last):
        left -= likely(problem, state, action, observation)
        if left < 0:
            return observation
    return last


@inlined
def step(problem: Drawn, state: Array, action: Int, rng: Array) -> Any:
    """Change a state by an action; return the observation, drawn, the reward, and whether play is over."""
    reward, over = move(problem, state, action)
    return seen(problem, state, action, rng), reward, over


@inlined
def note(problem: Drawn, notes: Array, state: Array, action: Int, observation: Int) -> None:
    """Add to notes, float64 [notes], by which rollouts go, what was seen after an action."""
    if problem.kind == ROCKS:
        rocks_note(notes, state, action, observation, problem.numbers, problem.chances)
    else:
        ships_note(notes, action, observation, problem.numbers)


@inlined
def legal(problem: Drawn, state: Array, options: Array) -> Any:
    """Fill in the actions that may be taken, int64 [actions], and return how many."""
    if problem.kind == ROCKS:
        return rocks_legal(state, problem.numbers, options)
    return ships_legal(state, problem.numbers, options)


@inlined
def preferred(problem: Drawn, state: Array, notes: Array, options: Array) -> Any:
    """Fill in the actions that rollouts choose from, each as likely, and return how many; one at least."""
    if problem.kind == ROCKS:
        return rocks_preferred(state, notes, problem.numbers, options)
    return ships_preferred(notes, options)


@inner
def useful(problem: Drawn, states: Array, begin: Int, count: Int, options: Array) -> Any:
    """Fill in the actions that may be best where the state is one of some, and return how many.

    states: int64 [states, state], those of a history, from begin on so many.
    """
    if problem.kind == ROCKS:
        return rocks_legal(states[begin], problem.numbers, options)
    return ships_useful(states, begin, count, problem.numbers, options)


@inner
def by_default(
    problem: Drawn, states: Array, begin: Int, count: Int, left: Int, scratch: Array, worths: Array
) -> Any:
    """Return what a policy gets on average in so many steps, and its first action.

    It is the same for all of the states, and goes by what it sees.
    scratch: int64 [scratch], and worths: float64 [actions], overwritten.
    """
    if problem.kind == ROCKS:
        return rocks_by_default(states, begin, count, left, problem.numbers, problem.chances, scratch)
    return ships_by_default(states, begin, count, left, problem.numbers, scratch, worths)


@inner
def at_most(problem: Drawn, states: Array, begin: Int, scratch: Array, most: Array) -> None:
    """Fill in what no policy exceeds, even one that knows the state, of states from one on.

    most: float64 [n], of so many states, which are those of a history.
    """
    if problem.kind == ROCKS:
        rocks_at_most(states, begin, problem.numbers, problem.chances, scratch, most)
    else:
        ships_at_most(states, begin, problem.numbers, most)


@kernel
def first_drawn(problem: Drawn, states: Array, rng: Array) -> None:
    """Fill first states, int64 [states, state], drawn."""
    for i in range(states.shape[0]):
        draw_first(problem, states[i], rng)


@kernel
def stepped(problem: Drawn, state: Array, action: int, rng: Array) -> Any:
    """As step does."""
    return step(problem, state, action, rng)


@kernel
def may(problem: Drawn, state: Array, options: Array) -> Any:
    """As legal does."""
    return legal(problem, state, options)


@kernel
def bounds(problem: Drawn, states: Array, left: int, options: Array, scratch: Array, worths: Array) -> Any:
    """Return what by_default and at_most say of all states, and how many actions useful fills in."""
    count = states.shape[0]
    worth, action = by_default(problem, states, 0, count, left, scratch, worths)
    most = np.empty(count)
    at_most(problem, states, 0, scratch, most)
    return worth, action, most.mean(), useful(problem, states, 0, count, options)

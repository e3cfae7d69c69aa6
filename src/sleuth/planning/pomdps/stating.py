"""POMDPs stated as functions: by outcomes of states and actions, and from problems of adaptive control."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from sleuth.planning.control import (
    AdaptiveControl,
    check_chances,
    check_distinct,
    check_problem,
    controls_in,
    cost_of,
    is_listed,
    outcomes_of,
    prior_of,
)
from sleuth.planning.pomdps.pomdp import POMDP, Rows
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.ranges import check_number

_OUTCOME, _SEEN = ("chance", "next state", "reward"), ("chance", "observation")
MOST_STATES = 1_000_000
"""States that a POMDP stated so may have at most."""
_TOO_MANY = (
    f"more than {MOST_STATES} states can be reached: too many to lay out. A SampledPomdp is drawn from, and"
    " has any number"
)
Outcomes = Callable[[Any, Any], Sequence[tuple[float, Hashable, float]]]
"""Of a state and an action: each next state once, with its chance, before it, and the reward, after it."""
Observe = Callable[[Any, Any], Sequence[tuple[float, Hashable]]]
"""Of an action and a next state: each observation once, with its chance before it."""


class Stated(NamedTuple):
    """A POMDP with what its names stand for, in the order of its numbers."""

    pomdp: POMDP
    states: list[Any]
    actions: list[Any]
    observations: list[Any]

    def __repr__(self) -> str:
        return f"<Stated: {self.pomdp!r}>"


def pomdp_of_functions(
    initial: Mapping[Any, float],
    actions: Sequence[Any],
    outcomes: Outcomes,
    observe: Observe,
    discount: float,
) -> POMDP:
    """Return the POMDP of all states that can be reached; names are the states, actions, ... as text.

    initial: the states it may begin in, with their chances. outcomes(state, action): (chance, next state,
    reward) of each next state. observe(action, next state): (chance, observation). Raises SleuthError naming
    state and action where chances are no distribution, and where there are more than a million states.
    """
    return stated(initial, actions, outcomes, observe, discount).pomdp


def stated(
    initial: Mapping[Any, float],
    actions: Sequence[Any],
    outcomes: Outcomes,
    observe: Observe,
    discount: float,
) -> Stated:
    """Return the same with the states themselves."""
    if not isinstance(initial, Mapping):
        raise SleuthError(f"initial must have a chance for each state, as a dictionary, not {shown(initial)}")
    for chance in initial.values():
        check_number("a chance of an initial state", chance, least=0, most=1)
    if isinstance(actions, str) or not isinstance(actions, Iterable):
        raise SleuthError(f"actions must be a sequence, not {shown(actions)}")
    for name, function in (("outcomes", outcomes), ("observe", observe)):
        if not callable(function):
            raise SleuthError(f"{name} must be a function, not {shown(function)}")
    actions = list(actions)
    states = list(initial)
    places = {state: place for place, state in enumerate(states)}
    ways: list[list[tuple[list[int], list[float]]]] = [[] for _ in actions]
    rewards: list[list[float]] = [[] for _ in actions]
    for state in states:
        for action, row, reward in zip(actions, ways, rewards, strict=True):
            found = _listed(outcomes(state, action), _OUTCOME, "outcomes", state, action)
            check_chances([chance for chance, _, _ in found], state, action)
            check_distinct([after for _, after, _ in found], state, action)
            found = [one for one in found if one[0] > 0]
            for _, after, _ in found:
                if after not in places:
                    if len(states) == MOST_STATES:
                        raise SleuthError(_TOO_MANY)
                    places[after] = len(states)
                    states.append(after)
            row.append(([places[after] for _, after, _ in found], [chance for chance, _, _ in found]))
            for _, _, gain in found:
                if not _is_number(gain):
                    raise SleuthError(
                        f"the reward of action {action!r} in state {state!r} is {shown(gain)}; it must be"
                        " a number"
                    )
            reward.append(sum(chance * gain for chance, _, gain in found))
    seen: dict[Hashable, int] = {}
    told = []
    for action in actions:
        for state in states:
            given = _listed(observe(action, state), _SEEN, "observe", state, action)
            check_chances([chance for chance, _ in given], state, action)
            check_distinct([name for _, name in given], state, action)
            given = [one for one in given if one[0] > 0]
            numbers = [seen.setdefault(name, len(seen)) for _, name in given]
            told.append((numbers, [chance for chance, _ in given]))
    pomdp = POMDP(
        _table([row for rows in ways for row in rows]),
        _table(told),
        np.array(rewards),
        discount,
        np.array([*initial.values(), *[0.0] * (len(states) - len(initial))]),
        tuple(map(str, states)),
        tuple(map(str, actions)),
        tuple(map(str, seen)),
    )
    return Stated(pomdp, states, list(actions), list(seen))


def _listed(given: Any, form: tuple[str, ...], function: str, state: Any, action: Any) -> list[Any]:
    """Return what a function of somebody's lists. Raises SleuthError where it is of another form."""
    try:
        found = [tuple(one) for one in given]
    except TypeError:
        found = [()]
    if any(len(one) != len(form) or not _is_number(one[0]) for one in found):
        raise SleuthError(
            f"{function} of action {action!r} in state {state!r} must be a list of ({', '.join(form)}), not"
            f" {repr(given)[:60]}"
        )
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _table(rows: Sequence[tuple[list[int], list[float]]]) -> Rows:
    sizes = [len(columns) for columns, _ in rows]
    return Rows(
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.array([place for columns, _ in rows for place in columns], np.int64),
        np.array([value for _, values in rows for value in values], float),
    )


def pomdp_of_control(problem: AdaptiveControl) -> Stated:
    """Return a problem with a fixed unknown parameter as a POMDP.

    A state is (seen state, parameter's number). The next seen state is observed; rewards are minus costs.
    What may not be applied in a state does there what the first control does, which changes no optimum, since
    the state is seen. Raises SleuthError for a problem with a horizon, without a discount, or whose outcomes
    cannot be listed.
    """
    check_problem(problem)
    if not is_listed(problem):
        raise SleuthError("a POMDP needs a problem with outcomes()")
    if problem.horizon is not None:
        raise SleuthError("a POMDP goes on for ever: a problem with a horizon is none")
    if not problem.discount < 1:
        raise SleuthError("a POMDP needs a discount below 1")
    actions = _all_controls(problem)

    def outcomes(at: tuple[Hashable, int], action: Any) -> list[tuple[float, Hashable, float]]:
        state, number = at
        if problem.is_terminal(state):
            return [(1.0, at, 0.0)]
        controls = controls_in(problem, state)
        control = action if action in controls else controls[0]
        parameter = problem.parameters[number]
        return [
            (chance, (after, number), -cost_of(problem, state, parameter, control, after))
            for chance, after in outcomes_of(problem, state, parameter, control)
            if chance > 0
        ]

    prior = prior_of(problem).tolist()
    initial = {(problem.initial_state, i): weight for i, weight in enumerate(prior) if weight > 0}
    return stated(initial, actions, outcomes, lambda action, at: [(1.0, at[0])], problem.discount)


def _all_controls(problem: AdaptiveControl) -> list[Any]:
    """Return every control that may be applied in a state that can be reached, in the order met."""
    actions: dict[Any, None] = {}
    states = {problem.initial_state: None}
    todo = list(states)
    while todo:
        state = todo.pop()
        if problem.is_terminal(state):
            continue
        for control in controls_in(problem, state):
            actions[control] = None
            for parameter in problem.parameters:
                for chance, after in outcomes_of(problem, state, parameter, control):
                    if chance > 0 and after not in states:
                        if len(states) == MOST_STATES:
                            raise SleuthError(_TOO_MANY)
                        states[after] = None
                        todo.append(after)
    return list(actions) or ["nothing"]

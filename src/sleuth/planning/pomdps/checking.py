"""A policy of a POMDP held to what it says, in plain Python that shares nothing with the solver.

A vector names an action and, for each observation, the vector to go on with. Where no value is more than the
reward of the action plus the discounted values of those vectors, the policy that follows the graph is worth
its values at least: were the largest lack d > 0, it would be at most the discount times d.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite, nan
from random import Random

from sleuth.planning.pomdps.alpha_vectors import AlphaVectors
from sleuth.planning.pomdps.pomdp import POMDP, Rows, check_pomdp
from sleuth.planning.simulation import NEGLIGIBLE, mean_and_error
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_number, check_seed

_Chances = Mapping[int, float]


@dataclass(frozen=True)
class Checked:
    """What is proven of a policy.

    Attributes:
        value: it is worth this at least under the initial belief.
        vector: the number of the vector that it begins with.
        slack: how much a value was more than its action and what follows bring; value has it taken off.

    """

    value: float
    vector: int
    slack: float


def check_policy(pomdp: POMDP, policy: AlphaVectors, tolerance: float = 1e-6) -> Checked:
    """Prove what a policy is worth at least.

    Raises SleuthError, naming the vector, where a value is more than the policy brings by more than the
    tolerance, or where the policy does not say how to go on.
    """
    _check_form(pomdp, policy)
    transition, observation = _chances(pomdp.transition), _chances(pomdp.observation)
    values = [dict(zip(vector.states, vector.values, strict=True)) for vector in policy.vectors]
    slack = 0.0
    for number, vector in enumerate(policy.vectors):
        first = vector.action * len(pomdp.states)
        for state, value in values[number].items():
            worth = float(pomdp.reward[vector.action, state])
            for then, chance in transition[first + state].items():
                for seen, told in observation[first + then].items():
                    on = vector.then.get(seen)
                    if on is None or not 0 <= on < len(values) or then not in values[on]:
                        raise SleuthError(
                            f"vector {number} does not say how to go on after {pomdp.observations[seen]!r} in"
                            f" state {pomdp.states[then]!r}"
                        )
                    worth += pomdp.discount * chance * told * values[on][then]
            if value - worth > tolerance:
                raise SleuthError(
                    f"vector {number} says {value:.6f} of state {pomdp.states[state]!r}, and brings"
                    f" {worth:.6f}"
                )
            slack = max(slack, value - worth)
    best, chosen = _start(pomdp, values)
    return Checked(best - slack / (1 - pomdp.discount), chosen, slack)


def simulate_policy(
    pomdp: POMDP, policy: AlphaVectors, episodes: int, seed: int = 0, progress: Watch | None = None
) -> tuple[float, float]:
    """Return the mean reward of a policy that follows its graph, and the standard error of that.

    An episode ends where the discount leaves less than a millionth. progress: told of the episodes done.
    Raises SleuthError; on Ctrl-C Interrupted, whose `known` is mean, error and number of the episodes played.
    """
    check_number("episodes", episodes, least=1, whole=True)
    check_seed(seed)
    _check_form(pomdp, policy)
    transition, observation = _chances(pomdp.transition), _chances(pomdp.observation)
    values = [dict(zip(vector.states, vector.values, strict=True)) for vector in policy.vectors]
    _, first = _start(pomdp, values)
    initial = {state: float(chance) for state, chance in enumerate(pomdp.initial) if chance > 0}
    rng = Random(f"pomdp/{seed}")
    totals: list[float] = []
    try:
        for episode in range(episodes):
            state, vector, weight, total = _draw(initial, rng), policy.vectors[first], 1.0, 0.0
            while weight > NEGLIGIBLE:
                total += weight * float(pomdp.reward[vector.action, state])
                row = vector.action * len(pomdp.states)
                state = _draw(transition[row + state], rng)
                vector = policy.vectors[vector.then[_draw(observation[row + state], rng)]]
                weight *= pomdp.discount
            totals.append(total)
            if progress is not None:
                progress(Progress(episode + 1, episodes))
    except KeyboardInterrupt:
        known = mean_and_error(totals) if totals else (nan, inf)
        raise Interrupted((*known, len(totals))) from None
    return mean_and_error(totals)


def _check_form(pomdp: POMDP, policy: AlphaVectors) -> None:
    """Raise SleuthError where a policy is for another POMDP, or a vector names what there is not."""
    check_pomdp(pomdp)
    if not isinstance(policy, AlphaVectors):
        raise SleuthError(
            f"a policy of AlphaVectors is needed here, not a {type(policy).__name__}; HSVI(pomdp).policy()"
            " makes one"
        )
    for kind in ("states", "actions", "observations"):
        if getattr(pomdp, kind) != getattr(policy, kind):
            raise SleuthError(f"the policy is for a POMDP with other {kind}")
    for number, vector in enumerate(policy.vectors):
        if vector.action not in range(len(pomdp.actions)):
            raise SleuthError(f"vector {number} has action {vector.action}; there are {len(pomdp.actions)}")
        for state in vector.states:
            if state not in range(len(pomdp.states)):
                raise SleuthError(f"vector {number} speaks of state {state}; there are {len(pomdp.states)}")
        if len(vector.values) != len(vector.states) or not all(map(isfinite, vector.values)):
            raise SleuthError(f"vector {number} needs a finite value for each of its states")


def _chances(table: Rows) -> list[_Chances]:
    starts, columns, values = table.starts.tolist(), table.columns.tolist(), table.values.tolist()
    return [
        {columns[i]: values[i] for i in range(begin, end) if values[i] > 0} for begin, end in pairwise(starts)
    ]


def _start(pomdp: POMDP, values: Sequence[_Chances]) -> tuple[float, int]:
    """Return what the best vector of the initial belief says it is worth, and its number."""
    possible = [(state, float(chance)) for state, chance in enumerate(pomdp.initial) if chance > 0]
    best, chosen = -inf, -1
    for number, of in enumerate(values):
        if all(state in of for state, _ in possible):
            worth = sum(chance * of[state] for state, chance in possible)
            if worth > best:
                best, chosen = worth, number
    if chosen < 0:
        raise SleuthError("no vector of the policy speaks of all states that play may begin in")
    return best, chosen


def _draw(chances: _Chances, rng: Random) -> int:
    (drawn,) = rng.choices(list(chances), list(chances.values()))
    return drawn

"""Runs of a policy, drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from sleuth.planning.belief import update
from sleuth.planning.control import (
    AdaptiveControl,
    check_control,
    check_offered,
    cost_of,
    draw,
    final_cost_of,
    is_listed,
    is_weighed,
)
from sleuth.planning.policy import Policy, check_chooses, is_blind
from sleuth.planning.situation import Estimate, Situation, check_situation, is_over
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown

NEGLIGIBLE = 1e-6
"""Costs that the discount makes weigh less than this are left out."""
ENDLESS = 10_000
"""Play without a discount is held to go on for ever after so many stages."""


_NO_UPDATE = (
    "the belief cannot be updated after a control: the problem has sample() alone. Give it likelihood() or"
    " outcomes() as well, plan with EmpiricalControl(problem), or follow a policy that goes by the state"
    " alone (Blind), without an estimate"
)


class Stage(NamedTuple):
    """A stage of a run, as who watches it is told.

    parameter: its number. cost: of the stage, before the discount; final: what is paid at the horizon once it
    is over. after: the situation then. followed: whether its belief is known.
    """

    parameter: int
    control: Any
    cost: float
    final: float
    after: Situation
    followed: bool


class EndlessError(SleuthError):
    """Play went on for so long that it is held not to end."""


def simulate(
    problem: AdaptiveControl,
    policy: Policy,
    situation: Situation,
    parameter: int,
    rng: Random,
    first: Any = None,
    stages: int | None = None,
    estimate: Estimate | None = None,
    watch: Callable[[Stage], object] | None = None,
    simulator: AdaptiveControl | None = None,
) -> float:
    """Return the cost of one run of a policy under a parameter (its number), drawn.

    first: the control to begin with, else the policy's. stages: after so many of the policy's own the
    estimate is taken. watch: told of each stage. simulator: what the run is drawn from, where that is not
    what the policy plans for, see check_simulator; the parameter is one of its. A run ends where the discount
    leaves less than a millionth. Raises EndlessError, and SleuthError where a choice or the estimate rests on
    a belief that cannot be updated (SampledControl), or that what was drawn is impossible under.
    """
    check_control(problem)
    if simulator is None:
        simulator = problem
    else:
        check_simulator(problem, simulator)
    check_situation(situation)
    check_chooses(policy)
    total, weight, done = 0.0, 1.0, 0
    # Beliefs take time, and policies that go by the state alone need none. Who is certain learns nothing.
    blind = is_blind(policy)
    certain = len(situation.belief.support) == 1
    followed = (is_listed(problem) or is_weighed(problem)) and not (
        blind and estimate is None and watch is None
    )
    stale = False
    while not is_over(simulator, situation) and weight > NEGLIGIBLE:
        if done >= ENDLESS:
            raise EndlessError(f"play does not end within {ENDLESS} stages")
        if first is None and done == stages:
            if stale and estimate is not None:
                raise SleuthError(_NO_UPDATE)
            return total + weight * (0.0 if estimate is None else estimate(situation))
        if stale and first is None and not blind:
            raise SleuthError(_NO_UPDATE)
        control = policy.choose(situation) if first is None else first
        done += first is None
        first = None
        state, belief, stage = situation
        check_offered(simulator, state, control)
        true = simulator.parameters[parameter]
        then = draw(simulator, state, true, control, rng)
        cost, final = cost_of(simulator, state, true, control, then), 0.0
        total += weight * cost
        weight *= simulator.discount
        if followed:
            try:
                belief = update(problem, state, belief, control, then)
            except SleuthError as error:
                if simulator is problem:
                    raise
                raise SleuthError(f"the simulator does what the problem holds impossible: {error}") from None
        stale = not (followed or certain)
        situation = Situation(then, belief, stage + (problem.horizon is not None))
        if situation.stage == simulator.horizon and not simulator.is_terminal(then):
            final = final_cost_of(simulator, then)
            total += weight * final
        if watch is not None:
            watch(Stage(parameter, control, cost, final, situation, not stale))
    return total


def check_simulator(problem: AdaptiveControl, simulator: AdaptiveControl) -> None:
    """Raise SleuthError where what is drawn from one problem cannot be play of another.

    They may differ in their parameters, their chances and their costs, not in where they begin, the discount
    and the horizon.
    """
    check_control(simulator)
    for name, called in (("initial_state", "first state"), ("discount", "discount"), ("horizon", "horizon")):
        ours, theirs = getattr(problem, name), getattr(simulator, name)
        if ours != theirs:
            raise SleuthError(
                f"the {called} of the simulator is {shown(theirs)}, that of the problem {shown(ours)}; a"
                " simulator differs in parameters, chances and costs alone"
            )


def mean_and_error(costs: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some runs and its standard error, which is infinite for a single run."""
    mean = fmean(costs)
    return mean, stdev(costs, mean) / sqrt(len(costs)) if len(costs) > 1 else inf

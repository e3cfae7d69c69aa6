"""Belief states and their laws: adaptive control as a decision process with nothing hidden."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from math import inf
from random import Random
from typing import Any, NamedTuple, Protocol

from sleuth.planning.belief import Belief, branches
from sleuth.planning.control import (
    AdaptiveControl,
    ListedControl,
    check_problem,
    controls_in,
    cost_of,
    draw,
    final_cost_of,
    is_listed,
    outcomes_of,
    prior_of,
)
from sleuth.planning.mdp import Option, Outcome
from sleuth.support.errors import SleuthError


class Situation(NamedTuple):
    """What a controller knows: the state, the belief, and how many controls were applied.

    The stage is 0 throughout where there is no horizon.
    """

    state: Hashable
    belief: Belief
    stage: int


def check_situation(situation: object) -> None:
    """Raise SleuthError for what is no situation."""
    if not isinstance(situation, Situation):
        raise SleuthError(
            f"a Situation is needed here, not a {type(situation).__name__}; start(problem) is the first one"
        )


class Continuation(NamedTuple):
    """What may come of a control: how likely, what it costs then, and the situation after it.

    The cost has the final one in it where the situation is the last; then nothing is left to do.
    """

    probability: float
    cost: float
    situation: Situation
    over: bool


def start(problem: AdaptiveControl) -> Situation:
    """Return the situation at the beginning. Raises SleuthError for a problem that is not well-formed."""
    check_problem(problem)
    return Situation(problem.initial_state, Belief.of(prior_of(problem)), 0)


def is_over(problem: AdaptiveControl, situation: Situation) -> bool:
    """Say whether nothing is left to do."""
    return problem.is_terminal(situation.state) or situation.stage == problem.horizon


def after(problem: ListedControl, situation: Situation, control: Any) -> list[Continuation]:
    """Return all that may come of a control."""
    stage = situation.stage + (problem.horizon is not None)
    found = []
    for probability, cost, state, belief in branches(problem, situation.state, situation.belief, control):
        then = Situation(state, belief, stage)
        over = is_over(problem, then)
        if over and not problem.is_terminal(state):
            cost += problem.discount * final_cost_of(problem, state)
        found.append(Continuation(probability, cost, then, over))
    return found


class Estimate(Protocol):
    """An estimate of the cost from a situation on."""

    def __call__(self, situation: Situation, /) -> float: ...


def check_estimate(estimate: object) -> None:
    """Raise SleuthError for what is no estimate."""
    if not callable(estimate):
        raise SleuthError(
            f"an estimate is a function of a situation, which a {type(estimate).__name__} is not"
        )


def expected(problem: AdaptiveControl, ways: Sequence[Continuation], ahead: Estimate) -> float:
    """Return the mean cost of what may come of a control, with what is ahead where it is not over."""
    return sum(
        way.probability * (way.cost + (0.0 if way.over else problem.discount * ahead(way.situation)))
        for way in ways
    )


def _nothing(_: Situation) -> float:
    return 0.0


class BeliefMDP:
    """A problem as an MDP over situations, for tree searches: values are costs with the sign turned.

    Attributes:
        problem: the problem; its outcomes can be listed.
        estimate: of the cost from a situation on, which orders the controls; nothing, unless said otherwise.
        least: no policy costs less from a situation on, for proofs; or None.
        initial: where planning begins.

    """

    def __init__(
        self,
        problem: ListedControl,
        estimate: Estimate | None = None,
        least: Estimate | None = None,
        initial: Situation | None = None,
    ) -> None:
        if not is_listed(problem):
            raise SleuthError("a belief MDP needs a problem with outcomes()")
        self.problem = problem
        self.estimate = estimate
        self.least = least
        self.initial = start(problem) if initial is None else initial
        self.discount = problem.discount

    def limits(self, state: Hashable) -> tuple[float, float]:
        """Return the values of the worst, and of what no policy exceeds."""
        assert isinstance(state, Situation)
        return -inf, inf if self.least is None else -self.least(state)

    def options(self, state: Hashable) -> Iterator[Option]:
        """Yield the controls, those of the least estimated cost first."""
        assert isinstance(state, Situation)
        options = []
        for control in controls_in(self.problem, state.state):
            ways = after(self.problem, state, control)
            value = -expected(self.problem, ways, self.estimate or _nothing)
            bound = inf if self.least is None else -expected(self.problem, ways, self.least)
            options.append(Option(control, min(value, bound), bound))
        yield from sorted(options, key=lambda option: -option.estimate)

    def outcomes(self, state: Hashable, action: object) -> Sequence[Outcome]:
        """Return all that may come of a control."""
        assert isinstance(state, Situation)
        return [
            Outcome(probability, -cost, None if over else situation)
            for probability, cost, situation, over in after(self.problem, state, action)
        ]


class HiddenState(NamedTuple):
    """A state of the POMDP: what is seen, and the parameter's number, which is not."""

    state: Hashable
    parameter: int


class PomdpView:
    """A problem as a partially observed process: the parameter is a part of the state that never changes.

    The observation is the next state's seen part.
    """

    def __init__(self, problem: AdaptiveControl) -> None:
        check_problem(problem)
        self.problem = problem
        self.discount = problem.discount

    def begin(self, rng: Random) -> HiddenState:
        """Draw a first state."""
        prior = prior_of(self.problem)
        (number,) = rng.choices(range(len(prior)), prior.tolist())
        return HiddenState(self.problem.initial_state, number)

    def step(self, state: HiddenState, control: Any, rng: Random) -> tuple[HiddenState, Hashable, float]:
        """Draw what follows: the next state, the observation, and the reward, which is minus the cost."""
        problem = self.problem
        parameter = problem.parameters[state.parameter]
        then = draw(problem, state.state, parameter, control, rng)
        cost = cost_of(problem, state.state, parameter, control, then)
        return HiddenState(then, state.parameter), then, -cost

    def observation_probability(self, state: HiddenState, after: HiddenState, observation: Hashable) -> float:
        """Return P(observation | next state): it is the seen part."""
        return float(observation == after.state and state.parameter == after.parameter)

    def transition_probability(self, state: HiddenState, control: Any, after: HiddenState) -> float:
        """Return P(next state | state, control). Raises SleuthError where outcomes cannot be listed."""
        problem = self.problem
        if not is_listed(problem):
            raise SleuthError("probabilities need a problem with outcomes()")
        if state.parameter != after.parameter:
            return 0.0
        parameter = problem.parameters[state.parameter]
        return sum(p for p, s in outcomes_of(problem, state.state, parameter, control) if s == after.state)

    def is_terminal(self, state: HiddenState) -> bool:
        """Say whether it is over."""
        return self.problem.is_terminal(state.state)

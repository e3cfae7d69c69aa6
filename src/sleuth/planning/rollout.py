"""Rollout: the cost of base policies as the approximation (Bhambri et al. 2022, equations 17 and 18)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from sleuth.planning.belief import Belief
from sleuth.planning.control import (
    AdaptiveControl,
    ListedControl,
    check_control,
    check_offered,
    controls_in,
    is_listed,
)
from sleuth.planning.lookahead import Lookahead, Rated, Screen, by_parameter, least
from sleuth.planning.policy import Policy, begin_episode, check_chooses
from sleuth.planning.randomised import is_randomised
from sleuth.planning.simulation import mean_and_error, simulate
from sleuth.planning.situation import Estimate, Situation, after, check_situation, is_over
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_number, check_seed

_MOST = 10**9
# Simulations that take the place of expectations with too many situations.
_INSTEAD = 20


class ManySituationsError(SleuthError):
    """An exact expectation needs more situations than it may look at."""


@dataclass(eq=False)
class PolicyCost:
    """The exact cost of a policy from a situation on, by recursion over all outcomes that remembers.

    Attributes:
        problem: its outcomes can be listed.
        policy: it chooses the same in equal situations, or draws with known chances (Randomised).
        stages: after so many the estimate is taken; None for as long as it goes.
        estimate: of what is left then.
        most: situations that may be looked at in all, else it raises ManySituationsError; None for any.

    """

    problem: ListedControl
    policy: Policy
    stages: int | None = None
    estimate: Estimate | None = None
    most: int | None = None
    _known: dict[tuple[Situation, int | None], float] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        check_control(self.problem)
        check_chooses(self.policy)

    def __call__(self, situation: Situation) -> float:
        """Return the expected cost from a situation on."""
        check_situation(situation)
        try:
            return self._cost(situation, self.stages)
        except RecursionError:
            raise SleuthError(
                "the policy goes on without an end: give the number of stages to follow it"
            ) from None

    def _cost(self, situation: Situation, left: int | None) -> float:
        if is_over(self.problem, situation):
            return 0.0
        if left == 0:
            return 0.0 if self.estimate is None else self.estimate(situation)
        key = situation, left
        if key not in self._known:
            if self.most is not None and len(self._known) >= self.most:
                raise ManySituationsError(f"the cost of the policy takes more than {self.most} situations")
            then = None if left is None else left - 1
            if is_randomised(self.policy):
                chances = self.policy.probabilities(situation)
            else:
                chances = {self.policy.choose(situation): 1.0}
            for control in chances:
                check_offered(self.problem, situation.state, control)
            # Not by expected: a deep recursion has room for few frames a stage.
            self._known[key] = sum(
                chance
                * way.probability
                * (way.cost + self.problem.discount * self._cost(way.situation, then))
                for control, chance in chances.items()
                for way in after(self.problem, situation, control)
            )
        return self._known[key]


@dataclass(eq=False)
class Rollout:
    """One-step lookahead with the cost of base policies ahead (equations 17 and 18, section 5.1).

    It costs no more than the base policy, where expectations are exact and the base is one policy. The
    rollout of a rollout is a step of policy iteration more.

    Attributes:
        problem: the problem.
        base: the base policy, or one for each parameter, followed as if that parameter were known to be true.
        simulations: runs of each control, with the same parameters and random numbers for all; 0 for exact
            expectations, where outcomes can be listed.
        stages: after so many stages the base policy is left; None to follow it to the end.
        estimate: of the cost from there on.
        screen: the controls looked at; all, unless given.
        seed: of the simulations.
        most: situations that exact expectations may look at in all; 20 simulations take their place then.

    """

    problem: AdaptiveControl
    base: Policy | Sequence[Policy]
    simulations: int = 0
    stages: int | None = None
    estimate: Estimate | None = None
    screen: Screen | None = None
    seed: int = 0
    most: int | None = None
    _costs: dict[int, PolicyCost] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        check_control(self.problem)
        for policy in self.base if isinstance(self.base, Sequence) else (self.base,):
            check_chooses(policy)
        check_seed(self.seed)
        check_number("simulations", self.simulations, least=0, most=_MOST, whole=True)
        if self.stages is not None:
            check_number("stages", self.stages, least=0, whole=True)
        if not self.simulations and not is_listed(self.problem):
            raise SleuthError(
                "exact expectations need a problem with outcomes(): give a number of simulations"
            )

    def begin(self, seed: int) -> None:
        """Begin an episode, see begin_episode: the base policies do."""
        for policy in self.base if isinstance(self.base, Sequence) else (self.base,):
            begin_episode(policy, seed)

    def rate(self, situation: Situation) -> list[Rated]:
        """Return the controls looked at with their Q-factors."""
        check_situation(situation)
        controls = controls_in(self.problem, situation.state)
        if self.screen is not None:
            controls = self.screen(situation, controls)
        if self.simulations:
            return self._simulated(situation, controls)
        assert is_listed(self.problem)
        lookahead = Lookahead(self.problem, self._exact, screen=lambda *_: controls)
        try:
            return lookahead.rate(situation)
        except ManySituationsError:
            self.simulations = _INSTEAD
            return self._simulated(situation, controls)

    def choose(self, situation: Situation) -> Any:
        """Return the control of the least Q-factor, the first of several."""
        return least(self.rate(situation))

    def _exact(self, situation: Situation) -> float:
        base = self.base
        if not isinstance(base, Sequence):
            return self._cost_of(0, base)(situation)

        def known(state: Hashable, i: int, stage: int) -> float:
            return self._cost_of(i, base[i])(Situation(state, Belief.certain(i), stage))

        return by_parameter(known)(situation)

    def _cost_of(self, number: int, policy: Policy) -> PolicyCost:
        assert is_listed(self.problem)
        if number not in self._costs:
            self._costs[number] = PolicyCost(self.problem, policy, self.stages, self.estimate, self.most)
        return self._costs[number]

    def _simulated(self, situation: Situation, controls: Sequence[Any]) -> list[Rated]:
        # Drawn once, so that controls are compared under the same circumstances.
        rng = Random(f"{self.seed}/{situation.belief.key.hex()}/{situation.stage}")
        numbers = rng.choices(
            situation.belief.support.tolist(), situation.belief.weights.tolist(), k=self.simulations
        )
        seeds = [rng.random() for _ in numbers]
        rated = []
        for control in controls:
            costs = [
                simulate(
                    self.problem,
                    self._base(i),
                    situation,
                    i,
                    Random(seed),
                    control,
                    self.stages,
                    self.estimate,
                )
                for i, seed in zip(numbers, seeds, strict=True)
            ]
            rated.append(Rated(control, *mean_and_error(costs)))
        return rated

    def _base(self, number: int) -> Policy:
        return self.base[number] if isinstance(self.base, Sequence) else self.base

"""Problems of adaptive control planned for as POMDPs, before play or on line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sleuth.planning.belief import update
from sleuth.planning.control import AdaptiveControl, Weights
from sleuth.planning.pomdps.hsvi import HSVI
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import Planner, Planners
from sleuth.planning.pomdps.stating import Stated, pomdp_of_control
from sleuth.planning.situation import Situation
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown


class ControlPolicy:
    """The policy that point-based value iteration finds for a problem with a fixed unknown parameter."""

    def __init__(self, problem: AdaptiveControl, seconds: float | None, gap: float) -> None:
        """Plan for so many seconds, or until the gap. Raises SleuthError for a problem that is no POMDP."""
        self.problem = problem
        self._stated = pomdp_of_control(problem)
        self._places = {state: place for place, state in enumerate(self._stated.states)}
        search = HSVI(self._stated.pomdp)
        search.run(seconds, gap)
        self.vectors = search.policy()

    def choose(self, situation: Situation) -> Any:
        """Return the control. Raises SleuthError for a situation that play does not come to."""
        best, _ = self.vectors.best(_whole(situation, self._places))
        return _control(self.problem, situation, self._stated, self.vectors.vectors[best].action)


class PlannerPolicy:
    """The policy of a planner for POMDPs. It is taken on where play goes on, else begun anew."""

    def __init__(self, problem: AdaptiveControl, planners: Callable[[ModelledPomdp], Planners]) -> None:
        """Lay the problem out. planners: of a method. Raises SleuthError for a problem that is no POMDP."""
        self.problem = problem
        self._stated = pomdp_of_control(problem)
        self._places = {state: place for place, state in enumerate(self._stated.states)}
        self._seen = {state: number for number, state in enumerate(self._stated.observations)}
        self._make = planners
        self._planners = planners(ModelledPomdp(self._stated.pomdp))
        self._planner: Planner | None = None
        self._last: tuple[Situation, int, Any] | None = None
        self._begun = 0

    def begin(self, seed: int) -> None:
        """Begin an episode, see begin_episode: the method has a seed of its own."""
        self._planner, self._last, self._begun = None, None, seed

    def choose(self, situation: Situation) -> Any:
        """Return the control. Raises SleuthError for a situation that play does not come to."""
        planner = self._taken_on(situation) or self._new(situation)
        self._planner = planner
        action = planner.choose()
        control = _control(self.problem, situation, self._stated, action)
        self._last = situation, action, control
        return control

    def _taken_on(self, situation: Situation) -> Planner | None:
        """Return the planner where the situation may come after what it chose last."""
        if self._planner is None or self._last is None:
            return None
        before, action, control = self._last
        try:
            belief = update(self.problem, before.state, before.belief, control, situation.state)
        except SleuthError:
            return None
        now = situation.belief
        if not (
            np.array_equal(belief.support, now.support)
            and np.allclose(belief.weights, now.weights, rtol=1e-9, atol=0)
        ):
            return None
        self._planner.observe(action, self._seen[situation.state])
        return self._planner

    def _new(self, situation: Situation) -> Planner:
        """Return a planner that begins in a situation."""
        pomdp, initial = self._stated.pomdp, _whole(situation, self._places)
        planners = self._planners
        if not np.allclose(initial, pomdp.initial, rtol=1e-9, atol=0):
            planners = self._make(ModelledPomdp(replace(pomdp, initial=initial)))
        self._begun += 1
        return planners.new(self._begun - 1)


def _whole(situation: Situation, places: dict[Any, int]) -> Weights:
    """Return the belief over the states of the POMDP, float64 [states].

    Raises SleuthError for a situation that play does not come to.
    """
    state, belief, _ = situation
    whole = np.zeros(len(places))
    for parameter, weight in zip(belief.support.tolist(), belief.weights.tolist(), strict=True):
        if (state, parameter) not in places:
            raise SleuthError(f"play does not come to {shown(state)} under that parameter, {parameter}")
        whole[places[state, parameter]] = weight
    return whole


def _control(problem: AdaptiveControl, situation: Situation, stated: Stated, action: int) -> Any:
    """Return what an action does in a situation: what may not be applied there is the first control."""
    control, controls = stated.actions[action], problem.controls(situation.state)
    return control if control in controls else controls[0]

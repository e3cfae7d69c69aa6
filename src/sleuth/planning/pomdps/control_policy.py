"""Problems of adaptive control planned for as POMDPs, before play."""

from __future__ import annotations

from typing import Any

import numpy as np

from sleuth.planning.control import AdaptiveControl
from sleuth.planning.pomdps.hsvi import HSVI
from sleuth.planning.pomdps.stating import pomdp_of_control
from sleuth.planning.situation import Situation


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
        state, belief, _ = situation
        whole = np.zeros(len(self._places))
        for parameter, weight in zip(belief.support.tolist(), belief.weights.tolist(), strict=True):
            whole[self._places[state, parameter]] = weight
        best, _ = self.vectors.best(whole)
        control = self._stated.actions[self.vectors.vectors[best].action]
        controls = self.problem.controls(state)
        return control if control in controls else controls[0]

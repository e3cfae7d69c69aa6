"""Any POMDP by draws of Python as a Gymnasium environment: particles are what is observed."""

from __future__ import annotations

from math import prod
from random import Random
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sleuth.learning.gym.episode import check_action, checked_options, going_on
from sleuth.learning.gym.features import Features, features_of
from sleuth.planning.benchmark.problems import problem_of
from sleuth.planning.pomdps.sampled.belief import SampledBelief
from sleuth.planning.pomdps.sampled.problem import (
    SampledPomdp,
    check_sampled_pomdp,
    is_sampled_pomdp,
    stepped,
)
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.ranges import check_number

# Features may be any number; checkers of environments want an end.
_MOST = float(np.finfo(np.float32).max)
Observation = dict[str, Any]


class SampledPomdpEnv(gymnasium.Env[Observation, np.int64]):
    """A POMDP by draws whose first state is drawn anew each episode. Registered as sleuth/SampledPomdp-v0.

    An action is the number of one of `problem.actions`. Rewards are the problem's, not discounted: the
    discount is in metadata. An episode is terminated in a terminal state; where play goes on for ever, give
    gymnasium.make max_episode_steps.

    Observations: particles, float32 [particles, features], of a particle filter over what was done and seen,
    and weights, float32 [particles], which add up to one. The features of a state are the numbers that it is
    made of, or what `features(state)` of the problem returns. After the last action they stay as they were.

    info: seen, the observation, but for reset; state, once an episode is over. action_masks() is bool
    [actions], true for those that may be taken.

    Args:
        problem: a SampledPomdp, or FILE.py:NAME.
        particles: of the belief.

    Raises SleuthError.

    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}  # type: ignore[misc]

    def __init__(self, problem: SampledPomdp | str, *, particles: int = 200) -> None:
        made: Any = problem_of(problem) if isinstance(problem, str) else problem
        if not is_sampled_pomdp(made):
            raise SleuthError(
                f"a SampledPomdp is needed here, not {shown(problem)}; sleuth/Pomdp-v0 takes those laid out"
            )
        check_sampled_pomdp(made)
        check_number("particles", particles, least=1, whole=True)
        self.problem, self.particles = made, particles
        self.action_space = spaces.Discrete(len(made.actions))
        # Of one state; () is a number alone.
        self._shape = self._features([made.first(Random(0))]).shape[1:]
        shape = particles, prod(self._shape)
        self.observation_space = spaces.Dict(
            {
                "particles": spaces.Box(-_MOST, _MOST, shape, np.float32),
                "weights": spaces.Box(0, 1, shape[:1], np.float32),
            }
        )
        self.metadata = {**type(self).metadata, "discount": made.discount}  # type: ignore[misc]
        self._on: tuple[Any] | None = None  # any value may be a state
        self._rng = Random(0)
        self._belief = SampledBelief(made, particles)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode. There are no options. Raises SleuthError."""
        super().reset(seed=seed)
        checked_options(options, [])
        self._rng = Random(int(self.np_random.integers(2**63)))
        self._belief = SampledBelief(self.problem, self.particles, int(self.np_random.integers(2**63)))
        self._on = (self.problem.first(self._rng),)
        return self._observed(), {}

    def step(self, action: int | np.integer[Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act. Raises SleuthError for an action that may not be taken, and when the episode is over."""
        (before,) = going_on(self._on)
        check_action(self.action_space, action)
        state, seen, reward = stepped(self.problem, before, int(action), self._rng)
        info, over = {"seen": seen}, self.problem.is_terminal(state)
        if over:
            info["state"] = state
        else:
            self._belief.update(int(action), seen)
        self._on = None if over else (state,)
        return self._observed(), float(reward), over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions may be taken now, bool [actions], as maskable algorithms ask for it."""
        masks = np.zeros(len(self.problem.actions), bool)
        masks[self._belief.legal()] = True
        return masks

    def _observed(self) -> Observation:
        weights = np.asarray(self._belief.weights)
        particles = self._features(self._belief.states, self._shape).reshape(self.particles, -1)
        return {"particles": particles, "weights": (weights / weights.sum()).astype(np.float32)}

    def _features(self, states: list[Any], shape: tuple[int, ...] | None = None) -> Features:
        """Return the features of states, float32 [states, any]. shape: that of others. Raises SleuthError."""
        name, features = type(self.problem).__name__, getattr(self.problem, "features", None)
        if callable(features):
            given, what = [features(state) for state in states], f"what features() of {name} returned"
        else:
            given, what = states, f"a state of {name}, which has no features(state),"
        try:
            return features_of(given, what, None if shape is None else (len(given), *shape))
        except SleuthError:  # of all together: it is one of them
            for one in given:
                features_of(one, what, shape)
            raise

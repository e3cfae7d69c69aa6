"""Any POMDP that is laid out as a Gymnasium environment."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sleuth.learning.gym.control import OBSERVED, Observed
from sleuth.learning.gym.episode import BLANK, check_action, checked_options, going_on
from sleuth.planning.benchmark.problems import laid_out
from sleuth.planning.pomdps.online import drawn_from, ends
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.ranges import check_number
from sleuth.support.registry import unknown_name

Observation = dict[str, Any]


class PomdpEnv(gymnasium.Env[Observation, np.int64]):
    """A POMDP whose first state is drawn anew each episode. Registered as sleuth/Pomdp-v0.

    An action is the number of one of `pomdp.actions`. Rewards are the POMDP's, not discounted: the discount
    is in metadata. An episode is terminated where no action brings anything any more; where play goes on for
    ever, give gymnasium.make max_episode_steps.

    Observations: belief, float32 [states], by Bayes' rule; or history, int32 [memory, 2], the last actions
    and what was seen after them, by their numbers, BLANK before the first.

    info: seen, the number of the observation, but for reset; state, its number, once an episode is over.
    reset takes the option state, which is hidden. action_masks() is bool [actions], all true.

    Args:
        problem: a POMDP, the name of one of the benchmark, a .pomdp or .pomdpx file, or FILE.py:NAME.
        observe: "belief" or "history".
        memory: steps of a history.

    Raises SleuthError.

    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}  # type: ignore[misc]

    def __init__(self, problem: POMDP | str, *, observe: Observed = "belief", memory: int = 8) -> None:
        if observe not in OBSERVED:
            raise unknown_name("observation", observe, OBSERVED)
        check_number("memory", memory, least=1, whole=True)
        self.pomdp = laid_out(problem)
        self.observe, self.memory = observe, memory
        self.action_space = spaces.Discrete(len(self.pomdp.actions))
        most = max(len(self.pomdp.actions), len(self.pomdp.observations)) - 1
        self.observation_space = spaces.Dict(
            {"belief": spaces.Box(0, 1, (len(self.pomdp.states),), np.float32)}
            if observe == "belief"
            else {"history": spaces.Box(BLANK, most, (memory, 2), np.int32)}
        )
        self.metadata = {**type(self).metadata, "discount": self.pomdp.discount}  # type: ignore[misc]
        self._state: int | None = None
        self._belief = self.pomdp.initial
        self._history: list[tuple[int, int]] = []
        self._rng = Random(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode. options: {"state": number}, else one is drawn. Raises SleuthError."""
        super().reset(seed=seed)
        options = checked_options(options, ["state"])
        states = range(len(self.pomdp.states))
        self._rng = Random(int(self.np_random.integers(2**63)))
        (self._state,) = self._rng.choices(states, self.pomdp.initial.tolist())
        if "state" in options:
            if options["state"] not in states or not self.pomdp.initial[options["state"]] > 0:
                raise SleuthError(f"play cannot begin in state {shown(options['state'])}")
            self._state = int(options["state"])
        self._belief, self._history = self.pomdp.initial, []
        return self._observed(), {}

    def step(self, action: int | np.integer[Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act. Raises SleuthError for an action that is none, and when the episode is over."""
        before = going_on(self._state)
        check_action(self.action_space, action)
        pomdp, row = self.pomdp, int(action) * len(self.pomdp.states)
        reward = float(pomdp.reward[action, before])
        state = drawn_from(pomdp.transition, row + before, self._rng)
        seen = drawn_from(pomdp.observation, row + state, self._rng)
        if self.observe == "belief":
            self._belief, _ = pomdp.update(self._belief, int(action), seen)
        else:
            self._history = [*self._history, (int(action), seen)][-self.memory :]
        info, over = {"seen": seen}, ends(pomdp, state)
        if over:
            info["state"] = state
        self._state = None if over else state
        return self._observed(), reward, over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions may be taken now, bool [actions], as maskable algorithms ask for it: all."""
        return np.ones(len(self.pomdp.actions), bool)

    def _observed(self) -> Observation:
        if self.observe == "belief":
            return {"belief": self._belief.astype(np.float32)}
        rows = np.full((self.memory, 2), BLANK, np.int32)
        if self._history:
            rows[-len(self._history) :] = self._history
        return {"history": rows}

"""Any problem of adaptive control as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, ClassVar, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from sleuth.learning.gym.episode import BLANK, check_action, checked_options, going_on
from sleuth.learning.gym.features import features_of
from sleuth.planning.belief import update
from sleuth.planning.control import (
    AdaptiveControl,
    controls_in,
    cost_of,
    draw,
    final_cost_of,
    outcomes_of,
    prior_of,
)
from sleuth.planning.empirical import UnlistedError, listed
from sleuth.planning.problems.registry import PROBLEMS
from sleuth.planning.situation import Situation, is_over, start
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.ranges import check_number
from sleuth.support.registry import unknown_name
from sleuth.support.specification import from_text

Observation = dict[str, Any]
Observed = Literal["belief", "history"]
OBSERVED: dict[Observed, str] = {
    "belief": "the chances of the parameters",
    "history": "the controls that were applied and the states they led to",
}
# States with a number of their own at most.
_MOST_STATES = 10_000
_ENCODE = "what encode() returned"


class ControlEnv(gymnasium.Env[Observation, np.int64]):
    """A problem with an unknown parameter, drawn anew each episode. Registered as sleuth/Control-v0.

    An action is the number of a control in `controls`. The reward is minus the cost, with the final one where
    the horizon ends it, so that the return, discounted by the problem's discount, is minus the cost that
    planners minimise. A control that may not be applied leaves the state as it is, and costs `forbidden`.
    An episode is terminated by a terminal state or the horizon; it is never truncated.

    Observations: state, its number in `states`, or float32 [any] of `encode`; stage, where there is a
    horizon, from 0; belief float32 [parameters], or history int32 [horizon, 2], control and state by their
    numbers, BLANK where nothing was applied yet.

    info: action_mask int8 [controls], 1 where a control may be applied; parameter, its number, once an
    episode is over. action_masks() is the same as bool. metadata: discount. reset takes the option parameter.

    Args:
        problem: a problem, its name with options as in "rocksample(n=4,k=4)", or FILE.py:NAME.
        observe: "belief" or "history".
        encode: a state as a vector of finite numbers, where states are too many to have a number each.
        controls: all controls; those of the states that can be reached, unless given.
        forbidden: what a control costs that may not be applied.

    Raises SleuthError.

    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}  # type: ignore[misc]

    def __init__(
        self,
        problem: AdaptiveControl | str,
        *,
        observe: Observed = "belief",
        encode: Callable[[Any], ArrayLike] | None = None,
        controls: Sequence[Any] | None = None,
        forbidden: float = 1.0,
    ) -> None:
        if observe not in OBSERVED:
            raise unknown_name("observation", observe, OBSERVED)
        check_number("forbidden", forbidden, least=0)
        stated: Any = from_text(PROBLEMS, problem, files=True) if isinstance(problem, str) else problem
        self.problem: AdaptiveControl = listed(stated)
        self._begin = start(self.problem)
        self.encode, self.forbidden, self.observe = encode, float(forbidden), observe
        self.states: tuple[Hashable, ...] = ()
        found: Sequence[Any] = controls or ()
        if encode is None or controls is None:
            self.states, reached = _reachable(self.problem)
            found = reached if controls is None else controls
        self.controls = tuple(found)
        self._controls = {control: number for number, control in enumerate(self.controls)}
        self._states = {state: number for number, state in enumerate(self.states)}
        self.action_space = spaces.Discrete(len(self.controls))
        self.observation_space = self._space()
        self.metadata = {**type(self).metadata, "discount": self.problem.discount}  # type: ignore[misc]
        self._now: Situation | None = None
        self._history: list[tuple[int, int]] = []
        self._parameter = 0
        self._rng = Random(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode. options: {"parameter": number}, else one is drawn. Raises SleuthError."""
        super().reset(seed=seed)
        options = checked_options(options, ["parameter"])
        numbers = range(len(self.problem.parameters))
        self._rng = Random(int(self.np_random.integers(2**63)))
        (self._parameter,) = self._rng.choices(numbers, prior_of(self.problem).tolist())
        if "parameter" in options:
            if options["parameter"] not in numbers:
                raise SleuthError(
                    f"parameter {shown(options['parameter'])} is none of 0 to {len(numbers) - 1}"
                )
            self._parameter = int(options["parameter"])
        self._now, self._history = self._begin, []
        return self._observed(self._now), self._info(self._now)

    def step(self, action: int | np.integer[Any]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Apply a control. Raises SleuthError for an action that is none, and when the episode is over."""
        state, belief, stage = going_on(self._now)
        check_action(self.action_space, action)
        problem, control = self.problem, self.controls[int(action)]
        then, cost = state, self.forbidden
        if control in problem.controls(state):
            parameter = problem.parameters[self._parameter]
            then = draw(problem, state, parameter, control, self._rng)
            cost = cost_of(problem, state, parameter, control, then)
            if self.observe == "belief":
                belief = update(problem, state, belief, control, then)
        now = Situation(then, belief, stage + (problem.horizon is not None))
        over = is_over(problem, now)
        if over and not problem.is_terminal(then):
            cost += problem.discount * final_cost_of(problem, then)
        if self.observe == "history":
            self._history.append((int(action), self._number(then)))
        observation, info = self._observed(now), self._info(now)
        if over:
            info["parameter"] = self._parameter
        self._now = None if over else now
        return observation, 0.0 - float(cost), over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which controls may be applied now, bool [controls], as maskable algorithms ask for it.

        Raises SleuthError when no episode is on.
        """
        return self._mask(going_on(self._now).state)

    def _space(self) -> spaces.Dict:
        horizon, found = self.problem.horizon, dict[str, spaces.Space[Any]]()
        if self.encode is None:
            found["state"] = spaces.Discrete(len(self.states))
        else:
            if not callable(self.encode):
                raise SleuthError(f"encode is a function of a state, not {shown(self.encode)}")
            self._shape = features_of(self.encode(self.problem.initial_state), _ENCODE).shape
            found["state"] = spaces.Box(-np.inf, np.inf, self._shape, np.float32)
        if horizon is not None:
            found["stage"] = spaces.Discrete(horizon + 1)
        if self.observe == "belief":
            found["belief"] = spaces.Box(0, 1, (len(self.problem.parameters),), np.float32)
        else:
            if horizon is None or self.encode is not None:
                raise SleuthError("histories need a problem with a horizon, and states by number: no encode")
            most = max(len(self.controls), len(self.states)) - 1
            found["history"] = spaces.Box(BLANK, most, (horizon, 2), np.int32)
        return spaces.Dict(found)

    def _number(self, state: Hashable) -> int:
        if state not in self._states:
            raise SleuthError(
                f"state {state!r} is none of the {len(self._states)} that were found: give encode"
            )
        return self._states[state]

    def _observed(self, now: Situation) -> Observation:
        found: Observation = {}
        if self.encode is None:
            found["state"] = np.int64(self._number(now.state))
        else:
            found["state"] = features_of(self.encode(now.state), _ENCODE, self._shape)
        if self.problem.horizon is not None:
            found["stage"] = np.int64(now.stage)
            if self.observe == "history":
                rows = np.full((self.problem.horizon, 2), BLANK, np.int32)
                rows[: len(self._history)] = np.reshape(self._history, (-1, 2))
                found["history"] = rows
        if self.observe == "belief":
            found["belief"] = now.belief.full(len(self.problem.parameters)).astype(np.float32)
        return found

    def _mask(self, state: Hashable) -> NDArray[np.bool_]:
        mask = np.zeros(len(self.controls), bool)
        if not self.problem.is_terminal(state):
            for control in self.problem.controls(state):
                if control not in self._controls:
                    raise SleuthError(f"control {control!r} of state {state!r} is none of those given")
                mask[self._controls[control]] = True
        return mask

    def _info(self, now: Situation) -> dict[str, Any]:
        return {"action_mask": self._mask(now.state).astype(np.int8)}


def _reachable(problem: AdaptiveControl) -> tuple[tuple[Hashable, ...], tuple[Any, ...]]:
    """Return the states that can be reached, and their controls, in the order found. Raises SleuthError."""
    states: dict[Hashable, None] = {problem.initial_state: None}
    controls: dict[Any, None] = {}
    todo = [problem.initial_state]
    for state in todo:
        if problem.is_terminal(state):
            continue
        for control in controls_in(problem, state):
            controls[control] = None
            for after in _successors(problem, state, control):
                if after not in states:
                    states[after] = None
                    todo.append(after)
        if len(states) > _MOST_STATES:
            raise SleuthError(
                f"more than {_MOST_STATES} states can be reached: give encode, for states, and controls"
            )
    return tuple(states), tuple(controls)


def _successors(problem: AdaptiveControl, state: Hashable, control: Any) -> list[Hashable]:
    try:
        laws = [outcomes_of(problem, state, parameter, control) for parameter in problem.parameters]
    except UnlistedError as error:
        raise SleuthError(
            f"{error}. An environment can do without a list: give encode and controls"
        ) from None
    return [after for law in laws for chance, after in law if chance > 0]

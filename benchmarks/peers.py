"""Planners of pomdp_py and POMDPPlanners as methods of the benchmark of planning.

    pip install pomdp-py POMDPPlanners
    sleuth bench planning --problems rocksample-7-8,tag --seconds 0.1 --methods \
        "tree,despot,pomcp,benchmarks/peers.py:PomdpPy,benchmarks/peers.py:PomdpPy(preferred=true),benchmarks/peers.py:Planners"

They meet the same episodes as ours and have the same processor time: their clocks are set to it. Of the
problem they draw by Python and bisection in lists. States at the root come from the exact belief, as ours do,
which is more than their own particles would know.
"""

from __future__ import annotations

import logging
import random
from bisect import bisect
from collections.abc import Hashable
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from sleuth.kernels.compiling import seconds_worked
from sleuth.planning import ModelledPomdp, Preference
from sleuth.planning import Planners as Made
from sleuth.planning.pomdps.pomcp import reward_range
from sleuth.planning.pomdps.pomdp import Rows

_DEPTH = 40
_PARTICLES = 1000
_CLOCK = SimpleNamespace(time=seconds_worked)


class Steps:
    """What comes of an action in a state, drawn. States, actions and observations are numbers."""

    def __init__(self, modelled: ModelledPomdp) -> None:
        pomdp = modelled.pomdp
        self.states, self.actions = len(pomdp.states), len(pomdp.actions)
        self._next, self._seen = _drawn(pomdp.transition), _drawn(pomdp.observation)
        self.reward = pomdp.reward.tolist()
        starts = pomdp.transition.starts.reshape(-1)
        stays = np.zeros((self.actions, self.states), bool)
        single = np.diff(starts) == 1
        stays.reshape(-1)[single] = (
            pomdp.transition.columns[starts[:-1][single]]
            == np.tile(np.arange(self.states), self.actions)[single]
        )
        self.ends = (stays.all(0) & ~pomdp.reward.any(0)).tolist()

    def after(self, state: int, action: int) -> int:
        """Return a next state."""
        return _draw(*self._next[action * self.states + state])

    def seen(self, after: int, action: int) -> int:
        """Return an observation after an action in a next state."""
        return _draw(*self._seen[action * self.states + after])


def _drawn(table: Rows) -> list[tuple[list[int], list[float]]]:
    bounds = table.starts.tolist()
    return [(table.columns[a:b].tolist(), np.cumsum(table.values[a:b]).tolist()) for a, b in pairwise(bounds)]


def _draw(columns: list[int], sums: list[float]) -> int:
    return columns[min(bisect(sums, random.random() * sums[-1]), len(columns) - 1)]


class _Search:
    """A planner with an exact belief; what a peer does is left to `best` and `taken`."""

    def __init__(self, modelled: ModelledPomdp, seconds: float | None, seed: int) -> None:
        self.modelled, self.seconds = modelled, seconds
        self.at = modelled.root
        random.seed(seed)
        np.random.seed(seed % 2**32)  # noqa: NPY002 theirs draw from there

    def choose(self) -> int:
        return int(self.search().action)

    def search(self, seconds: float | None = None, progress: Any = None) -> SimpleNamespace:
        seconds = self.seconds if seconds is None else seconds
        return SimpleNamespace(action=self.best(1.0 if seconds is None else seconds))

    def observe(self, action: int, observation: int) -> None:
        self.taken(action, observation)
        self.at = self.modelled.after(*self.at, action, observation)

    @property
    def belief(self) -> tuple[list[int], np.ndarray]:
        """The states that are possible, and how likely they are."""
        part, chances = self.at
        states = self.modelled.parts.members[part]
        return states[chances > 0].tolist(), chances[chances > 0]

    def best(self, seconds: float) -> int:
        raise NotImplementedError

    def taken(self, action: int, observation: int) -> None:
        """Take a tree on."""


@dataclass(frozen=True)
class PomdpPy:
    """POMCP of pomdp_py, with random rollouts or those that ours prefers in RockSample.

    Attributes:
        preferred: whether rollouts, and the tree, are of preferred actions.
        depth: steps of a simulation at most.
        exploration: of upper confidence bounds; the range of rewards unless given, as ours has it.

    """

    name: ClassVar[str] = "pomdp_py"
    preferred: bool = False
    depth: int = _DEPTH
    exploration: float | None = None

    def planners(
        self, modelled: ModelledPomdp, preference: Preference | None = None, seconds: float | None = None
    ) -> Made:
        import pomdp_py
        from pomdp_py.algorithms import po_uct

        po_uct.time = _CLOCK
        steps = Steps(modelled)
        states = [pomdp_py.SimpleState(number) for number in range(steps.states)]
        seen = [pomdp_py.SimpleObservation(number) for number in range(len(modelled.pomdp.observations))]

        class Action(pomdp_py.Action):
            """An action by its number; there is one object of each, so that it is told by itself."""

            def __init__(self, number: int) -> None:
                self.number = number

            def __hash__(self) -> int:
                return self.number

            def __eq__(self, other: object) -> bool:
                return self is other

        actions = [Action(number) for number in range(steps.actions)]

        class Transitions(pomdp_py.TransitionModel):
            def sample(self, state: Any, action: Any) -> Any:
                return states[steps.after(state.data, action.number)]

        class Observations(pomdp_py.ObservationModel):
            def sample(self, next_state: Any, action: Any) -> Any:
                return seen[steps.seen(next_state.data, action.number)]

        class Rewards(pomdp_py.RewardModel):
            def sample(self, state: Any, action: Any, next_state: Any) -> float:
                return steps.reward[action.number][state.data]

        if not self.preferred:
            preference = None
        exploration = self.exploration
        if exploration is None:
            exploration = reward_range(modelled, preference)
        prefers = _Preferred(modelled, preference, actions) if preference is not None else None

        class Rollouts(pomdp_py.RolloutPolicy):
            def get_all_actions(self, state: Any = None, history: Any = None) -> Any:
                return actions if prefers is None else prefers.all(state.data)

            def rollout(self, state: Any, history: Any = None) -> Any:
                return random.choice(actions) if prefers is None else prefers.draw(history)

        policy = Rollouts()
        models = Transitions(), Observations(), Rewards()
        depth, discount = self.depth, modelled.discount

        class Search(_Search):
            agent: Any = None
            planner: Any = None

            def best(self, seconds: float) -> int:
                support, chances = self.belief
                drawn = random.choices(support, chances.tolist(), k=_PARTICLES)
                particles = pomdp_py.Particles([states[number] for number in drawn])
                if prefers is not None:
                    prefers.begin(*self.at)
                if self.agent is None:
                    self.agent = pomdp_py.Agent(particles, policy, *models)
                else:
                    self.agent.set_belief(particles)
                self.planner = pomdp_py.POMCP(
                    max_depth=depth,
                    discount_factor=discount,
                    planning_time=seconds,
                    exploration_const=exploration,
                    rollout_policy=policy,
                )
                return int(self.planner.plan(self.agent).number)

            def taken(self, action: int, observation: int) -> None:
                try:
                    with redirect_stdout(StringIO()):  # it tells of particles
                        self.planner.update(self.agent, actions[action], seen[observation])
                except (ValueError, KeyError, AssertionError):  # no particle of theirs is left there
                    self.agent = None

        return Made(lambda seed: Search(modelled, seconds, seed))


class _Preferred:
    """Rollouts of preferred actions, as kernels/pomcp.py has them, by what the history of one says.

    Histories of a rollout each go on from the one before, and so does what is known of them.
    """

    def __init__(self, modelled: ModelledPomdp, preference: Preference, actions: list[Any]) -> None:
        self._modelled, self._preference = modelled, preference
        layout, members = modelled.parts.layout, modelled.parts.members
        self._part = np.empty(len(modelled.pomdp.states), np.int64)
        self._choices, self._actions = [], []
        for part, states in enumerate(members):
            self._part[states] = part
            choices = [c for c in range(*layout.choice[part : part + 2]) if preference.base[c] >= 0]
            self._choices.append(choices)
            self._actions.append([actions[modelled.action(c)] for c in choices])
        self._base = [preference.base[choices] for choices in self._choices]
        self._serves = [preference.serves[choices] for choices in self._choices]
        self._ways: dict[tuple[int, int, int], tuple[int, int]] = {}

    def begin(self, part: int, belief: Any) -> None:
        """Begin from a belief."""
        self._root = part, self._preference.scores(part, belief)
        self._known: tuple[Any, ...] = ()
        self._at = self._root

    def all(self, state: int) -> list[Any]:
        """Return the actions that are not left out."""
        return self._actions[self._part[state]]

    def draw(self, history: tuple[Any, ...]) -> Any:
        """Return an action for a rollout."""
        before = len(self._known)
        if len(history) <= before or (before and history[before - 1] is not self._known[-1]):
            before, self._at = 0, self._root
        for action, observation in history[before:]:
            part, scores = self._at
            way, part = self._way(part, action.number, observation.data)
            self._at = part, scores + self._preference.evidence[way]
        self._known = history
        part, scores = self._at
        weights = (self._base[part] + self._serves[part] @ (scores > 0)).tolist()
        return random.choices(self._actions[part], weights if sum(weights) else None)[0]

    def _way(self, part: int, action: int, observation: int) -> tuple[int, int]:
        """Return the way that an observation is on, and the part where it leads."""
        key = part, action, observation
        if key not in self._ways:
            modelled = self._modelled
            choice = int(modelled.parts.layout.choice_of[part, action])
            first, ways = modelled.model.choices[choice, :2].tolist()
            (way,) = np.flatnonzero(modelled.parts.seen[first : first + ways] == observation) + first
            self._ways[key] = int(way), int(modelled.model.ways[way, 0])
        return self._ways[key]


@dataclass(frozen=True)
class Planners:
    """POMCP of POMDPPlanners, with random rollouts.

    Attributes:
        depth: steps of a simulation at most.
        exploration: of upper confidence bounds; the range of rewards unless given, as ours has it.

    """

    name: ClassVar[str] = "POMDPPlanners"
    depth: int = _DEPTH
    exploration: float | None = None

    def planners(
        self, modelled: ModelledPomdp, preference: Preference | None = None, seconds: float | None = None
    ) -> Made:
        from POMDPPlanners.core.belief import WeightedParticleBelief
        from POMDPPlanners.core.environment import DiscreteActionsEnvironment, SpaceInfo, SpaceType
        from POMDPPlanners.planners.mcts_planners.pomcp import POMCP
        from POMDPPlanners.planners.planners_utils import path_simulations_policy_arena

        path_simulations_policy_arena.time = _CLOCK
        logging.disable(logging.INFO)
        steps = Steps(modelled)
        actions = list(range(steps.actions))

        class Numbered(DiscreteActionsEnvironment):
            def get_actions(self) -> list[int]:
                return actions

            def sample_next_state(self, state: int, action: int, n_samples: int = 1) -> Any:
                drawn = [steps.after(state, action) for _ in range(n_samples)]
                return drawn[0] if n_samples == 1 else drawn

            def sample_observation(self, next_state: int, action: int, n_samples: int = 1) -> Any:
                drawn = [steps.seen(next_state, action) for _ in range(n_samples)]
                return drawn[0] if n_samples == 1 else drawn

            def sample_next_step(self, state: int, action: int) -> tuple[int, int, float]:
                after = steps.after(state, action)
                return after, steps.seen(after, action), steps.reward[action][state]

            def reward(self, state: int, action: int, next_state: Any = None) -> float:
                return steps.reward[action][state]

            def is_terminal(self, state: int) -> bool:
                return steps.ends[state]

            def is_equal_observation(self, observation1: int, observation2: int) -> bool:
                return observation1 == observation2

            def hash_observation(self, observation: int) -> Hashable:
                return observation

            def hash_action(self, action: int) -> Hashable:
                return action

            def initial_state_dist(self) -> Any:
                raise NotImplementedError

            def initial_observation_dist(self) -> Any:
                raise NotImplementedError

            def transition_log_probability(self, state: Any, action: Any, next_states: Any) -> Any:
                raise NotImplementedError

            def observation_log_probability(self, next_state: Any, action: Any, observations: Any) -> Any:
                raise NotImplementedError

        discrete = SpaceInfo(action_space=SpaceType.DISCRETE, observation_space=SpaceType.DISCRETE)
        numbered = Numbered(modelled.discount, "problem", discrete)
        exploration = reward_range(modelled) if self.exploration is None else self.exploration
        planner = POMCP(numbered, modelled.discount, self.depth, exploration, "POMCP", time_out_in_seconds=1)

        class Search(_Search):
            def best(self, seconds: float) -> int:
                support, chances = self.belief
                planner.time_out_in_seconds = seconds
                # It makes weights add up to one itself, and refuses logs that are all 0: of what is certain.
                (action,), _ = planner.action(WeightedParticleBelief(support, np.log(chances) - 1))
                return int(action)

        return Made(lambda seed: Search(modelled, seconds, seed))

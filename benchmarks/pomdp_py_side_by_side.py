"""Sleuth's planners beside those of pomdp_py on RockSample(7,8) and Tiger, with the same time a decision.

    pip install pomdp-py
    python benchmarks/pomdp_py_side_by_side.py --seconds 0.1 --episodes 100

Every method meets the same parameters and random numbers, drawn by Sleuth's simulator, and thinks for so many
seconds a decision (rollout with exact expectations takes as long as it takes, which is shown). pomdp_py plans
with its own models of RockSample; its beliefs are set to the exact ones after every step, which is more than
its particles would know. Rewards are discounted.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass, field
from typing import Any

import pomdp_py
from pomdp_py.problems.rocksample import rocksample_problem as theirs

from sleuth.planning.control import ListedControl
from sleuth.planning.episodes import compare
from sleuth.planning.lookahead import CertaintyEquivalence
from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Policy
from sleuth.planning.problems.rocksample import RockSample
from sleuth.planning.problems.tiger import Tiger
from sleuth.planning.rollout import Rollout
from sleuth.planning.search_policy import SearchPolicy
from sleuth.planning.situation import HiddenState, PomdpView, Situation, start

_PARTICLES = 1000
_DEPTH = 40
_CLOSE = 1.96  # standard errors of a 95 % interval


@dataclass
class Theirs:
    """A planner of pomdp_py as a policy. begin makes an agent, from particles of the belief.

    The tree is kept from step to step, as its examples do.
    """

    begin: Any
    planner: Any
    actions: dict[Any, Any]
    particle: Any
    observation: Any
    initial: Situation
    controls: Any
    _agent: Any = field(default=None, init=False)
    _last: Any = field(default=None, init=False)

    def choose(self, situation: Situation) -> Any:
        belief = situation.belief
        numbers = random.choices(belief.support.tolist(), belief.weights.tolist(), k=_PARTICLES)
        particles = pomdp_py.Particles([self.particle(situation.state, i) for i in numbers])
        if situation == self.initial or self._agent is None:
            self._agent, self._last = self.begin(particles), None
        if self._last is not None:
            try:
                self.planner.update(self._agent, self._last, self.observation(situation.state))
            except (ValueError, KeyError, AssertionError):  # no particle of theirs is left there
                self._agent = self.begin(particles)
            self._agent.set_belief(particles)
        self.planner.plan(self._agent)
        # Theirs may waste a step on what ours does not offer, such as a step into a wall.
        tried = self._agent.tree.children
        useful = [control for control in self.controls(situation.state) if self.actions[control] in tried]
        best = max(useful, key=lambda control: tried[self.actions[control]].value)
        self._last = self.actions[best]
        return best


def rocksample_policies(problem: RockSample, kinds: dict[str, Any], seconds: float) -> dict[str, Policy]:
    """Return pomdp_py's planners on its own RockSample."""
    cells = {cell: i for i, cell in enumerate(problem.rocks)}
    moves = (theirs.MoveEast, theirs.MoveWest, theirs.MoveNorth, theirs.MoveSouth)
    steps = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
    actions: dict[Any, Any] = {
        name: next(move for move in moves if tuple(move.motion) == step) for name, step in steps.items()
    }
    actions["sample"] = theirs.SampleAction()
    actions |= {("check", i): theirs.CheckAction(i) for i in range(problem.k)}

    def particle(state: Any, number: int) -> Any:
        good = number & ~state.sampled
        kinds = tuple("good" if good >> i & 1 else "bad" for i in range(problem.k))
        return theirs.State((state.x, state.y), kinds, False)

    def begin(particles: Any) -> Any:
        first = particles.random()
        whole = theirs.RockSampleProblem(problem.n, problem.k, first, cells, particles, problem.half_distance)
        return whole.agent

    def planner(kind: Any) -> Any:
        return kind(
            max_depth=_DEPTH,
            discount_factor=problem.discount,
            planning_time=seconds,
            exploration_const=20,
            rollout_policy=theirs.RSPolicyModel(problem.n, problem.k),
        )

    return {
        name: Theirs(
            begin,
            planner(kind),
            actions,
            particle,
            lambda state: theirs.Observation(state.seen),
            start(problem),
            problem.controls,
        )
        for name, kind in kinds.items()
    }


class Action(pomdp_py.SimpleAction):
    """A control as an action."""


class State(pomdp_py.SimpleState):
    """A hidden state."""


class Observation(pomdp_py.SimpleObservation):
    """What is seen."""


class Models(pomdp_py.TransitionModel, pomdp_py.ObservationModel, pomdp_py.RewardModel):
    """A problem of Sleuth's, for pomdp_py to simulate; what follows the end costs nothing."""

    def __init__(self, problem: ListedControl, part: str) -> None:
        self.view, self.part = PomdpView(problem), part

    def sample(self, first: Any, action: Any, after: Any = None) -> Any:
        if self.part == "observation":
            return Observation(first.data.state)
        if self.part == "transition":
            if self.view.is_terminal(first.data):
                return first
            return State(self.view.step(first.data, action.name, random)[0])
        if self.view.is_terminal(first.data):
            return 0.0
        problem, (seen, number) = self.view.problem, first.data
        return -problem.cost(seen, problem.parameters[number], action.name, after.data.state)


class AnyAction(pomdp_py.RolloutPolicy):
    """Every action with equal chance."""

    def __init__(self, actions: list[Any]) -> None:
        self.actions = actions

    def get_all_actions(self, *_: Any, **__: Any) -> list[Any]:
        return self.actions

    def sample(self, *_: Any, **__: Any) -> Any:
        return random.choice(self.actions)

    def rollout(self, *_: Any, **__: Any) -> Any:
        return random.choice(self.actions)


def tiger_policies(problem: Tiger, kinds: dict[str, Any], seconds: float) -> dict[str, Policy]:
    """Return pomdp_py's planners on Sleuth's tiger."""
    actions = {control: Action(control) for control in problem.controls(problem.initial_state)}
    model = AnyAction(list(actions.values()))

    def begin(particles: Any) -> Any:
        parts = [Models(problem, part) for part in ("transition", "observation", "reward")]
        return pomdp_py.Agent(particles, model, *parts)

    return {
        name: Theirs(
            begin,
            kind(
                max_depth=_DEPTH,
                discount_factor=problem.discount,
                planning_time=seconds,
                exploration_const=110,
                rollout_policy=model,
            ),
            actions,
            lambda state, number: State(HiddenState(state, number)),
            lambda state: Observation(state),
            start(problem),
            problem.controls,
        )
        for name, kind in kinds.items()
    }


def main() -> None:
    """Print a table for each problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.1, help="a decision")
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--problem", choices=("rocksample", "tiger"), action="append")
    asked = parser.parse_args()
    random.seed(asked.seed)
    kinds = {"pomdp_py POMCP": pomdp_py.POMCP, "pomdp_py PO-UCT": pomdp_py.POUCT}
    for name in asked.problem or ("rocksample", "tiger"):
        problem: Any = RockSample() if name == "rocksample" else Tiger()
        oracle = Oracle(problem)
        ours: dict[str, Policy] = {
            "Sleuth rollout": Rollout(problem, CertaintyEquivalence(problem, oracle)),
            "Sleuth AVTS": SearchPolicy(problem, oracle, oracle, seconds=asked.seconds),
        }
        beside = (rocksample_policies if name == "rocksample" else tiger_policies)(
            problem, kinds, asked.seconds
        )
        scores = compare(problem, ours | beside, asked.episodes, asked.seed)
        print(f"{name}: discounted reward of {asked.episodes} episodes, {asked.seconds} s a decision")
        print(f"{'bound':<16} {-oracle(start(problem)):8.3f}")
        for score in scores:
            spread = _CLOSE * score.error
            print(
                f"{score.name:<16} {-score.mean:8.3f} ± {spread:.3f} (95 %)"
                f"  {1000 * score.seconds:7.1f} ms a decision, {score.decisions:.1f} decisions"
            )


if __name__ == "__main__":
    main()

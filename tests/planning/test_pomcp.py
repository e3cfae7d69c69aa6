"""POMCP in a kernel: against a twin in plain Python, known answers, and what is refused."""

from dataclasses import dataclass, field
from math import log, sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from random_pomdps import random_pomdp

from sleuth.kernels.draws import uniform
from sleuth.planning.pomdps.hsvi import HSVI
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import TreePlanner, play
from sleuth.planning.pomdps.pomcp import Pomcp
from sleuth.planning.pomdps.problems import frozen_lake_pomdp, rocksample_pomdp, tiger_pomdp
from sleuth.planning.pomdps.rock_preference import rock_preference
from sleuth.support.errors import SleuthError


@dataclass
class History:
    """A node: of each choice visits, mean return, and what followed, by the observation."""

    visits: dict[int, int] = field(default_factory=dict)
    values: dict[int, float] = field(default_factory=dict)
    then: dict[tuple[int, int], "History"] = field(default_factory=dict)


class Twin:
    """The search as the paper has it, with the kernel's random numbers."""

    def __init__(self, modelled: ModelledPomdp, coefficient: float) -> None:
        self.modelled, self.coefficient = modelled, coefficient
        self.layout = modelled.parts.layout
        self.rng: Any = np.array([0], np.uint64)
        self.root = History()

    def choices(self, part: int) -> range:
        return range(self.layout.choice[part], self.layout.choice[part + 1])

    def step(self, part: int, state: int, choice: int) -> tuple[float, int, int, int]:
        """Return the reward, and the way, the part and the state that follow, drawn."""
        reward = float(self.layout.rewards[self.layout.reward[choice] + state])
        u, total, found = uniform(self.rng), 0.0, (0, 0, 0)
        for way in range(self.layout.way[choice], self.layout.way[choice + 1]):
            for i in range(self.layout.step[way], self.layout.step[way + 1]):
                if self.layout.source[i] == state:
                    total += self.layout.chance[i]
                    found = way, int(self.layout.to[way]), int(self.layout.target[i])
                    if u < total:
                        return reward, *found
        return reward, *found

    def rollout(self, part: int, state: int, weight: float) -> float:
        total, factor = 0.0, 1.0
        while not self.modelled.is_over(part) and weight * factor >= 0.005:
            choices = self.choices(part)
            choice = choices[int(len(choices) * uniform(self.rng))]
            reward, _, part, state = self.step(part, state, choice)
            total += factor * reward
            factor *= self.modelled.discount
        return total

    def simulate(self, node: History, part: int, state: int, weight: float) -> float:
        if weight < 0.005:
            return 0.0
        choices = self.choices(part)
        untried = [choice for choice in choices if choice not in node.visits]
        whole = sum(node.visits.values())
        choice = (
            untried[0]
            if untried
            else max(
                choices,
                key=lambda c: node.values[c] + self.coefficient * sqrt(log(whole)) / sqrt(node.visits[c]),
            )
        )
        reward, way, then, after = self.step(part, state, choice)
        weight *= self.modelled.discount
        if self.modelled.is_over(then):
            ahead = 0.0
        elif (choice, way) in node.then:
            ahead = self.simulate(node.then[choice, way], then, after, weight)
        else:
            node.then[choice, way] = History()
            ahead = self.rollout(then, after, weight)
        total = reward + self.modelled.discount * ahead
        node.visits[choice] = node.visits.get(choice, 0) + 1
        mean = node.values.get(choice, 0.0)
        node.values[choice] = mean + (total - mean) / node.visits[choice]
        return total

    def run(self, simulations: int) -> None:
        part, belief = self.modelled.root
        for _ in range(simulations):
            u = uniform(self.rng) * float(np.cumsum(belief)[-1])
            state = int(np.searchsorted(np.cumsum(belief), u, side="right"))
            self.simulate(self.root, part, state, 1.0)


@pytest.mark.parametrize(
    ("count", "simulations"), [(5, 60), pytest.param(25, 300, marks=pytest.mark.thorough)]
)
def test_twin(count: int, simulations: int) -> None:
    for pomdp in [*map(random_pomdp, range(count)), tiger_pomdp(), frozen_lake_pomdp()]:
        modelled = ModelledPomdp(pomdp)
        planner = Pomcp(modelled, simulations, coefficient=2.0)
        twin = Twin(modelled, 2.0)
        planner.choose()
        twin.run(simulations)
        visits, values = planner.root
        choices = twin.choices(modelled.root[0])
        assert visits.tolist() == [twin.root.visits.get(choice, 0) for choice in choices]
        expected = [twin.root.values.get(choice, 0.0) for choice in choices]
        assert values.tolist() == pytest.approx(expected, abs=1e-9)


def test_a_tree_that_grows_finds_what_one_with_room_does() -> None:
    """Simulations in one go and one by one are the same, whatever room there is."""
    modelled = ModelledPomdp(tiger_pomdp())
    whole, parts = Pomcp(modelled, 4000, seed=3), Pomcp(modelled, 500, seed=3)
    whole.choose()
    for _ in range(8):
        parts.choose()
    assert whole.root[0].tolist() == parts.root[0].tolist()
    assert whole.root[1].tolist() == parts.root[1].tolist()


def test_known_values() -> None:
    """Means include what exploring costs: they come near the proven optimum, and hardly exceed it."""
    for seed in range(4):
        pomdp = random_pomdp(seed)
        planner = Pomcp(ModelledPomdp(pomdp), 20_000)
        found = planner.search()
        optimum = HSVI(pomdp).run(gap=0.01, seconds=5).upper
        assert optimum - 0.2 < found.value < optimum + 0.1


@pytest.mark.parametrize("episodes", [2, pytest.param(20, marks=pytest.mark.thorough)])
def test_preferred_rollouts_of_rocksample(episodes: int) -> None:
    """They are worth more than random ones (Silver and Veness 2010), on the same episodes."""
    modelled = ModelledPomdp(rocksample_pomdp(4, 4))
    preference = rock_preference(modelled, 4, 4)
    pomdp = modelled.pomdp
    preferred = [
        play(pomdp, Pomcp(modelled, 200, preference=preference, seed=s), Random(s)) for s in range(episodes)
    ]
    random = [play(pomdp, Pomcp(modelled, 200, seed=s), Random(s)) for s in range(episodes)]
    assert sum(preferred) / episodes > sum(random) / episodes + 5


@pytest.mark.thorough
def test_plays_tiger_near_the_optimum() -> None:
    """The tree over beliefs plays within three standard errors of the optimum, 19.37."""
    modelled = ModelledPomdp(tiger_pomdp())
    gains = [play(modelled.pomdp, TreePlanner(modelled, 50, seed=s), Random(s)) for s in range(60)]
    error = float(np.std(gains)) / sqrt(60)
    assert abs(float(np.mean(gains)) - 19.37) < 3 * error


def test_refused() -> None:
    modelled = ModelledPomdp(tiger_pomdp())
    for bad, message in (
        ({}, "a limit of simulations or of seconds"),
        ({"simulations": 0}, "1 or more, not 0"),
        ({"simulations": 1, "coefficient": -1.0}, "0 or more and finite, not -1"),
    ):
        with pytest.raises(SleuthError, match=message):
            Pomcp(modelled, **bad)
    planner = Pomcp(ModelledPomdp(frozen_lake_pomdp()), 10)
    planner.choose()
    with pytest.raises(SleuthError, match="'15' cannot be observed after 'left' there"):
        planner.observe(0, 15)

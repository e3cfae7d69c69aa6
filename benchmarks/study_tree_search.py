"""Action Value Tree Search beside UCT, POMCP and DESPOT: paired episodes, equal processor time a decision.

    python benchmarks/study_tree_search.py --milliseconds 10 --episodes 200
    python benchmarks/study_tree_search.py --nodes

Each method meets the same episodes (the same seeds of first states and of what comes of actions) and thinks
for so many milliseconds of processor time a decision, trees kept from decision to decision. What is shown is
the discounted reward, and how far each is from plain UCT, episode by episode, with 95 % intervals. --nodes:
how many nodes a second of processor time a tree takes in on RockSample(7,8), instead.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from math import sqrt
from random import Random
from statistics import fmean, stdev

from sleuth.planning.belief_tree import BeliefTree, Searched
from sleuth.planning.modelled_control import ModelledControl
from sleuth.planning.oracle import Oracle
from sleuth.planning.pomdps.despot import Despot, Determined
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import TreePlanner, play
from sleuth.planning.pomdps.pomcp import Pomcp, reward_range
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.planning.pomdps.problems import frozen_lake_pomdp, rocksample_pomdp, tiger_pomdp
from sleuth.planning.pomdps.rock_preference import rock_preference
from sleuth.planning.problems.rocksample import RockSample
from sleuth.planning.samplers import Puct, Sampler, Thompson, Uct
from sleuth.planning.situation import BeliefMDP
from sleuth.planning.tree_search import TreeSearch

_CLOSE = 1.96  # standard errors of a 95 % interval
Searching = TreePlanner | Pomcp | Despot
Make = Callable[[int], Searching]


class Timed:
    """A planner that thinks again and again until its processor time is over."""

    def __init__(self, planner: Searching, seconds: float) -> None:
        self.planner, self.seconds = planner, seconds
        self.observe = planner.observe

    def choose(self) -> int:
        began = time.process_time()
        while True:
            found = self.planner.search()
            proved = isinstance(found, Searched) and found.proved
            if proved or isinstance(found, Determined) or time.process_time() - began >= self.seconds:
                return int(found.action)


def problems() -> dict[str, tuple[POMDP, tuple[float, float]]]:
    """Return the problems, each with limits of its values that need no planning."""
    return {
        "FrozenLake 4x4": (frozen_lake_pomdp(4), (0.0, 1.0)),
        "FrozenLake 8x8": (frozen_lake_pomdp(8), (0.0, 1.0)),
        "Tiger": (tiger_pomdp(), (-2000.0, 200.0)),
        "RockSample(4,4)": (rocksample_pomdp(4, 4), (-2000.0, 50.0)),
        "RockSample(7,8)": (rocksample_pomdp(7, 8), (-2000.0, 90.0)),
    }


def methods(name: str, pomdp: POMDP, limits: tuple[float, float], seconds: float) -> dict[str, Make]:
    """Return the methods by name, plain UCT first. seconds: of DESPOT, which draws scenarios anew."""
    modelled, plain = ModelledPomdp(pomdp), ModelledPomdp(pomdp, limits)
    found: dict[str, Make] = {"UCT, random rollouts": lambda seed: Pomcp(modelled, 16, seed=seed)}
    less = reward_range(modelled) / 10
    found["UCT, a tenth of the coefficient"] = lambda seed: Pomcp(modelled, 16, coefficient=less, seed=seed)
    if name.startswith("Rock"):
        n, k = int(name[11]), int(name[13])
        preference = rock_preference(modelled, n, k)
        found["POMCP, preferred rollouts"] = lambda seed: Pomcp(
            modelled, 16, preference=preference, seed=seed
        )
    found["DESPOT"] = lambda seed: Despot(modelled, seconds=seconds, scenarios=100, seed=seed)
    found["AVTS"] = lambda seed: TreePlanner(modelled, 4, seed=seed)
    found["AVTS, limits alone"] = lambda seed: TreePlanner(plain, 4, seed=seed)
    found["the same with UCT's sampler"] = lambda seed: TreePlanner(
        modelled, 4, None, Uct(reward_range(modelled)), seed
    )
    return found


def study(name: str, episodes: int, seconds: float) -> None:
    """Print a table of a problem."""
    pomdp, limits = problems()[name]
    first: list[float] = []
    print(f"| {name} | reward | beside UCT |")
    for method, make in methods(name, pomdp, limits, seconds).items():
        make(0).choose()  # compiled before time counts
        gains = [play(pomdp, Timed(make(seed), seconds), Random(f"study/{seed}")) for seed in range(episodes)]
        first = first or gains
        apart = [gain - other for gain, other in zip(gains, first, strict=True)]
        print(f"| {method} | {_interval(gains)} | {_interval(apart)} |", flush=True)


def _interval(values: list[float]) -> str:
    return f"{fmean(values):.3f} ± {_CLOSE * stdev(values) / sqrt(len(values)):.3f}"


def nodes() -> None:
    """Print nodes a second of processor time on RockSample(7,8)."""
    problem = RockSample()
    oracle = Oracle(problem)
    search = TreeSearch(BeliefMDP(problem, oracle, oracle))
    began = time.process_time()
    search.run(seconds=4.0)
    print(f"planning/tree_search.py: {len(search.nodes) / (time.process_time() - began):.0f}")
    samplers: tuple[Sampler, ...] = (Thompson(), Uct(16.0), Puct())
    for name, modelled in (
        ("a POMDP", ModelledPomdp(rocksample_pomdp(7, 8))),
        ("a problem of adaptive control", ModelledControl(problem, oracle)),
    ):
        for sampler in samplers:
            BeliefTree(modelled, sampler).run(5000)  # compiled, and laid out, before time counts
            tree = BeliefTree(modelled, sampler)
            for memory in ("fresh", "used before"):
                began = time.process_time()
                found = tree.run(simulations=5000)
                rate = found.nodes / (time.process_time() - began)
                print(f"kernel, {name}, {type(sampler).__name__}, memory {memory}: {rate:.0f}", flush=True)
                tree.forget()
                tree.move(*modelled.root)


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--milliseconds", type=float, default=10.0, help="of processor time a decision")
    parser.add_argument("--episodes", type=int, default=200)
    parser.add_argument("--problem", choices=list(problems()), action="append")
    parser.add_argument("--nodes", action="store_true")
    asked = parser.parse_args()
    if asked.nodes:
        nodes()
        return
    for name in asked.problem or problems():
        study(name, asked.episodes, asked.milliseconds / 1000)


if __name__ == "__main__":
    main()

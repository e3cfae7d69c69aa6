"""Tree search over beliefs in kernels: against planning/tree_search.py, its twin in plain Python."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from random_pomdps import dense, random_pomdp

from sleuth.kernels.belief_tree import Model
from sleuth.kernels.draws import normal
from sleuth.planning.belief_tree import BeliefTree, Modelled
from sleuth.planning.mdp import Option, Outcome
from sleuth.planning.modelled_control import ModelledControl
from sleuth.planning.oracle import Oracle
from sleuth.planning.pomdps.hsvi import HSVI
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.planning.pomdps.problems import frozen_lake_pomdp, rocksample_pomdp, tag_pomdp, tiger_pomdp
from sleuth.planning.problems.rocksample import RockSample
from sleuth.planning.problems.tiger import Tiger
from sleuth.planning.samplers import (
    Arm,
    EpsilonGreedy,
    Gumbel,
    Hoeffding,
    Laplace,
    Puct,
    Sampler,
    Thompson,
    Uct,
)
from sleuth.planning.tree_search import Edge, Node, TreeSearch
from sleuth.support.errors import Interrupted, SleuthError

State = tuple[int, tuple[float, ...]]


def mean(values: Sequence[float], belief: Sequence[float]) -> float:
    """Return what values are on average, added up in the order of the kernel."""
    sums, whole = [0.0] * 4, len(belief) - len(belief) % 4
    for i, (value, weight) in enumerate(zip(values, belief, strict=True)):
        sums[i % 4 if i < whole else 0] += value * weight
    return (sums[0] + sums[1]) + (sums[2] + sums[3])


class Beliefs:
    """A model as a decision process, read off its arrays in plain Python."""

    def __init__(self, modelled: Modelled) -> None:
        self.modelled = modelled
        self.discount = modelled.discount
        self.met: dict[tuple[int, ...], State] = {}
        part, belief = modelled.root
        self.initial = self.same(part, belief.tolist())

    @property
    def model(self) -> Model:
        return self.modelled.model

    def same(self, part: int, belief: Sequence[float]) -> State:
        """Return the belief as it was first met, but for rounding."""
        key = part, *(int(weight * 2**40 + 0.5) for weight in belief)
        return self.met.setdefault(key, (part, tuple(belief)))

    def choices(self, part: int) -> range:
        self.modelled.laid_out(part)
        _, first, count, _ = self.model.parts[part].tolist()
        return range(first, first + count)

    def of(self, values: Any, choice: int, belief: Sequence[float]) -> float:
        begin = int(self.model.choices[choice, 2])
        return mean(values[begin : begin + len(belief)].tolist(), belief)

    def options(self, state: Any) -> Iterator[Option]:
        part, belief = state
        found = []
        for choice in self.choices(part):
            bound = self.of(self.model.most, choice, belief)
            estimate = bound if not len(self.model.estimate) else self.of(self.model.estimate, choice, belief)
            found.append(Option(choice, min(estimate, bound), bound))
        yield from sorted(found, key=lambda option: -option.estimate)

    def limits(self, state: Any) -> tuple[float, float]:
        part, belief = state
        most = max(self.of(self.model.most, choice, belief) for choice in self.choices(part))
        floor = int(self.model.parts[part, 3])
        least = (
            mean(self.model.least[floor : floor + len(belief)].tolist(), belief) if floor >= 0 else -np.inf
        )
        return least, max(least, most)

    def outcomes(self, state: Any, action: Any) -> list[Outcome]:
        _, belief = state
        way, ways, _ = self.model.choices[action].tolist()
        found = []
        for part, first, end in self.model.ways[way : way + ways].tolist():
            size = int(self.model.parts[part, 0]) if part >= 0 else len(belief)
            then = [0.0] * max(size, 1 + max(self.model.target[first:end], default=0))
            total = 0.0
            for i in range(first, end):
                weight = belief[self.model.source[i]] * float(self.model.chance[i])
                then[self.model.target[i]] += weight
                total += weight
            if total > 0:
                after = None if part < 0 else self.same(part, [weight / total for weight in then])
                found.append(Outcome(total, 0.0, after))
        return found


class Twin(TreeSearch):
    """The search, in which rewards are those of actions, whatever comes of them."""

    def _list(self, mdp: Any, node: Node, edge: Edge) -> None:
        super()._list(mdp, node, edge)
        state: Any = node.state
        edge.settled = mdp.of(mdp.model.gains, edge.action, state[1])


@dataclass
class Drawn:
    """Thompson sampling by the kernel's random numbers."""

    rng: Any = field(default_factory=lambda: np.array([0], np.uint64))

    def pick(self, arms: Sequence[Arm], visits: int, rng: Random, k: int = 1) -> list[int]:
        scores = [arm.value + sqrt(arm.variance) * normal(self.rng) for arm in arms]
        return [scores.index(max(scores))]


def check_same(modelled: Modelled, sampler: Sampler, twins: Sampler) -> None:
    """Hold a tree to its twin's, node by node and edge by edge."""
    tree = BeliefTree(modelled, sampler)
    beliefs = Beliefs(modelled)
    twin = Twin(beliefs, twins)
    for _ in range(60):
        tree.run(1)
        twin.run(1)
        if len(twin.nodes) > 100:  # simulations look into all that may come, so that trees grow fast
            break
    nodes = list(tree.nodes())
    assert len(nodes) == len(twin.nodes)
    for part, belief, node in nodes:
        other = twin.nodes[beliefs.same(part, belief)]
        assert node.visits == other.visits
        assert node.value == pytest.approx(other.value, abs=1e-9)
        assert node.achieved == pytest.approx(other.achieved, abs=1e-9)
        assert node.bound == pytest.approx(other.bound, abs=1e-9)
        assert node.live == {edge.action: edge.visits for edge in other.live}
    assert tree.run(0).value == pytest.approx(twin.root.value, abs=1e-9)


SAMPLERS: list[tuple[Sampler, Any]] = [
    (Thompson(), Drawn),
    *(
        (sampler, partial(replace, sampler))
        for sampler in (Uct(3.0), Puct(), Gumbel(), Gumbel(5.0, 1.0), Laplace(2.0), Hoeffding(spread=40.0))
    ),
]
NAMES = ["thompson", "uct", "puct", "gumbel", "a sharp gumbel", "laplace", "hoeffding"]


@pytest.mark.parametrize("sampler", SAMPLERS, ids=NAMES)
@pytest.mark.parametrize("limits", [None, (-20.0, 20.0)])
@pytest.mark.parametrize("count", [4, pytest.param(40, marks=pytest.mark.thorough)])
def test_twin(sampler: tuple[Sampler, Any], limits: tuple[float, float] | None, count: int) -> None:
    for pomdp in map(random_pomdp, range(count)):
        if pomdp.discount > 0:  # which the twin asks for
            check_same(ModelledPomdp(pomdp, limits), sampler[0], sampler[1]())


@pytest.mark.parametrize("sampler", SAMPLERS, ids=NAMES)
@pytest.mark.parametrize("pomdp", [tiger_pomdp(), frozen_lake_pomdp()], ids=["tiger", "lake"])
def test_twin_where_play_goes_round(pomdp: POMDP, sampler: tuple[Sampler, Any]) -> None:
    check_same(ModelledPomdp(pomdp, (-400.0, 200.0)), sampler[0], sampler[1]())


@pytest.mark.parametrize("sampler", SAMPLERS, ids=NAMES)
@pytest.mark.parametrize("problem", [Tiger(), RockSample(3, 2)], ids=["tiger", "rocks"])
def test_twin_of_adaptive_control(problem: Any, sampler: tuple[Sampler, Any]) -> None:
    check_same(ModelledControl(problem, Oracle(problem)), sampler[0], sampler[1]())


def test_choices_are_controls() -> None:
    problem = RockSample(3, 2)
    modelled = ModelledControl(problem, Oracle(problem))
    part, _ = modelled.root
    first, count = modelled.model.parts[part, 1:3].tolist()
    controls = [modelled.action(choice) for choice in range(first, first + count)]
    assert controls == list(problem.controls(problem.initial_state))


@pytest.mark.parametrize("sampler", [Thompson(), Uct(0.5), Puct()], ids=["thompson", "uct", "puct"])
@pytest.mark.parametrize(("size", "worth"), [(4, 0.5420), (8, 0.4146)])
def test_lakes_are_solved_from_wrong_estimates(size: int, worth: float, sampler: Sampler) -> None:
    """Play goes round there; from the estimate 1 the value comes to that of value iteration."""
    tree = BeliefTree(ModelledPomdp(frozen_lake_pomdp(size), (0.0, 1.0)), sampler)
    assert tree.run(20_000).value == pytest.approx(worth, abs=1e-3)


def test_the_lake_is_gymnasiums() -> None:
    toy = pytest.importorskip("gymnasium.envs.toy_text.frozen_lake")
    for size in (4, 8):
        pomdp = frozen_lake_pomdp(size)
        law = toy.FrozenLakeEnv(map_name=f"{size}x{size}").P
        transition, _ = dense(pomdp)
        for place, name in enumerate(pomdp.states):
            for action in range(4):
                expected, reward = np.zeros(size * size), 0.0
                for chance, then, gain, _ in law[int(name)][action]:
                    expected[then] += chance
                    reward += chance * gain
                ours = np.zeros(size * size)
                ours[[int(state) for state in pomdp.states]] = transition[action, place]
                assert ours == pytest.approx(expected)
                assert pomdp.reward[action, place] == pytest.approx(reward)


@pytest.mark.parametrize(
    "pomdp",
    [tiger_pomdp(), pytest.param(tag_pomdp(), marks=pytest.mark.thorough), rocksample_pomdp(4, 4)],
    ids=["tiger", "tag", "rocks"],
)
def test_bounds_hold(pomdp: POMDP) -> None:
    """They enclose what point-based value iteration proves, and only come closer."""
    tree = BeliefTree(ModelledPomdp(pomdp))
    proven = HSVI(pomdp).run(trials=20)
    before = tree.run(0)
    for _ in range(5):
        found = tree.run(40)
        assert found.achieved <= proven.upper + 1e-6
        assert found.bound >= proven.lower - 1e-6
        assert found.achieved >= before.achieved
        assert found.bound <= before.bound
        before = found


@pytest.mark.parametrize("seed", range(4))
def test_estimates_lie_between_the_limits(seed: int) -> None:
    """A step ahead of the lower limit, by the arrays of the POMDP, and the informed bound."""
    pomdp = random_pomdp(seed)
    modelled = ModelledPomdp(pomdp)
    layout, model = modelled.parts.layout, modelled.model
    transition, _ = dense(pomdp)
    below = np.full(len(model.most), np.nan)
    for part, members in enumerate(modelled.parts.members):
        for choice in range(layout.choice[part], layout.choice[part + 1]):
            action = modelled.action(choice)
            for place, state in enumerate(members.tolist()):
                ahead = {
                    int(then): model.least[layout.first[to] + i]
                    for way in range(layout.way[choice], layout.way[choice + 1])
                    for to in [layout.to[way]]
                    for i, then in enumerate(modelled.parts.members[to])
                }
                chances = transition[action, state]
                total = sum(chances[then] * value for then, value in ahead.items())
                below[layout.reward[choice] + place] = pomdp.reward[action, state] + pomdp.discount * total
    for optimism in (0.0, 0.3, 1.0):
        found = modelled.with_optimism(optimism).model.estimate
        assert found == pytest.approx((1 - optimism) * below + optimism * model.most)
    assert not model.estimate.size  # which are the upper limits
    wide = ModelledPomdp(pomdp, limits=(-60.0, 70.0))
    assert wide.with_optimism(1).model.estimate == pytest.approx(wide.model.estimate)
    assert wide.with_optimism(0).with_optimism(1).model.estimate == pytest.approx(wide.model.estimate)
    with pytest.raises(SleuthError, match="optimism must be from 0 to 1, not 2"):
        modelled.with_optimism(2)


def test_trees_are_kept_from_decision_to_decision() -> None:
    modelled = ModelledPomdp(tiger_pomdp())
    tree = BeliefTree(modelled)
    tree.run(500)
    known = {(part, tuple(belief)): node for part, belief, node in tree.nodes()}
    listen, left = 0, 0
    part, belief = modelled.after(*modelled.root, listen, left)
    tree.move(part, belief)
    after = tree.run(0)
    assert any(node.visits and node.value == after.value for node in known.values())
    tree.forget()
    tree.move(part, belief)
    assert tree.run(0).nodes == 1


def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulation that is stopped and taken up again after every step is the same simulation."""
    modelled = ModelledPomdp(rocksample_pomdp(3, 3))
    whole = BeliefTree(modelled)
    whole.run(200)
    monkeypatch.setattr("sleuth.planning.belief_tree._SLICE", 1)
    parts = BeliefTree(modelled)
    parts.run(200)
    assert list(whole.nodes()) == list(parts.nodes())


def test_what_is_known_when_it_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = BeliefTree(ModelledPomdp(tiger_pomdp()))
    simulate = tree._simulate
    done: list[int] = []

    def interrupted(last: int, steps: int) -> bool:
        if done:
            raise KeyboardInterrupt
        done.append(last)
        return simulate(last, steps)

    monkeypatch.setattr(tree, "_simulate", interrupted)
    monkeypatch.setattr("sleuth.planning.belief_tree._SLICE", 200)
    with pytest.raises(Interrupted) as caught:
        tree.run(10**9)
    assert caught.value.known.simulations > 0
    # It goes on from the root, whatever was under way.
    monkeypatch.undo()
    tree.move(*tree.modelled.root)
    assert tree.run(10).simulations == 10


@pytest.mark.parametrize("pace", [1e-6, 1e-5, 1e-4])
def test_a_short_time_is_kept(monkeypatch: pytest.MonkeyPatch, pace: float) -> None:
    """By a clock that goes on by the steps made."""
    tree = BeliefTree(ModelledPomdp(rocksample_pomdp(4, 4)))
    simulate, clock = tree._simulate, [0.0]

    def timed(last: int, steps: int) -> bool:
        clock[0] += pace * steps
        return simulate(last, steps)

    monkeypatch.setattr(tree, "_simulate", timed)
    monkeypatch.setattr("sleuth.planning.belief_tree.seconds_worked", lambda: clock[0])
    found = tree.run(seconds=0.01)
    assert 0.01 <= found.seconds == clock[0] < 0.0105 + 2**8 * pace


def test_refused() -> None:
    modelled = ModelledPomdp(tiger_pomdp())
    with pytest.raises(SleuthError, match="laplace and hoeffding, not EpsilonGreedy"):
        BeliefTree(modelled, EpsilonGreedy())
    tree = BeliefTree(modelled)
    with pytest.raises(SleuthError, match="a limit of simulations or of seconds"):
        tree.run()
    with pytest.raises(SleuthError, match="0 or more, not -1"):
        tree.run(-1)
    with pytest.raises(SleuthError, match="limits of values from 1 to 0"):
        ModelledPomdp(tiger_pomdp(), (1, 0))
    with pytest.raises(SleuthError, match="of size 4 or 8, not 5"):
        frozen_lake_pomdp(5)

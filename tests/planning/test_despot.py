"""DESPOT: its bounds against exhaustive search in plain Python, and its play against proven values."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import product
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from random_pomdps import dense, random_pomdp

from sleuth.kernels import despot as kernels
from sleuth.kernels.determinised import COUNT
from sleuth.planning.methods import pomdp_method
from sleuth.planning.pomdps import despot
from sleuth.planning.pomdps.alpha_vectors import AlphaVectors
from sleuth.planning.pomdps.despot import Despot, Determined, ScenarioModel, ScenarioTree
from sleuth.planning.pomdps.drawn.despot import DrawnDespot, DrawnScenarios
from sleuth.planning.pomdps.drawn.problems import drawn_rocksample
from sleuth.planning.pomdps.hsvi import HSVI, PomdpBounds, blind_values
from sleuth.planning.pomdps.hsvi_planner import HsviPlanner
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import play
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.planning.pomdps.problems import rocksample_pomdp, tiger_pomdp
from sleuth.planning.pomdps.small_problems import light_dark_pomdp
from sleuth.planning.searches import DespotMethod
from sleuth.support.errors import Interrupted, SleuthError

Particles = list[tuple[int, int]]


class Exhaustive:
    """The best regularised policy for some scenarios, by trying all (Ye et al. 2017)."""

    def __init__(
        self,
        modelled: ModelledPomdp,
        numbers: NDArray[np.float64],
        penalty: float,
        planned: AlphaVectors | None = None,
    ) -> None:
        """planned: the policy where there is no other; without it, the best action for ever."""
        self.modelled, self.numbers, self.penalty = modelled, numbers, penalty
        self.layout, self.planned = modelled.parts.layout, planned
        self.blind = blind_values(modelled.pomdp, self.layout)

    def step(self, part: int, state: int, choice: int, u: float) -> tuple[float, int, int, int]:
        """Return the reward, and the way, the part and the state that follow for a number."""
        layout, total = self.layout, 0.0
        reward = float(layout.rewards[layout.reward[choice] + state])
        found = (0, 0, 0)
        for way in range(layout.way[choice], layout.way[choice + 1]):
            for i in range(layout.step[way], layout.step[way + 1]):
                if layout.source[i] == state:
                    total += layout.chance[i]
                    found = way, int(layout.to[way]), int(layout.target[i])
                    if u < total:
                        return reward, *found
        return reward, *found

    def end(self, part: int, state: int) -> float:
        return float(self.modelled.model.least[self.layout.first[part] + state])

    def plan(self, part: int, particles: Particles) -> int:
        """Return the number of the action, or of the vector, that looks best."""
        if self.planned is None:
            first = self.layout.first[part]
            sums = [sum(values[first + state] for _, state in particles) for values in self.blind]
            return int(np.argmax(sums))
        members = self.modelled.parts.members[part].tolist()
        belief = np.zeros(len(self.modelled.pomdp.states))
        for _, state in particles:
            belief[members[state]] += 1
        able = [
            (sum(belief[list(one.states)] * one.values), -number)
            for number, one in enumerate(self.planned.vectors)
            if list(one.states) == members
        ]
        return -max(able)[1]

    def default(self, part: int, depth: int, particles: Particles) -> float:
        """Return the mean value of the plan that looks best."""
        discount, parts = self.modelled.discount, self.modelled.parts
        first, total = self.plan(part, particles), 0.0
        for scenario, state in particles:
            plan, at, weight = first, part, 1.0
            for step in range(depth, self.numbers.shape[1]):
                vector = None if self.planned is None else self.planned.vectors[plan]
                action = plan if vector is None else vector.action
                choice = int(self.layout.choice_of[at, action])
                reward, way, at, state = self.step(at, state, choice, self.numbers[scenario, step])
                total += weight * reward
                weight *= discount
                if self.modelled.is_over(at):
                    break
                plan = plan if vector is None else vector.then[int(parts.seen[way])]
            else:
                total += weight * self.end(at, state)
        return total / len(particles)

    def best(self, part: int, depth: int, particles: Particles) -> float:
        """Return what the best policy from a node on adds to the regularised value."""
        scenarios, horizon = self.numbers.shape
        discount = self.modelled.discount
        weight = discount**depth / scenarios
        most = len(particles) * weight * self.default(part, depth, particles)
        if depth == horizon:
            return most
        for choice in range(self.layout.choice[part], self.layout.choice[part + 1]):
            total = -self.penalty
            then: dict[tuple[int, int], Particles] = defaultdict(list)
            for scenario, state in particles:
                reward, way, to, target = self.step(part, state, choice, self.numbers[scenario, depth])
                total += weight * reward
                if not self.modelled.is_over(to):
                    then[way, to].append((scenario, target))
            total += sum(self.best(to, depth + 1, kept) for (_, to), kept in then.items())
            most = max(most, total)
        return most


def drawn(
    modelled: ModelledPomdp, scenarios: int, depth: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return states of the initial belief and numbers."""
    rng = np.random.default_rng(seed)
    _, belief = modelled.root
    return rng.choice(len(belief), scenarios, p=belief), rng.random((scenarios, depth))


SMALL = [(random_pomdp(seed), 3) for seed in range(25)]
SMALL += [(tiger_pomdp(), 4), (tiger_pomdp(0.95, 0.5), 4), (rocksample_pomdp(2, 1), 4)]


@pytest.mark.parametrize(
    "penalty", [0.05, *(pytest.param(penalty, marks=pytest.mark.thorough) for penalty in (0.0, 0.5))]
)
def test_both_bounds_meet_at_what_exhaustive_search_finds(penalty: float) -> None:
    """And on the way it lies between them: they are proven for the scenarios."""
    gaps = []
    for seed, (pomdp, depth) in enumerate(SMALL):
        modelled = ModelledPomdp(pomdp)
        states, numbers = drawn(modelled, 8, depth, seed)
        part = modelled.root[0]
        expected = Exhaustive(modelled, numbers, penalty).best(part, 0, list(enumerate(states.tolist())))
        tree = ScenarioTree(ScenarioModel(modelled), part, states, numbers, penalty, hindsight=True)
        found = tree.run(0)
        for _ in range(2000):
            assert found.lower - 1e-9 <= expected <= found.upper + 1e-9
            gaps.append(found.upper - found.lower)
            found = tree.run(1)
            if found.trials == 0:
                break
        assert (found.lower, found.upper) == pytest.approx((expected, expected))
    assert sum(gap > 1 for gap in gaps) > 10  # there was something to search for


def test_trees_go_on_with_what_was_planned() -> None:
    """Bounds meet at what exhaustive search finds; without trials the lower one is the plan's own value."""
    better = 0
    for seed, (pomdp, depth) in enumerate(SMALL):
        modelled, search = ModelledPomdp(pomdp), HSVI(pomdp)
        search.run(trials=6)
        states, numbers = drawn(modelled, 8, depth, seed)
        part, particles = modelled.root[0], list(enumerate(states.tolist()))
        twin = Exhaustive(modelled, numbers, 0.05, search.policy())
        tree = ScenarioTree(ScenarioModel(modelled, search), part, states, numbers, 0.05, hindsight=True)
        found = tree.run(0)
        assert found.lower == pytest.approx(twin.default(part, 0, particles))
        vector = search.policy().vectors[twin.plan(part, particles)]
        assert found.action == vector.action
        better += found.lower > Exhaustive(modelled, numbers, 0.05).default(part, 0, particles) + 1e-9
        found = tree.run(2000)
        expected = twin.best(part, 0, particles)
        assert (found.lower, found.upper) == pytest.approx((expected, expected))
    assert better > 1


def finite(pomdp: POMDP, belief: NDArray[np.float64], steps: int, end: NDArray[np.float64]) -> float:
    """Return the optimal value of so many steps and what a state is worth then, over beliefs."""
    if not steps:
        return float(belief @ end)
    transition, observation = dense(pomdp)
    found = []
    for action in range(len(pomdp.actions)):
        joint = (belief @ transition[action])[:, None] * observation[action]
        ahead = sum(
            joint[:, seen].sum() * finite(pomdp, joint[:, seen] / joint[:, seen].sum(), steps - 1, end)
            for seen in range(joint.shape[1])
            if joint[:, seen].sum() > 0
        )
        found.append(float(pomdp.reward[action] @ belief) + pomdp.discount * ahead)
    return max(found)


def test_all_scenarios_of_a_tiny_problem_have_its_exact_value() -> None:
    """Chances of the tiger are multiples of a quarter: numbers on a grid are all there is."""
    modelled = ModelledPomdp(tiger_pomdp(accuracy=0.75))
    pomdp = modelled.pomdp
    grid = [list(row) for row in product((0.125, 0.375, 0.625, 0.875), repeat=3)]
    states = np.repeat([0, 1], len(grid))
    tree = ScenarioTree(ScenarioModel(modelled), modelled.root[0], states, np.array(2 * grid), hindsight=True)
    found = tree.run(gap=1e-9)
    (members,) = modelled.parts.members
    end = np.empty(2)
    end[members] = modelled.model.least
    expected = finite(pomdp, pomdp.initial, 3, end)
    assert (found.lower, found.upper) == pytest.approx((expected, expected))


@pytest.mark.parametrize("hindsight", [False, True])
def test_bounds_are_in_order_and_close_in(hindsight: bool) -> None:
    """Also those that are not proven; in one go and trial by trial the same, whatever room there is."""
    modelled = ModelledPomdp(rocksample_pomdp(4, 2))
    states, numbers = drawn(modelled, 50, 30, 1)
    whole, parts = (
        ScenarioTree(ScenarioModel(modelled), modelled.root[0], states, numbers, 0.01, hindsight)
        for _ in range(2)
    )
    before = whole.run(1)
    found = whole.run(149)
    for _ in range(150):
        last = parts.run(1)
        assert last.lower <= last.upper + 1e-9
    assert (last.lower, last.upper, last.nodes) == (found.lower, found.upper, found.nodes)
    assert before.lower <= found.lower
    assert found.upper <= before.upper
    assert found.upper - found.lower < before.upper - before.lower
    assert found.nodes > 1000


def test_a_penalty_that_nothing_is_worth_leaves_the_default_policy() -> None:
    modelled = ModelledPomdp(tiger_pomdp())
    for penalty, nodes in ((1000.0, 1), (0.0, 100)):
        found = Despot(modelled, 50, scenarios=100, penalty=penalty).search()
        assert found.action == 0
        assert found.nodes >= nodes
    assert Despot(modelled, 50, scenarios=100, penalty=1000.0).search().nodes == 1


class Following:
    """Alpha vectors as a planner, with exact beliefs."""

    def __init__(self, pomdp: POMDP, policy: AlphaVectors) -> None:
        self.pomdp, self.policy, self.belief = pomdp, policy, pomdp.initial

    def choose(self) -> int:
        return self.pomdp.actions.index(self.policy.choose(self.belief))

    def observe(self, action: int, observation: int) -> None:
        self.belief, _ = self.pomdp.update(self.belief, action, observation)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and three standard errors."""
    return float(np.mean(values)), 3 * float(np.std(values, ddof=1)) / sqrt(len(values))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("pomdp", "options", "episodes"),
    [
        pytest.param(
            tiger_pomdp(discount=0.85),
            {"trials": 40, "scenarios": 100, "depth": 20},
            60,
        ),
        (rocksample_pomdp(4, 4), {"trials": 60, "scenarios": 100}, 30),
    ],
)
def test_plays_near_the_proven_optimum(pomdp: POMDP, options: dict[str, Any], episodes: int) -> None:
    """In pairs with the policy of HSVI, whose value is the optimum, on the same seeds.

    Rare tigers cost much: what a few episodes bring by themselves says little of the mean.
    """
    search = HSVI(pomdp)
    exact = search.run(seconds=20, gap=0.01)
    assert exact.gap <= 0.01
    modelled, policy = ModelledPomdp(pomdp), search.policy()
    pairs = [
        (play(pomdp, Despot(modelled, seed=s, **options), Random(s)), play(pomdp, found, Random(s)))
        for s in range(episodes)
        for found in [Following(pomdp, policy)]
    ]
    less, error = interval([other - gain for gain, other in pairs])
    assert abs(less) < error + 0.03 * exact.upper
    assert error < 0.4 * exact.upper


def test_what_is_known_when_it_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    modelled = ModelledPomdp(tiger_pomdp())
    states, numbers = drawn(modelled, 20, 10, 0)
    tree = ScenarioTree(ScenarioModel(modelled), modelled.root[0], states, numbers)
    kernel, times = kernels.explored, []

    def interrupted(*args: Any) -> int:
        times.append(1)
        if len(times) > 2:
            raise KeyboardInterrupt
        return int(kernel(*args))

    monkeypatch.setattr(kernels, "explored", interrupted)
    with pytest.raises(Interrupted) as stopped:
        tree.run(1000)
    assert stopped.value.known.lower <= stopped.value.known.upper
    assert 0 < stopped.value.known.trials < 1000


def test_refused() -> None:
    modelled = ModelledPomdp(tiger_pomdp())
    for bad, message in (
        ({}, "a limit of trials or of seconds"),
        ({"trials": 0}, "trials must be 1 or more, not 0"),
        ({"trials": 1, "scenarios": 0}, "scenarios must be 1 or more, not 0"),
        (
            {"trials": 1, "scenarios": 10**9},
            "scenarios of [0-9]+ steps are too many; there is room for [0-9]+",
        ),
        ({"trials": 1, "depth": 0}, "depth must be 1 or more, not 0"),
        ({"trials": 1, "penalty": -1.0}, "penalty must be 0 or more and finite, not -1"),
        ({"seconds": -1.0}, "seconds must be 0 or more, not -1"),
    ):
        with pytest.raises(SleuthError, match=message):
            Despot(modelled, **bad)
    takers: list[Any] = [ScenarioModel, partial(HsviPlanner, trials=1)]
    for make in takers:
        with pytest.raises(SleuthError, match="what was planned is an HSVI, not 5"):
            make(modelled, 5)
        with pytest.raises(SleuthError, match="what was planned is of another POMDP"):
            make(modelled, HSVI(tiger_pomdp(0.95, 0.5)))
    half = np.full((1, 2), 0.5)
    model = ScenarioModel(modelled)
    for part, states, numbers, message in (
        (1, [0], half, "the POMDP has no part 1, only 0 to 0"),
        (0, [2], half, "the part has no state 2, only 0 to 1"),
        (0, [-1], half, "the part has no state -1, only 0 to 1"),
        (0, [0, 1], half, r"numbers \[2, depth\], 1 or more, not \[1, 2\]"),
        (0, [], half[:0], r"numbers \[0, depth\], 1 or more, not \[0, 2\]"),
        (0, [0], half + 0.5, r"lie in \[0, 1\)"),
        (0, [0], half * np.nan, r"lie in \[0, 1\)"),
    ):
        with pytest.raises(SleuthError, match=message):
            ScenarioTree(model, part, states, numbers)
    rocks = ModelledPomdp(rocksample_pomdp(4, 4))
    many = np.zeros(6000, np.int64), np.zeros((6000, 100))
    with pytest.raises(SleuthError, match="bounds by hindsight of 6000 scenarios take more than 1024 MiB"):
        ScenarioTree(ScenarioModel(rocks), rocks.root[0], *many, hindsight=True)
    with pytest.raises(SleuthError, match="cannot be observed"):
        Despot(rocks, 1).observe(0, 1)


def drawn_planner(**limits: Any) -> DrawnDespot:
    return DrawnDespot(drawn_rocksample(3, 2), scenarios=500, particles=200, **limits)


def laid_out_planner(**limits: Any) -> Despot:
    return Despot(ModelledPomdp(tiger_pomdp()), scenarios=500, **limits)


@pytest.mark.parametrize(
    ("planner", "tree"), [(laid_out_planner, ScenarioTree), (drawn_planner, DrawnScenarios)]
)
def test_scenarios_fit_into_the_seconds(
    monkeypatch: pytest.MonkeyPatch, planner: Any, tree: type[Any]
) -> None:
    """Where one trial takes longer than a decision may, the next ones draw fewer; and more again, later."""
    clock, sizes, cost = [0.0], list[int](), [0.001]

    def run(tree: Any, trials: int | None, seconds: float, progress: None) -> Determined:
        sizes.append(int(tree.tree.nodes[0, COUNT]))
        begun, done = clock[0], 0
        while clock[0] < begun + seconds - 1e-9:
            clock[0] += cost[0] * sizes[-1]
            done += 1
        return Determined(0, 0.0, 0.0, done, 1, 0.0)

    monkeypatch.setattr(tree, "run", run)
    monkeypatch.setattr(despot, "seconds_worked", lambda: clock[0])
    short = planner(seconds=0.1)
    for cheaper in (1, 1, 1, 10, 1, 1):
        cost[0] /= cheaper
        short.search()
    assert sizes == [500, 100, 100, 100, 151, 151]
    sizes.clear()

    def late(tree: Any, *_: Any, **__: Any) -> Determined:
        sizes.append(int(tree.tree.nodes[0, COUNT]))
        return Determined(0, 0.0, 0.0, 1, 1, 9.0)

    monkeypatch.setattr(tree, "run", late)
    by_trials = planner(trials=5)
    by_trials.search()
    by_trials.search()
    assert sizes == [500, 500]  # without seconds nothing is late


def test_the_method_plans_before_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the dark one action for ever finds no goal."""
    modelled, given = ModelledPomdp(light_dark_pomdp()), list[float]()
    planning = HSVI.run

    def quick(search: HSVI, seconds: float) -> PomdpBounds:
        given.append(seconds)
        return planning(search, trials=20)

    monkeypatch.setattr(HSVI, "run", quick)
    blind, planned = (
        np.array([play(modelled.pomdp, planners.new(seed), Random(seed)) for seed in range(6)])
        for planners in (
            pomdp_method(f"despot(trials=1,scenarios=100{more})").planners(modelled)
            for more in ("", ",planned=2.5")
        )
    )
    assert given == [2.5]
    less, error = interval((planned - blind).tolist())
    assert less - error > 10
    with pytest.raises(SleuthError, match="planned must be 0 or more, not -1"):
        pomdp_method("despot(planned=-1)")
    with pytest.raises(SleuthError, match="where states are drawn nothing can be planned before play"):
        DespotMethod(planned=1.0).drawn_planners(drawn_rocksample(3, 2))


def test_a_decision_cut_short_leaves_the_number_of_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that was taken before is owed; a trial that does not fit what is left fits the others."""
    clock, drawn = [0.0], []
    monkeypatch.setattr(despot, "seconds_worked", lambda: clock[0])

    class Search:
        tree = None

        def run(self, trials: Any, seconds: Any, progress: Any = None) -> Determined:
            clock[0] += 8.0
            return Determined(0, 0.0, 0.0, 1, 1, 8.0)

    def tree_of(scenarios: int, memory: Any) -> Any:
        drawn.append(scenarios)
        return Search()

    decisions = despot.Decisions(None, 10.0, 100)
    for seconds in (10.0, 1.0, 10.0, 2.0, 4.0, 4.0):
        decisions.next(tree_of, seconds, None)
    assert drawn == [100] * 6
    short = despot.Decisions(None, 4.0, 100)
    for _ in range(2):
        short.next(tree_of, None, None)
    assert drawn[6:] == [100, 50]

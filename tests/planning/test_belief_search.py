"""Search between two bounds: against a plain twin of the kernel, exact costs, and known answers."""

import sys
from functools import cache
from math import inf, log
from typing import Any

import numpy as np
import pytest

from sleuth.planning.belief import Belief
from sleuth.planning.belief_search import BeliefSearch, BoundedSearch
from sleuth.planning.control import ListedControl
from sleuth.planning.dynamic_programming import DynamicProgram
from sleuth.planning.episodes import compare
from sleuth.planning.laws import Laws
from sleuth.planning.oracle import Oracle
from sleuth.planning.pomdps.hsvi import HSVI
from sleuth.planning.pomdps.stating import pomdp_of_control
from sleuth.planning.problems.rocksample import RockSample, Rover
from sleuth.planning.problems.tiger import Tiger
from sleuth.planning.search_policy import SearchPolicy
from sleuth.planning.situation import Situation, after, expected, start
from sleuth.processes.problems import PROBLEMS
from sleuth.support.errors import SleuthError
from sleuth.support.specification import from_text

SMALL = [
    "tiger",
    "rocksample(n=2,k=1,discount=0.8)",
    "hidden-objects(width=2,height=2,horizon=4)",
    "navigation(size=3,horizon=5)",
    "bandit(horizon=4,arms=2)",
]


class Twin:
    """The search as its text has it: situations in a dictionary, one trial at a time."""

    def __init__(self, problem: ListedControl) -> None:
        self.problem, self.oracle, self.laws = problem, Oracle(problem), Laws(problem, Oracle(problem))
        self.lower: dict[Situation, float] = {}
        self.upper: dict[Situation, float] = {}
        self.edges: dict[Situation, list[list[Any]]] = {}  # of each control: most, least, ways, visits
        self.root = start(problem)
        self.meet(self.root)

    def meet(self, at: Situation) -> None:
        if at not in self.upper:
            support = at.belief.support
            blind = self.laws._blind_costs(at.state, at.stage)
            self.lower[at] = max(-float(at.belief.weights @ costs[support]) for costs in blind)
            self.upper[at] = max(self.bound(at, control) for control in self.problem.controls(at.state))

    def bound(self, at: Situation, control: Any) -> float:
        ways = after(self.problem, at, control)
        ahead = [0.0 if way.over else self.problem.discount * self.oracle(way.situation) for way in ways]
        return -sum(way.probability * (way.cost + cost) for way, cost in zip(ways, ahead, strict=True))

    def attempt(self, at: Situation, place: int) -> None:
        ways = after(self.problem, at, self.problem.controls(at.state)[place])
        for way in ways:
            if not way.over:
                self.meet(way.situation)
        self.edges[at][place][2] = ways

    def open(self, at: Situation) -> None:
        if at not in self.edges:
            self.edges[at] = [[self.bound(at, u), -inf, None, 0] for u in self.problem.controls(at.state)]

    def back_up(self, at: Situation, place: int) -> None:
        edge = self.edges[at][place]
        for i, values, better in ((0, self.upper, min), (1, self.lower, max)):
            found = 0.0
            for way in edge[2]:
                ahead = 0.0 if way.over else self.problem.discount * values[way.situation]
                found += way.probability * (ahead - way.cost)
            edge[i] = better(edge[i], found)
        edge[3] += 1
        self.lower[at] = max(self.lower[at], edge[1])
        self.upper[at] = max(self.lower[at], min(self.upper[at], max(e[0] for e in self.edges[at])))

    def trial(self, tolerated: float = 1e-6) -> None:
        at: Situation | None = self.root
        way: list[tuple[Situation, int]] = []
        new = False
        while at is not None and not new:
            self.open(at)
            edges = self.edges[at]
            place = max((edge[0], -edge[3], -i) for i, edge in enumerate(edges))[2] * -1
            if edges[place][2] is None:
                self.attempt(at, place)
                new = True
            way.append((at, place))
            tolerated /= self.problem.discount
            ahead = [(way.probability, way.situation) for way in edges[place][2] if not way.over]
            widths = [(p * (self.upper[then] - self.lower[then] - tolerated), then) for p, then in ahead]
            widest = max((width for width, _ in widths), default=0.0)
            at = next((then for width, then in widths if widest > 0 and width == widest), None)
        for before, place in reversed(way):
            self.back_up(before, place)


def looked_ahead(problem: ListedControl, tolerance: float) -> float:
    """Return the least cost, of an endless problem by so many stages that what is left weighs little."""
    oracle, stages = Oracle(problem), inf
    if problem.horizon is None:
        stages = log(tolerance * (1 - problem.discount) / 110) / log(problem.discount)  # costs: -10 to 100

    @cache
    def cost(situation: Situation, ahead: float) -> float:
        if ahead <= 0:
            return oracle(situation)
        best, ways = inf, [after(problem, situation, one) for one in problem.controls(situation.state)]
        for bound, place in sorted((expected(problem, way, oracle), i) for i, way in enumerate(ways)):
            if bound < best:  # else it is no better even if the parameter were known
                best = min(best, expected(problem, ways[place], lambda then: cost(then, ahead - 1)))
        return best

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)
    try:
        return cost(start(problem), stages)
    finally:
        sys.setrecursionlimit(before)


@pytest.mark.parametrize("text", SMALL)
def test_trials_are_those_of_the_plain_twin(text: str) -> None:
    problem = from_text(PROBLEMS, text)
    exact = looked_ahead(problem, 1e-3)
    twin, search = Twin(problem), BeliefSearch(problem, start(problem))
    search.run(0)
    twin.open(twin.root)
    for place in range(len(twin.edges[twin.root])):
        twin.attempt(twin.root, place)
        twin.back_up(twin.root, place)
    for _ in range(40):
        found = search.run(1)
        if not found.trials:
            break
        twin.trial()
        # Of controls that are as good, rounding may choose another: what is known then differs, but is right.
        assert found.least <= exact + 1e-3
        assert found.most >= exact - 1e-3
        assert -twin.upper[twin.root] <= exact + 1e-3
    assert found.least == pytest.approx(-twin.upper[twin.root], abs=1e-6)
    assert found.most == pytest.approx(-twin.lower[twin.root], abs=1e-6)


@pytest.mark.parametrize("text", SMALL)
def test_the_bounds_meet_at_the_exact_cost(text: str) -> None:
    problem = from_text(PROBLEMS, text)
    exact = looked_ahead(problem, 1e-4)
    found = BeliefSearch(problem, start(problem)).run(4000, tolerance=1e-4)
    assert found.gap <= 1e-3
    assert found.least - 2e-4 <= exact <= found.most + 2e-4
    assert DynamicProgram(problem, 1e-4).cost == pytest.approx(exact, abs=2e-4)


class Leak(ListedControl):
    """Which of three pipes leaks: beliefs come round, and what goes round hides what is not known yet."""

    parameters = ("a", "b", "c")
    prior = np.array([0.5, 0.3, 0.2])
    initial_state = "start"
    horizon = None

    def __init__(self, discount: float) -> None:
        self.discount = discount

    def controls(self, state: Any) -> tuple[str, ...]:
        return tuple(f"{verb} {pipe}" for verb in ("test", "fix") for pipe in self.parameters)

    def outcomes(self, state: Any, parameter: str, control: str) -> list[tuple[float, str]]:
        verb, pipe = control.split()
        if verb == "fix":
            return [(1.0, "fixed" if pipe == parameter else "wrong")]
        chance = 0.8 if pipe == parameter else 0.1
        return [(chance, "hiss"), (1 - chance, "quiet")]

    def cost(self, state: Any, parameter: str, control: str, after: Any) -> float:
        return 1.0 if control.startswith("test") else 4.0 if after == "fixed" else 20.0

    def is_terminal(self, state: Any) -> bool:
        return state in ("fixed", "wrong")


@pytest.mark.parametrize("discount", [0.95, pytest.param(0.99, marks=pytest.mark.thorough)])
def test_bounds_meet_where_beliefs_come_round(discount: float) -> None:
    problem = Leak(discount)
    found = BeliefSearch(problem, start(problem)).run(20_000, tolerance=1e-3)
    assert found.gap <= 1e-3
    point_based = HSVI(pomdp_of_control(problem).pomdp).run(seconds=1, gap=1e-2)
    assert -point_based.upper - 1e-6 <= found.most
    assert found.least <= -point_based.lower + 1e-6


def test_exact_costs_of_an_endless_problem_are_proved_fast() -> None:
    """RockSample(3, 2) took more than a minute by looking ahead."""
    problem = RockSample(3, 2)
    exact = DynamicProgram(problem, 1e-3)
    twin = BeliefSearch(problem, start(problem)).run(tolerance=1e-6)
    assert exact.cost == pytest.approx(twin.most, abs=1e-3)
    assert exact.choose(start(problem)) == twin.control
    ways = after(problem, start(problem), twin.control)
    assert exact.cost == pytest.approx(expected(problem, ways, exact.cost_of), abs=2e-3)


def test_what_there_is_no_room_for_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sleuth.planning.belief_search._MEMORY", 2**20)
    with pytest.raises(SleuthError, match=r"from -\d.* to -\d.*a tolerance of 1e-06 asks for it"):
        DynamicProgram(RockSample(4, 4)).cost  # noqa: B018


def test_the_tiger_is_solved_and_the_tree_taken_on() -> None:
    problem = Tiger()
    search = BeliefSearch(problem, start(problem))
    found = search.run(500)
    assert found.control == "listen"
    assert found.gap <= 1e-6
    assert found.most == pytest.approx(-3.7702, abs=1e-4)
    (then, _) = after(problem, start(problem), "listen")
    search.move(then.situation)
    again = search.run(500)
    assert again.trials <= 1
    assert again.nodes == found.nodes
    with pytest.raises(SleuthError, match="nothing is left to do"):
        search.move(Situation("open", then.situation.belief, 0))


def test_a_tree_that_grows_keeps_what_it_knows() -> None:
    problem = RockSample(5, 5)
    whole = BeliefSearch(problem, start(problem))
    first = whole.run(300)
    last = whole.run(4000)
    assert last.nodes > 2048
    assert first.least <= last.least <= last.most <= first.most
    parts = BeliefSearch(problem, start(problem))
    assert parts.run(4300).least == last.least


def test_play_by_bounds_costs_no_more_than_they_say() -> None:
    """Every choice achieves what was achieved before it, so that play ends: no check is made for ever."""
    problem = RockSample(4, 3)
    oracle = Oracle(problem)
    (score,) = compare(problem, {"bounds": BoundedSearch(problem, oracle, 100)}, 60)
    most = BeliefSearch(problem, start(problem)).run(100).most
    assert score.mean <= most + 3 * score.error
    assert score.decisions < 40


def test_what_is_known_exactly_comes_before_what_is_simulated_most() -> None:
    """RockSample's rover checked on and on, since the way out was known exactly and simulated no more."""
    problem = RockSample()
    good = np.array([0.001, 0.001, 0, 0.001, 0.065, 0.001, 0, 0.065])
    masks = np.arange(256)[:, None] >> np.arange(8) & 1
    belief = Belief.of(np.prod(np.where(masks, good, 1 - good), axis=1))
    at = Situation(Rover(5, 6, 0b1000100, "bad"), belief, 0)
    oracle = Oracle(problem)
    bounds = BeliefSearch(problem, at).run(3000)
    assert (bounds.control, round(bounds.most, 3)) == ("east", -9.5)
    assert bounds.gap < 1e-3
    for seed in range(3):
        assert SearchPolicy(problem, oracle, oracle, 30, seed=seed).choose(at) == "east"


def test_blind_costs_of_rocksample_are_those_of_walking_there() -> None:
    problem = RockSample(4, 3)
    begin = problem.initial_state
    for rock, costs in enumerate(problem.blind_costs(begin, 0)[1:]):
        x, y = problem.rocks[rock]
        controls = ["east"] * (x - begin.x) + ["north" if y > begin.y else "south"] * abs(y - begin.y)
        controls += ["sample"] + ["east"] * (problem.n - x)
        for parameter in problem.parameters:
            state, weight, total = begin, 1.0, 0.0
            for control in controls:
                ((_, then),) = problem.outcomes(state, parameter, control)
                total += weight * problem.cost(state, parameter, control, then)
                state, weight = then, weight * problem.discount
            assert costs[parameter] == pytest.approx(total)


def test_what_is_no_distribution_or_no_limit_is_refused() -> None:
    class Odd(RockSample):
        def likelihoods(self, state: Any, control: Any, after: Any) -> Any:
            return 0.9 * super().likelihoods(state, control, after)

    problem = Odd(2, 1)
    with pytest.raises(SleuthError, match=r"outcomes of '\w+' in state Rover.*add up to 0.9"):
        BeliefSearch(problem, start(problem)).run(5)
    search = BeliefSearch(Tiger(), start(Tiger()))
    for wrong in ({"trials": -1}, {"tolerance": 0}, {"seconds": -1.0}):
        with pytest.raises(SleuthError):
            search.run(**wrong)
    with pytest.raises(SleuthError, match="a limit of trials or of seconds"):
        BoundedSearch(Tiger(), Oracle(Tiger()))


def test_beliefs_are_kept_whole() -> None:
    problem = RockSample(3, 2)
    search = BeliefSearch(problem, start(problem))
    search.run(200)
    beliefs = search._tree.belief[: search._counts[0]]
    assert np.allclose(beliefs.sum(axis=1), 1)

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb, hypot, isfinite
from random import Random
from typing import Any

import numpy as np
import pytest

from sleuth.planning.belief import Belief, update
from sleuth.planning.control import ListedControl, check_problem
from sleuth.planning.dynamic_programming import DynamicProgram
from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Blind
from sleuth.planning.problems.bandit import Bandit
from sleuth.planning.problems.bandit_value import value
from sleuth.planning.problems.hidden_objects import HiddenObjects, Search
from sleuth.planning.problems.linear_quadratic import LinearQuadratic
from sleuth.planning.problems.mazes import Maze, draw_mazes
from sleuth.planning.problems.navigation import Navigation
from sleuth.planning.problems.rocksample import RockSample, Rover
from sleuth.planning.problems.tiger import Tiger
from sleuth.planning.rollout import PolicyCost, Rollout
from sleuth.planning.situation import Situation, start
from sleuth.processes.problems import PROBLEMS
from sleuth.support.errors import SleuthError
from sleuth.support.specification import from_text

OURS = ("tiger", "rocksample", "hidden-objects", "navigation", "bandit", "linear-quadratic")
VARIANTS = (
    *OURS,
    "tiger(accuracy=1)",
    "rocksample(n=3,k=2)",
    "rocksample(n=4,k=3,seed=1,half_distance=1)",
    "hidden-objects(width=2,objects=2,false_alarm=0.1,travel=0.5,horizon=6)",
    "navigation(size=5,walls=0.1,slip=1,slippery=0.9,environments=3)",
    "bandit(horizon=5,arms=3)",
    "linear-quadratic(gains=0.5/1/2,a=0.9,noise=0)",
)


def walked(problem: ListedControl, steps: int, walks: int = 10, seed: int = 0) -> Iterator[tuple[int, Any]]:
    """Yield parameters' numbers and the states met on random walks, those at the end too."""
    rng = Random(seed)
    for _ in range(walks):
        number = rng.randrange(len(problem.parameters))
        state = problem.initial_state
        yield number, state
        for _ in range(steps):
            if problem.is_terminal(state):
                break
            control = rng.choice(problem.controls(state))
            chances, states = zip(*problem.outcomes(state, problem.parameters[number], control), strict=True)
            (state,) = rng.choices(states, chances)
            yield number, state


def within(problem: ListedControl, steps: int) -> int:
    """Say how many steps a walk may have where there is a horizon."""
    return steps if problem.horizon is None else min(steps, problem.horizon)


def followed(problem: ListedControl, history: Sequence[tuple[Hashable, Hashable]]) -> Situation:
    """Return the situation after (control, next state) pairs."""
    state, belief, stage = start(problem)
    for control, then in history:
        belief = update(problem, state, belief, control, then)
        state, stage = then, stage + (problem.horizon is not None)
    return Situation(state, belief, stage)


@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_every_problem_is_well_formed_as_it_comes(name: str) -> None:
    problem = PROBLEMS.load(name)()
    check_problem(problem)
    assert PROBLEMS[name].summary
    again = from_text(PROBLEMS, name)
    assert type(again) is type(problem)
    assert again.initial_state == problem.initial_state
    assert hash(again.initial_state) == hash(problem.initial_state)
    assert name not in OURS or again == problem


def test_ours_are_there() -> None:
    assert set(OURS) <= set(PROBLEMS)


@pytest.mark.parametrize("text", VARIANTS)
def test_outcomes_are_distributions_and_costs_are_numbers(text: str) -> None:
    problem = from_text(PROBLEMS, text)
    met = 0
    for number, state in walked(problem, within(problem, 8) - 1):
        if problem.is_terminal(state):
            continue
        parameter = problem.parameters[number]
        assert len(problem.controls(state)) == len(set(problem.controls(state))) > 0
        for control in problem.controls(state):
            ways = problem.outcomes(state, parameter, control)
            chances, states = zip(*ways, strict=True)
            assert min(chances) >= 0
            assert sum(chances) == pytest.approx(1)
            assert len(set(states)) == len(states)
            assert all(isfinite(problem.cost(state, parameter, control, then)) for then in states)
            met += 1
    assert met > 10


@pytest.mark.parametrize("text", [text for text in VARIANTS if text.startswith(("rocksample", "bandit"))])
def test_answers_for_all_parameters_at_once_are_those_for_each(text: str) -> None:
    problem = from_text(PROBLEMS, text)
    for _, state in walked(problem, 5, walks=2):
        if problem.is_terminal(state):
            continue
        for control in problem.controls(state):
            listed = [{s: p for p, s in problem.outcomes(state, i, control)} for i in problem.parameters]
            met = set().union(*listed)
            for then in [*met, problem.initial_state]:
                found = problem.likelihoods(state, control, then)
                assert found.dtype == float
                assert found.tolist() == pytest.approx([ways.get(then, 0.0) for ways in listed])
            assert sorted(map(repr, problem.successors(state, control))) == sorted(map(repr, met))
            for then in met:
                paid = [problem.cost(state, i, control, then) for i in problem.parameters]
                assert problem.costs(state, control, then).tolist() == paid
            total = sum(problem.likelihoods(state, control, then) for then in met)
            assert total == pytest.approx(np.ones(len(problem.parameters)))


@pytest.mark.parametrize(
    "text",
    [
        "tiger(accuracy=0.4)",
        "tiger(discount=0)",
        "rocksample(k=0)",
        "rocksample(n=2,k=5)",
        "rocksample(half_distance=0)",
        "rocksample(discount=2)",
        "hidden-objects(objects=10)",
        "hidden-objects(detection=0)",
        "hidden-objects(false_alarm=2)",
        "hidden-objects(travel=-1)",
        "hidden-objects(weights=1/2)",
        "hidden-objects(horizon=-1)",
        "navigation(size=1)",
        "navigation(environments=0)",
        "navigation(walls=1)",
        "navigation(size=2,environments=9,slippery=0)",
        "bandit(horizon=0)",
        "bandit(arms=0)",
        "bandit(horizon=60,arms=4)",
        "linear-quadratic(step=0)",
        "linear-quadratic(step=2)",
        "linear-quadratic(gains=1/1)",
        "linear-quadratic(gains=)",
        "linear-quadratic(noise=-1)",
        "linear-quadratic(a=nan)",
        "linear-quadratic(horizon=-1)",
    ],
)
def test_bad_options_are_refused(text: str) -> None:
    with pytest.raises(SleuthError):
        from_text(PROBLEMS, text)


# For each, a base policy that chooses by the state alone, and how exactly dynamic programming solves it.
SMALL: dict[str, tuple[ListedControl, Callable[[Any], Any]]] = {
    "tiger": (Tiger(), {"begin": "listen", "heard left": "open right", "heard right": "open left"}.get),
    "rocksample": (RockSample(2, 1, seed=2), lambda state: "east"),
    "hidden-objects": (
        HiddenObjects(2, 2, objects=2, travel=0.1, false_alarm=0.1, horizon=5),
        lambda state: min({0, 1, 2} - state.found),
    ),
    "navigation": (Navigation(size=3, horizon=6), lambda state: "east" if state[0] < 2 else "north"),
    "bandit": (Bandit(horizon=4), lambda state: 0),
    "linear-quadratic": (LinearQuadratic(gains=(-1.0, 2.0)), lambda state: 0.0),
}


def test_each_of_ours_has_a_small_one() -> None:
    assert set(SMALL) == set(OURS), "SMALL has a small problem and a rule to play for each of OURS"


@pytest.mark.parametrize("name", SMALL)
def test_bound_optimum_rollout_and_base_are_in_order(name: str) -> None:
    problem, rule = SMALL[name]
    begin = start(problem)
    base = Blind(rule)
    costs = [
        Oracle(problem)(begin),
        DynamicProgram(problem, 1e-4).cost,
        PolicyCost(problem, Rollout(problem, base))(begin),
        PolicyCost(problem, base)(begin),
    ]
    assert all(a <= b + 1e-4 for a, b in pairwise(costs))
    assert costs[0] < costs[1] - 1e-3  # it is worth something to know the parameter
    assert costs[1] < costs[3] - 1e-3  # and to think


def tiger_value(left: int, discount: float = 0.95, accuracy: float = 0.85, most: int = 60) -> float:
    """Return the cost of the tiger by how much oftener the left was heard, so many stages ahead."""

    @cache
    def cost(difference: int, ahead: int) -> float:
        odds = (accuracy / (1 - accuracy)) ** difference
        p = odds / (1 + odds)
        opened = min(110 * p - 10, 110 * (1 - p) - 10)
        if ahead == 0:
            return opened
        heard = p * accuracy + (1 - p) * (1 - accuracy)
        later = heard * cost(difference + 1, ahead - 1) + (1 - heard) * cost(difference - 1, ahead - 1)
        return min(opened, 1 + discount * later)

    return cost(left, most)


def test_the_tiger_is_listened_for_until_one_side_leads_by_three() -> None:
    solved = DynamicProgram(Tiger(), 1e-4)
    assert solved.cost == pytest.approx(-3.7702, abs=1e-4)
    assert solved.cost == pytest.approx(tiger_value(0), abs=1e-4)
    for heard, right in {
        "": "listen",
        "l": "listen",
        "lr": "listen",
        "ll": "listen",
        "lll": "open right",
        "rrr": "open left",
        "lrrr": "listen",
        "lrrrr": "open left",
        "llrll": "open right",
    }.items():
        sides = {"l": "heard left", "r": "heard right"}
        situation = followed(solved.problem, [("listen", sides[side]) for side in heard])
        assert solved.choose(situation) == right, heard


def test_rocksample_is_the_standard_one() -> None:
    problem = RockSample()
    assert problem.rocks == ((2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6))
    assert problem.initial_state == Rover(0, 3, 0, None)
    assert problem.controls(problem.initial_state) == [
        "north",
        "south",
        "east",
        *(("check", i) for i in range(8)),
    ]
    assert len(set(RockSample(11, 11).rocks)) == 11
    assert RockSample(5, 4, seed=1).rocks == RockSample(5, 4, seed=1).rocks != RockSample(5, 4, seed=2).rocks


def test_rocksample_checks_sampling_and_the_way_out() -> None:
    problem = RockSample()
    for rock, (x, y) in enumerate(problem.rocks):
        ((right, then), _) = problem.outcomes(problem.initial_state, 1 << rock, ("check", rock))
        assert right == pytest.approx((1 + 2 ** (-hypot(x, y - 3) / 20)) / 2)
        assert then == Rover(0, 3, 0, "good")
    at = Rover(0, 1, 0, "bad")
    ((_, then),) = problem.outcomes(at, 0b10, "sample")
    assert then == Rover(0, 1, 0b10, None)
    assert [problem.cost(at, good, "sample", then) for good in (0b10, 0b11, 0b01)] == [-10, -10, 10]
    assert "sample" in problem.controls(at)
    assert not {"sample", ("check", 1)} & set(problem.controls(then))
    assert "sample" not in problem.controls(problem.initial_state)
    assert not {"north", "west"} & set(problem.controls(Rover(0, 6, 0, None)))
    assert not {"south", "west"} & set(problem.controls(Rover(0, 0, 0, None)))
    east = Rover(6, 0, 0, None)
    ((_, out),) = problem.outcomes(east, 0, "east")
    assert problem.is_terminal(out)
    assert problem.cost(east, 0, "east", out) == -10
    assert problem.optimal_costs(out, 0).tolist() == [0] * 256
    costs = problem.optimal_costs(problem.initial_state, 0)
    assert costs[0] == pytest.approx(-10 * 0.95**6)
    # One good rock, at (0, 1): two steps, the sample, six steps to the east side, and out.
    assert costs[0b10] == pytest.approx(-10 * (0.95**2 + 0.95**9))


class Unsolved(RockSample):
    """Without its own optimal costs."""

    optimal_costs = None


class UnsolvedBandit(Bandit):
    """Without its own optimal costs."""

    optimal_costs = None


@pytest.mark.parametrize(("n", "k", "discount"), [(3, 2, 0.95), (3, 2, 0.5), (4, 3, 0.9)])
def test_perfect_information_costs_of_rocksample_are_those_of_value_iteration(
    n: int, k: int, discount: float
) -> None:
    problem = RockSample(n, k, discount, seed=3)
    oracle = Oracle(Unsolved(n, k, discount, seed=3))
    compared = set()
    begins = [(number, problem.initial_state) for number in problem.parameters]
    for number, state in [*begins, *walked(problem, 12)]:
        found = problem.optimal_costs(state, 0)[number]
        assert found == pytest.approx(oracle.cost(state, number), abs=1e-7)
        compared.add((number, state))
    assert len(compared) > 20


@pytest.mark.parametrize("detection", [0.3, 0.6, 0.8, 1.0])
def test_to_look_where_it_is_likeliest_is_optimal_with_one_object(detection: float) -> None:
    weights, horizon = (1.0, 2.0, 3.5, 5.0), 6
    problem = HiddenObjects(2, 2, detection=detection, weights=weights, horizon=horizon)
    solved = DynamicProgram(problem)
    left = [weight / sum(weights) for weight in weights]
    expected = 0.0
    history: list[tuple[int, Search]] = []
    for look in range(horizon):
        expected += sum(left)  # a look is paid while nothing was found
        best = max(range(4), key=lambda cell: left[cell])
        if look < horizon - 1:  # the last look is paid, wherever it is
            assert left[solved.choose(followed(problem, history))] == pytest.approx(left[best])
        left[best] *= 1 - detection
        if not sum(left):
            break
        history.append((best, Search(0, frozenset(), "nothing")))
    assert solved.cost == pytest.approx(expected)


def test_a_search_pays_for_ways_and_false_alarms_and_ends_with_the_last_object() -> None:
    problem = HiddenObjects(3, 2, objects=2, detection=0.8, false_alarm=0.25, travel=0.5)
    assert len(problem.parameters) == comb(6, 2)
    begin = problem.initial_state
    both = frozenset({2, 5})
    ((found, then), (missed, nothing)) = problem.outcomes(begin, both, 5)
    assert (found, missed) == pytest.approx((0.8, 0.2))
    assert problem.cost(begin, both, 5, then) == 1 + 0.5 * 3
    assert not problem.is_terminal(then)
    assert 5 not in problem.controls(then)
    ((_, last), _) = problem.outcomes(then, both, 2)
    assert last.found == both
    assert problem.is_terminal(last)
    assert problem.cost(then, both, 2, last) == 1 + 0.5
    (_, (alarmed, alarm)) = problem.outcomes(begin, both, 0)
    assert alarmed == 0.25
    assert problem.cost(begin, both, 0, alarm) == 2
    belief = update(problem, begin, Belief.of(problem.prior), 0, alarm)
    assert {0 in problem.parameters[i] for i in belief.support} == {False}
    assert len(belief.support) == comb(5, 2)
    assert update(problem, begin, Belief.of(problem.prior), 5, nothing).full(15).min() > 0


@pytest.mark.parametrize("objects", [1, 2, 3])
def test_who_knows_where_the_objects_are_takes_the_tries_of_each(objects: int) -> None:
    problem = HiddenObjects(2, 2, objects=objects, detection=0.4)
    assert Oracle(problem)(start(problem)) == pytest.approx(objects / 0.4)


def steps_to_goal(maze: Maze) -> int:
    """Return the length of a shortest path from corner to corner."""
    goal = (maze.size - 1, maze.size - 1)
    far = {(0, 0): 0}
    queue = deque(far)
    while queue:
        x, y = queue.popleft()
        for to in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if to not in far and to not in maze.walls and min(to) >= 0 and max(to) < maze.size:
                far[to] = far[x, y] + 1
                queue.append(to)
    return far[goal]


@pytest.mark.parametrize("seed", [0, 9, 10, 39])
def test_a_known_maze_is_a_shortest_path(seed: int) -> None:
    problem = Navigation(size=7, environments=1, walls=0.5, slip=0, discount=1.0, seed=seed)
    (maze,) = problem.parameters
    shortest = steps_to_goal(maze)
    assert Oracle(problem)(start(problem)) == pytest.approx(shortest)
    discounted = Navigation(size=7, environments=1, walls=0.5, slip=0, seed=seed)
    assert DynamicProgram(discounted, 0.1).cost == pytest.approx((1 - 0.95**shortest) / 0.05)


def test_mazes_differ_and_some_wind() -> None:
    mazes = draw_mazes(7, 30, 0.5, 0.2, 0)
    assert len(set(mazes)) == 30
    assert mazes == draw_mazes(7, 30, 0.5, 0.2, 0)
    assert min(map(steps_to_goal, mazes)) == 12 < max(map(steps_to_goal, mazes))


def test_steps_slip_sideways_and_walls_stop_them() -> None:
    problem = Navigation(slip=0.4)
    maze = Maze(4, frozenset({(1, 2)}), frozenset({(1, 1), (0, 0)}))

    def ways(cell: tuple[int, int], control: str) -> dict[tuple[int, int], float]:
        return {then: p for p, then in problem.outcomes(cell, maze, control)}

    assert ways((1, 1), "east") == pytest.approx({(2, 1): 0.6, (1, 1): 0.2, (1, 0): 0.2})
    assert ways((1, 1), "south") == pytest.approx({(1, 0): 0.6, (2, 1): 0.2, (0, 1): 0.2})
    assert ways((0, 0), "west") == pytest.approx({(0, 0): 0.8, (0, 1): 0.2})
    assert ways((2, 2), "west") == {(2, 2): 1.0}
    assert ways((2, 1), "north") == {(2, 2): 1.0}


def rational_value(horizon: int, arms: int) -> Fraction:
    """Return the value of the bandit by recursion with rational numbers."""

    @cache
    def best(counts: tuple[tuple[int, int], tuple[int, int]], left: int) -> Fraction:
        if left == 0:
            return Fraction(0)
        found = []
        for arm, (wins, losses) in enumerate(counts):
            p = Fraction(wins + 1, wins + losses + 2)
            won, lost = list(counts), list(counts)
            won[arm], lost[arm] = (wins + 1, losses), (wins, losses + 1)
            found.append(p * (1 + best(tuple(won), left - 1)) + (1 - p) * best(tuple(lost), left - 1))
        return max(found)

    return best(((0, 0),) * arms, horizon)


@pytest.mark.parametrize(
    ("horizon", "arms"), [(0, 2), (1, 2), (2, 2), (3, 2), (10, 2), (4, 3), (7, 1), (3, 4)]
)
def test_bandit_values_are_those_of_rational_numbers(horizon: int, arms: int) -> None:
    assert value(horizon, arms) == pytest.approx(float(rational_value(horizon, arms)), abs=1e-12)


@pytest.mark.parametrize(("horizon", "arms"), [(1, 2), (2, 2), (5, 2), (6, 2), (3, 3)])
def test_dynamic_programming_finds_the_bandit_values(horizon: int, arms: int) -> None:
    assert DynamicProgram(Bandit(horizon, arms)).cost == pytest.approx(-value(horizon, arms), abs=1e-9)


def test_known_chances_of_the_bandit_cost_what_dynamic_programming_says() -> None:
    problem, oracle = Bandit(4), Oracle(UnsolvedBandit(4))
    for stage in range(5):
        costs = [oracle.cost(problem.initial_state, i, stage) for i in range(len(problem.parameters))]
        assert problem.optimal_costs(problem.initial_state, stage).tolist() == pytest.approx(costs)


def test_the_bandit_of_fifty_pulls() -> None:
    assert value(50) == pytest.approx(31.996712, abs=1e-6)


@pytest.mark.parametrize(("horizon", "arms"), [(-1, 2), (3, 0), (500, 2)])
def test_bandits_beyond_reach_have_no_value(horizon: int, arms: int) -> None:
    with pytest.raises(SleuthError):
        value(horizon, arms)


@pytest.mark.parametrize("horizon", [4, 5, 11])
def test_the_nodes_predict_as_the_uniform_prior_does_up_to_the_horizon(horizon: int) -> None:
    problem = Bandit(horizon)
    chances = np.array(problem.parameters)[:, 0]
    rng = Random(horizon)
    for _ in range(5):
        weights, wins = problem.prior, 0
        for tries in range(horizon):
            assert float(weights @ chances) == pytest.approx((wins + 1) / (tries + 2), abs=1e-12)
            success = rng.random() < 0.5
            wins += success
            weights = weights * (chances if success else 1 - chances)
            weights = weights / weights.sum()


def riccati(problem: LinearQuadratic) -> tuple[float, list[float]]:
    """Return the optimal cost under the only gain with controls at will, and the weights of their errors."""
    (b,), noise = problem.gains, 2 * problem.noise**2 / 3
    weight, constant, errors = 0.0, 0.0, []
    for _ in range(problem.horizon):
        ahead = problem.q + weight
        constant += ahead * noise
        errors.append(problem.r + b**2 * ahead)
        weight = problem.a**2 * ahead * problem.r / errors[-1]
    return weight * problem.begin**2 + constant, errors


@pytest.mark.parametrize(("gain", "a", "r"), [(1.0, 1.0, 1.0), (-0.5, 1.0, 0.25), (0.5, 1.5, 0.5)])
def test_costs_under_a_known_gain_are_those_of_riccati_but_for_the_grid(
    gain: float, a: float, r: float
) -> None:
    problem = LinearQuadratic(gains=(gain,), a=a, r=r, most=10, step=0.5, horizon=2)
    cost, errors = riccati(problem)
    # To round a control is to err by half a step at most, which costs its weight times the square.
    most = sum(errors) * (problem.step / 2) ** 2
    found = Oracle(problem)(start(problem))
    assert cost - 1e-9 <= found <= cost + most
    assert most < cost / 10


def test_with_free_controls_only_the_noise_costs() -> None:
    problem = LinearQuadratic(gains=(-1.0,), r=0, horizon=4)
    assert DynamicProgram(problem).cost == pytest.approx(4 * 2 / 3) == pytest.approx(riccati(problem)[0])


def test_a_large_control_tells_the_gain_and_a_small_one_may_not() -> None:
    problem = LinearQuadratic(noise=1.0, begin=0.0)

    def left(control: float, then: float) -> int:
        return len(update(problem, 0.0, Belief.of(problem.prior), control, then).support)

    assert left(0.0, 1.0) == 2
    assert left(1.0, 0.0) == 2
    assert left(1.0, 1.0) == 1
    assert {left(2.0, then) for then in (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)} == {1}

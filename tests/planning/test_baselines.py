"""Baselines for a fixed unknown parameter: against exact optima, and twins in plain Python."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, log, sqrt
from random import Random
from statistics import NormalDist, fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_controls import Table, problems

from sleuth.planning.bamcp import Bamcp
from sleuth.planning.belief import Belief, update
from sleuth.planning.binary_search import BinarySearch
from sleuth.planning.control import AdaptiveControl, ListedControl, SampledControl, draw
from sleuth.planning.dynamic_programming import DynamicProgram
from sleuth.planning.empirical import EmpiricalControl
from sleuth.planning.episodes import compare
from sleuth.planning.histories import Widening
from sleuth.planning.information_directed import InformationDirectedSampling, Traded, least_ratio
from sleuth.planning.knowledge_gradient import KnowledgeGradient
from sleuth.planning.methods import method
from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Policy
from sleuth.planning.posterior_sampling import PosteriorSampling
from sleuth.planning.problems.bandit import Bandit
from sleuth.planning.problems.bandit_value import value
from sleuth.planning.problems.hidden_objects import HiddenObjects
from sleuth.planning.problems.navigation import Navigation
from sleuth.planning.problems.rocksample import RockSample
from sleuth.planning.problems.tiger import Tiger
from sleuth.planning.rollout import PolicyCost, Rollout
from sleuth.planning.situation import Situation, after, start
from sleuth.processes.control import Mastermind
from sleuth.processes.problems import PROBLEMS
from sleuth.support.errors import SleuthError


def weighed(problem: Table, history: Sequence[tuple[int, int]]) -> list[Fraction]:
    """Return the posterior after (control, next state) pairs, by the likelihoods of the table."""
    state, weights = 0, [Fraction(weight) for weight in problem.weights]
    for control, then in history:
        for i, laws in enumerate(problem.laws):
            law: Any = laws[state][control]
            weights[i] *= Fraction({s: w for w, s in law}.get(then, 0), sum(w for w, _ in law))
        state = then
    return [weight / sum(weights) for weight in weights]


def alone(problem: Table, number: int, state: int, stage: int) -> Table:
    """Return the problem from a state on with a parameter that is known."""
    left = None if problem.horizon is None else problem.horizon - stage
    single = Table(
        [problem.laws[number]], [problem.costs[number]], [1], left, 1.0, problem.final, problem.terminal
    )
    single.initial_state = state
    return single


def baselines(problem: Any) -> dict[str, Policy]:
    """Return those that take any problem."""
    bound = Oracle(problem)
    return {
        "posterior sampling": PosteriorSampling(bound),
        "information-directed": InformationDirectedSampling(problem, bound),
        "knowledge gradient": KnowledgeGradient(problem),
        "bamcp": Bamcp(problem, 30),
    }


@given(problems(horizon=st.integers(1, 3)))
def test_no_baseline_costs_less_than_the_optimum(problem: Table) -> None:
    least, begin = DynamicProgram(problem).cost, start(problem)
    for name, policy in baselines(problem).items():
        assert PolicyCost(problem, policy)(begin) >= least - 1e-9, name


@pytest.mark.parametrize(
    "problem",
    [
        HiddenObjects(2, 2, horizon=4),
        pytest.param(Bandit(5), marks=pytest.mark.thorough),
        pytest.param(Navigation(3, horizon=5), marks=pytest.mark.thorough),
    ],
)
def test_baselines_beside_the_optimum_of_known_problems(problem: Any) -> None:
    """Played, nobody is below it within the error; knowledge gradient and BAMCP are near it."""
    least, begin = DynamicProgram(problem).cost, start(problem)
    near = {"knowledge gradient": 0.01, "bamcp": 0.15}
    policies = baselines(problem)
    for name, allowed in near.items():
        assert PolicyCost(problem, policies[name])(begin) <= least + allowed * abs(least), name
    for score in compare(problem, policies, 60):
        assert score.mean >= least - 4 * score.error, score.name


# Posterior sampling.


@given(problems(horizon=st.integers(2, 3)), st.randoms())
def test_posterior_sampling_takes_controls_as_often_as_they_are_optimal(
    problem: Table, random: Random
) -> None:
    """After a control or none; the optimum under each parameter by dynamic programming on it alone."""
    situation: Any = start(problem)
    history: list[tuple[int, int]] = []
    if problem.is_terminal(0):
        return
    if random.random() < 0.5:
        control = random.choice(problem.controls(0))
        way: Any = random.choice(after(problem, situation, control))
        if way.over:
            return
        history.append((control, way.situation.state))
        situation = way.situation
    expected: dict[int, float] = {}
    for number, weight in enumerate(weighed(problem, history)):
        if weight:
            single = alone(problem, number, situation.state, situation.stage)
            costs = {
                control: sum(
                    way.probability * (way.cost + (0 if way.over else exact.cost_of(way.situation)))
                    for way in after(single, start(single), control)
                )
                for exact in [DynamicProgram(single)]
                for control in single.controls(situation.state)
            }
            best = next(u for u, cost in costs.items() if cost <= min(costs.values()) + 1e-8)
            expected[best] = expected.get(best, 0.0) + float(weight)
    sampling = PosteriorSampling(Oracle(problem))
    assert sampling.probabilities(situation) == pytest.approx(expected)


def test_posterior_sampling_draws_by_its_probabilities() -> None:
    problem = Bandit(6)
    sampling = PosteriorSampling(Oracle(problem), seed=3)
    state = ((2, 1), (0, 1))
    situation = start(problem)
    for arm, then in ((0, ((1, 0), (0, 0))), (0, ((2, 0), (0, 0))), (0, ((2, 1), (0, 0))), (1, state)):
        belief = update(problem, situation.state, situation.belief, arm, then)
        situation = Situation(then, belief, situation.stage + 1)
    chances = sampling.probabilities(situation)
    assert sum(chances.values()) == pytest.approx(1)
    assert 0.5 < chances[0] < 1
    n = 4000
    drawn = sum(sampling.choose(situation) == 0 for _ in range(n)) / n
    assert abs(drawn - chances[0]) < 4 * sqrt(chances[0] * chances[1] / n)


def test_exact_costs_of_policies_that_draw_are_those_of_many_runs() -> None:
    problem = Bandit(3)
    for make in (
        lambda: PosteriorSampling(Oracle(problem)),
        lambda: InformationDirectedSampling(problem, Oracle(problem)),
    ):
        exact = PolicyCost(problem, make())(start(problem))
        (score,) = compare(problem, {"drawn": make()}, 100)
        assert score.mean == pytest.approx(exact, abs=4 * score.error)
        rolled = PolicyCost(problem, Rollout(problem, make()))(start(problem))
        assert rolled <= exact + 1e-9  # the rollout of a policy that draws is no worse either


# Information-directed sampling.


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda pair: (pair[0] / 7, pair[1] / 9)),
        min_size=1,
        max_size=4,
    ),
    st.integers(0, 10**6),
)
def test_no_mixture_has_a_smaller_information_ratio(pairs: list[tuple[float, float]], seed: int) -> None:
    """Against mixtures of all controls drawn at random, and all of two on a grid."""
    rated = [Traded(i, *pair) for i, pair in enumerate(pairs)]

    def ratio(chances: Any) -> float:
        regret = sum(chance * pairs[i][0] for i, chance in chances.items())
        information = sum(chance * pairs[i][1] for i, chance in chances.items())
        return regret**2 / information if information > 1e-9 else (0.0 if regret < 1e-9 else inf)

    chances = least_ratio(rated)
    assert sum(chances.values()) == pytest.approx(1)
    assert len(chances) <= 2
    found = ratio(chances)
    if found == inf:
        assert all(information == 0 for _, information in pairs)
        assert pairs[next(iter(chances))][0] == min(regret for regret, _ in pairs)
        return
    rng = np.random.default_rng(seed)
    mixtures = [dict(enumerate(row)) for row in rng.dirichlet(np.full(len(pairs), 0.5), 50).tolist()]
    n = len(pairs)
    mixtures += [
        {i: 1 - q, j: q} for i in range(n) for j in range(n) if i != j for q in np.linspace(0, 1, 41)
    ]
    for mixture in mixtures:
        assert found <= ratio(mixture) + 1e-9


@given(problems(horizon=st.integers(1, 2)))
def test_regret_and_information_by_their_definitions(problem: Table) -> None:
    """The mutual information of the optimal control and the next state, summed over all parameters."""
    begin, bound = start(problem), Oracle(problem)
    if problem.is_terminal(0):
        return
    prior = problem.prior.tolist()
    best = [bound.control(0, i, 0) if weight else None for i, weight in enumerate(prior)]
    for control, regret, information in InformationDirectedSampling(problem, bound).rate(begin):
        joint: dict[tuple[Any, int], float] = {}
        lost = 0.0
        for i, weight in enumerate(prior):
            if not weight:
                continue
            lost -= weight * bound.cost(0, i, 0)
            for chance, then in problem.outcomes(0, i, control):
                joint[best[i], then] = joint.get((best[i], then), 0.0) + weight * chance
                ahead = bound.cost(then, i, 1)
                lost += weight * chance * (problem.cost(0, i, control, then) + ahead)
        of_best: dict[Any, float] = {}
        of_then: dict[int, float] = {}
        for (one, then), p in joint.items():
            of_best[one] = of_best.get(one, 0.0) + p
            of_then[then] = of_then.get(then, 0.0) + p
        told = sum(p * log(p / of_best[one] / of_then[then]) for (one, then), p in joint.items() if p)
        assert regret == pytest.approx(lost, abs=1e-7)
        assert information == pytest.approx(told, abs=1e-9)


def test_regret_of_a_bandit_is_that_of_one_pull() -> None:
    problem = Bandit(7, 3)
    rated = InformationDirectedSampling(problem, Oracle(problem)).rate(start(problem))
    best = 3 / 4  # the mean of the largest of three uniform numbers
    assert [one.regret for one in rated] == pytest.approx([best - 1 / 2] * 3, abs=0.02)


# The knowledge gradient.


def gradient(counts: list[tuple[int, int]], left: int) -> list[float]:
    """Return what each arm brings, and the best mean after it for the pulls that are left then."""
    means = [Fraction(wins + 1, wins + losses + 2) for wins, losses in counts]
    found = []
    for arm, (wins, losses) in enumerate(counts):
        ahead = Fraction(0)
        for chance, mean in (
            (means[arm], Fraction(wins + 2, wins + losses + 3)),
            (1 - means[arm], Fraction(wins + 1, wins + losses + 3)),
        ):
            ahead += chance * max([mean, *(m for other, m in enumerate(means) if other != arm)])
        found.append(float(means[arm] + (left - 1) * ahead))
    return found


@given(st.integers(2, 4), st.integers(0, 99))
def test_the_knowledge_gradient_of_a_bandit(arms: int, seed: int) -> None:
    horizon, rng = {2: 5, 3: 4, 4: 3}[arms], Random(seed)
    problem = Bandit(horizon, arms)
    policy, situation = KnowledgeGradient(problem), start(problem)
    while situation.stage < horizon:
        state: Any = situation.state
        expected = gradient(list(state), horizon - situation.stage)
        rated = policy.rate(situation)
        assert [-one.cost for one in rated] == pytest.approx(expected)
        assert expected[policy.choose(situation)] == pytest.approx(max(expected))
        ways = after(problem, situation, rng.randrange(arms))
        situation = rng.choice(ways).situation


@given(problems(horizon=st.integers(1, 3)))
def test_the_knowledge_gradient_is_one_stage_of_learning(problem: Table) -> None:
    """A twin: the law of the mean over the belief after one control, by recursion."""

    def kept(weights: list[float], state: int, stage: int) -> float:
        if problem.is_terminal(state):
            return 0.0
        if stage == problem.horizon:
            return problem.final_cost(state)
        return min(mean(weights, state, stage, control) for control in problem.controls(state))

    def mean(weights: list[float], state: int, stage: int, control: int) -> float:
        return sum(
            weight
            * p
            * (problem.cost(state, i, control, then) + problem.discount * kept(weights, then, stage + 1))
            for i, weight in enumerate(weights)
            if weight
            for p, then in problem.outcomes(state, i, control)
            if p
        )

    if problem.is_terminal(0):
        return
    prior = problem.prior.tolist()
    for control, cost, _ in KnowledgeGradient(problem).rate(start(problem)):
        expected = 0.0
        for then in range(len(problem.laws[0])):
            chances = [
                sum(p for p, to in problem.outcomes(0, i, control) if to == then) for i in range(len(prior))
            ]
            joint = [weight * chance for weight, chance in zip(prior, chances, strict=True)]
            if total := sum(joint):
                paid = sum(w * problem.cost(0, i, control, then) for i, w in enumerate(joint) if w)
                expected += paid + total * kept([w / total for w in joint], then, 1)
        assert cost == pytest.approx(expected)


def test_the_knowledge_gradient_refuses_states_that_rule_out_parameters() -> None:
    problem = Mastermind()
    with pytest.raises(SleuthError, match=r"the knowledge gradient asks .* state rules some out"):
        KnowledgeGradient(problem).choose(start(problem))


# Generalised binary search.


class Functions(ListedControl):
    """Which of some functions to -1 and 1 is it: answers are wrong with a chance; then a verdict."""

    initial_state: Any = "begin"

    def __init__(self, functions: list[tuple[int, ...]], noise: float) -> None:
        self.parameters: Sequence[Any] = range(len(functions))
        self.functions, self.noise = functions, noise

    def controls(self, state: Any) -> list[tuple[str, int]]:
        asks = [("ask", x) for x in range(len(self.functions[0]))]
        return [*asks, *(("say", i) for i in self.parameters)]

    def outcomes(self, state: Any, parameter: int, control: tuple[str, int]) -> list[tuple[float, Any]]:
        kind, place = control
        if kind == "say":
            return [(1.0, "over")]
        told = self.functions[parameter][place]
        return [(1 - self.noise, told), (self.noise, -told)]

    def cost(self, state: Any, parameter: int, control: tuple[str, int], after: Any) -> float:
        return 1.0 if control[0] == "ask" else 100.0 * (control[1] != parameter)

    def is_terminal(self, state: Any) -> bool:
        return state == "over"


@given(
    st.lists(st.tuples(*[st.sampled_from([-1, 1])] * 5), min_size=2, max_size=8, unique=True),
    st.sampled_from([0.0, 0.1, 0.3]),
    st.integers(0, 99),
)
def test_binary_search_asks_what_a_naive_one_asks(
    functions: list[tuple[int, ...]], noise: float, seed: int
) -> None:
    """With the weights of Nowak (2011): a wrong answer counts the noise, a right one the rest."""
    problem, rng = Functions(functions, noise), Random(seed)
    search = BinarySearch(problem, Oracle(problem), 0.9)
    truth, situation = rng.randrange(len(functions)), start(problem)
    weights = [1.0 / len(functions)] * len(functions)
    for _ in range(12):
        control = search.choose(situation)
        tilts = [abs(sum(w * h[x] for w, h in zip(weights, functions, strict=True))) for x in range(5)]
        if max(weights) >= 0.9 or min(tilts) > 1 - 1e-9:
            said = weights[control[1]] if control[0] == "say" else -1
            assert said == pytest.approx(max(weights))
            break
        assert control[0] == "ask"
        assert tilts[control[1]] == pytest.approx(min(tilts), abs=1e-6)
        told: Any = draw(problem, situation.state, truth, control, rng)
        weights = [
            w * (1 - noise if h[control[1]] == told else noise)
            for w, h in zip(weights, functions, strict=True)
        ]
        weights = [w / sum(weights) for w in weights]
        belief = update(problem, situation.state, situation.belief, control, told)
        situation = Situation(told, belief, 0)


def test_binary_search_splits_guessing_games_evenly() -> None:
    """All of a game of pegs against the sizes of the classes of each guess."""
    problem = Mastermind()
    game = problem.game
    search = BinarySearch(problem, Oracle(problem))
    todo, asked = [start(problem)], 0
    while todo:
        situation = todo.pop()
        control = search.choose(situation)
        candidates = situation.belief.support

        def squares(guess: int, candidates: Any = candidates) -> int:
            return int(np.square(np.unique(game.feedback[guess, candidates], return_counts=True)[1]).sum())

        controls = problem.controls(situation.state)
        if len(candidates) > 1:
            assert squares(control) == min(map(squares, controls))
            asked += 1
        else:
            assert control == candidates[0]
        todo += [way.situation for way in after(problem, situation, control) if not way.over]
    assert asked > 4


def test_binary_search_listens_for_the_tiger_until_it_is_sure() -> None:
    problem = Tiger()
    for confidence, times in ((0.5, 0), (0.8, 1), (0.96, 2), (0.99, 3)):
        search, situation = BinarySearch(problem, Oracle(problem), confidence), start(problem)
        heard = 0
        while (control := search.choose(situation)) == "listen":
            belief = update(problem, situation.state, situation.belief, "listen", "heard left")
            situation, heard = Situation("heard left", belief, 0), heard + 1
        assert (control, heard) == ("open right", times)


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (Bandit(3), "0 in state .* costs what depends on the parameter, and does not end play"),
        (Navigation(3), r"no control ends play in state \(0, 0\)"),
        (RockSample(4, 2), "no control ends play in state Rover"),
        (HiddenObjects(2, 2, objects=2), "no control ends play"),
        (HiddenObjects(2, 2, false_alarm=0.5), "costs what depends on the parameter"),
        (Navigation(2, slippery=0.5), "no control ends play|without telling the parameter"),
    ],
)
def test_binary_search_refuses_what_is_no_identification(problem: Any, said: str) -> None:
    with pytest.raises(SleuthError, match=f"problems of identification: .*{said}"):
        BinarySearch(problem, Oracle(problem)).choose(start(problem))


# Bayes-adaptive Monte-Carlo planning.


@dataclass
class Node:
    """Of each control visits, mean cost, and what followed, by the state."""

    visits: dict[Any, int] = field(default_factory=dict)
    costs: dict[Any, float] = field(default_factory=dict)
    then: dict[tuple[Any, Any], "Node"] = field(default_factory=dict)


class Twin:
    """Algorithm 1 of the paper, recursively."""

    def __init__(self, problem: AdaptiveControl, coefficient: float, rng: Random) -> None:
        self.problem, self.coefficient, self.rng = problem, coefficient, rng
        self.root = Node()

    def step(self, state: Any, number: int, control: Any, stage: int) -> tuple[Any, float, bool]:
        parameter = self.problem.parameters[number]
        then = draw(self.problem, state, parameter, control, self.rng)
        cost = self.problem.cost(state, parameter, control, then)
        over = self.problem.is_terminal(then)
        if not over and stage + 1 == self.problem.horizon:
            cost, over = cost + self.problem.discount * self.problem.final_cost(then), True
        return then, cost, over

    def rollout(self, state: Any, number: int, stage: int) -> float:
        control = self.rng.choice(self.problem.controls(state))
        then, cost, over = self.step(state, number, control, stage)
        return cost + (0 if over else self.problem.discount * self.rollout(then, number, stage + 1))

    def simulate(self, node: Node, state: Any, number: int, stage: int) -> float:
        controls = self.problem.controls(state)
        untried = [control for control in controls if control not in node.visits]
        whole = log(max(1, sum(node.visits.values())))
        control = (
            untried[0]
            if untried
            else min(
                controls, key=lambda u: node.costs[u] - self.coefficient * sqrt(whole) / sqrt(node.visits[u])
            )
        )
        then, cost, over = self.step(state, number, control, stage)
        if over:
            ahead = 0.0
        elif (control, then) in node.then:
            ahead = self.simulate(node.then[control, then], then, number, stage + 1)
        else:
            node.then[control, then] = Node()
            ahead = self.rollout(then, number, stage + 1)
        total = cost + self.problem.discount * ahead
        n = node.visits[control] = node.visits.get(control, 0) + 1
        before = node.costs.get(control, 0.0)
        node.costs[control] = before + (total - before) / n
        return total


@given(problems(horizon=st.integers(1, 3)), st.sampled_from([0.0, 1.0, 5.0]))
def test_bamcp_is_the_recursion_of_the_paper(problem: Table, coefficient: float) -> None:
    begin = start(problem)
    if problem.is_terminal(0):
        return
    twin = Twin(problem, coefficient, Random(f"7/{begin.belief.key.hex()}/0"))
    for _ in range(200):
        (number,) = twin.rng.choices(begin.belief.support.tolist(), begin.belief.weights.tolist())
        twin.simulate(twin.root, 0, number, 0)
    rated = Bamcp(problem, 200, coefficient=coefficient, seed=7).rate(begin)
    assert [one.visits for one in rated] == [twin.root.visits.get(u, 0) for u in problem.controls(0)]
    costs = [twin.root.costs.get(u, 0.0) for u in problem.controls(0)]
    assert [one.cost for one in rated] == pytest.approx(costs)


@pytest.mark.thorough
def test_bamcp_converges_to_the_exact_value() -> None:
    problem = Bandit(3)
    errors = []
    for simulations in (100, 1000, 20_000):
        rated = Bamcp(problem, simulations, seed=1).rate(start(problem))
        errors.append(abs(min(one.cost for one in rated) + value(3)))
        assert sum(one.visits for one in rated) == simulations
    assert errors[2] < 0.05
    assert errors[2] < errors[0]
    small = HiddenObjects(2, 1, detection=0.5, weights=(1.0, 3.0), horizon=3)
    rated = Bamcp(small, 20_000).rate(start(small))
    assert min(one.cost for one in rated) == pytest.approx(DynamicProgram(small).cost, abs=0.03)


class Drawn:
    """Two tosses at most of a coin of unknown bias, a toss at a price."""

    parameters, initial_state, horizon, discount = (0.2, 0.9), 0, 2, 1.0
    prior = np.full(2, 0.5)

    def controls(self, state: int) -> tuple[str, ...]:
        return ("toss", "stay")

    def sample(self, state: int, parameter: float, control: str, rng: Random) -> int:
        return state + (control == "toss" and rng.random() < parameter)

    def cost(self, state: int, parameter: float, control: str, after: int) -> float:
        return 0.3 * (control == "toss") - (after - state)

    def is_terminal(self, state: int) -> bool:
        return False

    def final_cost(self, state: int) -> float:
        return 0.0


def test_bamcp_takes_problems_that_can_only_be_drawn_from() -> None:
    """It needs no belief within a decision; a decision is the same when it is made again."""

    problem: Any = Drawn()
    situation = Situation(0, Belief.of(np.ones(2)), 0)
    policy = Bamcp(problem, 2000)
    toss, stay = policy.rate(situation)
    # Toss, and again if it won: 0.55 on average, then 0.745 after a win; a loss says to stay.
    expected = 0.3 - 0.55 + 0.55 * (0.3 - (0.04 + 0.81) / (0.2 + 0.9))
    assert toss.cost == pytest.approx(expected, abs=0.05)
    assert toss.cost < stay.cost
    assert policy.rate(situation) == [toss, stay]


class Reading:
    """Which of two values is it? A reading, normal around it, costs a tenth; a wrong verdict costs one."""

    parameters, initial_state, discount = (-1.0, 1.0), 0.0, 1.0
    prior = np.full(2, 0.5)

    def __init__(self, horizon: int) -> None:
        self.horizon = horizon

    def controls(self, state: Any) -> tuple[str, ...]:
        return ("low", "high", "read")

    def sample(self, state: Any, parameter: float, control: str, rng: Random) -> Any:
        return rng.gauss(parameter, 1.0) if control == "read" else "over"

    def likelihood(self, state: Any, parameter: float, control: str, after: Any) -> float:
        if control != "read":
            return float(after == "over")
        return 0.0 if after == "over" else NormalDist(parameter, 1.0).pdf(after)

    def cost(self, state: Any, parameter: float, control: str, after: Any) -> float:
        return 0.1 if control == "read" else float((control == "high") != (parameter > 0))

    def is_terminal(self, state: Any) -> bool:
        return state == "over"

    def final_cost(self, state: Any) -> float:
        return 1.0


@pytest.mark.parametrize(
    ("simulations", "seeds"), [(5000, 3), pytest.param(10_000, 10, marks=pytest.mark.thorough)]
)
def test_widening_looks_behind_continuous_outcomes(simulations: int, seeds: int) -> None:
    """Without it no reading is met twice, and what comes after one is left to chance."""
    problem: Any = Reading(2)
    expected = 0.1 + NormalDist().cdf(-1)  # to read, and say which is nearer
    costs = {}
    for name, widening in (("wide", None), ("widened", Widening(1.0, 0.4))):
        costs[name] = [
            dict(
                one[:2]
                for one in Bamcp(problem, simulations, None, 1.0, seed, outcomes=widening).rate(
                    start(problem)
                )
            )
            for seed in range(seeds)
        ]
    # Means hold what exploring costs: of ten other seeds, by another order of draws, 0.29.
    assert fmean(cost["read"] for cost in costs["widened"]) == pytest.approx(expected, abs=0.06)
    assert fmean(cost["low"] for cost in costs["widened"]) == pytest.approx(0.5, abs=0.05)
    assert min(cost["read"] for cost in costs["wide"]) > 0.5


@pytest.mark.thorough
def test_play_of_continuous_outcomes_is_worth_what_is_expected() -> None:
    problem: Any = Reading(2)
    expected = 0.1 + NormalDist().cdf(-1)
    (score,) = compare(problem, {"it": Bamcp(problem, 1000, None, 1.0, outcomes=Widening(1.0, 0.4))}, 200)
    assert score.mean == pytest.approx(expected, abs=4 * score.error)
    assert score.error < 0.04


def test_a_factor_of_all_likelihoods_changes_nothing() -> None:
    """They are densities, whose size tells nothing: what was drawn itself is weighed as all else is."""

    class Scaled(Reading):
        def likelihood(self, state: Any, parameter: float, control: str, after: Any) -> float:
            return 1024 * super().likelihood(state, parameter, control, after)

    given: list[Any] = [Reading(2), Scaled(2)]
    rated = [
        Bamcp(problem, 500, coefficient=1.0, outcomes=Widening(1.0, 0.4)).rate(start(problem))
        for problem in given
    ]
    assert rated[0] == rated[1]


class Steered(SampledControl):
    """A position is to be near 0. Which way a control moves it is not known; a move may be too large."""

    parameters = (-1.0, 1.0)
    initial_state = 2.0
    horizon = 5

    def controls(self, state: Any) -> tuple[int, ...]:
        return (-2, -1, 0, 1, 2)

    def sample(self, state: Any, parameter: float, control: int, rng: Random) -> Any:
        return state + parameter * control + rng.gauss(0, 0.5)

    def likelihood(self, state: Any, parameter: float, control: int, after: Any) -> float:
        return NormalDist(state + parameter * control, 0.5).pdf(after)

    def cost(self, state: Any, parameter: float, control: int, after: Any) -> float:
        return float(after**2 + 0.1 * control**2)


class Preferring(Steered):
    """It knows what to do where the way is known."""

    def prefer(self, state: Any, parameter: float, rng: Random) -> int:
        return min(self.controls(state), key=lambda control: abs(state + parameter * control))


@pytest.mark.thorough
def test_preferred_rollouts_find_the_careful_step() -> None:
    """One careful step tells the way; two at once may cost much, and none tells nothing."""
    for problem in (Preferring(), EmpiricalControl(Preferring())):
        found = [
            Bamcp(problem, 1500, seed=seed, outcomes=Widening(1.0, 0.4)).choose(start(problem))
            for seed in range(8)
        ]
        assert sum(abs(control) == 1 for control in found) >= 6


def test_rollouts_do_what_the_problem_prefers() -> None:
    lost = Bamcp(Preferring(), 100, outcomes=Widening(1.0, 0.4)).rate(start(Preferring()))
    at_random = Bamcp(Steered(), 100, outcomes=Widening(1.0, 0.4)).rate(start(Steered()))
    assert min(one.cost for one in lost) < 0.7 * min(one.cost for one in at_random)


def test_widening_keeps_to_the_number_of_branches() -> None:
    """Controls come in one by one; where there is room for all outcomes the exact value is found."""
    assert [Widening(1.0, 0.5).branches(n) for n in (0, 1, 4, 5, 100)] == [1, 1, 2, 3, 10]
    problem = Bandit(3, 3)
    visits = [one.visits for one in Bamcp(problem, 3, controls=Widening(1.0, 0.2)).rate(start(problem))]
    assert visits[2] == 0
    small = Bandit(3)
    for widening in (Widening(2.0, 1.0), Widening(2.0, 0.1)):
        rated = Bamcp(small, 2000, coefficient=1.0, outcomes=widening).rate(start(small))
        assert min(one.cost for one in rated) == pytest.approx(-value(3), abs=0.06)


class Stuck(Reading):
    """After a reading nothing may be done."""

    def controls(self, state: Any) -> tuple[str, ...]:
        return ("read",) if state == 0.0 else ()


class Confused(Preferring):
    """What it prefers is none of its controls."""

    def prefer(self, state: Any, parameter: float, rng: Random) -> Any:
        return "left"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda problem: Bamcp(Stuck(3), 5).rate(start(Tiger())._replace(state=0.0)),  # type: ignore[arg-type]  # it draws alone
            "no control may be applied in state",
        ),
        (lambda problem: Bamcp(problem), "a limit of simulations or of seconds"),
        (lambda problem: Bamcp(problem, 0), "simulations must be 1 or more, not 0"),
        (lambda problem: Bamcp(problem, 1, coefficient=-1.0), "coefficient must be 0 or more and finite"),
        (lambda problem: Bamcp(problem, seconds=-1.0), "seconds must be 0 or more, not -1"),
        (lambda problem: Widening(0.0), "coefficient must be more than 0 and finite"),
        (lambda problem: Widening(1.0, 2.0), "exponent must be more than 0 and 1 or less, not 2"),
        (
            lambda problem: Bamcp(Drawn(), 1, outcomes=Widening()),  # type: ignore[arg-type]  # it is all that is asked
            "widening of outcomes needs a problem with likelihood",
        ),
        (
            lambda problem: Bamcp(Confused(), 50, outcomes=Widening(1.0, 0.4)).rate(start(Confused())),
            r"prefer\(\) returned 'left' in state .*; it returns one of the controls there",
        ),
        (lambda problem: BinarySearch(problem, Oracle(problem), 0.0), "confidence must be more than 0"),
        (
            lambda problem: Bamcp(problem, 1).choose(Situation("open", start(problem).belief, 0)),
            "nothing is left to do there",
        ),
    ],
)
def test_refused(make: Callable[[Any], object], said: str) -> None:
    with pytest.raises(SleuthError, match=said):
        make(Tiger())


@pytest.mark.parametrize(
    "text",
    [
        "posterior-sampling(seed=2)",
        "information-directed",
        "knowledge-gradient",
        "binary-search(confidence=0.99)",
        "bamcp(simulations=400,coefficient=60,seed=1)",
        "bamcp(simulations=200,widening=0.5)",
    ],
)
def test_baselines_by_name(text: str) -> None:
    """Each plays the tiger to its end, and the same again."""
    problem: Any = PROBLEMS.load("tiger")()
    scores = [compare(problem, {text: method(text).policy(problem, Oracle(problem))}, 8)[0] for _ in range(2)]
    assert -inf < scores[0].mean == scores[1].mean < inf

"""Adaptive control: beliefs, exact dynamic programming, bounds and policies, against trying everything."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import inf
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from random_controls import Table, problems
from random_games import small_games

import sleuth
from sleuth.exact.proving import prove
from sleuth.games.game import Game
from sleuth.planning.bamcp import Bamcp
from sleuth.planning.belief import Belief, branches, update
from sleuth.planning.control import SampledControl, draw
from sleuth.planning.dynamic_programming import DynamicProgram
from sleuth.planning.episodes import compare
from sleuth.planning.lookahead import CertaintyEquivalence, Lookahead, Myopic, by_parameter
from sleuth.planning.methods import method, policy_of
from sleuth.planning.oracle import Oracle
from sleuth.planning.particles import ParticleBelief, metropolis
from sleuth.planning.policy import Blind, Policy
from sleuth.planning.problems.tiger import Tiger
from sleuth.planning.randomised import RandomPolicy
from sleuth.planning.recording import record
from sleuth.planning.rollout import PolicyCost, Rollout
from sleuth.planning.simulation import simulate
from sleuth.planning.situation import BeliefMDP, PomdpView, Situation, after, start
from sleuth.planning.tree_search import TreeSearch
from sleuth.processes.control import Guessing, best_of, policy
from sleuth.strategies.heuristics import InformationGain
from sleuth.strategies.rollout import Rollout as FastRollout
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.progress import Progress


def histories(problem: Table) -> list[tuple[int, ...]]:
    """Yield, for every run of controls and states that is possible, the histories that a policy may meet."""
    found = []

    def follow(history: tuple[int, ...], stage: int) -> None:
        state = history[-1]
        if problem.is_terminal(state) or stage == problem.horizon:
            return
        found.append(history)
        for control in problem.controls(state):
            for then in range(len(problem.laws[0])):
                follow((*history, control, then), stage + 1)

    follow((problem.initial_state,), 0)
    return found


def cost_of_plan(problem: Table, plan: dict[tuple[int, ...], int]) -> float:
    """Return what a map from histories to controls costs, in the joint law of parameter and states."""

    def follow(history: tuple[int, ...], parameter: int, stage: int) -> float:
        state = history[-1]
        if problem.is_terminal(state):
            return 0.0
        if stage == problem.horizon:
            return problem.final_cost(state)
        control = plan[history]
        return sum(
            p
            * (
                problem.cost(state, parameter, control, then)
                + problem.discount * follow((*history, control, then), parameter, stage + 1)
            )
            for p, then in problem.outcomes(state, parameter, control)
        )

    total: float = sum(w * follow((0,), i, 0) for i, w in enumerate(problem.prior))
    return total


def least_by_enumeration(problem: Table) -> float:
    """Return the least cost of all plans, by trying each of them."""
    known = histories(problem)
    choices = [problem.controls(history[-1]) for history in known]
    return min(cost_of_plan(problem, dict(zip(known, plan, strict=True))) for plan in product(*choices))


@given(problems(horizon=st.integers(1, 2)), st.floats(0.3, 1.0))
def test_the_dynamic_program_is_the_least_of_all_plans(problem: Table, discount: float) -> None:
    problem.discount = discount
    known = [problem.controls(history[-1]) for history in histories(problem)]
    assume(np.prod([float(len(controls)) for controls in known]) <= 4096)
    assert DynamicProgram(problem).cost == pytest.approx(least_by_enumeration(problem))


# Beliefs.


@given(problems(horizon=st.just(5)), st.randoms())
def test_beliefs_are_bayes_rule_over_whole_histories(problem: Table, random: Random) -> None:
    likelihood = [Fraction(w) for w in problem.weights]
    state, belief = problem.initial_state, Belief.of(problem.prior)
    truth = random.choice(belief.support.tolist())
    for _ in range(4):
        control = random.choice(problem.controls(state))
        ways = branches(problem, state, belief, control)
        assert sum(way.probability for way in ways) == pytest.approx(1)
        then: Any = draw(problem, state, truth, control, random)
        for i, laws in enumerate(problem.laws):
            law: Any = laws[state][control]
            likelihood[i] *= Fraction({s: w for w, s in law}.get(then, 0), sum(w for w, _ in law))
        (way,) = (way for way in ways if way.state == then)
        belief = update(problem, state, belief, control, then)
        assert way.belief == belief
        expected = [float(weight / sum(likelihood)) for weight in likelihood]
        assert belief.full(len(expected)) == pytest.approx(expected)
        assert np.all(belief.weights > 0)
        state = then


def test_what_no_parameter_explains_is_an_error() -> None:
    problem = Table([[[[(1, 0)]], [[(1, 0)]]]], [[[0], [0]]], [1], 3)
    with pytest.raises(SleuthError, match="no parameter leads from 0 to 1"):
        update(problem, 0, Belief.certain(0), 0, 1)
    with pytest.raises(SleuthError, match="no parameter is possible"):
        Belief.of(np.zeros(3))


def test_particles_converge_to_exact_beliefs() -> None:
    """Coins of unknown bias, out of many: the filter against Bayes' rule over all of them."""
    biases = np.linspace(0.05, 0.95, 19)
    exact = np.full(19, 1 / 19)
    rng = np.random.default_rng(1)
    errors = []
    for n in (100, 10_000):
        belief, weights = ParticleBelief.of(rng.choice(biases, n)), exact
        for heads in (1, 1, 0, 1, 1, 1, 0, 1):
            belief = belief.update(lambda b, h=heads: b if h else 1 - b, rng)  # type: ignore[misc]  # mypy infers no lambda with a default
            weights = weights * (biases if heads else 1 - biases)
        weights = weights / weights.sum()
        found = np.array([belief.weights[np.isclose(belief.particles, b)].sum() for b in biases])
        errors.append(np.abs(found - weights).sum())
        assert belief.weights.sum() == pytest.approx(1)
        assert belief.effective >= 0.5 * n - 1e-9
    assert errors[1] < 0.08
    assert errors[1] < errors[0]
    assert belief.mean() == pytest.approx(weights @ biases, abs=0.02)


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=20), st.integers(0, 99))
def test_systematic_resampling_copies_particles_by_their_weights(weights: list[float], seed: int) -> None:
    """Each is drawn its expected number of times, rounded down or up."""
    shares = np.array(weights) / sum(weights)
    n = len(shares)
    drawn = ParticleBelief(np.arange(n), shares).resampled(np.random.default_rng(seed))
    counts = np.bincount(drawn.particles, minlength=n)
    assert np.all(np.abs(counts - n * shares) < 1 + 1e-9)
    assert drawn.weights == pytest.approx(np.full(n, 1 / n))


def test_particles_are_stirred_when_drawn_anew_and_only_then() -> None:
    rng = np.random.default_rng(0)
    belief = ParticleBelief.of(np.zeros(50), 0.5, lambda b, rng: b + rng.normal(0, 1, len(b)))
    assert np.all(belief.update(lambda b: np.ones(50), rng).particles == 0)
    stirred = belief.update(lambda b: np.r_[1.0, np.zeros(49)], rng)
    assert len(set(stirred.particles)) == 50
    with pytest.raises(SleuthError, match="no particle explains"):
        belief.update(lambda b: np.zeros(50), rng)
    with pytest.raises(SleuthError, match="threshold"):
        ParticleBelief.of(np.zeros(3), 2)


def test_metropolis_steps_leave_a_density_as_it_is_and_lead_to_it() -> None:
    """A normal distribution cut at nothing, from draws of its own and of others; in two dimensions, too."""

    def density(particles: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(particles > 0, -np.square(particles - 1) / 2, -np.inf)

    def plane(particles: NDArray[np.float64]) -> NDArray[np.float64]:
        return density(particles[:, 0]) + density(particles[:, 1])

    rng, n = np.random.default_rng(2), 20_000
    own = rng.normal(1, 1, 2 * n)
    own = own[own > 0][:n]
    mean, spread = own.mean(), own.std()
    for found in (
        metropolis(density)(own, rng),
        metropolis(density, 60)(rng.uniform(0, 9, n), rng),
        *metropolis(plane, 90)(rng.uniform(0, 9, (n, 2)), rng).T,
    ):
        assert found.shape == (n,)
        assert (found > 0).all()
        assert (found.mean(), found.std()) == pytest.approx((mean, spread), abs=0.04)
        assert (own == found).mean() < 0.3
    assert metropolis(density)(np.ones(5), rng).tolist() == [1.0] * 5
    with pytest.raises(SleuthError, match="steps must be 1 or more, not 0"):
        metropolis(density, 0)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1), st.floats(0, 1))
def test_quantiles_have_their_share_of_the_weight_below(drawn: list[tuple[int, int]], share: float) -> None:
    particles, heavy = np.array(drawn).T
    belief = ParticleBelief(particles, heavy / heavy.sum())
    found = belief.quantile(share)
    assert found in particles
    assert belief.weights[particles <= found].sum() >= share - 1e-9
    assert belief.weights[particles < found].sum() <= share + 1e-9


def test_quantiles_are_of_a_share() -> None:
    with pytest.raises(SleuthError, match="share must be from 0 to 1, not 2"):
        ParticleBelief.of(np.zeros(3)).quantile(2)


# Bounds and policies.


def plan_of(problem: Table, policy: Lookahead) -> dict[tuple[int, ...], int]:
    """Return what a policy does after every history."""
    plan = {}
    for history in histories(problem):
        situation = start(problem)
        for control, then in zip(history[1::2], history[2::2], strict=True):
            ways = [way for way in after(problem, situation, control) if way.situation.state == then]
            if not ways:
                situation = None
                break
            situation = ways[0].situation
        # What cannot happen does not matter.
        plan[history] = 0 if situation is None else policy.choose(situation)
    return plan


@given(problems(horizon=st.integers(1, 3)), st.integers(0, 1))
def test_no_policy_is_below_the_bound_and_rollout_is_no_worse_than_its_base(
    problem: Table, choice: int
) -> None:
    begin = start(problem)
    exact = DynamicProgram(problem)
    bound = Oracle(problem)
    assert bound(begin) <= exact.cost + 1e-9
    bases: list[Policy] = [
        Blind(lambda state: problem.controls(state)[choice % len(problem.controls(state))]),
        Myopic(problem),
        CertaintyEquivalence(problem, bound),
        Lookahead(problem, bound),
    ]
    for base in bases:
        rollout = Rollout(problem, base)
        again = Rollout(problem, rollout)
        costs = [PolicyCost(problem, policy)(begin) for policy in (exact, again, rollout, base)]
        assert costs[0] == pytest.approx(exact.cost)
        assert all(a <= b + 1e-9 for a, b in pairwise(costs))
    policy = Lookahead(problem, bound)
    if np.prod([float(len(problem.controls(h[-1]))) for h in histories(problem)]) <= 4096:
        assert PolicyCost(problem, policy)(begin) == pytest.approx(
            cost_of_plan(problem, plan_of(problem, policy))
        )


@given(problems(horizon=st.integers(1, 3)))
def test_lookahead_to_the_end_or_with_exact_costs_is_optimal(problem: Table) -> None:
    begin = start(problem)
    exact = DynamicProgram(problem)
    deep = Lookahead(problem, lambda _: 99.0, depth=problem.horizon)
    one = Lookahead(problem, exact.cost_of)
    for lookahead in (deep, one):
        if not problem.is_terminal(0):
            assert min(rated.cost for rated in lookahead.rate(begin)) == pytest.approx(exact.cost)
        assert PolicyCost(problem, lookahead)(begin) == pytest.approx(exact.cost)


@given(problems(horizon=st.none(), discount=st.sampled_from([0.5, 0.7])))
def test_discounted_costs_are_within_the_tolerance(problem: Table) -> None:
    """Against a horizon so long that what comes after it weighs nothing."""
    tolerance = 1e-2
    found = DynamicProgram(problem, tolerance).cost
    bound = Oracle(problem)(start(problem))
    problem.horizon, problem.final = 9, [0, 0, 0]
    left = problem.discount**9 * 5 / (1 - problem.discount)
    assert found == pytest.approx(DynamicProgram(problem).cost, abs=left + tolerance)
    problem.horizon = 40
    assert bound == pytest.approx(Oracle(problem)(start(problem)), abs=1e-4)


@given(problems(horizon=st.integers(1, 3)))
def test_costs_by_parameter_are_averaged_over_the_belief(problem: Table) -> None:
    bound = Oracle(problem)
    for costs in (bound.cost, [bound.cost] * len(problem.parameters)):
        assert by_parameter(costs)(start(problem)) == pytest.approx(bound(start(problem)))


@given(problems(horizon=st.integers(1, 3)))
def test_a_base_policy_for_each_parameter(problem: Table) -> None:
    """Each is followed as if its parameter were known to be true."""
    bound = Oracle(problem)
    bases = [Blind(lambda state, i=i: bound.control(state, i, 0)) for i in range(len(problem.parameters))]  # type: ignore[misc]  # mypy infers no lambda with a default
    begin = start(problem)
    assume(not problem.is_terminal(begin.state))
    rated = Rollout(problem, bases).rate(begin)
    expected = []
    for control in problem.controls(0):
        total = 0.0
        for i, weight in enumerate(problem.prior):
            single = Table(
                [problem.laws[i]],
                [problem.costs[i]],
                [1],
                problem.horizon,
                1.0,
                problem.final,
                problem.terminal,
            )
            first = Situation(0, Belief.certain(0), 0)
            for way in after(single, first, control):
                ahead = 0.0 if way.over else PolicyCost(single, bases[i])(way.situation)
                total += weight * way.probability * (way.cost + ahead)
        expected.append(total)
    assert [entry.cost for entry in rated] == pytest.approx(expected)


def coins(n: int = 2) -> Table:
    """Two states that are left with a chance that the parameter sets; two controls, one dear and sure."""
    laws = [[[[(p, 0), (10 - p, 1)], [(1, 1)]], [[(1, 0)], [(1, 1)]]] for p in (2, 8)]
    costs = [[[1, 2], [0, 0]], [[1, 2], [0, 0]]]
    return Table(laws, costs, [1, 1], 6, 0.9)


def test_simulated_costs_are_the_exact_ones_on_average() -> None:
    problem = coins()
    base = Myopic(problem)
    exact = {rated.control: rated.cost for rated in Rollout(problem, base).rate(start(problem))}
    for control, mean, error in Rollout(problem, base, simulations=250).rate(start(problem)):
        assert 0 < error < 0.3 or control == 1
        assert mean == pytest.approx(exact[control], abs=4 * error + 1e-9)
    (score,) = compare(problem, {"myopic": base}, 250)
    assert score.mean == pytest.approx(PolicyCost(problem, base)(start(problem)), abs=4 * score.error)


def test_truncated_rollout_takes_its_estimate() -> None:
    problem = coins()
    bound = Oracle(problem)
    base = Blind(lambda state: 0)
    cut = Rollout(problem, base, stages=0, estimate=bound)
    assert cut.rate(start(problem)) == Lookahead(problem, bound).rate(start(problem))
    for stages in (1, 2):
        exact = Rollout(problem, base, stages=stages, estimate=bound).rate(start(problem))
        drawn = Rollout(problem, base, 1000, stages, bound).rate(start(problem))
        for one, other in zip(exact, drawn, strict=True):
            assert one.cost == pytest.approx(other.cost, abs=4 * other.error + 1e-9)


def test_simplified_lookahead_looks_at_some_controls() -> None:
    problem = coins()
    only = Lookahead(problem, lambda _: 0.0, screen=lambda situation, controls: controls[1:])
    assert [rated.control for rated in only.rate(start(problem))] == [1]
    rollout = Rollout(problem, Myopic(problem), screen=lambda situation, controls: controls[1:])
    assert rollout.choose(start(problem)) == 1


@given(problems(horizon=st.integers(1, 3)), st.integers(0, 9))
def test_tree_search_over_beliefs_finds_the_optimum(problem: Table, seed: int) -> None:
    exact = DynamicProgram(problem)
    bound = Oracle(problem)
    assume(not problem.is_terminal(0))
    search = TreeSearch(BeliefMDP(problem, bound, bound), seed=seed)
    result = search.run(500)
    assert result.proved
    assert -result.value == pytest.approx(exact.cost)


class Drawn(SampledControl):
    """The same as a table, which can only be drawn from."""

    def __init__(self, table: Table) -> None:
        self.parameters, self.initial_state = table.parameters, table.initial_state
        self.horizon, self.discount, self.table = table.horizon, table.discount, table

    def controls(self, state: Hashable) -> Sequence[int]:
        return self.table.controls(state)

    def cost(self, state: Hashable, parameter: int, control: int, after: Hashable) -> float:
        return self.table.cost(state, parameter, control, after)

    def sample(self, state: Hashable, parameter: int, control: int, rng: Random) -> Hashable:
        return draw(self.table, state, parameter, control, rng)


def test_problems_that_can_only_be_drawn_from() -> None:
    problem = coins()
    drawn = Drawn(problem)
    base = Blind(lambda state: 0)
    one = compare(problem, {"base": base}, 50, seed=3)[0]
    other = compare(drawn, {"base": base}, 50, seed=3)[0]
    assert one.mean == other.mean
    # One decision from a given belief needs no update of it; to play on does.
    rollout = Rollout(drawn, base, simulations=30)
    rated = rollout.rate(start(drawn))
    assert rated == Rollout(problem, base, simulations=30).rate(start(problem))
    refused: Callable[[], object]
    for refused in (
        lambda: compare(drawn, {"rollout": rollout}, 5),
        lambda: Rollout(drawn, rollout, simulations=3).rate(start(drawn)),
        lambda: Rollout(drawn, base, simulations=3, stages=1, estimate=lambda _: 0.0).rate(start(drawn)),
    ):
        with pytest.raises(SleuthError, match="belief cannot be updated"):
            refused()
    # Who is certain of the parameter learns nothing that is missed.
    sure = Situation(drawn.initial_state, Belief.certain(1), 0)
    assert simulate(drawn, rollout, sure, 1, Random(1)) == pytest.approx(
        simulate(problem, Rollout(problem, base, simulations=30), sure, 1, Random(1))
    )
    for refused in (
        lambda: Myopic(drawn).choose(start(drawn)),  # type: ignore[arg-type]  # lacks outcomes on purpose
        lambda: PolicyCost(drawn, base)(start(drawn)),  # type: ignore[arg-type]  # lacks outcomes on purpose
        lambda: update(drawn, 0, start(drawn).belief, 0, 1),
    ):
        with pytest.raises(SleuthError, match="outcomes"):
            refused()
    with pytest.raises(SleuthError, match="outcomes"):
        Rollout(drawn, base)
    with pytest.raises(SleuthError, match="outcomes"):
        Oracle(drawn)


class Listed(Table):
    """Three states with one control, whose outcomes are always those given."""

    def __init__(self, outcomes: list[tuple[float, int]]) -> None:
        super().__init__([[[outcomes]] * 3], [[[1.0]] * 3], [1], 2)

    def outcomes(self, state: Any, parameter: int, control: int) -> Sequence[tuple[float, Any]]:
        return self.laws[parameter][state][control]


def answers_of(problem: Table) -> list[Callable[[], object]]:
    """Return what asks a problem of one control, in one way or another, what that leads to or costs."""
    begin = start(problem)
    return [
        lambda: DynamicProgram(problem).cost,
        lambda: Oracle(problem)(begin),
        lambda: Myopic(problem).choose(begin),
        lambda: simulate(problem, Blind(lambda state: 0), begin, 0, Random(0)),
        lambda: TreeSearch(BeliefMDP(problem)).run(5),
    ]


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        ([(0.5, 1), (0.4, 2)], "add up to 0.9"),
        ([(0.7, 1), (0.7, 2)], "add up to 1.4"),
        ([(1.5, 1), (-0.5, 2)], "a chance is -0.5"),
        ([(float("nan"), 1), (0.5, 2)], "a chance is nan"),
        ([(0.5, 1), (0.5, 1)], "1 is listed twice"),
        ([], "add up to 0"),
        ([("1.0", 1)], "a chance is '1.0'; chances are numbers"),
        ([(1.0, 1, 2)], r"must be a list of \(chance, next state\), not \[\(1.0, 1, 2\)\]"),
        (None, r"must be a list of \(chance, next state\), not None"),
    ],
)
def test_outcomes_that_are_no_distribution_are_refused(outcomes: Any, said: str) -> None:
    problem = Listed(outcomes)
    asked: Callable[[], object]
    for asked in (*answers_of(problem), lambda: update(problem, 0, start(problem).belief, 0, 1)):
        with pytest.raises(SleuthError, match=rf"of 0 in state 0\b.*{said}"):
            asked()


def test_states_that_are_not_hashable_are_refused() -> None:
    problem: Any = Listed([])
    problem.laws = [[[[(1.0, ["there"])]]] * 3]
    for asked in answers_of(problem):
        with pytest.raises(SleuthError, match="what follows 0 in state 0 is a list; states are hashable"):
            asked()
    problem.initial_state = ["here"]
    with pytest.raises(SleuthError, match="initial_state is a list; states are hashable"):
        start(problem)


def test_controls_that_may_not_be_applied_are_refused() -> None:
    """They were played, for whatever the problem said that they cost."""
    problem = Listed([(0.5, 1), (0.5, 2)])
    asked: list[Callable[[], object]] = [
        lambda: compare(problem, {"wrong": Blind(lambda state: 7)}, 3),
        lambda: simulate(problem, Blind(lambda state: 7), start(problem), 0, Random(0)),
        lambda: record(problem, Blind(lambda state: 7)),
    ]
    for ask in asked:
        with pytest.raises(SleuthError, match="7 may not be applied in state 0, and was chosen there"):
            ask()


@pytest.mark.parametrize(
    ("left", "said"),
    [
        ((), "no control may be applied in state 1"),
        (None, r"controls\(\) of state 1 is a sequence, not None"),
    ],
)
def test_states_without_controls_are_refused(left: Any, said: str) -> None:
    class Stuck(Listed):
        def controls(self, state: Any) -> Any:
            return (0,) if state == 0 else left

    problem = Stuck([(0.5, 1), (0.5, 2)])
    begin = start(problem)
    asked: list[Callable[[], object]] = [
        lambda: DynamicProgram(problem).cost,
        lambda: Oracle(problem)(begin),
        lambda: Lookahead(problem, lambda _: 0.0, depth=2).choose(begin),
        lambda: Bamcp(problem, 5).choose(begin),
        lambda: compare(problem, {"random": RandomPolicy(problem)}, 5),
        lambda: TreeSearch(BeliefMDP(problem)).run(5),
    ]
    for ask in asked:
        with pytest.raises(SleuthError, match=said):
            ask()


@pytest.mark.parametrize(
    ("paid", "told"), [(float("nan"), "nan"), (inf, "inf"), (None, "None"), ("one", "'one'")]
)
def test_costs_that_are_no_numbers_are_refused(paid: Any, told: str) -> None:
    class Odd(Listed):
        def cost(self, state: Any, parameter: int, control: int, after: Any) -> float:
            found: float = paid
            return found

    for asked in answers_of(Odd([(0.5, 1), (0.5, 2)])):
        with pytest.raises(
            SleuthError, match=f"the cost of 0 in state 0 is {told}; it must be a finite number"
        ):
            asked()


class Spread:
    """Likelihoods under all parameters at once, as given."""

    parameters, initial_state, horizon, discount = (0, 1), "here", 3, 1.0
    prior = np.full(2, 0.5)
    paid = 1.0

    def __init__(self, there: list[float], back: list[float]) -> None:
        self.told = {"there": np.array(there), "back": np.array(back)}

    def controls(self, state: Any) -> tuple[str, ...]:
        return ("go",)

    def successors(self, state: str, control: str) -> list[str]:
        return list(self.told)

    def likelihoods(self, state: str, control: str, after: str) -> NDArray[np.float64]:
        return self.told[after]

    def costs(self, state: str, control: str, after: str) -> NDArray[np.float64]:
        return np.where(self.told[after] > 0, self.paid, np.nan)


@pytest.mark.parametrize(
    ("there", "back", "said"),
    [
        ([0.5, 0.5], [0.5, 0.4], "parameter number 1 add up to 0.9"),
        ([0.5, 0.5], [0.5, -0.5], "likelihood of 'back' is -0.5"),
        ([0.5, 1.5], [0.5, -0.5], "likelihood of 'there' is 1.5"),
        ([0.5, float("nan")], [0.5, 0.5], "likelihood of 'there' is nan"),
    ],
)
def test_a_belief_that_would_lose_weight_is_refused(there: list[float], back: list[float], said: str) -> None:
    begin = Situation("here", Belief.of(np.ones(2)), 0)
    with pytest.raises(SleuthError, match=f"of 'go' in state 'here': .*{said}"):
        branches(Spread(there, back), "here", begin.belief, "go")  # type: ignore[arg-type]  # likelihoods are all that is asked
    if "likelihood of 'there'" in said:  # all that is asked when it was seen
        with pytest.raises(SleuthError, match=f"of 'go' in state 'here': .*{said}"):
            update(Spread(there, back), "here", begin.belief, "go", "there")  # type: ignore[arg-type]  # as above
    assert len(branches(Spread([0.5, 0.25], [0.5, 0.75]), "here", begin.belief, "go")) == 2  # type: ignore[arg-type]  # likelihoods are all that is asked


def test_costs_are_asked_of_parameters_that_lead_there_and_are_numbers() -> None:
    class Odd(Spread):
        paid = float("nan")

    sure: tuple[list[float], list[float]] = [1.0, 0.0], [0.0, 1.0]
    belief = Belief.of(np.ones(2))
    ways = branches(Spread(*sure), "here", belief, "go")  # type: ignore[arg-type]  # likelihoods are all that is asked
    assert [way.cost for way in ways] == [1.0, 1.0]
    with pytest.raises(SleuthError, match="the cost of 'go' in state 'here' is nan"):
        branches(Odd(*sure), "here", belief, "go")  # type: ignore[arg-type]  # as above


def test_the_pomdp_of_a_problem() -> None:
    """Its law is that of the problem, and what is hidden stays as it is."""
    problem = coins()
    view = PomdpView(problem)
    rng = Random(1)
    seen = {view.begin(rng).parameter for _ in range(50)}
    assert seen == {0, 1}
    state = view.begin(rng)
    counts: Any = 0
    for _ in range(2000):
        then, observation, reward = view.step(state, 0, rng)
        assert then.parameter == state.parameter
        assert observation == then.state
        assert reward == -problem.cost(0, state.parameter, 0, then.state)
        assert view.observation_probability(then, then, observation) == 1
        counts += then.state
    expected = view.transition_probability(state, 0, state._replace(state=1))
    assert counts / 2000 == pytest.approx(expected, abs=0.05)
    assert view.transition_probability(state, 0, state._replace(parameter=1 - state.parameter)) == 0


def test_comparisons_are_the_same_for_the_same_seed_and_fair() -> None:
    problem = coins()
    policies: dict[str, Policy] = {
        "one": Myopic(problem),
        "same": Myopic(problem),
        "other": Blind(lambda state: 1),
    }
    first = compare(problem, policies, 20, seed=5)
    again = compare(problem, policies, 20, seed=5)
    assert [score.mean for score in first] == [score.mean for score in again]
    assert first[0].mean == first[1].mean != first[2].mean
    done = []

    def stop(progress: Progress) -> None:
        done.append(progress.done)
        if len(done) == 3:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        compare(problem, policies, 20, progress=stop)
    assert [score.episodes for score in stopped.value.known] == [3, 3, 3]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"weights": [3, -1]}, "distribution"),
        ({"weights": [1]}, "a weight for each parameter"),
        ({"discount": 1.5}, "discount"),
        ({"horizon": 0}, "horizon must be 1 or more"),
        ({"parameters": ()}, "a problem needs parameters"),
        ({"parameters": None}, "the parameters of a problem are a sequence, not None"),
        ({"controls": lambda state: ([1],)}, "controls are hashable, which a list is not"),
        ({"controls": lambda state: "toss"}, r"controls\(\) of state 0 is a sequence, not 'toss'"),
    ],
)
def test_problems_that_are_not_well_formed_are_refused(change: dict[str, Any], said: str) -> None:
    problem = coins()
    vars(problem).update(change)
    with pytest.raises(SleuthError, match=said):
        start(problem)


def test_what_never_ends_and_costs_is_known_at_once() -> None:
    # From 0 play may end, from 1 it never does; a stage there costs something, or nothing.
    ways: list[list[list[tuple[float, int]]]] = [[[(1, 2), (1, 1)], [(1, 2)]], [[(1, 1)], [(1, 1)]]]
    for costs, known in (([1.0, 1.0], False), ([1.0, -0.5], True)):
        oracle = Oracle(Table([ways], [[[1.0, 1.0], costs]], [1], None, terminal=(2,)))
        if known:
            assert (oracle.costs(0).tolist(), oracle.costs(1).tolist()) == ([1.75], [0.0])
        else:
            with pytest.raises(SleuthError, match="do not settle"):
                oracle.costs(1)


def test_play_without_an_end_is_refused() -> None:
    problem = Table([[[[(1, 0)]]]], [[[1]]], [1], None)
    with pytest.raises(SleuthError, match="horizon or a discount|settle"):
        DynamicProgram(problem).cost  # noqa: B018
    with pytest.raises(SleuthError, match="does not end"):
        simulate(problem, Blind(lambda state: 0), start(problem), 0, Random(0))
    (score,) = compare(problem, {"goes on": Blind(lambda state: 0)}, 3)
    assert (score.mean, score.error) == (inf, inf)
    with pytest.raises(SleuthError, match="without an end"):
        PolicyCost(problem, Blind(lambda state: 0))(start(problem))


def test_costs_of_policies_that_do_what_may_not_be_done_are_refused() -> None:
    problem = coins()
    with pytest.raises(SleuthError, match=r"^7 may not be applied in state .*, and was chosen there"):
        PolicyCost(problem, Blind(lambda state: 7))(start(problem))


def test_expectations_of_too_many_situations_are_simulated() -> None:
    problem, base = coins(), Blind(lambda state: 0)
    begin = start(problem)
    exact = Rollout(problem, base)
    rated = exact.rate(begin)
    assert Rollout(problem, base, most=10_000).rate(begin) == rated
    assert Rollout(problem, base, most=1).rate(begin) == Rollout(problem, base, 20).rate(begin) != rated
    with pytest.raises(SleuthError, match="takes more than 1 situations"):
        PolicyCost(problem, base, most=1)(begin)


# Guessing games as a case of it.


def wordle_of_300() -> Game:
    words = sleuth.wordle("original").answers[::7][:300]
    return sleuth.wordle(list(words))


@pytest.mark.parametrize(
    ("make", "positions"),
    [
        (lambda: sleuth.mastermind(3, 3), 15),
        pytest.param(lambda: sleuth.mastermind(3, 5), 100, marks=pytest.mark.thorough),
        pytest.param(wordle_of_300, 300, marks=pytest.mark.thorough),
    ],
)
def test_rollout_in_general_is_the_fast_one(make: Callable[[], Game], positions: int) -> None:
    """At every position of the fast one's tree, ten guesses looked at."""
    game = make()
    problem = Guessing(game)
    base = InformationGain()
    fast = FastRollout(base, width=10)
    slow = Rollout(problem, policy(base), screen=best_of(base, 10))
    todo, seen = [start(problem)], 0
    while todo:
        situation = todo.pop()
        control = slow.choose(situation)
        state: Any = situation.state
        assert control == fast.choose(state.position)
        seen += 1
        todo += [way.situation for way in after(problem, situation, control) if not way.over]
    assert seen > positions


@pytest.mark.parametrize("by", ["tree", "bounds"])
def test_searches_that_lay_states_out_play_games(by: str) -> None:
    """They ask what comes of answers that are no longer possible, too."""
    problem = Guessing(sleuth.mastermind(2, 3))
    chosen = method(by).policy(problem, Oracle(problem))
    assert PolicyCost(problem, chosen)(start(problem)) == pytest.approx(DynamicProgram(problem).cost)


@given(small_games(max_guesses=6, max_answers=6), st.data())
def test_games_are_problems_with_the_same_optima(game: Game, data: st.DataObject) -> None:
    game = replace(game, max_turns=len(game.answers) + 1)
    assume(game.mode == "easy")
    problem = Guessing(game)
    proof = prove(game) if problem.controls(problem.initial_state) else None
    assume(proof is not None and proof.mean is not None)
    assert DynamicProgram(problem).cost == pytest.approx(proof.mean)
    begin = start(problem)
    assert Oracle(problem)(begin) <= proof.mean + 1e-9
    base = policy(InformationGain())
    costs = [PolicyCost(problem, p)(begin) for p in (Rollout(problem, base), base)]
    assert proof.mean - 1e-9 <= costs[0] <= costs[1] + 1e-9


@pytest.mark.parametrize(
    ("text", "of_itself"),
    [("avts", "iterations"), ("tree", "simulations"), ("bounds", "trials"), ("bamcp", "simulations")],
)
def test_seconds_of_a_decision_stand_in_for_what_a_method_has_of_itself(text: str, of_itself: str) -> None:
    problem = Tiger()
    oracle = Oracle(problem)

    def limits(text: str, seconds: float | None) -> tuple[Any, Any]:
        policy: Any = policy_of(method(text), problem, oracle, seconds)
        return getattr(policy, of_itself), policy.seconds

    usual, _ = limits(text, None)
    assert usual > 0
    assert limits(text, None) == (usual, None)
    assert limits(text, 0.25) == (None, 0.25)
    assert limits(f"{text}({of_itself}=7)", 0.25) == (7, 0.25)

"""Problems that can only be drawn from: what is planned and believed by draws is what exact methods find."""

from collections.abc import Callable, Hashable
from math import exp
from random import Random
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from sleuth.planning.belief import Belief, branches, update
from sleuth.planning.control import ListedControl, SampledControl, draw
from sleuth.planning.dynamic_programming import DynamicProgram
from sleuth.planning.empirical import EmpiricalControl, listed
from sleuth.planning.episodes import compare
from sleuth.planning.lookahead import Lookahead
from sleuth.planning.methods import method
from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Policy
from sleuth.planning.rollout import Rollout
from sleuth.planning.simulation import simulate
from sleuth.planning.situation import Situation, start
from sleuth.support.errors import SleuthError


class Cup(ListedControl):
    """The cup of the docs: a peek costs 1 and is right four times out of five, a wrong call costs 10."""

    parameters = ("heads", "tails")
    initial_state = "nothing"
    horizon = 6

    def controls(self, state: Any) -> tuple[str, ...]:
        return ("peek", "call heads", "call tails")

    def outcomes(self, state: Any, parameter: str, control: str) -> list[tuple[float, Hashable]]:
        if control != "peek":
            return [(1.0, "over")]
        return [(0.8, parameter), (0.2, "tails" if parameter == "heads" else "heads")]

    def cost(self, state: Any, parameter: str, control: str, after: Any) -> float:
        if control == "peek":
            return 1.0
        return 0.0 if control == f"call {parameter}" else 10.0

    def is_terminal(self, state: Any) -> bool:
        return state == "over"

    def final_cost(self, state: Any) -> float:
        return 10.0


class Shaken(SampledControl):
    """The cup, which can only be drawn from."""

    parameters, initial_state, horizon = Cup.parameters, Cup.initial_state, Cup.horizon
    controls, cost, is_terminal, final_cost = Cup.controls, Cup.cost, Cup.is_terminal, Cup.final_cost

    def sample(self, state: Hashable, parameter: str, control: str, rng: Random) -> Hashable:
        return draw(Cup(), state, parameter, control, rng)


class Weighed(Shaken):
    """The same, where chances are known."""

    def likelihood(self, state: Hashable, parameter: str, control: str, after: Hashable) -> float:
        return sum(chance for chance, then in Cup().outcomes(state, parameter, control) if then == after)


class Gauss(SampledControl):
    """A mean of -1 or 1, measured at a price of 1 with noise of deviation 1; a wrong call costs 10."""

    parameters = (-1.0, 1.0)
    initial_state = "begin"
    horizon = 2

    def controls(self, state: Any) -> tuple[str, ...]:
        return ("measure", "low", "high")

    def sample(self, state: Any, parameter: float, control: str, rng: Random) -> Hashable:
        return parameter + rng.gauss(0, 1) if control == "measure" else "over"

    def likelihood(self, state: Any, parameter: float, control: str, after: Any) -> float:
        return exp(-((after - parameter) ** 2) / 2) if control == "measure" else 1.0

    def cost(self, state: Any, parameter: float, control: str, after: Any) -> float:
        return 1.0 if control == "measure" else 10.0 * ((control == "high") != (parameter > 0))

    def is_terminal(self, state: Any) -> bool:
        return state == "over"

    def final_cost(self, state: Any) -> float:
        return 10.0


def test_every_method_learns_under_the_cup_that_is_drawn() -> None:
    """Without learning one calls at once, for 5; who learns pays 3."""
    costs = {}
    for name, problem in (("listed", Cup()), ("drawn", EmpiricalControl(Shaken()))):
        oracle = Oracle(problem)
        policies: dict[str, Policy] = {
            text: method(text).policy(problem, oracle)
            for text in ("exact", "rollout", "avts(iterations=50)", "bounds(trials=50)")
        }
        costs[name] = compare(problem, policies, 50)
        for score in costs[name]:
            assert abs(score.mean - 3.0) < 1.96 * score.error, (name, score)
    # The same episodes, and no choice differs.
    assert [score.mean for score in costs["listed"]] == [score.mean for score in costs["drawn"]]


def test_costs_by_draws_are_near_and_by_known_chances_exact() -> None:
    assert DynamicProgram(Cup()).cost == pytest.approx(3.0)
    assert DynamicProgram(EmpiricalControl(Shaken(), 4000)).cost == pytest.approx(3.0, abs=0.15)
    assert DynamicProgram(EmpiricalControl(Weighed())).cost == pytest.approx(3.0)
    again = [DynamicProgram(EmpiricalControl(Shaken(), 100, seed)).cost for seed in (1, 1, 2)]
    assert again[0] == again[1] != again[2]


def test_beliefs_by_draws_are_near_and_by_known_chances_exact() -> None:
    belief = Belief.of(np.array([0.5, 0.5]))
    exact = update(Cup(), "nothing", belief, "peek", "heads").weights
    assert exact == pytest.approx([0.8, 0.2])
    drawn = EmpiricalControl(Shaken(), 4000)
    assert update(drawn, "nothing", belief, "peek", "heads").weights == pytest.approx(exact, abs=0.03)
    for problem in (Weighed(), EmpiricalControl(Weighed())):
        assert update(problem, "nothing", belief, "peek", "heads").weights == pytest.approx(exact)
    for problem, near in ((drawn, 0.03), (EmpiricalControl(Weighed()), 1e-9)):
        for one, other in zip(
            sorted(branches(problem, "nothing", belief, "peek"), key=lambda branch: str(branch.state)),
            sorted(branches(Cup(), "nothing", belief, "peek"), key=lambda branch: str(branch.state)),
            strict=True,
        ):
            assert one.state == other.state
            assert one.cost == pytest.approx(other.cost)
            assert one.probability == pytest.approx(other.probability, abs=near)
            assert one.belief.weights == pytest.approx(other.belief.weights, abs=near)


def test_a_likelihood_is_enough_to_follow_what_learns_by_simulation() -> None:
    weighed = Rollout(Weighed(), method("rollout").policy(Cup(), Oracle(Cup())), simulations=10)
    twin = Rollout(Cup(), weighed.base, simulations=10)
    (one,) = compare(Weighed(), {"rollout": weighed}, 12)
    (other,) = compare(Cup(), {"rollout": twin}, 12)
    assert one.mean == other.mean


def test_continuous_states_are_learned_from() -> None:
    """Measured once, the call is wrong with the chance that the noise exceeds 1."""
    least = 1 + 10 * NormalDist().cdf(-1)
    problem = EmpiricalControl(Gauss(), 80)
    rated = Lookahead(problem, lambda _: 0.0, depth=2).rate(start(problem))
    assert rated[0].cost == pytest.approx(least, abs=0.5)
    assert [entry.cost for entry in rated[1:]] == [pytest.approx(5), pytest.approx(5)]
    then = Lookahead(problem, lambda _: 0.0)
    assert (
        then.choose(Situation(0.3, update(Gauss(), "begin", start(problem).belief, "measure", 0.3), 1))
        == "high"
    )
    two = Rollout(Gauss(), then, simulations=150).rate(start(problem))[0]
    assert two.cost == pytest.approx(least, abs=4 * two.error)
    costs = [simulate(Gauss(), _Measure(then), start(problem), i % 2, Random(i)) for i in range(100)]
    assert np.mean(costs) == pytest.approx(least, abs=4 * np.std(costs) / 100**0.5)


class _Measure:
    """Measures first."""

    def __init__(self, then: Policy) -> None:
        self.then = then

    def choose(self, situation: Situation) -> Any:
        return "measure" if situation.stage == 0 else self.then.choose(situation)


def test_particles_of_a_continuous_parameter_are_weighed() -> None:
    """A coin of unknown bias, five heads of eight; the exact mean is (5 + 1) / (8 + 2)."""

    class Coin(SampledControl):
        parameters = tuple(np.random.default_rng(1).random(4000).tolist())
        initial_state = 0
        horizon = 8

        def controls(self, state: Any) -> tuple[str, ...]:
            return ("throw",)

        def sample(self, state: Any, parameter: float, control: str, rng: Random) -> Hashable:
            return int(rng.random() < parameter)

        def likelihood(self, state: Any, parameter: float, control: str, after: Any) -> float:
            return parameter if after else 1 - parameter

        def cost(self, state: Any, parameter: float, control: str, after: Any) -> float:
            return 0.0

    coin = Coin()
    belief = start(coin).belief
    for head in (1, 1, 0, 1, 0, 1, 1, 0):
        belief = update(coin, 0, belief, "throw", head)
    assert belief.weights @ np.array(coin.parameters)[belief.support] == pytest.approx(0.6, abs=0.01)


def test_what_cannot_be_is_refused() -> None:
    class Negative(Weighed):
        def likelihood(self, state: Any, parameter: str, control: str, after: Any) -> float:
            return -0.1

    class Never(Weighed):
        def likelihood(self, state: Any, parameter: str, control: str, after: Any) -> float:
            return 0.0

    class Unweighed(Gauss):
        likelihood = None

    class Lists(Shaken):
        def sample(self, state: Hashable, parameter: str, control: str, rng: Random) -> Any:
            return [parameter]

    unweighed = EmpiricalControl(Unweighed())
    gauss, shaken = EmpiricalControl(Gauss(), 50), EmpiricalControl(Shaken(), 50)
    believed = start(shaken).belief
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: DynamicProgram(gauss).cost, "'measure' in state .* cannot be listed: .* add up to"),
        (
            lambda: DynamicProgram(unweighed).cost,
            "'measure' in .*: of 1000 draws 1000 came but once. .* likelihood",
        ),
        (
            lambda: update(unweighed, "begin", start(unweighed).belief, "measure", 0.3),
            "of 1000 draws 1000 came but once",
        ),
        (
            lambda: DynamicProgram(EmpiricalControl(Lists())).cost,
            "what follows 'peek' in state 'nothing' is a list; states are hashable",
        ),
        (lambda: EmpiricalControl(Shaken(), 0), "draws"),
        (lambda: EmpiricalControl(Cup()), "with sample"),  # type: ignore[arg-type]  # it lists its outcomes
        (
            lambda: update(shaken, "nothing", believed, "peek", "edge"),
            "no parameter leads from 'nothing' to 'edge'",
        ),
        (lambda: update(Negative(), "nothing", believed, "peek", "heads"), "likelihood of 'heads' is -0.1"),
        (
            lambda: branches(EmpiricalControl(Never()), "nothing", believed, "peek"),
            "has likelihood 0 under each",
        ),
        (lambda: DynamicProgram(Shaken()).cost, "EmpiricalControl"),  # type: ignore[arg-type]  # lacks outcomes
        (
            lambda: compare(Shaken(), {"rollout": Rollout(Shaken(), _Measure(_Call()), 5)}, 5),
            "EmpiricalControl",
        ),
    ]
    for asked, said in refused:
        with pytest.raises(SleuthError, match=said):
            asked()


class _Call:
    def choose(self, situation: Situation) -> Any:
        return "call heads"


def test_problems_that_list_their_outcomes_stay_as_they_are() -> None:
    cup = Cup()
    assert listed(cup) is cup
    assert isinstance(listed(Shaken()), EmpiricalControl)
    assert listed(1) == 1

"""Bayes-adaptive Monte-Carlo planning (Guez et al. 2012): UCT over histories by root sampling.

A simulation draws a parameter from the belief at the root, once, and follows it; beliefs within the tree are
never worked out. Controls are picked by upper confidence bounds over the histories, and a history met first
is rolled out by controls drawn at random.

Where outcomes are continuous no state is met twice, and such a tree has one level. Progressive widening
(Couetoux et al. 2011) lets a control have only so many next states as its visits allow. One of them then
stands for what was drawn, and the parameter goes on from those that were seen to lead there, weighed by their
likelihood: POMCPOW (Sunberg and Kochenderfer 2018), with the parameter as the hidden part of the state.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import ceil, inf, log, sqrt
from random import Random
from typing import Any, NamedTuple

from sleuth.kernels.compiling import seconds_worked
from sleuth.planning.belief import Belief
from sleuth.planning.control import (
    AdaptiveControl,
    check_control,
    cost_of,
    draw,
    final_cost_of,
    is_listed,
    is_weighed,
    likelihood_of,
    outcomes_of,
)
from sleuth.planning.policy import Blind
from sleuth.planning.simulation import NEGLIGIBLE, simulate
from sleuth.planning.situation import Situation, check_situation, is_over
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.ranges import check_limits, check_number, check_range, check_seed


@dataclass(frozen=True)
class Widening:
    """How many branches a node may have after so many visits: coefficient * visits ** exponent, rounded up.

    Attributes:
        coefficient: above zero.
        exponent: in (0, 1]; the larger, the wider.

    """

    coefficient: float = 1.0
    exponent: float = 0.5

    def __post_init__(self) -> None:
        check_range(self, "coefficient", above=0, below=inf)
        check_range(self, "exponent", above=0, most=1)

    def branches(self, visits: int) -> int:
        """Return the number after so many visits, 1 at least."""
        grown: float = self.coefficient * visits**self.exponent
        return max(1, ceil(grown))


class Tried(NamedTuple):
    """A control at the root: what it cost on average, and how often it was simulated."""

    control: Any
    cost: float
    visits: int


@dataclass(eq=False)
class _Edge:
    """A control of a history, and the histories after it by the state that followed."""

    control: Any
    visits: int = 0
    cost: float = 0.0
    then: dict[Hashable, _History] = field(default_factory=dict)


class _History:
    """A node of the tree.

    Where outcomes widen, led has the weights of the parameters that lead here, and drawn says how often the
    state was drawn while there was room.
    """

    def __init__(self, controls: Sequence[Any]) -> None:
        self.edges = [_Edge(control) for control in controls]
        self.visits = 0
        self.led: dict[int, float] = {}
        self.drawn = 0

    def pick(self, coefficient: float, widening: Widening | None) -> _Edge:
        """Return the edge of the least lower confidence bound of the cost; those not tried come first."""
        spread = coefficient * sqrt(log(max(self.visits, 1)))
        known = self.edges if widening is None else self.edges[: widening.branches(self.visits)]
        return min(known, key=lambda edge: edge.cost - spread / sqrt(edge.visits) if edge.visits else -inf)


@dataclass(eq=False)
class Bamcp:
    """Bayes-adaptive Monte-Carlo planning, for so many simulations or seconds a decision.

    Guez et al. (2012); it converges to the Bayes optimum (Guez et al. 2013). Rollouts
    are random, models are not drawn lazily, and a decision begins a new tree. Outcomes need not be listed:
    they are drawn.

    Attributes:
        problem: the problem.
        simulations, seconds: limits of a decision; one of them at least.
        coefficient: c of the confidence bounds, in units of costs; unless given, how far apart what the
            simulations cost was so far.
        seed: of the draws. The same situation is searched the same, where there is no limit of seconds.
        outcomes: how many next states a control may have; all that are drawn, unless given. It takes a
            problem with likelihood() or outcomes().
        controls: how many controls a history may have, in the problem's order; all, unless given.

    """

    problem: AdaptiveControl
    simulations: int | None = None
    seconds: float | None = None
    coefficient: float | None = None
    seed: int = 0
    outcomes: Widening | None = None
    controls: Widening | None = None

    def __post_init__(self) -> None:
        check_control(self.problem)
        check_limits("simulations", self.simulations, self.seconds)
        check_seed(self.seed)
        if self.coefficient is not None:
            check_number("coefficient", self.coefficient, least=0, below=inf)
        for widening in (self.outcomes, self.controls):
            if not isinstance(widening, Widening | None):
                raise SleuthError(f"outcomes and controls take a Widening, not {shown(widening)}")
        if self.outcomes is not None and not (is_listed(self.problem) or is_weighed(self.problem)):
            raise SleuthError("widening of outcomes needs a problem with likelihood() or outcomes()")

    def choose(self, situation: Situation) -> Any:
        """Return the control that cost least on average. Raises SleuthError where nothing is left to do."""
        check_situation(situation)
        if is_over(self.problem, situation):
            raise SleuthError("nothing is left to do there")
        return min((tried for tried in self.rate(situation) if tried.visits), key=lambda tried: tried.cost)[0]

    def rate(self, situation: Situation) -> list[Tried]:
        """Return the controls with their mean costs and visits, once the search is over."""
        check_situation(situation)
        rng = Random(f"{self.seed}/{situation.belief.key.hex()}/{situation.stage}")
        root = _History(self._controls(situation.state))
        numbers, weights = situation.belief.support.tolist(), situation.belief.weights.tolist()
        least, most, done, began = inf, -inf, 0, seconds_worked()
        while self.simulations is None or done < self.simulations:
            if done and self.seconds is not None and seconds_worked() - began >= self.seconds:
                break
            coefficient = self.coefficient
            if coefficient is None:
                coefficient = max(0.0, most - least) if done else 0.0
            (number,) = rng.choices(numbers, weights)
            cost = self._simulate(root, situation, number, coefficient, rng)
            least, most, done = min(least, cost), max(most, cost), done + 1
        return [Tried(edge.control, edge.cost, edge.visits) for edge in root.edges]

    def _simulate(
        self, root: _History, situation: Situation, number: int, coefficient: float, rng: Random
    ) -> float:
        """Return what a simulation under a parameter cost, once it is taken up into the tree."""
        problem, node, state, stage = self.problem, root, situation.state, situation.stage
        path: list[tuple[_History, _Edge, float]] = []
        weight, total = 1.0, 0.0
        while weight > NEGLIGIBLE:
            edge = node.pick(coefficient, self.controls)
            then = draw(problem, state, problem.parameters[number], edge.control, rng)
            stage += problem.horizon is not None
            over = problem.is_terminal(then) or stage == problem.horizon
            if self.outcomes is not None and not over:
                then, number = self._widened(edge, self.outcomes, state, then, number, rng)
            cost = cost_of(problem, state, problem.parameters[number], edge.control, then)
            if stage == problem.horizon and not problem.is_terminal(then):
                cost += problem.discount * final_cost_of(problem, then)
            path.append((node, edge, cost))
            weight *= problem.discount
            state = then
            if over:
                break
            node = edge.then.setdefault(then, _History(()))
            if not node.edges:
                node.edges = [_Edge(control) for control in self._controls(then)]
                anything = Blind(lambda at: rng.choice(self._controls(at)))
                sure = Situation(then, Belief.certain(number), stage)
                total = simulate(problem, anything, sure, number, rng)
                break
        for node, edge, cost in reversed(path):
            total = cost + problem.discount * total
            node.visits += 1
            edge.visits += 1
            edge.cost += (total - edge.cost) / edge.visits
        return total

    def _controls(self, state: Hashable) -> Sequence[Any]:
        controls = self.problem.controls(state)
        if not len(controls):
            raise SleuthError(f"no control may be applied in state {state!r}")
        return controls

    def _widened(
        self, edge: _Edge, widening: Widening, state: Hashable, then: Hashable, number: int, rng: Random
    ) -> tuple[Hashable, int]:
        """Return the next state that stands for one that was drawn, and a parameter that leads there."""
        weight = 1.0  # what was drawn is met as often as it is likely
        if len(edge.then) < widening.branches(edge.visits):
            edge.then.setdefault(then, _History(())).drawn += 1
        else:
            (then,) = rng.choices(list(edge.then), [known.drawn for known in edge.then.values()])
            weight = self._likelihood(state, number, edge.control, then)
        led = edge.then[then].led
        led[number] = led.get(number, 0.0) + weight
        (number,) = rng.choices(list(led), list(led.values()))
        return then, number

    def _likelihood(self, state: Hashable, number: int, control: Any, then: Hashable) -> float:
        problem = self.problem
        parameter = problem.parameters[number]
        if is_weighed(problem):
            return likelihood_of(problem, state, parameter, control, then)
        return sum(p for p, after in outcomes_of(problem, state, parameter, control) if after == then)

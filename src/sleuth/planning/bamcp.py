"""Bayes-adaptive Monte-Carlo planning (Guez et al. 2012): UCT over histories by root sampling.

A simulation draws a parameter from the belief at the root, once, and follows it; beliefs within the tree are
never worked out. Controls are picked by upper confidence bounds over the histories, and a history met first
is rolled out by controls drawn at random.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from random import Random
from typing import Any, NamedTuple

from sleuth.planning.belief import Belief
from sleuth.planning.control import AdaptiveControl, cost_of, draw, final_cost_of
from sleuth.planning.policy import Blind
from sleuth.planning.simulation import NEGLIGIBLE, simulate
from sleuth.planning.situation import Situation, is_over
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_number, check_seconds


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
    """A node of the tree."""

    def __init__(self, controls: Sequence[Any]) -> None:
        self.edges = [_Edge(control) for control in controls]
        self.visits = 0

    def pick(self, coefficient: float) -> _Edge:
        """Return the edge of the least lower confidence bound of the cost; those not tried come first."""
        spread = coefficient * sqrt(log(max(self.visits, 1)))
        return min(
            self.edges, key=lambda edge: edge.cost - spread / sqrt(edge.visits) if edge.visits else -inf
        )


@dataclass(eq=False)
class Bamcp:
    """Bayes-adaptive Monte-Carlo planning, for so many simulations or seconds a decision.

    Guez et al. (2012), algorithm 1; it converges to the Bayes optimum (Guez et al. 2013, theorem 1). Rollouts
    are random, models are not drawn lazily, and a decision begins a new tree. Outcomes need not be listed:
    they are drawn.

    Attributes:
        problem: the problem.
        simulations, seconds: limits of a decision; one of them at least.
        coefficient: c of the confidence bounds, in units of costs; unless given, how far apart what the
            simulations cost was so far.
        seed: of the draws. The same situation is searched the same, where there is no limit of seconds.

    """

    problem: AdaptiveControl
    simulations: int | None = None
    seconds: float | None = None
    coefficient: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_seconds(self.seconds)
        if self.simulations is None and self.seconds is None:
            raise SleuthError("a search needs a limit of simulations or of seconds")
        if self.simulations is not None:
            check_number("simulations", self.simulations, least=1)
        if self.coefficient is not None:
            check_number("coefficient", self.coefficient, least=0, below=inf)

    def choose(self, situation: Situation) -> Any:
        """Return the control that cost least on average. Raises SleuthError where nothing is left to do."""
        if is_over(self.problem, situation):
            raise SleuthError("nothing is left to do there")
        return min((tried for tried in self.rate(situation) if tried.visits), key=lambda tried: tried.cost)[0]

    def rate(self, situation: Situation) -> list[Tried]:
        """Return the controls with their mean costs and visits, once the search is over."""
        rng = Random(f"{self.seed}/{situation.belief.key.hex()}/{situation.stage}")
        root = _History(self.problem.controls(situation.state))
        numbers, weights = situation.belief.support.tolist(), situation.belief.weights.tolist()
        least, most, done, began = inf, -inf, 0, time.perf_counter()
        while self.simulations is None or done < self.simulations:
            if done and self.seconds is not None and time.perf_counter() - began >= self.seconds:
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
        problem, node, at = self.problem, root, situation
        parameter, sure = problem.parameters[number], Belief.certain(number)
        path: list[tuple[_History, _Edge, float]] = []
        weight, total = 1.0, 0.0
        while weight > NEGLIGIBLE:
            edge = node.pick(coefficient)
            then = draw(problem, at.state, parameter, edge.control, rng)
            cost = cost_of(problem, at.state, parameter, edge.control, then)
            at = Situation(then, sure, at.stage + (problem.horizon is not None))
            over = is_over(problem, at)
            if over and not problem.is_terminal(then):
                cost += problem.discount * final_cost_of(problem, then)
            path.append((node, edge, cost))
            weight *= problem.discount
            if over:
                break
            if then not in edge.then:
                edge.then[then] = _History(problem.controls(then))
                anything = Blind(lambda state: rng.choice(problem.controls(state)))
                total = simulate(problem, anything, at, number, rng)
                break
            node = edge.then[then]
        for node, edge, cost in reversed(path):
            total = cost + problem.discount * total
            node.visits += 1
            edge.visits += 1
            edge.cost += (total - edge.cost) / edge.visits
        return total

"""Bayes-adaptive Monte-Carlo planning (Guez et al. 2012): UCT over histories, a parameter drawn for each.

Rollouts are random, or do what the problem prefers. Where outcomes widen, the parameter is the hidden part of
the state.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any, NamedTuple

from sleuth.planning.control import (
    AdaptiveControl,
    check_control,
    controls_in,
    cost_of,
    draw,
    final_cost_of,
    is_listed,
    is_preferring,
    is_weighed,
    likelihood_of,
    outcomes_of,
)
from sleuth.planning.histories import Drawn, Histories, Widening, check_widening
from sleuth.planning.situation import Situation, check_situation, is_over
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.ranges import check_limits, check_number, check_seed


class Tried(NamedTuple):
    """A control at the root: what it cost on average, and how often it was simulated."""

    control: Any
    cost: float
    visits: int


class _State(NamedTuple):
    """A state of the problem, the number of the parameter, and the stage."""

    state: Hashable
    number: int
    stage: int


class _Known:
    """A problem of adaptive control whose parameter is part of the state: what histories are drawn from."""

    def __init__(self, problem: AdaptiveControl) -> None:
        self._problem, self.discount = problem, problem.discount

    def legal(self, state: _State) -> Sequence[Any]:
        """Return the controls. Raises SleuthError where there are none."""
        return controls_in(self._problem, state.state)

    def prefer(self, state: _State, rng: Random) -> Any:
        """Return what the problem prefers, if it does, else any control.

        Raises SleuthError for what is no control of the state.
        """
        problem, legal = self._problem, self.legal(state)
        if not is_preferring(problem):
            return rng.choice(legal)
        control = problem.prefer(state.state, problem.parameters[state.number], rng)
        if control not in legal:
            raise SleuthError(
                f"prefer() returned {shown(control)} in state {state.state!r}; it returns one of the controls"
                " there"
            )
        return control

    def drawn(self, state: _State, action: Any, rng: Random) -> Drawn:
        """Draw the next state, which is what is seen."""
        parameter = self._problem.parameters[state.number]
        return self._came(state, action, draw(self._problem, state.state, parameter, action, rng))

    def explained(
        self, state: _State, action: Any, came: Drawn, seen: Hashable
    ) -> tuple[_State, float, float]:
        """Return what comes of another next state, and how likely it is under the parameter."""
        problem, parameter = self._problem, self._problem.parameters[state.number]
        if is_weighed(problem):
            weight = likelihood_of(problem, state.state, parameter, action, seen)
        else:
            listed = outcomes_of(problem, state.state, parameter, action)
            weight = sum(chance for chance, after in listed if after == seen)
        instead = self._came(state, action, seen)
        return instead.state, instead.reward, weight

    def _came(self, state: _State, action: Any, then: Hashable) -> Drawn:
        problem = self._problem
        cost = cost_of(problem, state.state, problem.parameters[state.number], action, then)
        stage = state.stage + (problem.horizon is not None)
        over = problem.is_terminal(then)
        if stage == problem.horizon and not over:
            cost += problem.discount * final_cost_of(problem, then)
            over = True
        return Drawn(_State(then, state.number, stage), then, -cost, over)


@dataclass(eq=False)
class Bamcp:
    """Bayes-adaptive Monte-Carlo planning, for so many simulations or seconds a decision.

    Guez et al. (2012); it converges to the Bayes optimum (Guez et al. 2013). Rollouts
    are random, unless the problem is Preferring; models are not drawn lazily, and a decision begins a new
    tree. Outcomes need not be listed: they are drawn.

    Attributes:
        problem: the problem.
        simulations, seconds: limits of a decision; one of them at least.
        coefficient: c of the confidence bounds, in units of costs; unless given, three standard
            deviations of what the simulations cost so far.
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
        check_widening(self.outcomes, self.controls)
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
        numbers, weights = situation.belief.support.tolist(), situation.belief.weights.tolist()

        def draw_state(rng: Random) -> _State:
            (number,) = rng.choices(numbers, weights)
            return _State(situation.state, number, situation.stage)

        search = Histories(_Known(self.problem), rng, self.coefficient, self.outcomes, self.controls)
        search.run(draw_state, self.simulations, self.seconds)
        return [Tried(edge.action, -edge.value, edge.visits) for edge in search.root.edges]

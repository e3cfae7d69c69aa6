"""The knowledge gradient: as if what the next stage tells were the last to be learned."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sleuth.planning.belief import Belief, branches
from sleuth.planning.control import ListedControl, check_control
from sleuth.planning.lookahead import Lookahead, Rated
from sleuth.planning.oracle import Oracle
from sleuth.planning.situation import Situation
from sleuth.support.errors import SleuthError

# Beliefs whose costs are kept.
_KEPT = 2**12


class Unlearning(ListedControl):
    """A problem to somebody who keeps a belief: one parameter, whose law is the mean of those believed in."""

    parameters = ("believed",)

    def __init__(self, problem: ListedControl, belief: Belief) -> None:
        self.problem, self.belief = problem, belief
        self.initial_state, self.horizon, self.discount = (
            problem.initial_state,
            problem.horizon,
            problem.discount,
        )
        self._costs: dict[tuple[Hashable, Any, Hashable], float] = {}

    def controls(self, state: Hashable) -> Sequence[Any]:
        """Return the problem's controls."""
        return self.problem.controls(state)

    def outcomes(self, state: Hashable, parameter: str, control: Any) -> Sequence[tuple[float, Hashable]]:
        """Return the states that may follow, with their chances under the belief."""
        try:
            ways = branches(self.problem, state, self.belief, control)
        except SleuthError as error:
            raise SleuthError(
                f"the knowledge gradient asks what may come of {control!r} under every parameter believed in,"
                f" also where the state rules some out: {error}"
            ) from None
        self._costs.update({(state, control, way.state): way.cost for way in ways})
        return [(way.probability, way.state) for way in ways]

    def cost(self, state: Hashable, parameter: str, control: Any, after: Hashable) -> float:
        """Return what a stage costs on average where it leads to a state; outcomes() lists it first."""
        return self._costs[state, control, after]

    def is_terminal(self, state: Hashable) -> bool:
        """Say whether nothing more is applied in a state."""
        return self.problem.is_terminal(state)

    def final_cost(self, state: Hashable) -> float:
        """Return what is paid at the horizon."""
        return self.problem.final_cost(state)


@dataclass(eq=False)
class KnowledgeGradient:
    """A stage ahead, then the least cost of whoever keeps the belief that was reached.

    For bandits that is the knowledge gradient of online problems (Ryzhov et al. 2012; Frazier et al. 2008
    where there is one decision at the end): what a pull brings, plus the pulls that are left at the best mean
    after it. In general "at the best mean" is the optimal cost of the process whose law is the belief's mean
    of all laws. States must not rule out parameters by themselves, as positions of guessing games do.

    Attributes:
        problem: its outcomes can be listed.

    """

    problem: ListedControl
    _known: dict[Belief, Oracle] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        check_control(self.problem)

    def rate(self, situation: Situation) -> list[Rated]:
        """Return the controls with what they cost if nothing is learned after them."""
        return Lookahead(self.problem, self.kept).rate(situation)

    def choose(self, situation: Situation) -> Any:
        """Return the control of the least cost, the first of several."""
        return Lookahead(self.problem, self.kept).choose(situation)

    def kept(self, situation: Situation) -> float:
        """Return the least cost from a situation on if the belief is kept. Raises SleuthError."""
        state, belief, stage = situation
        if belief not in self._known:
            if len(self._known) == _KEPT:
                self._known.clear()
            self._known[belief] = Oracle(Unlearning(self.problem, belief))
        return self._known[belief].cost(state, 0, stage)

"""Action Value Tree Search as a policy for problems of adaptive control: a search from each situation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sleuth.planning.control import ListedControl
from sleuth.planning.samplers import Sampler, Thompson
from sleuth.planning.situation import BeliefMDP, Estimate, Situation
from sleuth.planning.tree_search import TreeSearch
from sleuth.support.errors import SleuthError


@dataclass(frozen=True)
class SearchPolicy:
    """Search over beliefs for so many iterations or seconds, and take the control that was simulated most.

    Where the search ends with proof, it is the best control.

    Attributes:
        problem: its outcomes can be listed.
        estimate: of the cost from a situation on.
        least: no policy costs less from a situation on, or None.
        iterations, seconds: limits of a search; one of them at least.
        sampler: how the control to simulate is picked.
        seed: of its draws.

    """

    problem: ListedControl
    estimate: Estimate
    least: Estimate | None = None
    iterations: int | None = None
    seconds: float | None = None
    sampler: Sampler = field(default_factory=Thompson)
    seed: int = 0

    def __post_init__(self) -> None:
        if self.iterations is None and self.seconds is None:
            raise SleuthError("a search needs a limit of iterations or of seconds")

    def choose(self, situation: Situation) -> Any:
        """Return the best control found."""
        mdp = BeliefMDP(self.problem, self.estimate, self.least, situation)
        search = TreeSearch(mdp, self.sampler, self.seed)
        result = search.run(self.iterations, self.seconds)
        if result.proved and result.action is not None:
            return result.action
        if not search.root.live:
            raise SleuthError("no control may be applied there")
        # A policy that may go round is never found whole, so what was achieved is no guide.
        return max(search.root.live, key=lambda edge: (edge.visits, edge.value)).action

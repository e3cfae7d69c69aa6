"""Action Value Tree Search as a policy for problems of adaptive control: a search from each situation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sleuth.planning.control import ListedControl, check_control
from sleuth.planning.samplers import Sampler, Thompson
from sleuth.planning.situation import BeliefMDP, Estimate, Situation, check_estimate, check_situation
from sleuth.planning.tree_search import TreeSearch
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.ranges import check_limits, check_seed


@dataclass(eq=False)
class SearchPolicy:
    """Search over beliefs for so many iterations or seconds, and take the control that was simulated most.

    A control whose policy is known to do better than what the others look like comes first; where the search
    ends with proof, it is the best. The tree is kept where a situation may follow the one before it.

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
    _search: TreeSearch | None = field(default=None, init=False, repr=False)
    _draws: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_control(self.problem)
        check_estimate(self.estimate)
        check_seed(self.seed)
        if not callable(getattr(self.sampler, "pick", None)):
            raise SleuthError(f"a sampler has pick(), which {shown(self.sampler)} has not")
        check_limits("iterations", self.iterations, self.seconds, least=0)
        self._draws = self.seed

    def begin(self, seed: int) -> None:
        """Begin an episode, see begin_episode."""
        self._search, self._draws = None, self.seed + seed

    def choose(self, situation: Situation) -> Any:
        """Return the best control found."""
        check_situation(situation)
        search = self._search_from(situation)
        result = search.run(self.iterations, self.seconds)
        live, best = search.root.live, search.root.best
        # What is known exactly is simulated no more: it is measured by its value, not by its visits.
        if best is not None and (result.proved or best.achieved >= max(edge.value for edge in live)):
            return best.action
        if not live:
            raise SleuthError("no control may be applied there")
        return max(live, key=lambda edge: (edge.visits, edge.value)).action

    def _search_from(self, situation: Situation) -> TreeSearch:
        """Return a search from a situation: the last one, if it came by there."""
        if self._search is not None and situation in self._search.nodes:
            self._search.move(situation)
        else:
            mdp = BeliefMDP(self.problem, self.estimate, self.least, situation)
            self._search = TreeSearch(mdp, self.sampler, self._draws)
        return self._search

"""Search over beliefs between two proven bounds, fast: heuristic search value iteration on line.

Smith and Simmons (2004), as planning on line: from each situation trials go down where the upper bound is
greatest and the gap widest, and bring both bounds up. The tree is arrays, the trials are a kernel
(kernels/belief_search.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sleuth.kernels.belief_search import DONE, FULL, MISSING, NODES, TRIALS, Tree
from sleuth.kernels.compiling import seconds_worked
from sleuth.planning.control import ListedControl, check_control, is_listed
from sleuth.planning.laws import Laws
from sleuth.planning.oracle import Oracle
from sleuth.planning.searching import searched
from sleuth.planning.situation import Situation, check_situation, is_over
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_limits, check_number, check_seconds

# Trials between two looks at the clock: milliseconds, so that Ctrl-C is heard.
_SLICE = 64
# Nodes that there is room for at first.
_ROOM = 64
# A tree of more bytes than this is not taken on to the next decision, and not grown.
_MEMORY = 2**30


@dataclass(frozen=True)
class Bracketed:
    """What is known of a situation: the least cost lies between two bounds.

    Attributes:
        control: the control that the policy of the upper bound on the cost begins with.
        least: no policy costs less.
        most: a policy that begins with the control costs no more; inf where none is known.
        trials, nodes, seconds: what it took in all, and how many beliefs are known.

    """

    control: Any
    least: float
    most: float
    trials: int
    nodes: int
    seconds: float

    @property
    def gap(self) -> float:
        """How far from the optimum the control can be."""
        return self.most - self.least


class BeliefSearch:
    """A search that goes on where it stopped, and is taken on from decision to decision.

    Lower bounds on costs are the oracle's, upper ones those of policies that go by the state alone (Laws).
    """

    def __init__(self, problem: ListedControl, situation: Situation, laws: Laws | None = None) -> None:
        """Begin at a situation. laws: of the problem, to be shared among searches; new ones, unless given.

        Raises SleuthError for a problem whose outcomes cannot be listed.
        """
        check_control(problem)
        if not is_listed(problem):
            raise SleuthError("a search over beliefs needs a problem with outcomes()")
        self.problem = problem
        self.laws = Laws(problem, Oracle(problem)) if laws is None else laws
        self._begin()
        self.move(situation)

    def _begin(self) -> None:
        self._tree = _grown(None, _ROOM, len(self.problem.parameters))
        self._counts = np.zeros(5, np.int64)

    def move(self, situation: Situation) -> None:
        """Go on from a situation: what is known of what may follow it is kept."""
        check_situation(situation)
        from sleuth.kernels.belief_search import place

        if is_over(self.problem, situation):
            raise SleuthError("nothing is left to do there")
        if self._size > _MEMORY // 2:
            self._begin()
        number = self.laws.number(situation.state, situation.stage)
        self.laws.laid_out(number)
        if self._counts[NODES] == len(self._tree.state):
            self._grow()
        full = situation.belief.full(len(self.problem.parameters))
        self.root = int(place(number, full, self.laws.law, self._tree, self._counts))

    @property
    def _size(self) -> int:
        return sum(array.nbytes for array in self._tree)

    def run(
        self, trials: int | None = None, seconds: float | None = None, tolerance: float = 1e-6
    ) -> Bracketed:
        """Search until so many trials, so many seconds, or a gap within the tolerance.

        It also ends where the tree is as large as it may be. Raises SleuthError for limits that are none; on
        Ctrl-C Interrupted, whose `known` is the same.
        """
        from sleuth.kernels.belief_search import trials as trials_of
        from sleuth.kernels.belief_search import try_all

        check_seconds(seconds)
        if trials is not None:
            check_number("trials", trials, least=0, whole=True)
        check_number("tolerance", tolerance, above=0)
        began, counts, discount = seconds_worked(), self._counts, self.problem.discount
        while self._room_for(try_all(self.root, discount, self.laws.law, self._tree, counts)):
            pass
        spent = seconds_worked() - began

        def advance(some: int) -> bool:
            if self.gap <= tolerance:
                return False
            ended = trials_of(self.root, some, discount, tolerance, self.laws.law, self._tree, counts)
            if ended == FULL and 2 * self._size > _MEMORY:
                return False
            self._room_for(ended)
            return True

        return searched(
            advance,
            lambda: int(counts[TRIALS]),
            lambda done, took: self._bracketed(done, spent + took),
            trials,
            None if seconds is None else seconds - spent,
            _SLICE,
            None,
        )

    def _room_for(self, ended: int) -> bool:
        """Make room, or lay out a law, for what a kernel ended for want of; return whether it did."""
        if ended == FULL:
            self._grow()
        elif ended != DONE:
            self.laws.laid_out(int(self._counts[MISSING]))
        return ended != DONE

    @property
    def gap(self) -> float:
        """How far apart the bounds of the situation are."""
        return float(self._tree.upper[self.root] - self._tree.lower[self.root])

    def _bracketed(self, trials: int, seconds: float) -> Bracketed:
        tree, root = self._tree, self.root
        number = int(tree.state[root])
        controls = self.laws.controls[number]
        edges = slice(int(tree.edge[root]), int(tree.edge[root]) + len(controls))
        # The best that is achieved; of equals the most promising.
        place = int(np.lexsort((tree.most[edges], tree.least[edges]))[-1])
        least, most = -float(tree.upper[root]), -float(tree.lower[root])
        return Bracketed(controls[place], least, most, trials, int(self._counts[NODES]), seconds)

    def _grow(self) -> None:
        from sleuth.kernels.belief_search import find_again

        room = 2 * len(self._tree.state)
        self._tree = _grown(self._tree, room, len(self.problem.parameters))
        find_again(int(self._counts[NODES]), self._tree)


def _grown(tree: Tree | None, nodes: int, parameters: int) -> Tree:
    """Return a tree with room for so many nodes, what is known in it; its hash table is empty."""
    edges, children = 16 * nodes, 16 * nodes
    empty = Tree(
        np.empty(nodes, np.int32),
        np.empty((nodes, parameters)),
        np.empty(nodes),
        np.empty(nodes),
        np.empty(nodes, np.int64),
        np.empty(edges),
        np.empty(edges),
        np.empty(edges),
        np.empty(edges, np.int64),
        np.empty(edges, np.int32),
        np.empty(edges, np.int32),
        np.empty(children, np.int32),
        np.empty(children),
        np.full(1 << (2 * nodes).bit_length(), -1, np.int32),
    )
    if tree is not None:
        for new, old in zip(empty[:-1], tree[:-1], strict=True):
            new[: len(old)] = old
    return empty


@dataclass(eq=False)
class BoundedSearch:
    """Search over beliefs for so many trials or seconds, and take the first control of the best policy known.

    The tree is kept from decision to decision, where one follows the other.

    Attributes:
        problem: its outcomes can be listed.
        oracle: the optimal costs under each parameter.
        trials, seconds: limits of a decision; one of them at least.
        tolerance: a gap at which a search may end.

    """

    problem: ListedControl
    oracle: Oracle
    trials: int | None = None
    seconds: float | None = None
    tolerance: float = 1e-3
    _laws: Laws = field(init=False, repr=False)
    _search: BeliefSearch | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        check_limits("trials", self.trials, self.seconds, least=0)
        self._laws = Laws(self.problem, self.oracle)

    def begin(self, seed: int) -> None:
        """Begin an episode, see begin_episode: nothing is drawn."""
        self._search = None

    def choose(self, situation: Situation) -> Any:
        """Return the best control found."""
        if self._search is None:
            self._search = BeliefSearch(self.problem, situation, self._laws)
        else:
            self._search.move(situation)
        return self._search.run(self.trials, self.seconds, self.tolerance).control

"""POMCP (Silver and Veness 2010) over particles, in problems that are drawn from."""

from __future__ import annotations

import numpy as np

from sleuth.kernels.drawn.histories import ACTION, FIRST, LEGAL, THEN, TRIED
from sleuth.kernels.pomcp import DONE_SO_FAR, EDGES, FULL, NODES
from sleuth.planning.control import Weights
from sleuth.planning.pomdps.drawn.belief import DrawnBelief
from sleuth.planning.pomdps.drawn.problem import DrawnPomdp, chance, check_drawn
from sleuth.planning.pomdps.pomcp import SLICE, Planned, check_coefficient, empty_tree, grown_tree
from sleuth.planning.pomdps.pomdp import Places
from sleuth.planning.searching import searched
from sleuth.support.progress import Watch
from sleuth.support.ranges import check_limits, check_number, check_seconds, check_seed


class DrawnPomcp:
    """A search that is taken on from decision to decision, as Pomcp is, with a belief by particles.

    Rollouts choose what the problem prefers. The tree tries that first, and the other actions that may be
    taken bit by bit (progressive widening, Coulom 2007). It takes 1 GiB at most.
    """

    kind = Planned

    def __init__(
        self,
        problem: DrawnPomdp,
        simulations: int | None = None,
        seconds: float | None = None,
        coefficient: float | None = None,
        particles: int = 1000,
        seed: int = 0,
    ) -> None:
        """Begin with first states, drawn.

        simulations, seconds: limits of a decision. coefficient: of the upper confidence bounds, in units of
        rewards; the problem's spread, unless given. particles: of the belief. Raises SleuthError.
        """
        check_drawn(problem)
        check_limits("simulations", simulations, seconds)
        check_seed(seed)
        check_coefficient(coefficient)
        check_number("particles", particles, least=1, whole=True)
        self._problem, self._simulations, self._seconds = problem, simulations, seconds
        self._coefficient = problem.spread if coefficient is None else float(coefficient)
        self._belief = DrawnBelief(problem, particles, seed)
        self._rng = chance(seed)
        self._path, self._gains = np.empty((problem.steps, 2), np.int64), np.empty(problem.steps)
        self._tree = empty_tree(4, 3)
        self._begin()

    def _begin(self) -> None:
        self._count, self._root = np.zeros(4, np.int64), -1

    def choose(self) -> int:
        """Return the best action found."""
        return self.search().action

    def search(self, seconds: float | None = None, progress: Watch | None = None) -> Planned:
        """Search from here; see Searching."""
        from sleuth.kernels.drawn.histories import rooted, simulated

        check_seconds(seconds)
        simulations, seconds = self._simulations, self._seconds if seconds is None else seconds
        law, belief = self._problem.law, self._belief
        options = np.empty(law.actions, np.int64)
        self._full = False
        while self._root < 0:
            self._root = int(rooted(law, belief.states[0], belief.notes, options, self._tree, self._count))
            if self._root < 0:
                self._grow()
        summed = np.cumsum(belief.weights)

        def advance(most: int) -> bool:
            ended = simulated(
                law,
                self._root,
                most,
                self._coefficient,
                summed,
                belief.states,
                belief.notes,
                self._tree,
                self._count,
                self._path,
                self._gains,
                self._rng,
            )
            return ended != FULL or self._grow()

        return searched(advance, self._done, self._planned, simulations, seconds, SLICE, progress)

    def _done(self) -> int:
        return int(self._count[DONE_SO_FAR])

    def _planned(self, done: int, seconds: float) -> Planned:
        actions, visits, values = self.root
        best = int(np.argmax(np.where(visits > 0, values, -np.inf)))
        nodes = int(self._count[NODES])
        return Planned(int(actions[best]), float(values[best]), done, nodes, seconds, self._full)

    @property
    def root(self) -> tuple[Places, Places, Weights]:
        """Of the actions at the root their numbers, visits, int64 [actions], and mean returns, float64."""
        begin = int(self._tree.nodes[self._root, FIRST])
        edges = slice(begin, begin + int(self._tree.nodes[self._root, LEGAL]))
        return self._tree.edges[edges, ACTION], self._tree.edges[edges, TRIED], self._tree.values[edges]

    def observe(self, action: int, observation: int) -> None:
        """Take the tree and the belief on. Raises SleuthError for what cannot be observed."""
        self._belief.update(action, observation)
        then = -1
        if self._root >= 0 and 2 * self._count[EDGES] < len(self._tree.values):
            begin = int(self._tree.nodes[self._root, FIRST])
            (place,) = np.flatnonzero(self.root[0] == action)
            then = int(self._tree.children[int(self._tree.edges[begin + int(place), THEN]) + observation])
        if then < 0:
            self._begin()
        else:
            self._root = then

    def _grow(self) -> bool:
        """Make room, and say whether there is some now."""
        grown = grown_tree(self._tree, self._count)
        self._full = grown is None
        self._tree = self._tree if grown is None else grown
        return not self._full

"""Action Value Tree Search over beliefs in kernels: the search of tree_search.py, for processes as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, Protocol

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.belief_tree import (
    ACHIEVED,
    BEGUN,
    BELIEF,
    BEST,
    BOUND,
    CHILDREN,
    CHOICE,
    DEPTH,
    DONE,
    EDGE,
    EDGE_VALUE,
    EDGE_VISITS,
    EDGES,
    FULL,
    GUMBEL,
    HOEFFDING,
    LAPLACE,
    LIVE,
    MISSING,
    NODES,
    PART,
    PLAYED,
    PUCT,
    STATISTICS,
    THOMPSON,
    UCT,
    UNKNOWN,
    VALUE,
    VISITS,
    WEIGHTS,
    Model,
    Tree,
)
from sleuth.kernels.compiling import seconds_worked
from sleuth.planning.control import Weights
from sleuth.planning.samplers import Gumbel, Hoeffding, Laplace, Puct, Sampler, Thompson, Uct
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.indices import checked_belief, checked_index
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_limits, check_seed

# Steps between two looks at the clock: a fraction of a second at most, so that Ctrl-C is heard. Where time is
# short they are fewer, first of all, and then as many as fit the time left.
_SLICE, _FEW = 2**13, 2**8
# Nodes that there is room for at first.
_ROOM = 64
# Room is made for so many times what is filled, so that little is copied: it takes no time till it is filled.
_TIMES = 16
# The most bytes of a tree. One of more than half of them is not taken on to the next decision, and not grown.
_MEMORY = 2**30
# What fills the arrays of a tree, in their order; the last, of slots, is filled here and there.
_FILLED_BY = NODES, NODES, WEIGHTS, EDGES, EDGES, CHILDREN, CHILDREN, STATISTICS, STATISTICS, NODES
# The most simulations that a kernel counts.
_MOST = 2**62


class Modelled(Protocol):
    """A process over beliefs laid out as arrays, some of it when it is asked for."""

    @property
    def model(self) -> Model:
        """What is laid out so far."""

    @property
    def discount(self) -> float:
        """What a reward is worth one step later."""

    @property
    def root(self) -> tuple[int, Weights]:
        """The part where it begins, and the belief, float64 [states of the part]."""

    def laid_out(self, part: int) -> None:
        """Lay out the law of a part, if it is not."""

    def action(self, choice: int) -> Any:
        """Return the action of a choice."""


@dataclass(frozen=True)
class Searched:
    """What a search found.

    Attributes:
        action: the action to take: the one simulated most, or one whose policy is known to be better than
            what the others look like.
        value: the debiased estimate of the optimum.
        achieved: what some policy is known to get.
        bound: no policy gets more.
        simulations, nodes, seconds: what this run took, and how many beliefs are known in all.
        full: whether it ended since the tree was as large as it may be.

    """

    action: Any
    value: float
    achieved: float
    bound: float
    simulations: int
    nodes: int
    seconds: float
    full: bool = False

    @property
    def proved(self) -> bool:
        """Whether the action is proven to be the best."""
        return self.achieved >= self.bound - 1e-9


@dataclass(frozen=True)
class Known:
    """What is known of a belief.

    Attributes:
        value, achieved, bound: as in Searched.
        visits: how often it was simulated.
        live: how often each choice in play was.

    """

    value: float
    achieved: float
    bound: float
    visits: int
    live: dict[int, int]


class BeliefTree:
    """A tree that goes on where it stopped, and is taken on from decision to decision."""

    def __init__(self, modelled: Modelled, sampler: Sampler | None = None, seed: int = 0) -> None:
        """Begin at the root of a process.

        sampler: Thompson (unless given), Uct, Puct, Gumbel, Laplace or Hoeffding. seed: of its draws. Raises
        SleuthError for others.
        """
        if not hasattr(modelled, "model"):
            raise SleuthError(
                f"the search takes a ModelledPomdp or ModelledControl, not a {type(modelled).__name__};"
                " ModelledPomdp(pomdp) and ModelledControl(problem, oracle) make one"
            )
        self.modelled = modelled
        self._sampler = _number(Thompson() if sampler is None else sampler)
        check_seed(seed)
        self._rng = np.array([seed % 2**64], np.uint64)
        self._count = np.zeros(9, np.int64)
        self._tree = _empty(dict.fromkeys(_FILLED_BY, _ROOM), _slots(4 * _ROOM))
        self.move(*modelled.root)

    def forget(self) -> None:
        """Forget all beliefs, but keep the memory, which takes time to come by."""
        self._count[:] = 0
        self._tree.slots[:] = -1

    def begin(self, seed: int) -> None:
        """Begin anew at the root of the process, in the memory that there is. seed: of the draws."""
        check_seed(seed)
        self.forget()
        self._rng[0] = seed % 2**64
        self.move(*self.modelled.root)

    def move(self, part: int, belief: Weights) -> None:
        """Go on from a belief: what is known of what may follow it is kept.

        belief: float64 [states of the part]. Raises SleuthError for what is none.
        """
        from sleuth.kernels.belief_tree import rooted

        part = checked_index("the process", "part", part, _MOST)
        self._leave()
        if self._used > _MEMORY // 2:
            self.forget()
        self.modelled.laid_out(part)
        parts = self.modelled.model.parts
        part = checked_index("the process", "part", part, len(parts))
        belief = checked_belief(belief, int(parts[part, 0]))
        while (node := rooted(part, belief, self.modelled.model, self._tree, self._count)) < 0:
            self._grow()
        self._root = int(node)

    def _leave(self) -> None:
        """Leave a simulation that was under way."""
        from sleuth.kernels.belief_tree import ON_WAY

        self._tree.nodes[self._tree.stack[: self._count[DEPTH], 0], ON_WAY] = 0
        self._count[DEPTH] = 0

    def run(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        progress: Watch | None = None,
    ) -> Searched:
        """Simulate until so many simulations, so many seconds, or proof.

        It also ends where the tree is as large as it may be. progress: told of the simulations done. Raises
        SleuthError for limits that are none; on Ctrl-C Interrupted, whose `known` is what is known by then.
        """
        check_limits("simulations", simulations, seconds, least=0)
        began, first = seconds_worked(), int(self._count[BEGUN])
        self._full = False
        last = _MOST if simulations is None else min(_MOST, first + simulations)
        now, steps = began, _SLICE if seconds is None else _FEW
        try:
            while self._simulate(last, steps):
                if seconds is not None:
                    before, now = now, seconds_worked()
                    if now - began >= seconds:
                        break
                    fit = steps * (seconds - (now - began)) / max(now - before, 1e-6)
                    steps = int(min(max(fit, _FEW), _SLICE))
                if progress is not None:
                    progress(Progress(int(self._count[BEGUN]) - first, simulations or 0))
        except KeyboardInterrupt:
            raise Interrupted(self._searched(first, seconds_worked() - began)) from None
        return self._searched(first, seconds_worked() - began)

    def _simulate(self, last: int, steps: int) -> bool:
        """Simulate for so many steps; return whether there is more to do."""
        from sleuth.kernels.belief_tree import simulations as simulated

        model = self.modelled.model
        work = np.empty(int(model.parts[:, 0].max()))
        order = np.empty(max(1, int(model.parts[:, 2].max())), np.int64)
        ended = simulated(
            self._root,
            last,
            steps,
            self.modelled.discount,
            *self._sampler,
            model,
            self._tree,
            self._count,
            work,
            order,
            self._rng,
        )
        if ended == FULL:
            if 2 * self._used > _MEMORY:
                self._full = True
                return False
            self._grow()
        elif ended == UNKNOWN:
            self.modelled.laid_out(int(self._count[MISSING]))
        return bool(ended != DONE)

    @property
    def _used(self) -> int:
        """Bytes of the beliefs known and what belongs to them."""
        filled = zip(self._tree, _FILLED_BY, strict=False)
        return self._tree.slots.nbytes + sum(int(self._count[k]) * array[:1].nbytes for array, k in filled)

    def _searched(self, first: int, seconds: float) -> Searched:
        known = self._known(self._root)
        action = self.modelled.action(int(self._tree.edges[self._best(), CHOICE]))
        done = int(self._count[BEGUN]) - first
        nodes = int(self._count[NODES])
        return Searched(action, known.value, known.achieved, known.bound, done, nodes, seconds, self._full)

    def nodes(self) -> Iterator[tuple[int, list[float], Known]]:
        """Yield all that is known: the part, the belief, and what was found out about it."""
        tree = self._tree
        for node in range(self._count[NODES]):
            part, begin = int(tree.nodes[node, PART]), int(tree.nodes[node, BELIEF])
            size = int(self.modelled.model.parts[part, 0])
            yield part, tree.weights[begin : begin + size].tolist(), self._known(node)

    def _known(self, node: int) -> Known:
        tree = self._tree
        value, achieved, bound = (float(tree.values[node, k]) for k in (VALUE, ACHIEVED, BOUND))
        live = {int(tree.edges[e, CHOICE]): int(tree.edges[e, EDGE_VISITS]) for e in self._live(node)}
        return Known(value, achieved, bound, int(tree.nodes[node, VISITS]), live)

    def _live(self, node: int) -> list[int]:
        """Return the edges of a node that are in play."""
        begin, played = int(self._tree.nodes[node, EDGE]), int(self._tree.nodes[node, PLAYED])
        return [begin + int(k) for k in np.flatnonzero(self._tree.edges[begin : begin + played, LIVE])]

    def _best(self) -> int:
        """Return the edge to take."""
        tree, root = self._tree, self._root
        best, live = int(tree.nodes[root, BEST]), self._live(root)
        most = max((float(tree.worths[e, EDGE_VALUE]) for e in live), default=-inf)
        # What is known exactly is simulated no more: it is measured by its value, not by its visits.
        if best >= 0 and (not live or tree.values[root, ACHIEVED] >= most):
            return best
        if not live:  # closed before anything was simulated
            return int(tree.nodes[root, EDGE])
        return max(live, key=lambda e: (tree.edges[e, EDGE_VISITS], tree.worths[e, EDGE_VALUE]))

    def _grow(self) -> None:
        """Make room: a larger hash table, or many times what is filled, or twice the room there is."""
        from sleuth.kernels.belief_tree import find_again

        tree, nodes = self._tree, int(self._count[NODES])
        if 4 * nodes > len(tree.slots):
            self._tree = tree._replace(slots=_slots(4 * nodes))
            find_again(self._tree, self._count)
            return
        room = {k: len(array) for array, k in zip(tree, _FILLED_BY, strict=False)}
        times = max(2, min(_TIMES, _MEMORY // self._used))
        new = {k: max(_ROOM, times * int(self._count[k])) for k in room}
        slots = tree.slots
        if all(new[k] <= size for k, size in room.items()):  # a single node asks for more than that
            new, slots = {k: 2 * size for k, size in room.items()}, _slots(len(slots))
        self._tree = _empty(new, slots)
        for now, before, k in zip(self._tree, tree, _FILLED_BY, strict=False):
            now[: self._count[k]] = before[: self._count[k]]
        if slots is not tree.slots:
            find_again(self._tree, self._count)


def _slots(least: int) -> Array:
    """Return an empty hash table of more places than that."""
    return np.full(1 << least.bit_length(), -1, np.int64)


def _empty(room: dict[int, int], slots: Array) -> Tree:
    """Return a tree with so much room for each kind, and a hash table."""
    nodes, edges, children, changes = (room[kind] for kind in (NODES, EDGES, CHILDREN, STATISTICS))
    return Tree(
        np.empty((nodes, 13), np.int64),
        np.empty((nodes, 5)),
        np.empty(room[WEIGHTS]),
        np.empty((edges, 5), np.int64),
        np.empty((edges, 7)),
        np.empty(children, np.int64),
        np.empty(children),
        np.empty(changes, np.int64),
        np.empty((changes, 2)),
        np.empty((nodes, 3), np.int64),
        slots,
    )


def _number(sampler: Sampler) -> tuple[int, float, float]:
    """Return the kernel's number of a sampler, and its two parameters."""
    match sampler:
        case Thompson():
            return THOMPSON, 0.0, 0.0
        case Uct():
            return UCT, float(sampler.coefficient), 0.0
        case Puct():
            return PUCT, float(sampler.coefficient), 0.0
        case Gumbel():
            return GUMBEL, float(sampler.offset), float(sampler.scale)
        case Laplace():
            return LAPLACE, float(sampler.delta), 0.0
        case Hoeffding():
            return HOEFFDING, sampler.factor, 0.0
    raise SleuthError(
        f"search in kernels has thompson, uct, puct, gumbel, laplace and hoeffding, not {sampler}"
    )

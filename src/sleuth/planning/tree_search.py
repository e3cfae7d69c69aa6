"""Action Value Tree Search (Tyl 2024): optimizes any decision process with an action value estimate.

A simulation picks an action of a state, backs up the values of what may come of it (all of it where it can
be listed, Bellman's equation; else what was drawn, Welford's mean), and does the same in the states that it
leads to. Actions come into play one by one, the most promising first, so that none is ever cut off.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, isqrt
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple

from sleuth.kernels.compiling import seconds_worked
from sleuth.planning.control import check_chances
from sleuth.planning.estimators import Visited, VisitStatistics
from sleuth.planning.mdp import (
    MDP,
    BoundedMDP,
    EnumerableMDP,
    Option,
    RewardBoundedMDP,
    SampledMDP,
    limits_of_rewards,
)
from sleuth.planning.samplers import Arm, Sampler, Thompson
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.ranges import check_seconds, check_seed

EPSILON = 1e-9
"""Values that differ by less are equal: they are sums of many products of probabilities."""
# For states that were never simulated.
_NOTHING = VisitStatistics()
_visits = attrgetter("visits")


class Edge(Visited):
    """An action in a state: what was found out about it."""

    __slots__ = ("achieved", "action", "bound", "children", "estimate", "settled", "value")

    def __init__(self, option: Option) -> None:
        super().__init__()
        self.action = option.action
        self.estimate = self.value = option.estimate
        self.bound = option.bound
        self.achieved = -inf
        # Of what may come of it: rewards expected, and the states with their discounted probabilities.
        self.settled = 0.0
        self.children: list[tuple[float, Node]] | None = None


class Node:
    """A state: the actions in play, and what visits have done to their estimates."""

    __slots__ = (
        "achieved",
        "best",
        "bound",
        "live",
        "options",
        "recurs",
        "state",
        "statistics",
        "value",
        "visits",
    )

    def __init__(self, state: Hashable, least: float, most: float) -> None:
        self.state = state
        self.bound = most
        self.value = self.achieved = least
        self.best: Edge | None = None
        self.options: Iterator[Option] | None = None
        self.live: list[Edge] = []
        self.visits = 0
        self.statistics = _NOTHING
        # Whether play was seen to come back to it.
        self.recurs = False

    @property
    def closed(self) -> bool:
        """Whether the best policy from here on is known."""
        return self.achieved >= self.bound - EPSILON


def check_reward(
    reward: float, state: Hashable, action: object, limits: tuple[float, float] = (-inf, inf)
) -> None:
    """Raise SleuthError for a reward that is nan or without end, or not what the process says of rewards.

    state, action: what earns it. limits: the least and the largest reward.
    """
    if not reward < inf:
        raise SleuthError(f"the reward of {action!r} in state {state!r} is {reward}; it must be a number")
    if not limits[0] <= reward <= limits[1]:
        raise SleuthError(
            f"the reward of {action!r} in state {state!r} is {reward}; rewards says that all are from"
            f" {limits[0]} to {limits[1]}"
        )


class _Step(NamedTuple):
    """An action that is being simulated: states still to be looked into, and what was drawn."""

    node: Node
    edge: Edge
    children: Iterator[Node]
    drawn: tuple[float, Node | None] | None = None


@dataclass(frozen=True)
class Moment:
    """How far a search had come: after so many iterations and seconds, the value achieved and estimated."""

    iterations: int
    seconds: float
    states: int
    achieved: float
    estimate: float


@dataclass(frozen=True)
class Result:
    """What a search found.

    Attributes:
        action: the best action of the initial state, or None where none was simulated.
        value: the value of the best policy found, a lower limit of the optimum; -inf where none reaches the
            end.
        estimate: the debiased estimate of the optimum.
        bound: no policy gets more.
        proved: whether value is the optimum.
        iterations, states, seconds: how much it took.
        target_reached: whether the value came to the target.
        interrupted: whether it was stopped by Ctrl-C.
        history: each moment at which the value improved, and the last.

    """

    action: Any
    value: float
    estimate: float
    bound: float
    proved: bool
    iterations: int
    states: int
    seconds: float
    target_reached: bool
    interrupted: bool
    history: tuple[Moment, ...]


MOST_THREADS = 256
"""The most simulations at a time."""


def check_run(iterations: int | None, seconds: float | None, threads: int) -> None:
    """Raise SleuthError for limits of a search that are none."""
    check_seconds(seconds)
    if iterations is not None and (type(iterations) is not int or iterations < 0):
        raise SleuthError(f"iterations must be a whole number from 0, not {iterations!r}")
    if type(threads) is not int or not 1 <= threads <= MOST_THREADS:
        raise SleuthError(f"threads must be a whole number from 1 to {MOST_THREADS}, not {threads!r}")


class TreeSearch:
    """A search that goes on where it stopped, one iteration at a time."""

    def __init__(
        self,
        mdp: MDP,
        sampler: Sampler | None = None,
        seed: int = 0,
        deep: bool = False,
        closing: bool = True,
    ) -> None:
        """Begin a search.

        deep: whether a simulation goes on to the end; else it stops at the first state not seen before,
        as in Tyl (2024). Choose it where games are short. closing: whether actions are left out once they
        are known exactly or cannot be the best, and states once they are solved. Without it, also as in Tyl
        (2024), every action stays in play, and only a limit ends the search.
        """
        if not isinstance(mdp, EnumerableMDP | SampledMDP):
            raise SleuthError("a decision process needs outcomes() or sample()")
        if not 0 < mdp.discount <= 1:
            raise SleuthError(f"a discount lies in (0, 1], not {mdp.discount}")
        check_seed(seed)
        self.mdp = mdp
        # Asked once: such questions are slow.
        self._listed = mdp if isinstance(mdp, EnumerableMDP) else None
        self._drawn = mdp if isinstance(mdp, SampledMDP) else None
        self._limited = mdp if isinstance(mdp, BoundedMDP) else None
        self._rewards = mdp.rewards if isinstance(mdp, RewardBoundedMDP) else (-inf, inf)
        self._least, self._most = -inf, inf
        if self._rewards != (-inf, inf):
            self._least, self._most = limits_of_rewards(*self._rewards, mdp.discount)
        self.sampler = Thompson() if sampler is None else sampler
        self.deep = deep
        self.closing = closing
        self.seed = seed
        self.nodes: dict[Hashable, Node] = {}
        self.iterations = 0
        self._goes_round = False
        self.tried: list[Edge] = []
        """The actions of the initial state that were simulated, in the order of their first simulation."""
        self._lock = threading.Lock()
        # States are worked on one thread at a time; several share a lock.
        self._busy = [threading.Lock() for _ in range(64)]
        self.root = self._node(mdp.initial)
        self._unfold(self.root)

    def move(self, state: Hashable) -> None:
        """Go on from another state: what is known of it is kept, what it does not lead to is forgotten."""
        self.root = self._node(state)
        self._unfold(self.root)
        self.tried = [edge for edge in self.root.live if edge.visits]
        if self._listed is None:  # where what follows is drawn, no edge keeps it
            return
        kept = {state: self.root}
        todo = [self.root]
        while todo:
            node = todo.pop()
            for edge in (*node.live, *([node.best] if node.best is not None else [])):
                for _, child in edge.children or ():
                    if child.state not in kept:
                        kept[child.state] = child
                        todo.append(child)
        self.nodes = kept

    def run(
        self,
        iterations: int | None = None,
        seconds: float | None = None,
        target: float | None = None,
        threads: int = 1,
        progress: Callable[[Moment], None] | None = None,
    ) -> Result:
        """Simulate until so many iterations, so many seconds, the target value, or proof.

        threads: so many simulations at a time, begun with the best actions of the sampler's. On Ctrl-C raises
        Interrupted, whose `known` is the Result so far.
        """
        check_run(iterations, seconds, threads)
        began = seconds_worked()
        first = begun = self.iterations
        history: list[Moment] = []
        generators = [Random(f"{self.seed}/{first}/{k}") for k in range(threads)]
        stop = threading.Event()
        failures: list[Exception] = []

        def moment() -> Moment:
            root = self.root
            return Moment(
                self.iterations, seconds_worked() - began, len(self.nodes), root.achieved, root.value
            )

        def over() -> bool:
            return (
                stop.is_set()
                or (self.closing and self.root.closed)
                or (seconds is not None and seconds_worked() - began >= seconds)
                or (target is not None and self.root.achieved >= target - EPSILON)
            )

        def begin() -> bool:
            """Count one more simulation, if there is to be one more."""
            nonlocal begun
            with self._lock:
                more = not over() and (iterations is None or begun - first < iterations)
                begun += more
                return more

        def simulate(k: int) -> None:
            self.simulate(generators[k], k, threads)
            with self._lock:
                self.iterations += 1
                if not history or self.root.achieved > history[-1].achieved:
                    history.append(moment())

        def work(k: int) -> None:
            try:
                while begin():
                    simulate(k)
            except Exception as problem:
                failures.append(problem)
                stop.set()

        workers = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(1, threads)]
        for worker in workers:
            worker.start()
        interrupted = False
        try:
            while begin():
                simulate(0)
                if progress is not None:
                    progress(moment())
        except KeyboardInterrupt:
            interrupted = True
        finally:
            stop.set()
            for worker in workers:
                worker.join()
        if failures:
            raise failures[0]
        last = moment()
        root = self.root
        result = Result(
            root.best.action if root.best is not None else None,
            root.achieved,
            root.value,
            root.bound,
            root.closed,
            self.iterations,
            len(self.nodes),
            last.seconds,
            target is not None and root.achieved >= target - EPSILON,
            interrupted,
            (*history, last),
        )
        if interrupted:
            raise Interrupted(result)
        return result

    def policy(self, state: Hashable) -> Any:
        """Return the best action known in a state, or None where none is."""
        node = self.nodes.get(state)
        if node is None or node.best is None:
            return None
        return node.best.action

    # One simulation.

    def simulate(self, rng: Random, place: int = 0, of: int = 1) -> None:
        """Simulate once from the initial state, by the sampler's choice number `place` of so many.

        Raises SleuthError where a state without an upper limit comes back and nothing is discounted, and
        where chances are none.
        """
        seen: set[int] = set()
        path: set[int] = set()
        stack: list[_Step] = []
        child: Node | None = self.root
        while True:
            if child is not None and id(child) in path:
                self._come_back(child, stack)
            if child is not None and id(child) not in seen and not (self.closing and child.closed):
                seen.add(id(child))
                new = self._unfold(child)
                step = self._enter(child, rng, place, of) if self.deep or not new else None
                place, of = 0, 1
                if step is not None:
                    stack.append(step)
                    path.add(id(child))
            if not stack:
                return
            child = next(stack[-1].children, None)
            if child is None:
                path.remove(id(stack[-1].node))
                self._back_up(stack.pop())

    def _come_back(self, node: Node, stack: Sequence[_Step]) -> None:
        """Take note that play goes round: of the states from one on the way of a simulation to its end."""
        if self.mdp.discount == 1 and node.bound == inf:
            raise SleuthError(
                f"the process goes round through state {node.state!r} without a discount, so that its"
                " estimates would rest on themselves: give it a discount, limits(state) with a finite upper"
                " limit, or a finite horizon, with the stage as a part of the state"
            )
        self._goes_round = True
        for step in reversed(stack):
            step.node.recurs = True
            if step.node is node:
                return

    def _enter(self, node: Node, rng: Random, place: int, of: int) -> _Step | None:
        """Pick an action and find out what may come of it; None where another thread has closed the state."""
        with self._lock:
            edge = self._pick(node, rng, place, of)
        if edge is None:
            return None
        if self._listed is not None:
            if edge.children is None:
                with self._busy[hash(node.state) % len(self._busy)]:
                    if edge.children is None:
                        self._list(self._listed, node, edge)
            return _Step(node, edge, iter([child for _, child in edge.children or ()]))
        assert self._drawn is not None
        outcome = self._drawn.sample(node.state, edge.action, rng)
        check_reward(outcome.reward, node.state, edge.action, self._rewards)
        child = None if outcome.state is None else self._node(outcome.state)
        return _Step(node, edge, iter(() if child is None else (child,)), (outcome.reward, child))

    def _pick(self, node: Node, rng: Random, place: int, of: int) -> Edge | None:
        live = node.live
        if len(live) <= 1:
            return live[0] if live else None
        if self._goes_round:
            # What is right does not come up from the ends of play there: every action must be tried again and
            # again. Samplers take the first of equals, which is the least simulated one.
            live = sorted(live, key=_visits)
            if isqrt(node.visits) ** 2 == node.visits:
                return live[0]
        variance_of = node.statistics.variance_of
        arms = [Arm(self._worth(node, edge), variance_of(edge), edge.visits, edge.estimate) for edge in live]
        picked = self.sampler.pick(arms, node.visits, rng, of)
        return live[picked[place % len(picked)]]

    def _debiased(self, node: Node, edge: Edge) -> float:
        """Return q3, kept between what was achieved and what is possible."""
        value = node.statistics.debiased(edge.value, edge)
        return max(edge.achieved, min(edge.bound, value))

    def _worth(self, node: Node, edge: Edge) -> float:
        """Return what a state takes an action to be worth: q3, but q2 where play comes back to it."""
        return max(edge.achieved, min(edge.bound, edge.value)) if node.recurs else self._debiased(node, edge)

    def _list(self, mdp: EnumerableMDP, node: Node, edge: Edge) -> None:
        """List what may come of an action."""
        settled = 0.0
        children: dict[int, tuple[float, Node]] = {}
        outcomes = mdp.outcomes(node.state, edge.action)
        check_chances([outcome.probability for outcome in outcomes], node.state, edge.action)
        for probability, reward, state in outcomes:
            if probability <= 0:
                continue
            check_reward(reward, node.state, edge.action, self._rewards)
            settled += probability * reward
            if state is not None:
                child = self._node(state)
                before = children[id(child)][0] if id(child) in children else 0.0
                children[id(child)] = before + probability * mdp.discount, child
        edge.settled = settled
        edge.children = list(children.values())

    def _node(self, state: Hashable) -> Node:
        node = self.nodes.get(state)
        if node is None:
            least, most = (-inf, inf) if self._limited is None else self._limited.limits(state)
            if self._most < inf:
                least, most = max(least, self._least), min(most, self._most)
            if not least <= most:  # nan, too
                raise SleuthError(f"limits of state {state!r}: {least} to {most}; the lower one comes first")
            node = self.nodes.setdefault(state, Node(state, least, most))
        return node

    def _unfold(self, node: Node) -> bool:
        """Bring the first action of a new state into play; return whether the state was new."""
        if node.options is not None:
            return False
        with self._busy[hash(node.state) % len(self._busy)]:
            if node.options is not None:
                return False
            options = iter(self.mdp.options(node.state))
            first = next(options, None)
            with self._lock:
                if first is None:  # nothing can be done there
                    node.bound = node.value
                else:
                    edge = Edge(first)
                    node.live.append(edge)
                    node.value = max(node.value, min(edge.value, node.bound))
                node.options = options
        return True

    def _back_up(self, step: _Step) -> None:
        """Take the values of what may come of an action up into it and its state."""
        node, edge, _, drawn = step
        with self._lock:
            if drawn is None:
                value = achieved = bound = edge.settled
                for probability, child in edge.children or ():
                    value += probability * child.value
                    achieved += probability * child.achieved
                    bound += probability * child.bound
                edge.achieved = max(edge.achieved, achieved)
                edge.bound = max(edge.achieved, min(edge.bound, bound))
            else:
                reward, after = drawn
                sample = reward + (self.mdp.discount * after.value if after is not None else 0.0)
                # Welford's mean; the first estimate is no sample.
                value = edge.value + (sample - edge.value) / (edge.visits + 1) if edge.visits else sample
            if node is self.root and not edge.visits:
                self.tried.append(edge)
            if node.statistics is _NOTHING:
                node.statistics = VisitStatistics()
            if min(value, edge.value) > -inf:
                node.statistics.record(edge, node.live, edge.value, value)
            else:
                node.statistics.count(edge)
            if value > -inf or not self.closing:
                edge.value = value
            node.visits += 1
            self._settle(node, edge)

    def _settle(self, node: Node, edge: Edge) -> None:
        """Find the value of a state after one of its actions changed, and bring the next one into play."""
        if not self.closing:
            self._keep(node, edge)
            return
        if edge.achieved > node.achieved:
            node.achieved, node.best = edge.achieved, edge
        least = node.achieved + EPSILON
        # What cannot be better than the best, or is known exactly, need not be simulated again.
        live = [
            other for other in node.live if other.bound > least and other.bound > other.achieved + EPSILON
        ]
        if all(other.visits for other in live):  # the least simulated action was simulated
            option = next(node.options or iter(()), None)
            while option is not None and option.bound <= least:
                option = next(node.options or iter(()), None)
            if option is not None:
                live.append(Edge(option))
            else:
                node.bound = min(node.bound, max([other.bound for other in live], default=node.achieved))
                node.bound = max(node.bound, node.achieved)
        node.live = live
        if node.closed:
            node.value = node.achieved
            node.live, node.options = [], iter(())
            return
        node.value = node.achieved
        # Until an action is known to lead to what can be achieved, the best is the one that looks best.
        known = node.best is not None and node.best.achieved >= node.achieved > -inf
        most = -inf
        for other in live:
            value = self._worth(node, other)
            node.value = max(node.value, value)
            if not known and other.visits and value > most:
                most, node.best = value, other

    def _keep(self, node: Node, edge: Edge) -> None:
        """Find the value of a state after one of its actions changed, where all actions stay in play."""
        if edge.achieved > node.achieved:
            node.achieved, node.best = edge.achieved, edge
        if edge.visits == 1:  # it was the least simulated action
            option = next(node.options or iter(()), None)
            if option is not None:
                node.live.append(Edge(option))
        debiased = node.statistics.debiased
        values = [other.value if node.recurs else debiased(other.value, other) for other in node.live]
        node.value = max(values)
        # As above.
        if node.best is None or not node.best.achieved >= node.achieved > -inf:
            node.best = node.live[values.index(node.value)]

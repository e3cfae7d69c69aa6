"""DESPOT (Ye et al. 2017) in POMDPs drawn by Python: scenarios are states, and seeds of each step.

The bounds are those of the best policy for the scenarios drawn, less a penalty for its size: below by what a
default policy brings in them, above by what no step can surpass, and no state where the problem says so. They
are proven for the scenarios, up to the depth, where that holds whatever the chance.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from sleuth.kernels.determinised import Determinised
from sleuth.planning.pomdps.despot import Determined, ScenarioPlanner, check_scenarios
from sleuth.planning.pomdps.sampled.belief import SampledBelief
from sleuth.planning.pomdps.sampled.problem import (
    SampledPomdp,
    came_of,
    default_in,
    is_bounded,
    is_defaulting,
    legal_in,
    most_in,
    number_of,
    steps_of,
)
from sleuth.planning.searching import searched
from sleuth.support.errors import SleuthError
from sleuth.support.progress import Watch

# The part of the gap at the root that a trial is to leave, xi of the paper.
_TARGET = 0.95
# Scenarios by which the best action for ever is picked: any is a policy, and to pick takes time.
_FEW = 10


@dataclass(eq=False, slots=True)
class _Edge:
    """An action of a node: what it brings, less the penalty, and what may be seen."""

    action: Any
    reward: float
    children: dict[Hashable, _Node]

    @property
    def lower(self) -> float:
        return self.reward + sum(child.lower for child in self.children.values())

    @property
    def upper(self) -> float:
        return self.reward + sum(child.upper for child in self.children.values())


@dataclass(eq=False, slots=True)
class _Node:
    """Scenarios that no policy can tell apart, after so many steps; worths are of all scenarios together.

    Attributes:
        scenarios, states: their numbers, and where each is.
        default: what the default policy brings from here.
        lower, upper: of the regularised worth of the best policy from here.

    """

    depth: int
    scenarios: list[int]
    states: list[Any]
    default: float
    lower: float
    upper: float
    edges: list[_Edge] | None = field(default=None)


class SampledScenarios:
    """The search for some scenarios, which goes on where it stopped.

    Attributes:
        root: where all scenarios are.
        nodes, trials: how many there are, and were.

    """

    def __init__(
        self,
        problem: SampledPomdp,
        states: Sequence[Any],
        depth: int,
        penalty: float = 0.0,
        seed: int = 0,
    ) -> None:
        """Begin with the root.

        states: of the scenarios; the same is seen of all. depth: steps of a scenario. penalty: lambda, of a
        node, in units of rewards. seed: of the scenarios' seeds. Raises SleuthError.
        """
        check_scenarios(len(states), depth, penalty)
        if problem.continuous:
            raise SleuthError(
                "despot tells scenarios apart by what is seen, and continuous observations tell all apart:"
                " let step() round them, or plan by pomcp"
            )
        seeds = Random(f"scenarios/{seed}")
        self._problem, self._depth, self._penalty = problem, depth, penalty
        self._seeds = [[seeds.getrandbits(64) for _ in range(depth)] for _ in states]
        self._rng = Random(0)
        self._share = 1 / len(states)
        # Mean worths at the root: of a scenario after so many steps.
        self._weights = [self._share * problem.discount**step for step in range(depth + 1)]
        self.nodes = self.trials = 0
        live = [number for number, state in enumerate(states) if not problem.is_terminal(state)]
        if not live:
            raise SleuthError("play is over in all states of the scenarios")
        some = live[:_FEW]
        self._always = self._best_always(some, [states[number] for number in some])
        self.root = self._node(0, live, [states[number] for number in live])

    @property
    def tree(self) -> None:
        """What the next search may take over: nothing."""

    def run(
        self,
        trials: int | None = None,
        seconds: float | None = None,
        gap: float = 0.0,
        progress: Watch | None = None,
    ) -> Determined:
        """Search on; on Ctrl-C raises Interrupted, whose `known` is what is known by then.

        It ends after so many trials or seconds, or where the bounds are apart by no more than the gap.
        progress: told of the trials done.
        """

        def advance(most: int) -> bool:
            for _ in range(most):
                if self.root.upper - self.root.lower <= gap:
                    return False
                self._trial()
            return True

        # One trial at least: the root alone has not looked at what is seen.
        return searched(advance, lambda: self.trials, self._found, trials, seconds, 1, progress, least=1)

    def _found(self, trials: int, seconds: float) -> Determined:
        root, problem = self.root, self._problem
        action = self._chosen(root.states)
        best = max(root.edges or (), key=lambda edge: edge.lower, default=None)
        if best is not None and best.lower > root.default:
            action = best.action
        number = number_of(problem, action)
        return Determined(number, root.lower, root.upper, trials, self.nodes, seconds)

    def _trial(self) -> None:
        """Go down where the upper bound is best and the gap widest, and take what is found back up."""
        target, node = _TARGET * (self.root.upper - self.root.lower), self.root
        path = []
        while True:
            path.append(node)
            if node.edges is None:
                if node.depth == self._depth or node.upper <= node.lower:
                    break
                self._expand(node)
            best = max(node.edges or (), key=lambda edge: edge.upper)
            child = max(best.children.values(), key=lambda child: self._excess(child, target), default=None)
            if child is None or self._excess(child, target) <= 0:
                break
            node = child
        for node in reversed(path):
            if node.edges:
                node.lower = max(node.default, *(edge.lower for edge in node.edges))
                node.upper = max(node.default, *(edge.upper for edge in node.edges))
        self.trials += 1

    def _excess(self, node: _Node, target: float) -> float:
        return node.upper - node.lower - target * self._share * len(node.scenarios)

    def _expand(self, node: _Node) -> None:
        problem, weight = self._problem, self._weights[node.depth]
        node.edges = []
        for action in legal_in(problem, node.states[0]):
            total = 0.0
            parted: dict[Hashable, tuple[list[int], list[Any]]] = {}
            for number, state in zip(node.scenarios, node.states, strict=True):
                after, seen, reward = self._stepped(number, node.depth, state, action)
                total += reward
                if not problem.is_terminal(after):
                    numbers, states = parted.setdefault(seen, ([], []))
                    numbers.append(number)
                    states.append(after)
            children = {seen: self._node(node.depth + 1, *part) for seen, part in parted.items()}
            node.edges.append(_Edge(action, weight * total - self._penalty, children))

    def _stepped(self, number: int, depth: int, state: Any, action: Any) -> tuple[Any, Hashable, float]:
        """Return what comes of an action in a scenario: whatever was done before, by the same seed."""
        self._rng.seed(self._seeds[number][depth])
        return came_of(self._problem, state, action, self._rng)

    def _node(self, depth: int, scenarios: list[int], states: list[Any]) -> _Node:
        self.nodes += 1
        default = self._default(depth, scenarios, states, self._chosen)
        # A policy that does better than the default has a node more, at least.
        upper = max(default, self._most(depth, states) - self._penalty)
        return _Node(depth, scenarios, states, default, default, upper)

    def _most(self, depth: int, states: list[Any]) -> float:
        """Return what no policy surpasses."""
        problem = self._problem
        _, high = problem.rewards
        # Rewards are no gain where all are losses, and the next step may be the last.
        steps = self._weights[depth:-1] if high > 0 else self._weights[depth : min(depth + 1, self._depth)]
        most = high * sum(steps)
        if not is_bounded(problem):
            return most * len(states)
        weight = self._weights[depth]
        return sum(min(most, weight * most_in(problem, state)) for state in states)

    def _chosen(self, states: Sequence[Any]) -> Any:
        """Return the action of the default policy."""
        problem = self._problem
        if is_defaulting(problem):
            return default_in(problem, states)
        legal = legal_in(problem, states[0])
        return self._always if self._always in legal else legal[0]

    def _best_always(self, scenarios: list[int], states: list[Any]) -> Any:
        """Return the action that brings most if nothing else is ever done."""
        problem = self._problem
        legal = legal_in(problem, states[0])
        if is_defaulting(problem):
            return legal[0]

        def always(action: Any) -> float:
            def chosen(states: Sequence[Any]) -> Any:
                legal = legal_in(problem, states[0])
                return action if action in legal else legal[0]

            return self._default(0, scenarios, states, chosen)

        return max(legal, key=always)

    def _default(self, depth: int, scenarios: list[int], states: list[Any], chosen: Any) -> float:
        """Return what a policy brings that goes by the states of a node, and does not look what is seen."""
        problem, total = self._problem, 0.0
        live = list(zip(scenarios, states, strict=True))
        for step in range(depth, self._depth):
            if not live:
                break
            action, weight, then = chosen([state for _, state in live]), self._weights[step], []
            for number, state in live:
                after, _, reward = self._stepped(number, step, state, action)
                total += weight * reward
                if not problem.is_terminal(after):
                    then.append((number, after))
            live = then
        return total


class SampledDespot(ScenarioPlanner):
    """A search from each belief by particles, on scenarios drawn anew."""

    def __init__(
        self,
        problem: SampledPomdp,
        trials: int | None = None,
        seconds: float | None = None,
        scenarios: int = 50,
        depth: int | None = None,
        penalty: float = 0.01,
        particles: int = 1000,
        seed: int = 0,
    ) -> None:
        """Begin with first states, drawn.

        trials, seconds: limits of a decision. scenarios: of a decision, fewer where a trial takes longer than
        its seconds. depth: steps of a scenario; unless given, until the discount leaves less than 0.005.
        penalty: of the size of a policy, a node, in units of rewards. particles: of the belief. Raises
        SleuthError.
        """
        self._belief = SampledBelief(problem, particles, seed)
        depth = steps_of(problem) if depth is None else depth
        check_scenarios(scenarios, depth, penalty)
        super().__init__(trials, seconds, scenarios, seed)
        self._problem, self._depth, self._penalty = problem, depth, penalty
        self._rng = Random(f"despot/{seed}")

    def _drawn(self, scenarios: int, memory: Determinised | None) -> SampledScenarios:
        states = [self._belief.draw(self._rng) for _ in range(scenarios)]
        numbers = self._rng.getrandbits(64)
        return SampledScenarios(self._problem, states, self._depth, self._penalty, numbers)

    def observe(self, action: int, observation: Any) -> None:
        """Go on. Raises SleuthError where no particle explains what was seen."""
        self._belief.update(action, observation)

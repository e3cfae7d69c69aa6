"""Monte-Carlo planning over histories: UCT whose simulations begin with a state drawn from the belief.

Root sampling (Silver and Veness 2010, Guez et al. 2012): a simulation draws a hidden state once and follows
it, so that beliefs within the tree are never worked out. Actions are picked by upper confidence bounds over
the histories, and a history met first is rolled out.

Where observations are continuous none is met twice, and such a tree has one level. Progressive widening
(Couetoux et al. 2011) lets an action have only so many observations as its visits allow. One of them then
stands for what was drawn, and play goes on from the states that were seen to lead there: POMCPOW (Sunberg
and Kochenderfer 2018). States for whose observation another one stands are weighed by how likely that is
there. States that it was drawn from are not, though POMCPOW does so: it is drawn as often as it is likely,
which would count twice where observations are met again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from math import ceil, inf, log, sqrt
from random import Random
from typing import Any, NamedTuple, Protocol

from sleuth.planning.searching import searched
from sleuth.planning.simulation import ENDLESS, NEGLIGIBLE, EndlessError
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.progress import Watch
from sleuth.support.ranges import check_range

# Simulations between two looks at the clock.
_SLICE = 8
# Standard deviations of the returns that the coefficient is, unless given: of those tried the steadiest.
_SPREAD = 3.0


@dataclass(frozen=True)
class Widening:
    """How many branches a node may have after so many visits: coefficient * visits ** exponent, rounded up.

    Attributes:
        coefficient: above zero.
        exponent: in (0, 1]; the larger, the wider.

    """

    coefficient: float = 1.0
    exponent: float = 0.5

    def __post_init__(self) -> None:
        check_range(self, "coefficient", above=0, below=inf)
        check_range(self, "exponent", above=0, most=1)

    def branches(self, visits: int) -> int:
        """Return the number after so many visits, 1 at least."""
        grown: float = self.coefficient * visits**self.exponent
        return max(1, ceil(grown))


def check_widening(*given: object) -> None:
    """Raise SleuthError for what is neither a Widening nor None."""
    for widening in given:
        if not isinstance(widening, Widening | None):
            raise SleuthError(f"observations and actions widen by a Widening, not by {shown(widening)}")


class Drawn(NamedTuple):
    """What came of an action: the state, what is seen, the reward, and whether play is over."""

    state: Any
    observation: Hashable
    reward: float
    over: bool


class Process(Protocol):
    """What histories are drawn from. States are any values, which nobody changes."""

    @property
    def discount(self) -> float:
        """What a reward is worth one step later."""

    def legal(self, state: Any) -> Sequence[Any]:
        """Return the actions that may be taken, one at least; they follow from what is seen."""

    def drawn(self, state: Any, action: Any, rng: Random) -> Drawn:
        """Draw what comes of an action."""

    def prefer(self, state: Any, rng: Random) -> Any:
        """Return the action of a rollout."""

    def explained(self, state: Any, action: Any, came: Drawn, seen: Hashable) -> tuple[Any, float, float]:
        """Return the state and the reward if another observation is seen, and how likely that is.

        Only where observations widen. came: what was drawn.
        """


@dataclass(eq=False)
class Edge:
    """An action of a history.

    Attributes:
        action: the action.
        visits: how often it was simulated.
        value: the mean return.
        then: the histories after it, by what was seen.

    """

    action: Any
    visits: int = 0
    value: float = 0.0
    then: dict[Hashable, History] = field(default_factory=dict)


class History:
    """A node of the tree.

    Where observations widen, drawn has the states and rewards from which the observation was drawn, while
    there was room, and led those for whose observation it stands, ends the running sum of their weights.
    """

    def __init__(self, actions: Sequence[Any]) -> None:
        self.edges = [Edge(action) for action in actions]
        self.visits = 0
        self.drawn: list[tuple[Any, float]] = []
        self.led: list[tuple[Any, float]] = []
        self.ends: list[float] = []
        self._weight = 0.0  # of those drawn, in all

    def came_from(self, state: Any, reward: float, weight: float) -> None:
        """Take a state from which the observation was drawn. weight: how likely that was, relatively."""
        self.drawn.append((state, reward))
        self._weight += weight

    def lead(self, state: Any, reward: float, weight: float) -> None:
        """Take a state for whose observation this one stands. weight: how likely it is there, relatively."""
        self.led.append((state, reward))
        self.ends.append((self.ends[-1] if self.ends else 0.0) + weight)

    def draw(self, rng: Random) -> tuple[Any, float]:
        """Return one of the states that lead here, with its reward.

        Of the two kinds each estimates the belief by itself. They count as their numbers do, where weights
        are alike: one that was drawn has the mean weight of all.
        """
        drawn, weighed = len(self.drawn), self.ends[-1] if self.ends else 0.0
        mean = (self._weight + weighed) / (drawn + len(self.led))
        if rng.random() * (drawn * mean + weighed) < drawn * mean:
            return rng.choice(self.drawn)
        return rng.choices(self.led, cum_weights=self.ends)[0]

    def pick(self, coefficient: float, widening: Widening | None) -> Edge:
        """Return the edge of the greatest upper confidence bound; those not tried come first."""
        spread = coefficient * sqrt(log(max(self.visits, 1)))
        known = self.edges if widening is None else self.edges[: widening.branches(self.visits)]
        return max(known, key=lambda edge: edge.value + spread / sqrt(edge.visits) if edge.visits else inf)


class Histories:
    """The tree, searched from its root.

    Attributes:
        root: the history that there is.
        done: how many simulations there were.

    """

    def __init__(
        self,
        process: Process,
        rng: Random,
        coefficient: float | None = None,
        observations: Widening | None = None,
        actions: Widening | None = None,
        least: float = NEGLIGIBLE,
    ) -> None:
        """Begin with nothing.

        coefficient: c of the confidence bounds, in units of rewards; unless given, three standard
        deviations of the returns so far. observations, actions: how many an action, or a history, may have;
        all, unless given. least: simulations, and rollouts, end where the discount leaves no more than this.
        """
        self._process, self._rng, self._coefficient = process, rng, coefficient
        self._until = least
        self._observations, self._actions = observations, actions
        self._mean = self._squares = 0.0
        self.root = History(())
        self.done = self.nodes = 0

    def run(
        self,
        draw: Callable[[Random], Any],
        simulations: int | None,
        seconds: float | None,
        progress: Watch | None = None,
    ) -> tuple[int, float]:
        """Simulate for so many times or seconds, at least once; return how often, and how long it took.

        draw: draws a state at the root. On Ctrl-C raises Interrupted, whose `known` is the same.
        """

        def advance(most: int) -> bool:
            for _ in range(most):
                self._simulate(draw(self._rng))
            return True

        return searched(
            advance,
            lambda: self.done,
            lambda done, took: (done, took),
            simulations,
            seconds,
            _SLICE,
            progress,
            least=1,
        )

    def move(self, action: Any, observation: Hashable) -> None:
        """Go on to the history after an action and an observation, with what is known of it."""
        edges = [edge for edge in self.root.edges if edge.action == action]
        self.root = edges[0].then.get(observation, History(())) if edges else History(())

    def _simulate(self, state: Any) -> None:
        """Take a simulation from a state up into the tree."""
        process, node = self._process, self.root
        if not node.edges:
            node.edges = [Edge(action) for action in process.legal(state)]
        coefficient = self._coefficient
        if coefficient is None:
            coefficient = _SPREAD * sqrt(self._squares / max(1, self.done))
        path: list[tuple[History, Edge, float]] = []
        weight, total = 1.0, 0.0
        while weight > self._until:
            edge = node.pick(coefficient, self._actions)
            came = process.drawn(state, edge.action, self._rng)
            if self._observations is None or came.over:
                state, seen, reward = came.state, came.observation, came.reward
            else:
                state, seen, reward = self._widened(edge, self._observations, state, came)
            path.append((node, edge, reward))
            weight *= process.discount
            if came.over:
                break
            node = edge.then.setdefault(seen, History(()))
            if not node.edges:
                node.edges = [Edge(action) for action in process.legal(state)]
                self.nodes += 1
                total = self._rolled_out(state)
                break
        for node, edge, reward in reversed(path):
            total = reward + process.discount * total
            node.visits += 1
            edge.visits += 1
            edge.value += (total - edge.value) / edge.visits
        self.done += 1
        off = total - self._mean
        self._mean += off / self.done
        self._squares += off * (total - self._mean)

    def _rolled_out(self, state: Any) -> float:
        """Return what a rollout from a state brought."""
        process, rng = self._process, self._rng
        total, weight, steps = 0.0, 1.0, 0
        while weight > self._until:
            if steps == ENDLESS:
                raise EndlessError(f"play does not end within {ENDLESS} stages")
            came = process.drawn(state, process.prefer(state, rng), rng)
            total += weight * came.reward
            if came.over:
                break
            state = came.state
            weight *= process.discount
            steps += 1
        return total

    def _widened(
        self, edge: Edge, widening: Widening, state: Any, came: Drawn
    ) -> tuple[Any, Hashable, float]:
        """Return what is seen in place of what was drawn, and a state that leads there, with its reward."""
        seen = came.observation
        if len(edge.then) < widening.branches(edge.visits):
            then = edge.then.setdefault(seen, History(()))
            _, _, weight = self._process.explained(state, edge.action, came, seen)
            if not weight > 0:
                raise SleuthError(
                    f"{shown(seen)} was drawn after {edge.action!r}, and its likelihood there is 0:"
                    " likelihood() and the draws contradict each other, or its densities are too small for a"
                    " float"
                )
            then.came_from(came.state, came.reward, weight)
        else:
            # Met as often as it is likely.
            (seen,) = self._rng.choices(list(edge.then), [len(known.drawn) for known in edge.then.values()])
            then = edge.then[seen]
            then.lead(*self._process.explained(state, edge.action, came, seen))
        after, reward = then.draw(self._rng)
        return after, seen, reward

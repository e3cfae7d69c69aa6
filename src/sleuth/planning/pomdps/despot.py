"""DESPOT: planning on line over scenarios, regularised, between two bounds (Ye et al. 2017).

Scenarios are drawn from the belief: a state and the random numbers of each step. The tree has what policies
may meet under them, which is far less than all histories. The bounds are those of the best policy for the
scenarios drawn. They are proven for these alone, and only with `hindsight`; of the optimal value they are
estimates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from sleuth.kernels.compiling import seconds_worked
from sleuth.kernels.despot import Scenarios
from sleuth.kernels.determinised import (
    ACTION,
    BEGUN,
    CLOSED,
    DEFAULT,
    EDGE,
    EDGES,
    FULL,
    LOWER,
    NODES,
    PARTICLES,
    TRIALS,
    UPPER,
    Determinised,
)
from sleuth.planning.control import Weights
from sleuth.planning.pomdps.hsvi import HSVI, blind_vectors
from sleuth.planning.pomdps.modelled import ModelledPomdp, check_modelled, check_planned
from sleuth.planning.pomdps.pomcp import draws_of, indifferent
from sleuth.planning.pomdps.pomdp import Places
from sleuth.planning.searching import searched, steps_ahead, with_room
from sleuth.support.errors import SleuthError
from sleuth.support.indices import checked_index, checked_indices, checked_numbers, shown
from sleuth.support.progress import Watch
from sleuth.support.ranges import check_limits, check_number, check_seconds, check_seed

# Trials between two looks at the clock: with 500 scenarios about a millisecond, by draws several.
_SLICE = 1
_ROOM = 256
# The part of the gap at the root that a trial is to leave, xi of the paper.
_TARGET = 0.95
# A tree of more bytes than this is not grown.
_MEMORY = 2**30
# With this many trials a decision there may be more scenarios again, by such a factor.
_MANY, _MORE = 8, 1.5


@dataclass(frozen=True)
class Determined:
    """What a search found, with bounds of the regularised value of the best policy for the scenarios.

    Attributes:
        action: the first action of the policy of the lower bound.
        lower, upper: the bounds.
        trials, nodes, seconds: what it took, and how many nodes there are.
        full: whether it ended since the tree was as large as it may be.

    """

    action: int
    lower: float
    upper: float
    trials: int
    nodes: int
    seconds: float
    full: bool = False


class Determinisation:
    """A search for some scenarios, which goes on where it stopped, in any kind of problem.

    What derives from it makes the root, and says which kernel explores and what a choice is.
    """

    def __init__(self, given: tuple[float, float, Any, Any], tree: Determinised) -> None:
        """Begin with a tree without a root.

        given: the discount, the penalty, what nodes share, and what is drawn from, as kernels take them.
        """
        self._given = given
        self._tree = tree
        self._count = np.zeros(4, np.int64)

    @property
    def tree(self) -> Determinised:
        """The tree, as kernels take it; another one once it has grown."""
        return self._tree

    def _explore(self) -> Callable[..., int]:
        """Return the kernel."""
        raise NotImplementedError

    def _action(self, choice: int) -> int:
        """Return the action of a choice."""
        raise NotImplementedError

    def _default(self, first: int) -> int:
        """Return the first action of the default policy at the root, which the kernel tells by a number."""
        raise NotImplementedError

    def run(
        self,
        trials: int | None = None,
        seconds: float | None = None,
        gap: float = 0.0,
        progress: Watch | None = None,
    ) -> Determined:
        """Search on; on Ctrl-C raises Interrupted, whose `known` is what is known by then.

        It ends after so many trials or seconds, where the bounds are apart by no more than the gap, or when
        the tree takes 1 GiB. progress: told of the trials done.
        """
        check_seconds(seconds)
        if trials is not None:
            check_number("trials", trials, least=0, whole=True)
        check_number("gap", gap, least=0)
        explored, self._full = self._explore(), False

        def advance(most: int) -> bool:
            ended = explored(most, float(gap), _TARGET, *self._given, self._tree, self._count)
            if ended == FULL:
                return self._grow()
            return ended != CLOSED

        return searched(advance, self._done, self._found, trials, seconds, _SLICE, progress)

    def _done(self) -> int:
        return int(self._count[TRIALS])

    def _found(self, trials: int, seconds: float) -> Determined:
        from sleuth.kernels.determinised import lower_of_choices

        tree = self._tree
        discount, penalty, shared, _ = self._given
        worths = lower_of_choices(discount, penalty, shared, tree)
        action = self._default(int(tree.nodes[0, ACTION]))
        if not tree.nodes[0, DEFAULT] and len(worths) and worths.max() > tree.values[0, BEGUN]:
            action = self._action(int(tree.edges[int(tree.nodes[0, EDGE]) + int(np.argmax(worths)), 2]))
        lower, upper = tree.values[0, [LOWER, UPPER]].tolist()
        return Determined(action, lower, upper, trials, int(self._count[NODES]), seconds, self._full)

    def _grow(self) -> bool:
        """Double the arrays that are filled to a fourth, or all; say whether there is memory for it."""
        tree, filled = self._tree, self._count
        self._full = 2 * sum(array.nbytes for array in tree) > _MEMORY
        if self._full:
            return False
        sizes = len(tree.nodes), len(tree.rewards), len(tree.scenario)
        pairs = list(zip(sizes, filled[[NODES, EDGES, PARTICLES]].tolist(), strict=True))
        few = all(4 * n < size for size, n in pairs)
        nodes, edges, particles = (2 * size if few or 4 * n >= size else size for size, n in pairs)
        self._tree = Determinised(
            with_room(tree.nodes, nodes),
            with_room(tree.values, nodes),
            with_room(tree.scenario, particles),
            with_room(tree.state, particles),
            with_room(tree.edges, edges),
            with_room(tree.rewards, edges),
        )
        return True


def rooted(states: Places, memory: Determinised | None = None) -> Determinised:
    """Return a tree with no nodes yet, with the states of scenarios, [scenarios] or [scenarios, state].

    memory: a tree of such states that is done with, whose memory is taken over: memory takes time to come by.
    """
    if memory is not None and len(memory.state) >= len(states):
        memory.state[: len(states)] = states
        return memory
    particles = _ROOM + 4 * len(states)
    return Determinised(
        np.empty((_ROOM, 9), np.int64),
        np.empty((_ROOM, 5)),
        np.empty(particles, np.int64),
        with_room(states, particles),
        np.empty((_ROOM, 3), np.int64),
        np.empty(_ROOM),
    )


class ScenarioSearch(Protocol):
    """A search for some scenarios. tree: its memory, which the next one may take over, if any."""

    @property
    def tree(self) -> Determinised | None: ...

    def run(self, trials: int | None, seconds: float | None, *, progress: Watch | None) -> Determined: ...


class Decisions:
    """What goes on from one decision to the next: how many scenarios fit the time, and the memory."""

    def __init__(self, trials: int | None, seconds: float | None, scenarios: int) -> None:
        """Begin with as many scenarios as there are at most. Raises SleuthError for limits that are none."""
        check_limits("trials", trials, seconds)
        self._limits = trials, seconds
        self._most = self._scenarios = scenarios
        self._memory: Determinised | None = None

    def next(
        self,
        tree_of: Callable[[int, Determinised | None], ScenarioSearch],
        seconds: float | None,
        progress: Watch | None,
    ) -> Determined:
        """Search in a tree that is made of so many scenarios, in the memory of the last one."""
        check_seconds(seconds)
        began = seconds_worked()
        tree = tree_of(self._scenarios, self._memory)
        trials, limit = self._limits
        seconds = limit if seconds is None else seconds
        # Drawing takes its time, too.
        left = None if seconds is None else max(0.0, seconds - seconds_worked() + began)
        try:
            found = tree.run(trials, left, progress=progress)
        finally:
            self._memory = tree.tree
        if seconds is not None:
            # A decision cut short, for time taken before, tells nothing of how many fit in the others.
            usual = seconds if limit is None else max(limit, seconds)
            self._fit(found.trials, usual, seconds_worked() - began)
        return replace(found, seconds=seconds_worked() - began)

    def _fit(self, trials: int, seconds: float, worked: float) -> None:
        """Take as many scenarios from now on as let trials fit into the seconds, by what these took."""
        if worked > seconds and trials <= 2:
            self._scenarios = max(1, int(self._scenarios * seconds / worked))
        elif trials >= _MANY:
            self._scenarios = min(self._most, int(self._scenarios * _MORE) + 1)


class ScenarioPlanner:
    """A search from each belief, on scenarios drawn anew. What derives from it draws them, and observes."""

    kind = Determined

    def __init__(self, trials: int | None, seconds: float | None, scenarios: int, seed: int) -> None:
        """Begin. Raises SleuthError for limits and a seed that are none."""
        check_seed(seed)
        self._decisions = Decisions(trials, seconds, scenarios)

    def choose(self) -> int:
        """Return the best action found."""
        return self.search().action

    def search(self, seconds: float | None = None, progress: Watch | None = None) -> Determined:
        """Search from here, over scenarios drawn anew; see Searching."""
        return self._decisions.next(self._drawn, seconds, progress)

    def _drawn(self, scenarios: int, memory: Determinised | None) -> ScenarioSearch:
        """Return the search for so many scenarios, drawn. memory: see rooted."""
        raise NotImplementedError


class ScenarioModel:
    """What the trees of a POMDP share.

    Attributes:
        modelled: the POMDP with its limits: those are the informed bound, and the worth at the end.
        draws: it, to draw from.
        plans: alpha vectors, the policy where a tree has none.

    """

    def __init__(self, modelled: ModelledPomdp, planned: HSVI | None = None) -> None:
        """Begin. planned: whose policy it is; without it, of each belief the best action for ever.

        Raises SleuthError for what was planned for another POMDP.
        """
        check_modelled(modelled)
        if planned is not None:
            check_planned(modelled, planned)
        self.modelled = modelled
        self.draws = draws_of(modelled, indifferent(modelled))
        self.plans = blind_vectors(modelled.pomdp, modelled.parts) if planned is None else planned.vectors


class ScenarioTree(Determinisation):
    """The search for some scenarios, which goes on where it stopped.

    A policy is worth its mean over the scenarios, less a penalty for each of its nodes; where it has no node
    it goes on with a plan of the model, the one that is best for the states there. After the last number of a
    scenario a state is worth what ModelledPomdp has as its lower limit. Bounds, exploration and pruning are
    those of Ye et al. (2017).
    """

    def __init__(
        self,
        model: ScenarioModel,
        part: int,
        states: ArrayLike,
        numbers: ArrayLike,
        penalty: float = 0.0,
        hindsight: bool = False,
        memory: Determinised | None = None,
    ) -> None:
        """Begin with the root.

        states: int64 [scenarios], within the part. numbers: float64 [scenarios, depth], in [0, 1). penalty:
        lambda, of a node. hindsight: bound by the best for each scenario alone, its numbers known, which is
        proven; else by the fast informed bound of the states. memory: see rooted. Raises SleuthError.
        """
        from sleuth.kernels.despot import foreseen, planted

        if not isinstance(model, ScenarioModel):
            raise SleuthError(
                f"scenarios take a ScenarioModel, not {shown(model)}; ScenarioModel(modelled) makes one"
            )
        check_number("penalty", penalty, least=0, below=inf)
        self._modelled, self._plans = model.modelled, model.plans
        layout, limits = self._modelled.parts.layout, self._modelled.model
        members = self._modelled.parts.members
        part = checked_index("the POMDP", "part", part, len(members))
        states = checked_indices("the part", "state", states, len(members[part]))
        numbers = _checked_numbers(numbers, len(states))
        scenarios, depth = numbers.shape
        shape = (scenarios, depth + 1, len(limits.least)) if hindsight else (0, 0, 0)
        if 8 * np.prod(shape, dtype=float) > _MEMORY:
            raise SleuthError(
                f"bounds by hindsight of {scenarios} scenarios take more than {_MEMORY >> 20} MiB here: take"
                " fewer scenarios, or the informed bound"
            )
        shared = Scenarios(
            numbers,
            model.plans,
            limits.least,
            limits.most,
            np.empty(shape),
            layout.first,
        )
        if hindsight:
            foreseen(limits.least, self._modelled.discount, layout.first, model.draws, shared)
        discount = self._modelled.discount
        tree = rooted(states.astype(np.int64), memory)
        super().__init__((discount, float(penalty), shared, model.draws), tree)
        planted(part, *self._given, self._tree, self._count)

    def _explore(self) -> Callable[..., int]:
        from sleuth.kernels.despot import explored

        return explored

    def _action(self, choice: int) -> int:
        return self._modelled.action(choice)

    def _default(self, first: int) -> int:
        return self._action(int(self._plans.choice[first]))


class Despot(ScenarioPlanner):
    """A search from each belief, on scenarios drawn anew."""

    def __init__(
        self,
        modelled: ModelledPomdp,
        trials: int | None = None,
        seconds: float | None = None,
        scenarios: int = 500,
        depth: int | None = None,
        penalty: float = 0.01,
        hindsight: bool = False,
        seed: int = 0,
        planned: HSVI | None = None,
    ) -> None:
        """Begin at the initial belief.

        trials, seconds: limits of a decision. scenarios: of a decision, fewer where a trial takes longer than
        its seconds. depth: steps of a scenario; unless given, until the discount leaves less than 0.005.
        penalty: of the size of a policy, a node, in units of rewards. hindsight: see ScenarioTree. planned:
        what the tree goes on with at its ends, see ScenarioModel. Raises SleuthError.
        """
        check_modelled(modelled)
        super().__init__(trials, seconds, scenarios, seed)
        if depth is None:
            depth = steps_ahead(modelled.discount)
        check_scenarios(scenarios, depth, penalty)
        self._modelled, self._model = modelled, ScenarioModel(modelled, planned)
        self._depth = depth
        self._penalty, self._hindsight = penalty, hindsight
        self._rng = np.random.default_rng(seed)
        self._part, self._belief = modelled.root

    def _drawn(self, scenarios: int, memory: Determinised | None) -> ScenarioTree:
        states = self._rng.choice(len(self._belief), scenarios, p=self._belief)
        numbers = self._rng.random((scenarios, self._depth))
        given = self._penalty, self._hindsight, memory
        return ScenarioTree(self._model, self._part, states, numbers, *given)

    def observe(self, action: int, observation: int) -> None:
        """Go on. Raises SleuthError for what cannot be observed."""
        self._part, self._belief = self._modelled.after(self._part, self._belief, action, observation)


def check_scenarios(scenarios: int, depth: int, penalty: float) -> None:
    """Raise SleuthError for scenarios that there are not, or no room for."""
    check_number("scenarios", scenarios, least=1, whole=True)
    check_number("penalty", penalty, least=0, below=inf)
    check_number("depth", depth, least=1, whole=True)
    if 8 * scenarios * depth > _MEMORY:
        most = _MEMORY // (8 * depth)
        raise SleuthError(f"{scenarios} scenarios of {depth} steps are too many; there is room for {most}")


def _checked_numbers(numbers: ArrayLike, scenarios: int) -> Weights:
    """Return the numbers of scenarios as kernels take them. Raises SleuthError for what are none."""
    array = checked_numbers("the numbers of scenarios", numbers)
    if array.ndim != 2 or len(array) != scenarios or not array.size:
        raise SleuthError(f"scenarios take numbers [{scenarios}, depth], 1 or more, not {list(array.shape)}")
    if not ((array >= 0) & (array < 1)).all():
        raise SleuthError("the numbers of scenarios lie in [0, 1)")
    return array

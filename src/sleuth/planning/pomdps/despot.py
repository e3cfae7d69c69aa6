"""DESPOT: planning on line over scenarios, regularised, between two bounds (Ye et al. 2017).

Scenarios are drawn from the belief: a state and the random numbers of each step. The tree has what policies
may meet under them, which is far less than all histories. The bounds are those of the best policy for the
scenarios drawn. They are proven for these alone, and only with `hindsight`; of the optimal value they are
estimates.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, log

import numpy as np
from numpy.typing import ArrayLike

from sleuth.kernels.compiling import seconds_worked
from sleuth.kernels.despot import (
    ACTION,
    BEGUN,
    CLOSED,
    DEFAULT,
    EDGES,
    FULL,
    LOWER,
    NODES,
    PARTICLES,
    TRIALS,
    UPPER,
    Determinised,
    Scenarios,
)
from sleuth.planning.control import Weights
from sleuth.planning.pomdps.hsvi import blind_values
from sleuth.planning.pomdps.modelled import ModelledPomdp, check_modelled
from sleuth.planning.pomdps.pomcp import draws_of, indifferent
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.indices import checked_index, checked_indices, checked_numbers, shown
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_limits, check_number, check_seconds, check_seed

# Trials between two looks at the clock: with 500 scenarios about a millisecond.
_SLICE = 2
_ROOM = 256
# Scenarios end where the discount leaves less than this.
_LEAST = 0.005
# The part of the gap at the root that a trial is to leave, xi of the paper.
_TARGET = 0.95
# A tree of more bytes than this is not grown.
_MEMORY = 2**30


@dataclass(frozen=True)
class Determined:
    """What a search found, with bounds of the regularised value of the best policy for the scenarios.

    Attributes:
        action: the first action of the policy of the lower bound.
        lower, upper: the bounds.
        trials, nodes, seconds: what it took, and how many nodes there are.

    """

    action: int
    lower: float
    upper: float
    trials: int
    nodes: int
    seconds: float


class ScenarioModel:
    """What the trees of a POMDP share.

    Attributes:
        modelled: the POMDP with its limits: those are the informed bound, and the worth at the end.
        draws: it, to draw from.
        blind: float64 [actions, states], of each action for ever.

    """

    def __init__(self, modelled: ModelledPomdp) -> None:
        check_modelled(modelled)
        self.modelled = modelled
        self.draws = draws_of(modelled, indifferent(modelled))
        self.blind = np.array(blind_values(modelled.pomdp, modelled.parts.layout))


class ScenarioTree:
    """The search for some scenarios, which goes on where it stopped.

    A policy is worth its mean over the scenarios, less a penalty for each of its nodes; where it has no node
    it goes on with one action for ever, the one that is best for the states there. After the last number of a
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
    ) -> None:
        """Begin with the root.

        states: int64 [scenarios], within the part. numbers: float64 [scenarios, depth], in [0, 1). penalty:
        lambda, of a node. hindsight: bound by the best for each scenario alone, its numbers known, which is
        proven; else by the fast informed bound of the states. Raises SleuthError.
        """
        from sleuth.kernels.despot import foreseen, planted

        if not isinstance(model, ScenarioModel):
            raise SleuthError(
                f"scenarios take a ScenarioModel, not {shown(model)}; ScenarioModel(modelled) makes one"
            )
        check_number("penalty", penalty, least=0, below=inf)
        self._modelled, self._penalty, self._draws = model.modelled, float(penalty), model.draws
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
        self._shared = Scenarios(
            numbers,
            model.blind,
            limits.least,
            limits.most,
            np.empty(shape),
            layout.first,
            layout.choice_of,
        )
        if hindsight:
            foreseen(limits.least, self._modelled.discount, layout.first, self._draws, self._shared)
        self._tree = _empty(_ROOM, _ROOM, _ROOM + 4 * scenarios)
        self._tree.state[:scenarios] = states
        self._count = np.zeros(4, np.int64)
        planted(
            part, self._modelled.discount, self._penalty, self._shared, self._draws, self._tree, self._count
        )

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
        from sleuth.kernels.despot import explored

        check_seconds(seconds)
        if trials is not None:
            check_number("trials", trials, least=0, whole=True)
        check_number("gap", gap, least=0)
        began, first = seconds_worked(), int(self._count[TRIALS])
        try:
            while trials is None or self._count[TRIALS] - first < trials:
                if seconds is not None and seconds_worked() - began >= seconds:
                    break
                left = _SLICE
                if trials is not None:
                    left = min(left, trials - int(self._count[TRIALS]) + first)
                ended = explored(
                    left,
                    float(gap),
                    _TARGET,
                    self._modelled.discount,
                    self._penalty,
                    self._shared,
                    self._draws,
                    self._tree,
                    self._count,
                )
                if ended == CLOSED:
                    break
                if ended == FULL:
                    if 2 * sum(array.nbytes for array in self._tree) > _MEMORY:
                        break
                    self._grow()
                if progress is not None:
                    progress(Progress(int(self._count[TRIALS]) - first, trials or 0))
        except KeyboardInterrupt:
            raise Interrupted(self._found(first, seconds_worked() - began)) from None
        return self._found(first, seconds_worked() - began)

    def _found(self, first: int, seconds: float) -> Determined:
        from sleuth.kernels.despot import lower_of_choices

        tree, modelled = self._tree, self._modelled
        part = int(tree.nodes[0, 0])
        worths = lower_of_choices(modelled.discount, self._penalty, self._shared, self._draws, tree)
        best = int(np.argmax(worths))
        if tree.nodes[0, DEFAULT] or not worths[best] > tree.values[0, BEGUN]:
            choice = int(modelled.parts.layout.choice_of[part, tree.nodes[0, ACTION]])
        else:
            choice = int(self._draws.parts[part, 0]) + best
        lower, upper = tree.values[0, [LOWER, UPPER]].tolist()
        trials, nodes = int(self._count[TRIALS]) - first, int(self._count[NODES])
        return Determined(modelled.action(choice), lower, upper, trials, nodes, seconds)

    def _grow(self) -> None:
        """Double the arrays that are filled to a fourth; where none is, all of them."""
        tree, filled = self._tree, self._count
        sizes = len(tree.nodes), len(tree.rewards), len(tree.state)
        pairs = list(zip(sizes, filled[[NODES, EDGES, PARTICLES]].tolist(), strict=True))
        few = all(4 * n < size for size, n in pairs)
        new = _empty(*(2 * size if few or 4 * n >= size else size for size, n in pairs))
        for now, before in zip(new, tree, strict=True):
            now[: len(before)] = before
        self._tree = new


class Despot:
    """A search from each belief, on scenarios drawn anew."""

    kind = Determined

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
    ) -> None:
        """Begin at the initial belief.

        trials, seconds: limits of a decision. scenarios: of a decision. depth: steps of a scenario; unless
        given, until the discount leaves less than 0.005. penalty: of the size of a policy, a node, in units
        of rewards. hindsight: see ScenarioTree. Raises SleuthError.
        """
        check_modelled(modelled)
        check_limits("trials", trials, seconds)
        check_seed(seed)
        check_number("scenarios", scenarios, least=1, whole=True)
        check_number("penalty", penalty, least=0, below=inf)
        if depth is None:
            discount = modelled.discount
            depth = 1 if discount <= _LEAST else ceil(log(_LEAST) / log(discount))
        check_number("depth", depth, least=1, whole=True)
        if 8 * scenarios * depth > _MEMORY:
            most = _MEMORY // (8 * depth)
            raise SleuthError(
                f"{scenarios} scenarios of {depth} steps are too many; there is room for {most}"
            )
        self._modelled, self._model = modelled, ScenarioModel(modelled)
        self._limits = trials, seconds
        self._shape = scenarios, depth
        self._penalty, self._hindsight = penalty, hindsight
        self._rng = np.random.default_rng(seed)
        self._part, self._belief = modelled.root

    def choose(self) -> int:
        """Return the best action found."""
        return self.search().action

    def search(self, seconds: float | None = None, progress: Watch | None = None) -> Determined:
        """Search from here, over scenarios drawn anew; see Searching."""
        check_seconds(seconds)
        began = seconds_worked()
        states = self._rng.choice(len(self._belief), self._shape[0], p=self._belief)
        numbers = self._rng.random(self._shape)
        tree = ScenarioTree(
            self._model, self._part, states, numbers, self._penalty, hindsight=self._hindsight
        )
        trials, limit = self._limits
        seconds = limit if seconds is None else seconds
        # Drawing takes its time, too.
        left = None if seconds is None else max(0.0, seconds - seconds_worked() + began)
        return tree.run(trials, left, progress=progress)

    def observe(self, action: int, observation: int) -> None:
        """Go on. Raises SleuthError for what cannot be observed."""
        self._part, self._belief = self._modelled.after(self._part, self._belief, action, observation)


def _checked_numbers(numbers: ArrayLike, scenarios: int) -> Weights:
    """Return the numbers of scenarios as kernels take them. Raises SleuthError for what are none."""
    array = checked_numbers("the numbers of scenarios", numbers)
    if array.ndim != 2 or len(array) != scenarios or not array.size:
        raise SleuthError(f"scenarios take numbers [{scenarios}, depth], 1 or more, not {list(array.shape)}")
    if not ((array >= 0) & (array < 1)).all():
        raise SleuthError("the numbers of scenarios lie in [0, 1)")
    return array


def _empty(nodes: int, edges: int, particles: int) -> Determinised:
    return Determinised(
        np.empty((nodes, 8), np.int64),
        np.empty((nodes, 5)),
        np.empty(particles, np.int64),
        np.empty(particles, np.int64),
        np.empty((edges, 2), np.int64),
        np.empty(edges),
    )

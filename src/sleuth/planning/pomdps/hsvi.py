"""Heuristic search value iteration: a POMDP between two proven bounds (Smith and Simmons 2005).

From below alpha vectors, at first those of one action for ever (Hauskrecht 2000). From above the fast
informed bound, and a sawtooth over points. Every value that is kept is a bound, up to rounding (about 1e-12
of the largest value), wherever the search stops.

Why the sawtooth is a bound: a point's value was no less than one step of Bellman's operator on the bound at
that time, and the bound only falls; the corners come from the fast informed bound. Let the optimum exceed
the bound by d at most. At points it then does so by at most the discount times d, at corners not at all.
The optimum is convex, and the sawtooth at a belief is a mixture of the values of one point and the corners,
so it is exceeded by the discount times d at most. So d is 0. (A point goes when another's sawtooth is no
higher there, which raises no belief's value.)
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from sleuth.kernels.compiling import seconds_worked
from sleuth.kernels.hsvi import (
    EDGES,
    ENTRIES,
    MOST_DEEP,
    POINTS,
    VALUES,
    VECTORS,
    Layout,
    Lower,
    Upper,
    blind,
    corners,
    fast_informed,
    lower_value,
    qmdp,
    trial,
    upper_value,
)
from sleuth.planning.control import Weights
from sleuth.planning.pomdps.alpha_vectors import AlphaVector, AlphaVectors
from sleuth.planning.pomdps.parts import Parts, parts_of
from sleuth.planning.pomdps.pomdp import POMDP
from sleuth.support.errors import Interrupted
from sleuth.support.indices import checked_belief, checked_index
from sleuth.support.progress import Progress, Watch
from sleuth.support.ranges import check_number, check_seconds

# Sweeps of the first bounds end where they change no more than this, of the largest value.
_SETTLED = 1e-6
# A trial wants this part of the gap where it begins.
_NEXT = 0.9
# Bytes of vectors and points at most.
_MEMORY = 2**31


@dataclass(frozen=True)
class PomdpBounds:
    """What is known of a POMDP at a belief: the initial one, unless the search was moved.

    Attributes:
        lower, upper: the optimal value lies between them.
        action: the name of the action that the policy of the lower bound begins with.
        trials, vectors, points: what was done, and how much is kept.
        seconds: of the clock.
        full: whether it ended since memory was used up.

    """

    lower: float
    upper: float
    action: str
    trials: int
    vectors: int
    points: int
    seconds: float
    full: bool = False

    @property
    def gap(self) -> float:
        """How far from the optimum the policy can be."""
        return self.upper - self.lower


def qmdp_bound(pomdp: POMDP) -> float:
    """Return QMDP's value of the initial belief, no less than optimal: the next state will be seen."""
    parts = parts_of(pomdp)
    return _best_choice(qmdp_values(pomdp, parts.layout), parts)


def fast_informed_bound(pomdp: POMDP) -> float:
    """Return the fast informed bound of the initial belief (Hauskrecht 2000); no more than QMDP's."""
    parts = parts_of(pomdp)
    return _best_choice(informed_values(pomdp, parts.layout), parts)


def blind_bound(pomdp: POMDP) -> float:
    """Return what the best action for ever is worth under the initial belief, no more than optimal."""
    parts = parts_of(pomdp)
    part = slice(*parts.layout.first[parts.root : parts.root + 2])
    return max(float(values[part] @ parts.belief) for values in blind_values(pomdp, parts.layout))


def _best_choice(values: Weights, parts: Parts) -> float:
    layout, size = parts.layout, len(parts.belief)
    begins = layout.reward[slice(*layout.choice[parts.root : parts.root + 2])]
    return max(float(values[begin : begin + size] @ parts.belief) for begin in begins)


def _settled(sweep: Callable[[Weights], float], values: Weights, discount: float) -> Weights:
    """Sweep until values settle; each sweep leaves bounds that are bounds already."""
    scale = max(1.0, float(np.abs(values).max()))
    while sweep(values) > _SETTLED * scale * (1 - discount):
        pass
    return values


def informed_values(pomdp: POMDP, layout: Layout) -> Weights:
    """Return the fast informed bound of each choice in each state, as Layout.rewards."""
    return _settled_choices(fast_informed, pomdp, layout)


def qmdp_values(pomdp: POMDP, layout: Layout) -> Weights:
    """Return QMDP's value of each choice in each state, as Layout.rewards."""
    return _settled_choices(qmdp, pomdp, layout)


def _settled_choices(
    sweep: Callable[[Weights, float, Layout], float], pomdp: POMDP, layout: Layout
) -> Weights:
    most = float(layout.rewards.max()) / (1 - pomdp.discount)
    values = np.full(len(layout.rewards), most)
    return _settled(lambda values: sweep(values, pomdp.discount, layout), values, pomdp.discount)


def blind_values(pomdp: POMDP, layout: Layout) -> list[Weights]:
    """Return the values of each action for ever, float64 [states of the layout]."""
    least = float(layout.rewards.min()) / (1 - pomdp.discount)
    found = []
    for action in range(len(pomdp.actions)):

        def sweep(values: Weights, action: int = action) -> float:
            return blind(values, action, pomdp.discount, layout)

        found.append(_settled(sweep, np.full(layout.first[-1], least), pomdp.discount))
    return found


class HSVI:
    """A search that goes on where it stopped.

    Attributes:
        took: seconds of processors that the last trial took.
        full: whether memory is used up.

    """

    took = 0.0
    full = False

    def __init__(self, pomdp: POMDP) -> None:
        self.pomdp = pomdp
        self.parts = parts_of(pomdp)
        layout = self.parts.layout
        self._counts = np.zeros(5, np.int64)
        self._lower = blind_vectors(pomdp, self.parts)
        filled = self._lower.then, self._lower.values, self._lower.edges
        self._counts[[VECTORS, VALUES, EDGES]] = [len(array) for array in filled]
        fast = informed_values(pomdp, layout)
        self._upper = _no_points(corners(fast, layout), fast, len(self.parts.members))
        self._at = self.parts.root, self.parts.belief
        self._largest = max(map(len, self.parts.members))
        self._widest = int(np.diff(layout.way).max())
        self._trials = 0

    def copy(self) -> HSVI:
        """Return a search that knows as much, and goes its own way."""
        other = copy(self)
        other._counts = self._counts.copy()
        other._lower = Lower(*(array.copy() for array in self._lower))
        other._upper = Upper(*(array.copy() for array in self._upper))
        return other

    def move(self, part: int, belief: Weights) -> None:
        """Go on from another belief, float64 [states of the part]: what is known holds there, too.

        Raises SleuthError for what is no part, or no belief of its states.
        """
        members = self.parts.members
        part = checked_index("the POMDP", "part", part, len(members))
        self._at = part, checked_belief(belief, len(members[part]))

    @property
    def lower(self) -> float:
        """No less is worth the policy at the belief where the search is: the initial one, unless moved."""
        return float(lower_value(*self._at, self._lower)[0])

    @property
    def upper(self) -> float:
        """No policy is worth more there."""
        return float(upper_value(*self._at, self.parts.layout, self._upper))

    @property
    def action(self) -> int:
        """The number of the action that the policy takes there."""
        _, vector = lower_value(*self._at, self._lower)
        return int(self.parts.actions[self._lower.choice[vector]])

    @property
    def vectors(self) -> Lower:
        """The alpha vectors, as kernels take them."""
        return self._lower

    def run(
        self,
        seconds: float | None = None,
        gap: float = 1e-3,
        trials: int | None = None,
        progress: Watch | None = None,
    ) -> PomdpBounds:
        """Search until the gap, so many seconds, or so many trials; it also ends where memory is used up.

        progress: told of the trials done, with the bounds as a remark. Raises SleuthError for limits that are
        none; on Ctrl-C Interrupted, whose `known` is what is known by then.
        """
        check_seconds(seconds)
        check_number("gap", gap, above=0)
        if trials is not None:
            check_number("trials", trials, least=0, whole=True)
        began, first = seconds_worked(), self._trials
        try:
            while (
                (trials is None or self._trials - first < trials)
                and (seconds is None or seconds_worked() - began < seconds)
                and self.step(gap)
            ):
                if progress is not None:
                    remark = f"between {self.lower:.4f} and {self.upper:.4f}"
                    progress(Progress(self._trials - first, trials or 0, remark))
        except KeyboardInterrupt:
            raise Interrupted(self._solved(seconds_worked() - began)) from None
        return self._solved(seconds_worked() - began)

    def step(self, gap: float = 1e-3) -> bool:
        """Try once more; return False, and do nothing, at the gap or where memory is used up."""
        now = self.upper - self.lower
        self.full = now > gap and not self._make_room()
        if now <= gap or self.full:
            return False
        # The last trials are not to end just short of the gap.
        self._try(max(_NEXT * now, gap / 2))
        return True

    def _try(self, wanted: float) -> None:
        began = seconds_worked()
        trial(
            *self._at,
            wanted,
            self.pomdp.discount,
            self.parts.layout,
            self._lower,
            self._upper,
            self._counts,
        )
        self._trials += 1
        self.took = seconds_worked() - began

    @property
    def kept(self) -> tuple[int, int]:
        """How many alpha vectors are kept, and how many points."""
        vectors, points = (sum(map(len, _lists(kept))) for kept in (self._lower, self._upper))
        return vectors, points

    def _solved(self, seconds: float) -> PomdpBounds:
        action = self.pomdp.actions[self.action]
        return PomdpBounds(self.lower, self.upper, action, self._trials, *self.kept, seconds, self.full)

    def _make_room(self) -> bool:
        """Make room for one more trial; say whether memory allows it."""
        need = np.full(5, MOST_DEEP)
        need[[VALUES, ENTRIES]] *= self._largest
        need[EDGES] *= self._widest
        sizes = np.zeros(5, np.int64)
        sizes[VECTORS], sizes[VALUES], sizes[EDGES] = (
            len(array) for array in (self._lower.then, self._lower.values, self._lower.edges)
        )
        sizes[POINTS], sizes[ENTRIES] = len(self._upper.then), len(self._upper.state)
        if (self._counts + need <= sizes).all():
            return True
        if sum(array.nbytes for array in (*self._lower, *self._upper)) > _MEMORY:
            return False
        room = np.where(self._counts + need <= sizes, sizes, 2 * (self._counts + need))
        kept = self._lower
        self._lower = Lower(
            kept.head,
            _longer(kept.then, room[VECTORS]),
            _longer(kept.choice, room[VECTORS]),
            _longer(kept.place, room[VECTORS]),
            _longer(kept.edge, room[VECTORS]),
            _longer(kept.instead, room[VECTORS]),
            _longer(kept.values, room[VALUES]),
            _longer(kept.edges, room[EDGES]),
        )
        top = self._upper
        self._upper = Upper(
            top.corner,
            top.fast,
            top.head,
            _longer(top.then, room[POINTS]),
            _longer(top.place, room[POINTS]),
            _longer(top.size, room[POINTS]),
            _longer(top.state, room[ENTRIES]),
            _longer(top.weight, room[ENTRIES]),
            _longer(top.value, room[POINTS]),
            _longer(top.drop, room[POINTS]),
        )
        return True

    def policy(self) -> AlphaVectors:
        """Return the policy of the lower bound: it is worth that at least, which pomdps.checking proves."""
        parts, lower = self.parts, self._lower
        alive = [vector for found in _lists(lower) for vector in found]
        part_of = [part for part, found in enumerate(_lists(lower)) for _ in found]
        number = {vector: i for i, vector in enumerate(alive)}
        vectors = []
        for vector, part in zip(alive, part_of, strict=True):
            states = parts.members[part]
            choice, place, edge = int(lower.choice[vector]), int(lower.place[vector]), int(lower.edge[vector])
            then = {}
            for way in range(parts.layout.way[choice], parts.layout.way[choice + 1]):
                on = int(lower.edges[edge + way - parts.layout.way[choice]])
                while lower.instead[on] >= 0:
                    on = int(lower.instead[on])
                then[int(parts.seen[way])] = number[on]
            values = lower.values[place : place + len(states)].tolist()
            action = int(parts.actions[choice])
            vectors.append(AlphaVector(action, tuple(states.tolist()), tuple(values), then))
        pomdp = self.pomdp
        return AlphaVectors(pomdp.states, pomdp.actions, pomdp.observations, tuple(vectors))


def _lists(kept: Lower | Upper) -> list[list[int]]:
    """Return what is kept of each part."""
    found: list[list[int]] = []
    for head in kept.head.tolist():
        found.append([])
        while head >= 0:
            found[-1].append(head)
            head = int(kept.then[head])
    return found


def _longer(array: np.ndarray[Any, Any], size: int) -> np.ndarray[Any, Any]:
    longer = np.empty(max(size, len(array)), array.dtype)
    longer[: len(array)] = array
    return longer


def blind_vectors(pomdp: POMDP, parts: Parts) -> Lower:
    """Return the vectors of each action for ever, one a part and action."""
    layout = parts.layout
    values = blind_values(pomdp, layout)
    n_actions, n_parts = len(pomdp.actions), len(parts.members)
    vectors = n_actions * n_parts
    head = np.arange(n_parts) * n_actions
    then = np.arange(1, vectors + 1)
    then[n_actions - 1 :: n_actions] = -1
    choice = layout.choice_of.ravel()
    place = np.concatenate(
        [layout.first[part] + np.arange(n_actions) * layout.first[-1] for part in range(n_parts)]
    )
    sizes = layout.way[choice + 1] - layout.way[choice]
    edge = np.cumsum(sizes) - sizes
    edges = [
        parts_to * n_actions + number % n_actions
        for number, one in enumerate(choice)
        for parts_to in layout.to[layout.way[one] : layout.way[one + 1]]
    ]
    return Lower(
        head,
        then,
        choice,
        place,
        edge,
        np.full(vectors, -1),
        np.concatenate(values),
        np.array(edges, np.int64),
    )


def _no_points(corner: Weights, fast: Weights, parts: int) -> Upper:
    ints, floats = np.zeros(0, np.int64), np.zeros(0)
    head = np.full(parts, -1)
    return Upper(corner, fast, head, ints, ints, ints, ints, floats, floats, floats)

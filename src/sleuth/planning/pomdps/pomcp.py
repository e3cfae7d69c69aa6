"""POMCP (Silver and Veness 2010): Monte-Carlo planning over histories, with states drawn from the belief.

Beliefs are exact here: Bayes' rule brings them on from decision to decision, and particles are drawn from
them. Where nothing is hidden it is plain UCT (Kocsis and Szepesvari 2006).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sleuth.kernels.pomcp import CHILDREN, DONE_SO_FAR, EDGES, FULL, NODES, Draws, Histories
from sleuth.planning.control import Weights
from sleuth.planning.pomdps.modelled import ModelledPomdp, check_modelled
from sleuth.planning.pomdps.pomdp import Places
from sleuth.planning.searching import LEAST, searched, steps_ahead, with_room
from sleuth.support.errors import SleuthError
from sleuth.support.indices import shown
from sleuth.support.progress import Watch
from sleuth.support.ranges import check_limits, check_number, check_seconds, check_seed

SLICE = 256
"""Simulations between two looks at the clock: milliseconds, so that Ctrl-C is heard."""
_ROOM = 1024
# A tree of more bytes than this is not grown.
_MEMORY = 2**30


@dataclass(frozen=True, eq=False)
class Preference:
    """What rollouts prefer: what serves goals whose scores are above zero by what was seen.

    Attributes:
        base: how likely a rollout takes each choice of the parts, up to a factor, float64 [choices]; those
            below zero are left out of the tree, too.
        serves: what a goal with a score above zero adds to that, float64 [choices, goals].
        evidence: what a way, an observation after a choice, adds to the scores, float64 [ways, goals].
        scores: of a part and the belief in it: the scores there, float64 [goals].

    """

    base: Weights
    serves: Weights
    evidence: Weights
    scores: Callable[[int, Weights], Weights]

    def __repr__(self) -> str:
        return f"<Preference: {self.serves.shape[1]} goals, {len(self.base)} choices>"


@dataclass(frozen=True)
class Planned:
    """What a search found.

    Attributes:
        action: the action of the largest mean return.
        value: that mean.
        simulations, nodes, seconds: what it took, and how many histories are known.
        full: whether it ended since the tree was as large as it may be.

    """

    action: int
    value: float
    simulations: int
    nodes: int
    seconds: float
    full: bool = False


class Pomcp:
    """A search that is taken on from decision to decision, for so many simulations or seconds each.

    A tree takes 1 GiB at most; where it is full a search ends, and says what it knows. It begins anew with
    the next decision once it is half full.
    """

    kind = Planned

    def __init__(
        self,
        modelled: ModelledPomdp,
        simulations: int | None = None,
        seconds: float | None = None,
        coefficient: float | None = None,
        preference: Preference | None = None,
        seed: int = 0,
    ) -> None:
        """Begin at the initial belief.

        coefficient: of the upper confidence bounds, in units of rewards; unless given, how far
        apart the rewards of actions are. preference: of rollouts; any action, unless given. Raises
        SleuthError.
        """
        check_modelled(modelled)
        check_limits("simulations", simulations, seconds)
        check_seed(seed)
        check_coefficient(coefficient)
        if not isinstance(preference, Preference | None):
            raise SleuthError(f"rollouts take a Preference, not {shown(preference)}")
        self._modelled = modelled
        self._simulations, self._seconds = simulations, seconds
        preference = indifferent(modelled) if preference is None else preference
        self._draws = draws_of(modelled, preference)
        self._scores = preference.scores
        self._coefficient = reward_range(modelled, preference) if coefficient is None else float(coefficient)
        self._rng = np.array([seed % 2**64], np.uint64)
        steps = steps_ahead(modelled.discount) + 1
        self._path, self._gains = np.empty((steps, 2), np.int64), np.empty(steps)
        self._tree = empty_tree()
        self._begin(*modelled.root)

    def _begin(self, part: int, belief: Weights) -> None:
        self._count = np.zeros(4, np.int64)
        self._part, self._belief, self._root = part, belief, -1

    def choose(self) -> int:
        """Return the best action found."""
        return self.search().action

    def search(self, seconds: float | None = None, progress: Watch | None = None) -> Planned:
        """Search from here; see Searching."""
        from sleuth.kernels.pomcp import histories, planted

        check_seconds(seconds)
        simulations, seconds = self._simulations, self._seconds if seconds is None else seconds
        self._full = False
        while self._root < 0:
            self._root = int(planted(self._part, self._draws, self._tree, self._count))
            if self._root < 0:
                self._grow()
        scores = self._scores(self._part, self._belief)
        summed = np.cumsum(self._belief)

        def advance(most: int) -> bool:
            ended = histories(
                self._root,
                most,
                self._modelled.discount,
                LEAST,
                self._coefficient,
                summed,
                scores,
                self._draws,
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
        visits, values = self.root
        best = int(np.argmax(np.where(visits > 0, values, -np.inf)))
        choice = int(self._draws.parts[self._part, 0]) + best
        nodes = int(self._count[NODES])
        return Planned(self._modelled.action(choice), float(values[best]), done, nodes, seconds, self._full)

    @property
    def root(self) -> tuple[Weights, Weights]:
        """Of each choice at the root its visits, int64 [choices], and its mean return, float64 [choices]."""
        begin, choices = int(self._tree.nodes[self._root, 1]), int(self._draws.parts[self._part, 1])
        edges = slice(begin, begin + choices)
        return self._tree.edges[edges, 0], self._tree.values[edges]

    def observe(self, action: int, observation: int) -> None:
        """Take the tree on. Raises SleuthError for what cannot be observed."""
        modelled, parts = self._modelled, self._modelled.parts
        part, belief = modelled.after(self._part, self._belief, action, observation)
        choice = int(parts.layout.choice_of[self._part, action])
        first, ways = (int(number) for number in self._draws.choices[choice, :2])
        (way,) = np.flatnonzero(parts.seen[first : first + ways] == observation)
        root = -1
        if self._root >= 0 and 2 * self._count[EDGES] < len(self._tree.values):
            number = choice - int(self._draws.parts[self._part, 0])
            edge = int(self._tree.nodes[self._root, 1]) + number
            root = int(self._tree.children[int(self._tree.edges[edge, 1]) + int(way)])
        if root < 0:
            self._begin(part, belief)
        else:
            self._part, self._belief, self._root = part, belief, root

    def _grow(self) -> bool:
        """Make room, and say whether there is some now."""
        grown = grown_tree(self._tree, self._count)
        self._full = grown is None
        self._tree = self._tree if grown is None else grown
        return not self._full


def grown_tree(tree: Histories, filled: Places) -> Histories | None:
    """Return a tree in twice the memory of what is filled to a fourth, None where that is too much.

    filled: int64 [4], as kernels count.
    """
    if 2 * sum(array.nbytes for array in tree) > _MEMORY:
        return None
    sizes = len(tree.nodes), len(tree.values), len(tree.children)
    pairs = zip(sizes, filled[[NODES, EDGES, CHILDREN]].tolist(), strict=True)
    nodes, edges, children = (2 * size if 4 * n >= size or not filled[NODES] else size for size, n in pairs)
    return Histories(
        with_room(tree.nodes, nodes),
        with_room(tree.edges, edges),
        with_room(tree.values, edges),
        with_room(tree.children, children),
    )


def empty_tree(of_node: int = 3, of_edge: int = 2) -> Histories:
    """Return a tree without nodes, for so many numbers of each node and edge."""
    return Histories(
        np.empty((_ROOM, of_node), np.int64),
        np.empty((_ROOM, of_edge), np.int64),
        np.empty(_ROOM),
        np.empty(_ROOM, np.int64),
    )


def check_coefficient(coefficient: float | None) -> None:
    """Raise SleuthError for what is no coefficient of upper confidence bounds."""
    if coefficient is not None:
        check_number("coefficient", coefficient, least=0, below=np.inf)


def reward_range(modelled: ModelledPomdp, preference: Preference | None = None) -> float:
    """Return how far apart the rewards are of what is not left out."""
    layout = modelled.parts.layout
    ends = np.concatenate([layout.reward[1:], [len(layout.rewards)]])
    taken = np.ones(len(ends), bool) if preference is None else preference.base >= 0
    rewards = layout.rewards[np.repeat(taken, ends - layout.reward)]
    return float(rewards.max() - rewards.min())


def indifferent(modelled: ModelledPomdp) -> Preference:
    """Return the preference of rollouts that take every choice as likely."""
    choices, ways = len(modelled.model.choices), len(modelled.model.ways)
    base = np.ones(choices)
    return Preference(base, np.empty((choices, 0)), np.empty((ways, 0)), lambda *_: np.empty(0))


def draws_of(modelled: ModelledPomdp, preference: Preference) -> Draws:
    """Return a POMDP to draw from."""
    layout, model = modelled.parts.layout, modelled.model
    way = np.repeat(np.arange(len(layout.to)), np.diff(layout.step))
    of_way = np.repeat(np.arange(len(layout.way) - 1), np.diff(layout.way))
    row = layout.reward[of_way[way]] + layout.source
    order = np.argsort(row, kind="stable")
    first = np.searchsorted(row[order], np.arange(len(layout.rewards) + 1))
    chances = layout.chance[order]
    summed = np.cumsum(chances)
    before = np.concatenate([[0.0], summed])[first[:-1]]
    return Draws(
        np.ascontiguousarray(model.parts[:, 1:3]),
        model.choices,
        np.ascontiguousarray(model.ways[:, 0]),
        layout.rewards,
        first.astype(np.int64),
        way[order],
        layout.target[order],
        summed - before[row[order]],
        preference.base,
        preference.serves,
        preference.evidence,
    )

"""A POMDP in parts, laid out for kernels: beliefs are short where a part of the state is seen.

Whoever knows in which part the state is knows it after every action and observation too. The parts are the
smallest sets of states of which that holds, from the initial belief on; where nothing of the state is seen
there is one part. Problems with mixed observability (Ong et al. 2010) are so found by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sleuth.kernels.hsvi import Layout
from sleuth.planning.control import Weights
from sleuth.planning.pomdps.pomdp import POMDP, Places, check_pomdp, with_observations


class _Ways(NamedTuple):
    """What may come of all actions: int64 and float64 [ways]."""

    action: Places
    source: Places
    then: Places
    chance: Weights
    seen: Places

    def those(self, which: Any) -> _Ways:
        """Return some of them. which: whatever picks from an array."""
        action, source, then, chance, seen = self
        return _Ways(action[which], source[which], then[which], chance[which], seen[which])


@dataclass(frozen=True, eq=False)
class Parts:
    """A POMDP in parts.

    Attributes:
        layout: as kernels take it.
        members: the states of each part, int64 [size].
        actions: the action of each choice, the first of those that do the same in all of a part.
        seen: the observation of each way.
        root: the part of the initial belief.
        belief: it, float64 [states of the part].

    """

    layout: Layout
    members: list[Places]
    actions: Places
    seen: Places
    root: int
    belief: Weights

    def __repr__(self) -> str:
        return f"<Parts: {len(self.members)}, the largest of {max(map(len, self.members))} states>"


def parts_of(pomdp: POMDP) -> Parts:
    """Return a POMDP in parts; states that cannot be reached are left out.

    Raises SleuthError for what is no POMDP.
    """
    check_pomdp(pomdp)
    n_states = len(pomdp.states)
    start = np.flatnonzero(pomdp.initial > 0)
    ways = _ways(pomdp)
    reached = _reached(start, ways, n_states)
    # The states of the initial belief are a part of their own where they do not lie in another.
    copied = ways.those(np.isin(ways.source, start))
    copied = copied._replace(source=copied.source + n_states)
    inside = ways.those(reached[ways.source])
    every = _together([inside, copied])
    labels = _labels(every, start + n_states, n_states)
    if reached[start].all() and len(np.unique(labels[start])) == 1:
        every, root_label = inside, labels[start[0]]
    else:
        root_label = labels[start[0] + n_states]
    used = np.unique(np.concatenate([every.source, every.then]))
    parts, part_of = np.unique(labels[used], return_inverse=True)
    numbers = [used[part_of == part] for part in range(len(parts))]
    root = int(np.searchsorted(parts, root_label))
    members = [states % n_states for states in numbers]
    layout, actions, seen = _layout(pomdp, every, numbers, members)
    return Parts(layout, members, actions, seen, root, pomdp.initial[members[root]])


def _ways(pomdp: POMDP) -> _Ways:
    n_states = len(pomdp.states)
    found: list[_Ways] = []
    table = pomdp.transition
    for action in range(len(pomdp.actions)):
        first = action * n_states
        edges = slice(table.starts[first], table.starts[first + n_states])
        source = np.repeat(np.arange(n_states), np.diff(table.starts[first : first + n_states + 1]))
        of = with_observations(first, source, table.columns[edges], table.values[edges], pomdp.observation)
        found.append(_Ways(np.full(len(of[0]), action), *of))
    ways = _together(found)
    return ways.those(ways.chance > 0)


def _together(some: list[_Ways]) -> _Ways:
    return _Ways(
        np.concatenate([ways.action for ways in some]),
        np.concatenate([ways.source for ways in some]),
        np.concatenate([ways.then for ways in some]),
        np.concatenate([ways.chance for ways in some]),
        np.concatenate([ways.seen for ways in some]),
    )


def _reached(start: Places, ways: _Ways, n_states: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which states may follow the start after an action or more: bool [states]."""
    before = np.zeros(n_states, bool)
    before[start] = True
    reached = np.zeros(n_states, bool)
    while True:
        then = np.zeros(n_states, bool)
        then[ways.then[(before | reached)[ways.source]]] = True
        if (reached | then == reached).all():
            return reached
        reached |= then


def _labels(ways: _Ways, copies: Places, n_states: int) -> Places:
    """Return the least state of the part of each state and copy: int64 [2 * states]."""
    labels = np.arange(2 * n_states)
    labels[copies] = copies.min()
    n_seen, n_actions = int(ways.seen.max()) + 1, int(ways.action.max()) + 1
    while True:
        keys = (labels[ways.source] * n_actions + ways.action) * n_seen + ways.seen
        distinct, place = np.unique(keys, return_inverse=True)
        least = np.full(len(distinct), 2 * n_states)
        np.minimum.at(least, place, labels[ways.then])
        # Whole parts merge: what is least for a member is so for all.
        merged = np.arange(2 * n_states)
        np.minimum.at(merged, labels[ways.then], least[place])
        while not np.array_equal(merged[merged], merged):
            merged = merged[merged]
        new = merged[labels]
        if np.array_equal(new, labels):
            return labels
        labels = new


def _layout(
    pomdp: POMDP, ways: _Ways, numbers: list[Places], members: list[Places]
) -> tuple[Layout, Places, Places]:
    """Return the layout, the action of each choice, and the observation of each way."""
    part_of = np.zeros(2 * len(pomdp.states), np.int64)
    local = np.zeros(2 * len(pomdp.states), np.int64)
    for part, states in enumerate(numbers):
        part_of[states], local[states] = part, np.arange(len(states))
    order = np.lexsort((ways.then, ways.source, ways.seen, ways.action, part_of[ways.source]))
    ways = ways.those(order)
    begins = np.searchsorted(part_of[ways.source], np.arange(len(numbers) + 1))
    choice, way, step, reward = [0], [0], [0], []
    rewards: list[Weights] = []
    to: list[int] = []
    actions: list[int] = []
    seen: list[int] = []
    steps: list[_Ways] = []
    choice_of = np.zeros((len(numbers), len(pomdp.actions)), np.int64)
    size = 0
    for part, states in enumerate(members):
        theirs = ways.those(slice(*begins[part : part + 2]))
        of_action = np.searchsorted(theirs.action, np.arange(len(pomdp.actions) + 1))
        same: dict[bytes, int] = {}
        for action in range(len(pomdp.actions)):
            one = theirs.those(slice(*of_action[action : action + 2]))
            gains = pomdp.reward[action, states]
            key = gains.tobytes() + b"".join(array.tobytes() for array in one[1:])
            choice_of[part, action] = same.setdefault(key, len(actions))
            if same[key] < len(actions):
                continue
            actions.append(action)
            reward.append(size)
            rewards.append(gains)
            size += len(states)
            found, firsts = np.unique(one.seen, return_index=True)
            for observation, first, last in zip(found, firsts, [*firsts[1:], len(one.seen)], strict=True):
                to.append(int(part_of[one.then[first]]))
                seen.append(int(observation))
                step.append(step[-1] + int(last - first))
            steps.append(one)
            way.append(len(to))
        choice.append(len(actions))
    source, target, chance = (
        np.concatenate([local[one.source] for one in steps]),
        np.concatenate([local[one.then] for one in steps]),
        np.concatenate([one.chance for one in steps]),
    )
    first = np.concatenate([[0], np.cumsum([len(states) for states in members])])
    layout = Layout(
        first,
        np.array(choice),
        np.array(reward),
        np.concatenate(rewards),
        np.array(way),
        np.array(to),
        np.array(step),
        source,
        target,
        chance,
        choice_of,
    )
    return layout, np.array(actions), np.array(seen)

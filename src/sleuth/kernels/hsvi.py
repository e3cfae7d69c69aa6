"""Heuristic search value iteration for POMDPs (Smith and Simmons 2005): bounds, backups and trials.

A weight is a belief up to a factor: all bounds are homogeneous, so nothing is normalised on the way.
"""

from typing import Any, NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.frugal import held
from sleuth.kernels.jit import inner, kernel

MOST_DEEP = 256
"""Actions of a trial at most."""
VECTORS, VALUES, EDGES, POINTS, ENTRIES = range(5)
"""Places of the counters: how much of the arrays of a Lower and an Upper is filled."""


@held
class Layout(NamedTuple):
    """A POMDP in parts: a belief lies in one part. States have new numbers, those of a part together.

    first: int64 [parts + 1], the first state of each. choice: int64 [parts + 1], the first choice: an action
    in a part. reward: int64 [choices], where its rewards begin in rewards, float64, one a state of the part.
    way: int64 [choices + 1], the first way: an action and what is observed after it. to: int64 [ways], the
    part that it leads to. step: int64 [ways + 1], the first step: from a state of the part, source, to one of
    the next, target, both int64 and counted within the part, with a chance, float64, of both state and
    observation. choice_of: int64 [parts, actions].
    """

    first: Array
    choice: Array
    reward: Array
    rewards: Array
    way: Array
    to: Array
    step: Array
    source: Array
    target: Array
    chance: Array
    choice_of: Array


@held
class Lower(NamedTuple):
    """Alpha vectors: no optimal value is lower. Those of a part are a list from head on, -1 at its end.

    head: int64 [parts]. Of vectors, int64: then, the next of the list; choice; place, where it begins in
    values, float64; edge, where its edges begin in edges, int64: the vector to go on with on each way of the
    choice; instead, one that is nowhere lower and took its place, else -1.
    """

    head: Array
    then: Array
    choice: Array
    place: Array
    edge: Array
    instead: Array
    values: Array
    edges: Array


@held
class Upper(NamedTuple):
    """Values at the corners, at points, and after each choice: no optimal value is higher.

    corner: float64 [states]. fast: as Layout.rewards, the fast informed bound. head: int64 [parts], then:
    int64 [points]: lists as in Lower. Of points: place and size, int64: where the states that it gives weight
    are in state, int64, and their weights in weight, float64; value and, less than the corners say, drop.
    """

    corner: Array
    fast: Array
    head: Array
    then: Array
    place: Array
    size: Array
    state: Array
    weight: Array
    value: Array
    drop: Array


@kernel
def qmdp(values: Array, discount: float, layout: Layout) -> float:
    """Bring the values of choices (as Layout.rewards) one step on, as if the next state were seen.

    Returns the largest change.
    """
    corner = _corners(values, layout)
    most = 0.0
    for part in range(layout.first.size - 1):
        for choice in range(layout.choice[part], layout.choice[part + 1]):
            new = _rewards(choice, part, layout).copy()
            for way in range(layout.way[choice], layout.way[choice + 1]):
                ahead = corner[layout.first[layout.to[way]] :]
                for i in range(layout.step[way], layout.step[way + 1]):
                    new[layout.source[i]] += discount * layout.chance[i] * ahead[layout.target[i]]
            most = max(most, _put(new, values[layout.reward[choice] :]))
    return most


@kernel
def fast_informed(values: Array, discount: float, layout: Layout) -> float:
    """Bring the values of choices one step on by the fast informed bound; returns the largest change.

    Hauskrecht (2000), section 4.6: the next action may differ with the observation and the state now, not
    with the next state.
    """
    most = 0.0
    for part in range(layout.first.size - 1):
        size = layout.first[part + 1] - layout.first[part]
        total, best = np.empty(size), np.empty(size)
        for choice in range(layout.choice[part], layout.choice[part + 1]):
            new = _rewards(choice, part, layout).copy()
            for way in range(layout.way[choice], layout.way[choice + 1]):
                best[:] = -np.inf
                then = layout.to[way]
                for other in range(layout.choice[then], layout.choice[then + 1]):
                    ahead = values[layout.reward[other] :]
                    total[:] = 0
                    for i in range(layout.step[way], layout.step[way + 1]):
                        total[layout.source[i]] += layout.chance[i] * ahead[layout.target[i]]
                    best = np.maximum(best, total)
                new += discount * best
            most = max(most, _put(new, values[layout.reward[choice] :]))
    return most


@kernel
def blind(values: Array, action: Int, discount: float, layout: Layout) -> float:
    """Bring the values of states, float64 [states], of one action for ever a step on.

    Returns the largest change.
    """
    most = 0.0
    for part in range(layout.first.size - 1):
        choice = layout.choice_of[part, action]
        new = _rewards(choice, part, layout).copy()
        for way in range(layout.way[choice], layout.way[choice + 1]):
            ahead = values[layout.first[layout.to[way]] :]
            for i in range(layout.step[way], layout.step[way + 1]):
                new[layout.source[i]] += discount * layout.chance[i] * ahead[layout.target[i]]
        most = max(most, _put(new, values[layout.first[part] :]))
    return most


@inner
def _put(new: Array, values: Array) -> float:
    most = 0.0
    for i in range(new.size):
        most = max(most, abs(new[i] - values[i]))
        values[i] = new[i]
    return most


@inner
def _rewards(choice: Int, part: Int, layout: Layout) -> Any:
    begin = layout.reward[choice]
    return layout.rewards[begin : begin + layout.first[part + 1] - layout.first[part]]


@inner
def _corners(values: Array, layout: Layout) -> Any:
    corner = np.full(layout.first[-1], -np.inf)
    for part in range(layout.first.size - 1):
        begin = layout.first[part]
        for choice in range(layout.choice[part], layout.choice[part + 1]):
            for i in range(layout.first[part + 1] - begin):
                corner[begin + i] = max(corner[begin + i], values[layout.reward[choice] + i])
    return corner


@kernel
def corners(values: Array, layout: Layout) -> Any:
    """Return the largest value of a choice in each state, float64 [states]."""
    return _corners(values, layout)


@inner
def _dot(values: Array, place: Int, weight: Array) -> float:
    total = 0.0
    for i in range(weight.size):
        total += values[place + i] * weight[i]
    return total


@kernel
def lower_value(part: Int, weight: Array, lower: Lower) -> Any:
    """Return the lower bound of a weight, float64 [states of the part], and the vector that gives it."""
    best = -np.inf
    found: Int = np.int64(-1)
    vector = lower.head[part]
    while vector >= 0:
        value = _dot(lower.values, lower.place[vector], weight)
        if value > best:
            best, found = value, vector
        vector = lower.then[vector]
    return best, found


@inner
def following(vector: Int, way: Int, lower: Lower) -> Any:
    """Return the vector to go on with on a way of the vector's choice, counted from its first."""
    found = lower.edges[lower.edge[vector] + way]
    while lower.instead[found] >= 0:
        found = lower.instead[found]
    return found


@inner
def _share(point: Int, weight: Array, enough: Any, upper: Upper) -> float:
    """Return how much of a point is in a weight; where that is no more than enough, something no more."""
    share = np.inf
    for i in range(upper.place[point], upper.place[point] + upper.size[point]):
        share = min(share, weight[upper.state[i]] / upper.weight[i])
        if share <= enough:
            break
    return share


@kernel
def upper_value(part: Int, weight: Array, layout: Layout, upper: Upper) -> Any:
    """Return the upper bound of a weight: the sawtooth's, or the fast informed bound where that is lower."""
    fast = -np.inf
    for choice in range(layout.choice[part], layout.choice[part + 1]):
        fast = max(fast, _dot(upper.fast, layout.reward[choice], weight))
    best: Any = 0.0
    point = upper.head[part]
    while point >= 0:
        drop = upper.drop[point]
        if drop < 0:
            best = min(best, drop * _share(point, weight, best / drop, upper))
        point = upper.then[point]
    return min(fast, _dot(upper.corner, layout.first[part], weight) + best)


@inner
def _follow(way: Int, weight: Array, layout: Layout, after: Array) -> float:
    """Put the weight after a way into an array, and return its sum."""
    after[:] = 0
    total = 0.0
    for i in range(layout.step[way], layout.step[way + 1]):
        moved = layout.chance[i] * weight[layout.source[i]]
        after[layout.target[i]] += moved
        total += moved
    return total


@inner
def _size(part: Int, layout: Layout) -> Any:
    return layout.first[part + 1] - layout.first[part]


@inner
def _upper_after(
    choice: Int, part: Int, weight: Array, discount: float, layout: Layout, upper: Upper, room: Array
) -> float:
    """Return the upper bound of a weight after a choice. room: float64, as long as the largest part."""
    value = _dot(layout.rewards, layout.reward[choice], weight)
    for way in range(layout.way[choice], layout.way[choice + 1]):
        after = room[: _size(layout.to[way], layout)]
        if _follow(way, weight, layout, after) > 0:
            value += discount * upper_value(layout.to[way], after, layout, upper)
    return value


@inner
def _lower_after(
    choice: Int, part: Int, weight: Array, discount: float, layout: Layout, lower: Lower, room: Array
) -> float:
    """Return the lower bound of a weight after a choice."""
    value = _dot(layout.rewards, layout.reward[choice], weight)
    for way in range(layout.way[choice], layout.way[choice + 1]):
        after = room[: _size(layout.to[way], layout)]
        if _follow(way, weight, layout, after) > 0:
            value += discount * lower_value(layout.to[way], after, lower)[0]
    return value


@inner
def _back_up_lower(
    part: Int, weight: Array, discount: float, layout: Layout, lower: Lower, counts: Array, room: Array
) -> None:
    """Add the alpha vector of a weight, if it is any better; those that are nowhere higher make way."""
    best = -np.inf
    chosen: Int = np.int64(-1)
    for choice in range(layout.choice[part], layout.choice[part + 1]):
        value = _lower_after(choice, part, weight, discount, layout, lower, room)
        if value > best:
            best, chosen = value, choice
    before = lower_value(part, weight, lower)[0]
    if not best > before + 1e-13 * max(1.0, abs(before)):
        return
    size = _size(part, layout)
    new, place, edge = counts[VECTORS], counts[VALUES], counts[EDGES]
    vector = lower.values[place : place + size]
    vector[:] = _rewards(chosen, part, layout)
    for way in range(layout.way[chosen], layout.way[chosen + 1]):
        after = room[: _size(layout.to[way], layout)]
        _follow(way, weight, layout, after)
        on = lower_value(layout.to[way], after, lower)[1]
        lower.edges[edge + way - layout.way[chosen]] = on
        ahead = lower.values[lower.place[on] :]
        for i in range(layout.step[way], layout.step[way + 1]):
            vector[layout.source[i]] += discount * layout.chance[i] * ahead[layout.target[i]]
    lower.choice[new], lower.place[new], lower.edge[new], lower.instead[new] = chosen, place, edge, -1
    counts[VECTORS] += 1
    counts[VALUES] += size
    counts[EDGES] += layout.way[chosen + 1] - layout.way[chosen]
    last: Int = np.int64(-1)
    other = lower.head[part]
    while other >= 0:
        covered = True
        for i in range(size):
            if lower.values[lower.place[other] + i] > vector[i]:
                covered = False
                break
        if covered:
            lower.instead[other] = new
            if last < 0:
                lower.head[part] = lower.then[other]
            else:
                lower.then[last] = lower.then[other]
        else:
            last = other
        other = lower.then[other]
    lower.then[new] = lower.head[part]
    lower.head[part] = new


@inner
def _back_up_upper(
    part: Int, weight: Array, discount: float, layout: Layout, upper: Upper, counts: Array, room: Array
) -> None:
    """Add a point at a belief, float64 [states of the part], if it is any lower; others make way for it."""
    value = -np.inf
    for choice in range(layout.choice[part], layout.choice[part + 1]):
        value = max(value, _upper_after(choice, part, weight, discount, layout, upper, room))
    before = upper_value(part, weight, layout, upper)
    if not value < before - 1e-13 * max(1.0, abs(before)):
        return
    new, place, size = counts[POINTS], counts[ENTRIES], 0
    for i in range(weight.size):
        if weight[i] > 0:
            upper.state[place + size] = i
            upper.weight[place + size] = weight[i]
            size += 1
    upper.place[new], upper.size[new], upper.value[new] = place, size, value
    drop = value - _dot(upper.corner, layout.first[part], weight)
    upper.drop[new] = drop
    counts[POINTS] += 1
    counts[ENTRIES] += size
    other_weight = room[: weight.size]
    last: Int = np.int64(-1)
    other = upper.head[part]
    while other >= 0:
        other_weight[:] = 0
        for i in range(upper.place[other], upper.place[other] + upper.size[other]):
            other_weight[upper.state[i]] = upper.weight[i]
        if drop * _share(new, other_weight, 0.0, upper) <= upper.drop[other]:
            if last < 0:
                upper.head[part] = upper.then[other]
            else:
                upper.then[last] = upper.then[other]
        else:
            last = other
        other = upper.then[other]
    upper.then[new] = upper.head[part]
    upper.head[part] = new


@kernel
def trial(
    part: Int,
    belief: Array,
    wanted: float,
    discount: float,
    layout: Layout,
    lower: Lower,
    upper: Upper,
    counts: Array,
) -> int:
    """Go down from a belief, float64 [states of the part], where bounds are widest, and back them up.

    It ends where the gap is as wanted, what is lost by the discount counted in. Returns how deep it went.
    The arrays have room for MOST_DEEP vectors and points more.
    """
    largest = 0
    for i in range(layout.first.size - 1):
        largest = max(largest, _size(i, layout))
    room = np.empty(largest)
    beliefs = np.zeros((MOST_DEEP, largest))
    parts = np.empty(MOST_DEEP, np.int64)
    parts[0] = part
    beliefs[0, : belief.size] = belief
    depth = 0
    while True:
        part = parts[depth]
        weight = beliefs[depth, : _size(part, layout)]
        gap = upper_value(part, weight, layout, upper) - lower_value(part, weight, lower)[0]
        if gap <= wanted or discount == 0 or depth == MOST_DEEP - 1:
            break
        best = -np.inf
        chosen: Int = np.int64(-1)
        for choice in range(layout.choice[part], layout.choice[part + 1]):
            value = _upper_after(choice, part, weight, discount, layout, upper, room)
            if value > best:
                best, chosen = value, choice
        wanted /= discount
        widest, chance = -np.inf, 0.0
        down: Int = np.int64(-1)
        for way in range(layout.way[chosen], layout.way[chosen + 1]):
            then = layout.to[way]
            after = room[: _size(then, layout)]
            total = _follow(way, weight, layout, after)
            if total > 0:
                gap = upper_value(then, after, layout, upper) - lower_value(then, after, lower)[0]
                if gap - wanted * total > widest:
                    widest, down, chance = gap - wanted * total, way, total
        if down < 0 or widest <= 0:
            break
        depth += 1
        parts[depth] = layout.to[down]
        after = beliefs[depth, : _size(parts[depth], layout)]
        _follow(down, weight, layout, after)
        after /= chance
    for i in range(depth, -1, -1):
        weight = beliefs[i, : _size(parts[i], layout)]
        _back_up_upper(parts[i], weight, discount, layout, upper, counts, room)
        _back_up_lower(parts[i], weight, discount, layout, lower, counts, room)
    return depth

"""Search in a determinised sparse partially observable tree, DESPOT (Somani et al. 2013, Ye et al. 2017).

A scenario is a first state and a random number for each step: under it all that is done has one outcome. A
node is a history, with the scenarios that agree with it. Names are those of Ye et al. (2017).
"""

from typing import Any, NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.jit import inner, kernel
from sleuth.kernels.pomcp import Draws, entry_at

DONE, FULL, CLOSED = range(3)
"""How trials ended: as asked, for want of room, or because the two bounds at the root meet."""
NODES, EDGES, PARTICLES, TRIALS = range(4)
"""Places of the counters: what is filled, and trials done."""
PART, DEPTH, FIRST, COUNT, EDGE, PARENT, DEFAULT, ACTION = range(8)
"""Places of what a node is, below."""
BEGUN, LOWER, UPPER, BEGUN_VALUE, LIMIT = range(5)
"""Places of what a node is worth, below."""


class Scenarios(NamedTuple):
    """What all nodes share.

    numbers: float64 [scenarios, depth]: those of each step; after so many steps a state is worth its tail.
    blind: float64 [actions, states], of each action for ever. tail: float64 [states]. informed: as rewards,
    what each choice is worth at most in each state. hindsight: float64 [scenarios, depth + 1, states], the
    most that a scenario brings from each depth and state on, or [0, 0, 0] to bound by informed instead.
    first: int64 [parts], the first state of each. choice_of: int64 [parts, actions].
    """

    numbers: Array
    blind: Array
    tail: Array
    informed: Array
    hindsight: Array
    first: Array
    choice_of: Array


class Determinised(NamedTuple):
    """The tree.

    nodes: int64 [nodes, 8]: part, depth, first scenario and how many, first edge or -1, parent or -1, whether
    it was pruned, and the action of its default policy. values: float64 [nodes, 5]: of the regularised value
    the default policy's, the lower and the upper bound (l0, l and mu); of the mean value the default policy's
    and the upper bound (L0 and U). scenario, state: int64 [particles]. edges: int64 [edges, 2]: first child
    and how many. rewards: float64 [edges], on average.
    """

    nodes: Array
    values: Array
    scenario: Array
    state: Array
    edges: Array
    rewards: Array


@kernel
def foreseen(tail: Array, discount: float, first: Array, draws: Draws, shared: Scenarios) -> Any:
    """Fill shared.hindsight: the best that a scenario brings to who knows its numbers, too."""
    scenarios, depth = shared.numbers.shape
    best = shared.hindsight
    for scenario in range(scenarios):
        best[scenario, depth] = tail
        for step in range(depth - 1, -1, -1):
            u = shared.numbers[scenario, step]
            for part in range(draws.parts.shape[0]):
                begin, choices = draws.parts[part]
                last = first[part + 1] - first[part]
                for state in range(last):
                    most = -np.inf
                    for choice in range(begin, begin + choices):
                        row = draws.choices[choice, 2] + state
                        entry = entry_at(row, u, draws)
                        then, total = draws.ways[draws.way[entry]], draws.rewards[row]
                        if then >= 0:
                            total += discount * best[scenario, step + 1, first[then] + draws.target[entry]]
                        most = max(most, total)
                    best[scenario, step, first[part] + state] = most


@inner
def _by_default(node: Int, discount: float, shared: Scenarios, draws: Draws, tree: Determinised) -> Any:
    """Return what the action that looks best for ever brings on average, and which that is."""
    origin, begin, count = tree.nodes[node, PART], tree.nodes[node, FIRST], tree.nodes[node, COUNT]
    action, most = 0, -np.inf
    for other in range(shared.blind.shape[0]):
        worth = 0.0
        for k in range(begin, begin + count):
            worth += shared.blind[other, shared.first[origin] + tree.state[k]]
        if worth > most:
            action, most = other, worth
    total = 0.0
    for k in range(begin, begin + count):
        part, state, weight = origin, tree.state[k], 1.0
        for step in range(tree.nodes[node, DEPTH], shared.numbers.shape[1]):
            row = draws.choices[shared.choice_of[part, action], 2] + state
            total += weight * draws.rewards[row]
            weight *= discount
            entry = entry_at(row, shared.numbers[tree.scenario[k], step], draws)
            part, state = draws.ways[draws.way[entry]], draws.target[entry]
            if part < 0:
                break
        if part >= 0:
            total += weight * shared.tail[shared.first[part] + state]
    return total / count, action


@inner
def _at_most(node: Int, shared: Scenarios, draws: Draws, tree: Determinised) -> Any:
    """Return what a node is worth at most, on average."""
    part, begin, count = tree.nodes[node, PART], tree.nodes[node, FIRST], tree.nodes[node, COUNT]
    if shared.hindsight.size:
        total = 0.0
        for k in range(begin, begin + count):
            place = shared.first[part] + tree.state[k]
            total += shared.hindsight[tree.scenario[k], tree.nodes[node, DEPTH], place]
        return total / count
    most = -np.inf
    first, choices = draws.parts[part]
    for choice in range(first, first + choices):
        worth = 0.0
        for k in range(begin, begin + count):
            worth += shared.informed[draws.choices[choice, 2] + tree.state[k]]
        most = max(most, worth)
    return most / count


@inner
def _scale(node: Int, discount: float, shared: Scenarios, tree: Determinised) -> Any:
    """Return how much the mean value of a node weighs at the root."""
    return tree.nodes[node, COUNT] / shared.numbers.shape[0] * discount ** tree.nodes[node, DEPTH]


@inner
def _node(
    part: Int,
    depth: Int,
    first: Int,
    size: Int,
    parent: Int,
    discount: float,
    penalty: float,
    shared: Scenarios,
    draws: Draws,
    tree: Determinised,
    count: Array,
) -> Any:
    """Return a new node of scenarios that are in place; there is room for it."""
    node = count[NODES]
    count[NODES] += 1
    facts, values = tree.nodes[node], tree.values[node]
    facts[PART], facts[DEPTH], facts[FIRST], facts[COUNT] = part, depth, first, size
    facts[EDGE], facts[PARENT], facts[DEFAULT] = -1, parent, 0
    worth, action = _by_default(node, discount, shared, draws, tree)
    facts[ACTION] = action
    scale = _scale(node, discount, shared, tree)
    values[BEGUN] = values[LOWER] = values[UPPER] = scale * worth
    values[BEGUN_VALUE] = values[LIMIT] = worth
    if depth < shared.numbers.shape[1]:
        values[LIMIT] = max(worth, _at_most(node, shared, draws, tree))
        values[UPPER] = max(values[BEGUN], scale * values[LIMIT] - penalty)
    return node


@kernel
def planted(
    part: int,
    discount: float,
    penalty: float,
    shared: Scenarios,
    draws: Draws,
    tree: Determinised,
    count: Array,
) -> Any:
    """Make the root of the scenarios, whose states are in tree.state; there is room for it."""
    scenarios = shared.numbers.shape[0]
    tree.scenario[:scenarios] = np.arange(scenarios)
    count[PARTICLES] = scenarios
    return _node(part, 0, 0, scenarios, -1, discount, penalty, shared, draws, tree, count)


@inner
def _room(node: Int, draws: Draws, tree: Determinised, count: Array) -> Any:
    first, choices = draws.parts[tree.nodes[node, PART]]
    size, children = tree.nodes[node, COUNT], 0
    for choice in range(first, first + choices):
        children += min(size, draws.choices[choice, 1])
    return (
        count[NODES] + children <= tree.nodes.shape[0]
        and count[EDGES] + choices <= tree.rewards.size
        and count[PARTICLES] + choices * size <= tree.state.size
    )


@inner
def _expand(
    node: Int,
    discount: float,
    penalty: float,
    shared: Scenarios,
    draws: Draws,
    tree: Determinised,
    count: Array,
) -> None:
    """Give a node its edges, and each edge a child for each observation that a scenario brings."""
    depth, begin, size = tree.nodes[node, DEPTH], tree.nodes[node, FIRST], tree.nodes[node, COUNT]
    first, choices = draws.parts[tree.nodes[node, PART]]
    tree.nodes[node, EDGE] = count[EDGES]
    ways, states = np.empty(size, np.int64), np.empty(size, np.int64)
    for choice in range(first, first + choices):
        edge = count[EDGES]
        count[EDGES] += 1
        total, of = 0.0, draws.choices[choice, 0]
        places = np.zeros(draws.choices[choice, 1] + 1, np.int64)
        for k in range(size):
            row = draws.choices[choice, 2] + tree.state[begin + k]
            total += draws.rewards[row]
            entry = entry_at(row, shared.numbers[tree.scenario[begin + k], depth], draws)
            ways[k], states[k] = draws.way[entry] - of, draws.target[entry]
            places[ways[k] + 1] += 1
        places = np.cumsum(places)
        filled = places.copy()
        start = count[PARTICLES]
        for k in range(size):
            at = start + filled[ways[k]]
            filled[ways[k]] += 1
            tree.scenario[at], tree.state[at] = tree.scenario[begin + k], states[k]
        count[PARTICLES] += size
        tree.rewards[edge] = total / size
        tree.edges[edge, 0] = count[NODES]
        for way in range(places.size - 1):
            part, many = draws.ways[of + way], places[way + 1] - places[way]
            if many and part >= 0:
                at = start + places[way]
                _node(part, depth + 1, at, many, node, discount, penalty, shared, draws, tree, count)
        tree.edges[edge, 1] = count[NODES] - tree.edges[edge, 0]


@inner
def _worth(
    edge: Int, node: Int, place: Int, discount: float, penalty: float, shared: Scenarios, tree: Determinised
) -> Any:
    """Return a bound of the regularised value after an edge: LOWER or UPPER."""
    total = _scale(node, discount, shared, tree) * tree.rewards[edge] - penalty
    first, children = tree.edges[edge]
    for child in range(first, first + children):
        total += tree.values[child, place]
    return total


@inner
def _back_up(
    node: Int, discount: float, penalty: float, shared: Scenarios, draws: Draws, tree: Determinised
) -> None:
    """Take the bounds of the children up to a node that has some."""
    values, first = tree.values[node], tree.nodes[node, EDGE]
    lower, upper, limit = values[BEGUN], values[BEGUN], values[BEGUN_VALUE]
    for edge in range(first, first + draws.parts[tree.nodes[node, PART], 1]):
        lower = max(lower, _worth(edge, node, LOWER, discount, penalty, shared, tree))
        upper = max(upper, _worth(edge, node, UPPER, discount, penalty, shared, tree))
        begin, children = tree.edges[edge]
        ahead = 0.0
        for child in range(begin, begin + children):
            ahead += tree.nodes[child, COUNT] * tree.values[child, LIMIT]
        limit = max(limit, tree.rewards[edge] + discount * ahead / tree.nodes[node, COUNT])
    values[LOWER] = max(values[LOWER], lower)
    values[UPPER] = max(values[LOWER], min(values[UPPER], upper))
    values[LIMIT] = min(values[LIMIT], limit)


@inner
def _blocked(node: Int, discount: float, penalty: float, shared: Scenarios, tree: Determinised) -> Any:
    """Say whether an action here cannot pay for the nodes on the way."""
    above = node
    while above >= 0:
        values = tree.values[above]
        gain = _scale(above, discount, shared, tree) * (values[LIMIT] - values[BEGUN_VALUE])
        if gain <= penalty * (tree.nodes[node, DEPTH] - tree.nodes[above, DEPTH] + 1):
            return True
        above = tree.nodes[above, PARENT]
    return False


@inner
def _next(
    node: Int,
    wanted: float,
    discount: float,
    penalty: float,
    shared: Scenarios,
    draws: Draws,
    tree: Determinised,
) -> Any:
    """Return the child to look at, -1 where none is worth it: of the best edge, the largest excess."""
    first = tree.nodes[node, EDGE]
    best, most = first, -np.inf
    for edge in range(first, first + draws.parts[tree.nodes[node, PART], 1]):
        upper = _worth(edge, node, UPPER, discount, penalty, shared, tree)
        if upper > most:
            best, most = edge, upper
    begin, children = tree.edges[best]
    chosen: Any = np.int64(-1)
    most = 0.0
    for child in range(begin, begin + children):
        gap = tree.values[child, UPPER] - tree.values[child, LOWER]
        excess = gap - tree.nodes[child, COUNT] / shared.numbers.shape[0] * wanted
        if excess > most:
            chosen, most = child, excess
    return chosen


@kernel
def explored(
    trials: int,
    gap: float,
    target: float,
    discount: float,
    penalty: float,
    shared: Scenarios,
    draws: Draws,
    tree: Determinised,
    count: Array,
) -> Any:
    """Go down so many times from the root, node 0; return how that ended.

    Trials end when the bounds at the root are apart by no more than the gap. A trial follows the upper bounds
    and what is most uncertain until that is less than the part `target` of the gap at the root. penalty: of
    the size of a policy, a node. count: int64 [4], by NODES and so on.
    """
    for _ in range(trials):
        wanted = tree.values[0, UPPER] - tree.values[0, LOWER]
        if wanted <= gap:
            return CLOSED
        node, last = np.int64(0), np.int64(-1)
        while node >= 0:
            last = node
            if tree.nodes[node, DEPTH] == shared.numbers.shape[1] or tree.nodes[node, DEFAULT]:
                break
            if _blocked(node, discount, penalty, shared, tree):
                values = tree.values[node]
                tree.nodes[node, DEFAULT] = 1
                values[LOWER] = values[UPPER] = values[BEGUN]
                values[LIMIT] = values[BEGUN_VALUE]
                break
            if tree.nodes[node, EDGE] < 0:
                if not _room(node, draws, tree, count):
                    return FULL  # what was begun goes on from here next time
                _expand(node, discount, penalty, shared, draws, tree, count)
            node = _next(node, target * wanted, discount, penalty, shared, draws, tree)
        while last >= 0:
            if tree.nodes[last, EDGE] >= 0 and not tree.nodes[last, DEFAULT]:
                _back_up(last, discount, penalty, shared, draws, tree)
            last = tree.nodes[last, PARENT]
        count[TRIALS] += 1
    return DONE


@kernel
def lower_of_choices(
    discount: float, penalty: float, shared: Scenarios, draws: Draws, tree: Determinised
) -> Any:
    """Return of each choice at the root the lower bound of the regularised value after it, float64."""
    first = tree.nodes[0, EDGE]
    choices = draws.parts[tree.nodes[0, PART], 1]
    found = np.full(choices, -np.inf)
    if first >= 0:
        for place in range(choices):
            found[place] = _worth(first + place, 0, LOWER, discount, penalty, shared, tree)
    return found

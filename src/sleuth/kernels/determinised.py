"""The search in a determinised sparse partially observable tree, DESPOT (Somani et al. 2013, Ye et al. 2017).

A scenario is a first state and numbers for each step, by which all that is done has one outcome. A node is a
history, with the scenarios that agree with it. What is drawn from is laid out (despot.py) or not
(drawn/scenarios.py); what is `shared` has `numbers`, [scenarios, depth]. Names are those of Ye et al. (2017).
"""

from typing import Any, NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.frugal import held
from sleuth.kernels.jit import inlined, inner, kernel

DONE, FULL, CLOSED = range(3)
"""How trials ended: as asked, for want of room, or because the two bounds at the root meet."""
NODES, EDGES, PARTICLES, TRIALS = range(4)
"""Places of the counters: what is filled, and trials done."""
PART, DEPTH, FIRST, COUNT, EDGE, PARENT, DEFAULT, ACTION, CHOICES = range(9)
"""Places of what a node is, below."""
BEGUN, LOWER, UPPER, BEGUN_VALUE, LIMIT = range(5)
"""Places of what a node is worth, below."""


@held
class Determinised(NamedTuple):
    """The tree.

    nodes: int64 [nodes, 9]: part, depth, first scenario and how many, first edge or -1, parent or -1,
    whether it was pruned, the action of its default policy, and how many edges. values: float64 [nodes, 5]:
    of the regularised value the default policy's, the lower and the upper bound (l0, l and mu); of the mean
    value the default policy's and the upper bound (L0 and U). scenario: int64 [particles]; state, as many
    states. edges: int64 [edges, 3]: first child, how many, and the choice. rewards: float64 [edges], on
    average.
    """

    nodes: Array
    values: Array
    scenario: Array
    state: Array
    edges: Array
    rewards: Array


@inner
def _scale(node: Int, discount: float, shared: Any, tree: Determinised) -> Any:
    """Return how much the mean value of a node weighs at the root."""
    return tree.nodes[node, COUNT] / shared.numbers.shape[0] * discount ** tree.nodes[node, DEPTH]


@inner
def opened(
    part: Int, depth: Int, first: Int, size: Int, parent: Int, tree: Determinised, count: Array
) -> Any:
    """Return a new node of scenarios that are in place; there is room for it."""
    node = count[NODES]
    count[NODES] += 1
    facts = tree.nodes[node]
    facts[PART], facts[DEPTH], facts[FIRST], facts[COUNT] = part, depth, first, size
    facts[EDGE], facts[PARENT], facts[DEFAULT], facts[CHOICES] = -1, parent, 0, 0
    return node


@inner
def valued(
    node: Int,
    worth: float,
    action: Int,
    most: float,
    discount: float,
    penalty: float,
    shared: Any,
    tree: Determinised,
) -> None:
    """Begin the bounds of a node, of what its default policy brings, its first action, and what is most."""
    values = tree.values[node]
    tree.nodes[node, ACTION] = action
    scale = _scale(node, discount, shared, tree)
    values[BEGUN] = values[LOWER] = values[UPPER] = scale * worth
    values[BEGUN_VALUE] = values[LIMIT] = worth
    if tree.nodes[node, DEPTH] < shared.numbers.shape[1]:
        values[LIMIT] = max(worth, most)
        values[UPPER] = max(values[BEGUN], scale * values[LIMIT] - penalty)


@inner
def scattered(begin: Int, ways: Array, places: Array, tree: Determinised, count: Array) -> Any:
    """Put scenarios in place by what they bring, from begin on, and return where each way begins and ends.

    ways: int64 [scenarios], overwritten with where each went. places: int64 [ways + 1], how many there are of
    each, from 1 on.
    """
    places = np.cumsum(places)
    filled = places.copy()
    start = count[PARTICLES]
    for k in range(ways.size):
        way = ways[k]
        ways[k] = start + filled[way]
        filled[way] += 1
        tree.scenario[ways[k]] = tree.scenario[begin + k]
    count[PARTICLES] += ways.size
    return places


@inner
def _worth(
    edge: Int, node: Int, place: Int, discount: float, penalty: float, shared: Any, tree: Determinised
) -> Any:
    """Return a bound of the regularised value after an edge: LOWER or UPPER."""
    total = _scale(node, discount, shared, tree) * tree.rewards[edge] - penalty
    first, children = tree.edges[edge, 0], tree.edges[edge, 1]
    for child in range(first, first + children):
        total += tree.values[child, place]
    return total


@inner
def _back_up(node: Int, discount: float, penalty: float, shared: Any, tree: Determinised) -> None:
    """Take the bounds of the children up to a node that has some."""
    values, first = tree.values[node], tree.nodes[node, EDGE]
    lower, upper, limit = values[BEGUN], values[BEGUN], values[BEGUN_VALUE]
    for edge in range(first, first + tree.nodes[node, CHOICES]):
        lower = max(lower, _worth(edge, node, LOWER, discount, penalty, shared, tree))
        upper = max(upper, _worth(edge, node, UPPER, discount, penalty, shared, tree))
        begin, children = tree.edges[edge, 0], tree.edges[edge, 1]
        ahead = 0.0
        for child in range(begin, begin + children):
            ahead += tree.nodes[child, COUNT] * tree.values[child, LIMIT]
        limit = max(limit, tree.rewards[edge] + discount * ahead / tree.nodes[node, COUNT])
    values[LOWER] = max(values[LOWER], lower)
    values[UPPER] = max(values[LOWER], min(values[UPPER], upper))
    values[LIMIT] = min(values[LIMIT], limit)


@inner
def _blocked(node: Int, discount: float, penalty: float, shared: Any, tree: Determinised) -> Any:
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
    shared: Any,
    tree: Determinised,
) -> Any:
    """Return the child to look at, -1 where none is worth it: of the best edge, the largest excess."""
    first = tree.nodes[node, EDGE]
    best, most = first, -np.inf
    for edge in range(first, first + tree.nodes[node, CHOICES]):
        upper = _worth(edge, node, UPPER, discount, penalty, shared, tree)
        if upper > most:
            best, most = edge, upper
    begin, children = tree.edges[best, 0], tree.edges[best, 1]
    chosen: Any = np.int64(-1)
    most = 0.0
    for child in range(begin, begin + children):
        gap = tree.values[child, UPPER] - tree.values[child, LOWER]
        excess = gap - tree.nodes[child, COUNT] / shared.numbers.shape[0] * wanted
        if excess > most:
            chosen, most = child, excess
    return chosen


@inlined
def explore(
    room: Any,
    expand: Any,
    trials: int,
    gap: float,
    target: float,
    discount: float,
    penalty: float,
    shared: Any,
    draws: Any,
    tree: Determinised,
    count: Array,
) -> Any:
    """Go down so many times from the root, node 0; return how that ended.

    Trials end when the bounds at the root are apart by no more than the gap. A trial follows the upper bounds
    and what is most uncertain until that is less than the part `target` of the gap at the root. penalty: of
    the size of a policy, a node. room says whether there is room for the children of a node, and expand makes
    them, of what is drawn from. count: int64 [4], by NODES and so on.
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
                if not room(node, draws, tree, count):
                    return FULL  # what was begun goes on from here next time
                expand(node, discount, penalty, shared, draws, tree, count)
            node = _next(node, target * wanted, discount, penalty, shared, tree)
        while last >= 0:
            if tree.nodes[last, EDGE] >= 0 and not tree.nodes[last, DEFAULT]:
                _back_up(last, discount, penalty, shared, tree)
            last = tree.nodes[last, PARENT]
        count[TRIALS] += 1
    return DONE


@kernel
def lower_of_choices(discount: float, penalty: float, shared: Any, tree: Determinised) -> Any:
    """Return of each choice at the root the lower bound of the regularised value after it, float64 [choices].

    Where there are no edges yet it is empty.
    """
    first = tree.nodes[0, EDGE]
    if first < 0:
        return np.empty(0)
    found = np.empty(tree.nodes[0, CHOICES])
    for place in range(found.size):
        found[place] = _worth(first + place, 0, LOWER, discount, penalty, shared, tree)
    return found

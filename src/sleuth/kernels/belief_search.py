"""Search over beliefs between two bounds (Smith and Simmons 2004): the tree in arrays, trial after trial."""

from typing import Any, NamedTuple

import numpy as np

from sleuth.kernels import Array
from sleuth.kernels.beliefs import alike, belief_key
from sleuth.kernels.frugal import held
from sleuth.kernels.jit import inner, kernel

DONE, FULL, UNKNOWN = 0, 1, 2
"""How trials ended: as asked; for want of room in the arrays; for want of the law of a state."""
NODES, EDGES, CHILDREN, TRIALS, MISSING = range(5)
"""Places of the counters: how many there are of each, trials done, and the state whose law is wanted."""


@held
class Law(NamedTuple):
    """What is known of a problem's states, laid out as they were met; arrays may have room for more.

    states: int64 [states, 4]: the first control, -1 where the law is not laid out, how many there are, the
    first of its rows of lower, and how many. controls: int64 [controls, 2]: the first way and how many: what
    may follow. ways: int64 [ways, 2]: the state, -1 where play is over, and the row of likelihoods. bounds:
    float64 [controls, parameters]: what no policy exceeds after a control, the reward included. rewards,
    likewise: the expected reward. likelihoods: float64 [rows, parameters]. lower: float64 [rows, parameters]:
    what policies that go by the state alone get.
    """

    states: Array
    controls: Array
    ways: Array
    bounds: Array
    rewards: Array
    likelihoods: Array
    lower: Array


@held
class Tree(NamedTuple):
    """The tree; each node is a belief in a state, met once however it is reached.

    Of nodes: state, int32; belief, float64 [nodes, parameters]; upper, lower, float64; edge, int64, its first
    edge, -1 before it is opened. Of edges, one a control: reward, most and least, float64: its bounds; child,
    int64, its first child, -1 before it is tried; children and visits, int32. Of children: node, int32;
    chance, float64, with the discount. slots, int32: a hash table of nodes, -1 where there is none, a power
    of two long.
    """

    state: Array
    belief: Array
    upper: Array
    lower: Array
    edge: Array
    reward: Array
    most: Array
    least: Array
    child: Array
    children: Array
    visits: Array
    node: Array
    chance: Array
    slots: Array


@inner
def _slot(state: int, belief: Array, tree: Tree) -> Any:
    """Return the place in the hash table of a belief in a state, or the free one where it belongs."""
    last = np.uint64(tree.slots.size - 1)
    place = belief_key(state, belief) & last
    while True:
        node = tree.slots[place]
        if node < 0 or (tree.state[node] == state and alike(tree.belief[node], belief)):
            return np.int64(place)
        place = (place + np.uint64(1)) & last


@inner
def _dot(row: Array, belief: Array) -> float:
    total = 0.0
    for i in range(belief.size):
        total += row[i] * belief[i]
    return total


@kernel
def place(state: int, belief: Array, law: Law, tree: Tree, counts: Array) -> Any:
    """Return the node of a belief, float64 [parameters], in a state.

    The state's law is laid out, and there is room for one more node.
    """
    slot = _slot(state, belief, tree)
    if tree.slots[slot] >= 0:
        return np.int64(tree.slots[slot])
    node = counts[NODES]
    counts[NODES] += 1
    tree.slots[slot] = node
    tree.state[node] = state
    tree.belief[node] = belief
    tree.edge[node] = -1
    first, controls, row, rows = law.states[state]
    upper = -np.inf
    for control in range(first, first + controls):
        upper = max(upper, _dot(law.bounds[control], belief))
    lower = -np.inf
    for i in range(row, row + rows):
        lower = max(lower, _dot(law.lower[i], belief))
    tree.upper[node] = max(upper, lower)
    tree.lower[node] = lower
    return np.int64(node)


@inner
def _open(node: int, law: Law, tree: Tree, counts: Array) -> bool:
    """Make the edges of a node; return whether there was room."""
    first, controls = law.states[tree.state[node], :2]
    begin = counts[EDGES]
    if begin + controls > tree.most.size:
        return False
    for i in range(controls):
        tree.most[begin + i] = _dot(law.bounds[first + i], tree.belief[node])
        tree.least[begin + i] = -np.inf
        tree.child[begin + i] = -1
        tree.visits[begin + i] = 0
    counts[EDGES] = begin + controls
    tree.edge[node] = begin
    return True


@inner
def _try(node: int, edge: int, discount: float, law: Law, tree: Tree, counts: Array, work: Array) -> Any:
    """Make the children of an edge; return how that ended. work: float64 [parameters], overwritten."""
    control = law.states[tree.state[node], 0] + edge - tree.edge[node]
    first, n = law.controls[control]
    ways = range(first, first + n)
    if counts[CHILDREN] + n > tree.node.size or counts[NODES] + n > tree.state.size:
        return FULL
    for way in ways:
        state = law.ways[way, 0]
        if state >= 0 and law.states[state, 0] < 0:
            counts[MISSING] = state
            return UNKNOWN
    belief = tree.belief[node]
    tree.reward[edge] = _dot(law.rewards[control], belief)
    begin = counts[CHILDREN]
    for way in ways:
        state, row = law.ways[way]
        if state < 0:
            continue
        likelihoods = law.likelihoods[row]
        total = 0.0
        for i in range(belief.size):
            work[i] = belief[i] * likelihoods[i]
            total += work[i]
        if total > 0:
            for i in range(belief.size):
                work[i] /= total
            tree.node[counts[CHILDREN]] = place(state, work, law, tree, counts)
            tree.chance[counts[CHILDREN]] = discount * total
            counts[CHILDREN] += 1
    tree.child[edge] = begin
    tree.children[edge] = counts[CHILDREN] - begin
    return DONE


@inner
def _back_up(node: int, edge: int, controls: int, tree: Tree) -> None:
    """Take the bounds of an edge's children up into it and its node."""
    most = least = tree.reward[edge]
    for child in range(tree.child[edge], tree.child[edge] + tree.children[edge]):
        most += tree.chance[child] * tree.upper[tree.node[child]]
        least += tree.chance[child] * tree.lower[tree.node[child]]
    tree.most[edge] = min(tree.most[edge], most)
    tree.least[edge] = max(tree.least[edge], least)
    tree.visits[edge] += 1
    upper = -np.inf
    for other in range(tree.edge[node], tree.edge[node] + controls):
        upper = max(upper, tree.most[other])
    tree.lower[node] = max(tree.lower[node], tree.least[edge])
    tree.upper[node] = max(tree.lower[node], min(tree.upper[node], upper))


@kernel
def try_all(node: int, discount: float, law: Law, tree: Tree, counts: Array) -> Any:
    """Try each control of a node that was not tried there; return how that ended.

    From then on one of its controls achieves what its state does.
    """
    if tree.edge[node] < 0 and not _open(node, law, tree, counts):
        return FULL
    controls = law.states[tree.state[node], 1]
    work = np.empty(tree.belief.shape[1])
    for edge in range(tree.edge[node], tree.edge[node] + controls):
        if tree.child[edge] < 0:
            ended = _try(node, edge, discount, law, tree, counts, work)
            if ended != DONE:
                return ended
            _back_up(node, edge, controls, tree)
    return DONE


@kernel
def trials(
    root: int, most: int, discount: float, tolerance: float, law: Law, tree: Tree, counts: Array
) -> Any:
    """Go down from the root so many times, and bring the bounds up; return how that ended.

    A trial takes the control of the greatest upper bound (of equals the one tried less often), then the way
    whose child contributes most to the gap between the bounds beyond what is tolerated there, until it tries
    a control that was not tried there before, or no gap is beyond that. What is tolerated grows with each
    step by the discount (Smith and Simmons 2004): where play goes round, a trial goes round until the way out
    counts for more. counts: int64 [5], by NODES and so on. Ends early once the root's gap is within the
    tolerance.
    """
    deepest = tree.state.size
    if discount < 1:  # no gap is beyond what is tolerated there
        gap = tolerance
        for i in range(counts[NODES]):
            gap = max(gap, tree.upper[i] - tree.lower[i])
        deepest = int(min(2.0 + np.log(gap / tolerance) / -np.log(discount), 1e6))
    work = np.empty(tree.belief.shape[1])
    way_node = np.empty(deepest, np.int64)
    way_edge = np.empty(deepest, np.int64)
    for _ in range(most):
        if tree.upper[root] - tree.lower[root] <= tolerance:
            return DONE
        node, depth, ended, tolerated = root, 0, DONE, tolerance
        while depth < deepest:
            if tree.edge[node] < 0 and not _open(node, law, tree, counts):
                ended = FULL
                break
            begin = tree.edge[node]
            best = begin
            for edge in range(begin, begin + law.states[tree.state[node], 1]):
                if tree.most[edge] > tree.most[best] or (
                    tree.most[edge] == tree.most[best] and tree.visits[edge] < tree.visits[best]
                ):
                    best = edge
            new = tree.child[best] < 0
            if new:
                ended = _try(node, best, discount, law, tree, counts, work)
                if ended != DONE:
                    break
            way_node[depth], way_edge[depth] = node, best
            depth += 1
            if new:
                break
            tolerated = tolerated / discount if discount > 0 else np.inf
            widest, chosen = 0.0, -1
            for child in range(tree.child[best], tree.child[best] + tree.children[best]):
                to = tree.node[child]
                width = tree.chance[child] * (tree.upper[to] - tree.lower[to] - tolerated)
                if width > widest:
                    widest, chosen = width, child
            if chosen < 0:
                break
            node = tree.node[chosen]
        for i in range(depth - 1, -1, -1):
            _back_up(way_node[i], way_edge[i], law.states[tree.state[way_node[i]], 1], tree)
        counts[TRIALS] += 1
        if ended != DONE:
            return ended
    return DONE


@kernel
def find_again(nodes: int, tree: Tree) -> None:
    """Fill the hash table of a tree, empty as it is, with its nodes."""
    for node in range(nodes):
        tree.slots[_slot(tree.state[node], tree.belief[node], tree)] = node

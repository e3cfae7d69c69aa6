"""Action Value Tree Search over beliefs (Tyl 2024): the tree in arrays, simulation after simulation.

It is the search of planning/tree_search.py, visit by visit, for processes laid out as arrays.
"""

from typing import Any, NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.beliefs import alike, belief_key
from sleuth.kernels.draws import normal
from sleuth.kernels.frugal import held
from sleuth.kernels.jit import inner, kernel

DONE, PAUSED, FULL, UNKNOWN = range(4)
"""How simulations ended: as asked, after the steps allowed, for want of room, or of a law."""
THOMPSON, UCT, PUCT, GUMBEL, LAPLACE, HOEFFDING = range(6)
"""The samplers, as in planning/samplers.py."""
NODES, WEIGHTS, EDGES, CHILDREN, STATISTICS, BEGUN, DEPTH, ROUND, MISSING = range(9)
"""Counters: what is filled; simulations begun; steps on the stack; whether play goes round; a part wanted."""
PART, BELIEF, EDGE, PLAYED, BEST, VISITS, RECURS, ON_WAY, SEEN = range(9)
CHANGES, CHANGES_ROOM, CHANGES_SIZE, KEY = range(9, 13)
"""Columns of nodes, with PART and so on."""
VALUE, BOUND, ACHIEVED, BIAS, VARIANCE = range(5)
"""Columns of values."""
CHOICE, EDGE_VISITS, LIVE, CHILD, N_CHILDREN = range(5)
"""Columns of edges."""
ESTIMATE, EDGE_VALUE, EDGE_BOUND, EDGE_ACHIEVED, SETTLED, PASSED_BIAS, PASSED_VARIANCE = range(7)
"""Columns of worths."""
EPSILON = 1e-9
"""Values that differ by less are equal: they are sums of many products of probabilities."""


@held
class Model(NamedTuple):
    """A process over beliefs; each lies in a part of the hidden states. Arrays may have room for more.

    parts: int64 [parts, 4]: how many states it has, the first choice, -1 where the law is not laid out, how
    many there are, and where its values of a policy begin in least, -1 where none is known. choices: int64
    [choices, 3]: the first way, how many, and where values of the choice by state begin. ways: int64
    [ways, 3]: the part that follows, -1 where play is over, and its steps, from the first to the end.
    Of choices by state, float64: gains, the expected reward; most, what no policy exceeds; and estimate,
    empty where most is it. least: float64, what some policy gets. Of steps: source and target, int64, states
    within the parts, and chance.
    """

    parts: Array
    choices: Array
    ways: Array
    gains: Array
    most: Array
    estimate: Array
    least: Array
    source: Array
    target: Array
    chance: Array


@held
class Tree(NamedTuple):
    """The tree; each node is a belief in a part, met once however it is reached.

    nodes: int64 [nodes, 13]: the part, where its weights begin, the first edge, how many edges came into
    play or were passed over (none before it is seen), the best edge (-1: none), visits, whether play came
    back to it, whether it is on the way, the last simulation that saw it, where its changes begin, with the
    room for them and how many there are, and the key of the belief. values: float64 [nodes, 5]: value, bound,
    achieved, and the sums of bias and variance. weights: float64. edges: int64 [edges, 5], a node's most
    promising first: the choice, visits, whether it is live, the first child (-1 before they are listed) and
    how many. worths: float64 [edges, 7]. children: int64, the nodes, and chances, float64, with the discount.
    counts: int64, and changes: float64 [changes, 2], by number of visits: of the mean change of values and
    the sum of squares. stack: int64 [nodes, 3]: node, edge, and the next of its children. slots: int64, a
    hash table of nodes, -1 where there is none, a power of two long, filled to half at most.
    """

    nodes: Array
    values: Array
    weights: Array
    edges: Array
    worths: Array
    children: Array
    chances: Array
    counts: Array
    changes: Array
    stack: Array
    slots: Array


@inner
def _dot(values: Array, begin: Int, belief: Array) -> float:
    """Return what values are on average; in four sums, which the processor adds up at a time."""
    n = belief.size
    row = values[begin : begin + n]
    a = b = c = d = 0.0
    whole = n - n % 4
    for i in range(0, whole, 4):
        a += row[i] * belief[i]
        b += row[i + 1] * belief[i + 1]
        c += row[i + 2] * belief[i + 2]
        d += row[i + 3] * belief[i + 3]
    for i in range(whole, n):
        a += row[i] * belief[i]
    return (a + b) + (c + d)


@inner
def _belief(node: Int, model: Model, tree: Tree) -> Any:
    begin = tree.nodes[node, BELIEF]
    return tree.weights[begin : begin + model.parts[tree.nodes[node, PART], 0]]


@inner
def _closed(node: Int, tree: Tree) -> Any:
    return tree.values[node, ACHIEVED] >= tree.values[node, BOUND] - EPSILON


@inner
def _place(part: Int, belief: Array, model: Model, tree: Tree, count: Array) -> Any:
    """Return the node of a belief; there is room for one more, and the law is laid out."""
    key, last = np.int64(belief_key(part, belief)), tree.slots.size - 1
    slot = key & last
    while tree.slots[slot] >= 0:
        node = tree.slots[slot]
        if (
            tree.nodes[node, KEY] == key
            and tree.nodes[node, PART] == part
            and alike(_belief(node, model, tree), belief)
        ):
            return node
        slot = (slot + 1) & last
    node = count[NODES]
    count[NODES] += 1
    tree.slots[slot] = node
    tree.nodes[node] = 0
    tree.nodes[node, PART] = part
    tree.nodes[node, KEY] = key
    tree.nodes[node, BELIEF] = count[WEIGHTS]
    tree.nodes[node, BEST] = -1
    tree.weights[count[WEIGHTS] : count[WEIGHTS] + belief.size] = belief
    count[WEIGHTS] += belief.size
    floor = model.parts[part, 3]
    least = -np.inf if floor < 0 else _dot(model.least, floor, belief)
    tree.values[node] = 0.0
    tree.values[node, VALUE] = tree.values[node, ACHIEVED] = least
    tree.values[node, BOUND] = max(least, _edges_of(node, belief, model, tree, count))
    return node


@inner
def _edges_of(node: Int, belief: Array, model: Model, tree: Tree, count: Array) -> Any:
    """Make the edges of a node, the best estimate first; return the largest bound."""
    _, first, choices, _ = model.parts[tree.nodes[node, PART]]
    begin = count[EDGES]
    count[EDGES] += choices
    tree.nodes[node, EDGE] = begin
    most = -np.inf
    for k in range(choices):
        values = model.choices[first + k, 2]
        bound = _dot(model.most, values, belief)
        estimate = bound
        if model.estimate.size:
            estimate = min(_dot(model.estimate, values, belief), bound)
        most = max(most, bound)
        edge = begin + k
        while edge > begin and tree.worths[edge - 1, ESTIMATE] < estimate:
            tree.edges[edge, CHOICE] = tree.edges[edge - 1, CHOICE]
            tree.worths[edge, ESTIMATE] = tree.worths[edge - 1, ESTIMATE]
            tree.worths[edge, EDGE_BOUND] = tree.worths[edge - 1, EDGE_BOUND]
            edge -= 1
        tree.edges[edge, CHOICE] = first + k
        tree.worths[edge, ESTIMATE], tree.worths[edge, EDGE_BOUND] = estimate, bound
    for edge in range(begin, begin + choices):
        tree.edges[edge, EDGE_VISITS] = tree.edges[edge, LIVE] = 0
        tree.edges[edge, CHILD] = -1
        tree.worths[edge, EDGE_VALUE] = tree.worths[edge, ESTIMATE]
        tree.worths[edge, EDGE_ACHIEVED] = -np.inf
        tree.worths[edge, PASSED_BIAS] = tree.worths[edge, PASSED_VARIANCE] = 0.0
    return most


@inner
def _unfold(node: Int, tree: Tree) -> None:
    """Bring the first edge of a node into play."""
    begin = tree.nodes[node, EDGE]
    tree.edges[begin, LIVE] = 1
    tree.nodes[node, PLAYED] = 1
    value = min(tree.worths[begin, EDGE_VALUE], tree.values[node, BOUND])
    tree.values[node, VALUE] = max(tree.values[node, VALUE], value)


@kernel
def rooted(part: int, belief: Array, model: Model, tree: Tree, count: Array) -> Any:
    """Return the node of a belief, float64 [states of the part], unfolded; -1 where there is no room.

    The part's law is laid out. No simulation is under way.
    """
    if (
        count[NODES] >= min(tree.nodes.shape[0], tree.slots.size // 2)
        or count[WEIGHTS] + belief.size > tree.weights.size
        or count[EDGES] + model.parts[part, 2] > tree.edges.shape[0]
    ):
        return np.int64(-1)
    node = _place(part, belief, model, tree, count)
    if tree.nodes[node, PLAYED] == 0:
        _unfold(node, tree)
    return node


@kernel
def find_again(tree: Tree, count: Array) -> None:
    """Fill the empty hash table of a tree."""
    last = tree.slots.size - 1
    for node in range(count[NODES]):
        slot = tree.nodes[node, KEY] & last
        while tree.slots[slot] >= 0:
            slot = (slot + 1) & last
        tree.slots[slot] = node


@inner
def _list(node: Int, edge: Int, discount: float, model: Model, tree: Tree, count: Array, work: Array) -> Any:
    """List what may come of an edge; return how that ended: unless it is done, nothing was changed."""
    way, ways, gains = model.choices[tree.edges[edge, CHOICE]]
    size = edges = 0
    for k in range(way, way + ways):
        part = model.ways[k, 0]
        if part >= 0:
            if model.parts[part, 1] < 0:
                count[MISSING] = part
                return UNKNOWN
            size += model.parts[part, 0]
            edges += model.parts[part, 2]
    if (
        count[CHILDREN] + ways > tree.children.size
        or count[NODES] + ways > min(tree.nodes.shape[0], tree.slots.size // 2)
        or count[WEIGHTS] + size > tree.weights.size
        or count[EDGES] + edges > tree.edges.shape[0]
    ):
        return FULL
    belief = _belief(node, model, tree)
    tree.worths[edge, SETTLED] = _dot(model.gains, gains, belief)
    begin = count[CHILDREN]
    for k in range(way, way + ways):
        part, first, end = model.ways[k]
        if part < 0:
            continue
        then = work[: model.parts[part, 0]]
        then[:] = 0.0
        total = 0.0
        for i in range(first, end):
            weight = belief[model.source[i]] * model.chance[i]
            then[model.target[i]] += weight
            total += weight
        if total <= 0:
            continue
        for i in range(then.size):
            then[i] /= total
        child = _place(part, then, model, tree, count)
        at = begin
        while at < count[CHILDREN] and tree.children[at] != child:
            at += 1
        if at == count[CHILDREN]:
            count[CHILDREN] += 1
            tree.children[at] = child
            tree.chances[at] = 0.0
        tree.chances[at] += total * discount
    tree.edges[edge, CHILD] = begin
    tree.edges[edge, N_CHILDREN] = count[CHILDREN] - begin
    return DONE


@inner
def _come_back(node: Int, tree: Tree, count: Array) -> None:
    """Take note that play goes round: of the nodes from one on the way to the last."""
    count[ROUND] = 1
    for depth in range(count[DEPTH] - 1, -1, -1):
        tree.nodes[tree.stack[depth, 0], RECURS] = 1
        if tree.stack[depth, 0] == node:
            return


@inner
def _worth(node: Int, edge: Int, tree: Tree) -> Any:
    """Return what a node takes an edge to be worth: q3, but q2 where play comes back to it."""
    value = tree.worths[edge, EDGE_VALUE]
    if not tree.nodes[node, RECURS] and tree.edges[edge, EDGE_VISITS] < tree.nodes[node, CHANGES_SIZE]:
        value += tree.values[node, BIAS] - tree.worths[edge, PASSED_BIAS]
    return max(tree.worths[edge, EDGE_ACHIEVED], min(tree.worths[edge, EDGE_BOUND], value))


@inner
def _variance(node: Int, edge: Int, tree: Tree) -> Any:
    """Return the expected squared error of q3."""
    if tree.edges[edge, EDGE_VISITS] >= tree.nodes[node, CHANGES_SIZE]:
        return 0.0
    return max(0.0, tree.values[node, VARIANCE] - tree.worths[edge, PASSED_VARIANCE])


@inner
def _lagging(node: Int, live: Int, offset: float, scale: float, tree: Tree, order: Array) -> Any:
    """Return the live edge whose share of visits lags most behind the policy that the values improve to.

    That is the softmax of logits: first estimates, and values from 0 to 1 times a factor (samplers.Gumbel).
    """
    total, tried, most = 0.0, 0, np.int64(0)
    least, highest = np.inf, -np.inf
    made = np.int64(1)
    for k in range(live):
        visits = tree.edges[order[k], EDGE_VISITS]
        made += visits
        if visits:
            value = _worth(node, order[k], tree)
            total += value
            tried += 1
            most = max(most, visits)
            least, highest = min(least, value), max(highest, value)
    # Those never simulated count with the mean of the others.
    mean = total / tried if tried else 0.0
    if tried < live:
        least, highest = min(least, mean), max(highest, mean)
    factor, width = (offset + most) * scale, max(highest - least, 1e-8)
    top = -np.inf
    for k in range(live):
        top = max(top, _logit(node, order[k], mean, least, factor, width, tree))
    whole = 0.0
    for k in range(live):
        whole += np.exp(_logit(node, order[k], mean, least, factor, width, tree) - top)
    best, lag = order[0], -np.inf
    for k in range(live):
        share = np.exp(_logit(node, order[k], mean, least, factor, width, tree) - top) / whole
        behind = share - tree.edges[order[k], EDGE_VISITS] / made
        if behind > lag:
            best, lag = order[k], behind
    return best


@inner
def _logit(node: Int, edge: Int, mean: float, least: float, factor: float, width: float, tree: Tree) -> Any:
    value = _worth(node, edge, tree) if tree.edges[edge, EDGE_VISITS] else mean
    return tree.worths[edge, ESTIMATE] + factor * (value - least) / width


@inner
def _pick(
    node: Int,
    sampler: int,
    coefficient: float,
    scaling: float,
    tree: Tree,
    count: Array,
    order: Array,
    rng: Array,
) -> Any:
    """Return the edge to simulate, -1 where none is live. order: int64, room for the edges."""
    live = 0
    begin = tree.nodes[node, EDGE]
    for edge in range(begin, begin + tree.nodes[node, PLAYED]):
        if tree.edges[edge, LIVE]:
            at = live
            live += 1
            # Where play goes round the least simulated come first.
            while (
                count[ROUND]
                and at > 0
                and tree.edges[order[at - 1], EDGE_VISITS] > tree.edges[edge, EDGE_VISITS]
            ):
                order[at] = order[at - 1]
                at -= 1
            order[at] = edge
    if live < 2:
        return order[0] if live else np.int64(-1)
    visits = tree.nodes[node, VISITS]
    if count[ROUND]:
        root = np.int64(np.sqrt(visits))
        if root * root == visits:
            return order[0]
    if sampler == GUMBEL:
        return _lagging(node, live, coefficient, scaling, tree, order)
    scale = coefficient
    top = -np.inf
    if sampler == UCT:
        scale = coefficient * np.sqrt(np.log(max(visits, 1)))
    elif sampler == PUCT:
        total = 0.0
        for k in range(live):
            top = max(top, tree.worths[order[k], ESTIMATE])
        for k in range(live):
            total += np.exp(tree.worths[order[k], ESTIMATE] - top)
        scale = coefficient * np.sqrt(visits) / total
    best, most, untried = order[0], -np.inf, False
    for k in range(live):
        edge = order[k]
        score = _worth(node, edge, tree)
        tried = tree.edges[edge, EDGE_VISITS]
        if sampler == THOMPSON:
            score += np.sqrt(_variance(node, edge, tree)) * normal(rng)
        elif sampler == UCT:
            score += scale / np.sqrt(max(tried, 1))
            if tried == 0 and not untried:
                untried, most = True, -np.inf
            elif tried > 0 and untried:
                continue
        elif sampler == LAPLACE:
            score += scale / (tried + 1)
        elif sampler == HOEFFDING:
            score += scale / np.sqrt(tried + 1)
        else:
            score += scale * np.exp(tree.worths[edge, ESTIMATE] - top) / (1 + tried)
        if score > most:
            best, most = edge, score
    return best


@inner
def _room_for_change(node: Int, edge: Int, tree: Tree, count: Array) -> Any:
    """Make room for one more number of visits; return whether there was."""
    nodes = tree.nodes[node]
    if tree.edges[edge, EDGE_VISITS] < nodes[CHANGES_ROOM]:
        return True
    room = max(np.int64(4), 2 * nodes[CHANGES_ROOM])
    begin = count[STATISTICS]
    if begin + room > tree.counts.size:
        return False
    for i in range(nodes[CHANGES_SIZE]):
        tree.counts[begin + i] = tree.counts[nodes[CHANGES] + i]
        tree.changes[begin + i] = tree.changes[nodes[CHANGES] + i]
    count[STATISTICS] += room
    nodes[CHANGES], nodes[CHANGES_ROOM] = begin, room
    return True


@inner
def _record(node: Int, edge: Int, before: float, after: float, tree: Tree) -> None:
    """Take note of how the value of an edge changed with one more visit (VisitStatistics.record)."""
    visits = tree.edges[edge, EDGE_VISITS]
    at = tree.nodes[node, CHANGES] + visits
    if visits == tree.nodes[node, CHANGES_SIZE]:
        tree.nodes[node, CHANGES_SIZE] += 1
        tree.counts[at] = 0
        tree.changes[at] = 0.0
    seen = tree.counts[at]
    bias, squares = tree.changes[at]
    step = (after - before - bias) / (seen + 1)
    change = after - before - bias
    rise = (squares + change * change) / max(1, seen) - squares / max(1, seen - 1)
    tree.counts[at] += 1
    tree.changes[at, 0] += step
    tree.changes[at, 1] += change * change
    tree.values[node, BIAS] += step
    tree.values[node, VARIANCE] += rise
    begin = tree.nodes[node, EDGE]
    for other in range(begin, begin + tree.nodes[node, PLAYED]):
        if tree.edges[other, LIVE] and tree.edges[other, EDGE_VISITS] > visits:
            tree.worths[other, PASSED_BIAS] += step
            tree.worths[other, PASSED_VARIANCE] += rise


@inner
def _count(node: Int, edge: Int, tree: Tree) -> None:
    """Count a visit of an edge (VisitStatistics.count)."""
    visits = tree.edges[edge, EDGE_VISITS]
    if visits < tree.nodes[node, CHANGES_SIZE]:
        at = tree.nodes[node, CHANGES] + visits
        tree.worths[edge, PASSED_BIAS] += tree.changes[at, 0]
        tree.worths[edge, PASSED_VARIANCE] += tree.changes[at, 1] / max(1, tree.counts[at] - 1)
    tree.edges[edge, EDGE_VISITS] = visits + 1


@inner
def _back_up(node: Int, edge: Int, choices: Int, tree: Tree) -> None:
    """Take the values of what may come of an edge up into it and its node. choices: of the node's part."""
    value = achieved = bound = tree.worths[edge, SETTLED]
    first = tree.edges[edge, CHILD]
    for at in range(first, first + tree.edges[edge, N_CHILDREN]):
        values, chance = tree.values[tree.children[at]], tree.chances[at]
        value += chance * values[VALUE]
        achieved += chance * values[ACHIEVED]
        bound += chance * values[BOUND]
    worth = tree.worths[edge]
    worth[EDGE_ACHIEVED] = max(worth[EDGE_ACHIEVED], achieved)
    worth[EDGE_BOUND] = max(worth[EDGE_ACHIEVED], min(worth[EDGE_BOUND], bound))
    if min(value, worth[EDGE_VALUE]) > -np.inf:
        _record(node, edge, worth[EDGE_VALUE], value, tree)
    _count(node, edge, tree)
    if value > -np.inf:
        worth[EDGE_VALUE] = value
    tree.nodes[node, VISITS] += 1
    _settle(node, edge, choices, tree)


@inner
def _settle(node: Int, edge: Int, choices: Int, tree: Tree) -> None:
    """Find the value of a node after one of its edges changed, and bring the next one into play."""
    nodes, values = tree.nodes[node], tree.values[node]
    if tree.worths[edge, EDGE_ACHIEVED] > values[ACHIEVED]:
        values[ACHIEVED], nodes[BEST] = tree.worths[edge, EDGE_ACHIEVED], edge
    least = values[ACHIEVED] + EPSILON
    begin = nodes[EDGE]
    untried, most = False, -np.inf
    for other in range(begin, begin + nodes[PLAYED]):
        if not tree.edges[other, LIVE]:
            continue
        bound = tree.worths[other, EDGE_BOUND]
        # What cannot be better than the best, or is known exactly, need not be simulated again.
        if bound > least and bound > tree.worths[other, EDGE_ACHIEVED] + EPSILON:
            untried = untried or tree.edges[other, EDGE_VISITS] == 0
            most = max(most, bound)
        else:
            tree.edges[other, LIVE] = 0
    if not untried:
        while nodes[PLAYED] < choices and tree.worths[begin + nodes[PLAYED], EDGE_BOUND] <= least:
            nodes[PLAYED] += 1
        if nodes[PLAYED] < choices:
            tree.edges[begin + nodes[PLAYED], LIVE] = 1
            nodes[PLAYED] += 1
        else:
            values[BOUND] = max(min(values[BOUND], max(most, values[ACHIEVED])), values[ACHIEVED])
    values[VALUE] = values[ACHIEVED]
    if _closed(node, tree):
        tree.edges[begin : begin + choices, LIVE] = 0
        return
    # Until an edge is known to lead to what can be achieved, the best is the one that looks best.
    best = nodes[BEST]
    known = best >= 0 and tree.worths[best, EDGE_ACHIEVED] >= values[ACHIEVED] > -np.inf
    highest = -np.inf
    for other in range(begin, begin + nodes[PLAYED]):
        if tree.edges[other, LIVE]:
            worth = _worth(node, other, tree)
            values[VALUE] = max(values[VALUE], worth)
            if not known and tree.edges[other, EDGE_VISITS] and worth > highest:
                highest, nodes[BEST] = worth, other


@kernel
def simulations(
    root: int,
    last: int,
    steps: int,
    discount: float,
    sampler: int,
    coefficient: float,
    scaling: float,
    model: Model,
    tree: Tree,
    count: Array,
    work: Array,
    order: Array,
    rng: Array,
) -> Any:
    """Simulate from the root until so many simulations were begun, or it is closed; return how that ended.

    It goes on where it stopped: in the middle of a simulation, too, after so many steps or where room or a
    law was wanted. sampler: one of the constants, with its coefficient; of GUMBEL the offset, and scaling.
    count: int64 [9], by NODES and so on.
    Overwritten: work, float64 [states of the largest part], and order, int64 [choices of the widest part].
    rng: uint64 [1], as draws.py has it.
    """
    for _ in range(steps):
        depth = count[DEPTH]
        if depth == 0:
            if count[BEGUN] >= last or _closed(root, tree):
                return DONE
            count[BEGUN] += 1
            child = np.int64(root)
        else:
            node, edge, at = tree.stack[depth - 1]
            if tree.edges[edge, CHILD] < 0:
                ended = _list(node, edge, discount, model, tree, count, work)
                if ended != DONE:
                    return ended
            if at == tree.edges[edge, N_CHILDREN]:
                if not _room_for_change(node, edge, tree, count):
                    return FULL
                _back_up(node, edge, model.parts[tree.nodes[node, PART], 2], tree)
                tree.nodes[node, ON_WAY] = 0
                count[DEPTH] -= 1
                continue
            child = tree.children[tree.edges[edge, CHILD] + at]
            tree.stack[depth - 1, 2] += 1
        if tree.nodes[child, ON_WAY]:
            _come_back(child, tree, count)
        if tree.nodes[child, SEEN] == count[BEGUN] or _closed(child, tree):
            continue
        tree.nodes[child, SEEN] = count[BEGUN]
        # It stops at the first node that was not seen before.
        if tree.nodes[child, PLAYED] == 0:
            _unfold(child, tree)
            continue
        picked = _pick(child, sampler, coefficient, scaling, tree, count, order, rng)
        if picked >= 0:
            tree.nodes[child, ON_WAY] = 1
            tree.stack[depth, 0], tree.stack[depth, 1], tree.stack[depth, 2] = child, picked, 0
            count[DEPTH] += 1
    return PAUSED

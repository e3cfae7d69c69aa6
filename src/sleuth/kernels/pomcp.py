"""Monte-Carlo planning over histories (Silver and Veness 2010): UCT whose states are drawn from a belief."""

from typing import Any, NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.draws import uniform
from sleuth.kernels.frugal import held
from sleuth.kernels.jit import inner, kernel

DONE, FULL = range(2)
"""How simulations ended: as asked, or for want of room."""
NODES, EDGES, CHILDREN, DONE_SO_FAR = range(4)
"""Places of the counters: what is filled, and simulations done."""


@held
class Draws(NamedTuple):
    """A POMDP in parts, to draw from.

    parts: int64 [parts, 2]: the first choice, and how many. choices: int64 [choices, 3]: the first way, how
    many, and the first of its rows, one a state of the part. ways: int64, the part that follows, -1 where
    play is over. rewards: float64 [rows]. first: int64 [rows + 1], the first entry of each row. Of entries:
    way and target, int64, and chance, float64, those up to it in the row included.
    Of preferences: base, float64 [choices], how likely a rollout takes each, up to a factor; those below zero
    are left out altogether. serves: float64 [choices, goals], what a goal with a score above zero adds to
    that. evidence: float64 [ways, goals], what a way adds to the scores.
    """

    parts: Array
    choices: Array
    ways: Array
    rewards: Array
    first: Array
    way: Array
    target: Array
    chance: Array
    base: Array
    serves: Array
    evidence: Array


@held
class Histories(NamedTuple):
    """The tree. nodes: int64 [nodes, 3]: part, first edge, visits.

    edges: int64 [edges, 2]: visits, and where its children are, one a way, -1 where there is none. values:
    float64 [edges], mean returns. children: int64.
    """

    nodes: Array
    edges: Array
    values: Array
    children: Array


@inner
def _room(part: Int, draws: Draws, tree: Histories, count: Array) -> Any:
    first, choices = draws.parts[part]
    ways = (
        draws.choices[first + choices - 1, 0]
        + draws.choices[first + choices - 1, 1]
        - draws.choices[first, 0]
    )
    return (
        count[NODES] < tree.nodes.shape[0]
        and count[EDGES] + choices <= tree.values.size
        and count[CHILDREN] + ways <= tree.children.size
    )


@inner
def _node(part: Int, draws: Draws, tree: Histories, count: Array) -> Any:
    """Return a new node; there is room for it."""
    node = count[NODES]
    count[NODES] += 1
    tree.nodes[node, 0], tree.nodes[node, 1], tree.nodes[node, 2] = part, count[EDGES], 0
    first, choices = draws.parts[part]
    for choice in range(first, first + choices):
        ways = draws.choices[choice, 1]
        edge = count[EDGES]
        count[EDGES] += 1
        tree.edges[edge, 0], tree.edges[edge, 1] = 0, count[CHILDREN]
        tree.values[edge] = 0.0
        tree.children[count[CHILDREN] : count[CHILDREN] + ways] = -1
        count[CHILDREN] += ways
    return node


@kernel
def planted(part: int, draws: Draws, tree: Histories, count: Array) -> Any:
    """Return a new node of a part, -1 where there is no room."""
    return _node(part, draws, tree, count) if _room(part, draws, tree, count) else np.int64(-1)


@inner
def entry_at(row: Int, u: float, draws: Draws) -> Any:
    """Return the entry of a row that a number in [0, 1) stands for."""
    entry, last = draws.first[row], draws.first[row + 1] - 1
    while entry < last and draws.chance[entry] <= u:
        entry += 1
    return entry


@inner
def _drawn(row: Int, draws: Draws, rng: Array) -> Any:
    """Return an entry of a row, drawn."""
    return entry_at(row, uniform(rng), draws)


@inner
def _preference(choice: Int, scores: Array, draws: Draws) -> Any:
    """Return how likely a rollout takes a choice, up to a factor."""
    total = draws.base[choice]
    if total < 0:
        return 0.0
    for goal in range(scores.size):
        if scores[goal] > 0:
            total += draws.serves[choice, goal]
    return total


@inner
def _picked(node: Int, coefficient: float, scores: Array, draws: Draws, tree: Histories) -> Any:
    """Return the number of the choice with the largest upper confidence bound; those not tried come first.

    Of those the one that rollouts like best.
    """
    part, edge, visits = tree.nodes[node]
    first, choices = draws.parts[part]
    spread = coefficient * np.sqrt(np.log(max(visits, 1)))
    best, most, untried = 0, -np.inf, False
    for k in range(choices):
        tried = tree.edges[edge + k, 0]
        if draws.base[first + k] < 0:
            continue
        if tried == 0:
            score = _preference(first + k, scores, draws)
            if not untried:
                untried, most = True, -np.inf
        elif untried:
            continue
        else:
            score = tree.values[edge + k] + spread / np.sqrt(tried)
        if score > most:
            best, most = k, score
    return best


@inner
def _rollout(
    part: Int,
    state: Int,
    weight: float,
    discount: float,
    least: float,
    scores: Array,
    draws: Draws,
    rng: Array,
) -> Any:
    """Return what choices drawn by preference bring from a state on, while the weight is at least so much."""
    total, factor = 0.0, 1.0
    while part >= 0 and weight * factor >= least:
        first, choices = draws.parts[part]
        whole = 0.0
        for choice in range(first, first + choices):
            whole += _preference(choice, scores, draws)
        left = whole * uniform(rng)
        choice, last = first, first + choices - 1
        while choice < last:
            left -= _preference(choice, scores, draws)
            if left < 0:
                break
            choice += 1
        row = draws.choices[choice, 2] + state
        total += factor * draws.rewards[row]
        entry = _drawn(row, draws, rng)
        way = draws.way[entry]
        part, state = draws.ways[way], draws.target[entry]
        scores += draws.evidence[way]
        factor *= discount
    return total


@inner
def taken_up(depth: Int, total: float, discount: float, tree: Histories, path: Array, gains: Array) -> None:
    """Add to the means on a path of so many steps what they brought, and the total after them."""
    for step in range(depth - 1, -1, -1):
        total = gains[step] + discount * total
        edge = path[step, 1]
        tree.nodes[path[step, 0], 2] += 1
        tree.edges[edge, 0] += 1
        tree.values[edge] += (total - tree.values[edge]) / tree.edges[edge, 0]


@kernel
def histories(
    root: int,
    most: int,
    discount: float,
    least: float,
    coefficient: float,
    belief: Array,
    first_scores: Array,
    draws: Draws,
    tree: Histories,
    count: Array,
    path: Array,
    gains: Array,
    rng: Array,
) -> Any:
    """Simulate so many times from the root; return how that ended.

    A simulation draws a state of the belief, float64 [states of the part], summed up from the first on. It
    goes down by upper confidence bounds, with the coefficient, to a history that was not met before, whose
    value is that of a rollout. It ends where play is over or the discount leaves less than `least`. Means are
    taken of what came. first_scores: float64 [goals], at the root. count: int64 [4], by NODES and so on.
    Overwritten, with room for all steps until then: path, int64 [steps, 2], and gains, float64 [steps].
    rng: uint64 [1], as draws.py has it.
    """
    scores = np.empty(first_scores.size)
    for _ in range(most):
        scores[:] = first_scores
        before = rng[0]
        part = tree.nodes[root, 0]
        u = uniform(rng) * belief[-1]
        state = np.searchsorted(belief, u, side="right")
        node, depth, weight, total = np.int64(root), 0, 1.0, 0.0
        while weight >= least and depth < path.shape[0]:
            picked = _picked(node, coefficient, scores, draws, tree)
            choice = draws.parts[part, 0] + picked
            row = draws.choices[choice, 2] + state
            entry = _drawn(row, draws, rng)
            way = draws.way[entry]
            then = draws.ways[way]
            at = tree.edges[tree.nodes[node, 1] + picked, 1] + way - draws.choices[choice, 0]
            if then >= 0 and tree.children[at] < 0 and not _room(then, draws, tree, count):
                rng[0] = before  # it is done again, as it was
                return FULL
            path[depth, 0], path[depth, 1] = node, tree.nodes[node, 1] + picked
            gains[depth] = draws.rewards[row]
            depth += 1
            weight *= discount
            part, state = then, draws.target[entry]
            scores += draws.evidence[way]
            if part < 0:
                break
            if tree.children[at] < 0:
                tree.children[at] = _node(part, draws, tree, count)
                total = _rollout(part, state, weight, discount, least, scores, draws, rng)
                break
            node = tree.children[at]
        taken_up(depth, total, discount, tree, path, gains)
        count[DONE_SO_FAR] += 1
    return DONE

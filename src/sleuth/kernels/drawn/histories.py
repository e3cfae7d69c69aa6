"""POMCP (Silver and Veness 2010) over particles, in problems that are drawn from.

The tree is that of kernels/pomcp.py, but for this: a node keeps how many actions may be taken in place of a
part, and how many of them rollouts prefer, which come first; an edge keeps its action.
"""

from typing import Any

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.drawn.problem import Drawn, legal, note, preferred, step
from sleuth.kernels.draws import uniform
from sleuth.kernels.jit import inner, kernel
from sleuth.kernels.pomcp import CHILDREN, DONE, DONE_SO_FAR, EDGES, FULL, NODES, Histories, taken_up

LEGAL, FIRST, VISITS, PREFERRED = range(4)
"""Places of what a node is."""
TRIED, THEN, ACTION = range(3)
"""Places of what an edge is."""


@inner
def _room(problem: Drawn, tree: Histories, count: Array) -> Any:
    return (
        count[NODES] < tree.nodes.shape[0]
        and count[EDGES] + problem.actions <= tree.values.size
        and count[CHILDREN] + problem.actions * problem.observations <= tree.children.size
    )


@inner
def _node(problem: Drawn, state: Array, notes: Array, options: Array, tree: Histories, count: Array) -> Any:
    """Return a new node; there is room for it."""
    node = count[NODES]
    count[NODES] += 1
    first = count[EDGES]
    liked = preferred(problem, state, notes, options)
    for k in range(liked):
        tree.edges[first + k, ACTION] = options[k]
    actions, found = legal(problem, state, options), liked
    for k in range(actions):
        known = False
        for other in range(liked):
            known = known or tree.edges[first + other, ACTION] == options[k]
        if not known:
            tree.edges[first + found, ACTION] = options[k]
            found += 1
    for edge in range(first, first + found):
        tree.edges[edge, TRIED], tree.edges[edge, THEN] = 0, count[CHILDREN]
        tree.values[edge] = 0.0
        tree.children[count[CHILDREN] : count[CHILDREN] + problem.observations] = -1
        count[CHILDREN] += problem.observations
    count[EDGES] += found
    tree.nodes[node, LEGAL], tree.nodes[node, FIRST] = found, first
    tree.nodes[node, VISITS], tree.nodes[node, PREFERRED] = 0, liked
    return node


@kernel
def rooted(problem: Drawn, state: Array, notes: Array, options: Array, tree: Histories, count: Array) -> Any:
    """Return a new node of a state and notes, -1 where there is no room."""
    if _room(problem, tree, count):
        return _node(problem, state, notes, options, tree, count)
    return np.int64(-1)


@inner
def _picked(node: Int, coefficient: float, tree: Histories) -> Any:
    """Return the edge with the largest upper confidence bound; one that was not tried comes first.

    Of the actions that rollouts do not prefer there are no more than the root of the visits (progressive
    widening, Coulom 2007).
    """
    first, visits = tree.nodes[node, FIRST], tree.nodes[node, VISITS]
    widened = max(tree.nodes[node, PREFERRED], np.int64(np.sqrt(visits)))
    spread = coefficient * np.sqrt(np.log(max(visits, 1)))
    best, most = first, -np.inf
    for edge in range(first, first + min(tree.nodes[node, LEGAL], widened)):
        tried = tree.edges[edge, TRIED]
        if tried == 0:
            return edge
        score = tree.values[edge] + spread / np.sqrt(tried)
        if score > most:
            best, most = edge, score
    return best


@inner
def _rollout(problem: Drawn, state: Array, notes: Array, steps: Int, options: Array, rng: Array) -> Any:
    """Return what preferred actions bring in so many steps."""
    total, factor = 0.0, 1.0
    for _ in range(steps):
        actions = preferred(problem, state, notes, options)
        action = options[np.int64(actions * uniform(rng))]
        observation, reward, over = step(problem, state, action, rng)
        total += factor * reward
        if over:
            break
        note(problem, notes, state, action, observation)
        factor *= problem.discount
    return total


@kernel
def simulated(
    problem: Drawn,
    root: int,
    most: int,
    coefficient: float,
    belief: Array,
    now: Array,
    first_notes: Array,
    tree: Histories,
    count: Array,
    path: Array,
    gains: Array,
    rng: Array,
) -> Any:
    """Simulate so many times from the root; return how that ended.

    As histories of kernels/pomcp.py does. belief: float64 [particles], the weights summed up from the first
    on; now: int64 [particles, state]. first_notes: float64 [notes], at the root. A simulation has as many
    steps as there is room for in path, int64 [steps, 2], and gains, float64 [steps].
    """
    state, notes = np.empty(problem.state, np.int64), np.empty(first_notes.size)
    options = np.empty(problem.actions, np.int64)
    for _ in range(most):
        notes[:] = first_notes
        before = rng[0]
        u = uniform(rng) * belief[-1]
        state[:] = now[min(np.searchsorted(belief, u, side="right"), belief.size - 1)]
        node, depth, total = np.int64(root), 0, 0.0
        while depth < path.shape[0]:
            edge = _picked(node, coefficient, tree)
            action = tree.edges[edge, ACTION]
            observation, reward, over = step(problem, state, action, rng)
            at = tree.edges[edge, THEN] + observation
            if not over and tree.children[at] < 0 and not _room(problem, tree, count):
                rng[0] = before  # it is done again, as it was
                return FULL
            path[depth, 0], path[depth, 1] = node, edge
            gains[depth] = reward
            depth += 1
            if over:
                break
            note(problem, notes, state, action, observation)
            if tree.children[at] < 0:
                tree.children[at] = _node(problem, state, notes, options, tree, count)
                total = _rollout(problem, state, notes, path.shape[0] - depth, options, rng)
                break
            node = tree.children[at]
        taken_up(depth, total, problem.discount, tree, path, gains)
        count[DONE_SO_FAR] += 1
    return DONE

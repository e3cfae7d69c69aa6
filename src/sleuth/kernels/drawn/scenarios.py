"""DESPOT (kernels/determinised.py) in problems that are drawn from.

A scenario is a first state and, for each step, where its random numbers begin: all that is done in a step has
one outcome. After the last step nothing counts any more.
"""

from typing import Any, NamedTuple

import numpy as np

from sleuth.kernels import Array, Int
from sleuth.kernels.determinised import (
    CHOICES,
    COUNT,
    DEPTH,
    EDGE,
    EDGES,
    FIRST,
    NODES,
    PARTICLES,
    Determinised,
    explore,
    opened,
    scattered,
    valued,
)
from sleuth.kernels.drawn.problem import Drawn, at_most, by_default, step, useful
from sleuth.kernels.frugal import held
from sleuth.kernels.jit import inner, kernel


@held
class Streams(NamedTuple):
    """What all nodes share.

    numbers: uint64 [scenarios, depth], where the random numbers of each step begin. Overwritten: options,
    int64 [actions], scratch, int64 [scratch], and worths, float64 [actions].
    """

    numbers: Array
    options: Array
    scratch: Array
    worths: Array


@inner
def _node(
    depth: Int,
    first: Int,
    size: Int,
    parent: Int,
    most: float,
    penalty: float,
    shared: Streams,
    problem: Drawn,
    tree: Determinised,
    count: Array,
) -> None:
    """Make a new node of scenarios that are in place, of what is most there; there is room for it."""
    node = opened(0, depth, first, size, parent, tree, count)
    left = shared.numbers.shape[1] - depth
    worth, action = by_default(problem, tree.state, first, size, left, shared.scratch, shared.worths)
    valued(node, worth, action, most, problem.discount, penalty, shared, tree)


@kernel
def planted(penalty: float, shared: Streams, problem: Drawn, tree: Determinised, count: Array) -> None:
    """Make the root of the scenarios, whose states are in tree.state; there is room for it."""
    scenarios = shared.numbers.shape[0]
    tree.scenario[:scenarios] = np.arange(scenarios)
    count[PARTICLES] = scenarios
    most = np.empty(scenarios)
    at_most(problem, tree.state, 0, shared.scratch, most)
    _node(0, 0, scenarios, -1, most.mean(), penalty, shared, problem, tree, count)


@inner
def _room(node: Int, problem: Drawn, tree: Determinised, count: Array) -> Any:
    size = tree.nodes[node, COUNT]
    children = problem.actions * min(size, problem.observations)
    return (
        count[NODES] + children <= tree.nodes.shape[0]
        and count[EDGES] + problem.actions <= tree.rewards.size
        and count[PARTICLES] + problem.actions * size <= tree.scenario.size
    )


@inner
def _expand(
    node: Int,
    discount: float,
    penalty: float,
    shared: Streams,
    problem: Drawn,
    tree: Determinised,
    count: Array,
) -> None:
    """Give a node its edges, and each edge a child for each observation that a scenario brings."""
    depth, begin, size = tree.nodes[node, DEPTH], tree.nodes[node, FIRST], tree.nodes[node, COUNT]
    over, rng = problem.observations, np.empty(1, np.uint64)
    ways, states = np.empty(size, np.int64), np.empty((size, problem.state), np.int64)
    before, after = np.empty(size), np.empty(size)
    at_most(problem, tree.state, begin, shared.scratch, before)
    choices = useful(problem, tree.state, begin, size, shared.options)
    tree.nodes[node, EDGE], tree.nodes[node, CHOICES] = count[EDGES], choices
    for choice in range(choices):
        action, edge = shared.options[choice], count[EDGES]
        count[EDGES] += 1
        total, moved = 0.0, False
        places = np.zeros(over + 2, np.int64)
        for k in range(size):
            for number in range(problem.state):
                states[k, number] = tree.state[begin + k, number]
        for k in range(size):
            rng[0] = shared.numbers[tree.scenario[begin + k], depth]
            observation, reward, ended = step(problem, states[k], action, rng)
            total += reward
            for number in range(problem.state):
                moved = moved or states[k, number] != tree.state[begin + k, number]
            ways[k] = over if ended else observation
            places[ways[k] + 1] += 1
        if moved and places[over + 1] < size:
            at_most(problem, states, 0, shared.scratch, after)
        most = np.zeros(over + 1)
        for k in range(size):
            most[ways[k]] += after[k] if moved else before[k]
        start = count[PARTICLES]
        places = scattered(begin, ways, places, tree, count)
        for k in range(size):
            for number in range(problem.state):
                tree.state[ways[k], number] = states[k, number]
        tree.rewards[edge] = total / size
        tree.edges[edge, 0], tree.edges[edge, 2] = count[NODES], action
        for way in range(over):
            many = places[way + 1] - places[way]
            if many:
                at = start + places[way]
                _node(depth + 1, at, many, node, most[way] / many, penalty, shared, problem, tree, count)
        tree.edges[edge, 1] = count[NODES] - tree.edges[edge, 0]


@kernel
def explored(
    trials: int,
    gap: float,
    target: float,
    discount: float,
    penalty: float,
    shared: Streams,
    problem: Drawn,
    tree: Determinised,
    count: Array,
) -> Any:
    """As explore does."""
    return explore(_room, _expand, trials, gap, target, discount, penalty, shared, problem, tree, count)

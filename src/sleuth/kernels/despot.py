"""DESPOT (determinised.py) in a POMDP that is laid out: a scenario has a random number for each step."""

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
    PART,
    PARTICLES,
    Determinised,
    explore,
    opened,
    scattered,
    valued,
)
from sleuth.kernels.frugal import held
from sleuth.kernels.hsvi import Lower, following
from sleuth.kernels.jit import inner, kernel
from sleuth.kernels.pomcp import Draws, entry_at


@held
class Scenarios(NamedTuple):
    """What all nodes share.

    numbers: float64 [scenarios, depth]: those of each step; after so many steps a state is worth its tail.
    plans: alpha vectors, the best of which a node goes on with by default. tail: float64 [states]. informed:
    as rewards, what each choice is worth at most in each state. hindsight: float64 [scenarios, depth + 1,
    states], the most that a scenario brings from each depth and state on, or [0, 0, 0] to bound by informed
    instead. first: int64 [parts], the first state of each.
    """

    numbers: Array
    plans: Lower
    tail: Array
    informed: Array
    hindsight: Array
    first: Array


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
    """Return what the plan that looks best brings on average, and which that is."""
    origin, begin, count = tree.nodes[node, PART], tree.nodes[node, FIRST], tree.nodes[node, COUNT]
    plans = shared.plans
    plan, most = np.int64(-1), -np.inf
    vector = plans.head[origin]
    while vector >= 0:
        worth = 0.0
        for k in range(begin, begin + count):
            worth += plans.values[plans.place[vector] + tree.state[k]]
        if worth > most:
            plan, most = vector, worth
        vector = plans.then[vector]
    total = 0.0
    for k in range(begin, begin + count):
        at, part, state, weight = plan, origin, tree.state[k], 1.0
        for step in range(tree.nodes[node, DEPTH], shared.numbers.shape[1]):
            of, _, rows = draws.choices[plans.choice[at]]
            total += weight * draws.rewards[rows + state]
            weight *= discount
            entry = entry_at(rows + state, shared.numbers[tree.scenario[k], step], draws)
            way, state = draws.way[entry], draws.target[entry]
            part = draws.ways[way]
            if part < 0:
                break
            at = following(at, way - of, plans)
        if part >= 0:
            total += weight * shared.tail[shared.first[part] + state]
    return total / count, plan


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
    node = opened(part, depth, first, size, parent, tree, count)
    worth, action = _by_default(node, discount, shared, draws, tree)
    most = worth if depth == shared.numbers.shape[1] else _at_most(node, shared, draws, tree)
    valued(node, worth, action, most, discount, penalty, shared, tree)
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
    tree.nodes[node, EDGE], tree.nodes[node, CHOICES] = count[EDGES], choices
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
        start = count[PARTICLES]
        places = scattered(begin, ways, places, tree, count)
        for k in range(size):
            tree.state[ways[k]] = states[k]
        tree.rewards[edge] = total / size
        tree.edges[edge, 0], tree.edges[edge, 2] = count[NODES], choice
        for way in range(places.size - 1):
            part, many = draws.ways[of + way], places[way + 1] - places[way]
            if many and part >= 0:
                at = start + places[way]
                _node(part, depth + 1, at, many, node, discount, penalty, shared, draws, tree, count)
        tree.edges[edge, 1] = count[NODES] - tree.edges[edge, 0]


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
    """As explore does."""
    return explore(_room, _expand, trials, gap, target, discount, penalty, shared, draws, tree, count)

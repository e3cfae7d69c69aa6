"""A tree put together from nodes in the order of a file."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sleuth.games.game import Game
from sleuth.trees.tree import DecisionTree


@dataclass(frozen=True)
class Node:
    """A guess as a file has it: its index, the number of the node before it and the feedback between.

    The root has parent and code -1.
    """

    guess: int
    parent: int
    code: int


def level_order(nodes: Sequence[Node]) -> list[int]:
    """Return the numbers of the nodes, root first, by turn, then by parent, then by code.

    That is the order DecisionTree.build gives them.
    """
    children: list[list[int]] = [[] for _ in nodes]
    for number, node in enumerate(nodes[1:], 1):
        children[node.parent].append(number)
    order: list[int] = []
    waiting = deque([0])
    while waiting:
        number = waiting.popleft()
        order.append(number)
        waiting.extend(sorted(children[number], key=lambda child: nodes[child].code))
    return order


def assemble(game: Game, nodes: Sequence[Node], name: str) -> DecisionTree:
    """Return the tree of some nodes, the root first and each after its parent, not yet checked."""
    order = level_order(nodes)
    place = {-1: -1, **{number: at for at, number in enumerate(order)}}
    return DecisionTree(
        game,
        np.array([nodes[number].guess for number in order], np.int32),
        np.array([place[nodes[number].parent] for number in order], np.int32),
        np.array([nodes[number].code for number in order], np.int32),
        name,
    )

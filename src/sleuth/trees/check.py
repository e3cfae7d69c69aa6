"""A tree held against the rules of its game, independently of how it was made.

Feedback comes from the plain Python of `rules.code`, legality from the few lines below: nothing here calls a
kernel, and nothing trusts the code that builds or measures trees.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from sleuth.games.feedback import MarkNotation
from sleuth.games.frontier import Indices
from sleuth.games.game import Game
from sleuth.support.errors import TreeError
from sleuth.trees.growing import MAX_DEPTH
from sleuth.trees.tree import DecisionTree, Report


@dataclass(frozen=True, eq=False)
class Played:
    """What happens when every answer is played down a tree.

    Attributes:
        at: for each node, the answers that come there, ascending.
        ends: where each answer is found: the node of its last guess and the feedback to it.
        turns: int32 [answers]: the guesses each answer takes.

    """

    at: list[list[int]]
    ends: dict[tuple[int, int], int]
    turns: Indices


def check_tree(tree: DecisionTree) -> Report:
    """Return the report of a tree, its turns counted here, when the tree keeps the rules of its game.

    Every answer is found, every guess is legal in the game's mode, and every node is reached by some answer.
    Raises TreeError for the first thing that is wrong, with the guesses and feedback that lead there.
    """
    played = play_all(tree)
    _check_legal(tree, played)
    return Report.of(tree.game, played.turns)


def play_all(tree: DecisionTree) -> Played:
    """Play every answer from the root. Raises TreeError.

    An answer is found by its own guess; one that no guess can name, by being the only one left.
    """
    game = tree.game
    turn = _node_turns(tree)
    branches = {(int(p), int(c)): n for n, (p, c) in enumerate(zip(tree.parent, tree.code, strict=True))}
    at: list[list[int]] = [[] for _ in turn]
    at[0] = list(range(len(game.answers)))
    ends: dict[tuple[int, int], int] = {}
    turns = np.zeros(len(game.answers), np.int32)
    for node, answers in enumerate(at):
        guess = game.guesses[tree.guess[node]]
        if not answers:
            raise _error(tree, node, f"no answer leads there, but the tree goes on with {guess}")
        groups: dict[int, list[int]] = {}
        for answer in answers:
            if game.answers[answer] == guess:
                turns[answer] = turn[node]
                ends[node, game.solved] = answer
            else:
                groups.setdefault(game.rules.code(guess, game.answers[answer]), []).append(answer)
        for code, group in sorted(groups.items()):
            child = branches.get((node, code))
            if child is not None:
                at[child] = group
            elif len(group) == 1 and game.answers[group[0]] not in game.guess_index:
                turns[group[0]] = turn[node]
                ends[node, code] = group[0]
            else:
                raise _error(
                    tree,
                    node,
                    f"the answer {game.answers[group[0]]} is never found: it gives"
                    f" {game.rules.notation.show(code)} for {guess}, and the tree has no branch for that",
                )
    return Played(at, ends, turns)


def route(tree: DecisionTree, node: int) -> list[tuple[int, int]]:
    """Return the guesses before a node and the codes they got, first guess first."""
    rows = []
    while tree.parent[node] >= 0:
        parent = int(tree.parent[node])
        rows.append((int(tree.guess[parent]), int(tree.code[node])))
        node = parent
    return rows[::-1]


def describe_route(tree: DecisionTree, node: int, code: int) -> str:
    """Return "after" and the guesses and feedback up to a node, whose guess gets `code`, for messages."""
    game = tree.game
    rows = [*route(tree, node), (int(tree.guess[node]), code)]
    return "after " + ", ".join(f"{game.guesses[g]} {game.rules.notation.show(c)}" for g, c in rows)


def keeps_hard_rule(word: str, guess: str, marks: tuple[int, ...]) -> bool:
    """Say whether a word may follow a guess with these marks under the New York Times hard rule.

    Each green letter stays in its place; each letter is used at least as often as it was marked green or
    yellow.

    >>> keeps_hard_rule("crane", "trace", (0, 2, 2, 1, 2)), keeps_hard_rule("brake", "trace", (0, 2, 2, 1, 2))
    (True, False)
    """
    greens_stay = all(word[i] == guess[i] for i, mark in enumerate(marks) if mark == 2)
    hinted = Counter(letter for letter, mark in zip(guess, marks, strict=True) if mark > 0)
    return greens_stay and all(word.count(letter) >= times for letter, times in hinted.items())


def _check_legal(tree: DecisionTree, played: Played) -> None:
    game = tree.game
    if game.mode == "easy":
        return
    for node in range(1, len(tree.guess)):
        word = game.guesses[tree.guess[node]]
        for before, code in route(tree, node):
            if not _allows(game, word, game.guesses[before], code):
                raise _error(
                    tree,
                    node,
                    f"{word} is not legal in {game.mode} mode, it does not keep to"
                    f" {game.guesses[before]} {game.rules.notation.show(code)}"
                    f" (the answer {game.answers[played.at[node][0]]} leads there)",
                )


def _allows(game: Game, word: str, guess: str, code: int) -> bool:
    if game.mode == "strict":
        return game.rules.code(guess, word) == code
    notation = game.rules.notation
    if not isinstance(notation, MarkNotation):
        raise TreeError(
            f"hard mode cannot be checked in {game.name}: its feedback has no mark for each letter"
        )
    return keeps_hard_rule(word, guess, notation.marks(code))


def _node_turns(tree: DecisionTree) -> list[int]:
    """Return the turn of each node. Raises TreeError when the arrays do not make a tree of the game."""
    game = tree.game
    n_guesses, n_codes = len(game.guesses), game.rules.n_codes
    if not 0 < len(tree.guess) == len(tree.parent) == len(tree.code):
        lengths = f"{len(tree.guess)}, {len(tree.parent)} and {len(tree.code)}"
        raise TreeError(
            f"the arrays guess, parent and code of a tree need one positive length, not {lengths}"
        )
    # Where each guess tells something, as many as there are answers suffice.
    most = max(MAX_DEPTH, len(game.answers))
    turn: list[int] = []
    seen: set[tuple[int, int]] = set()
    for node, (guess, parent, code) in enumerate(
        zip(tree.guess.tolist(), tree.parent.tolist(), tree.code.tolist(), strict=True)
    ):
        if not 0 <= guess < n_guesses:
            raise TreeError(f"node {node} has guess number {guess}; {game.name} has 0 to {n_guesses - 1}")
        if node == 0:
            if (parent, code) != (-1, -1):
                raise TreeError(f"node 0 is the root: its parent and code are -1, not {parent} and {code}")
            turn.append(1)
            continue
        if not 0 <= parent < node:
            raise TreeError(f"node {node} has parent {parent}; parents come before their children")
        if not 0 <= code < n_codes:
            raise TreeError(f"node {node} has feedback number {code}; {game.name} has 0 to {n_codes - 1}")
        if code == game.solved:
            raise _error(tree, node, f"the guess was right, but the tree goes on with {game.guesses[guess]}")
        if (parent, code) in seen:
            raise _error(tree, node, "the tree has two branches for that feedback")
        seen.add((parent, code))
        turn.append(turn[parent] + 1)
        if turn[node] < turn[node - 1]:
            raise TreeError(f"node {node}, of turn {turn[node]}, stands after one of turn {turn[node - 1]}")
        if turn[node] > most:
            raise TreeError(f"the tree is more than {most} guesses deep")
    return turn


def _error(tree: DecisionTree, node: int, problem: str) -> TreeError:
    """Return the error that says where in the tree the problem is."""
    parent = int(tree.parent[node])
    where = describe_route(tree, parent, int(tree.code[node])) if parent >= 0 else "at the first guess"
    return TreeError(f"{where}: {problem}")

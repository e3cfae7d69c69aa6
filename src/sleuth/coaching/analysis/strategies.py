"""The whole strategy from a position, as a tree: by exact play where it is in reach, else by beam search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.coaching.analysis.tries import legal_guess
from sleuth.coaching.losses import lost_counts_as
from sleuth.coaching.solving import searching_of
from sleuth.coaching.turns import are_up, turns_left
from sleuth.coaching.weighing.suggestions import suggested
from sleuth.exact.beam import Beam
from sleuth.exact.proving import prove
from sleuth.games.feedback import typed
from sleuth.games.position import Position
from sleuth.games.strategy import Certainty
from sleuth.strategies.heuristics import ExpectedGuesses
from sleuth.support.errors import SleuthError, StrategyError, UnfinishedError
from sleuth.trees.check import Played, play_all
from sleuth.trees.tree import DecisionTree, Report

# Candidates up to which exact play ends in a second or two, as a rule.
_EXACT_UP_TO = 200
# Seconds for exact play, and for beam search where that did not end.
_EXACT, _SEARCH = 2.0, 20.0


@dataclass(frozen=True, eq=False)
class Plan:
    """A strategy from a position on.

    Attributes:
        tree: the strategy; its answers are the candidates.
        report: how good it is; its numbers count from the position on, and past the last turn.
        kind: "proved" where no strategy (that begins so) is better, else "at most".
        turns: how many are left; what takes more is lost.
        lost_counts_as: the guesses from the position on that a lost game counts as.

    """

    tree: DecisionTree
    report: Report
    kind: Certainty
    turns: int
    lost_counts_as: int

    @property
    def taken(self) -> NDArray[np.int32]:
        """int32 [answers]: the guesses that each answer takes, or counts as where it is lost."""
        return np.where(self.report.turns > self.turns, np.int32(self.lost_counts_as), self.report.turns)

    @property
    def expected(self) -> float:
        """Guesses expected, where a lost game counts as it does."""
        return _mean(self.taken, self.tree.game.prior)

    def to_json(self) -> dict[str, Any]:
        """Return the strategy as plain values, its nodes nested, none of them past the last turn."""
        found = self.report.turns[self.report.turns <= self.turns]
        return {
            "guess": self.tree.opener,
            "candidates": self.report.answers,
            "expected_guesses": self.expected,
            "worst": int(found.max()) if len(found) else None,
            "lost": self.report.answers - len(found),
            "kind": self.kind,
            "tree": _nested(self, play_all(self.tree)),
        }


def plan(position: Position, guess: str | None = None) -> Plan:
    """Return the best strategy from a position that is found in time.

    guess: what it begins with, if that is not free.
    Raises UnknownGuessError, SleuthError where the game is over or the guess is not legal, StrategyError
    where no strategy tells the candidates apart.
    """
    if position.solved:
        raise SleuthError("the last row is right: the game is over, and there is no strategy from there on")
    number = _advised(position) if guess is None else legal_guess(position, guess)
    opener = position.game.guesses[number]
    if len(position.candidates) <= _EXACT_UP_TO and _can_be_proven(position, number):
        tree = _proven(position, number, guess is None)
        if tree is not None:
            return _plan(position, tree, "proved")
    return _plan(position, _built(position, opener), "at most")


def _plan(position: Position, tree: DecisionTree, kind: Certainty) -> Plan:
    lost = lost_counts_as(position.game) - position.turn + 1
    return Plan(tree, tree.report(), kind, turns_left(position), lost)


def _advised(position: Position) -> int:
    """Return the guess that is advised: of those that tie it is named here too. Raises StrategyError."""
    found = suggested(position).suggestions
    if not found:
        raise StrategyError("no guess tells the candidates apart")
    return position.game.find(found[0].guess)


def _can_be_proven(position: Position, guess: int) -> bool:
    """Say whether there is a turn left, and the guess tells something."""
    if are_up(position):
        return False
    return len(np.unique(position.game.feedback_row(guess)[position.candidates])) > 1


def _proven(position: Position, guess: int, is_free: bool) -> DecisionTree | None:
    """Return the best tree that begins with a guess, None where it is not proven in time.

    is_free: whether it may begin with another one where that takes less.
    """
    with searching_of(position, None) as solver:
        proof = prove(position, opener=position.game.guesses[guess], seconds=_EXACT, solver=solver)
        if is_free:
            best = prove(position, seconds=_EXACT, solver=solver)
            proof = proof if best.proved and best.total == proof.total else best
    return proof.tree if proof.proved else None


def _built(position: Position, opener: str | None) -> DecisionTree:
    """Return the tree of beam search, or of a quick strategy where that does not end in time."""
    try:
        with Beam().within(position.game, _SEARCH) as beam:
            return DecisionTree.build(beam, position.game, opener, position=position)
    except UnfinishedError:
        return DecisionTree.build(ExpectedGuesses(), position.game, opener, position=position)


def _mean(taken: NDArray[np.int32], weights: NDArray[np.float64]) -> float:
    """Return the mean of guesses by how likely each answer is; where none has any weight all are alike."""
    alike = weights.min() == weights.max()  # that mean is exact
    return float(taken.mean() if alike else taken @ weights / weights.sum())


def _nested(of: Plan, played: Played) -> dict[str, Any]:
    """Return the nodes within each other, the branches of each by how many words they have, most first.

    After the last turn there are no nodes: a branch that is lost has its words.
    """
    tree, taken = of.tree, of.taken
    game, notation = tree.game, tree.game.rules.notation
    nodes: list[dict[str, Any]] = [{} for _ in tree.guess]
    branches: list[list[dict[str, Any]]] = [[] for _ in tree.guess]
    for (node, code), answer in played.ends.items():
        solved = code == game.solved
        word = [game.answers[answer]]
        branches[node].append(
            {
                "feedback": typed(notation, code),
                "solved": solved,
                "lost": False,
                "count": 1,
                "node": None,
                "words": word,
            }
        )
    # Children come after their parents, so from the last node on every branch is whole.
    for node in range(len(nodes) - 1, -1, -1):
        answers = played.at[node]
        branches[node].sort(key=lambda branch: (-branch["count"], branch["feedback"]))
        nodes[node] = {
            "guess": game.guesses[tree.guess[node]],
            "count": len(answers),
            "expected_guesses": _mean(taken[answers] - tree.turn[node] + 1, game.prior[answers]),
            "children": branches[node],
        }
        if node:
            lost = bool(tree.turn[node] > of.turns)
            branch = {"feedback": typed(notation, int(tree.code[node])), "solved": False, "lost": lost}
            if lost or len(answers) == 1:
                words = [game.answers[answer] for answer in answers]
                branch |= {"count": len(words), "node": None, "words": words}
            else:
                branch |= {"count": len(answers), "node": nodes[node]}
            branches[tree.parent[node]].append(branch)
    return nodes[0]

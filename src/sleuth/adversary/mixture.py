"""Mixtures of strategies of one game, and the best one by a linear program.

A mixture is kept in sequence form: after each history of feedback, with which probability it comes there and
makes each guess. Strategies that share histories share their sequences, so that the program weighs
every combination of their parts and not only the strategies as wholes.

A guess that tells all candidates apart takes two guesses for each, but one for the candidate that it names.
All such guesses of a history are one sequence, and which candidate is named is a variable apart: the name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sleuth.errors import SleuthError
from sleuth.games.game import Game
from sleuth.tree import DecisionTree

Weights = NDArray[np.float64]

SEPARATE = -1
"""The guess of a sequence that stands for all guesses that tell the candidates apart."""
# In larger sets no other guesses that tell all apart are looked for than those that strategies make.
_FEW = 12


@dataclass(frozen=True)
class Solution:
    """The best mixture of the strategies taken up, and the distribution over answers that holds it there.

    Attributes:
        sequences: float64 [sequences]: how likely the history and the guess are, the host's part apart.
        names: float64 [names]: how likely, of that, the guess that tells all apart names the candidate.
        host: float64 [answers].
        upper: no answer takes more guesses on average.

    """

    sequences: Weights
    names: Weights
    host: Weights
    upper: float


class Mixture:
    """Strategies of a game, taken up one by one.

    Attributes:
        parents: the sequence that leads to each history, -1 at the start.
        owners, guesses: the history and the guess of each sequence.
        named: the sequence and the answer of each name.

    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.parents = [-1]
        self.owners: list[int] = []
        self.guesses: list[int] = []
        self.named: list[tuple[int, int]] = []
        self._sequence: dict[tuple[int, int], int] = {}
        self._history: dict[tuple[int, int], int] = {}
        # What each sequence costs its answers, up to where it is the next history's to say.
        self._answers: list[NDArray[np.int32]] = []
        self._costs: list[NDArray[np.int8]] = []

    def __len__(self) -> int:
        return len(self.guesses)

    def add(self, tree: DecisionTree) -> bool:
        """Take a strategy up; return whether any of it is new."""
        before = len(self)
        todo = [(0, 0, np.arange(len(self.game.answers), dtype=np.int32))]
        while todo:
            node, history, members = todo.pop()
            guess = int(tree.guess[node])
            codes = self.game.feedback[guess, members]
            if len(np.unique(codes)) == len(codes):
                self._separate(history, members, guess)
                continue
            if len(members) <= _FEW:
                self._separate(history, members)
            sequence = self._sequence.get((history, guess))
            if sequence is None:
                # An answer that is left alone takes the guess that names it, if one does.
                alone = (np.bincount(codes)[codes] == 1) & (codes != self.game.solved)
                costs = 1 + (alone & (self.game.answer_guess[members] >= 0))
                sequence = self._new(history, guess, members, costs.astype(np.int8))
            order = np.argsort(codes, kind="stable")
            kinds, begins = np.unique(codes[order], return_index=True)
            for code, part in zip(kinds.tolist(), np.split(members[order], begins[1:]), strict=True):
                if len(part) == 1:
                    continue
                key = sequence, code
                if key not in self._history:
                    self._history[key] = len(self.parents)
                    self.parents.append(sequence)
                todo.append((tree.children[node][code], self._history[key], part))
        return len(self) > before

    def _separate(self, history: int, members: NDArray[np.int32], guess: int = -1) -> None:
        """Take up the guesses that tell all of a set apart; guess: one that is known to, or -1."""
        if (history, SEPARATE) in self._sequence:
            return
        own = self.game.answer_guess[members]
        names = [
            (g, a)
            for g, a in zip(own.tolist(), members.tolist(), strict=True)
            if g >= 0
            and (g == guess or len(members) <= _FEW)
            and len(np.unique(self.game.feedback[g, members])) == len(members)
        ]
        if guess < 0 and not names:
            return
        sequence = self._new(history, SEPARATE, members, (1 + (own >= 0)).astype(np.int8))
        self.named.extend((sequence, answer) for _, answer in names)

    def _new(self, history: int, guess: int, members: NDArray[np.int32], costs: NDArray[np.int8]) -> int:
        sequence = self._sequence[history, guess] = len(self.guesses)
        self.owners.append(history)
        self.guesses.append(guess)
        self._answers.append(members)
        self._costs.append(costs)
        return sequence

    def solve(self) -> Solution:
        """Return the mixture whose worst answer takes the fewest guesses. Raises SleuthError (no scipy)."""
        try:
            from scipy.optimize import linprog
            from scipy.sparse import block_array, coo_array
        except ImportError:
            raise SleuthError("equilibria need scipy: pip install 'sleuth[equilibrium]'") from None
        answers, sequences, histories = len(self.game.answers), len(self), len(self.parents)
        names = np.array(self.named, np.int64).reshape(-1, 2)
        each = np.arange(len(names))
        columns = np.repeat(np.arange(sequences), [len(a) for a in self._answers])
        costs = coo_array(
            (np.concatenate(self._costs).astype(np.float64), (np.concatenate(self._answers), columns)),
            (answers, sequences),
        ).tocsr()
        saved = coo_array((np.ones(len(names)), (names[:, 1], each)), (answers, len(names))).tocsr()
        # What is named is no more than what comes to the sequence.
        rows = np.unique(names[:, 0])
        place = np.searchsorted(rows, names[:, 0])
        limits = coo_array((-np.ones(len(rows)), (np.arange(len(rows)), rows)), (len(rows), sequences))
        used = coo_array((np.ones(len(names)), (place, each)), (len(rows), len(names)))
        worst = -np.ones((answers, 1))
        # At each history the guesses share what comes there; at the start that is one.
        flow = coo_array(
            (
                np.concatenate([np.ones(sequences), -np.ones(histories - 1)]),
                (
                    np.concatenate([self.owners, np.arange(1, histories)]),
                    np.concatenate([np.arange(sequences), np.array(self.parents[1:], np.int64)]),
                ),
            ),
            (histories, sequences + len(names) + 1),
        )
        aim = np.zeros(sequences + len(names) + 1)
        aim[-1] = 1.0
        start = np.zeros(histories)
        start[0] = 1.0
        solved = linprog(
            aim,
            A_ub=block_array([[costs, -saved, worst], [limits, used, None]], format="csr"),
            b_ub=np.zeros(answers + len(rows)),
            A_eq=flow.tocsr(),
            b_eq=start,
            bounds=[(0, None)] * (sequences + len(names)) + [(None, None)],
            method="highs",
        )
        if solved.x is None:
            raise SleuthError(f"the linear program was not solved: {solved.message}")
        found = np.maximum(solved.x[:-1], 0.0)
        exact = self._exactly(found[:sequences])
        # The same for names: shares of what comes to their sequence.
        totals = np.bincount(names[:, 0], found[sequences:], sequences)
        given = np.maximum(totals, found[:sequences])[names[:, 0]]
        shares = np.divide(found[sequences:], given, out=np.zeros(len(names)), where=given > 0)
        named = shares * exact[names[:, 0]]
        host = np.maximum(-solved.ineqlin.marginals[:answers], 0.0)
        return Solution(exact, named, host / host.sum(), float((costs @ exact - saved @ named).max()))

    def _exactly(self, sequences: Weights) -> Weights:
        """Return sequences whose guesses share exactly what comes to their history, from some that nearly do.

        So the upper bound holds whatever the program's tolerances were.
        """
        owners = np.array(self.owners)
        given = np.bincount(owners, sequences, len(self.parents))[owners]
        counts = np.bincount(owners, minlength=len(self.parents))[owners]
        shares = np.divide(sequences, given, out=1 / counts, where=given > 0)
        exact = np.empty(len(sequences))
        # A sequence comes after the one that leads to its history.
        for sequence, (owner, share) in enumerate(zip(self.owners, shares.tolist(), strict=True)):
            before = self.parents[owner]
            exact[sequence] = share if before < 0 else exact[before] * share
        return exact

    def openers(self, solution: Solution) -> list[tuple[str, float]]:
        """Return the first guesses with their probabilities, the likeliest first."""
        # What was taken up since the solution has no part in it.
        chances = {
            self.game.guesses[self.guesses[s]]: p
            for s, p in enumerate(solution.sequences.tolist())
            if self.owners[s] == 0 and self.guesses[s] != SEPARATE
        }
        for (sequence, answer), p in zip(self.named, solution.names.tolist(), strict=False):
            if self.owners[sequence] == 0:
                chances[self.game.answers[answer]] = chances.get(self.game.answers[answer], 0.0) + p
        return sorted(chances.items(), key=lambda pair: -pair[1])

"""Mixtures of strategies of one game, and the best one by a linear program.

A mixture is kept in sequence form: after each history of feedback, with which probability it comes there and
makes each guess. Strategies that share histories share their sequences, so that the program weighs
every combination of their parts and not only the strategies as wholes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sleuth.errors import SleuthError
from sleuth.games.game import Game
from sleuth.tree import DecisionTree

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Solution:
    """The best mixture of the strategies taken up, and the distribution over answers that holds it there.

    Attributes:
        sequences: float64 [sequences]: how likely the history and the guess are, the host's part apart.
        host: float64 [answers].
        upper: no answer takes more guesses on average.

    """

    sequences: Weights
    host: Weights
    upper: float


class Mixture:
    """Strategies of a game, taken up one by one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.named = game.answer_guess >= 0
        # Histories: the sequence that leads to each, -1 at the start. Sequences: their history and guess.
        self.parents = [-1]
        self.owners: list[int] = []
        self.guesses: list[int] = []
        self._sequence: dict[tuple[int, int], int] = {}
        self._history: dict[tuple[int, int], int] = {}
        # The guesses that an answer costs, sequence by sequence.
        self._answers: list[NDArray[np.int32]] = []
        self._costs: list[NDArray[np.int8]] = []

    def __len__(self) -> int:
        return len(self.guesses)

    def add(self, tree: DecisionTree) -> bool:
        """Take a strategy up; return whether any of it is new."""
        before = len(self)
        everything = np.arange(len(self.game.answers), dtype=np.int32)
        todo = [(0, 0, everything)]
        while todo:
            node, history, members = todo.pop()
            guess = int(tree.guess[node])
            codes = self.game.feedback[guess, members]
            sequence = self._sequence.get((history, guess))
            if sequence is None:
                sequence = self._new(history, guess, members, codes)
            order = np.argsort(codes, kind="stable")
            kinds, begins = np.unique(codes[order], return_index=True)
            parts = np.split(members[order], begins[1:])
            for code, part in zip(kinds.tolist(), parts, strict=True):
                if code == self.game.solved or len(part) == 1:
                    continue
                key = sequence, code
                if key not in self._history:
                    self._history[key] = len(self.parents)
                    self.parents.append(sequence)
                todo.append((tree.children[node][code], self._history[key], part))
        return len(self) > before

    def _new(self, history: int, guess: int, members: NDArray[np.int32], codes: NDArray[np.int64]) -> int:
        sequence = self._sequence[history, guess] = len(self.guesses)
        self.owners.append(history)
        self.guesses.append(guess)
        # An answer that is left alone takes the guess that names it, if one does.
        alone = (np.bincount(codes)[codes] == 1) & (codes != self.game.solved)
        self._answers.append(members)
        self._costs.append((1 + (alone & self.named[members])).astype(np.int8))
        return sequence

    def solve(self) -> Solution:
        """Return the mixture whose worst answer takes the fewest guesses. Raises SleuthError (no scipy)."""
        try:
            from scipy.optimize import linprog
            from scipy.sparse import coo_matrix, csr_matrix, hstack
        except ImportError:
            raise SleuthError("equilibria need scipy: pip install 'sleuth[equilibrium]'") from None
        answers, sequences = len(self.game.answers), len(self)
        columns = np.repeat(np.arange(sequences), [len(a) for a in self._answers])
        costs = csr_matrix(
            (np.concatenate(self._costs).astype(np.float64), (np.concatenate(self._answers), columns)),
            (answers, sequences),
        )
        # At each history the guesses share what comes there; at the start that is one.
        histories = len(self.parents)
        parents = np.array(self.parents[1:])
        flow = coo_matrix(
            (
                np.concatenate([np.ones(sequences), -np.ones(histories - 1)]),
                (
                    np.concatenate([self.owners, np.arange(1, histories)]),
                    np.concatenate([np.arange(sequences), parents]),
                ),
            ),
            (histories, sequences + 1),
        ).tocsr()
        aim = np.zeros(sequences + 1)
        aim[-1] = 1.0
        start = np.zeros(histories)
        start[0] = 1.0
        solved = linprog(
            aim,
            A_ub=hstack([costs, csr_matrix(-np.ones((answers, 1)))], format="csr"),
            b_ub=np.zeros(answers),
            A_eq=flow,
            b_eq=start,
            bounds=[(0, None)] * sequences + [(None, None)],
            method="highs",
        )
        if solved.x is None:
            raise SleuthError(f"the linear program was not solved: {solved.message}")
        mixture = self._exactly(np.maximum(solved.x[:-1], 0.0))
        host = np.maximum(-solved.ineqlin.marginals, 0.0)
        return Solution(mixture, host / host.sum(), float((costs @ mixture).max()))

    def _exactly(self, sequences: Weights) -> Weights:
        """Return sequences whose guesses share exactly what comes to their history, from some that nearly do.

        So the upper bound holds whatever the program's tolerances were.
        """
        owners = np.array(self.owners)
        totals = np.bincount(owners, sequences, len(self.parents))
        counts = np.bincount(owners, minlength=len(self.parents))
        shares = np.where(
            totals[owners] > 0, sequences / np.maximum(totals[owners], 1e-300), 1 / counts[owners]
        )
        exact = np.empty(len(sequences))
        # A history comes after the sequence that leads to it, a sequence after its history, in any order of
        # taking up; so by turns.
        arriving = np.zeros(len(self.parents))
        arriving[0] = 1.0
        for sequence, (owner, share) in enumerate(zip(self.owners, shares.tolist(), strict=True)):
            if self.parents[owner] >= 0:
                arriving[owner] = exact[self.parents[owner]]
            exact[sequence] = arriving[owner] * share
        return exact

    def openers(self, solution: Solution) -> list[tuple[str, float]]:
        """Return the first guesses with their probabilities, the likeliest first."""
        first = [(self.game.guesses[self.guesses[s]], float(solution.sequences[s])) for s in self._at(0)]
        return sorted(first, key=lambda pair: -pair[1])

    def _at(self, history: int) -> list[int]:
        return [s for s, owner in enumerate(self.owners) if owner == history]

"""Mixtures of strategies of one game, and the best one against a host who picks the answer.

What a guesser may do after a history depends on the candidates left (and on the legal guesses) alone, so a
mixture is kept by states: how it shares its chance among the guesses known there. The chance to come to a
state is the same for each answer in it, whatever the histories, so costs are linear in the chances of the
choices: the sequence form, with histories of equal states as one. Strategies that meet in a state share all
that is known of it, so every combination of their parts is weighed and not only the strategies as wholes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.priors import checked_weights
from sleuth.support.errors import SleuthError, installed_by
from sleuth.support.parallel import map_threads, new_stop
from sleuth.trees.tree import DecisionTree

if TYPE_CHECKING:
    from sleuth.kernels.regret import Play

Weights = NDArray[np.float64]

# In sets so small every candidate is a choice: whom to name first is what an equilibrium mixes most.
_FEW = 8
# Mixtures of so few choices are solved by linear program: exactly, and in time like the cube of their number.
_LINEAR = 2000
# Rounds of regret matching in one go, and the most of them.
_ROUNDS, _MOST = 100, 100_000


@dataclass(frozen=True, eq=False)
class Solution:
    """A mixture, and a distribution over answers that nearly holds it there.

    Attributes:
        shares: float64 [choices]: how likely each choice is in its state.
        host: float64 [answers].
        upper: no answer takes the mixture more guesses on average.
        lower: no mixture of the same choices takes fewer against the host.

    """

    shares: Weights
    host: Weights
    upper: float
    lower: float


class Mixture:
    """Strategies of a game, taken up one by one.

    Attributes:
        states: the candidates of each state, int32; the first is the start.
        owners, guesses: the state and the guess of each choice.
        children: the states that each choice leads to, int32.

    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states: list[Indices] = []
        self.owners: list[int] = []
        self.guesses: list[int] = []
        self.children: list[Indices] = []
        self._state: dict[int, int] = {}
        self._known: set[tuple[int, int]] = set()
        self._laid_out: tuple[Play, NDArray[np.int64]] | None = None
        self._regrets: Weights = np.zeros(0)
        self._host_regrets: Weights = np.zeros(len(game.answers))
        self._number(Frontier.of(Position.start(game)))

    def __len__(self) -> int:
        return len(self.guesses)

    def add(self, tree: DecisionTree) -> int:
        """Take a strategy up; return how many choices of it are new.

        Raises SleuthError for a tree of other guesses and answers, or one that does not go on to the end.
        """
        if (tree.game.guesses, tree.game.answers) != (self.game.guesses, self.game.answers):
            raise SleuthError(f"a tree of {tree.game.name} is none of {self.game.name}")
        before = len(self)
        frontier = Frontier.of(Position.start(self.game))
        states = self._number(frontier)
        first = 0
        while len(frontier):
            begin, first = first, first + len(frontier)
            frontier, states = self._choose(frontier, states, tree.guess[begin:first])
        return len(self) - before

    def _number(self, frontier: Frontier) -> Indices:
        """Return the states of candidate sets, int32 [sets]; those of small ones come with their choices."""
        keys = frontier.keys().tolist()
        fresh = []
        for place, key in enumerate(keys):
            if key not in self._state:
                self._state[key] = len(self.states)
                self.states.append(frontier.candidates[frontier.starts[place] : frontier.starts[place + 1]])
                fresh.append(place)
        numbers = np.array([self._state[key] for key in keys], np.int32)
        new = np.array(fresh, np.int64)
        own = [self.game.answer_guess[self.states[s]] for s in numbers[new]]
        # Where some answer cannot be named, naming others may lead to where nothing tells the rest apart.
        new = new[[len(named) <= _FEW and bool(np.all(named >= 0)) for named in own]]
        if len(new):
            each = np.repeat(new, frontier.sizes[new])
            named = np.concatenate([self.game.answer_guess[self.states[s]] for s in numbers[new]])
            self._choose(frontier.take(each), numbers[each], named)
        return numbers

    def _choose(self, frontier: Frontier, states: Indices, guesses: Indices) -> tuple[Frontier, Indices]:
        """Make a guess known in each state; return what they lead to."""
        after = frontier.after(guesses)
        numbers = self._number(after.frontier)
        ends = np.searchsorted(after.parent, np.arange(len(guesses) + 1))
        for place, choice in enumerate(zip(states.tolist(), guesses.tolist(), strict=True)):
            if choice not in self._known:
                self._known.add(choice)
                self.owners.append(choice[0])
                self.guesses.append(choice[1])
                self.children.append(numbers[ends[place] : ends[place + 1]])
        return after.frontier, numbers

    def least(self, host: Weights) -> float:
        """Return the least mean against a distribution among all combinations of what is known.

        host: weights [answers]. Raises WordListError for anything else.
        """
        return float(self._opener_costs(host)[0].min())

    def best(self, host: Weights) -> list[int]:
        """Return the first guesses known, those of the least mean against a distribution first.

        host: weights [answers]. Raises WordListError for anything else.
        """
        costs, choices = self._opener_costs(host)
        return [self.guesses[c] for c in choices[np.argsort(costs, kind="stable")]]

    def _opener_costs(self, host: Weights) -> tuple[Weights, NDArray[np.int64]]:
        from sleuth.kernels.regret import costs_of

        host = checked_weights(host, len(self.game.answers))
        play, order = self.play()
        first = play.choice_starts[1]
        return costs_of(play, host)[:first], order[:first]

    def openers(self, solution: Solution) -> list[tuple[str, float]]:
        """Return the first guesses with their probabilities, the likeliest first."""
        # What was taken up since the solution has no part in it.
        found = [
            (self.game.guesses[guess], share)
            for owner, guess, share in zip(self.owners, self.guesses, solution.shares.tolist(), strict=False)
            if owner == 0
        ]
        return sorted(found, key=lambda pair: -pair[1])

    def solve(self, gap: float) -> Solution:
        """Return a mixture that is within so many guesses of the best one. Raises SleuthError (no scipy)."""
        play, order = self.play()
        if len(self) <= _LINEAR:
            return self._by_program(play, order)
        return self._by_regret(play, order, gap)

    def play(self) -> tuple[Play, NDArray[np.int64]]:
        """Return the states as the kernels take them, the largest first, and which choice each place has."""
        from sleuth.kernels.regret import Play

        if self._laid_out is not None and len(self._laid_out[1]) == len(self):
            return self._laid_out
        sizes = np.array([len(members) for members in self.states])
        largest = np.argsort(-sizes, kind="stable")
        place = np.empty(len(largest), np.int32)
        place[largest] = np.arange(len(largest))
        owners = place[self.owners]
        order = np.argsort(owners, kind="stable")
        after = [self.children[c] for c in order]
        play = Play(
            np.concatenate([[0], np.cumsum(sizes[largest])]),
            np.concatenate([self.states[s] for s in largest]),
            np.searchsorted(owners[order], np.arange(len(largest) + 1)),
            np.concatenate([[0], np.cumsum([len(states) for states in after])]),
            place[np.concatenate(after)],
        )
        self._laid_out = play, order
        return play, order

    def _solution(self, play: Play, order: NDArray[np.int64], chances: Weights, host: Weights) -> Solution:
        """Return what choices are worth that are made with such chances, or nearly, by the play's order."""
        from sleuth.kernels.regret import costs_of, taken

        counts = np.diff(play.choice_starts)
        totals = np.repeat(np.add.reduceat(chances, play.choice_starts[:-1]), counts)
        shares = np.divide(chances, totals, out=1 / np.repeat(counts, counts), where=totals > 0)
        took = np.empty(len(host))
        taken(play, shares, np.empty(len(counts)), took)
        host = host / host.sum()
        lower = float(costs_of(play, host)[: counts[0]].min())
        own = np.empty(len(shares))
        own[order] = shares
        return Solution(own, host, float(took.max()), lower)

    def _match(self, play: Play, regrets: Weights, rounds: int) -> tuple[Weights, Weights]:
        """Play so many rounds of regret matching; return the chances of choices and the host's, summed."""
        from sleuth.kernels.regret import match_regrets

        chances, host, stop = np.zeros(len(self)), np.zeros(len(self.game.answers)), new_stop()
        map_threads(
            lambda most: match_regrets(play, regrets, self._host_regrets, most, chances, host, stop),
            [rounds],
            stop,
        )
        return chances, host

    def _by_regret(self, play: Play, order: NDArray[np.int64], gap: float) -> Solution:
        regrets = np.zeros(len(self))
        regrets[: len(self._regrets)] = self._regrets
        regrets = regrets[order]
        rounds = _ROUNDS
        while True:
            chances, host = self._match(play, regrets, rounds)
            solution = self._solution(play, order, chances, host)
            if solution.upper - solution.lower <= gap or rounds >= _MOST:
                break
            rounds *= 2
        self._regrets = np.empty(len(self))
        self._regrets[order] = regrets
        return solution

    def _by_program(self, play: Play, order: NDArray[np.int64]) -> Solution:
        try:
            from scipy.optimize import linprog
            from scipy.sparse import block_array, coo_array
        except ImportError:
            raise SleuthError("equilibria need scipy", remedy=f": {installed_by('equilibrium')}") from None
        answers, states, choices = len(self.game.answers), len(self.states), len(self)
        sizes, counts = np.diff(play.member_starts), np.diff(play.choice_starts)
        each = np.arange(choices)
        owners = np.repeat(np.arange(states), counts)
        # A guess costs one for each answer in its state.
        inside = coo_array(
            (np.ones(len(play.members)), (play.members, np.repeat(np.arange(states), sizes))),
            (answers, states),
        )
        made = coo_array((np.ones(choices), (owners, each)), (states, choices)).tocsr()
        came = coo_array(
            (np.ones(len(play.children)), (play.children, np.repeat(each, np.diff(play.child_starts)))),
            (states, choices),
        )
        start = np.zeros(states)
        start[0] = 1.0
        # What comes to a state is shared among its choices; no answer takes more than the last variable.
        solved = linprog(
            np.append(np.zeros(choices), 1.0),
            A_ub=block_array([[inside.tocsr() @ made, -np.ones((answers, 1))]], format="csr"),
            b_ub=np.zeros(answers),
            A_eq=block_array([[made - came.tocsr(), np.zeros((states, 1))]], format="csr"),
            b_eq=start,
            bounds=[(0, None)] * choices + [(None, None)],
            method="highs",
        )
        if solved.x is None:
            raise SleuthError(f"the linear program was not solved: {solved.message}")
        host = np.maximum(-solved.ineqlin.marginals, 0.0)
        return self._solution(play, order, np.maximum(solved.x[:-1], 0.0), host)

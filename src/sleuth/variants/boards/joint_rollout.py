"""Rollout on several boards: the best of a few guesses by games played to their ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf, prod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sleuth.support.errors import StrategyError
from sleuth.support.parallel import PIECES, even_slices, map_threads, thread_count
from sleuth.support.ranges import check_range, check_seed
from sleuth.variants.boards.position import BoardsPosition
from sleuth.variants.boards.strategies import JointInformation, JointSuggestion, check_rate, joint_numbers

# Guesses beyond two a board after which a simulated game is given up.
_PATIENCE = 10
_DIGITS = 9
# Drawn games that say what is best one guess later.
_SCOUTS = 4


@dataclass(frozen=True)
class JointRollout:
    """The best of the one-step strategy's `width` best guesses, when that plays on after it.

    All guesses meet the same answers (common random numbers). Where the boards have few combinations of
    answers (`width` * `games` at most), each is played, by as many guesses as make that many games in all.
    Else games are drawn, and the worse half of the guesses is dropped each time the games double
    (sequential halving). A game that is not won in time costs `loss` guesses more, so that the mean counts
    where time is plenty, and winning where it is not: where at most one guess can be spared, or there
    are few candidates, the best of those are tried too. After the first guess games are played with all
    candidates and a pool: the guesses that are best now and, where games are drawn, those that are best after
    the first of them in a few.

    Attributes:
        rate: of the one-step strategy, see JointInformation.
        width: how many guesses are tried.
        games: games with each guess before the first half is dropped.
        pool: about how many guesses to play on with, beside the candidates.
        loss: what a lost game costs, in guesses.
        seed: what the draws come from; the same position gets the same draws.

    """

    rate: float = 0.4
    width: int = 16
    games: int = 64
    pool: int = 64
    loss: float = 10.0
    seed: int = 0
    name: ClassVar[str] = "joint-rollout"

    def __post_init__(self) -> None:
        check_rate(self.rate)
        check_range(self, "width", "games", "pool", least=1, error=StrategyError)
        check_seed(self.seed, StrategyError)
        check_range(self, "loss", least=0, below=inf, error=StrategyError)

    def choose(self, position: BoardsPosition) -> int:
        return int(self._tried(position, ())[0][0])

    def rank(self, position: BoardsPosition, limit: int = 20) -> list[JointSuggestion]:
        """Return the best guesses, best first: at most those that games were played with."""
        return self.weigh(position)[:limit]

    def weigh(self, position: BoardsPosition, also: Sequence[int] = ()) -> list[JointSuggestion]:
        """Return the guesses tried, best first; then those of `also`, by index, that were not.

        What `also` names changes nothing of the others: a position is worth the same whatever is asked beside
        it. Raises StrategyError.
        """
        guesses, costs, wins, errors, how = self._tried(position, also)
        return [
            replace(row, expected_guesses=float(cost), win=float(win), expected_by=how, error=float(error))
            for row, cost, win, error in zip(
                joint_numbers(position, guesses), costs, wins, errors, strict=True
            )
        ]

    def _tried(
        self, position: BoardsPosition, also: Sequence[int]
    ) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], str]:
        """Return the guesses of `weigh`, their costs, chances to win and errors, and by what these are known.

        Guesses that were dropped early are compared with the best over the games that both played.
        """
        base = JointInformation(self.rate)
        count = prod(position.sizes.tolist())
        few = count <= self.games * self.width
        # As many games in all where the answers are few, and so more guesses.
        width = self.games * self.width // count if few else self.width
        guesses, _ = base.best(position, max(width, self.pool))
        pool = guesses[: self.pool] if few else self._pool(position, base, guesses)
        firsts = guesses[:width]
        if position.turns_left <= len(position.open) + 1 or position.sizes.sum() <= width:
            firsts = np.concatenate([firsts, np.setdiff1d(_candidates(position, base, width), firsts)])
        more = np.setdiff1d(np.array(also, np.int32), firsts)
        most = max(2 * len(position.open) + _PATIENCE, position.turns_left)
        play = _Play(position, pool, base.rates(len(position.open)), most)
        if few:
            answers, shares = _every(position)
            turns = play(answers, np.concatenate([firsts, more]))
            in_time = turns <= position.turns_left
            means, wins = turns @ shares, (in_time @ shares).clip(0, 1)  # sums of shares are rounded
            errors = np.zeros(len(means))
            how = "every answer"
        else:
            means, wins, errors = self._halved(position, firsts, more, play)
            how = "rollout"
        costs = self._costs(means, wins)
        order = np.append(np.argsort(costs[: len(firsts)], kind="stable"), np.arange(len(firsts), len(costs)))
        return np.concatenate([firsts, more])[order], costs[order], wins[order], errors[order], how

    def _pool(
        self, position: BoardsPosition, base: JointInformation, guesses: NDArray[np.int32]
    ) -> NDArray[np.int32]:
        """Return the guesses to play on with, int32: of the best now, and of the best one guess later."""
        pool = [guesses[: (self.pool + 1) // 2]]
        row = position.game.feedback_row(int(guesses[0]))
        for answers in self._draw(position, _SCOUTS):
            after = replace(position, boards=position.open).after(int(guesses[0]), row[answers].tolist())
            if not after.is_over:
                pool.append(base.best(after, max(1, self.pool // (2 * _SCOUTS)))[0])
        _, first = np.unique(np.concatenate(pool), return_index=True)
        return np.concatenate(pool)[np.sort(first)]

    def _halved(
        self, position: BoardsPosition, firsts: NDArray[np.int32], more: NDArray[np.int32], play: _Play
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return mean guesses, the chance to win and the error of each guess, float64 [guesses], by halving.

        more: guesses that play as many games as the best, and are not held against the others.
        """
        rounds = max(1, (len(firsts) - 1).bit_length())
        most = self.games * 2 ** (rounds - 1)
        answers = self._draw(position, most)
        turns = np.zeros((len(firsts), most), np.int32)
        played = np.zeros(len(firsts), np.int64)
        alive, before = np.arange(len(firsts)), 0
        for n in (self.games * 2**i for i in range(rounds)):
            turns[alive, before:n] = play(answers[before:n], firsts[alive])
            played[alive] = before = n
            seen = turns[alive, :n]
            costs = self._costs(seen.mean(1), (seen <= position.turns_left).mean(1))
            alive = np.sort(alive[np.argsort(costs, kind="stable")[: (len(alive) + 1) // 2]])
        best = turns[alive[0]]
        won = best <= position.turns_left
        if len(more):
            turns = np.concatenate([turns, play(answers, more)])
            played = np.concatenate([played, np.full(len(more), most)])
        means, wins, errors = np.empty((3, len(turns)))
        for j, n in enumerate(played.tolist()):
            in_time = turns[j, :n] <= position.turns_left
            longer = turns[j, :n] - best[:n]
            means[j] = best.mean() + longer.mean()
            wins[j] = won.mean() + (in_time.mean() - won[:n].mean())
            differences = longer + self.loss * (won[:n].astype(np.int64) - in_time)
            errors[j] = differences.std(ddof=1) / np.sqrt(n) if n > 1 else inf
        return means, wins.clip(0, 1), errors

    def _costs(self, means: NDArray[np.float64], wins: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.round(means + self.loss * (1 - wins), _DIGITS)

    def _draw(self, position: BoardsPosition, games: int) -> NDArray[np.int32]:
        """Return answers of the open boards, int32 [games, boards], drawn by their weights.

        Each board's answers are evenly spaced through its candidates and then shuffled, which has less
        variance than answers drawn apart.
        """
        from sleuth.kernels.boards import state_key

        rng = np.random.default_rng(
            [self.seed, position.turn, int(state_key(position.members, position.sizes))]
        )
        columns = []
        for board in position.open:
            places = (rng.random() + rng.permutation(games)) / games
            at = np.searchsorted(np.cumsum(board.weights)[:-1], places, side="right")
            columns.append(board.candidates[at])
        return np.ascontiguousarray(np.array(columns, np.int32).T)


@dataclass(frozen=True, eq=False)
class _Play:
    """Games from a position: called with answers and first guesses, it returns the guesses they take."""

    position: BoardsPosition
    pool: NDArray[np.int32]
    rates: NDArray[np.float64]
    most: int

    def __call__(self, answers: NDArray[np.int32], firsts: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return int32 [firsts, games]."""
        from sleuth.kernels.boards import play_on

        at, out = self.position, np.empty((len(firsts), len(answers)), np.int32)

        def fill(part: slice) -> None:
            asked, into = firsts[part], out[part]
            tables = at.game.tables
            play_on(tables, at.members, at.sizes, answers, asked, self.pool, self.rates, self.most, into)

        map_threads(fill, even_slices(np.ones(len(firsts), np.int64), PIECES * thread_count()))
        return out


def _candidates(position: BoardsPosition, base: JointInformation, k: int) -> NDArray[np.int32]:
    """Return the k best guesses that may be right, int32; where time is short they may win, others cannot."""
    members = np.unique(np.concatenate([board.candidates for board in position.open]))
    named = position.game.answer_guess[members]
    named = named[named >= 0].astype(np.int32)
    best: NDArray[np.int32] = named[np.argsort(base.costs(position)[named], kind="stable")[:k]]
    return best


def _every(position: BoardsPosition) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return all combinations of answers, int32 [games, boards], and how likely each is."""
    answers = np.array(list(product(*(board.candidates.tolist() for board in position.open))), np.int32)
    shares = np.array([prod(row) for row in product(*(board.weights.tolist() for board in position.open))])
    return answers, shares

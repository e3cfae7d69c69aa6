"""Strategies over the joint state of several boards; the one-step one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sleuth.games.strategy import Certainty, describe
from sleuth.support.errors import StrategyError
from sleuth.support.parallel import PIECES, even_slices, map_threads, thread_count
from sleuth.support.registry import Registry
from sleuth.support.specification import from_text
from sleuth.variants.boards.position import BoardsPosition

# Costs are held to nine digits: far above their rounding error, so that equals tie.
_DIGITS = 9
# Candidates of all boards up to which games are played to their ends in a second or two.
_PLAYED_UP_TO = 10000


@dataclass(frozen=True)
class JointSuggestion:
    """A guess and what a person wants to know of it.

    Attributes:
        guess: the guess.
        solves: how many boards it is expected to solve.
        bits: expected information of its feedback, in bits, summed over the boards.
        expected_guesses: guesses still needed until all boards are solved, this one included; where games
            were played to their ends, one that is not won in time counts as JointRollout.loss guesses more.
        win: the chance to solve all boards in time, where games were played to their ends, else None.
        expected_by: where expected_guesses comes from: "estimate", "rollout" (games with drawn answers), or
            "every answer" (a rollout over all combinations of answers).
        error: the standard error of expected_guesses less that of the best guess, over the games with drawn
            answers that both played; 0 by every answer, and None where no game was played.
        kind: what expected_guesses is: "at most" by every answer, else "estimate".

    """

    guess: str
    solves: float
    bits: float
    expected_guesses: float
    win: float | None = None
    expected_by: str = "estimate"
    error: float | None = None
    kind: Certainty = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", "at most" if self.expected_by == "every answer" else "estimate")


class JointStrategy(Protocol):
    """Anything that plays several boards. Its choice depends on the position alone."""

    name: ClassVar[str]

    def choose(self, position: BoardsPosition) -> int:
        """Return the index of the next guess. Raises StrategyError."""

    def rank(self, position: BoardsPosition, limit: int = 20) -> list[JointSuggestion]:
        """Return the best guesses, best first, with their numbers."""


JOINT: Registry[type[Any]] = Registry("strategy for several boards")
for _name, _target, _summary in (
    ("joint-information", "strategies:JointInformation", "boards solved now against bits left, in one step"),
    ("joint-rollout", "joint_rollout:JointRollout", "the best of its guesses by games played to their ends"),
):
    JOINT.register(_name, f"sleuth.variants.boards.{_target}", _summary)


def make_joint(specification: str, options: dict[str, Any] | None = None) -> JointStrategy:
    """Return a strategy by its name, with options as in "joint-rollout(width=8)". Raises SleuthError."""
    made: JointStrategy = from_text(JOINT, specification, options)
    return made


def advised(position: BoardsPosition) -> JointStrategy:
    """Return the strategy that answers in a second or two: rollout, with many candidates the one-step one."""
    return make_joint("joint-rollout" if position.sizes.sum() <= _PLAYED_UP_TO else "joint-information")


@dataclass(frozen=True)
class JointInformation:
    """Least expected work left, summed over the boards: one guess a board, and a price for every bit.

    Every board that is not solved takes one guess; bits that are not known cost `rate` / boards**0.65 each,
    since what is guessed for one board tells of the others too. docs/boards.md has the formula.

    Attributes:
        rate: guesses a bit costs on a board alone.

    """

    rate: float = 0.4
    name: ClassVar[str] = "joint-information"

    def __post_init__(self) -> None:
        check_rate(self.rate)

    def choose(self, position: BoardsPosition) -> int:
        return int(self.best(position, 1)[0][0])

    def rank(self, position: BoardsPosition, limit: int = 20) -> list[JointSuggestion]:
        guesses, costs = self.best(position, limit)
        return [
            replace(row, expected_guesses=float(1 + cost))
            for row, cost in zip(joint_numbers(position, guesses), costs, strict=True)
        ]

    def best(self, position: BoardsPosition, k: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return the k best useful guesses, int32, and what each is expected to leave, float64, best first.

        Ties are broken by list order. A guess is useful that may be right or tells something. Raises
        StrategyError where none does, or all boards are solved.
        """
        if position.is_over:
            raise StrategyError("every board is solved: there is nothing to guess")
        if position.sizes.max() == 1:  # all answers are known, and any order does
            known = position.game.answer_guess[position.members[:1, 0]].astype(np.int32)
            return known, np.array([float(len(set(position.members[:, 0].tolist())) - 1)])
        costs = self.costs(position)
        if k == 1:
            found = np.array([np.argmin(costs)], np.int32)
        else:
            least = np.partition(costs, min(k, len(costs)) - 1)[min(k, len(costs)) - 1]
            near = np.flatnonzero(costs <= least)
            found = near[np.argsort(costs[near], kind="stable")[:k]].astype(np.int32)
        found = found[[_is_useful(position, int(guess)) for guess in found]]
        if len(found):
            return found, costs[found]
        if not position.game.is_uniform:
            # The prior may leave one answer alone, which no guess can name, and others of prior 0.
            return self.best(_even(position), k)
        words = [" or ".join(board.words[:5]) for board in position.open if len(board.candidates) > 1]
        raise StrategyError(
            f"{self.name} finds no guess that tells apart {'; '.join(words[:3])} in {position.game.name}"
        )

    def costs(self, position: BoardsPosition) -> NDArray[np.float64]:
        """Return what each guess is expected to leave, float64 [guesses]."""
        from sleuth.kernels.boards import expected_left

        tables, members, sizes = position.game.tables, position.members, position.sizes
        rate = self.rates(len(sizes))[-1]
        guesses = np.arange(len(position.game.guesses), dtype=np.int32)
        out = np.empty(len(guesses))

        def fill(part: slice) -> None:
            expected_left(tables, members, sizes, rate, guesses[part], out[part])

        map_threads(fill, even_slices(np.ones(len(guesses), np.int64), PIECES * thread_count()))
        return np.round(out, _DIGITS)

    def rates(self, boards: int) -> NDArray[np.float64]:
        """Return what a bit costs where so many boards are open, float64 [boards + 1]."""
        count = np.maximum(np.arange(boards + 1.0), 1)
        rates: NDArray[np.float64] = self.rate / count**0.65
        return rates


def check_rate(rate: float) -> None:
    """Raise StrategyError for a rate at which a guess that tells something may count as one that does not."""
    if not 0.001 <= rate < inf:
        raise StrategyError(f"rate must be a finite number from 0.001, not {rate}")


def joint_numbers(position: BoardsPosition, guesses: NDArray[np.int32]) -> list[JointSuggestion]:
    """Return the boards that guesses are expected to solve, and their bits; expected_guesses is nan."""
    boards = [describe(board, guesses) for board in position.open]
    return [
        JointSuggestion(
            position.game.guesses[guess],
            sum(board[i].chance for board in boards),
            sum(board[i].bits for board in boards),
            float("nan"),
        )
        for i, guess in enumerate(guesses.tolist())
    ]


def _is_useful(position: BoardsPosition, guess: int) -> bool:
    """Say whether a guess may be right on some board or tells candidates apart that have weight."""
    game = position.game
    row = game.feedback_row(guess)
    for board in position.open:
        heavy = board.candidates[board.weights > 0]
        codes = row[heavy]
        if np.any(codes != codes[0]) or np.any(heavy == game.guess_answer[guess]):
            return True
    return False


def _even(position: BoardsPosition) -> BoardsPosition:
    """Return the position under a uniform prior."""
    game = position.game.with_prior(np.ones(len(position.game.answers)))
    boards = tuple(None if board is None else replace(board, game=game) for board in position.boards)
    return replace(position, game=game, boards=boards)

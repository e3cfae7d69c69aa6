"""The best next guess, and why: the strategy that a person should be advised by, chosen for them."""

from __future__ import annotations

from dataclasses import dataclass

from sleuth import book
from sleuth.position import Position
from sleuth.strategies.base import Suggestion

ROLLOUT_UP_TO = 600
"""Candidates up to which rollout answers in well under a second on two cores."""


@dataclass(frozen=True)
class Advice:
    """Suggestions, best first, and where they come from.

    Attributes:
        position: what they are for.
        suggestions: the best first.
        method: "book" (computed ahead, shipped), or the strategy's name.

    """

    position: Position
    suggestions: tuple[Suggestion, ...]
    method: str


def advise(position: Position, limit: int = 5) -> Advice:
    """Return the best next guesses of a position.

    The first move of a game that ships with Sleuth is looked up; else rollout over information gain decides,
    or expected-guesses alone where there are more candidates than rollout weighs at once.
    """
    if position.turn == 1:
        known = book.openers(position.game)
        if known:
            return Advice(position, known[:limit], "book")
    from sleuth.strategies.heuristics import ExpectedGuesses
    from sleuth.strategies.rollout import Rollout

    strategy = Rollout() if len(position.candidates) <= ROLLOUT_UP_TO else ExpectedGuesses()
    return Advice(position, tuple(strategy.rank(position, limit)), strategy.name)

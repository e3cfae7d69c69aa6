"""The best next guess, and why: the strategy that a person should be advised by, chosen for them."""

from __future__ import annotations

from dataclasses import dataclass

from sleuth import book
from sleuth.position import Position
from sleuth.strategies.base import Strategy, Suggestion

EXACT_UP_TO = 64
"""Candidates up to which exact play answers within 50 ms."""
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

    The first move of a game that ships with Sleuth is looked up. Else few candidates are played exactly,
    more by rollout over information gain, and by expected-guesses alone where there are more than rollout
    weighs at once.
    """
    if position.turn == 1:
        known = book.openers(position.game)
        if known:
            return Advice(position, known[:limit], "book")
    strategy = _strategy_for(len(position.candidates))
    return Advice(position, tuple(strategy.rank(position, limit)), strategy.name)


def _strategy_for(candidates: int) -> Strategy:
    """Return the best strategy that answers at once, importing no other."""
    if candidates <= EXACT_UP_TO:
        from sleuth.strategies.exact import Exact

        return Exact()
    if candidates <= ROLLOUT_UP_TO:
        from sleuth.strategies.rollout import Rollout

        return Rollout()
    from sleuth.strategies.heuristics import ExpectedGuesses

    return ExpectedGuesses()

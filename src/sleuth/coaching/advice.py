"""The best next guess, and why: the strategy that a person should be advised by, chosen for them."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from sleuth.coaching import book
from sleuth.coaching.quick import quick_guesses
from sleuth.games.position import Position
from sleuth.games.strategy import Strategy, Suggestion
from sleuth.kernels.compiling import NotCompiledError, compiled_only

EXACT_UP_TO = 64
"""Candidates up to which exact play answers within 50 ms."""
_LOOKED = 10
"""Guesses that beam search compares, and so the most that are suggested where there are more candidates."""
BEAM_UP_TO = 2000
"""Candidates up to which beam search answers in about a second on two cores."""


@dataclass(frozen=True)
class Advice:
    """Suggestions, best first, and where they come from.

    Attributes:
        position: what they are for.
        suggestions: the best first.
        method: "book" (computed ahead, shipped), or the strategy's name.
        provisional: whether better advice is to be had once kernels are compiled.

    """

    position: Position
    suggestions: tuple[Suggestion, ...]
    method: str
    provisional: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the suggestions and where they come from as plain values."""
        return {"method": self.method, "provisional": self.provisional, "guesses": self.to_records()}

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row of numbers for each suggestion, best first."""
        return [suggestion.to_json() for suggestion in self.suggestions]


def advise(position: Position, limit: int = 5, at_once: bool = False) -> Advice:
    """Return the best next guesses of a position.

    The first move of a game that ships with Sleuth is looked up. Else few candidates are played exactly,
    more by beam search, and very many by expected-guesses alone.

    at_once: compile no kernels. Where one is missing, the advice is that of expected-guesses, computed with
    NumPy within a second, and `provisional`.
    """
    if position.turn == 1:
        known = book.openers(position.game)
        if known:
            return Advice(position, known[:limit], "book")
    strategy = _strategy_for(len(position.candidates))
    try:
        with compiled_only() if at_once else nullcontext():
            return Advice(position, tuple(strategy.rank(position, limit)), strategy.name)
    except NotCompiledError:
        if not at_once:
            raise
        return Advice(position, quick_guesses(position, limit), "expected-guesses", provisional=True)


def _strategy_for(candidates: int) -> Strategy:
    """Return the best strategy that answers at once, importing no other."""
    if candidates <= EXACT_UP_TO:
        from sleuth.exact.strategy import Exact

        return Exact()
    if candidates <= BEAM_UP_TO:
        from sleuth.exact.beam import Beam

        return Beam(looked=_LOOKED)
    from sleuth.strategies.heuristics import ExpectedGuesses

    return ExpectedGuesses()

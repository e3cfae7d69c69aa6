"""The best next guess, and why: the strategy that a person should be advised by, chosen for them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from sleuth.coaching import book
from sleuth.coaching.quick import quick_guesses
from sleuth.coaching.turns import LAST_TURNS, are_up, turns_left
from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion, describe
from sleuth.kernels.compiling import NotCompiledError, compiled_only
from sleuth.strategies.heuristics import ExpectedGuesses
from sleuth.strategies.sampling import is_long, sampled_best
from sleuth.support.errors import UnfinishedError
from sleuth.support.ranges import MOST_SECONDS, check_number
from sleuth.support.shown import Shown
from sleuth.support.tabled import Tabled

SECONDS = 5.0
"""How long advice may take unless told otherwise."""
EXACT_UP_TO = 64
"""Candidates up to which exact play answers within 50 ms as a rule."""
_EXACT_LAST = 300
"""Candidates up to which it compares all guesses then."""
_LOOKED = 10
"""Guesses that beam search compares, and so the most that are suggested where there are more candidates."""
BEAM_UP_TO = 2000
"""Candidates up to which beam search answers in about a second on two cores as a rule."""


@dataclass(frozen=True, repr=False)
class Advice(Shown, Tabled):
    """Suggestions, best first, and where they come from.

    Attributes:
        position: what they are for.
        suggestions: the best first.
        method: "book" (computed ahead, shipped), or the strategy's name.
        provisional: whether better advice is to be had once kernels are compiled.
        sampled: whether the suggestions are the best of guesses that a sample of the answers found good, for
            there is no time for all; their numbers are of all answers.

    """

    position: Position
    suggestions: tuple[Suggestion, ...]
    method: str
    provisional: bool = False
    sampled: bool = False

    def __repr__(self) -> str:
        guesses = " ".join(suggestion.guess for suggestion in self.suggestions)
        return f"<Advice {self.position.game.name}: {guesses or 'no guess'}, by {self.method}>"

    def to_json(self) -> dict[str, Any]:
        """Return the suggestions and where they come from as plain values."""
        return {
            "method": self.method,
            "provisional": self.provisional,
            "sampled": self.sampled,
            "guesses": self.to_records(),
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row of numbers for each suggestion, best first."""
        return [suggestion.to_json() for suggestion in self.suggestions]


def advise(position: Position, limit: int = 5, at_once: bool = False, seconds: float = SECONDS) -> Advice:
    """Return the best next guesses of a position.

    The first move of a game that ships with Sleuth is looked up. Else few candidates are played exactly,
    more by beam search, and very many by expected-guesses alone. Where there are too many pairs of guess and
    answer for that (MOST_PAIRS of strategies/sampling.py), it looks at the guesses that a sample finds good.

    at_once: compile no kernels. Where one is missing, the advice is that of expected-guesses, computed with
    NumPy within a second, and `provisional`.
    seconds: how long exact play or beam search may take, without the time that kernels take to be compiled.
    Where they do not end in time, guesses are ranked by rollout or expected-guesses, with the least that each
    is known to need. Raises SleuthError for a time that is none.
    """
    check_number("seconds", seconds, above=0, most=MOST_SECONDS)
    if position.turn == 1:
        known = book.openers(position.game)
        if known:
            return Advice(position, known[:limit], "book")
    try:
        with compiled_only() if at_once else nullcontext():
            if not is_long(position.game):
                return _searched(position, limit, seconds)
            alone = position.alone()
            if not is_long(alone.game):
                return replace(_searched(alone, limit, seconds), position=position)
            found = describe(position, sampled_best(position, limit))
            return Advice(position, tuple(found), ExpectedGuesses.name, sampled=True)
    except NotCompiledError:
        if not at_once:
            raise
        return Advice(position, quick_guesses(position, limit), "expected-guesses", provisional=True)


def _searched(position: Position, limit: int, seconds: float) -> Advice:
    """Return advice by the best method that ends in time, importing no other."""
    candidates = len(position.candidates)
    if candidates <= (_EXACT_LAST if turns_left(position) <= LAST_TURNS else EXACT_UP_TO):
        from sleuth.coaching.solving import Counted
        from sleuth.exact.strategy import Exact

        # Once the turns are up, play goes on without a limit, and nothing more can be lost.
        exact = (Exact if are_up(position) else Counted)(seconds=seconds)
        return Advice(position, tuple(exact.rank(position, limit)), exact.name)
    if candidates <= BEAM_UP_TO:
        from sleuth.exact.beam import Beam

        with Beam(looked=_LOOKED).within(position.game, seconds) as beam:
            try:
                return Advice(position, tuple(beam.rank(position, limit)), beam.name)
            except UnfinishedError:
                guesses, least = beam.least(position)
                return _estimated(position, limit, guesses.tolist(), least.tolist())
    return _estimated(position, limit)


def _estimated(
    position: Position, limit: int, guesses: Iterable[int] = (), least: Iterable[float] = ()
) -> Advice:
    """Return advice by expected-guesses. guesses, least: what is known of some, in guesses needed."""
    quick = ExpectedGuesses()
    known = dict(zip((position.game.guesses[guess] for guess in guesses), least, strict=True))
    found = (replace(row, least=known.get(row.guess)) for row in quick.rank(position, limit))
    return Advice(position, tuple(found), quick.name)

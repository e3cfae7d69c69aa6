"""The best guesses of a position, with the numbers that trying them shows: one number wherever it stands."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import lru_cache

import numpy as np

from sleuth.coaching.advice import SECONDS, Advice, advise
from sleuth.coaching.solving import evened
from sleuth.coaching.weighing.candidates import exact_values
from sleuth.coaching.weighing.guesses import EXACT, SEARCH, can_be_counted, surer, weighed
from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion, describe
from sleuth.kernels.compiling import NotCompiledError, compiled_only, seconds_worked
from sleuth.strategies.sampling import is_long

# Shares of the time: for finding the best guesses; the rest is for looking at their groups.
_FINDING = 0.6
# What looking at one guess may take, as it does where it is tried.
_LOOKING = 1.0
# For the words left.
_CANDIDATES = 1.0
# So many guesses are compared at least: which is the best does not depend on how many are asked for.
_COMPARED = 12
_LEAST_SECONDS = 1e-3
_DIGITS = 9


def suggested(position: Position, limit: int = 5, at_once: bool = False, seconds: float = SECONDS) -> Advice:
    """Return the advice of `advise`, the numbers that it does not know exactly worked out from their groups.

    Of a few words left, those that take less than a guess advised are among them. What is still an estimate
    once the time is up comes after what was counted. Those of the last few positions are kept, so that who
    tries many guesses in one has the same best one beside them all. Raises as advise does.
    """
    most = max(limit, _COMPARED)
    try:
        with compiled_only() if at_once else nullcontext():
            found = _kept(position, most, seconds)
    except NotCompiledError:
        if not at_once:
            raise
        found = _found(position, most, True, seconds)  # what there is to say already
    return replace(found, suggestions=found.suggestions[:limit])


@lru_cache(maxsize=16)
def _kept(position: Position, most: int, seconds: float) -> Advice:
    return _found(position, most, False, seconds)


def _found(position: Position, most: int, at_once: bool, seconds: float) -> Advice:
    """Return so many suggestions, or fewer."""
    begun = seconds_worked()
    advice = advise(position, most, at_once, _FINDING * seconds)
    if advice.provisional or advice.sampled or advice.method == "book" or position.solved:
        return advice
    even = evened(position.alone() if is_long(position.game) else position)
    found = list(advice.suggestions)
    try:
        with compiled_only() if at_once else nullcontext():
            if any(one.kind != "proved" for one in found):
                found = _with_candidates(found, even, min(_CANDIDATES, _FINDING * seconds))
            for place, one in enumerate(found):
                left = seconds - (seconds_worked() - begun)
                if left < _LEAST_SECONDS:
                    break
                if one.kind != "proved":
                    found[place] = _better(one, even, min(_LOOKING, left))
    except NotCompiledError:
        if not at_once:  # what is not yet known would be kept
            raise
    return replace(advice, suggestions=tuple(sorted(found, key=_order)))


def _with_candidates(found: list[Suggestion], position: Position, seconds: float) -> list[Suggestion]:
    """Return suggestions, with the best of the words left as far as they can be solved in time."""
    guesses = position.game.answer_guess[position.candidates]
    values = exact_values(position, guesses, seconds)
    known = [
        (round(value, _DIGITS), guess)
        for guess, value in zip(guesses.tolist(), values or (), strict=values is not None)
        if value is not None
    ]
    best = sorted(known)[: len(found)]
    numbers = describe(position, np.array([guess for _, guess in best], np.int32))
    counted = [
        replace(one, expected_guesses=value, expected_by="exact", least=value)
        for one, (value, _) in zip(numbers, best, strict=True)
    ]
    words = {one.guess for one in counted}
    return [one for one in found if one.guess not in words] + counted


def _better(one: Suggestion, position: Position, seconds: float) -> Suggestion:
    """Return a suggestion, or what its groups say of it where that is as certain."""
    guess = position.game.find(one.guess)
    if not can_be_counted(position, guess):  # an estimate it stays, so that looking takes time for nothing
        return one
    return surer(one, weighed(position, guess, EXACT * seconds, SEARCH * seconds).numbers)


def _order(one: Suggestion) -> tuple[bool, float]:
    """Return what suggestions are sorted by; among equals, and among estimates, their order stays."""
    is_estimate = one.kind == "estimate"
    return is_estimate, 0.0 if is_estimate else round(one.expected_guesses, _DIGITS)

"""What the analysis board asks of a position: a guess tried, the words left, the whole strategy."""

from __future__ import annotations

from typing import Any

from sleuth.coaching.analysis.strategies import plan
from sleuth.coaching.analysis.tries import try_against_host, try_guess, try_through_lies
from sleuth.coaching.analysis.words import words_against_host, words_left, words_through_lies
from sleuth.trees.formats import FORMATS
from sleuth.web.advising import lied, plain, position_of
from sleuth.web.schemas import StrategyFileRequest, StrategyRequest, TryRequest, WordsRequest


def tried(request: TryRequest) -> dict[str, Any]:
    """Return what becomes of a guess, beside the best one. Raises SleuthError."""
    if request.variant == "fibble":
        found = try_through_lies(lied(request), request.guess)
    elif request.variant == "absurdle":
        found = try_against_host(position_of(request), request.guess)
    else:
        found = try_guess(position_of(request), request.guess)
    best = None if found.best is None else plain(found.best)
    return {**found.to_json(), "guess": plain(found.guess), "best": best}


def words(request: WordsRequest) -> dict[str, Any]:
    """Return the words that are left, and what each takes as the next guess. Raises SleuthError."""
    if request.variant == "fibble":
        liar = lied(request)
        left = [] if liar.solved else words_through_lies(liar, request.offset, request.limit)
        counts = {"turn": liar.belief.turn, "candidates": len(liar.belief.support)}
        return {**counts, "words": [word.to_json() for word in left]}
    at = position_of(request)
    listed = words_against_host if request.variant == "absurdle" else words_left
    found = [] if at.solved else listed(at, request.offset, request.limit)
    return {
        "turn": at.turn,
        "candidates": len(at.candidates),
        "words": [word.to_json() for word in found],
    }


def strategy(request: StrategyRequest) -> dict[str, Any]:
    """Return the whole strategy from a position on. Raises SleuthError."""
    return plan(position_of(request), request.guess).to_json()


def strategy_file(request: StrategyFileRequest) -> dict[str, Any]:
    """Return the text of a file of the strategy. Raises SleuthError."""
    tree = plan(position_of(request), request.guess).tree
    return {"text": FORMATS.load(f".{request.format}")(tree)}

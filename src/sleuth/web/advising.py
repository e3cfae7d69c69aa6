"""What there is, and what is asked of a position: the best guesses, the candidates.

Every function here takes a request and returns plain values; workers call them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from sleuth.coaching.hosts import Lied, against_host
from sleuth.coaching.playing.blame import blame
from sleuth.coaching.weighing.suggestions import suggested
from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion
from sleuth.strategies.registry import STRATEGIES
from sleuth.support.errors import ContradictionError
from sleuth.support.specification import default_of, option_fields, specification_of
from sleuth.variants.noise.strategies import NoisyExpectedGuesses
from sleuth.warmup import may_compile
from sleuth.web.games import game_of
from sleuth.web.schemas import PositionRequest, RankRequest, Row, SuggestRequest, VariantRequest
from sleuth.web.strategies import fields_of, offered, strategy_of

_WORDS = 100
# Seconds for what beats the host of Absurdle.
_AGAINST = 2.0


def strategies() -> dict[str, Any]:
    """Return the strategies, the defaults of their options, and what these take."""
    return {
        "strategies": [
            {
                "name": name,
                "summary": STRATEGIES[name].summary,
                "options": {key: default_of(field) for key, field in option_fields(kind).items()},
                "fields": fields_of(kind),
            }
            for name, kind in offered().items()
        ]
    }


def suggest(request: SuggestRequest) -> dict[str, Any]:
    """Return the best guesses of a position, the method chosen for the person. Raises SleuthError."""
    if request.variant == "fibble":
        return _suggest_through_lies(request)
    at = position_of(request)
    if at.solved:
        return {**_state(at), "guess": None, "method": "solved", "provisional": False, "guesses": []}
    if request.variant == "absurdle":
        found = against_host(at, request.limit, min(request.seconds, _AGAINST))
        return {**_state(at), "method": "absurdle", "provisional": False, **_ranking(found)}
    advice = suggested(at, request.limit, at_once=not may_compile(), seconds=request.seconds)
    ranking = _ranking(advice.suggestions)
    return {**_state(at), "method": advice.method, "provisional": advice.provisional, **ranking}


def _suggest_through_lies(request: SuggestRequest) -> dict[str, Any]:
    """Return the best guesses of Fibble, where one mark of every row is a lie. Raises SleuthError."""
    at = lied(request)
    method, found = (
        ("solved", []) if at.solved else (f"noisy-{NoisyExpectedGuesses.name}", at.best(request.limit))
    )
    return {**_state_through_lies(at), "method": method, "provisional": False, **_ranking(found)}


def lied(request: VariantRequest) -> Lied:
    """Return where a game of Fibble stands. Raises SleuthError."""
    return Lied.after_rows(game_of(request.game), rows_of(request.rows))


def rank(request: RankRequest) -> dict[str, Any]:
    """Return the guesses that a strategy ranks highest. Raises SleuthError."""
    strategy = strategy_of(request.strategy, request.options)
    at = position_of(request)
    found = [] if at.solved else strategy.rank(at, request.limit)
    return {**_state(at), "method": specification_of(strategy), "provisional": False, **_ranking(found)}


def check(request: VariantRequest) -> dict[str, Any]:
    """Return the candidates that rows leave, or which row contradicts the others. Raises SleuthError."""
    game = game_of(request.game)
    try:
        if request.variant == "fibble":
            return {**_state_through_lies(lied(request)), "contradiction": None}
        at = position_of(request)
    except ContradictionError as error:
        return {
            "candidates": 0,
            "words": [],
            "turn": len(request.rows) + 1,
            "solved": False,
            "widened": False,
            "notes": list(game.notes),
            "contradiction": _contradiction(request, error),
        }
    return {**_state(at), "contradiction": None}


def _contradiction(request: VariantRequest, error: ContradictionError) -> dict[str, Any]:
    """Return the row that is probably wrong, or where one change is not enough the first that cannot be.

    The message names that row and no other.
    """
    # Which mark is wrong where each row has a lie, nobody can say.
    fibbed = request.variant == "fibble"
    found = () if fibbed else blame(game_of(request.game), rows_of(request.rows), 1)
    if not found:
        return {"row": error.row, "first": error.row, "message": str(error), "places": [], "letters": []}
    slip = found[0]
    return {
        "row": slip.row,
        "first": error.row,
        "message": f"no possible answer fits all the rows; {slip.message}",
        "places": list(slip.places),
        "letters": list(slip.letters),
    }


def rows_of(rows: Iterable[Row]) -> list[tuple[str, str]]:
    """Return rows as the library takes them."""
    return [(row.guess, row.feedback) for row in rows]


def position_of(request: PositionRequest) -> Position:
    """Return the position after the rows. Raises SleuthError."""
    return Position.after_rows(game_of(request.game), rows_of(request.rows))


def _state(at: Position) -> dict[str, Any]:
    return {
        "turn": at.turn,
        "solved": at.solved,
        "candidates": len(at.candidates),
        "words": list(at.likeliest[:_WORDS]),
        "widened": at.widened,
        "notes": list(at.game.notes),
    }


def _state_through_lies(at: Lied) -> dict[str, Any]:
    words = [word for word, _ in at.likeliest]
    return {
        "turn": at.belief.turn,
        "solved": at.solved,
        "candidates": len(words),
        "words": words[:_WORDS],
        "widened": False,
        "notes": list(at.belief.game.notes),
    }


def _ranking(found: Iterable[Suggestion]) -> dict[str, Any]:
    guesses = [plain(suggestion) for suggestion in found]
    return {"guess": guesses[0]["guess"] if guesses else None, "guesses": guesses}


def plain(suggestion: Suggestion) -> dict[str, Any]:
    """Return a suggestion as JSON takes it: a guess that tells nothing has no expected guesses."""
    found: dict[str, Any] = finite(suggestion.to_json())
    return found


def finite(value: Any) -> Any:
    """Return plain values with null for numbers that JSON has not."""
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

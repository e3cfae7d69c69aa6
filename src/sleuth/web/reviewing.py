"""The review of a game that was played."""

from __future__ import annotations

from typing import Any

from sleuth.coaching.reviews.review import review as review_of
from sleuth.coaching.reviews.share import read_share
from sleuth.web.games import game_of
from sleuth.web.schemas import ReviewRequest


def review(request: ReviewRequest) -> dict[str, Any]:
    """Return the review of rows, of a pasted text, or of guesses with an answer. Raises SleuthError."""
    game = game_of(request.game)
    rows = [row.guess if row.feedback is None else (row.guess, row.feedback) for row in request.rows]
    more = read_share(game, request.text, request.guesses) if request.text else request.guesses
    return review_of(game, [*rows, *more], request.answer).to_json()

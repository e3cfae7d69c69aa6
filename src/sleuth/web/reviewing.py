"""The review of a game that was played."""

from __future__ import annotations

from typing import Any

from sleuth.reviews.review import review as review_of
from sleuth.reviews.share import read_share
from sleuth.web.advising import rows_of
from sleuth.web.games import game_of
from sleuth.web.schemas import ReviewRequest


def review(request: ReviewRequest) -> dict[str, Any]:
    """Return the review of rows, or of a pasted text with its words. Raises SleuthError."""
    game = game_of(request.game)
    rows = rows_of(request.rows)
    return review_of(
        game, [*rows, *read_share(game, request.text)] if request.text else rows, request.answer
    ).to_json()

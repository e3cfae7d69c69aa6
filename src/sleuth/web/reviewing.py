"""The review of a game that was played."""

from __future__ import annotations

from typing import Any

from sleuth.coaching.analysis.fit import fit as fit_of
from sleuth.coaching.analysis.fit import length_of
from sleuth.coaching.reviews.others import review_absurdle, review_fibble
from sleuth.coaching.reviews.review import review as review_of
from sleuth.coaching.reviews.share import read_share
from sleuth.games import wordlists
from sleuth.games.game import Game
from sleuth.support.errors import SleuthError
from sleuth.web.advising import finite
from sleuth.web.games import game_of
from sleuth.web.schemas import FitRequest, GameSpec, ReviewRequest

_FREQUENT = 3000


def review(request: ReviewRequest) -> dict[str, Any]:
    """Return the review of rows, of a pasted text, or of guesses with an answer. Raises SleuthError."""
    game = game_of(request.game)
    if request.variant != "standard":
        return _of_another_host(request, game)
    rows = [row.guess if row.feedback is None else (row.guess, row.feedback) for row in request.rows]
    more = read_share(game, request.text, request.guesses) if request.text else request.guesses
    return review_of(game, [*rows, *more], request.answer).to_json()


def _of_another_host(request: ReviewRequest, game: Game) -> dict[str, Any]:
    """Return the review of rows against Absurdle's host, or Fibble's. Raises SleuthError."""
    rows = []
    for number, row in enumerate(request.rows, 1):
        if row.feedback is None:
            raise SleuthError(f"row {number} needs its feedback: in {request.variant} no answer tells it")
        rows.append((row.guess, row.feedback))
    review_variant = review_absurdle if request.variant == "absurdle" else review_fibble
    found: dict[str, Any] = finite(review_variant(game, rows).to_json())
    return found


def fit(request: FitRequest) -> dict[str, Any]:
    """Return which words fit a pasted grid, in each game that it may be of. Raises SleuthError."""
    found = []
    for spec in _games_of(request.text) if request.game is None else [request.game]:
        game = game_of(spec)
        fitted = fit_of(game, request.text, request.answer)
        title = wordlists.NAMED.get(spec.words or "", game.listed)
        found.append({"game": spec.model_dump(exclude_none=True), "title": title, **fitted.to_json()})
    return {"games": found}


def _games_of(text: str) -> list[GameSpec]:
    """Return the games that a grid may be of, by how long its rows are."""
    length = length_of(text)
    if length is None:
        return [GameSpec(game="mastermind"), GameSpec(game="bulls-and-cows")]
    names = ("original", "nyt") if length == 5 else (f"frequent:en:{length}:{_FREQUENT}",)
    return [GameSpec(words=name) for name in names]

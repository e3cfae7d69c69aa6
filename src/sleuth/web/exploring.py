"""What a player looks around in: the openers of a list, and the decision tree, a step at a time."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from sleuth.coaching import book
from sleuth.coaching.proven import page_of
from sleuth.coaching.solving import evened
from sleuth.coaching.weighing.guesses import EXACT, SEARCH, weighed
from sleuth.coaching.weighing.suggestions import suggested
from sleuth.games.feedback import typed
from sleuth.games.game import Game, Mode
from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion, describe
from sleuth.support.errors import SleuthError
from sleuth.web.advising import plain, position_of
from sleuth.web.games import game_of
from sleuth.web.schemas import BranchesRequest, GameSpec, Measure, OpenersQuery

_BRANCH_WORDS = 12
# For what a guess takes.
_SECONDS = 1.0


def branches(request: BranchesRequest) -> dict[str, Any]:
    """Return each kind of feedback that a guess may get, the most frequent first. Raises SleuthError."""
    at = position_of(request)
    if at.solved:
        raise SleuthError("the last row is right: the game is over, and nothing branches from it")
    game = at.game
    if request.guess is None:
        suggestion = suggested(at, 1).suggestions[0]
    else:
        guess = game.find(request.guess)
        if at.legal is not None and not np.any(at.legal == guess):
            raise SleuthError(f"{game.guesses[guess]} is not legal there in {game.mode} mode")
        suggestion = weighed(evened(at), guess, EXACT * _SECONDS, SEARCH * _SECONDS).numbers
    codes = game.feedback_row(game.find(suggestion.guess))[at.candidates]
    found = []
    for code in np.unique(codes).tolist():
        here = np.flatnonzero(codes == code)
        likeliest = here[np.argsort(-at.weights[here], kind="stable")][:_BRANCH_WORDS]
        found.append(
            {
                "feedback": typed(game.rules.notation, code),
                "count": len(here),
                "chance": float(at.weights[here].sum()),
                "words": [game.answers[a] for a in at.candidates[likeliest]],
                "solved": code == game.solved,
            }
        )
    found.sort(key=lambda branch: (-branch["count"], branch["feedback"]))
    return {
        "guess": suggestion.guess,
        "suggestion": plain(suggestion),
        "candidates": len(at.candidates),
        "turn": at.turn,
        "branches": found,
    }


def openers(request: OpenersQuery) -> dict[str, Any]:
    """Return openers by a measure, the best first, with their ranks among all. Raises SleuthError."""
    wanted = request.search.strip().lower()
    lossy = page_of(game_of(GameSpec(words=request.words, mode=request.mode))).lossy
    ranked = enumerate(_by(request.words, request.mode, request.sort), 1)
    found = [(rank, opener) for rank, opener in ranked if wanted in opener.guess]
    shown = [
        {**_counted(opener), "rank": rank, "lossy": opener.guess in lossy}
        for rank, opener in found[request.offset : request.offset + request.limit]
    ]
    return {"total": len(found), "openers": shown}


def _counted(opener: Suggestion) -> dict[str, Any]:
    """Return an opener as JSON takes it; an estimate is no number to hold against one that was counted."""
    shown = plain(opener)
    return {**shown, "expected_guesses": None} if opener.expected_by == "estimate" else shown


@lru_cache(maxsize=2)
def _described(game: Game) -> tuple[Suggestion, ...]:
    """Return the numbers of every opener. They are those of all modes."""
    _ = game.feedback  # all at once is faster than a row a guess
    return tuple(describe(Position.start(game), np.arange(len(game.guesses), dtype=np.int32)))


@lru_cache(maxsize=12)
def _by(words: str, mode: Mode, measure: Measure) -> tuple[Suggestion, ...]:
    """Return the openers by a measure; ties as the book has them.

    The expected guesses of the openers in the book are those that play after them takes.
    """
    game = game_of(GameSpec(words=words, mode=mode))
    known = {opener.guess: opener for opener in book.openers(game)}
    lossy = page_of(game).lossy

    def key(one: Suggestion) -> tuple[Any, ...]:
        first = {
            "guesses": 0.0,
            "bits": -round(one.bits, 9),
            "left": one.expected_left,
            "worst": one.worst_left,
            "groups": -one.classes,
            "chance": -one.chance,
        }[measure]
        return (first, *book.order(one, lossy))

    found = [known.get(one.guess, one) for one in _described(game_of(GameSpec(words=words)))]
    return tuple(sorted(found, key=key))

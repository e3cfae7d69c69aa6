"""How hard a list is, as a job, and what words that are added or taken out change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sleuth.coaching.difficulty.change import Change, edited
from sleuth.coaching.difficulty.difficulty import Difficulty
from sleuth.coaching.difficulty.difficulty import difficulty as measure
from sleuth.coaching.difficulty.played import games_for
from sleuth.games.game import Game
from sleuth.support.errors import SleuthError
from sleuth.support.progress import Progress, Watch
from sleuth.web.advising import finite
from sleuth.web.games import game_of
from sleuth.web.schemas import MOST_MEASURED, DifficultyRequest

_SECONDS = 10.0
"""How long the best play is searched for a proof."""
_MEMORY = 2**28
"""Bytes for the table of that search."""

_kept: dict[Game, Difficulty] = {}
"""The list that was measured last: changes of it are what is asked for next."""


def difficulty(request: DifficultyRequest, progress: Watch) -> dict[str, Any]:
    """Return how hard a list is, as Difficulty.to_json, or a change, as Change.to_json. Raises SleuthError.

    The remarks of the progress say who plays, and of a change on which list: "after: casual player".
    """
    game = game_of(request.game)
    if request.max_turns not in (None, game.max_turns):
        game = replace(game, max_turns=request.max_turns)
    is_changed = bool(request.add or request.remove)
    games = [game, edited(game, request.add, request.remove)] if is_changed else [game]
    for one in games:
        if len(one.answers) > MOST_MEASURED:
            raise SleuthError(
                f"a list may have {MOST_MEASURED:,} answers at most for this, not {len(one.answers):,}"
            )
    # After a change the casual player plays as many games with each answer as before.
    each = games_for(len(game.answers))

    def measured(one: Game, where: str) -> Difficulty:
        def told(far: Progress) -> None:
            progress(replace(far, remark=where + far.remark))

        return measure(one, seconds=_SECONDS, memory=_MEMORY, games=each, progress=told)

    if game not in _kept:
        found = measured(game, "before: " if is_changed else "")
        _kept.clear()
        _kept[game] = found
    before = _kept[game]
    result = Change(before, measured(games[1], "after: ")) if is_changed else before
    plain: dict[str, Any] = finite(result.to_json())
    return plain

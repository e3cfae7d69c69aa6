"""The games that requests name, built once and kept while there is room."""

from __future__ import annotations

from collections import OrderedDict

from sleuth.games.choice import DEFAULT_WORDS, GameChoice
from sleuth.games.game import Game
from sleuth.web.schemas import GameSpec

MOST_CODES = 250_000_000
"""Feedback codes that the games kept may hold together; the one asked for last is always kept."""
LIGHT_CODES = 50_000_000
"""Feedback codes up to which a game of one's own words is built and played within a short request."""

_kept: OrderedDict[str, Game] = OrderedDict()


def game_of(spec: GameSpec) -> Game:
    """Return the game that is meant, the same object as last time where it is kept. Raises SleuthError."""
    if spec.game == "wordle" and spec.words is None and spec.answers is None:
        spec = spec.model_copy(update={"words": DEFAULT_WORDS})
    key = spec.model_dump_json(exclude_none=True)
    game = _kept.pop(key, None)
    if game is None:
        # Modes of one game share its matrices.
        plain = spec.model_copy(update={"mode": "easy"})
        game = (
            GameChoice(**dict(spec)).build() if spec.mode == "easy" else game_of(plain).with_mode(spec.mode)
        )
    _kept[key] = game
    while len(_kept) > 1 and sum(len(one.guesses) * len(one.answers) for one in _kept.values()) > MOST_CODES:
        _kept.popitem(last=False)
    return game


def is_light(spec: GameSpec) -> bool:
    """Say whether a game is small enough for a short request, without building it."""
    if spec.game == "mastermind":
        return bool(int(spec.colours or 6) ** (2 * int(spec.pegs or 4)) <= LIGHT_CODES)
    if spec.game == "bulls-and-cows":
        return (spec.pegs or 4) <= 4
    if spec.answers is not None:
        return len(spec.answers) * len(spec.guesses or spec.answers) <= LIGHT_CODES
    kind, _, rest = (spec.words or DEFAULT_WORDS).partition(":")
    count = rest.rpartition(":")[2]
    return kind != "frequent" or (count.isdecimal() and int(count) ** 2 <= LIGHT_CODES)

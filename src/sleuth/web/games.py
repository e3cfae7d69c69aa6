"""The games that requests name, built once and kept while there is room."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from sleuth.games.game import Game
from sleuth.support.errors import SleuthError
from sleuth.web.schemas import GameSpec

MOST_CODES = 250_000_000
"""Feedback codes that the games kept may hold together; the one asked for last is always kept."""
LIGHT_CODES = 50_000_000
"""Feedback codes up to which a game of one's own words is built and played within a short request."""

_LIST = "original"

_kept: OrderedDict[str, Game] = OrderedDict()


def game_of(spec: GameSpec) -> Game:
    """Return the game that is meant, the same object as last time where it is kept. Raises SleuthError."""
    if spec.game == "wordle" and spec.words is None and spec.answers is None:
        spec = spec.model_copy(update={"words": _LIST})
    key = spec.model_dump_json(exclude_none=True)
    game = _kept.pop(key, None)
    if game is None:
        # Modes of one game share its matrices.
        plain = spec.model_copy(update={"mode": "easy"})
        game = _build(spec) if spec.mode == "easy" else game_of(plain).with_mode(spec.mode)
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
    kind, _, rest = (spec.words or _LIST).partition(":")
    count = rest.rpartition(":")[2]
    return kind != "frequent" or (count.isdecimal() and int(count) ** 2 <= LIGHT_CODES)


def _build(spec: GameSpec) -> Game:
    """Return a new game. Raises SleuthError."""
    from sleuth.games import GAMES

    make = GAMES.load(spec.game)
    if spec.game == "wordle":
        _refuse(spec, "pegs", "colours", "repeats")
        return make(_word_list(spec))
    _refuse(spec, "words", "answers", "guesses")
    given: dict[str, Any] = spec.model_dump(include={"pegs", "colours", "repeats"}, exclude_none=True)
    if spec.game == "bulls-and-cows":
        _refuse(spec, "colours", "repeats")
        given = {} if spec.pegs is None else {"length": spec.pegs}
    return make(**given)


def _word_list(spec: GameSpec) -> Any:
    from sleuth.games import wordlists

    if spec.answers is None:
        if spec.guesses is not None:
            raise SleuthError("guesses go with answers; give both, or words")
        return wordlists.load(spec.words or _LIST)
    if spec.words is not None:
        raise SleuthError("give either words or answers, not both")
    return wordlists.from_words(spec.answers, spec.guesses, "words of your own")


def _refuse(spec: GameSpec, *names: str) -> None:
    for name in names:
        if getattr(spec, name) is not None:
            raise SleuthError(f"{name} does not go with {spec.game}")

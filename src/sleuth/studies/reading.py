"""Studies in files of TOML, and strategies as a command line has them.

    strategies = ["information-gain", "rollout -o width=10", "random", "my.py:middle"]
    baseline = "information-gain"
    seeds = 3

    [[games]]
    words = "original:300"
    opener = "salet"

    [[games]]
    name = "small Mastermind"
    game = "mastermind"
    pegs = 3
    colours = 4

`strategies` may be a table by name instead. A game has the options of the command line under the same names;
without games it is Wordle on the original lists. Paths are seen from the working folder, as on the command
line.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from sleuth.games.choice import GameChoice
from sleuth.games.game import Game
from sleuth.games.strategy import Player
from sleuth.strategies.registry import make, with_ties
from sleuth.support.errors import SleuthError
from sleuth.support.files import read_bounded, reason_of
from sleuth.support.registry import unknown_name
from sleuth.support.specification import key_values

MOST_BYTES = 2**20
_KEYS = ("strategies", "games", "seeds", "baseline")
_OWN = ("name", "opener")
_GAME = tuple(field.name for field in fields(GameChoice))
_WHOLE = ("max_turns", "pegs", "colours")
_FLAGS = ("repeats", "black")
_PATHS = ("answers", "guesses")


def strategy(text: str, files: bool) -> Player:
    """Return the strategy of a text as a command line has it: "rollout -o width=10 --ties list-order".

    files: whether it may be FILE.py:NAME. Raises SleuthError.
    """
    try:
        name, *rest = shlex.split(text)
    except ValueError:
        raise SleuthError(f"{text!r} is no strategy with its options; try 'rollout -o width=10'") from None
    options: list[str] = []
    ties: str | None = None
    while rest:
        flag, *rest = rest
        if flag not in ("-o", "--option", "--ties") or not rest:
            raise SleuthError(
                f"{flag!r} is not understood; after the strategy come -o KEY=VALUE and --ties RULE"
            )
        value, *rest = rest
        if flag == "--ties":
            ties = value
            continue
        options.append(value)
    made = make(name, key_values(options), files=files)
    return made if ties is None else with_ties(made, ties)


def read(path: Path) -> dict[str, Any]:
    """Return what a file says of a study, as Study.of takes it. Raises SleuthError, which names the file."""
    try:
        text = read_bounded(path, MOST_BYTES).decode()
    except OSError as error:
        raise SleuthError(f"{path} cannot be read ({reason_of(error)})") from None
    except ValueError:
        raise SleuthError(f"{path} is no text in UTF-8") from None
    try:
        found = tomllib.loads(text)
        return _study(found)
    except tomllib.TOMLDecodeError as error:
        raise SleuthError(f"{path} is no TOML: {error}") from None
    except SleuthError as error:
        raise SleuthError(f"{path}: {error}") from None


def _study(found: Mapping[str, Any]) -> dict[str, Any]:
    for key in found:
        if key not in _KEYS:
            raise unknown_name("key", key, _KEYS)
    if "strategies" not in found:
        raise SleuthError(
            'there are no strategies; say which, as in strategies = ["information-gain", "beam"]'
        )
    asked = found["strategies"]
    texts = list(asked.values()) if isinstance(asked, Mapping) else asked
    if not isinstance(texts, list) or not all(isinstance(text, str) and text.strip() for text in texts):
        raise SleuthError(f"strategies is {asked!r}; it is a list of texts, or a table of texts by name")
    baseline = found.get("baseline")
    if baseline is not None and not isinstance(baseline, str):
        raise SleuthError(f"baseline is {baseline!r}; it is the name of a strategy")
    if isinstance(baseline, str) and isinstance(asked, list):  # the texts are the names
        baseline = " ".join(baseline.split())
    tables = found.get("games", [{}])
    if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
        raise SleuthError(f"games is {tables!r}; each game is a table of its own, under [[games]]")
    games: dict[str, Game] = {}
    openers: dict[str, str] = {}
    for number, table in enumerate(tables, 1):
        try:
            name, game, opener = _game(table)
            if name in games:
                raise SleuthError(f"it is called {name} as well; give it a name")
            if opener is not None:
                openers[name] = opener
        except SleuthError as error:
            raise SleuthError(f"game {number}: {error}") from None
        games[name] = game
    return {
        "strategies": asked,
        "games": games,
        "openers": openers,
        "seeds": found.get("seeds"),
        "baseline": baseline,
    }


def _game(table: Mapping[str, Any]) -> tuple[str, Game, str | None]:
    """Return what a game is called, the game, and the first guess in it."""
    own: dict[str, Any] = dict.fromkeys(_OWN)
    chosen: dict[str, Any] = {}
    for key, value in table.items():
        plain = key.replace("-", "_")
        if plain not in (*_OWN, *_GAME):
            raise unknown_name("key", key, (*_OWN, *_GAME))
        wanted = int if plain in _WHOLE else bool if plain in _FLAGS else str
        if type(value) is not wanted:
            takes = {int: "a whole number", bool: "true or false", str: "a text"}[wanted]
            raise SleuthError(f"{key} is {value!r}; it takes {takes}")
        if plain in _OWN:
            own[plain] = value
        else:
            chosen[plain] = Path(str(value)) if plain in _PATHS else value
    game = GameChoice(**chosen).build(files=True)
    # A name tells modes and priors apart, which the game's own does not.
    parts = [game.name, *([f"{game.mode} mode"] if game.mode != "easy" else [])]
    parts += [f"prior {chosen['prior']}"] if "prior" in chosen else []
    opener = own["opener"]
    parts += [] if opener is None else [f"from {opener}"]
    return own["name"] or ", ".join(parts), game, opener

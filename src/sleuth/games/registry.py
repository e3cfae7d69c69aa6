"""The games that ship with Sleuth, by name.

Other packages add theirs by entry points of the group sleuth.games, other programs with GAMES.register.
"""

from collections.abc import Callable
from typing import Any

from sleuth.support.registry import Registry

GAMES: Registry[Callable[..., Any]] = Registry("game", group="sleuth.games")
GAMES.register("wordle", "sleuth.games.wordle:wordle", "words; each letter is correct, present or absent")
GAMES.register(
    "mastermind", "sleuth.games.pegs:mastermind", "codes of coloured pegs; 4 pegs, 6 colours, repeats"
)
GAMES.register("bulls-and-cows", "sleuth.games.pegs:bulls_and_cows", "numbers of different digits; 4 of 10")

"""What is guessed: the games that ship with Sleuth, by name."""

from collections.abc import Callable

from sleuth.games.game import MODES, Game, Mode
from sleuth.support.registry import Registry

GAMES: Registry[Callable[..., Game]] = Registry("game")
GAMES.register("wordle", "sleuth.games.wordle:wordle", "words; each letter is correct, present or absent")
GAMES.register(
    "mastermind", "sleuth.games.pegs:mastermind", "codes of coloured pegs; 4 pegs, 6 colours, repeats"
)
GAMES.register("bulls-and-cows", "sleuth.games.pegs:bulls_and_cows", "numbers of different digits; 4 of 10")

__all__ = ["GAMES", "MODES", "Game", "Mode"]

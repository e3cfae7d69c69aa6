"""Mastermind, and Bulls and Cows: codes of symbols, feedback in two numbers."""

from itertools import permutations, product
from string import ascii_lowercase, digits

from sleuth.games.game import Game, Mode, check_memory
from sleuth.games.priors import uniform
from sleuth.games.rules import PegRules
from sleuth.support.errors import SleuthError

SYMBOLS = "123456789" + ascii_lowercase


def mastermind(
    pegs: int = 4,
    colours: int = 6,
    *,
    repeats: bool = True,
    max_turns: int = 10,
    mode: Mode = "easy",
) -> Game:
    """Return Mastermind: codes of `pegs` symbols out of `colours`, written 1, 2, 3, ... 9, a, b, ...

    Raises SleuthError when the numbers make no game, GameTooLargeError when they make too large a one.

    >>> len(mastermind(4, 6).answers)
    1296
    """
    if not 2 <= pegs <= 10:
        raise SleuthError(f"Mastermind takes 2 to 10 pegs, not {pegs}")
    if not 2 <= colours <= len(SYMBOLS):
        raise SleuthError(f"Mastermind takes 2 to {len(SYMBOLS)} colours, not {colours}")
    kind = "" if repeats else ", no repeats"
    return _pegs(f"mastermind {pegs}x{colours}{kind}", SYMBOLS[:colours], pegs, repeats, max_turns, mode)


def bulls_and_cows(length: int = 4, *, max_turns: int = 10, mode: Mode = "easy") -> Game:
    """Return Bulls and Cows: numbers of `length` different digits, 0 to 9 and 0 first allowed.

    >>> len(bulls_and_cows().answers)
    5040
    """
    if not 2 <= length <= 10:
        raise SleuthError(f"Bulls and Cows takes 2 to 10 digits, not {length}")
    return _pegs(f"bulls-and-cows {length}", digits, length, False, max_turns, mode)


def _pegs(name: str, symbols: str, pegs: int, repeats: bool, max_turns: int, mode: Mode) -> Game:
    if not repeats and pegs > len(symbols):
        raise SleuthError(f"{name}: {pegs} different symbols cannot be chosen from {len(symbols)}")
    size = 1
    for i in range(pegs):
        size *= len(symbols) - (0 if repeats else i)
    check_memory(name, size, size, (pegs + 1) ** 2, copies=2)
    choices = product(symbols, repeat=pegs) if repeats else permutations(symbols, pegs)
    codes = tuple("".join(code) for code in choices)
    return Game(name, PegRules(pegs), codes, codes, uniform(len(codes)), max_turns, mode)

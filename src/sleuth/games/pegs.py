"""Mastermind, and Bulls and Cows: codes of symbols, feedback in two numbers or, of black pegs, in one."""

from collections.abc import Callable
from itertools import permutations, product
from math import prod
from string import ascii_lowercase, digits

from sleuth.games.game import Game, Mode, check_memory
from sleuth.games.priors import uniform
from sleuth.games.rules import PegRules
from sleuth.support.errors import GameTooLargeError, SleuthError

SYMBOLS = "123456789" + ascii_lowercase
MOST_PEGS = 10


def mastermind(
    pegs: int = 4,
    colours: int = 6,
    *,
    repeats: bool = True,
    black: bool = False,
    max_turns: int = 10,
    mode: Mode = "easy",
) -> Game:
    """Return Mastermind: codes of `pegs` symbols out of `colours`, written 1, 2, 3, ... 9, a, b, ...

    repeats: whether a symbol may come twice. black: whether feedback is the black pegs alone, how many
    symbols are in the right place. Raises SleuthError when the numbers make no game, GameTooLargeError when
    they make too large a one.

    >>> len(mastermind(4, 6).answers)
    1296
    """
    if not 2 <= pegs <= MOST_PEGS:
        raise SleuthError(f"Mastermind takes 2 to {MOST_PEGS} pegs, not {pegs}")
    if not 2 <= colours <= len(SYMBOLS):
        raise SleuthError(f"Mastermind takes 2 to {len(SYMBOLS)} colours, not {colours}")
    name, rules = _name(pegs, colours, repeats, black), PegRules(pegs, black)
    return _pegs(name, rules, SYMBOLS[:colours], repeats, max_turns, mode)


def most_colours(pegs: int) -> int:
    """Return the most colours with which Mastermind of so many pegs is not too large, 0 where none is.

    Raises SleuthError on a bad SLEUTH_MEMORY.

    >>> most_colours(2)
    35
    """
    return _most(range(2, len(SYMBOLS) + 1), lambda n: _check(_name(pegs, n, True), n, pegs, True))


def most_digits() -> int:
    """Return the most digits with which Bulls and Cows is not too large, 0 where none are.

    Raises SleuthError on a bad SLEUTH_MEMORY.
    """
    return _most(range(2, len(digits) + 1), lambda n: _check(_bulls(n), len(digits), n, False))


def bulls_and_cows(length: int = 4, *, max_turns: int = 10, mode: Mode = "easy") -> Game:
    """Return Bulls and Cows: numbers of `length` different digits, 0 to 9 and 0 first allowed.

    >>> len(bulls_and_cows().answers)
    5040
    """
    if not 2 <= length <= 10:
        raise SleuthError(f"Bulls and Cows takes 2 to 10 digits, not {length}")
    return _pegs(_bulls(length), PegRules(length), digits, False, max_turns, mode)


def _name(pegs: int, colours: int, repeats: bool, black: bool = False) -> str:
    return f"mastermind {pegs}x{colours}{'' if repeats else ', no repeats'}{', black pegs' if black else ''}"


def _bulls(length: int) -> str:
    return f"bulls-and-cows {length}"


def _most(numbers: range, check: Callable[[int], None]) -> int:
    """Return the last of the numbers before the first of a game that is too large."""
    most = 0
    for number in numbers:
        try:
            check(number)
        except GameTooLargeError:
            break
        most = number
    return most


def _check(name: str, symbols: int, pegs: int, repeats: bool) -> None:
    """Raise GameTooLargeError where the feedback matrix would not fit."""
    size = prod(symbols - (0 if repeats else i) for i in range(pegs))
    check_memory(name, size, size, (pegs + 1) ** 2, copies=2)


def _pegs(name: str, rules: PegRules, symbols: str, repeats: bool, max_turns: int, mode: Mode) -> Game:
    pegs = rules.pegs
    if not repeats and pegs > len(symbols):
        raise SleuthError(f"{name}: {pegs} different symbols cannot be chosen from {len(symbols)}")
    _check(name, len(symbols), pegs, repeats)
    choices = product(symbols, repeat=pegs) if repeats else permutations(symbols, pegs)
    codes = tuple("".join(code) for code in choices)
    return Game(name, rules, codes, codes, uniform(len(codes)), max_turns, mode)

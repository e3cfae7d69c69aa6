"""Guesses that are the same but for the names of symbols and the order of places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, permutations
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.rules import PegRules

if TYPE_CHECKING:
    from sleuth.kernels.search.records import Moves, Past

# Of more places only the names are told apart, not the orders: there are too many.
_PLACES = 9

Move = Callable[[str], str]
"""A renaming of symbols, a rearrangement of places, or both: it keeps the feedback of peg games."""

_MOVES: WeakKeyDictionary[Game, tuple[Moves, Past]] = WeakKeyDictionary()


def orbits(game: Game) -> NDArray[np.int32]:
    """Return the first of the guesses that are equivalent to each, int32 [guesses].

    Moves count only where they map guesses to guesses and answers to answers of the same weight; in other
    games every guess stands for itself.
    """
    if not is_symmetric(game):
        return np.arange(len(game.guesses), dtype=np.int32)
    return _connected(game, _swaps(game))


def is_symmetric(game: Game) -> bool:
    """Say whether symbols and places of a game may be renamed and rearranged at will."""
    return isinstance(game.rules, PegRules) and _keeps(game, _swaps(game))


def moves_of(game: Game) -> tuple[Moves, Past]:
    """Return the moves that keep a game, and those that give no guess back: all, before the first one.

    There are none where the game is not symmetric, where what is legal goes by feedback, or where an answer
    has a symbol that no guess has.
    """
    if game not in _MOVES:
        _MOVES[game] = _moves_of(game)
    return _MOVES[game]


def past_of(position: Position, moves: Moves, past: Past) -> Past:
    """Return the moves that give a position's guesses back; none if its candidates are not what these leave.

    None either where not every guess is legal. moves, past: those of the game (moves_of).
    """
    from sleuth.kernels.search.alike import then

    game = position.game
    if not len(past.orders):
        return past
    unknown = type(past)(past.orders[:0], past.names[:0])
    if not position.all_legal:
        return unknown
    left = np.ones(len(game.answers), bool)
    for guess, code in position.rows:
        left &= game.feedback_row(guess) == code
        past = then(moves, past, guess)
    return past if np.array_equal(np.flatnonzero(left), position.candidates) else unknown


def _moves_of(game: Game) -> tuple[Moves, Past]:
    from sleuth.kernels.search.alike import UNASKED
    from sleuth.kernels.search.records import Moves, Past

    rules = game.rules
    orders, names = np.zeros((0, 0), np.int64), np.zeros((0, 0, 0), np.uint16)
    none = Moves(np.zeros((0, 0), np.uint16), orders, False), Past(orders.ravel(), names)
    if not isinstance(rules, PegRules) or game.mode != "easy" or not is_symmetric(game):
        return none
    symbols, places = _symbols(game), rules.pegs
    # The kernels' numbers of words take 62 bits, and those of symbols 16.
    small = len(symbols) < UNASKED and (len(symbols) + places) ** places < 2**62
    if not small or not all(set(answer) <= set(symbols) for answer in game.answers):
        return none
    number = {symbol: i for i, symbol in enumerate(symbols)}
    words = np.array([[number[symbol] for symbol in guess] for guess in game.guesses], np.uint16)
    ways = list(permutations(range(places))) if places <= _PLACES else [tuple(range(places))]
    apart = rules.black and _keeps(game, _swaps_at_first(symbols))
    names = np.full((len(ways), places, len(symbols)), UNASKED, np.uint16)
    return Moves(words, np.array(ways, np.int64), apart), Past(np.arange(len(ways)), names)


def _keeps(game: Game, moves: Iterable[Move]) -> bool:
    """Say whether moves map guesses to guesses, and answers to answers of the same weight."""
    weight = dict(zip(game.answers, game.prior.tolist(), strict=True))
    return all(
        all(move(guess) in game.guess_index for guess in game.guesses)
        and all(weight.get(move(answer)) == weight[answer] for answer in game.answers)
        for move in moves
    )


def _symbols(game: Game) -> list[str]:
    """Return the symbols of the guesses, which are texts in games of pegs."""
    return sorted({symbol for guess in game.guesses for symbol in guess})


def _swaps(game: Game) -> list[Move]:
    """Return swaps of symbols and of places, which generate all the moves."""
    swaps = [_renaming({a: b, b: a}) for a, b in pairwise(_symbols(game))]
    places = list(range(len(game.guesses[0])))
    for i, j in pairwise(places):
        swapped = [j if place == i else i if place == j else place for place in places]
        swaps.append(_rearranging(swapped))
    return swaps


def _swaps_at_first(symbols: Sequence[str]) -> list[Move]:
    """Return swaps of symbols at the first place alone, which keep how many are in the right place."""
    return [_at_first(_renaming({a: b, b: a})) for a, b in pairwise(symbols)]


def _at_first(move: Move) -> Move:
    return lambda word: move(word[:1]) + word[1:]


def _renaming(names: dict[str, str]) -> Move:
    table = str.maketrans(names)
    return lambda word: word.translate(table)


def _rearranging(places: Sequence[int]) -> Move:
    return lambda word: "".join(word[i] for i in places)


def _connected(game: Game, moves: Iterable[Move]) -> NDArray[np.int32]:
    """Return the least guess that moves lead to from each, int32 [guesses]."""
    first = np.arange(len(game.guesses), dtype=np.int32)
    images = [np.array([game.guess_index[move(guess)] for guess in game.guesses]) for move in moves]
    while True:
        least = first.copy()
        for image in images:
            least = np.minimum(least, least[image])
            np.minimum.at(least, image, least)
        if np.array_equal(least, first):
            return first
        first = least

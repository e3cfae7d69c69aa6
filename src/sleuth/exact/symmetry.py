"""Guesses that are the same but for the names of symbols and the order of places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.rules import PegRules

Move = Callable[[str], str]
"""A renaming of symbols, a rearrangement of places, or both: it keeps the feedback of peg games."""


def orbits(game: Game) -> NDArray[np.int32]:
    """Return the first of the guesses that are equivalent to each, int32 [guesses].

    Moves count only where they map guesses to guesses and answers to answers of the same weight; in other
    games every guess stands for itself.
    """
    if not is_symmetric(game):
        return np.arange(len(game.guesses), dtype=np.int32)
    return _connected(game, _swaps(game))


def orbits_after(game: Game, opener: str) -> NDArray[np.int32]:
    """Return the first of the guesses that are equivalent to each after an opener, int32 [guesses].

    The moves that keep the opener keep its classes, so this holds in each of those. The game must be
    symmetric.
    """
    unused = sorted({symbol for guess in game.guesses for symbol in guess} - set(opener))
    moves = [_renaming({a: b, b: a}) for a, b in pairwise(unused)]
    for places in permutations(range(len(opener))):
        # With the places rearranged so, one renaming of the opener's symbols may give the opener back.
        names = dict(zip((opener[i] for i in places), opener, strict=True))
        if all(names[opener[i]] == symbol for i, symbol in zip(places, opener, strict=True)):
            moves.append(_rearranging(places, names))
    return _connected(game, moves)


def is_symmetric(game: Game) -> bool:
    """Say whether symbols and places of a game may be renamed and rearranged at will."""
    if not isinstance(game.rules, PegRules):
        return False
    weight = dict(zip(game.answers, game.prior.tolist(), strict=True))
    return all(
        all(move(guess) in game.guess_index for guess in game.guesses)
        and all(weight.get(move(answer)) == weight[answer] for answer in game.answers)
        for move in _swaps(game)
    )


def _swaps(game: Game) -> list[Move]:
    """Return swaps of symbols and of places, which generate all the moves."""
    symbols = sorted({symbol for guess in game.guesses for symbol in guess})
    swaps = [_renaming({a: b, b: a}) for a, b in pairwise(symbols)]
    places = list(range(len(game.guesses[0])))
    for i, j in pairwise(places):
        swapped = [j if place == i else i if place == j else place for place in places]
        swaps.append(_rearranging(swapped, {}))
    return swaps


def _renaming(names: dict[str, str]) -> Move:
    table = str.maketrans(names)
    return lambda word: word.translate(table)


def _rearranging(places: Sequence[int], names: dict[str, str]) -> Move:
    rename = _renaming(names)
    return lambda word: rename("".join(word[i] for i in places))


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

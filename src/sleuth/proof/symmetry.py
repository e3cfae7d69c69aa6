"""Guesses that are the same but for the names of symbols and the order of places."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sleuth.games.game import Game
from sleuth.games.rules import PegRules


def orbits(game: Game) -> NDArray[np.int32]:
    """Return the first of the guesses that are equivalent to each, int32 [guesses].

    Renaming symbols and moving places keeps the feedback of peg games. It counts only where it maps guesses
    to guesses and answers to answers of the same weight; in other games every guess stands for itself.
    """
    first = np.arange(len(game.guesses), dtype=np.int32)
    if not isinstance(game.rules, PegRules):
        return first
    weight = dict(zip(game.answers, game.prior.tolist(), strict=True))
    symbols = sorted({symbol for guess in game.guesses for symbol in guess})
    moves = [_swap_symbols(a, b) for a, b in pairwise(symbols)]
    moves += [_swap_places(i) for i in range(game.rules.pegs - 1)]
    images = [[move(guess) for guess in game.guesses] for move in moves]
    for move, image in zip(moves, images, strict=True):
        if any(guess not in game.guess_index for guess in image):
            return first
        if any(weight.get(move(answer)) != weight[answer] for answer in game.answers):
            return first
    # Swaps generate all permutations: an orbit is what swaps connect.
    mapped = [np.array([game.guess_index[guess] for guess in image], np.int32) for image in images]
    while True:
        lower = first.copy()
        for to in mapped:
            lower = np.minimum(lower, lower[to])
        if np.array_equal(lower, first):
            return first
        first = lower


def _swap_symbols(a: str, b: str) -> Callable[[str], str]:
    table = str.maketrans({a: b, b: a})
    return lambda word: word.translate(table)


def _swap_places(i: int) -> Callable[[str], str]:
    return lambda word: word[:i] + word[i + 1] + word[i] + word[i + 2 :]

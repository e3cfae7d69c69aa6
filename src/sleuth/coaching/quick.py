"""The best next guess by NumPy alone: what can be said before kernels are compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth.games.position import Position
from sleuth.games.strategy import Suggestion, describe, entropic_estimates

_PAIRS = 2**25
"""Pairs of guess and candidate that are looked at, which takes a second."""
_BLOCK = 2**20
"""Pairs at once, which take tens of megabytes."""


def quick_guesses(position: Position, limit: int) -> tuple[Suggestion, ...]:
    """Return the best guesses by the entropic estimate, as the strategy expected-guesses ranks them.

    Of more guesses than can be looked at in a second, an even choice.
    """
    game = position.game
    guesses = _considered(position)
    values, chances, tells = _weighed(position, guesses)
    # Rounded, since sums of the same numbers in another order are not quite equal.
    order = np.lexsort((guesses, -chances.round(9), values.round(9)))
    useful = tells | np.isin(game.guess_answer[guesses], position.candidates)
    best = order[useful[order]][:limit]
    return tuple(describe(position, guesses[best if len(best) else order[:1]]))


def _considered(position: Position) -> NDArray[np.int32]:
    """Return int32, ascending: the legal guesses, or so many of them as there is time for."""
    game = position.game
    legal = np.arange(len(game.guesses), dtype=np.int32) if position.legal is None else position.legal
    if len(position.candidates) == 1:
        named = game.answer_guess[position.candidates]
        return named[named >= 0] if named[0] >= 0 else legal[:1]
    most = max(1, _PAIRS // len(position.candidates))
    if len(legal) <= most:
        return legal
    even: NDArray[np.int32] = legal[np.linspace(0, len(legal) - 1, most).astype(np.int64)]
    return even


def _weighed(
    position: Position, guesses: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """Return what each guess is worth, [guesses].

    The guesses that it is expected to need, itself included, its chance to be right, and whether it splits
    the candidates at all, be it in parts of no weight.
    """
    game, candidates, weights = position.game, position.candidates, position.weights
    chances = np.zeros(len(game.guesses) + 1)  # answers that cannot be guessed count for the last place
    np.add.at(chances, game.answer_guess[candidates], weights)
    step = max(1, _BLOCK // len(candidates))
    bits, tells = [], []
    for begin in range(0, len(guesses), step):
        codes = game.some_feedback(guesses[begin : begin + step], candidates)
        bits.append(_bits(codes, weights))
        tells.append((codes != codes[:, :1]).any(axis=1))
    prior_bits = _bits(np.arange(len(candidates))[None], weights)[0]
    values = entropic_estimates(chances[guesses], np.concatenate(bits), prior_bits)
    return values, chances[guesses], np.concatenate(tells)


def _bits(codes: NDArray[Any], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the information of each guess in bits, float64 [guesses].

    codes: whole numbers [guesses, candidates]; weights: [candidates], sum 1.
    """
    occurs = np.zeros(int(codes.max()) + 1, np.int64)
    occurs[codes] = 1
    kinds = int(occurs.sum())  # of few of the codes that there are, as a rule
    classes = (np.cumsum(occurs) - 1)[codes] + kinds * np.arange(len(codes))[:, None]
    masses = np.bincount(classes.ravel(), np.tile(weights, len(codes)), kinds * len(codes))
    terms = masses * np.log2(np.where(masses > 0, masses, 1.0))
    found: NDArray[np.float64] = np.maximum(0.0, -terms.reshape(len(codes), kinds).sum(axis=1))
    return found

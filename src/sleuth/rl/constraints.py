"""Document 003's inductive biases: guesses that are clearly wrong or clearly right, as masks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sleuth.frontier import Frontier, Indices


def allowed(frontier: Frontier, tried: Indices, constrained: bool = True) -> NDArray[np.bool_]:
    """Return which guesses each state may make, bool [sets, guesses].

    tried: int32 [sets, turn - 1]: the guesses made before. No word is guessed twice; a single possible answer
    is guessed; the last guess is a possible answer. constrained: whether all this holds; without it, it does
    after the last turn only, where the game is lost and must come to an end.
    """
    game = frontier.game
    mask = np.ones((len(frontier), len(game.guesses)), bool)
    over = frontier.turn > game.max_turns
    if not constrained and not over:
        return mask
    np.put_along_axis(mask, tried.astype(np.int64), False, axis=1)
    last = over or frontier.turn == game.max_turns
    restricted = np.flatnonzero(last | (frontier.sizes == 1))
    mask[restricted] = False
    chosen = frontier.take(restricted)
    at = np.repeat(restricted, chosen.sizes)
    named = game.answer_guess[chosen.candidates]
    mask[at[named >= 0], named[named >= 0]] = True
    return mask

"""Weaver's inductive biases: guesses that are clearly wrong or clearly right, as masks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier


def allowed(frontier: Frontier, constrained: bool = True) -> NDArray[np.bool_]:
    """Return which guesses each set may make, bool [sets, guesses].

    No word is guessed twice; a single possible answer is guessed; the last guess is a possible answer.
    constrained: whether all this holds. Without it, legal guesses are all that may be made, but after the
    last turn, where the game is lost and must come to an end.
    """
    game = frontier.game
    mask = np.full((len(frontier), len(game.guesses)), frontier.legal is None)
    lone = frontier.sizes == 1
    if frontier.legal_starts is not None and frontier.legal is not None:
        mask[np.repeat(np.arange(len(frontier)), np.diff(frontier.legal_starts)), frontier.legal] = True
    over = frontier.turn > game.max_turns
    if constrained or over:
        if frontier.rows is not None:
            np.put_along_axis(mask, frontier.rows[:, :, 0].astype(np.int64), False, axis=1)
        restricted = lone | over | (frontier.turn == game.max_turns)
    else:
        restricted = lone & (frontier.legal is not None)  # they may have no legal guess: it is forced
    which = np.flatnonzero(restricted)
    mask[which] = False
    chosen = frontier.take(which)
    at = np.repeat(which, chosen.sizes)
    named = game.answer_guess[chosen.candidates]
    mask[at[named >= 0], named[named >= 0]] = True
    return mask

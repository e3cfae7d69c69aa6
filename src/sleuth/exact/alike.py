"""Guesses that split what is possible alike: exact search looks at one of each, and people ask for all."""

from __future__ import annotations

import numpy as np

from sleuth.games.frontier import Indices
from sleuth.games.position import Position


def alike(position: Position, guess: int) -> Indices:
    """Return the other legal guesses that split the candidates as one does, int32; no candidates.

    In easy mode each costs what it does, and once the weight of that one more if it is a candidate itself, as
    long as two turns are left.
    """
    game, candidates = position.game, position.candidates
    legal = np.arange(len(game.guesses), dtype=np.int32) if position.legal is None else position.legal
    others = legal[(legal != guess) & ~np.isin(game.guess_answer[legal], candidates)]
    _, first, of = np.unique(game.feedback[guess, candidates], return_index=True, return_inverse=True)
    codes = game.feedback[np.ix_(others, candidates)]
    # The same on each class, and different from class to class.
    whole = (codes == codes[:, first[of]]).all(1)
    apart = np.sort(codes[whole][:, first], axis=1)
    found: Indices = others[whole][(apart[:, 1:] != apart[:, :-1]).all(1)]
    return found

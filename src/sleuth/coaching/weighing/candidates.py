"""What each of a few words that are left is worth when it is guessed next: exact values, or none."""

from __future__ import annotations

import numpy as np

from sleuth.coaching.turns import LAST_TURNS, turns_left
from sleuth.coaching.weighing.sets import laid_out
from sleuth.games.frontier import Indices
from sleuth.games.position import Position

EXACT_UP_TO = 150
"""Words up to which exact values are tried."""


def exact_values(position: Position, guesses: Indices, seconds: float) -> list[float | None] | None:
    """Return the exact value of each guess, None for no guess, and for all where they take too long."""
    if len(position.candidates) > EXACT_UP_TO and turns_left(position) > LAST_TURNS:
        return None
    found: list[float | None] = []
    with laid_out(position, seconds) as solver:
        weight = int(solver.weights[position.candidates].sum())
        for guess in guesses.tolist():
            if not may_be_made(position, guess) or not weight:
                found.append(None)
                continue
            bound = solver.bound(position, turns_left(position), guess=guess)
            if solver.stopped or not bound.exact:
                return None
            found.append(bound.lower / weight)
    return found


def may_be_made(position: Position, guess: int) -> bool:
    """Say whether a guess by index is one, and legal."""
    if guess < 0:
        return False
    return position.legal is None or len(position.candidates) == 1 or bool(np.any(position.legal == guess))

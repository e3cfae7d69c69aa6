"""The marks of moves, as chess players write them: mistakes by what they cost, finds that are hard to see.

What a move costs by an estimate, whose error nobody knows, makes no mistake of it.
"""

from __future__ import annotations

from typing import Literal

from sleuth.coaching.reviews.values import Worth
from sleuth.coaching.solving import searching_of
from sleuth.games.frontier import Frontier
from sleuth.strategies.heuristics import ExpectedGuesses

Mark = Literal["", "!", "?!", "?", "??"]
MARKS: dict[Mark, str] = {
    "": "",
    "!": "the only best guess, and hard to find",
    "?!": "dubious: it costs more than 0.1 guesses",
    "?": "a mistake: it costs more than 0.35 guesses",
    "??": "a blunder: it costs a whole guess or more",
}
SLIGHT, MODERATE, WHOLE = 0.1, 0.35, 1.0
"""In guesses: a loss up to the first is slight, up to the second moderate; to pass costs the last."""
_SEEN = 3
"""So many guesses of a plain strategy are easy to see."""
_ROUNDING = 1e-9


def mark_of(loss: float) -> Mark:
    """Return the mark of a guess by what it loses, in guesses.

    >>> [mark_of(loss) for loss in (0, 0.1, 0.2, 0.5, 1, 3)]
    ['', '', '?!', '?', '??', '??']
    """
    if loss > WHOLE - _ROUNDING:
        return "??"
    if loss > MODERATE:
        return "?"
    return "?!" if loss > SLIGHT else ""


def is_hard_to_find(worth: Worth, guess: int, turns: int, seconds: float) -> bool:
    """Say whether a guess of exactly known worth is the only best one, by more than SLIGHT, and hard to see.

    Easy to see are the first few guesses by expected-guesses. Guesses that split the candidates alike count
    as one. turns: turns left. seconds: for the search of the second best; where they do not suffice, False.
    """
    position = worth.position
    if worth.kind != "proved" or worth.loss > 0 or len(position.candidates) < 3:
        return False
    if guess in ExpectedGuesses().best(Frontier.of(position), _SEEN)[0]:
        return False
    with searching_of(position, seconds) as solver:
        found = solver.best(position, 2, turns)
        if solver.stopped or len(found) < 2:
            return False
        weight = int(solver.weights[position.candidates].sum())
    return (found[1].lower - found[0].lower) / weight > SLIGHT

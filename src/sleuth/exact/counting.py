"""What the number of classes of a guess says alone: bounds 6 and 7 of docs/exact.md."""

import numpy as np
from numpy.typing import NDArray


def floors(answers: int, classes: int, removed: int, lost: int | None = None) -> NDArray[np.int64]:
    """Return int64 [answers + 2]: a lower bound of the total of so many answers.

    classes: that a guess has at most; then at most classes ** (d - 1) answers can be found within d guesses.
    removed: the most answers that a guess leaves outside its largest class, itself included. All but so many
    of a set stay together, which is no less than that of so many, and the rest takes a guess each, but one.
    lost: what an answer costs beyond the turns, where it may be lost; one turn or more is left then, and each
    answer is a guess.
    """
    least = np.zeros(answers + 2, np.int64)
    found, depth, capacity = 0, 1, 1
    while found < answers + 1:
        last = min(answers + 1, capacity)
        least[found + 1 : last + 1] = depth
        found, depth, capacity = last, depth + 1, capacity * classes
    # With one turn left all but one are lost; with more, an answer may be as well.
    most = np.arange(answers + 2) * (1 + lost) - lost if lost is not None else None
    totals = np.cumsum(least if lost is None else np.minimum(least, 1 + lost))
    for n in range(removed + 1, len(totals)):
        apart = n + removed - 1 + totals[n - removed]
        totals[n] = max(totals[n], apart if most is None else min(apart, most[n]))
    return totals


def least_turns(n: int, classes: int, named: bool) -> int:
    """Return how many turns it takes at least to find any of n answers.

    classes: that a guess has at most. named: whether every answer is a guess; one that is not is found as
    soon as it is the only one left.

    >>> least_turns(1296, 14, True)
    4
    """
    # One answer is known after no turn; if it is a guess, it takes one more.
    turns, known = int(named), 1
    while known < n:
        turns, known = turns + 1, known * max(2, classes)
    return max(1, turns)

"""What guesses split candidate sets into, for the scores of the papers that no kernel knows."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sleuth.games.frontier import Frontier, Indices

Numbers = NDArray[np.float64]


def class_sums(
    frontier: Frontier, guesses: Indices, value: Callable[[Numbers], Numbers]
) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return what the classes of a guess for each set, int32 [sets], sum to, and whether it may be right.

    value: a function of class sizes, float64 [classes]. The class of a right guess is left out.
    """
    children = frontier.after(guesses)
    values = value(children.frontier.sizes.astype(np.float64))
    sums = np.bincount(children.parent, values, len(frontier)).astype(np.float64)
    return sums, children.right >= 0


def candidates_only(frontier: Frontier) -> Frontier:
    """Return the sets with their own candidates as the legal guesses; every answer must be a guess."""
    own = frontier.game.answer_guess[frontier.candidates]
    ascending = np.lexsort((own, np.repeat(np.arange(len(frontier)), frontier.sizes)))
    return replace(frontier, legal_starts=frontier.starts, legal=own[ascending])

"""The optimal value of the Bernoulli bandit with uniform priors, by backward induction over counts."""

from __future__ import annotations

import numpy as np

from sleuth.planning.control import Weights
from sleuth.support.errors import SleuthError
from sleuth.support.ranges import check_number

_MOST_NUMBERS = 50_000_000
_MOST_ARMS = 13


def value(horizon: int, arms: int = 2) -> float:
    """Return the expected number of successes in so many pulls under the best policy, to rounding.

    It takes memory for (horizon + 1) ** (2 * arms - 1) numbers. Raises SleuthError where that is too much.

    >>> round(value(2), 6)
    1.083333
    """
    check_number("horizon", horizon, least=0, whole=True)
    check_number("arms", arms, least=1, whole=True)
    if arms > _MOST_ARMS or (horizon + 1) ** (2 * arms - 1) > _MOST_NUMBERS:
        raise SleuthError(f"the counts of {arms} arms and {horizon} pulls are too many")
    values = np.zeros((horizon + 1,) * (2 * arms - 1))
    for pulled in range(horizon - 1, -1, -1):
        values = _earlier(values, pulled, arms)
    return float(values.item())


def _earlier(later: Weights, pulled: int, arms: int) -> Weights:
    """Return the values after so many pulls from those one pull later.

    Axes: the pulls of every arm but the last, whose pulls are the rest, and the successes of every arm.
    Entries that cannot come about hold numbers that nothing else depends on.
    """
    pulls = np.indices((pulled + 1,) * (arms - 1), sparse=True)
    rest = pulled - sum(pulls)
    best: Weights | None = None
    for arm in range(arms):
        of_arm = np.asarray(pulls[arm] if arm < arms - 1 else rest)
        shape = [1] * (2 * arms - 1)
        shape[arms - 1 + arm] = pulled + 1
        wins = np.arange(pulled + 1).reshape(shape)
        tries = of_arm.reshape(of_arm.shape + (1,) * arms)
        chance = np.clip((wins + 1) / np.maximum(tries + 2, 1), 0, 1)
        lost = [slice(0, pulled + 1)] * (2 * arms - 1)
        if arm < arms - 1:
            lost[arm] = slice(1, pulled + 2)
        won = list(lost)
        won[arms - 1 + arm] = slice(1, pulled + 2)
        found = chance * (1 + later[tuple(won)]) + (1 - chance) * later[tuple(lost)]
        best = found if best is None else np.maximum(best, found)
    assert best is not None
    return best

"""POMDPs drawn at random, for tests."""

import numpy as np
from numpy.typing import NDArray

from sleuth.planning.pomdps.pomdp import POMDP


def random_pomdp(seed: int) -> POMDP:
    """Return a POMDP of up to four states, three actions and three observations; some chances are zero."""
    rng = np.random.default_rng(seed)
    n_states, n_actions, n_seen = (int(rng.integers(1, most)) for most in (5, 4, 4))

    def chances(*shape: int) -> np.ndarray:
        drawn = rng.random(shape) * (rng.random(shape) < 0.6)
        drawn[..., 0] += drawn.sum(axis=-1) == 0
        return drawn / drawn.sum(axis=-1, keepdims=True)

    return POMDP.of_arrays(
        chances(n_actions, n_states, n_states),
        chances(n_actions, n_states, n_seen),
        rng.integers(-5, 6, (n_actions, n_states)).astype(float),
        float(rng.choice([0.0, 0.3, 0.6])),
        chances(n_states),
    )


def dense(pomdp: POMDP) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return transition and observation as dense arrays."""
    shape = len(pomdp.actions), len(pomdp.states)
    found = []
    sizes = len(pomdp.states), len(pomdp.observations)
    for table, columns in zip((pomdp.transition, pomdp.observation), sizes, strict=True):
        whole = np.zeros((shape[0] * shape[1], columns))
        whole[table.rows, table.columns] = table.values
        found.append(whole.reshape(*shape, columns))
    return found[0], found[1]

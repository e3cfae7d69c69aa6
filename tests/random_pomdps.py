"""POMDPs drawn at random, for tests."""

import numpy as np

from sleuth.planning.pomdps.pomdp import POMDP


def random_pomdp(seed: int) -> POMDP:
    """Return a POMDP of up to four states, three actions and three observations; some chances are zero."""
    rng = np.random.default_rng(seed)
    n_states, n_actions, n_seen = rng.integers(1, 5), rng.integers(1, 4), rng.integers(1, 4)

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

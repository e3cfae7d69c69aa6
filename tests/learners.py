"""What every learner has to do: go on from its state as if it had never stopped."""

from io import BytesIO

import numpy as np

from sleuth.learning.runs.training import Learner


def goes_on(one: Learner, other: Learner, steps: int = 2) -> None:
    """Assert that a learner with the state of one, from a file, goes on as that one does."""
    import torch

    file = BytesIO()
    torch.save(one.state_dict(), file)
    file.seek(0)
    other.load_state_dict(torch.load(file, weights_only=True))
    for _ in range(steps):
        assert one.step() == other.step()
    for name, array in one.weights().items():
        assert np.array_equal(array, other.weights()[name])

"""What all tests share."""

import pytest
from hypothesis import HealthCheck, settings

from sleuth.games.game import Game
from sleuth.games.wordle import wordle

# Kernels compile on their first call, which takes longer than any example.
settings.register_profile(
    "sleuth", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("sleuth")


@pytest.fixture(scope="session")
def original() -> Game:
    """Wordle on the original lists, its feedback matrix computed once."""
    return wordle("original")

"""Learning to play: environments, the players that learn in them, and what they learned.

Importing this package registers the Gymnasium environment "sleuth/Wordle-v0" where Gymnasium is installed;
so does the form "sleuth.learning:sleuth/Wordle-v0", which imports it. Playing what was learned needs NumPy
only.
"""

from importlib.util import find_spec

ENVIRONMENT = "sleuth/Wordle-v0"


def register() -> None:
    """Register the environment with Gymnasium, unless it is. Raises ImportError without Gymnasium."""
    from gymnasium.envs import registration

    if ENVIRONMENT not in registration.registry:
        registration.register(
            ENVIRONMENT,
            entry_point="sleuth.learning.gym.environment:WordleEnv",
            vector_entry_point="sleuth.learning.gym.vector:WordleVectorEnv",
        )


if find_spec("gymnasium") is not None:
    register()

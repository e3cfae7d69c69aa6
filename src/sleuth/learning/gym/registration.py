"""The environment, registered with Gymnasium."""

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

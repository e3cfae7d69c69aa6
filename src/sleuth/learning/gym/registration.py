"""The environments, registered with Gymnasium."""

ENVIRONMENT = "sleuth/Wordle-v0"
CONTROL = "sleuth/Control-v0"
POMDP = "sleuth/Pomdp-v0"
SAMPLED_POMDP = "sleuth/SampledPomdp-v0"


def register() -> None:
    """Register the environments with Gymnasium, unless they are. Raises ImportError without Gymnasium."""
    from gymnasium.envs import registration

    if ENVIRONMENT not in registration.registry:
        registration.register(
            ENVIRONMENT,
            entry_point="sleuth.learning.gym.environment:WordleEnv",
            vector_entry_point="sleuth.learning.gym.vector:WordleVectorEnv",
        )
    if CONTROL not in registration.registry:
        registration.register(CONTROL, entry_point="sleuth.learning.gym.control:ControlEnv")
    if POMDP not in registration.registry:
        registration.register(POMDP, entry_point="sleuth.learning.gym.pomdp:PomdpEnv")
        registration.register(SAMPLED_POMDP, entry_point="sleuth.learning.gym.sampled:SampledPomdpEnv")

"""POMDPs by draws as Gymnasium environments: particles are near the exact belief."""

from collections.abc import Hashable, Sequence
from math import nan
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import sleuth.learning
from sleuth.learning.gym.sampled import SampledPomdpEnv
from sleuth.planning import SampledPomdp
from sleuth.support.errors import SleuthError


class Cup(SampledPomdp):
    """A coin under a cup, tails 0 or heads 1; a peek is right four times out of five; one call ends play."""

    actions = ("peek", "tails", "heads")
    rewards = (-10.0, 0.0)

    def first(self, rng: Random) -> Any:
        return rng.randrange(2)

    def step(self, state: Any, action: Any, rng: Random) -> tuple[Any, Hashable, float]:
        if action != "peek":
            return 2, 2, 0.0 if self.actions.index(action) - 1 == state else -10.0
        return state, state if rng.random() < 0.8 else 1 - state, -1.0

    def is_terminal(self, state: Any) -> bool:
        return bool(state == 2)


class Words(Cup):
    """The same, with words for states."""

    def first(self, rng: Random) -> Any:
        return rng.choice(("heads", "tails"))

    def step(self, state: Any, action: Any, rng: Random) -> tuple[Any, Hashable, float]:
        return state, state, -1.0

    def legal(self, state: Any) -> Sequence[Any]:
        return ("peek", "heads")


class Featured(Words):
    """The same, with numbers for the words."""

    def features(self, state: Any) -> tuple[float, ...]:
        return float(state == "heads"), 7.0


def _made(features: Any) -> Any:
    return type("Made", (Words,), {"features": features})()


class Free(Featured):
    """The same, where anything may be done, as the checker does."""

    def legal(self, state: Any) -> Sequence[Any]:
        return self.actions


@pytest.mark.parametrize("problem", [Cup(), Free()])
def test_gymnasium_finds_no_fault(problem: Any) -> None:
    check_env(SampledPomdpEnv(problem, particles=50), skip_render_check=True)


def test_particles_are_near_the_exact_belief() -> None:
    sleuth.learning.register()
    env: Any = gymnasium.make("sleuth/SampledPomdp-v0", problem=Cup(), particles=2000, max_episode_steps=9)
    observation, info = env.reset(seed=1)
    assert info == {}
    odds = 1.0
    for _ in range(3):
        observation, reward, terminated, _, info = env.step(0)
        odds *= 4 if info["seen"] == 1 else 1 / 4
        heads = float(observation["particles"][:, 0] @ observation["weights"])
        assert heads == pytest.approx(odds / (1 + odds), abs=0.05)
        assert (reward, terminated) == (-1.0, False)
    *_, terminated, _, info = env.step(2)
    assert (terminated, info["state"]) == (True, 2)
    with pytest.raises(SleuthError, match="no episode is on"):
        env.unwrapped.step(0)
    again = [SampledPomdpEnv(Cup(), particles=5).reset(seed=4)[0]["particles"].tolist() for _ in range(2)]
    assert again[0] == again[1]


def test_actions_that_may_not_be_taken_are_masked_and_refused() -> None:
    env = SampledPomdpEnv(Featured(), particles=5)
    observation, _ = env.reset(seed=1)
    assert env.action_masks().tolist() == [True, False, True]
    assert observation["particles"].shape == (5, 2)
    assert np.all(observation["particles"][:, 1] == 7)
    with pytest.raises(SleuthError, match="tails may not be done there"):
        env.step(1)


def test_wrong_values(tmp_path: Path) -> None:
    file = tmp_path / "my.py"
    file.write_text("def seven():\n    return 7\n", encoding="utf-8")
    for make, said in (
        (lambda: SampledPomdpEnv("tiger"), "a SampledPomdp is needed here, not 'tiger'"),
        (lambda: SampledPomdpEnv(f"{file}:seven"), "is no POMDP but of type int"),
        (lambda: SampledPomdpEnv(7), "a SampledPomdp is needed here, not 7"),  # type: ignore[arg-type]  # it is refused
        (
            lambda: SampledPomdpEnv(Words()),
            "Words, which has no features.state., is '(heads|tails)'; it must be",
        ),
        (
            lambda: SampledPomdpEnv(_made(lambda *_: (1.0, nan))),
            r"what features\(\) of Made returned has nan",
        ),
        (
            lambda: SampledPomdpEnv(_made(lambda *_: None)),
            "returned has nan; it must be finite numbers",
        ),
        (
            lambda: SampledPomdpEnv(_made(lambda _, state: (0,) * (1 + (state == "heads")))).reset(),
            r"has shape \([12],\) for one state, and \([12],\) for another",
        ),
        (lambda: SampledPomdpEnv(Cup()).reset(options=3), "options of reset are a dictionary, not 3"),  # type: ignore[arg-type]  # it is refused
        (lambda: SampledPomdpEnv(Cup(), particles=0), "particles must be 1 or more, not 0"),
        (lambda: SampledPomdpEnv(Cup()).reset(options={"state": 1}), "unknown option 'state'"),
        (lambda: SampledPomdpEnv(Cup()).step(0), "no episode is on"),
    ):
        with pytest.raises(SleuthError, match=said):
            make()

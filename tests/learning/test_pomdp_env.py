"""POMDPs as Gymnasium environments: Gymnasium finds no fault, and episodes follow the POMDP."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import sleuth.learning
from sleuth.learning.gym.pomdp import PomdpEnv
from sleuth.planning import battleship
from sleuth.planning.pomdps.files import write_pomdp
from sleuth.planning.pomdps.problems import rocksample_pomdp, tiger_pomdp
from sleuth.support.errors import SleuthError


@pytest.mark.parametrize("observe", ["belief", "history"])
@pytest.mark.parametrize("problem", ["tiger", "tag"])
def test_gymnasium_finds_no_fault(problem: str, observe: Any) -> None:
    check_env(PomdpEnv(problem, observe=observe), skip_render_check=True)


def test_beliefs_and_rewards_are_those_of_the_pomdp() -> None:
    sleuth.learning.register()
    made = gymnasium.make("sleuth/Pomdp-v0", problem="tiger", max_episode_steps=5)
    env, pomdp = made.unwrapped, tiger_pomdp()
    assert isinstance(env, PomdpEnv)
    assert env.metadata["discount"] == pomdp.discount
    observation, info = made.reset(seed=3)
    belief = pomdp.initial
    assert (observation["belief"].tolist(), info) == (belief.tolist(), {})
    heard = []
    for step in range(5):
        observation, reward, terminated, truncated, info = made.step(pomdp.actions.index("listen"))
        belief, _ = pomdp.update(belief, pomdp.actions.index("listen"), info["seen"])
        heard.append(info["seen"])
        assert observation["belief"] == pytest.approx(belief)
        assert (reward, terminated, truncated) == (-1.0, False, step == 4)
    again = gymnasium.make("sleuth/Pomdp-v0", problem=pomdp, observe="history", memory=3)
    again.reset(seed=3)
    for _ in range(5):
        observation, *_ = again.step(0)
    assert observation["history"].tolist() == [[0, seen] for seen in heard[-3:]]
    observation, _ = again.reset()
    assert observation["history"].tolist() == [[-1, -1]] * 3


def test_listening_is_right_as_often_as_the_tiger_says() -> None:
    env, right = PomdpEnv("tiger"), 0
    for seed in range(400):
        env.reset(seed=seed, options={"state": 0})
        *_, info = env.step(0)
        right += info["seen"] == 0
    assert abs(right / 400 - 0.85) < 4 * np.sqrt(0.85 * 0.15 / 400)


def test_an_episode_ends_where_nothing_more_can_come() -> None:
    pomdp = rocksample_pomdp(4, 4)
    env = PomdpEnv(pomdp)
    env.reset(seed=0)
    east, over, total = pomdp.actions.index("east"), False, 0.0
    while not over:
        _, reward, over, _, info = env.step(east)
        total += reward
    assert total == 10
    assert "state" in info
    with pytest.raises(SleuthError, match="no episode is on"):
        env.step(east)
    assert env.action_masks().tolist() == [True] * len(pomdp.actions)


def test_wrong_use_is_told(tmp_path: Path) -> None:
    file = tmp_path / "tiger.pomdp"
    write_pomdp(tiger_pomdp(), file)
    env = PomdpEnv(str(file))
    with pytest.raises(SleuthError, match="no episode is on"):
        env.step(0)
    env.reset()
    for call, said in (
        (lambda: env.step(7), "action 7 is none of 0 to 2"),
        (lambda: env.reset(options={"state": 9}), "play cannot begin in state 9"),
        (lambda: env.reset(options={"stat": 0}), "stat"),
        (lambda: PomdpEnv("tigger"), "did you mean tiger"),
        (lambda: PomdpEnv("battleship"), "the states of this one are drawn"),
        (lambda: PomdpEnv(battleship()), "the states of this one are drawn"),  # type: ignore[arg-type]
        (lambda: PomdpEnv(7), "a POMDP is needed here"),  # type: ignore[arg-type]
        (lambda: PomdpEnv("tiger", observe="state"), "state"),  # type: ignore[arg-type]
        (lambda: PomdpEnv("tiger", memory=0), "memory must be"),
    ):
        with pytest.raises(SleuthError, match=said):
            call()

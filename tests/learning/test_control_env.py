"""Control problems as Gymnasium environments: Gymnasium finds no fault, and what an episode is."""

from collections.abc import Hashable
from math import nan
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

import sleuth.learning
from sleuth.learning.gym.control import ControlEnv
from sleuth.planning.belief import update
from sleuth.planning.control import ListedControl, SampledControl
from sleuth.planning.problems.registry import PROBLEMS
from sleuth.planning.situation import start
from sleuth.support.errors import SleuthError


class Doors(ListedControl):
    """Look, at a price of 1, or go through a door, which is wrong at a price of 10; going once is all."""

    parameters = (0, 1)
    initial_state = "hall"
    horizon = 4
    discount = 0.5

    def controls(self, state: Any) -> tuple[str, ...]:
        return ("look", "left", "right") if state == "hall" else ("look",)

    def outcomes(self, state: Any, parameter: int, control: str) -> list[tuple[float, Hashable]]:
        if control != "look":
            return [(1.0, "out")]
        return [(0.9, f"saw {parameter}"), (0.1, "hall")] if state == "hall" else [(1.0, "hall")]

    def cost(self, state: Any, parameter: int, control: str, after: Any) -> float:
        return 1.0 if control == "look" else 10.0 * ((control == "right") != (parameter == 1))

    def is_terminal(self, state: Any) -> bool:
        return state == "out"

    def final_cost(self, state: Any) -> float:
        return 7.0


class Noisy(SampledControl):
    """A number that is measured: neither states nor chances can be listed."""

    parameters = (-1.0, 1.0)
    initial_state = 0.0
    horizon = 3

    def controls(self, state: Any) -> tuple[str, ...]:
        return ("measure",)

    def sample(self, state: Any, parameter: float, control: str, rng: Random) -> Hashable:
        return parameter + rng.gauss(0, 1)

    def likelihood(self, state: Any, parameter: float, control: str, after: Any) -> float:
        return float(np.exp(-((after - parameter) ** 2) / 2))

    def cost(self, state: Any, parameter: float, control: str, after: Any) -> float:
        return 1.0


def leaves(space: spaces.Space[Any]) -> list[spaces.Space[Any]]:
    """Return the spaces that a space is made of."""
    return list(space.spaces.values()) if isinstance(space, spaces.Dict) else [space]


CONTROL, WORDLE = sleuth.learning.CONTROL, sleuth.learning.ENVIRONMENT


@pytest.mark.filterwarnings("ignore:.*infinity")  # what a person encodes has no bounds
@pytest.mark.parametrize(
    ("name", "options"),
    [
        (CONTROL, {"problem": "tiger"}),
        (CONTROL, {"problem": "rocksample(n=3,k=2)"}),
        (CONTROL, {"problem": Doors()}),
        (CONTROL, {"problem": Doors(), "observe": "history"}),
        (CONTROL, {"problem": Noisy(), "encode": lambda state: np.array([state]), "controls": ["measure"]}),
        (WORDLE, {"words": ["crane", "trace", "react"], "mode": "strict", "candidates": True}),
    ],
    ids=["tiger", "rocks", "doors", "history", "noisy", "wordle"],
)
def test_gymnasium_finds_no_fault_and_learners_find_spaces_that_they_take(
    name: str, options: dict[str, Any]
) -> None:
    """Libraries take numbers from 0 alone (they make one-hot vectors of them), and ask for action_masks()."""
    env: Any = gymnasium.make(name, **options).unwrapped
    check_env(env)
    assert isinstance(env.action_space, spaces.Discrete)
    for space in (env.action_space, *leaves(env.observation_space)):
        assert isinstance(space, spaces.Box | spaces.Discrete | spaces.MultiBinary)
        assert not isinstance(space, spaces.Discrete) or space.start == 0
    wrapped = gymnasium.wrappers.TimeLimit(env, 50)
    rng = np.random.default_rng(0)
    for seed in range(5):
        _, info = wrapped.reset(seed=seed)
        over = False
        while not over:
            masks = wrapped.get_wrapper_attr("action_masks")()
            assert masks.dtype == bool
            assert masks.tolist() == info["action_mask"].astype(bool).tolist()
            observation, _, terminated, truncated, info = wrapped.step(rng.choice(np.flatnonzero(masks)))
            assert env.observation_space.contains(observation)
            over = terminated or truncated
        if terminated:
            with pytest.raises(SleuthError, match="call reset first"):
                env.action_masks()


def test_every_problem_is_an_environment() -> None:
    for name in PROBLEMS:
        problem = PROBLEMS.load(name)()
        first = problem.controls(problem.initial_state)
        env = ControlEnv(problem, encode=lambda _: np.zeros(1), controls=first)
        assert env.reset(seed=1)[0]["belief"].sum() == pytest.approx(1, abs=1e-4)


def test_what_is_encoded_has_one_shape() -> None:
    env = ControlEnv(Doors(), encode=lambda state: [1.0] * (1 + (state != Doors.initial_state)))
    env.reset(seed=1)
    with pytest.raises(SleuthError, match=r"has shape \(2,\) for one state, and \(1,\) for another"):
        env.step(0)


def test_a_problem_in_a_file_is_an_environment(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from sleuth.planning.problems.tiger import Tiger\n\n\nclass Mine(Tiger):\n    pass\n")
    env = ControlEnv(f"{file}:Mine(accuracy=0.75)")
    env.reset(seed=1)
    assert env.step(env.controls.index("listen"))[0]["belief"].max() == pytest.approx(0.75)
    with pytest.raises(SleuthError, match=r"mine\.py has no Yours; it has Mine"):
        ControlEnv(f"{file}:Yours")


def test_an_episode_is_the_problem_s() -> None:
    env, doors = ControlEnv(Doors()), Doors()
    belief = start(doors).belief
    state: Any = "hall"
    observation, _ = env.reset(seed=3, options={"parameter": 1})
    assert (observation["stage"], env.states[observation["state"]]) == (0, "hall")
    returned = 0.0
    for stage in range(1, 5):
        observation, reward, terminated, truncated, info = env.step(np.int64(env.controls.index("look")))
        then = env.states[observation["state"]]
        belief = update(doors, state, belief, "look", then)
        state = then
        assert observation["belief"] == pytest.approx(belief.full(2))
        assert observation["stage"] == stage
        returned += 0.5 ** (stage - 1) * reward
    assert (terminated, truncated, info["parameter"]) == (True, False, 1)
    assert returned == pytest.approx(-(1 + 0.5 + 0.25 + 0.125 + 0.0625 * 7))
    env.reset(options={"parameter": 0})
    assert env.step(env.controls.index("right"))[1:3] == (-10.0, True)


def test_a_control_that_may_not_be_applied_changes_nothing_and_costs() -> None:
    env = ControlEnv(Doors(), forbidden=3.0)
    env.reset(seed=0, options={"parameter": 0})
    while env.states[env.step(0)[0]["state"]] == "hall":
        env.reset(options={"parameter": 0})
    assert env.action_masks().tolist() == [True, False, False]
    observation, reward, over, _, _ = env.step(1)
    assert (env.states[observation["state"]], reward, over, observation["stage"]) == ("saw 0", -3.0, False, 2)


def test_a_history_has_controls_and_states() -> None:
    env = ControlEnv(Doors(), observe="history")
    observation, _ = env.reset(seed=1)
    assert (observation["history"] == -1).all()
    observation = env.step(0)[0]
    assert observation["history"].tolist() == [[0, observation["state"]], [-1, -1], [-1, -1], [-1, -1]]
    assert "belief" not in observation


def test_parameters_follow_from_the_seed_and_the_prior() -> None:
    env = ControlEnv(Doors())

    def drawn(seed: int) -> list[int]:
        env.reset(seed=seed)
        found = []
        for _ in range(40):
            env.reset()
            found.append(env.step(env.controls.index("left"))[4]["parameter"])
        return found

    assert drawn(1) == drawn(1) != drawn(2)
    assert 5 < sum(drawn(1)) < 35


def test_it_is_registered() -> None:
    env: Any = gymnasium.make(sleuth.learning.CONTROL, problem="tiger(accuracy=0.9)", max_episode_steps=9)
    assert env.unwrapped.problem.accuracy == 0.9
    assert env.get_wrapper_attr("metadata")["discount"] == env.unwrapped.problem.discount


def test_bad_arguments() -> None:
    class Wide(Doors):
        def outcomes(self, state: Any, parameter: int, control: str) -> list[tuple[float, Hashable]]:
            return [(1.0, state + "x")]

        def controls(self, state: Any) -> tuple[str, ...]:
            return ("look",)

    for options, said in (
        ({"problem": "tigre"}, "did you mean tiger"),
        ({"problem": Doors(), "observe": "beliefs"}, "did you mean belief"),
        ({"problem": Doors(), "forbidden": -1}, "forbidden"),
        ({"problem": Wide()}, "more than 10000 states can be reached: give encode"),
        ({"problem": Noisy()}, "cannot be listed.*give encode and controls"),
        ({"problem": "tiger", "observe": "history"}, "with a horizon"),
        ({"problem": Doors(), "encode": 3}, "encode is a function of a state, not 3"),
        ({"problem": Doors(), "encode": lambda _: [nan]}, r"what encode\(\) returned has nan"),
        ({"problem": Doors(), "encode": lambda _: "3"}, r"what encode\(\) returned is '3'"),
    ):
        with pytest.raises(SleuthError, match=said):
            ControlEnv(**options)
    env = ControlEnv(Doors())
    with pytest.raises(SleuthError, match="call reset first"):
        env.step(0)
    with pytest.raises(SleuthError, match="parameter 2 is none of 0 to 1"):
        env.reset(options={"parameter": 2})
    env.reset()
    with pytest.raises(SleuthError, match="action 3 is none of 0 to 2"):
        env.step(3)

"""Planners for POMDPs as policies for problems of adaptive control."""

from typing import Any

import pytest

from sleuth.planning.belief import update
from sleuth.planning.dynamic_programming import DynamicProgram
from sleuth.planning.episodes import compare
from sleuth.planning.methods import method
from sleuth.planning.oracle import Oracle
from sleuth.planning.pomdps.control_policy import PlannerPolicy
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import Planners
from sleuth.planning.problems.registry import PROBLEMS
from sleuth.planning.situation import Situation, start
from sleuth.support.errors import SleuthError
from sleuth.support.specification import from_text


@pytest.mark.parametrize(
    "by",
    [
        "hsvi(online=true)",
        pytest.param("despot(trials=100)", marks=pytest.mark.thorough),
        pytest.param("pomcp(simulations=5000)", marks=pytest.mark.thorough),
    ],
)
def test_planners_are_policies_for_adaptive_control(by: str) -> None:
    problem = from_text(PROBLEMS, "tiger")
    (score,) = compare(problem, {by: method(by).policy(problem, Oracle(problem))}, 150)
    assert abs(score.mean - DynamicProgram(problem).cost) < 4 * score.error


def test_a_planner_is_taken_on_where_play_goes_on() -> None:
    told: list[Any] = []

    class Heard:
        def __init__(self, seed: int) -> None:
            told.append(seed)

        def choose(self) -> int:
            return 0

        def observe(self, action: int, observation: int) -> None:
            told.append((action, observation))

    made: list[Any] = []

    def planners(modelled: ModelledPomdp) -> Planners:
        made.append(modelled.pomdp.initial)
        return Planners(Heard)

    problem = from_text(PROBLEMS, "tiger")
    policy = PlannerPolicy(problem, planners)
    situation = start(problem)
    for _ in range(2):
        assert policy.choose(situation) == "listen"
    assert told == [0, 1]  # at the beginning again
    belief = update(problem, situation.state, situation.belief, "listen", "heard left")
    then = Situation("heard left", belief, 0)
    assert policy.choose(then) == "listen"
    assert told[2:] == [(0, policy._seen["heard left"])]
    assert policy.choose(then) == "listen"  # that it hears nothing new is no result of its choice
    assert told[3:] == [2]
    assert len(made) == 2
    assert made[1].max() == pytest.approx(0.85)
    with pytest.raises(SleuthError, match="play does not come to 'nowhere'"):
        policy.choose(Situation("nowhere", belief, 0))

"""Finite POMDPs: the type, the ways to state one, and what is refused."""

from typing import Any

import numpy as np
import pytest
from random_pomdps import dense

from sleuth.planning.belief_tree import BeliefTree
from sleuth.planning.dynamic_programming import DynamicProgram
from sleuth.planning.laws import Laws
from sleuth.planning.pomdps.checking import check_policy
from sleuth.planning.pomdps.despot import Despot
from sleuth.planning.pomdps.files import write_pomdp
from sleuth.planning.pomdps.hsvi import HSVI, qmdp_bound
from sleuth.planning.pomdps.modelled import ModelledPomdp
from sleuth.planning.pomdps.online import TreePlanner, play
from sleuth.planning.pomdps.pomcp import Pomcp
from sleuth.planning.pomdps.pomdp import POMDP, rows_of
from sleuth.planning.pomdps.pomdpx import write_pomdpx
from sleuth.planning.pomdps.problems import tiger_pomdp
from sleuth.planning.pomdps.stating import pomdp_of_control, pomdp_of_functions
from sleuth.planning.problems.bandit import Bandit
from sleuth.planning.problems.rocksample import RockSample
from sleuth.planning.problems.tiger import Tiger
from sleuth.planning.situation import start
from sleuth.support.errors import SleuthError

STAY = np.eye(2)
MIXED = np.full((2, 2), 0.5)
HEARD = np.array([[0.85, 0.15], [0.15, 0.85]])


def arrays() -> dict[str, Any]:
    return {
        "transition": np.array([STAY, MIXED, MIXED]),
        "observation": np.array([HEARD, MIXED, MIXED]),
        "reward": np.array([[-1.0, -1], [-100, 10], [10, -100]]),
        "discount": 0.95,
        "states": ("left", "right"),
        "actions": ("listen", "open-left", "open-right"),
        "observations": ("left", "right"),
    }


def test_arrays_are_kept_without_their_zeros_and_beliefs_follow_bayes() -> None:
    pomdp = POMDP.of_arrays(**arrays())
    assert pomdp.transition.columns.tolist() == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
    assert pomdp.initial.tolist() == [0.5, 0.5]
    belief, chance = pomdp.update(pomdp.initial, 0, 0)
    assert belief.tolist() == pytest.approx([0.85, 0.15])
    assert chance == pytest.approx(0.5)
    belief, chance = pomdp.update(belief, 0, 0)
    assert belief[0] == pytest.approx(0.85**2 / (0.85**2 + 0.15**2))
    assert pomdp.update(belief, 1, 1)[0].tolist() == [0.5, 0.5]


def changed(key: str, place: tuple[int, ...], value: float) -> dict[str, Any]:
    given = arrays()
    given[key][place] = value
    return given


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (changed("transition", (1, 0, 0), 0.4), "next states of action 'open-left' in state 'left': .* 0.9;"),
        (changed("transition", (0, 1, 0), -0.1), "of action 'listen' in state 'right': a chance is -0.1"),
        (changed("transition", (0, 1, 0), float("nan")), "a chance is nan"),
        (changed("observation", (0, 1, 0), 0.2), "observations of action 'listen' in state 'right': .* 1.05"),
        (changed("reward", (2, 1), float("inf")), "reward of action 'open-right' in state 'right' is inf"),
        (arrays() | {"discount": 1.0}, "0 or more and less than 1, not 1.0"),
        (arrays() | {"discount": -0.1}, "0 or more and less than 1"),
        (arrays() | {"states": ("left", "left")}, "state 'left' is listed twice"),
        (arrays() | {"actions": ("listen",)}, "1 names were given for 3"),
        (arrays() | {"initial": [0.5, 0.6]}, "an initial belief is a distribution"),
        (arrays() | {"initial": [1.0]}, "2 chances, one a state"),
        (arrays() | {"reward": np.zeros((2, 2))}, r"reward is \[actions, states\]"),
        (arrays() | {"transition": np.zeros((3, 2))}, r"transition is \[actions, states, states\]"),
        (
            arrays() | {"observation": np.zeros((2, 2, 2))},
            r"observation is \[actions, states, observations\]",
        ),
    ],
)
def test_what_is_no_pomdp_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(SleuthError, match=said):
        POMDP.of_arrays(**given)


def test_an_entry_twice_and_one_that_there_is_not_are_refused() -> None:
    right = POMDP.of_arrays(**arrays())
    rest = right.reward, right.discount, right.initial, right.states, right.actions, right.observations
    for columns, said in (
        ([0, 1, 0, 0, 0, 1, 0, 1, 0, 1], "'left' is listed twice"),
        ([0, 1, 0, 2, 0, 1, 0, 1, 0, 1], "names one that there is not"),
    ):
        with pytest.raises(SleuthError, match=said):
            POMDP(right.transition._replace(columns=np.array(columns)), right.observation, *rest)


def tiger_of_functions() -> POMDP:
    def outcomes(state: str, action: str) -> list[tuple[float, str, float]]:
        if action == "listen":
            return [(1.0, state, -1.0)]
        gain = -100.0 if action == f"open-{state}" else 10.0
        return [(0.5, "left", gain), (0.5, "right", gain)]

    def observe(action: str, state: str) -> list[tuple[float, str]]:
        right = 0.85 if action == "listen" else 0.5
        return [(right if heard == state else 1 - right, heard) for heard in ("left", "right")]

    initial = {"left": 0.5, "right": 0.5}
    return pomdp_of_functions(initial, ("listen", "open-left", "open-right"), outcomes, observe, 0.95)


def test_functions_state_the_same_as_arrays() -> None:
    one, other = POMDP.of_arrays(**arrays()), tiger_of_functions()
    for mine, theirs in zip(dense(one), dense(other), strict=True):
        assert mine == pytest.approx(theirs)
    assert one.reward == pytest.approx(other.reward)
    assert (one.states, one.actions, one.observations) == (other.states, other.actions, other.observations)


def test_functions_whose_chances_are_wrong_are_refused_by_state_and_action() -> None:
    with pytest.raises(SleuthError, match="outcomes of 'go' in state 0: the chances add up to 0.9"):
        pomdp_of_functions({0: 1.0}, ["go"], lambda s, a: [(0.9, 0, 0.0)], lambda a, s: [(1.0, "")], 0.9)
    with pytest.raises(SleuthError, match="outcomes of 'go' in state 0: 'x' is listed twice"):
        pomdp_of_functions(
            {0: 1.0}, ["go"], lambda s, a: [(1.0, 0, 0.0)], lambda a, s: [(0.5, "x"), (0.5, "x")], 0.9
        )


def test_a_problem_with_a_fixed_parameter_is_a_pomdp() -> None:
    problem = RockSample(2, 1)
    stated = pomdp_of_control(problem)
    assert set(stated.actions) == {"north", "south", "east", "west", "sample", ("check", 0)}
    transition, observation = dense(stated.pomdp)
    for a, action in enumerate(stated.actions):
        for s, (state, number) in enumerate(stated.states):
            if problem.is_terminal(state) or action not in problem.controls(state):
                continue
            expected = 0.0
            for chance, after in problem.outcomes(state, number, action):
                if not chance:
                    continue
                expected -= chance * problem.cost(state, number, action, after)
                then = stated.states.index((after, number))
                assert transition[a, s, then] == pytest.approx(chance)
                assert observation[a, then, stated.observations.index(after)] == 1
            assert stated.pomdp.reward[a, s] == pytest.approx(expected)


def test_problems_that_are_no_pomdps_are_refused() -> None:
    with pytest.raises(SleuthError, match="horizon"):
        pomdp_of_control(Bandit(horizon=3))
    with pytest.raises(SleuthError, match="a discount below 1"):
        pomdp_of_control(Tiger(discount=1.0))


def test_rows_leave_zeros_out() -> None:
    table = rows_of(np.array([[0.0, 1.0], [0.0, 0.0], [0.5, 0.5]]))
    assert table.starts.tolist() == [0, 1, 1, 3]
    assert table.sums.tolist() == [1, 0, 1]


A_POMDP = r"a POMDP is needed here, not a Tiger; .* pomdp_of_control\(problem\).pomdp is one of a"
LAID_OUT = r"the search takes a ModelledPomdp, not a POMDP; ModelledPomdp\(pomdp\) makes one"
A_CONTROL = r"a problem of adaptive control has parameters and controls\(\), which a POMDP has not"


@pytest.mark.parametrize(
    ("made", "given", "said"),
    [
        *((made, Tiger(), A_POMDP) for made in (ModelledPomdp, HSVI, qmdp_bound)),
        (lambda given: write_pomdp(given, "tiger.pomdp"), Tiger(), A_POMDP),
        (lambda given: write_pomdpx(given, "tiger.pomdpx"), Tiger(), A_POMDP),
        (lambda given: play(given, None, None), Tiger(), A_POMDP),
        (lambda given: check_policy(given, None), Tiger(), A_POMDP),
        *((made, tiger_pomdp(), LAID_OUT) for made in (Despot, Pomcp, TreePlanner)),
        (BeliefTree, tiger_pomdp(), "takes a ModelledPomdp or ModelledControl, not a POMDP"),
        *((made, tiger_pomdp(), A_CONTROL) for made in (DynamicProgram, pomdp_of_control, start)),
        (lambda given: Laws(given, None), tiger_pomdp(), A_CONTROL),
    ],
)
def test_what_is_of_another_type_is_named(made: Any, given: Any, said: str) -> None:
    with pytest.raises(SleuthError, match=said) as refused:
        made(given)
    assert "\n" not in str(refused.value)

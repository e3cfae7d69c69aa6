"""What takes a problem, an oracle, a policy, a planner or a situation says in a line what it got instead."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from refusals import refusal

from sleuth import planning
from sleuth.planning import (
    HSVI,
    Bamcp,
    BeliefMDP,
    BeliefSearch,
    BoundedSearch,
    CertaintyEquivalence,
    Despot,
    DynamicProgram,
    InformationDirectedSampling,
    KnowledgeGradient,
    Lookahead,
    ModelledControl,
    ModelledPomdp,
    Myopic,
    Oracle,
    Pomcp,
    PosteriorSampling,
    Rollout,
    SearchPolicy,
    TreePolicy,
    simulate,
    start,
    tiger_pomdp,
)
from sleuth.planning.binary_search import BinarySearch
from sleuth.planning.pomdps.despot import ScenarioModel
from sleuth.planning.pomdps.online import TreePlanner
from sleuth.planning.problems.tiger import Tiger
from sleuth.planning.randomised import RandomPolicy
from sleuth.support.errors import SleuthError

CONTROL, POMDP = Tiger(), tiger_pomdp()
ORACLE, FIRST, MODELLED, BASE = Oracle(CONTROL), start(CONTROL), ModelledPomdp(POMDP), Myopic(CONTROL)
Use = Callable[[Any], Any]


def chosen(make: Use) -> Use:
    """Return what makes a policy of something and asks it for the first control."""
    return lambda given: make(given).choose(FIRST)


OF_PROBLEMS: dict[str, Use] = {
    "Myopic": chosen(Myopic),
    "Lookahead": chosen(lambda given: Lookahead(given, ORACLE)),
    "CertaintyEquivalence": chosen(lambda given: CertaintyEquivalence(given, ORACLE)),
    "DynamicProgram": chosen(DynamicProgram),
    "Rollout": chosen(lambda given: Rollout(given, BASE)),
    "Rollout, simulated": chosen(lambda given: Rollout(given, BASE, simulations=2)),
    "SearchPolicy": chosen(lambda given: SearchPolicy(given, ORACLE, iterations=3)),
    "TreePolicy": chosen(lambda given: TreePolicy(given, ORACLE, 3)),
    "BoundedSearch": chosen(lambda given: BoundedSearch(given, ORACLE, 3)),
    "Bamcp": chosen(lambda given: Bamcp(given, 3)),
    "BinarySearch": chosen(lambda given: BinarySearch(given, ORACLE)),
    "InformationDirectedSampling": chosen(lambda given: InformationDirectedSampling(given, ORACLE)),
    "KnowledgeGradient": chosen(KnowledgeGradient),
    "RandomPolicy": chosen(RandomPolicy),
    "Oracle": lambda given: Oracle(given)(FIRST),
    "PolicyCost": lambda given: planning.PolicyCost(given, BASE)(FIRST),
    "BeliefSearch": lambda given: BeliefSearch(given, FIRST),
    "ModelledControl": lambda given: ModelledControl(given, ORACLE),
    "simulate": lambda given: simulate(given, BASE, FIRST, 0, Random(0)),
    "compare": lambda given: planning.compare(given, {"myopic": BASE}, 1),
    "update": lambda given: planning.update(given, FIRST.state, FIRST.belief, "listen", "left"),
    "PomdpView": planning.PomdpView,
    "start": start,
}
OF_POMDPS: dict[str, Use] = {
    "ModelledPomdp": ModelledPomdp,
    "ScenarioModel": ScenarioModel,
    "TreePlanner": lambda given: TreePlanner(given, 3),
    "Pomcp": lambda given: Pomcp(given, 3),
    "Despot": lambda given: Despot(given, 3),
    "HSVI": HSVI,
    "rock_preference": lambda given: planning.rock_preference(given, 4, 4),
}
OF_ORACLES: dict[str, Use] = {
    "CertaintyEquivalence": chosen(lambda given: CertaintyEquivalence(CONTROL, given)),
    "PosteriorSampling": chosen(PosteriorSampling),
    "InformationDirectedSampling": chosen(lambda given: InformationDirectedSampling(CONTROL, given)),
    "BinarySearch": chosen(lambda given: BinarySearch(CONTROL, given)),
    "TreePolicy": chosen(lambda given: TreePolicy(CONTROL, given, 3)),
    "BoundedSearch": chosen(lambda given: BoundedSearch(CONTROL, given, 3)),
}
OF_ESTIMATES: dict[str, Use] = {
    "Lookahead": chosen(lambda given: Lookahead(CONTROL, given)),
    "SearchPolicy": chosen(lambda given: SearchPolicy(CONTROL, given, iterations=3)),
}
OF_POLICIES: dict[str, Use] = {
    "Rollout": chosen(lambda given: Rollout(CONTROL, given)),
    "Rollout of several": chosen(lambda given: Rollout(CONTROL, [BASE, given])),
    "PolicyCost": lambda given: planning.PolicyCost(CONTROL, given)(FIRST),
    "simulate": lambda given: simulate(CONTROL, given, FIRST, 0, Random(0)),
    "compare": lambda given: planning.compare(CONTROL, {"wrong": given}, 1),
}
OF_SITUATIONS: dict[str, Use] = {
    "Oracle": ORACLE,
    **{
        type(policy).__name__: policy.choose
        for policy in (
            BASE,
            CertaintyEquivalence(CONTROL, ORACLE),
            DynamicProgram(CONTROL),
            Rollout(CONTROL, BASE),
            SearchPolicy(CONTROL, ORACLE, iterations=3),
            TreePolicy(CONTROL, ORACLE, 3),
            BoundedSearch(CONTROL, ORACLE, 3),
            Bamcp(CONTROL, 3),
            BinarySearch(CONTROL, ORACLE),
            InformationDirectedSampling(CONTROL, ORACLE),
            KnowledgeGradient(CONTROL),
            PosteriorSampling(ORACLE),
            RandomPolicy(CONTROL),
        )
    },
    "simulate": lambda given: simulate(CONTROL, BASE, given, 0, Random(0)),
}
KINDS: list[tuple[dict[str, Use], str]] = [
    (OF_PROBLEMS, r"a problem of adaptive control has parameters and controls\(\), which a {} has not"),
    (OF_POMDPS, "a POMDP is needed here, not a {};|the search takes a ModelledPomdp, not a {};"),
    (OF_ORACLES, "an Oracle is needed here, not a {};"),
    (OF_ESTIMATES, "an estimate is a function of a situation, which a {} is not"),
    (OF_POLICIES, r"a policy has choose\(\), which a {} has not"),
    (OF_SITUATIONS, "a Situation is needed here, not a {};"),
]


def test_what_is_taken_is_told_in_a_line() -> None:
    for uses, said in KINDS:
        for given in (None, "tiger", BeliefMDP(CONTROL), CONTROL if uses is OF_POMDPS else POMDP):
            kind = type(given).__name__
            for name, use in uses.items():
                told = refusal(use, given)
                assert told is not None, (name, kind)
                assert re.match(said.replace("{}", kind), told), (name, kind, told)
                assert "\n" not in told


def test_planners_and_policies_of_vectors_are_told_too() -> None:
    with pytest.raises(
        SleuthError, match=r"a planner has choose\(\) and observe\(\), which a Myopic has not"
    ):
        planning.play(POMDP, BASE, Random(0))  # type: ignore[arg-type]
    with pytest.raises(SleuthError, match="a policy of AlphaVectors is needed here, not a Myopic"):
        planning.check_policy(POMDP, BASE)  # type: ignore[arg-type]
    with pytest.raises(SleuthError, match="'left' is no state of RockSample"):
        planning.rock_preference(MODELLED, 4, 4)


class Stated:
    """A problem that inherits nothing."""

    parameters = ("a", "b")
    initial_state = "start"

    def controls(self, state: Any) -> tuple[str, ...]:
        return ("go",)

    def cost(self, *of: Any) -> float:
        return 1.0

    def outcomes(self, *of: Any) -> list[tuple[float, str]]:
        return [(1.0, "end")]


class Weighted(Stated, planning.ListedControl):  # type: ignore[misc]
    horizon = 2
    prior: Any = (0.25, 0.75)


@pytest.mark.parametrize(
    ("bases", "without", "said"),
    [
        ((Stated,), None, "prior"),
        ((planning.ListedControl,), None, "initial_state"),
        ((planning.ListedControl,), "initial_state", "controls"),
        ((planning.ListedControl,), "controls", "cost"),
    ],
)
def test_what_a_problem_does_not_say_is_told(bases: tuple[type, ...], without: str | None, said: str) -> None:
    names = ("parameters", "initial_state", "controls")
    stated = names[: names.index(without) + 1] if without else names[:1]
    made = type("Made", bases, {name: vars(Stated)[name] for name in stated})
    with pytest.raises(SleuthError, match=rf"^Made does not say its {said}; .* inherits the rest"):
        start(made())


@pytest.mark.parametrize(
    ("base", "said"), [(planning.ListedControl, "outcomes"), (planning.SampledControl, "sample")]
)
def test_what_comes_of_controls_must_be_said(base: type, said: str) -> None:
    stated = {"parameters": (1, 2), "prior": (0.5, 0.5), "initial_state": 0, "controls": lambda *_: (0,)}
    made = type("Made", (base,), {**stated, "cost": lambda *_: 1.0, "horizon": 1, "discount": 1.0})
    with pytest.raises(SleuthError, match=rf"^Made does not say its {said}\(\)$"):
        start(made())


def test_play_is_over_or_not() -> None:
    made = type("Made", (Weighted,), {"is_terminal": lambda *_: "no"})
    with pytest.raises(SleuthError, match=r"is_terminal\(\) of state .* is 'no'; it is True or False"):
        start(made())


def test_a_prior_is_any_sequence_of_numbers() -> None:
    problem = Weighted()
    oracle = Oracle(problem)
    assert start(problem).belief.weights.tolist() == [0.25, 0.75]
    for policy in (BoundedSearch(problem, oracle, 3), Bamcp(problem, 3), DynamicProgram(problem)):
        (score,) = planning.compare(problem, {"it": policy}, 3)
        assert score.mean == 2
    problem.prior = ("much", "little")
    with pytest.raises(SleuthError, match="a prior is a weight for each parameter, not"):
        start(problem)

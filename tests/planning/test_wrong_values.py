"""Values of wrong types and out of range in planning: one line of SleuthError, which names the parameter."""

from collections.abc import Callable
from inspect import signature
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from command_line import Run
from refusals import refusal

from sleuth.cli import completing
from sleuth.planning import (
    HSVI,
    POMDP,
    Bamcp,
    BeliefSearch,
    BeliefTree,
    BoundedSearch,
    Despot,
    DynamicProgram,
    Lookahead,
    ModelledPomdp,
    Myopic,
    Oracle,
    Pomcp,
    PosteriorSampling,
    Rollout,
    SearchPolicy,
    TreePolicy,
    compare,
    method,
    play,
    pomdp_of_functions,
    record,
    rock_preference,
    rocksample_pomdp,
    simulate_policy,
    start,
    tiger_pomdp,
)
from sleuth.planning.belief import update
from sleuth.planning.benchmark.results import Benchmark
from sleuth.planning.pomdps import problems, small_problems
from sleuth.planning.pomdps.despot import ScenarioModel, ScenarioTree
from sleuth.planning.pomdps.drawn.problems import battleship, drawn_rocksample
from sleuth.planning.pomdps.online import RandomPlanner, TreePlanner
from sleuth.planning.problems.bandit_value import value
from sleuth.planning.problems.hidden_objects import HiddenObjects
from sleuth.planning.problems.registry import PROBLEMS
from sleuth.planning.problems.tiger import Tiger
from sleuth.planning.randomised import RandomPolicy
from sleuth.processes.control import Mastermind, Wordle
from sleuth.support.errors import SleuthError

# Whether those of guessing games are in the table depends on what was imported.
TABLE: dict[Any, None] = dict.fromkeys((*(PROBLEMS.load(name) for name in PROBLEMS), Mastermind, Wordle))
MAKERS: list[Callable[..., Any]] = [
    *TABLE,
    *(getattr(problems, name) for name in vars(problems) if name.endswith("_pomdp")),
    *(getattr(small_problems, name) for name in vars(small_problems) if name.endswith("_pomdp")),
    drawn_rocksample,
    battleship,
    value,
]
PARAMETERS = [(make, name) for make in MAKERS for name in signature(make).parameters]


def test_makers_of_problems_say_what_they_take() -> None:
    for make, name in PARAMETERS:
        needed = [key for key, one in signature(make).parameters.items() if one.default is one.empty]
        given: Any
        for given in ("5", {}, [("a",)], float("nan"), -1, 10**12):
            said = refusal(make, **{**dict.fromkeys(needed, 1), name: given})
            case = make.__name__, name, given, said
            assert said is not None or isinstance(given, int | float), case  # some take any number
            assert said is None or len(said.splitlines()) == 1, case


def test_what_is_said_of_them() -> None:
    small: Any = HiddenObjects  # whose types would be told before
    tiger: Any = tiger_pomdp
    rocks: Any = rocksample_pomdp
    cases: list[tuple[Callable[[], Any], str]] = [
        (lambda: tiger("5"), "accuracy must be a number from 0 to 1, not '5'"),
        (lambda: rocks("4", 4), "n must be a whole number, 1 or more, not '4'"),
        (lambda: rocks(4, 3.5), "k must be a whole number from 1 to 16, not 3.5"),
        (lambda: rocks(10, 40), r"rocksample_pomdp\(10, 40\) has more than 1000000 states"),
        (lambda: small(width="3"), "width must be a whole number, not '3'"),
        (lambda: small(horizon="3"), "horizon must be a whole number, not '3'"),
        (lambda: small(weights="3"), "weights must be a tuple, each a number, not '3'"),
        (lambda: small(width=100, objects=9), "9 objects in 300 cells may lie in more than"),
    ]
    for make, said in cases:
        with pytest.raises(SleuthError, match=f"^{said}"):
            make()


TIGER, CONTROL = tiger_pomdp(), Tiger()
MODELLED, ORACLE, FIRST = ModelledPomdp(TIGER), Oracle(CONTROL), start(CONTROL)
BASE = Myopic(CONTROL)
COUNTS = ("5", [1], 2.5, float("nan"))
Use = Callable[[Any], Any]
SEEDED: dict[str, Use] = {
    "BeliefTree": lambda seed: BeliefTree(MODELLED, seed=seed),
    "BeliefTree.begin": lambda seed: BeliefTree(MODELLED).begin(seed),
    "TreePlanner": lambda seed: TreePlanner(MODELLED, 5, seed=seed),
    "Pomcp": lambda seed: Pomcp(MODELLED, 5, seed=seed),
    "Despot": lambda seed: Despot(MODELLED, 5, seed=seed),
    "RandomPlanner": lambda seed: RandomPlanner(TIGER, seed),
    "RandomPolicy": lambda seed: RandomPolicy(CONTROL, seed),
    "Bamcp": lambda seed: Bamcp(CONTROL, 5, seed=seed),
    "Rollout": lambda seed: Rollout(CONTROL, BASE, 5, seed=seed),
    "SearchPolicy": lambda seed: SearchPolicy(CONTROL, ORACLE, iterations=5, seed=seed),
    "TreePolicy": lambda seed: TreePolicy(CONTROL, ORACLE, 5, seed=seed),
    "PosteriorSampling": lambda seed: PosteriorSampling(ORACLE, seed),
    "compare": lambda seed: compare(CONTROL, {"a": BASE}, 1, seed),
    "record": lambda seed: record(TIGER, RandomPlanner(TIGER, 0), seed),
    "rocksample_pomdp": lambda seed: rocksample_pomdp(2, 1, seed=seed),
    "rock_preference": lambda seed: rock_preference(ModelledPomdp(rocksample_pomdp(2, 1)), 2, 1, seed=seed),
    "Benchmark": lambda seed: Benchmark(("tiger",), ("random",), seed=seed),
    "simulate_policy": lambda seed: simulate_policy(TIGER, HSVI(TIGER).policy(), 1, seed),
    "tree": lambda seed: method(f"tree(seed={seed})"),
    "pomcp": lambda seed: method(f"pomcp(seed={seed})"),
    "despot": lambda seed: method(f"despot(seed={seed})"),
    "bamcp": lambda seed: method(f"bamcp(seed={seed})"),
    "rollout": lambda seed: method(f"rollout(seed={seed})"),
}


def test_seeds_are_0_or_more() -> None:
    said = {of: refusal(use, -1) for of, use in SEEDED.items()}
    assert said == dict.fromkeys(SEEDED, "seed must be 0 or more, not -1")


def test_seeds_of_commands_are_0_or_more(run: Run) -> None:
    for args in (
        ("plan", "tiger", "--seed", -1),
        ("plan", "tiger", "--method", "bamcp(seed=-1)"),
        ("bench", "planning", "--seed", -1),
        ("check-policy", "a.pomdp", "a.json", "--seed", -1),
        ("avts", "--seed", -1),
        ("play", "--seed", -1),
        ("fibble", "--seed", -1),
        ("boards", "--seed", -1),
        ("evaluate", "random(seed=-1)"),
        ("evaluate", "avts(seed=-1)"),
    ):
        code, out, err = run(*args)
        assert (code, out, err.count("\n")) == (2, "", 1), args
        assert "seed" in err
        assert "0 or more" in err or "x>=0" in err


VALUES: dict[str, tuple[Use, tuple[Any, ...]]] = {
    "simulations of a tree": (lambda n: BeliefTree(MODELLED).run(n), (*COUNTS, -1)),
    "simulations of POMCP": (lambda n: Pomcp(MODELLED, n), (*COUNTS, 0)),
    "seconds of POMCP": (lambda s: Pomcp(MODELLED, 5).search(s), ("5", [1], float("nan"), -1)),
    "coefficient of POMCP": (lambda c: Pomcp(MODELLED, 5, coefficient=c), ("5", [1], float("inf"))),
    "preference": (lambda p: Pomcp(MODELLED, 5, preference=p), ("5", 1)),
    "trials of DESPOT": (lambda n: Despot(MODELLED, n), (*COUNTS, 0)),
    "scenarios": (lambda n: Despot(MODELLED, 5, scenarios=n), (*COUNTS, 0)),
    "seconds of DESPOT": (lambda s: Despot(MODELLED, 5).search(s), ("5", [1], float("nan"), -1)),
    "model of scenarios": (lambda m: ScenarioTree(m, 0, [0], [[0.5]]), (MODELLED, None)),
    "numbers": (lambda n: ScenarioTree(ScenarioModel(MODELLED), 0, [0], n), ("5", [["a"]])),
    "gap of HSVI": (lambda g: HSVI(TIGER).run(1, g), ("5", 0, None)),
    "trials of HSVI": (lambda n: HSVI(TIGER).run(1, trials=n), COUNTS),
    "trials of bounds": (lambda n: BoundedSearch(CONTROL, ORACLE, n).choose(FIRST), COUNTS),
    "tolerance of bounds": (lambda t: BeliefSearch(CONTROL, FIRST).run(5, tolerance=t), ("5", 0)),
    "simulations of BAMCP": (lambda n: Bamcp(CONTROL, n), COUNTS),
    "widening": (lambda w: Bamcp(CONTROL, 5, outcomes=w), ("5", 1)),
    "simulations of rollout": (lambda n: Rollout(CONTROL, BASE, n), (*COUNTS, -1)),
    "sampler": (lambda s: SearchPolicy(CONTROL, ORACLE, iterations=1, sampler=s), ("uct", 1)),
    "depth": (lambda n: Lookahead(CONTROL, ORACLE, n), (*COUNTS, 0)),
    "tolerance": (lambda t: DynamicProgram(CONTROL, t), ("5", 0, float("inf"))),
    "limits": (lambda x: ModelledPomdp(TIGER, limits=x), (3, "ab", ("a", 1), (1, 2, 3))),
    "part": (lambda p: BeliefTree(MODELLED).move(p, TIGER.initial), ("0", 2.5, -1, 2)),
    "belief of a part": (lambda b: BeliefTree(MODELLED).move(0, b), ("ab", [1.0], {})),
    "action": (lambda a: Pomcp(MODELLED, 5).observe(a, 0), ("listen", None, 2.5, -1, 3)),
    "observation": (lambda o: TIGER.update(TIGER.initial, 0, o), ("left", None, 2.5, -1, 2)),
    "belief": (lambda b: TIGER.update(b, 0, 0), ("ab", [1.0], None)),
    "belief of control": (lambda b: update(CONTROL, "begin", b, "listen", "begin"), ("ab", [1.0], None)),
    "episodes": (lambda n: compare(CONTROL, {"a": BASE}, n), (*COUNTS, 0)),
    "policies": (lambda p: compare(CONTROL, p, 1), ([BASE], "a")),
    "random numbers": (lambda r: play(TIGER, RandomPlanner(TIGER, 0), r), (0, np.random.default_rng(0))),
    "names": (lambda n: record(TIGER, RandomPlanner(TIGER, 0), 0, n), ("ab", ("a",), 3)),
    "problems": (lambda p: Benchmark(p, ("random",)), ("tiger", None, (1,))),
    "method": (method, (None, 3)),
    "transition": (lambda t: POMDP.of_arrays(t, [[[1.0]]], [[0.0]], 0.9), ("5", None, [[[1.0], [1.0, 2.0]]])),
    "states": (lambda s: POMDP.of_arrays([[[1.0]]], [[[1.0]]], [[0.0]], 0.9, states=s), ("a", 1, [1], {})),
}


def test_what_is_no_value_of_the_kind_gets_a_line() -> None:
    for of, (use, bad) in VALUES.items():
        for given in bad:
            said = refusal(use, given)
            assert said is not None, (of, given)
            assert "\n" not in said


def test_functions_that_list_something_else_are_named_with_what_they_listed() -> None:
    def made(outcomes: Any = lambda s, a: [(1.0, s, 0.0)], observe: Any = lambda a, s: [(1.0, "o")]) -> POMDP:
        return pomdp_of_functions({"s": 1.0}, ["a"], outcomes, observe, 0.9)

    assert made().states == ("s",)
    for wrong in ([("s", 1.0)], [(1.0, "s")], None, 1.0, [("s", 1.0, 0.0)]):
        with pytest.raises(
            SleuthError, match=r"^outcomes of action 'a' in state 's' must be a list of \(chance"
        ):
            made(outcomes=lambda s, a, wrong=wrong: wrong)
        with pytest.raises(
            SleuthError, match=r"^observe of action 'a' in state 's' must be a list of \(chance"
        ):
            made(observe=lambda a, s: ["left"])
    with pytest.raises(SleuthError, match="initial must have a chance for each state"):
        pomdp_of_functions(["s"], ["a"], lambda *_: [], lambda *_: [], 0.9)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):  # what goes wrong within is theirs
        made(outcomes=lambda s, a: 1 / 0)


@pytest.mark.parametrize(
    "text", ["tree(simulations={})", "pomcp(simulations={})", "despot(trials={},scenarios=20)"]
)
def test_both_limits_of_a_search_hold(text: str) -> None:
    few = method(text.format(3)).planners(MODELLED, seconds=1000.0).new(0)  # type: ignore[attr-defined]
    found = few.search()
    assert getattr(found, "simulations", getattr(found, "trials", None)) <= 3
    again = few.search(1000.0)
    assert getattr(again, "simulations", getattr(again, "trials", None)) <= 3
    many = method(text.format(2**40)).planners(MODELLED, seconds=0.0).new(0)  # type: ignore[attr-defined]
    assert many.search().seconds < 1000
    play(TIGER, few, Random(0))


def test_seconds_stand_in_for_the_number_that_a_search_has_of_itself() -> None:
    planner = method("despot").planners(MODELLED, seconds=0.0).new(0)  # type: ignore[attr-defined]
    assert planner.search().trials == 0
    assert method("despot(scenarios=20)").planners(MODELLED).new(0).search().trials > 0  # type: ignore[attr-defined]


def test_what_notebooks_print_is_a_short_line() -> None:
    pomdp = rocksample_pomdp(4, 4)
    modelled, search, program = ModelledPomdp(pomdp), HSVI(pomdp), DynamicProgram(CONTROL)
    search.run(trials=1)
    program.choose(FIRST)
    shown = (pomdp, modelled, modelled.parts, pomdp.transition, search, search.policy(), program)
    for one in (*shown, search.policy().vectors[0], rock_preference(modelled, 4, 4), Pomcp(modelled, 5)):
        assert "\n" not in repr(one)
        assert len(repr(one)) < 200
    assert repr(pomdp) == "<POMDP: 257 states, 9 actions, 3 observations, discount 0.95>"


def test_what_cannot_plan_there_is_not_offered(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.pomdp"
    for args in (("plan", file, "--method", "x"), ("bench", "planning", "--methods", "x")):
        code, _, err = run(*args)
        assert (code, err.count("\n")) == (2, 1)
        assert "despot" in err
        assert "bamcp" not in err

    class Typed:
        """A command line as far as it is typed."""

        def __init__(self, problem: str) -> None:
            self.params, self.args = {"problem": problem}, ["--method"]

    def offered(problem: str) -> set[str]:
        given: Any = Typed(problem)
        return {name for name, _ in completing.methods(given, "")}

    assert offered("a.pomdp") == {"hsvi", "tree", "pomcp", "despot", "oracle-lookahead", "random"}
    assert {"bamcp", "tree"} < offered("tiger")
    assert {"pomcp", "despot"} < offered("tiger")


def test_suggest_says_where_strategies_rank(run: Run) -> None:
    assert "sleuth rank STRATEGY" in " ".join(run("suggest", "--help")[1].split())

"""Methods side by side by name, here and in other processes."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, json_of

from sleuth.planning import Blind, DynamicProgram, compare
from sleuth.planning.episodes import Player
from sleuth.planning.methods import method
from sleuth.planning.oracle import Oracle
from sleuth.planning.policy import Policy
from sleuth.planning.problems.tiger import Tiger
from sleuth.processes import comparing
from sleuth.processes.comparing import Compared, Comparison, run
from sleuth.support.errors import Interrupted, SleuthError
from sleuth.support.processes import DiedError

REMEMBER = (
    "random",
    "posterior-sampling",
    "information-directed",
    "tree(simulations=20)",
    "avts(iterations=20)",
    "bounds(trials=2)",
    "pomcp(simulations=2000)",
    "despot(trials=10,scenarios=20)",
    "rollout(base=random,simulations=3)",
)


class Listening:
    """Listens, whatever it hears."""

    def choose(self, situation: object) -> str:
        return "listen"


@pytest.mark.parametrize("text", REMEMBER)
def test_an_episode_is_the_same_whatever_is_played_before(text: str) -> None:
    problem = Tiger()

    def player() -> Player:
        return Player(problem, method(text).policy(problem, Oracle(problem)), seed=4)

    one, other = player(), player()
    ahead = [one.run(number)[:2] for number in range(6)]
    assert [other.run(number)[:2] for number in reversed(range(6))] == ahead[::-1]
    assert len(set(ahead)) > 1


def test_seeds_of_a_method_still_count() -> None:
    problem = Tiger()
    policies = {
        text: method(text).policy(problem, Oracle(problem)) for text in ("random(seed=1)", "random(seed=2)")
    }
    one, other = compare(problem, policies, 20)
    assert one.mean != other.mean


@pytest.mark.usefixtures("without_processes")
def test_processes_play_what_one_would() -> None:
    check_processes("random", "posterior-sampling", "despot(trials=10,scenarios=20)")


@pytest.mark.thorough
def test_other_processes_play_what_one_would() -> None:
    check_processes(*REMEMBER, "exact")


def check_processes(*methods: str) -> None:
    asked = Comparison("tiger", methods, episodes=21, seed=2)
    seen: list[tuple[int, int]] = []
    here = run(asked, recorded=True)
    there = run(
        asked,
        workers=2,
        recorded=True,
        progress=lambda progress: seen.append((progress.done, progress.total)),
    )
    for one, other in zip(here.scores, there.scores, strict=True):
        assert (one.name, one.mean, one.error, one.decisions, one.against) == (
            other.name,
            other.mean,
            other.error,
            other.decisions,
            other.against,
        )
        assert other.seconds > 0
    assert here.episode is not None
    assert (here.episode, here.bound) == (there.episode, there.bound)
    assert seen[-1] == (21, 21)


def test_how_much_more_a_policy_costs_than_the_first_is_over_the_same_episodes() -> None:
    problem = Tiger()
    policies: dict[str, Policy] = {
        "exact": DynamicProgram(problem),
        "listen": Blind(lambda state: "listen"),
    }
    best, listening = compare(problem, policies, 30)
    assert best.against is None
    assert listening.against is not None
    assert listening.against.value == pytest.approx(listening.mean - best.mean)
    assert listening.against.error == pytest.approx(best.error)  # what is the same each time adds nothing


def test_a_simulator_is_played_in_and_the_problem_is_planned_for() -> None:
    problem, other = Tiger(), Tiger(accuracy=0.7)
    blind = {"left": Blind(lambda state: "open left")}
    there = compare(problem, blind, 40, seed=1, simulator=other)[0]
    assert there.mean == compare(other, blind, 40, seed=1)[0].mean
    # Where the ear never errs, who takes it for poor still waits for a lead of three.
    policy, sure = {"exact": DynamicProgram(problem)}, Tiger(accuracy=1.0)
    score = compare(problem, policy, 10, simulator=sure)[0]
    assert score.decisions == 4
    assert score.error == 0
    same = compare(problem, policy, 10, simulator=Tiger())[0]
    assert same.mean == compare(problem, policy, 10)[0].mean
    with pytest.raises(SleuthError, match="the simulator does what the problem holds impossible: no param"):
        compare(sure, {"listen": Listening()}, 5, simulator=other)


def test_what_a_simulator_may_not_be(run: Run) -> None:
    for simulator, said in (
        ("bandit", "the first state of the simulator is a tuple, that of the problem 'begin'"),
        ("tiger(discount=0.5)", "the discount of the simulator is 0.5, that of the problem 0.95"),
        ("tag", "unknown problem 'tag'"),
    ):
        code, out, err = run("plan", "tiger", "--simulator", simulator)
        assert (code, out) == (2, "")
        assert said in err
    for option, value in (("--workers", 2), ("--simulator", "tiger")):
        code, _, err = run("plan", "tag", option, value)
        assert code == 2
        assert f"{option} does not go with tag" in err


@pytest.mark.usefixtures("without_processes")
def test_interrupted_processes_leave_what_all_methods_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    class Done:
        def __init__(self, found: Any) -> None:
            self.found = found

        def result(self) -> Any:
            return self.found

    def settle_each(under_way: dict[Any, Any], settle: Any, look: Any) -> None:
        for k, (future, piece) in enumerate(list(under_way.items())):
            if k == settled:
                raise KeyboardInterrupt
            settle(piece, Done(future.result()))

    monkeypatch.setattr(comparing, "settle_each", settle_each)
    asked = Comparison("tiger", ("myopic", "exact"), 32)
    settled = 3
    with pytest.raises(Interrupted) as stopped:
        run(asked, workers=2, recorded=True)
    known = stopped.value.known
    assert isinstance(known, Compared)
    assert known.scores == [
        type(score)(**{**vars(score), "seconds": found.seconds})
        for score, found in zip(
            run(Comparison("tiger", ("myopic", "exact"), 2)).scores, known.scores, strict=True
        )
    ]
    assert known.episode is not None
    settled = 1
    with pytest.raises(Interrupted) as none:
        run(asked, workers=2)
    assert none.value.known == Compared([], -10.0, False)


MINE = """
import os
from dataclasses import dataclass
from sleuth.planning.problems.tiger import Tiger

class Mine(Tiger):
    pass

class Poor(Tiger):
    def cost(self, state, parameter, control, after):
        return max(-5.0, super().cost(state, parameter, control, after))

class Wrong(Tiger):
    def outcomes(self, state, parameter, control):
        return [(1 / 0, state)]

@dataclass(frozen=True)
class Dying:
    def policy(self, problem, oracle):
        return self

    def choose(self, situation):
        os._exit(1)
"""


@pytest.mark.usefixtures("without_processes")
def test_problems_and_methods_of_ones_own_in_processes(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "my.py"
    file.write_text(MINE, encoding="utf-8")
    given = ("--method", "exact", "--episodes", 8, "--workers", 2)
    page = tmp_path / "one.html"
    found = json_of(run("plan", f"{file}:Mine", *given, "--json", "--episode", page))
    (method,), (theirs,) = found["methods"], json_of(run("plan", "tiger", *given, "--json"))["methods"]
    assert method["mean"] == theirs["mean"]
    there = json_of(run("plan", "tiger", *given, "--json", "--simulator", f"{file}:Poor"))
    assert (there["bound"], found["bound"]) == (-5, -10)  # of what is played
    assert there["methods"][0]["mean"] > method["mean"]
    assert "listen" in page.read_text(encoding="utf-8")
    code, out, err = run("plan", f"{file}:Wrong", "--method", "myopic", "--episodes", 8, "--workers", 2)
    assert (code, out) == (2, "")
    assert "my.py, line 15, in outcomes: ZeroDivisionError" in err


@pytest.mark.thorough
def test_a_process_that_dies_is_told(tmp_path: Path) -> None:
    file = tmp_path / "my.py"
    file.write_text(MINE, encoding="utf-8")
    with pytest.raises(DiedError):
        comparing.run(Comparison("tiger", (f"{file}:Dying",), 8), workers=2)


SEARCHING = """
from dataclasses import dataclass
from sleuth.support.errors import Interrupted

@dataclass(frozen=True)
class Planned:
    def policy(self, problem, oracle):
        raise Interrupted("bounds")

@dataclass(frozen=True)
class Deciding:
    def policy(self, problem, oracle):
        return self

    def choose(self, situation):
        raise Interrupted(["what is known of controls"])
"""


@pytest.mark.parametrize("name", ["Planned", "Deciding"])
def test_what_a_search_knows_when_it_is_interrupted_is_no_score(name: str, run: Run, tmp_path: Path) -> None:
    """In the midst of the first decision, or of what is planned before play, no episode is finished."""
    file = tmp_path / "searching.py"
    file.write_text(SEARCHING, encoding="utf-8")
    given = ("plan", "tiger", "--method", f"{file}:{name}", "--episodes", 3)
    code, out, _ = run(*given)
    assert code == 130
    assert "no policy costs less than -10.0000 on average; no episode was finished by all methods" in out
    code, out, _ = run(*given, "--json")
    found = json.loads(out)
    assert code == 130
    assert (found["bound"], found["episodes"], found["methods"], found["interrupted"]) == (-10, 0, [], True)

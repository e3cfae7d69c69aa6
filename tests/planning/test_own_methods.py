"""Methods and problems of one's own, from a file, in the benchmark of planning and in plan."""

from pathlib import Path

import pytest
from command_line import Run, json_of

from sleuth.planning.methods import method, pomdp_method
from sleuth.planning.pomdps.files import write_pomdp
from sleuth.planning.pomdps.problems import tiger_pomdp
from sleuth.support.errors import SleuthError

MINE = '''
from dataclasses import dataclass
from sleuth.planning import POMDP, Planners, tiger_pomdp

@dataclass(frozen=True)
class Listener:
    """Listens so many times, then opens the door behind which it heard less."""
    times: int = 2
    name = "listener"

    def planners(self, modelled, preference=None, seconds=None):
        return Planners(lambda seed: Listening(modelled.pomdp, self.times))

class Listening:
    def __init__(self, pomdp, times):
        self.pomdp, self.times, self.heard = pomdp, times, []

    def choose(self):
        if len(self.heard) < self.times:
            return self.pomdp.actions.index("listen")
        left = 2 * self.heard.count("left") > len(self.heard)
        return self.pomdp.actions.index("open-right" if left else "open-left")

    def observe(self, action, observation):
        listened = self.pomdp.actions[action] == "listen"
        self.heard = [*self.heard, self.pomdp.observations[observation]] if listened else []

class Broken(Listener):
    name = "broken"
    def planners(self, modelled, preference=None, seconds=None):
        return 1 / 0

class Nothing:
    pass

def tiger():
    return tiger_pomdp(discount=0.5)

def three():
    return 3
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def line(problems: str, methods: str, *more: object) -> tuple[object, ...]:
    return "bench", "planning", "--problems", problems, "--methods", methods, *more


def test_they_play_beside_ours(run: Run, here: Path) -> None:
    write_pomdp(tiger_pomdp(discount=0.5), here / "tiger.pomdp")
    methods = "random,my.py:Listener( times = 3 ),my.py:Listener"
    asked = line("my.py:tiger,tiger.pomdp", methods, "--episodes", 3, "--json")
    found = json_of(run(*asked))
    assert found["methods"] == ["random", "my.py:Listener(times=3)", "my.py:Listener"]
    rows = found["results"]
    assert [row["episodes"] for row in rows] == [3] * 6
    # The same problem, made and read: the same episodes.
    same = [{key: value for key, value in row.items() if key != "seconds_per_decision"} for row in rows]
    assert [{**row, "problem": ""} for row in same[:3]] == [{**row, "problem": ""} for row in same[3:]]


def test_what_is_kept_is_of_the_file_as_it_was(run: Run, here: Path) -> None:
    asked = line("tiger", "my.py:Listener", "--episodes", 2, "--keep", "kept.json", "--json")
    first = json_of(run(*asked))["results"]
    assert json_of(run(*asked))["results"] == first  # with the seconds that they took then
    (here / "my.py").write_text(MINE.replace("times: int = 2", "times: int = 4"), encoding="utf-8")
    assert json_of(run(*asked))["results"] != first


@pytest.mark.parametrize(
    ("problems", "methods", "told"),
    [
        ("tiger", "my.py:Nothing", "my.py:Nothing plans for no POMDP: a method has a name and planners("),
        ("tiger", "my.py:Broken", "my.py:Broken on tiger: my.py, line 31, in planners: ZeroDivisionError"),
        ("tiger", "my.py:Listener(time=2)", "unknown option of my.py:Listener 'time': did you mean times?"),
        ("tiger", "my.py:Other", "my.py has no Other; it has Listener, Listening, Broken"),
        ("tiger", "other.py:Mine", "there is no file 'other.py'"),
        ("my.py:three", "tree", "my.py:three is no POMDP but of type int; POMDP.of_arrays"),
        ("other.pomdp", "tree", "other.pomdp cannot be read"),
        (
            "battleship",
            "my.py:Listener",
            "the states of battleship are drawn, which my.py:Listener cannot take",
        ),
    ],
)
def test_what_is_wrong_is_told_in_a_line(
    run: Run, here: Path, problems: str, methods: str, told: str
) -> None:
    code, out, err = run(*line(problems, methods, "--episodes", 2))
    assert code == 2, out
    [said] = err.splitlines()
    assert told in said


def test_plan_takes_methods_of_ones_own(run: Run, here: Path) -> None:
    text = "class Mine:\n    name = 'mine'\n    def policy(self, problem, oracle):\n"
    text += "        from sleuth.planning import Myopic\n        return Myopic(problem)\n"
    (here / "own.py").write_text(text, encoding="utf-8")
    asked = "plan", "tiger", "--episodes", 3, "--json", "--method"
    mine, ours = (json_of(run(*asked, name))["methods"][0] for name in ("own.py:Mine", "myopic"))
    assert mine["mean"] == ours["mean"]
    code, _, err = run("plan", "tiger", "--method", "my.py:Listener")
    assert code == 2
    assert "my.py:Listener plans for no problem of adaptive control: it has no policy(problem, oracle)" in err


def test_files_are_not_run_unless_asked_for(here: Path) -> None:
    for of in (method, pomdp_method):
        with pytest.raises(SleuthError, match="unknown method"):
            of("my.py:Listener")

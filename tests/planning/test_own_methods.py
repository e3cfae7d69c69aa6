"""Methods and problems of one's own, from a file, in the benchmark of planning and in plan."""

import json
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

class Exits(Listener):
    name = "exits"
    def planners(self, modelled, preference=None, seconds=None):
        raise SystemExit(0)

class Seven(Listener):
    name = "seven"
    def planners(self, modelled, preference=None, seconds=None):
        return 7

class Bare(Listener):
    name = "bare"
    def planners(self):
        return 7

class Numbered(Listener):
    name = 5

@dataclass(frozen=True)
class Gives:
    what: str = ""
    name = "gives"
    def planners(self, modelled, preference=None, seconds=None):
        given = {"text": "listen", "none": None, "less": -1, "more": 99, "half": 1.5, "yes": True}
        planner = Giving(given.get(self.what))
        if self.what == "dumb":
            planner = object()
        if self.what == "search":
            planner = SearchingNothing(0)
        return Planners(lambda seed: planner)

class Giving:
    def __init__(self, what):
        self.what = what
    def choose(self):
        return self.what
    def observe(self, action, observation):
        print("observed")

class SearchingNothing(Giving):
    def search(self, seconds=None, progress=None):
        return None

class Nothing:
    pass

def exits():
    raise SystemExit(0)

def needs(x):
    return x

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


@pytest.mark.usefixtures("without_processes")
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


@pytest.mark.usefixtures("without_processes")
def test_what_is_kept_is_of_the_file_as_it_was(run: Run, here: Path) -> None:
    asked = line("tiger", "my.py:Listener", "--episodes", 2, "--keep", "kept.json", "--json")
    first = json_of(run(*asked))["results"]
    assert json_of(run(*asked))["results"] == first  # with the seconds that they took then
    (here / "my.py").write_text(MINE.replace("times: int = 2", "times: int = 4"), encoding="utf-8")
    assert json_of(run(*asked))["results"] != first


@pytest.mark.usefixtures("without_processes")
@pytest.mark.parametrize(
    ("problems", "methods", "told"),
    [
        (
            "tiger",
            "my.py:Nothing",
            "my.py:Nothing plans for no POMDP: a method has a name (text) and planners(",
        ),
        ("tiger", "my.py:Broken", "my.py:Broken on tiger: my.py, line 31, in planners: ZeroDivisionError"),
        ("tiger", "my.py:Listener(time=2)", "unknown option of my.py:Listener 'time': did you mean times?"),
        ("tiger", "my.py:Other", "my.py has no Other; it has Listener, Listening, Broken"),
        ("tiger", "other.py:Mine", "there is no file 'other.py'"),
        (
            "tiger",
            "my.py:Numbered",
            "my.py:Numbered plans for no POMDP: a method has a name (text) and planners(",
        ),
        ("my.py:exits", "tree", "my.py:exits ends Python (SystemExit: 0)"),
        ("my.py:needs", "tree", "'my.py:needs' cannot be made so: missing a required argument: 'x'"),
        ("my.py:tiger(discount=0.5)", "tree", "my.py:tiger takes no options"),
        (
            "tiger",
            "my.py:Listener,my.py:Listener(times=2)",
            "my.py:Listener, my.py:Listener(times=2): my.py:Listener",
        ),
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


WRONG = [
    ("Exits", "my.py:Exits ends Python (SystemExit: 0)"),
    ("Seven", "seven.planners() returned 7; it returns Planners(new)"),
    ("Bare", "bare cannot be asked: too many positional arguments; a method has planners("),
    ("Gives(what=text)", "takes an action by its number, not 'listen'"),
    ("Gives(what=none)", "takes an action by its number, not None"),
    ("Gives(what=half)", "takes an action by its number, not 1.5"),
    ("Gives(what=yes)", "takes an action by its number, not True"),
    ("Gives(what=less)", "has no action -1, only 0 to 2"),
    ("Gives(what=more)", "has no action 99, only 0 to 2"),
    ("Gives(what=dumb)", "a planner has choose() and observe(), which a object has not"),
    ("Gives(what=search)", "SearchingNothing.search() returned None; it returns what has an action"),
]


@pytest.mark.usefixtures("without_processes")
def test_what_a_method_returns_is_checked_and_ends_no_other(run: Run, here: Path) -> None:
    methods = ",".join(["random", *(f"my.py:{name}" for name, _ in WRONG), "my.py:Listener"])
    code, out, err = run(*line("tiger", methods, "--episodes", 2, "--workers", 1, "--json"))
    assert code == 2
    assert [row["method"] for row in json.loads(out)["results"]] == ["random", "my.py:Listener"]
    for name, told in WRONG:
        [said] = [
            part
            for part in err.split("; my.py:")
            if part.removeprefix("sleuth: my.py:").startswith(f"{name} on")
        ]
        assert told.partition(";")[0] in said


@pytest.mark.parametrize(("name", "told"), WRONG)
def test_plan_checks_what_a_method_returns(run: Run, here: Path, name: str, told: str) -> None:
    code, out, err = run("plan", "my.py:tiger", "--method", f"my.py:{name}")
    assert code == 2, out
    assert told in err
    assert len(err.splitlines()) == 1


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

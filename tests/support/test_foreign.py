"""Strategies, games and problems of other people: by file, and by the entry points of packages."""

import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, json_of

import sleuth
from sleuth.games import GAMES
from sleuth.games.choice import GameChoice
from sleuth.planning.problems.registry import PROBLEMS
from sleuth.strategies.registry import STRATEGIES
from sleuth.support.errors import SleuthError, UnknownNameError
from sleuth.support.registry import Registry

FILE = """
from dataclasses import dataclass
import sleuth
from beside import ALL

@dataclass(frozen=True)
class Mine:
    place: int = 0
    name = "mine"

    def choose(self, position):
        return position.game.find(position.words[self.place % len(position.words)])

def middle(position):
    return position.game.find(position.words[len(position.words) // 2])

def fails(position):
    return [][1]

def hilo():
    return sleuth.Game.from_function(lambda g, a: (g > a) - (g < a), ALL, name="higher or lower")

made = hilo()
thing = Mine(7)
number = 5
"""
NAMES = "it has Mine, middle, fails, hilo"


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of strategies and games, in the working folder, and a module beside it."""
    (tmp_path / "my.py").write_text(FILE, encoding="utf-8")
    (tmp_path / "beside.py").write_text("ALL = range(1, 16)\n", encoding="utf-8")
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.delitem(sys.modules, "beside", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "my.py"


def test_strategies_and_games_by_file(run: Run, mine: Path) -> None:
    for strategy in ("my.py:middle", f"{mine}:middle"):
        for game in ("my.py:hilo", "my.py:made"):
            found = json_of(run("evaluate", strategy, "--game", game, "--json"))
            assert (found["strategy"], found["game"]) == ("middle", "higher or lower")
            assert (found["worst"], found["total"]) == (4, 49)
    found = json_of(
        run("evaluate", "my.py:Mine(place=7)", "--game", "my.py:made", "--max-turns", "2", "--json")
    )
    assert (found["options"], found["max_turns"], found["opener"]) == ({"place": 7}, 2, "8")
    found = json_of(
        run("evaluate", "rollout(base=my.py:Mine(place=3),width=4)", "--game", "my.py:hilo", "--json")
    )
    assert found["options"]["base"] == "mine(place=3)"
    found = json_of(run("evaluate", "my.py:thing", "--game", "my.py:hilo", "--json"))
    assert (found["strategy"], found["options"], found["opener"]) == ("mine", {"place": 7}, "8")
    for strategy, guess in (("my.py:Mine", "1"), ("my.py:thing", "8")):
        found = json_of(run("rank", strategy, "--game", "my.py:hilo", "--json"))
        assert [one["guess"] for one in found["guesses"]] == [guess]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("evaluate", "my.py"), f"strategy 'my.py' is not of the form FILE.py:NAME; {NAMES}"),
        (("evaluate", "my.py:gone"), f"strategy 'my.py:gone': my.py has no gone; {NAMES}"),
        (("evaluate", "your.py:Mine"), "strategy 'your.py:Mine': there is no file 'your.py'"),
        (("evaluate", "my.py:Mine(at=3)"), "unknown option of my.py:Mine 'at': there are place"),
        (("evaluate", "my.py:middle(at=3)"), "my.py:middle takes no options, and 'at' was given"),
        (("evaluate", "my.py:hilo"), "hilo is called with (position), and does not take that: too many"),
        (
            ("evaluate", "my.py:thing(place=3)"),
            "my.py:thing is made already and takes no options; 'place' was",
        ),
        (("evaluate", "my.py:number"), "a int is no strategy, it has no name and no method choose"),
        (("plan", "my.py:thing"), "my.py:thing is no control problem"),
        (("evaluate", "my.py:fails"), "my.py, line 18, in fails: IndexError: list index out of range"),
        (("suggest", "--game", "my.py:Mine"), "--game my.py:Mine returns a Mine, not a Game"),
        (("suggest", "--game", "my.py:middle"), "--game my.py:middle needs a default for position"),
        (("suggest", "--game", "my.py:gone"), f"game 'my.py:gone': my.py has no gone; {NAMES}"),
        (
            ("plan", "my.py:Mine"),
            "my.py:Mine is no control problem, which has outcomes() or sample(), and no POMDP",
        ),
    ],
)
def test_faults_of_a_file_are_a_line(run: Run, mine: Path, args: tuple[str, ...], said: str) -> None:
    code, out, err = run(*args)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith(f"sleuth: {said}")


def test_a_protocol_is_no_problem(run: Run, mine: Path) -> None:
    mine.write_text("from sleuth.planning import ListedControl\n", encoding="utf-8")
    code, out, err = run("plan", "my.py:ListedControl")
    assert (code, out) == (2, "")
    assert err.startswith("sleuth: my.py:ListedControl is a protocol, of which nothing can be made; name a")


def test_a_file_that_is_no_python_is_a_line(run: Run, mine: Path) -> None:
    mine.write_text("def :\n", encoding="utf-8")
    assert run("evaluate", "my.py:Mine") == (2, "", "sleuth: my.py, line 1: SyntaxError: invalid syntax\n")


def test_a_file_of_bytes_is_a_line(run: Run, mine: Path) -> None:
    mine.write_bytes(b"x = 1\x00")
    code, out, err = run("evaluate", "my.py:Mine")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("sleuth: my.py")


def test_files_are_run_only_where_they_are_allowed(mine: Path) -> None:
    """The page makes strategies and games of what visitors send."""
    mine.write_text("raise RuntimeError\n", encoding="utf-8")
    for refused in (
        lambda: sleuth.make("my.py:Mine"),
        lambda: sleuth.make("rollout(base=my.py:Mine)"),
        lambda: GameChoice("my.py:hilo").build(),
        lambda: sleuth.evaluate("my.py:Mine", sleuth.mastermind(2, 2)),
    ):
        with pytest.raises(UnknownNameError):
            refused()


def test_packages_add_theirs_by_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [registry.group for registry in (STRATEGIES, GAMES, PROBLEMS)] == [
        "sleuth.strategies",
        "sleuth.games",
        "sleuth.problems",
    ]
    (tmp_path / "plug.py").write_text(
        FILE.replace("from beside import ALL", "ALL = (1, 2)"), encoding="utf-8"
    )
    info = tmp_path / "plug-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: plug\nVersion: 1.0\n", encoding="utf-8")
    points = (
        "mine = plug:Mine",
        "middle = plug:middle",
        "away = gone:Mine",
        "odd = plug",
        "random = plug:Mine",
    )
    (info / "entry_points.txt").write_text("\n".join(["[sleuth.strategies]", *points]), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    ours: Registry[Any] = Registry(
        STRATEGIES.kind, dict(STRATEGIES.entries), STRATEGIES.group, STRATEGIES.adapt
    )
    monkeypatch.setattr(sys.modules["sleuth.strategies.registry"], "STRATEGIES", ours)
    assert ours["mine"].summary == "of the package plug"
    assert set(ours) == {*STRATEGIES, "mine", "middle", "away", "odd"}
    assert len(ours) == len(set(ours))
    assert "mine" in ours
    game = sleuth.mastermind(2, 3)
    assert sleuth.evaluate("mine(place=1)", game).options == {"place": 1}
    assert sleuth.evaluate("rollout(base=middle)", game).strategy == "rollout"
    assert type(sleuth.make("random")).__module__ == "sleuth.strategies.heuristics"
    with pytest.raises(SleuthError, match="strategy 'away': there is no module gone"):
        sleuth.make("away")
    with pytest.raises(SleuthError, match="'plug' is not of the form module:Name"):
        sleuth.make("odd")
    with pytest.raises(UnknownNameError, match="did you mean mine"):
        sleuth.make("mime")


def test_the_list_of_strategies_says_which_cannot_be_loaded(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours: Registry[Any] = Registry(STRATEGIES.kind)
    ours.register("away", "gone:Mine", "theirs")
    ours.register("beam", "sleuth.exact.beam:Beam", "ours")
    monkeypatch.setattr(sys.modules["sleuth.strategies.registry"], "STRATEGIES", ours)
    found = json_of(run("strategies", "--json"))["strategies"]
    assert found["away"]["summary"] == "theirs; it cannot be loaded: strategy 'away': there is no module gone"
    assert found["beam"]["summary"] == "ours"


def test_a_file_that_ends_python_is_told(run: Run, mine: Path) -> None:
    mine.write_text("import sys\nsys.exit(3)\n", encoding="utf-8")
    code, _, err = run("evaluate", "my.py:Mine")
    assert code == 2
    assert "my.py ends Python (SystemExit: 3) when it is loaded" in err

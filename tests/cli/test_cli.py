"""The command line as a person meets it: what it prints, and one clear line for every mistake."""

import io
import json
import os
import runpy
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from command_line import Ran, Run, json_of

from sleuth import evaluate
from sleuth.cli import run as main
from sleuth.cli.advise import reason
from sleuth.coaching.advice import Advice
from sleuth.coaching.quick import quick_guesses
from sleuth.games import GAMES
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.wordle import wordle
from sleuth.strategies.registry import STRATEGIES
from sleuth.support.errors import SleuthError

KEYS = "strategy options opener mode answers solved failures total mean worst histogram seconds"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "answers.txt"
    path.write_text("crane\ntrace\nreact\ncaret\nslate\n", encoding="utf-8")
    return path


def test_evaluate_json(run: Run) -> None:
    found = json_of(run("evaluate", "information-gain", "--opener", "salet", "--json"))
    assert set(KEYS.split()) <= set(found)
    assert (found["total"], found["worst"], found["failures"], found["opener"]) == (7946, 6, 0, "salet")
    assert found["histogram"] == {"2": 79, "3": 1206, "4": 982, "5": 46, "6": 2}


def test_evaluate_options(run: Run) -> None:
    args = "rollout -o base=information-gain -o width=10 --words original:300 --opener about --json"
    found = json_of(run("evaluate", *args.split()))
    same = evaluate("rollout(base=information-gain,width=10)", wordle("original:300"), "about")
    assert found["total"] == same.report.total
    options = {"base": "information-gain", "width": 10, "depth": 1, "values": "base", "penalty": "none"}
    assert found["options"] == options


def test_ties_reach_the_base_of_a_rollout(run: Run, words: Path) -> None:
    found = json_of(run("evaluate", "rollout", "--ties", "list-order", "--answers", words, "--json"))
    assert found["options"]["base"] == "expected-guesses(ties=list-order)"


@pytest.mark.smoke
def test_evaluate_prints_a_histogram(run: Run) -> None:
    code, out, _ = run("evaluate", "information-gain", "--opener", "salet")
    assert code == 0
    assert "mean 3.4324  total 7946  worst 6  failures 0" in out
    assert "█" in out


@pytest.mark.parametrize("suffix", ["json", "html", "dot", "txt"])
def test_evaluate_writes_trees(run: Run, tmp_path: Path, words: Path, suffix: str) -> None:
    path = tmp_path / f"tree.{suffix}"
    code, out, err = run("evaluate", "information-gain", "--answers", words, "--tree", path)
    assert code == 0, err
    assert str(path) in out
    assert path.stat().st_size > 0
    if suffix in ("json", "txt"):
        checked = json_of(run("check-tree", path, "--answers", words, "--json"))
        assert checked["valid"]
        assert checked["answers"] == 5


def test_rank(run: Run) -> None:
    found = json_of(run("rank", "information-gain", "--limit", "3", "--json"))
    assert [g["guess"] for g in found["guesses"]] == ["soare", "roate", "raise"]
    assert found["candidates"] == 2315
    code, out, _ = run("rank", "rollout", "--after", "salet:bbybb", "--limit", 2)
    assert code == 0
    assert "courd" in out


@pytest.mark.smoke
def test_suggest_the_opener_from_the_book(run: Run) -> None:
    found = json_of(run("suggest", "--json"))
    assert (found["guess"], found["method"]) == ("salet", "book")


@pytest.mark.smoke
@pytest.mark.usefixtures("compiled")
def test_suggest_in_mid_game(run: Run) -> None:
    found = json_of(run("suggest", "--after", "salet:bbybb", "--json"))
    assert (found["guess"], found["method"], found["candidates"]) == ("courd", "beam", 99)
    code, out, _ = run("suggest", "--after", "salet:00100")
    assert code == 0
    assert "Guess courd" in out


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["easy", "hard"])
def test_suggest_answers_before_anything_is_compiled(tmp_path: Path, mode: str) -> None:
    command = [sys.executable, "-m", "sleuth", "suggest", "--after", "salet:bbybb", "--mode", mode]
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert "Guess c" in done.stdout
    assert "an estimate" in done.stdout
    assert "sleuth warmup" in done.stderr
    done = subprocess.run([*command, "--json"], env=env, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert (found["method"], found["provisional"]) == ("expected-guesses", True)
    assert done.stderr == ""
    assert not list(tmp_path.rglob("*.nb?"))


def test_that_kernels_are_compiled_is_said_without_a_time_that_nobody_knows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sleuth.cli import compiling as announcing
    from sleuth.kernels import compiling

    monkeypatch.setattr(compiling, "_watchers", [])
    monkeypatch.setattr(compiling, "_told", [])
    monkeypatch.setattr(compiling, "_counters", [])  # a warm-up before this test still counts
    monkeypatch.setattr("sleuth.warmup.where_instead", lambda: None)
    announcing.announce()
    announcing.announce()
    with compiling.compiling("a"):
        pass
    assert capsys.readouterr().err == "compiling kernels, once; sleuth warmup --all compiles all ahead\n"
    announcing.end_announcing()
    assert compiling._told == []


def test_what_is_compiled_after_a_command_is_not_announced(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from sleuth.kernels import compiling

    monkeypatch.setattr(compiling, "_watchers", [])
    monkeypatch.setattr(compiling, "_counters", [])
    assert run("evaluate", "nothing")[0] == 2
    assert run("suggest", "--game", "mastermind", "--pegs", "2", "--colours", "3")[0] == 0
    with compiling.compiling("a"):
        pass
    assert capsys.readouterr().err == ""


def test_a_quick_estimate_says_how_far_compiling_is_and_when_it_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from sleuth.cli import compiling

    for name in ("_far", "_waiting"):
        monkeypatch.setattr(compiling, name, [])
    assert "sleuth warmup does that" in compiling.provisional()  # nothing compiles
    assert compiling.news() == ""

    def lines() -> Iterator[str]:
        assert "being compiled, once, and better advice follows" in compiling.provisional()
        yield '{"done": 12, "total": 150}'
        assert "(12 of 150 parts so far)" in compiling.provisional()
        assert compiling.news() == ""
        yield '{"done": 150, "total": 150}'

    compiling.follow(lines())
    assert compiling.news() == "The search is compiled: advice is no longer a quick estimate."
    assert compiling.news() == ""
    compiling.follow(['{"done": 12, "total": 150}'])  # and was ended
    assert "sleuth warmup does that" in compiling.provisional()


def test_suggest_widens_and_says_so(run: Run) -> None:
    rows = [part for row in ("salet:ggbbb", "sadhu:ggbbb", "savoy:ggbbb") for part in ("--after", row)]
    assert json_of(run("suggest", *rows, "--json"))["widened"]
    _, out, _ = run("suggest", *rows)
    assert "No listed answer fits" in out


def test_suggest_when_the_answer_is_found(run: Run) -> None:
    _, out, _ = run("suggest", "--after", "crane:ggggg")
    assert out == "crane is the answer, found in 1 guess.\n"
    assert json_of(run("suggest", "--after", "crane:ggggg", "--json"))["guess"] is None


def test_suggest_in_mastermind(run: Run) -> None:
    found = json_of(run("suggest", "--game", "mastermind", "--after", "1122:1,0", "--json"))
    assert found["candidates"] == 256


def test_suggest_with_black_pegs_alone(run: Run) -> None:
    black = ("suggest", "--game", "mastermind", "--pegs", 3, "--colours", 4, "--black", "--after")
    assert json_of(run(*black, "112:2", "--json"))["candidates"] == 9
    assert "takes one number, of those in the right place, at most 3" in run(*black, "112:1,0")[2]


def test_compare(run: Run, tmp_path: Path, words: Path) -> None:
    pytest.importorskip("matplotlib")
    plot = tmp_path / "bars.png"
    args = ("compare", "information-gain", "rollout(width=2)", "--answers", words)
    found = json_of(run(*args, "--plot", plot, "--json"))
    assert [r["strategy"] for r in found["results"]] == ["information-gain", "rollout"]
    assert plot.read_bytes().startswith(b"\x89PNG")
    [duel] = found["duels"]
    assert (duel["first"], duel["second"]) == ("information-gain", "rollout(width=2)")
    assert duel["wins"] + duel["ties"] + duel["losses"] == found["results"][0]["answers"]
    code, out, _ = run(*args)
    assert code == 0
    assert "rollout(width=2)" in out
    half = duel["difference_high"] - duel["difference"]
    told = ["information-gain", "rollout(width=2)", f"{duel['difference']:+.4f}", "±", f"{half:.4f}"]
    counts = [str(duel[key]) for key in ("wins", "ties", "losses")]
    assert out.split("answer by answer")[1].split()[-8:] == told + counts


@pytest.mark.smoke
def test_listings(run: Run) -> None:
    assert "wordle" in json_of(run("games", "--json"))["games"]
    assert "rollout" in json_of(run("strategies", "--json"))["strategies"]
    assert "nyt-guesses" in run("games")[1]
    assert "alpha-fds" in run("strategies")[1]


def test_the_languages_listed_are_those_that_work(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = "up to 5000: de, en, es, fr, it, nl, pl, pt, ru, sv; "
    if find_spec("wordfreq"):
        assert f"{ours}with wordfreq more words, and ar, bg, " in run("games")[1]
        assert {"da", "de"} < set(json_of(run("games", "--json"))["languages"])
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    extra = "pip install -c constraints.txt '.[languages]', in the clone\n"
    assert f"{ours}more words and languages: {extra}" in run("games")[1]
    for language in json_of(run("games", "--json"))["languages"]:
        assert run("suggest", "--words", f"frequent:{language}:5:4")[0] == 0
    code, out, err = run("suggest", "--words", "frequent:da:5:4")
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert err.endswith(f"need the package wordfreq: {extra}")


@pytest.mark.thorough
def test_reproduce_json(run: Run) -> None:
    found = json_of(run("reproduce", "learning", "--json"))
    assert found["name"] == "learning"


@pytest.mark.thorough
def test_warmup(run: Run) -> None:
    assert json_of(run("warmup", "--json"))["seconds"] >= 0


def test_the_seconds_of_an_evaluation_are_without_those_of_compiling(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: Path
) -> None:
    from sleuth.kernels.compiling import preparing
    from sleuth.trees.tree import DecisionTree

    build = DecisionTree.build

    def compiling(*given: Any, **named: Any) -> DecisionTree:
        with preparing():
            time.sleep(2)
        return build(*given, **named)

    run("evaluate", "information-gain", "--answers", words)
    monkeypatch.setattr(DecisionTree, "build", compiling)
    found = json_of(run("evaluate", "information-gain", "--answers", words, "--json"))
    assert found["seconds"] < 2


def test_an_estimate_that_is_exact_is_not_said_to_be_too_low(original: Game) -> None:
    def said(*rows: tuple[str, str]) -> str:
        at = Position.after_rows(original, rows)
        return reason(Advice(at, quick_guesses(at, 1), "expected-guesses", provisional=True))

    first = ("salet", "bbybb")
    assert said(first).startswith("an estimate, as a rule a little too low, puts it at 2.")
    assert said(first, ("courd", "bgbbb")).startswith(
        "it takes 1.833 guesses on average; its feedback tells all 6"
    )


@pytest.mark.smoke
def test_help_and_version(run: Run) -> None:
    assert "suggest" in run("--help")[1]
    assert run("--version")[1].startswith("sleuth ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("args", ["--version", pytest.param("games --json", marks=pytest.mark.thorough)])
def test_a_full_disk_gets_one_line(args: str) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "sleuth", *args.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "sleuth: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="closes what a shell calls 1")
def test_what_is_closed_is_read_by_nobody() -> None:
    done = subprocess.run(
        f"{shlex.quote(sys.executable)} -m sleuth --version >&-",
        shell=True,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.smoke
def test_no_command_prints_the_help(run: Run) -> None:
    code, out, err = run()
    assert (code, err) == (2, "")
    assert "suggest" in out


def test_a_prior_is_named(run: Run, tmp_path: Path, words: Path) -> None:
    path = tmp_path / "weights.txt"
    path.write_text("crane 5\ntrace 1\nreact 1\ncaret 1\nslate 1", encoding="utf-8")
    args = ("evaluate", "information-gain", "--answers", words, "--prior", path)
    assert json_of(run(*args, "--json"))["prior"] == "weighted"
    assert "under a prior" in run(*args)[1]


def test_bars_do_without_utf8(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(shown, encoding="ascii"))
    assert run("evaluate", "random", "--game", "bulls-and-cows", "--pegs", "2")[0] == 0
    assert b"?" in shown.getvalue()


def test_missing_answers_are_allowed_and_said(run: Run, tmp_path: Path, words: Path) -> None:
    guesses = tmp_path / "guesses.txt"
    guesses.write_text("crane\neerie\n", encoding="utf-8")
    code, _, err = run("evaluate", "information-gain", "--answers", words, "--guesses", guesses)
    assert code == 0
    assert "4 answers are not in the guess list" in err


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("evaluate rollot", "unknown strategy 'rollot': did you mean rollout?"),
        ("evaluate rollout -o widht=3", "did you mean width?"),
        ("evaluate rollout -o width=x", "it takes a whole number or all"),
        ("evaluate rollout -o width", "is not of the form KEY=VALUE"),
        ("evaluate rollout(width=3", "closing parenthesis"),
        ("evaluate alpha -o alpha=nan", "not nan"),
        ("evaluate random --ties foo", "candidates-first, list-order"),
        ("evaluate information-gain --opener cran", "has 4 letters"),
        ("evaluate information-gain --opener cranx", "did you mean"),
        ("evaluate information-gain --mode hrd", "did you mean hard?"),
        ("evaluate information-gain --words orignal", "did you mean original or original-guesses?"),
        ("evaluate information-gain --game mastermnd", "did you mean mastermind?"),
        ("evaluate information-gain --game mastermind --mode hard", "has no hard mode"),
        ("evaluate information-gain --game mastermind --words original", "does not go with"),
        ("evaluate information-gain --black", "--black does not go with --game wordle"),
        ("evaluate information-gain --game mastermind --pegs 9 --colours 9", "GiB"),
        ("evaluate information-gain --words original --answers x.txt", "not both"),
        ("evaluate information-gain --guesses x.txt", "--guesses goes with --answers"),
        ("evaluate information-gain --answers nowhere.txt", "No such file"),
        ("evaluate information-gain --answers .", "directory"),
        ("evaluate information-gain --prior nowhere.txt", "uniform, frequency"),
        ("evaluate information-gain --max-turns 0", "max_turns must be 1 or more"),
        ("evaluate information-gain --tree tree.foo", ".json"),
        ("evaluate information-gain --tree nowhere/tree.json", "nowhere"),
        ("evaluate most-hints --max-turns x", "--max-turns"),
        pytest.param("evaluate", "Missing argument", marks=pytest.mark.smoke),
        pytest.param("evalate rollout", "evaluate", marks=pytest.mark.smoke),
        ("compare information-gain --plot bars.foo", ".png"),
        ("suggest --after crane", "GUESS:FEEDBACK"),
        ("suggest --after crane:bbyb", "has 4 marks"),
        ("suggest --after crane:bbqbb", "has 'q'"),
        ("suggest --after crane:bbbbb --after slate:bbbby", "row 2: no possible answer gives BBBBY"),
        ("suggest --mode strict --after crane:bbbbb --after crate:bbbbb", "row 2: crate is not legal"),
        ("suggest --game bulls-and-cows --after 0123:3,1", "cannot be"),
        ("suggest --after crane:ggggg --after slate:bbgbg", "row 1 is right: the game is over"),
        ("evaluate random --game mastermind --prior frequency", "is for words"),
        ("evaluate random --game mastermind --tree tree.txt", "Selby's format is for Wordle"),
        ("--nothing", "sleuth --help"),
        ("check-tree nowhere.json", "nowhere.json"),
        ("reproduce rollout-table9", "did you mean rollout-table"),
        ("reproduce nothing", "unknown experiment 'nothing': there are "),
        ("rank nothing", "unknown strategy 'nothing': there are "),
        ("plan xyzzy", "unknown problem 'xyzzy': there are "),
        ("evaluate exac", "did you mean exact"),
        ("reproduce short-table3 --plot /proc/x.png", "cannot draw to /proc/x.png"),
        ("fibble --lies 2 --chance 0.1", "two kinds of hosts"),
        ("fibble --game mastermind --pegs 2 --chance 0 --rate 0.3", "is sure that the host never lies"),
        ("fibble --game mastermind --pegs 2 --seed -4", "--seed"),
        ("avts --game mastermind --pegs 2 --sampler puct(coefficient=nan)", "coefficient must be 0 or more"),
        ("avts --game mastermind --pegs 2 --sampler hoeffding(spread=-1)", "spread must be 0 or more"),
        (
            "avts --game mastermind --pegs 2 --sampler laplace(delta=inf)",
            "delta must be 0 or more and finite",
        ),
        ("avts --game mastermind --pegs 2 --colours 4 --target 30", "the target must be 31 or more, not 30"),
        ("avts --game mastermind --pegs 2 --threads 300", "--threads"),
        ("evaluate minimax -o seed=-1", "seed must be 0 or more"),
        ("reproduce learning --json --markdown", "give --json or --markdown, not both"),
        ("reproduce short-table2 --words none.txt", "and there is no file 'none.txt'"),
        ("evaluate rollout --tree /proc/x.json", "/proc/x.json cannot be written"),
        ("evaluate rollout --tree folder.json", "cannot be written (Is a directory)"),
        ("evaluate rollout --words mine.txt", "mine.txt is a file, which --answers takes"),
        ("evaluate learned -o weights=.", "weights '.': the folder has no weights.safetensors"),
        ("evaluate letter-pairs -o weights=candidates", "weights 'candidates': another player's"),
        ("rank information-gain --limit 0", "--limit"),
    ],
)
def test_mistakes_get_one_line_and_exit_code_2(
    run: Run, command: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("crane\ntrace\n")
    (tmp_path / "folder.json").mkdir()
    code, out, err = run(*command.split())
    assert (code, out) == (2, "")
    assert err.count("\n") == 1, err
    assert err.startswith("sleuth: ")
    assert said in err


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("", "empty"),
        ("crane\ntrace\ncrane\n", "crane"),
        ("crane\nabc\n", "line 2: 'abc' has 3 letters"),
        ("crane\ncr4ne\n", "line 2"),
        ("\x00\x01", "letters"),
    ],
)
def test_broken_word_files(run: Run, tmp_path: Path, lines: str, said: str) -> None:
    path = tmp_path / "words.txt"
    path.write_text(lines, encoding="utf-8")
    code, out, err = run("evaluate", "information-gain", "--answers", path)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert said in err


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("crane 1\ntrace -2\nreact 1\ncaret 1\nslate 1", "-2"),
        ("crane nan\ntrace 2\nreact 1\ncaret 1\nslate 1", "nan"),
        ("crane 0\ntrace 0\nreact 0\ncaret 0\nslate 0", "zero"),
        ("crane 1\n", "trace"),
        ("crane 1\nxxxxx 2", "xxxxx"),
    ],
)
def test_broken_weights(run: Run, tmp_path: Path, words: Path, lines: str, said: str) -> None:
    path = tmp_path / "weights.txt"
    path.write_text(lines, encoding="utf-8")
    code, out, err = run("evaluate", "information-gain", "--answers", words, "--prior", path)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert said in err


def test_long_work_tells_a_log_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sleuth.cli import show
    from sleuth.support.progress import Progress

    with show.steps("training") as update:
        update(Progress(1, 9, "mean 4"))
    assert capsys.readouterr().err == ""  # within a minute
    monkeypatch.setattr("sleuth.views.watching.LINE_EVERY", 0.0)
    monkeypatch.setattr("sleuth.views.watching._SHOW_EVERY", 0.0)
    with show.steps("training") as update:
        update(Progress(1, 9, "mean 4"))
        update(Progress(0, 0, "round 3"))
        update(Progress(2, 9))
    assert capsys.readouterr().err.splitlines() == [
        "training: 1 of 9, mean 4, 0 s",
        "training: round 3, 0 s",
        "training: 2 of 9, 0 s",
    ]


# Programs of one's own, as docs/games.md and docs/strategies.md say.

GAME_PROGRAM = """
import sleuth
from sleuth.cli import main
from sleuth.games import GAMES

def hilo():
    return sleuth.Game.from_function(lambda g, a: (g > a) - (g < a), range(1, 8), name="higher or lower")

GAMES.register("hilo", "MODULE:hilo", "a number from 1 to 7")
"""
STRATEGY_PROGRAM = """
from dataclasses import dataclass
from typing import ClassVar
from sleuth.cli import main
from sleuth.games.strategy import describe
from sleuth.strategies.registry import STRATEGIES

@dataclass(frozen=True)
class Nth:
    place: int
    name: ClassVar[str] = "nth"

    def choose(self, position):
        at = position.candidates[self.place % len(position.candidates)]
        return int(position.game.answer_guess[at])

    def rank(self, position, limit=20):
        return describe(position, [self.choose(position)])

STRATEGIES.register("nth", "MODULE:Nth", "the candidate at a place")
"""


@pytest.fixture
def program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Run]:
    """Run a program of one's own as a script, in this process; returns exit code, stdout and stderr."""

    def program(text: str, *args: str, guarded: bool = True) -> Ran:
        Path("ours.py").write_text(written(text, guarded), encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["ours.py", *args])
        with pytest.raises(SystemExit) as exit_:
            runpy.run_path("ours.py", run_name="__main__")
        captured = capsys.readouterr()
        return exit_.value.code, captured.out, captured.err

    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sleuth.cli.main", main)  # which leaves signals alone
    with patch.dict(GAMES.entries), patch.dict(STRATEGIES.entries), patch.dict(sys.modules):
        yield program


def written(text: str, guarded: bool) -> str:
    """Return a program that calls the command line. guarded: whether only where it is run as a script."""
    end = "if __name__ == '__main__':\n    main()\n" if guarded else "print('once')\nmain()\n"
    return text.replace("MODULE", "ours") + end


def test_a_program_with_a_game_of_its_own(program: Run) -> None:
    found = json_of(program(GAME_PROGRAM, "evaluate", "information-gain", "--game", "hilo", "--json"))
    assert (found["game"], found["total"], found["mode"]) == ("higher or lower", 17, "easy")
    code, out, err = program(GAME_PROGRAM, "games", guarded=False)
    assert (code, out.count("once"), err) == (0, 1, "")
    assert "hilo                        a number from 1 to 7" in out
    args = ("suggest", "--game", "hilo", "--mode", "strict", "--max-turns", "2")
    code, out, err = program(GAME_PROGRAM, *args, guarded=False)
    assert (code, out.count("once"), err) == (0, 1, "")


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["-m ours", "ours.py"])
def test_a_program_is_a_process(tmp_path: Path, how: str) -> None:
    """Its module is imported once, whether it is run as a script or as a module."""
    (tmp_path / "ours.py").write_text(written(GAME_PROGRAM, guarded=False), encoding="utf-8")
    command = [sys.executable, *how.split(), "suggest", "--game", "hilo"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout.count("once"), done.stderr) == (0, 1, "")


def test_a_program_with_a_strategy_of_its_own(program: Run) -> None:
    found = json_of(program(STRATEGY_PROGRAM, "strategies", "--json"))["strategies"]
    assert found["nth"] == {"summary": "the candidate at a place", "options": {"place": None}}
    code, out, _ = program(STRATEGY_PROGRAM, "strategies")
    assert code == 0
    assert out.rstrip().endswith("place")
    args = ("--game", "mastermind", "--pegs", "2", "--colours", "3", "--json")
    found = json_of(program(STRATEGY_PROGRAM, "rank", "nth(place=2)", *args))
    assert (found["strategy"], found["guesses"][0]["guess"]) == ("nth(place=2)", "13")
    found = json_of(program(STRATEGY_PROGRAM, "evaluate", "nth", "-o", "place=0", *args))
    assert found["options"] == {"place": 0}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"MODULE:hilo"', '"theirs:hilo"', "game 'hilo': there is no module theirs"),
        ('"MODULE:hilo"', '"MODULE:lohi"', "game 'hilo': the module ours has no lohi"),
        ("def hilo():", "def hilo(size):", "--game hilo: ours:hilo needs a default for size"),
        ("    return sleuth.", "    sleuth.", "--game hilo: ours:hilo returns a NoneType, not a Game"),
        ("    return sleuth.", "    1 / 0\n    sleuth.", "ours.py, line 7, in hilo: ZeroDivisionError: "),
        ("(g > a) - (g < a)", "[][g]", "ours.py, line 7, in <lambda>: IndexError: list index out of range"),
        ("GAMES.register", "hilo = 7\nGAMES.register", "--game hilo: ours:hilo is a int; give a function"),
    ],
)
def test_faults_of_a_game_of_ones_own_are_a_line(program: Run, old: str, new: str, said: str) -> None:
    assert old in GAME_PROGRAM
    code, out, err = program(GAME_PROGRAM.replace(old, new), "suggest", "--game", "hilo")
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith(f"sleuth: {said}")


@pytest.mark.parametrize(
    ("old", "new", "asked", "said"),
    [
        ("", "", "nth", "strategy 'nth' cannot be made so: missing a required argument: 'place'"),
        ("", "", "nth(place=x)", "nth option place is 'x'; it takes a whole number"),
        ("return int(", "return 7 + int(", "nth(place=8)", "nth.choose: mastermind 2x3 has no guess "),
        (
            "return int(",
            "return str(",
            "nth(place=0)",
            "nth.choose: mastermind 2x3 takes a guess by its number",
        ),
        (
            "return int(",
            "return 1 / int(0 *",
            "nth(place=0)",
            "ours.py, line 15, in choose: ZeroDivisionError",
        ),
        ('name: ClassVar[str] = "nth"', "", "nth(place=0)", "a Nth has no name"),
        ("place: int", "place: 'Whole'", "nth(place=0)", "the types of Nth's options cannot be read"),
        (
            "STRATEGIES.r",
            "Nth = Nth(1)\nSTRATEGIES.r",
            "nth(place=1)",
            "nth is made already and takes no options; 'place' was given",
        ),
        ("STRATEGIES.r", "Nth = 1\nSTRATEGIES.r", "nth", "a int is no strategy, it has no name"),
    ],
)
def test_faults_of_a_strategy_of_ones_own_are_a_line(
    program: Run, old: str, new: str, asked: str, said: str
) -> None:
    assert old in STRATEGY_PROGRAM
    text = STRATEGY_PROGRAM.replace(old, new) if old else STRATEGY_PROGRAM
    args = ("evaluate", asked, "--game", "mastermind", "--pegs", "2", "--colours", "3")
    code, out, err = program(text, *args)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith(f"sleuth: {said}")


def test_a_module_that_cannot_be_imported_is_a_line(program: Run) -> None:
    Path("theirs.py").write_text("def hilo(:\n", encoding="utf-8")
    text = GAME_PROGRAM.replace("MODULE", "theirs")
    code, _, err = program(text, "suggest", "--game", "hilo")
    assert (code, err) == (2, "sleuth: theirs.py, line 1: SyntaxError: invalid syntax\n")
    Path("theirs.py").write_text("import nowhere\n", encoding="utf-8")
    code, _, err = program(text, "suggest", "--game", "hilo")
    assert (code, err.count("\n")) == (2, 1), err
    assert err.startswith("sleuth: theirs.py, line 1, in <module>: ModuleNotFoundError: No module named")


def test_registering_twice_is_harmless_and_another_of_the_name_refused() -> None:
    entry = GAMES["mastermind"]
    GAMES.register("mastermind", entry.target, entry.summary)
    with pytest.raises(SleuthError, match="game 'mastermind' is registered already"):
        GAMES.register("mastermind", "ours:mastermind", "another")
    for target in ("ours", "ours:", ":hilo", "ours:a b", ""):
        with pytest.raises(SleuthError, match="not of the form module:Name"):
            GAMES.register("hilo", target, "")
    assert "hilo" not in GAMES


@pytest.mark.thorough
@pytest.mark.parametrize(
    "args",
    [
        "-m sleuth evaluate my.py:middle --game my.py:hilo --json",
        "ours.py evaluate worst-case --game hilo --json",
    ],
)
def test_programs_of_the_documentation_run_as_they_stand(tmp_path: Path, args: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / "your-own.md").read_text(encoding="utf-8")
    blocks = [b for b in text.split("\n```\n") if b.startswith(("import", "from"))]
    for name, block in zip(("my.py", "ours.py"), blocks, strict=True):
        (tmp_path / name).write_text(block, encoding="utf-8")
    command = [sys.executable, *args.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    found = json_of((done.returncode, done.stdout, done.stderr))
    assert found["strategy"] in args
    assert (found["game"], found["worst"]) == ("higher or lower", 7)


def test_strategies_that_are_compared_twice_are_shown_twice(run: Run) -> None:
    code, out, _ = run("compare", "beam", "beam", "--game", "mastermind", "--pegs", "2", "--colours", "3")
    assert code == 0
    means, duels = out.split("answer by answer")
    assert sum(line.split()[:1] == ["beam"] for line in means.splitlines()) == 4
    assert duels.split()[-8:] == ["beam", "beam", "+0.0000", "±", "0.0000", "0", "9", "0"]


@pytest.mark.smoke  # the parser hands over paths in one version, texts in another
def test_files_named_twice_are_refused(run: Run, tmp_path: Path) -> None:
    words, new = tmp_path / "answers.txt", tmp_path / "new"
    words.write_text("crane\ntrace\nreact\n", encoding="utf-8")
    for options, says in (
        (("--answers", words, "--tree", words), "--tree and --answers are the same file, answers.txt"),
        (("--tree", new, "--certificate", new), "--tree and --certificate are the same file, new"),
    ):
        code, out, err = run("prove", *options)
        assert (code, out, says in err) == (2, "", True), err
    assert words.read_text(encoding="utf-8") == "crane\ntrace\nreact\n"

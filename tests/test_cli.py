"""The command line as a person meets it: what it prints, and one clear line for every mistake."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import json_of

KEYS = "strategy options opener mode answers solved failures total mean worst histogram seconds"


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "answers.txt"
    path.write_text("crane\ntrace\nreact\ncaret\nslate\n", encoding="utf-8")
    return path


def test_evaluate_json(run):
    found = json_of(run("evaluate", "information-gain", "--opener", "salet", "--json"))
    assert set(KEYS.split()) <= set(found)
    assert (found["total"], found["worst"], found["failures"], found["opener"]) == (7946, 6, 0, "salet")
    assert found["histogram"] == {"2": 79, "3": 1206, "4": 982, "5": 46, "6": 2}


def test_evaluate_options(run):
    args = "rollout -o base=information-gain -o width=10 --opener salet --json"
    found = json_of(run("evaluate", *args.split()))
    assert found["total"] == 7921
    assert found["options"] == {"base": "information-gain", "width": 10, "depth": 1, "values": "base"}


def test_ties_reach_the_base_of_a_rollout(run):
    found = json_of(run("evaluate", "rollout", "--ties", "list-order", "--opener", "salet", "--json"))
    assert found["options"]["base"] == "information-gain(ties=list-order)"


def test_evaluate_prints_a_histogram(run):
    code, out, _ = run("evaluate", "information-gain", "--opener", "salet")
    assert code == 0
    assert "mean 3.4324  total 7946  worst 6  failures 0" in out
    assert "█" in out


@pytest.mark.parametrize("suffix", ["json", "html", "dot", "txt"])
def test_evaluate_writes_trees(run, tmp_path, words, suffix):
    path = tmp_path / f"tree.{suffix}"
    code, out, err = run("evaluate", "information-gain", "--answers", words, "--tree", path)
    assert code == 0, err
    assert str(path) in out
    assert path.stat().st_size > 0
    if suffix in ("json", "txt"):
        checked = json_of(run("check-tree", path, "--answers", words, "--json"))
        assert checked["valid"]
        assert checked["answers"] == 5


def test_rank(run):
    found = json_of(run("rank", "information-gain", "--limit", "3", "--json"))
    assert [g["guess"] for g in found["guesses"]] == ["soare", "roate", "raise"]
    assert found["candidates"] == 2315
    code, out, _ = run("rank", "rollout", "--after", "salet:bbybb", "--limit", 2)
    assert code == 0
    assert "courd" in out


def test_suggest_the_opener_from_the_book(run):
    found = json_of(run("suggest", "--json"))
    assert (found["guess"], found["method"]) == ("salet", "book")


def test_suggest_in_mid_game(run):
    found = json_of(run("suggest", "--after", "salet:bbybb", "--json"))
    assert (found["guess"], found["method"], found["candidates"]) == ("courd", "beam", 99)
    code, out, _ = run("suggest", "--after", "salet:00100")
    assert code == 0
    assert "Guess courd" in out


def test_suggest_widens_and_says_so(run):
    rows = [part for row in ("salet:ggbbb", "sadhu:ggbbb", "savoy:ggbbb") for part in ("--after", row)]
    assert json_of(run("suggest", *rows, "--json"))["widened"]
    _, out, _ = run("suggest", *rows)
    assert "No listed answer fits" in out


def test_suggest_when_the_answer_is_found(run):
    _, out, _ = run("suggest", "--after", "crane:ggggg")
    assert out == "crane is the answer, found in 1 guess.\n"
    assert json_of(run("suggest", "--after", "crane:ggggg", "--json"))["guess"] is None


def test_suggest_in_mastermind(run):
    found = json_of(run("suggest", "--game", "mastermind", "--after", "1122:1,0", "--json"))
    assert found["candidates"] == 256


def test_compare(run, tmp_path, words):
    pytest.importorskip("matplotlib")
    plot = tmp_path / "bars.png"
    args = ("compare", "information-gain", "rollout(width=2)", "--answers", words)
    found = json_of(run(*args, "--plot", plot, "--json"))
    assert [r["strategy"] for r in found["results"]] == ["information-gain", "rollout"]
    assert plot.read_bytes().startswith(b"\x89PNG")
    code, out, _ = run(*args)
    assert code == 0
    assert "rollout(width=2)" in out


def test_listings(run):
    assert "wordle" in json_of(run("games", "--json"))["games"]
    assert "rollout" in json_of(run("strategies", "--json"))["strategies"]
    assert "nyt-guesses" in run("games")[1]
    assert "alpha-fds" in run("strategies")[1]


def test_reproduce_json(run):
    found = json_of(run("reproduce", "rollout-table2", "--json"))
    assert found["name"] == "rollout-table2"


def test_warmup(run):
    assert json_of(run("warmup", "--json"))["seconds"] >= 0


def test_help_and_version(run):
    assert "suggest" in run("--help")[1]
    assert run("--version")[1].startswith("sleuth ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("args", ["games", "games --json"])
def test_a_full_disk_gets_one_line(args):
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "sleuth", *args.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "sleuth: No space left on device\n")


def test_no_command_prints_the_help(run):
    code, out, err = run()
    assert (code, err) == (2, "")
    assert "suggest" in out


def test_a_prior_is_named(run, tmp_path, words):
    path = tmp_path / "weights.txt"
    path.write_text("crane 5\ntrace 1\nreact 1\ncaret 1\nslate 1", encoding="utf-8")
    args = ("evaluate", "information-gain", "--answers", words, "--prior", path)
    assert json_of(run(*args, "--json"))["prior"] == "weighted"
    assert "under a prior" in run(*args)[1]


def test_bars_do_without_utf8():
    script = "import sys; sys.argv[1:] = ['evaluate', 'random', '--game', 'bulls-and-cows', '--pegs', '2'];"
    command = [sys.executable, "-c", script + "from sleuth.cli import main; main()"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr


def test_missing_answers_are_allowed_and_said(run, tmp_path, words):
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
        ("evaluate information-gain --words orignal", "did you mean original?"),
        ("evaluate information-gain --game mastermnd", "did you mean mastermind?"),
        ("evaluate information-gain --game mastermind --mode hard", "has no hard mode"),
        ("evaluate information-gain --game mastermind --words original", "does not go with"),
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
        ("evaluate", "Missing argument"),
        ("evalate rollout", "evaluate"),
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
        ("rank information-gain --limit 0", "--limit"),
    ],
)
def test_mistakes_get_one_line_and_exit_code_2(run, command, said, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*command.split())
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
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
def test_broken_word_files(run, tmp_path, lines, said):
    path = tmp_path / "words.txt"
    path.write_text(lines, encoding="utf-8")
    code, out, err = run("evaluate", "information-gain", "--answers", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
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
def test_broken_weights(run, tmp_path, words, lines, said):
    path = tmp_path / "weights.txt"
    path.write_text(lines, encoding="utf-8")
    code, out, err = run("evaluate", "information-gain", "--answers", words, "--prior", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_long_work_tells_a_log_how_far_it_is(capsys, monkeypatch):
    from sleuth.cli import show

    with show.steps("training") as update:
        update(1, 9, "mean 4")
    assert capsys.readouterr().err == ""  # within a minute
    monkeypatch.setattr(show, "_LINE_EVERY", 0.0)
    with show.steps("training") as update:
        update(1, 9, "mean 4")
        update(0, 0, "round 3")
        update(2, 9, "")
    assert capsys.readouterr().err.splitlines() == [
        "training, 0 min: 1 of 9, mean 4",
        "training, 0 min: round 3",
        "training, 0 min: 2 of 9",
    ]

"""What the shell is offered: asked as the scripts that Typer installs ask."""

from collections.abc import Callable, Iterable

import pytest
from command_line import Run

from sleuth.cli.app import COMMANDS
from sleuth.games import GAMES, MODES, wordlists
from sleuth.learning.runs.configuration import shipped
from sleuth.ledger.record import records
from sleuth.planning.benchmark.results import ALL
from sleuth.planning.methods import METHODS
from sleuth.planning.samplers import SAMPLERS
from sleuth.processes.problems import PROBLEMS
from sleuth.published import EXPERIMENTS
from sleuth.strategies.registry import STRATEGIES
from sleuth.variants.boards.strategies import JOINT

Offered = Callable[[str], list[str]]


@pytest.fixture
def offered(run: Run, monkeypatch: pytest.MonkeyPatch) -> Offered:
    """Return what bash is offered at the end of a line."""

    def offered(line: str) -> list[str]:
        monkeypatch.setenv("_SLEUTH_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
        code, out, err = run()
        assert (code, err) == (0, "")
        return out.split()

    return offered


def test_the_shell_is_offered_what_there_is(offered: Offered) -> None:
    lines: dict[str, Iterable[str]] = {
        "sleuth ": [*COMMANDS],
        "sleuth evaluate ": [*STRATEGIES],
        "sleuth rank ": [*STRATEGIES],
        "sleuth compare alpha ": [*STRATEGIES],
        "sleuth boards --strategy ": [*JOINT],
        "sleuth suggest --game ": [*GAMES],
        "sleuth play --mode ": [*MODES],
        "sleuth avts --sampler ": [*SAMPLERS],
        "sleuth plan ": {*PROBLEMS, *ALL},
        "sleuth plan tiger --method ": sorted(METHODS),
        "sleuth plan tiger.pomdp --method ": [
            "despot",
            "hsvi",
            "oracle-lookahead",
            "pomcp",
            "random",
            "tree",
        ],
        "sleuth plan hallway --method ": ["despot", "hsvi", "oracle-lookahead", "pomcp", "random", "tree"],
        "sleuth plan battleship --method ": ["despot", "pomcp"],
        "sleuth plan battle": ["battleship"],
        "sleuth reproduce ": [*EXPERIMENTS, "all"],
        "sleuth records ": [row.name for row in records()],
        "sleuth train ": shipped(),
        "sleuth evaluate alpha --ties ": ["candidates-first", "list-order"],
        "sleuth evaluate rollout -o ": ["base=", "depth=", "penalty=", "values=", "width="],
    }
    for line, known in lines.items():
        assert sorted(offered(line)) == sorted(known), line


def test_the_shell_is_offered_lists_and_priors(offered: Offered) -> None:
    words = offered("sleuth difficulty ")
    assert set(words) > set(wordlists.NAMED)
    assert "frequent:de:5:2000" in words
    assert offered("sleuth suggest --words nyt") == ["nyt", "nyt-2022-03", "nyt-2022-08", "nyt-guesses"]
    frequency = offered("sleuth prove --prior frequency")
    assert {"frequency", "frequency:fr"} < set(frequency)
    assert sorted(offered("sleuth prove --prior ")) == sorted([*frequency, "uniform"])


def test_what_begins_so_is_offered_and_nothing_else(offered: Offered) -> None:
    assert offered("sleuth evaluate roll") == ["rollout"]
    assert offered("sleuth evaluate my.p") == []  # the shell's own: files
    assert offered("sleuth evaluate my.py:Mine -o ") == []


def test_every_shell_has_a_script(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_SLEUTH_COMPLETE", "source_zsh")
    assert "compdef" in run()[1]
    monkeypatch.setenv("_SLEUTH_COMPLETE", "complete_zsh")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "sleuth play --mode st")
    out = run()[1]
    assert "strict" in out
    assert MODES["strict"] in out

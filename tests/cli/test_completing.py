"""What the shell is offered: asked as the scripts that Typer installs ask."""

import os
import subprocess
import sys
from collections.abc import Iterable

import pytest

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

PROGRAM = "import sys; sys.argv = ['sleuth']; from sleuth.cli import main; main()"


def offered(line: str) -> list[str]:
    """Return what bash is offered at the end of a line."""
    words = line.split(" ")
    asked = {"_SLEUTH_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=os.environ | asked, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


# What there is now: examples in docs register more in this process.
@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("sleuth ", [*COMMANDS]),
        ("sleuth evaluate ", [*STRATEGIES]),
        ("sleuth rank ", [*STRATEGIES]),
        ("sleuth compare alpha ", [*STRATEGIES]),
        ("sleuth boards --strategy ", [*JOINT]),
        ("sleuth suggest --game ", [*GAMES]),
        ("sleuth play --mode ", [*MODES]),
        ("sleuth avts --sampler ", [*SAMPLERS]),
        ("sleuth plan ", {*PROBLEMS, *ALL}),
        ("sleuth plan tiger --method ", sorted(METHODS)),
        (
            "sleuth plan tiger.pomdp --method ",
            ["despot", "hsvi", "oracle-lookahead", "pomcp", "random", "tree"],
        ),
        ("sleuth plan hallway --method ", ["despot", "hsvi", "oracle-lookahead", "pomcp", "random", "tree"]),
        ("sleuth plan battleship --method ", ["despot", "pomcp"]),
        ("sleuth plan battle", ["battleship"]),
        ("sleuth reproduce ", [*EXPERIMENTS, "all"]),
        ("sleuth records ", [row.name for row in records()]),
        ("sleuth train ", shipped()),
        ("sleuth evaluate alpha --ties ", ["candidates-first", "list-order"]),
        ("sleuth evaluate rollout -o ", ["base=", "depth=", "penalty=", "values=", "width="]),
    ],
)
def test_the_shell_is_offered_what_there_is(line: str, known: Iterable[str]) -> None:
    assert sorted(offered(line)) == sorted(known)


def test_the_shell_is_offered_lists_and_priors() -> None:
    words = offered("sleuth difficulty ")
    assert set(words) > set(wordlists.NAMED)
    assert "frequent:de:5:2000" in words
    assert offered("sleuth suggest --words nyt") == ["nyt", "nyt-2022-03", "nyt-2022-08", "nyt-guesses"]
    frequency = offered("sleuth prove --prior frequency")
    assert {"frequency", "frequency:fr"} < set(frequency)
    assert sorted(offered("sleuth prove --prior ")) == sorted([*frequency, "uniform"])


def test_what_begins_so_is_offered_and_nothing_else() -> None:
    assert offered("sleuth evaluate roll") == ["rollout"]
    assert offered("sleuth evaluate my.p") == []  # the shell's own: files
    assert offered("sleuth evaluate my.py:Mine -o ") == []


def test_every_shell_has_a_script() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"_SLEUTH_COMPLETE": "source_zsh"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "compdef" in done.stdout
    asked = {"_SLEUTH_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "sleuth play --mode st"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=os.environ | asked, capture_output=True, text=True, check=True
    )
    assert "strict" in done.stdout
    assert MODES["strict"] in done.stdout

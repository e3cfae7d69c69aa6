"""`sleuth warmup`: what becomes of it; and that after it no command of the pages compiles anything."""

import json
import os
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from command_line import Run

from sleuth.games.wordle import wordle
from sleuth.kernels import cache, compiling
from sleuth.support.progress import Progress
from sleuth.warmup import steps

ROOT = Path(__file__).parents[1]
MORE = """\
evaluate rollout --opener salet
evaluate most-rapid-decrease --mode strict --opener salet
evaluate expectimax -o moves=legal --opener salet
evaluate beam --prior frequency
evaluate learned
evaluate letter-pairs --words nyt
compare alpha(alpha=-1) rollout(base=worst-case)
boards --games 1000
prove --mode hard
prove --after salet:bbybb --top 5
prove --words original:200 --certificate salet.cert
equilibrium --game mastermind --pegs 3
avts --words nyt --target 11219
fibble
train candidates --out run
features trace lions --plot words.png
reproduce rollout-table1
reproduce learning
plan tiger""".splitlines()
SECONDS = 5  # of a processor; kernels that a command needs it needs soon, and what is long is ended then
BESIDE = 2  # commands that run at once
TYPED = {"play": "salet\n?\n?\n!\n", "absurdle": "", "assist": "salet bbybb\nquit\n"}
RUN = """
import os, resource, sys
from contextlib import contextmanager
from sleuth.kernels import jit

seconds = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

@contextmanager
def compiling(name):
    sys.stderr.write(f"it compiles {name}\\n")
    sys.stderr.flush()
    os._exit(99)
    yield

jit.compiling = compiling
from sleuth.cli import run
run()
"""


def commands() -> list[str]:
    """Return what README.md and "How do I ...?" have people type, and more that compute with kernels.

    Without the server, which has processes of its own.
    """
    pages = (ROOT / "README.md", ROOT / "docs" / "how-do-i.md")
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    blocks = re.findall(r"```(?:sh|console)\n(.*?)```", text, re.S)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    typed = [
        re.split(r"\s+#", line.removeprefix("sleuth "))[0] for line in lines if line.startswith("sleuth ")
    ]
    return [line for line in dict.fromkeys([*typed, *MORE]) if not line.startswith("serve")]


def test_the_other_process_is_started_again_where_it_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = tmp_path / "begun"
    script = f"#!/bin/sh\necho; echo x >> {begun}\n[ $(wc -l < {begun}) -gt 1 ] && exec cat; kill -9 $$\n"
    (tmp_path / "python").write_text(script)
    (tmp_path / "python").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    counted: list[None] = []
    told: list[str] = []
    with steps._other_process("games", lambda: counted.append(None), told.append):
        until = time.monotonic() + 300
        while len(counted) < 2 and time.monotonic() < until:
            time.sleep(0.01)
    assert len(counted) == 2
    assert told == ["the process that helps to compile ended with status -9; it is started again"]


def test_kernels_that_cannot_be_kept_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("SLEUTH_THREADS", "1")
    monkeypatch.setattr(cache, "_lost", [])
    monkeypatch.setattr(compiling, "_told", [])  # other tests' commands
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    done: list[int] = []

    def step(number: int) -> None:
        done.append(number)
        cache._lose("/somewhere", "No space left on device")

    monkeypatch.setattr(steps, "_stages", lambda area: [[partial(step, number) for number in range(3)]])
    code, out, err = run("warmup")
    assert (code, out, done) == (2, "", [0])
    assert "compiled kernels cannot be kept in /somewhere (No space left on device)" in err
    assert not cache.is_complete()
    assert err.count("\n") == 1, err


def test_it_is_told_when_what_hints_take_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLEUTH_THREADS", "1")
    monkeypatch.setattr(cache, "_lost", [])
    monkeypatch.setattr(compiling, "_counters", [])
    monkeypatch.setattr(steps, "_stages", lambda area: [[count], [count]])
    monkeypatch.setattr(steps, "mark_complete", lambda: None)
    told: list[tuple[int, bool]] = []

    def count() -> None:
        for counter in compiling._counters:
            counter()

    def watch(far: Progress) -> None:
        assert isinstance(far, steps.Prepared)
        told.append((far.done, far.hints))

    steps.compile_ahead(watch=watch)
    assert told == [(1, False), (1, True), (2, True), (2, True), (steps.AREAS["games"], True)]


def test_games_are_compiled_and_planning_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("SLEUTH_THREADS", "1")
    monkeypatch.setattr(cache, "_lost", [])
    monkeypatch.setattr(compiling, "_counters", [])
    done: list[str] = []
    monkeypatch.setattr(steps, "_stages", lambda area: [[partial(done.append, area)]])
    monkeypatch.setattr(steps, "mark_complete", lambda: done.append("marked"))
    assert [run("warmup", *more)[0] for more in ((), ("planning",), ("--all",))] == [0, 0, 0]
    assert done == ["games", "marked", "planning", "games", "marked", "research", "planning"]
    code, out, err = run("warmup", "boards")
    assert (code, out) == (2, "")
    assert "planning" in err


def test_a_warmup_that_is_interrupted_says_how_far_it_was(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("SLEUTH_THREADS", "1")
    monkeypatch.setattr(cache, "_lost", [])
    monkeypatch.setattr(compiling, "_counters", [])

    def step() -> None:
        for count in compiling._counters:
            count()
        raise KeyboardInterrupt

    monkeypatch.setattr(steps, "_stages", lambda area: [[step]])
    code, out, _ = run("warmup", "--json")
    assert code == 130
    said = f"compiling what is not compiled yet: 1 of {steps.AREAS['games']}"
    assert json.loads(out) == {"interrupted": True, "progress": said}


def test_where_no_folder_can_be_written_nothing_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache, "_lost", [])
    monkeypatch.setattr(compiling, "_told", [])  # other tests' commands
    for module in (cache, steps):
        monkeypatch.setattr(module, "folder", lambda: None)
    monkeypatch.setattr(steps, "_stages", None)
    code, out, err = run("warmup")
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert f"cannot be kept in {tmp_path / 'numba'} (it cannot be written)" in err


COUNT = """
import atexit
from sleuth.kernels.compiling import on_each

count = [0]

def one():
    count[0] += 1

on_each(one)
atexit.register(lambda: print("compiled", *count))
{}
"""
FIRST = ["evaluate", "rollout", "-o", "base=information-gain", "-o", "width=10", "--opener", "salet"]
COMPILED = {
    f"import sys; from sleuth.cli import run; sys.argv[1:] = {FIRST}; run()": 37,
    'from sleuth.web.worker import _suggest; _suggest("bbybb")': 95,
    **{
        f"from sleuth.warmup.steps import compile_ahead; compile_ahead([{area!r}])": count
        for area, count in steps.AREAS.items()
    },
}
"""How many kernels, and parts of them, the README's first command compiles, a first hint, and warmup."""


@pytest.mark.thorough
@pytest.mark.parametrize(("program", "compiled"), COMPILED.items(), ids=range(len(COMPILED)))
def test_no_more_is_compiled_than_was_decided(program: str, compiled: int, tmp_path: Path) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "SLEUTH_THREADS": "1"}
    command = [sys.executable, "-c", COUNT.format(program)]
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == f"compiled {compiled}"


@pytest.mark.thorough
def test_no_command_of_the_pages_compiles_after_warmup(tmp_path: Path) -> None:
    # With one thread as many seconds come as far as twice as many with two, whatever else goes on.
    env = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path / "kernels"),
        "XDG_DATA_HOME": str(tmp_path),
        "SLEUTH_THREADS": "1",
    }
    words = "\n".join(wordle("original:200").answers)
    for name in ("words.txt", "guesses.txt", "dictionary.txt"):  # of the pages' commands
        (tmp_path / name).write_text(words, encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "sleuth", "warmup", "--all"], env=env, check=True, capture_output=True
    )
    assert len(commands()) > 40
    with ThreadPoolExecutor(BESIDE) as pool:
        compiled = list(filter(None, pool.map(partial(what_it_compiles, env, tmp_path), commands())))
    assert compiled == []


def what_it_compiles(env: dict[str, str], folder: Path, line: str) -> str:
    """Run a command, until its time is up at the most, and say which kernel it would compile, if any."""
    command = shlex.split(line, comments=True)
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(SECONDS), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
        cwd=folder,
    )
    _, told = process.communicate(TYPED.get(command[0], ""))
    assert "Traceback" not in told, (line, told)
    return f"{line}: {told.strip().splitlines()[-1]}" if process.returncode == 99 else ""

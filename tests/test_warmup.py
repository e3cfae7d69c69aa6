"""`sleuth warmup`: what becomes of it; and that no command of the README takes what it leaves out."""

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

from sleuth.kernels import cache, compiling
from sleuth.warmup import steps

README = Path(__file__).parents[1] / "README.md"
SECONDS = 5  # of a processor; kernels that a command needs it needs soon, and what is long is ended then
BESIDE = 2  # commands that run at once
TYPED = {"play": "salet\n?\n?\n!\n", "absurdle": "", "assist": "salet bbybb\nquit\n"}
RUN = """
import os, resource, sys
from contextlib import contextmanager
from pathlib import Path
from sleuth.kernels import cache, jit

seconds, warm = int(sys.argv.pop(1)), set(Path(sys.argv.pop(1)).read_text().splitlines())
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

def tell(name):
    sys.stderr.write(f"warmup leaves out {name}\\n")
    sys.stderr.flush()
    os._exit(99)

@contextmanager
def compiling(name):
    tell(name)
    yield

class Noted(set):
    def update(self, files):
        for name in files:
            if str(Path(name).resolve()) not in warm:
                tell(name)

jit.compiling = compiling
cache._used = Noted()
from sleuth.cli import run
run()
"""


def commands() -> list[list[str]]:
    """Return the commands of the README's blocks, without the server: that has processes of its own."""
    text = README.read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.S) for line in block.splitlines()]
    found = [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("sleuth ")]
    return [command for command in found if command[0] != "serve"]


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
    with steps._other_process(lambda: counted.append(None), told.append):
        until = time.monotonic() + 60
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

    monkeypatch.setattr(steps, "_steps", lambda: [partial(step, number) for number in range(3)])
    code, out, err = run("warmup")
    assert (code, out, done) == (2, "", [0])
    assert "compiled kernels cannot be kept in /somewhere (No space left on device)" in err
    assert not cache.is_complete()
    assert err.count("\n") == 1


def test_a_warmup_that_is_interrupted_says_how_far_it_was(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("SLEUTH_THREADS", "1")
    monkeypatch.setattr(cache, "_lost", [])
    monkeypatch.setattr(compiling, "_counters", [])

    def step() -> None:
        for count in compiling._counters:
            count()
        raise KeyboardInterrupt

    monkeypatch.setattr(steps, "_steps", lambda: [step])
    code, out, _ = run("warmup", "--json")
    assert code == 130
    said = "compiling what is not compiled yet: 1 of 150"
    assert json.loads(out) == {"interrupted": True, "progress": said}


def test_where_no_folder_can_be_written_nothing_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache, "_lost", [])
    monkeypatch.setattr(compiling, "_told", [])  # other tests' commands
    for module in (cache, steps):
        monkeypatch.setattr(module, "folder", lambda: None)
    monkeypatch.setattr(steps, "_steps", None)
    code, out, err = run("warmup")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"cannot be kept in {tmp_path / 'numba'} (it cannot be written)" in err


@pytest.mark.slow
def test_no_command_of_the_readme_takes_what_warmup_leaves_out(tmp_path: Path) -> None:
    # Other tests keep more kernels than warmup does, in the same folder: its own list says which are its own.
    # With one thread as many seconds come as far as twice as many with two, whatever else goes on.
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "SLEUTH_THREADS": "1"}
    subprocess.run([sys.executable, "-m", "sleuth", "warmup"], env=env, check=True, capture_output=True)
    mark = cache._mark()
    assert mark is not None
    names = mark.read_text(encoding="utf-8").splitlines()
    warm = tmp_path / "warm"
    warm.write_text("\n".join(str((mark.parent / name).resolve()) for name in names))
    assert len(commands()) > 30
    with ThreadPoolExecutor(BESIDE) as pool:
        left_out = list(filter(None, pool.map(partial(what_is_left_out, env, warm), commands())))
    assert left_out == []


def test_what_warmup_leaves_out_is_seen(tmp_path: Path) -> None:
    (tmp_path / "warm").touch()
    command = ["evaluate", "information-gain", "--game", "mastermind", "--pegs", "2", "--colours", "3"]
    assert "warmup leaves out" in what_is_left_out({**os.environ}, tmp_path / "warm", command)


def what_is_left_out(env: dict[str, str], warm: Path, command: list[str]) -> str:
    """Run a command, until its time is up at the most; name a kernel that it takes beyond a list, if any."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(SECONDS), str(warm), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
        cwd=warm.parent,
    )
    _, told = process.communicate(TYPED.get(command[0], ""))
    assert "Traceback" not in told, (command, told)
    return f"{shlex.join(command)}: {told.strip().splitlines()[-1]}" if process.returncode == 99 else ""

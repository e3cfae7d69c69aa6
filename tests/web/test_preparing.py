"""The process beside a server that compiles kernels: what becomes of it, and of the server without it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sleuth.web import preparing
from sleuth.web.preparing import Preparation

KILLED = "the process that compiles kernels ended with status -9; "


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let a script stand in for Python."""
    (folder / "python").write_text("\n".join(["#!/bin/sh", *lines]) + "\n")
    (folder / "python").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))


def told(done: int, remark: str = "", hints: bool = False) -> str:
    """Return what has a shell say how far compiling is."""
    return f"echo '{json.dumps({'done': done, 'total': 4, 'remark': remark, 'hints': hints})}'"


@pytest.mark.parametrize(("kills", "begun"), [(1, 2), (9, 4)])
def test_what_is_killed_is_begun_again_but_not_for_ever(
    kills: int, begun: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = f"echo x >> {tmp_path}/begun"
    killed = f"[ $(wc -l < {tmp_path}/begun) -gt {kills} ] || kill -9 $$"
    stand_in(tmp_path, monkeypatch, count, told(3, hints=kills == 1), killed)
    monkeypatch.setattr(preparing, "_PAUSE", 0.2)

    async def run() -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = []
        preparation = Preparation(lines.append)
        running = asyncio.create_task(preparation.run())
        while not lines:
            await asyncio.sleep(0.01)
        assert (preparation.share, preparation.hints) == (0.75, kills == 1)
        assert not preparation.over.is_set()  # estimates go on
        await running
        assert preparation.over.is_set()
        assert preparation.hints  # no better ones follow
        return lines

    *faults, last = asyncio.run(run())
    assert len((tmp_path / "begun").read_text().split()) == begun
    assert faults == [{"fault": f"{KILLED}it is started again"}] * (begun - 1)
    if kills == 1:
        assert last["prepared"] == 1.0
    else:
        assert last == {"fault": f"{KILLED}workers compile what they need"}


def test_what_went_wrong_beside_is_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, told(3, "one was killed"))
    lines: list[dict[str, Any]] = []
    asyncio.run(Preparation(lines.append).run())
    assert lines[0] == {"fault": "one was killed"}


def serving(tmp_path: Path) -> subprocess.Popen[str]:
    """Return a server that has compiled nothing, as a group of processes, once it listens."""
    server = subprocess.Popen(
        [sys.executable, "-m", "sleuth", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert server.stdout is not None
    assert server.stdout.readline().startswith("Sleuth is at")
    return server


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="processes are ended by signals")
def test_ctrl_c_while_kernels_are_compiled_is_silent(tmp_path: Path) -> None:
    server = serving(tmp_path)
    while not list(tmp_path.rglob("*.nbi")):  # until it compiles
        time.sleep(0.05)
    os.killpg(server.pid, signal.SIGINT)  # as a terminal does
    _, err = server.communicate()
    assert server.returncode == 0, err
    assert [line for line in err.splitlines() if '"prepared": ' not in line] == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    "command",
    [
        ["-c", "from sleuth.warmup import steps; steps.compile_backwards('games')"],
        ["-m", "sleuth.warmup", "0"],
    ],
)
def test_what_compiles_ends_in_silence_where_nobody_reads(command: list[str], tmp_path: Path) -> None:
    pipe = subprocess.PIPE
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, *command], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 0


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes")
def test_what_compiles_goes_with_a_server_that_is_killed(tmp_path: Path) -> None:
    server = serving(tmp_path)
    while not list(tmp_path.rglob("*.nbi")):
        time.sleep(0.05)
    assert compiling(tmp_path)
    server.kill()
    server.communicate()
    until = time.monotonic() + 300
    while compiling(tmp_path) and time.monotonic() < until:
        time.sleep(0.05)
    assert not compiling(tmp_path)


def compiling(folder: Path) -> list[int]:
    """Return the processes that compile into a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_one = b"sleuth.warmup" in (path / "cmdline").read_bytes()
            if is_one and str(folder).encode() in (path / "environ").read_bytes():
                found.append(int(path.name))
    return found

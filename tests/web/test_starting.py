"""Workers as forks of one process: what they have from the start, and what becomes of them without it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from servers import SALET, SMALL, runs, wait_until

from sleuth.web.preparing import Preparation
from sleuth.web.starting import ForkServer, starter
from sleuth.web.worker import _LEAVES_AT
from sleuth.web.workers import LostError, Pool, TooSlowError, Worker

pytestmark = pytest.mark.skipif(not starter().forks, reason="workers are not forked here")

CHECK: tuple[str, dict[str, Any]] = ("check", {"game": SMALL})
SUGGEST: tuple[str, dict[str, Any]] = ("suggest", {"rows": [SALET]})


def run(test: Callable[[ForkServer], Awaitable[None]]) -> None:
    async def run() -> None:
        forks = ForkServer()
        try:
            await test(forks)
        finally:
            await forks.close()

    asyncio.run(run())


def started(pid: int) -> list[str]:
    """Return the words of /proc/PID/stat from the third on, as proc(5) numbers them."""
    return ["", "", "", *Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()]


def seconds(pid: int) -> float:
    """Return the seconds of a processor that a process has taken."""
    user, system = started(pid)[14:16]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def figure(pid: int, file: str, name: str) -> int:
    """Return a number of kB that the system tells of a process, in bytes."""
    text = Path(f"/proc/{pid}/{file}").read_text(encoding="ascii")
    return 1024 * int(re.findall(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)[0])


@pytest.mark.thorough
def test_a_fork_has_modules_kernels_and_a_game_from_the_start() -> None:
    async def test(forks: ForkServer) -> None:
        await Preparation(lambda line: None).run()  # all that is to be loaded is compiled
        await forks.load()
        loading = seconds(forks.pid or 0)
        worker = Worker(Preparation.finished(), forks)
        assert json.loads(await worker.ask(*SUGGEST, 60))["provisional"] is False
        pid = worker.pid or 0
        assert seconds(pid) < loading / 4  # what a process by itself takes once more
        # The memory is that of its parent, but for what it has written to.
        assert figure(pid, "smaps_rollup", "Private_Dirty") < figure(pid, "smaps_rollup", "Rss") / 4
        assert figure(pid, "status", "VmHWM") < _LEAVES_AT / 2
        await worker.ask(*CHECK, 60)
        assert worker.pid == pid  # it has not left
        await worker.close()

    run(test)


@pytest.mark.thorough
def test_forks_are_made_while_more_is_loaded() -> None:
    async def test(forks: ForkServer) -> None:
        loading = asyncio.create_task(forks.load())
        worker = Worker(Preparation.finished(), forks)
        await worker.ask(*CHECK, 60)
        assert not loading.done()
        early = worker.pid
        await loading
        await worker.warm(60)  # the next task finds one that has all of it
        await worker.ask(*CHECK, 60)
        assert worker.pid != early
        await worker.close()

    run(test)


@pytest.mark.parametrize("loaded", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_a_fork_is_as_it_is_asked_for(loaded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLEUTH_MEMORY", raising=False)
    monkeypatch.delenv("SLEUTH_THREADS", raising=False)

    async def test(forks: ForkServer) -> None:
        if loaded:
            await forks.load()
        worker = Worker(Preparation.finished(), forks, nice=3, memory=2**31)
        await worker.ask(*CHECK, 60)
        pid = worker.pid or 0
        assert int(started(pid)[19]) == os.nice(0) + 3
        assert int(started(pid)[6]) == pid  # a session of its own
        limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii")
        assert re.search(rf"Max data size +{2**31} +{2**31}", limits)
        # Nothing of its parent's is open but the files that all have; asking and answers are one socket.
        sockets = [link for link in map(os.readlink, Path(f"/proc/{pid}/fd").iterdir()) if "socket" in link]
        assert len(set(sockets)) == 1
        # What other threads hold as a process is forked is held for ever in the fork.
        assert int(started(forks.pid or 0)[20]) == 1
        environment = Path(f"/proc/{forks.pid}/environ").read_bytes()
        assert b"SLEUTH_MEMORY=512M" in environment
        await worker.close()

    run(test)


def test_where_the_parent_is_killed_workers_go_on_and_new_ones_are_started() -> None:
    async def test(forks: ForkServer) -> None:
        one, other = (Worker(Preparation.finished(), forks) for _ in range(2))
        first = await one.ask(*CHECK, 60)
        parent, pid = forks.pid or 0, one.pid
        os.kill(parent, signal.SIGKILL)
        assert await one.ask(*CHECK, 60) == first
        assert one.pid == pid
        assert await other.ask(*CHECK, 60) == first
        assert forks.pid != parent
        assert (one.ended, other.ended) == (0, 0)
        assert one.pid is not None
        await one.close()  # though its parent is gone
        assert not runs(pid or 0)
        await other.close()

    run(test)


async def stopped_before_a_fork(forks: ForkServer) -> tuple[Worker, int]:
    """Return a worker whose next task needs a fork, and the number of the parent, which is stopped."""
    worker = Worker(Preparation.finished(), forks)
    await worker.ask(*CHECK, 60)
    await worker.warm(60)
    parent = forks.pid or 0
    os.kill(parent, signal.SIGSTOP)
    return worker, parent


def test_a_parent_that_is_killed_at_a_fork_is_started_again() -> None:
    async def test(forks: ForkServer) -> None:
        worker, parent = await stopped_before_a_fork(forks)
        asking = asyncio.create_task(worker.ask(*CHECK, 60))
        for _ in range(20):  # until it waits for an answer of the parent
            await asyncio.sleep(0)
        os.kill(parent, signal.SIGKILL)
        assert json.loads(await asking)["candidates"] == 5
        await worker.close()

    run(test)


def test_who_gives_up_leaves_no_process() -> None:
    async def test(forks: ForkServer) -> None:
        worker, parent = await stopped_before_a_fork(forks)
        with pytest.raises(TooSlowError):
            await worker.ask(*CHECK, 0.2)
        os.kill(parent, signal.SIGCONT)
        assert json.loads(await worker.ask(*CHECK, 60))["candidates"] == 5  # forked after that one
        children = Path(f"/proc/{parent}/task/{parent}/children")
        await asyncio.to_thread(wait_until, lambda: children.read_text().split() == [str(worker.pid)])
        await worker.close()

    run(test)


def test_a_parent_that_cannot_start_is_a_lost_task(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(forks: ForkServer) -> None:
        monkeypatch.setattr("sys.executable", "/bin/false")
        pool = Pool(1, 60, 1, Preparation.finished(), forks)
        with pytest.raises(LostError):
            await pool.run(*CHECK)
        await pool.close()

    run(test)


def test_a_worker_ends_with_a_server_that_was_killed_in_the_middle_of_a_line() -> None:
    program = "from sleuth.web import worker; worker.serve(0, 2**40)"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b'{"task": "sug')
        process.stdin.close()
        assert process.wait(300) == 0

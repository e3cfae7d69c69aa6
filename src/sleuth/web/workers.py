"""Worker processes and their pools: whatever computes does so outside the server, within a time.

A process can be ended, a thread cannot: so no request, however odd, takes longer than its time, and the
server itself always answers. Each kind of work has a pool of its own: long work never blocks short work.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sleuth.web.preparing import Preparation
from sleuth.web.starting import Process, Single, Starter
from sleuth.web.turns import NoPlaceError, Turns

Told = Callable[[dict[str, Any]], None]
"""What gets the progress of a task, as plain values."""

_BUSY = "the server is busy; try again in a moment"
ENDING = "the server is about to end; try again in a moment"
_SHARES = 4
"""A client may have so great a part of what may wait for a pool."""
_CROWD = 4
"""Clients that wait for each worker where a pool is crowded."""
_ATTEMPTS = 3
"""How often a task is begun whose worker ends by itself: tasks may be done again."""
_ENDS_WITHIN = 5.0
"""Seconds until a process that says no more is ended."""


class WorkError(Exception):
    """What a task ended with instead of a result: a mistake of the person who asked.

    Attributes:
        kind: the name of the library's error.
        extra: what else is known, such as the row at fault.

    """

    def __init__(self, kind: str, message: str, extra: dict[str, Any]) -> None:
        super().__init__(message)
        self.kind = kind
        self.extra = extra


class TooSlowError(Exception):
    """A task that took longer than it may; its worker was ended."""


class LostError(Exception):
    """A task whose worker ended by itself every time, as where the system kills it."""


class BusyError(Exception):
    """More tasks wait than a pool takes, or the server is about to end."""


class TooManyError(Exception):
    """A client that asks for too much at once; after so many seconds it may again."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class PreparingError(Exception):
    """What a task needs is still being compiled.

    Attributes:
        share: how much of it all is compiled, 0 to 1.

    """

    def __init__(self, share: float) -> None:
        super().__init__(
            f"the server is preparing ({share:.0%} done); until then it only plays, and estimates"
        )
        self.share = share


class FaultError(Exception):
    """A fault of the program in a worker; the message is its traceback."""


class Worker:
    """One process, started when it is first asked, and again after it was ended.

    starter: what starts it, None for a process by itself. nice: its priority. memory: bytes it may take.

    Attributes:
        ended: how often it ended by itself, or was ended at a task.

    """

    def __init__(
        self,
        preparation: Preparation,
        starter: Starter | None = None,
        nice: int = 0,
        memory: int = 6 * 2**30,
    ) -> None:
        self._preparation = preparation
        self._starter = starter or Single()
        self._nice = nice
        self._memory = memory
        self._process: Process | None = None
        self._ending: Process | None = None
        self.ended = 0
        self._leaving = False
        self._closed = False

    async def ask(
        self, task: str, request: dict[str, Any] | None, seconds: float, progress: Told | None = None
    ) -> bytes:
        """Return the result of a task as JSON.

        seconds: how long it may compute, for which compiling does not count. Raises WorkError, TooSlowError,
        PreparingError, LostError, FaultError, BusyError.
        """
        try:
            async with asyncio.timeout(seconds) as limit:

                def compiles(begins: bool) -> None:
                    now = asyncio.get_running_loop().time()
                    limit.reschedule(None if begins else now + seconds)

                return await self._ask(task, request, progress, compiles)
        except TimeoutError:
            self.ended += 1
            self.end()
            raise TooSlowError(f"that took longer than {seconds:g} seconds and was ended") from None
        except asyncio.CancelledError:
            self.ended += 1
            self.end()
            raise
        finally:
            if self._leaving:
                self.end()

    def end(self) -> None:
        """End the process, whatever it does."""
        self._leaving = False
        if self._process is not None:
            self._ending, self._process = self._process, None
            if self._ending.stdin is not None:
                self._ending.stdin.close()
            with suppress(ProcessLookupError):
                self._ending.kill()

    @property
    def pid(self) -> int | None:
        """The number of the process, where there is one."""
        return None if self._process is None else self._process.pid

    async def warm(self, seconds: float) -> None:
        """Have the next task find a process that has loaded what is compiled by now. Raises as ask."""
        if self._starter.forks:
            self.end()
        else:
            await self.ask("warm", None, seconds)

    async def close(self) -> None:
        """End the process for good, and wait until it is gone."""
        self._closed = True
        self.end()
        if self._ending is not None:
            await self._ending.wait()

    async def _ask(
        self,
        task: str,
        request: dict[str, Any] | None,
        progress: Told | None,
        compiles: Callable[[bool], None],
    ) -> bytes:
        # While another process compiles, what needs it waits outside.
        compile_ = self._preparation.over.is_set()
        asked = json.dumps({"task": task, "request": request, "compile": compile_}).encode() + b"\n"
        for _ in range(_ATTEMPTS):
            if self._closed:
                raise BusyError(ENDING)
            if self._process is not None and self._process.returncode is not None:
                self.ended += 1  # since its last task
                self.end()
            try:
                process = self._process = self._process or await self._start()
            except ConnectionError:  # what starts it ended
                continue
            if self._closed:  # meanwhile
                self.end()
                raise BusyError(ENDING)
            stdin, stdout = process.stdin, process.stdout
            assert stdin is not None
            assert stdout is not None
            stdin.write(asked)
            with suppress(ConnectionError):  # a process that ended is noticed below
                await stdin.drain()
            while line := await _line(stdout):
                kind, value = line[:1].decode(), line[1:-1]
                if kind == "l":
                    self._leaving = True
                elif kind == "r":
                    return value
                elif kind == "e":
                    told = json.loads(value)
                    raise WorkError(told.pop("kind"), told.pop("message"), told)
                elif kind == "x":
                    raise FaultError(json.loads(value))
                elif kind == "n":
                    raise PreparingError(self._preparation.share)
                elif kind == "c":
                    compiles(json.loads(value))
                elif progress is not None:
                    progress(json.loads(value))
            # It ended by itself, perhaps before it was asked: another one may do better.
            self.ended += 1
            # To kill what asyncio has not yet seen end takes its exit status away, and asyncio warns.
            with suppress(TimeoutError):
                async with asyncio.timeout(_ENDS_WITHIN):
                    await process.wait()
            self.end()
        raise LostError(f"what computes this ended {_ATTEMPTS} times before it was done; try again later")

    async def _start(self) -> Process:
        return await self._starter.start(self._nice, self._memory)


async def _line(stdout: asyncio.StreamReader) -> bytes:
    """Return the next line; nothing where the process has ended, whatever it was asked before."""
    try:
        return await stdout.readline()
    except ConnectionError:
        return b""


class Pool:
    """Workers for one kind of work, which clients have in turn.

    starter: what starts the workers, None for each by itself. nice: their priority. memory: bytes that each
    may take.

    Attributes:
        seconds: how long a task may take.

    """

    def __init__(
        self,
        size: int,
        seconds: float,
        most_waiting: int,
        preparation: Preparation,
        starter: Starter | None = None,
        nice: int = 0,
        memory: int = 6 * 2**30,
    ) -> None:
        self.seconds = seconds
        self._workers = [Worker(preparation, starter, nice, memory) for _ in range(size)]
        self._idle = list(self._workers)
        self._turns = Turns(size, most_waiting, -(-most_waiting // _SHARES))
        self._closed = False

    @property
    def size(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    @property
    def busy(self) -> int:
        """How many workers are at a task."""
        return len(self._workers) - len(self._idle)

    @property
    def waiting(self) -> int:
        """How many tasks wait for a worker."""
        return self._turns.waiting

    @property
    def crowded(self) -> bool:
        """Whether so many clients wait that what one of them asks for should take little time."""
        return self._turns.clients >= _CROWD * self.size

    @property
    def ended(self) -> int:
        """How often a worker ended by itself, or was ended at a task."""
        return sum(worker.ended for worker in self._workers)

    @property
    def processes(self) -> list[int]:
        """The numbers of the workers' processes."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    async def run(
        self,
        task: str,
        request: dict[str, Any] | None = None,
        progress: Told | None = None,
        client: str = "",
    ) -> bytes:
        """Return the result of a task as JSON. client: who asks. Raises as Worker.ask, and TooManyError."""
        if self._closed:
            raise BusyError(ENDING)
        try:
            async with self._turns.place(client, self.seconds):
                worker = self._idle.pop()
                try:
                    return await worker.ask(task, request, self.seconds, progress)
                finally:
                    self._idle.append(worker)
        except NoPlaceError as error:
            if error.own:
                raise TooManyError(
                    "too many of your requests wait; try again when some are answered", 2
                ) from None
            raise BusyError(_BUSY) from None

    async def warm(self, seconds: float) -> None:
        """Make every idle worker ready, one after the other: the others answer meanwhile."""
        for worker in self._workers:
            async with self._turns.place("", seconds):
                if worker in self._idle:
                    self._idle.remove(worker)
                    try:
                        await worker.warm(seconds)
                    finally:
                        self._idle.append(worker)

    async def close(self) -> None:
        """End every worker, and refuse what comes later."""
        self._closed = True
        for worker in self._workers:
            await worker.close()

"""How processes of workers are started: each by itself, or as a fork of one that has all they need.

A fork takes some milliseconds, and shares its memory with the others; a process that imports and loads by
itself takes more than a second of a processor. Forks need descriptors of processes, which Linux has: the
server is not the parent of its workers then, and a number might be that of another process by the time it is
sent a signal.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import closing, suppress
from typing import Any, Protocol

_LONGEST_LINE = 2**25
_MATRIX = "512M"
"""What a feedback matrix may take in a worker unless SLEUTH_MEMORY says otherwise."""
_MESSAGE = 64
"""Bytes of the longest message of a process, and more."""
_ENDS_WITHIN = 1.0
"""Seconds until a process that is to end is ended."""


class Process(Protocol):
    """A worker's process, as asyncio has them."""

    @property
    def pid(self) -> int:
        """Its number."""

    @property
    def stdin(self) -> StreamWriter | None:
        """What it reads, where that is a pipe."""

    @property
    def stdout(self) -> StreamReader | None:
        """What it writes, where that is a pipe."""

    @property
    def returncode(self) -> int | None:
        """None until it is known to have ended."""

    def kill(self) -> None:
        """End it, whatever it does. May raise ProcessLookupError where it has ended."""

    async def wait(self) -> int:
        """Return its exit status once it has ended."""


class Starter(Protocol):
    """What starts processes of workers."""

    forks: bool
    """Whether processes begin with what load has loaded; otherwise each loads for itself."""

    async def start(self, niceness: int, memory: int) -> Process:
        """Return a new process. memory: bytes that it may take. Raises ConnectionError, OSError."""

    async def load(self) -> None:
        """Load what workers need, as far as it is compiled; processes can be started meanwhile."""

    async def close(self) -> None:
        """End what is beside the workers."""


def starter() -> Starter:
    """Return what starts workers on this system."""
    with suppress(AttributeError, OSError):  # another system, or one that is older than Linux 5.3
        os.close(os.pidfd_open(os.getpid()))
        return ForkServer()
    return Single()


class Single:
    """Starts every process by itself, on any system."""

    forks = False

    async def start(self, niceness: int, memory: int) -> Process:
        """Return a new process."""
        return await _python(
            "sleuth.web.worker", str(niceness), str(memory), stdin=PIPE, stdout=PIPE, limit=_LONGEST_LINE
        )

    async def load(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


class ForkServer:
    """Starts processes as forks of one (forkserver.py), which is started when the first is asked for.

    Where that one ended, whoever needs it next starts it again, and its workers go on.
    """

    forks = True

    def __init__(self) -> None:
        self._parent: _Parent | None = None
        self._starting = asyncio.Lock()

    async def start(self, niceness: int, memory: int) -> Process:
        """Return a new fork. Raises ConnectionError where its parent ended meanwhile, OSError."""
        with closing(await self._ask(f"fork {niceness} {memory}".encode())) as own:
            message, descriptors = await _receive(own)
            if not message:
                raise ConnectionError("the process that workers are forked from ended")
            try:  # with a copy of the socket, so that this one is closed whatever fails
                reader, writer = await asyncio.open_unix_connection(sock=own.dup(), limit=_LONGEST_LINE)
            except BaseException:
                os.close(descriptors[0])
                raise
            return Fork(int(message), descriptors[0], writer, reader)

    async def load(self) -> None:
        """Have the parent load what workers need."""
        with suppress(OSError), closing(await self._ask(b"load")) as own:
            await _receive(own)

    async def close(self) -> None:
        """End the parent."""
        async with self._starting:
            if self._parent is not None:
                await self._parent.close()
                self._parent = None

    @property
    def pid(self) -> int | None:
        """The number of the parent, where there is one."""
        return None if self._parent is None else self._parent.process.pid

    async def _ask(self, message: bytes) -> socket.socket:
        """Return a socket on which the answer to a message comes. Raises ConnectionError, OSError."""
        async with self._starting:
            for _ in range(2):  # the parent may have ended since the last one
                parent = self._parent = self._parent or await _Parent.start()
                ours, theirs = socket.socketpair()
                ours.setblocking(False)
                try:
                    with theirs:
                        socket.send_fds(parent.asking, [message], [theirs.fileno()])
                    return ours
                except OSError:
                    ours.close()
                    self._parent = None
                    await parent.close()
        raise ConnectionError("the process that workers are forked from ended at once")


class Fork:
    """A process whose parent is not this one."""

    def __init__(self, pid: int, descriptor: int, stdin: StreamWriter, stdout: StreamReader) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.returncode: int | None = None
        self._descriptor = descriptor
        self._ended = asyncio.Event()
        asyncio.get_running_loop().add_reader(descriptor, self._end)

    def kill(self) -> None:
        """End it, whatever it does."""
        if self.returncode is None:
            signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)

    async def wait(self) -> int:
        """Return 0 once it has ended: how, its parent alone is told."""
        await self._ended.wait()
        return 0

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)
        self.returncode = 0
        self._ended.set()


class _Parent:
    """The process that workers are forked from, and the socket on which it is asked."""

    def __init__(self, process: asyncio.subprocess.Process, asking: socket.socket) -> None:
        self.process = process
        self.asking = asking

    @classmethod
    async def start(cls) -> _Parent:
        """Return a new one, which begins with its imports."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        with theirs:
            try:
                return cls(await _python("sleuth.web.forkserver", stdin=theirs, stdout=DEVNULL), ours)
            except BaseException:
                ours.close()
                raise

    async def close(self) -> None:
        """End it, and wait until it is gone."""
        self.asking.close()
        with suppress(TimeoutError):  # to kill what ends takes its exit status away, and asyncio warns
            async with asyncio.timeout(_ENDS_WITHIN):
                await self.process.wait()
                return
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()


async def _receive(own: socket.socket) -> tuple[bytes, list[int]]:
    """Return the next message and its descriptors; nothing where the other side is closed."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(own, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(own)
    message, descriptors, _, _ = socket.recv_fds(own, _MESSAGE, 1)
    return message, descriptors


async def _python(module: str, *arguments: str, **streams: Any) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *arguments),
        **streams,
        env={"SLEUTH_MEMORY": _MATRIX, **os.environ},
        start_new_session=True,  # Ctrl-C in the terminal is for the server, which ends it
    )

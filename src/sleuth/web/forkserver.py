"""The process that workers are forked from: it has imported all they need, and loaded their kernels.

`python -m sleuth.web.forkserver` is started by starting.py, with a socket as its standard input, and ends
with that. A message in is b"load", or b"fork NICENESS MEMORY", and comes with a socket of its own. That is
closed once what workers need is loaded, as far as it is compiled; or it becomes the standard input and output
of a new worker, which first sends its number over it, with a descriptor of its process.

It has one thread, since what a fork inherits of others is locks that nobody opens.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module

from sleuth.warmup import compiled_only
from sleuth.web import worker

_MESSAGE = 64
"""Bytes of the longest message, and more."""


def main() -> None:
    """Fork workers until standard input ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system forgets workers that have ended
    os.dup2(2, 1)
    asked = socket.socket(fileno=os.dup(0))
    left: deque[Callable[[], None]] = deque()
    while True:
        if left and not select.select([asked], [], [], 0)[0]:  # whoever waits for a fork goes first
            left.popleft()()
            continue
        message, descriptors, _, _ = socket.recv_fds(asked, _MESSAGE, 1)
        if not message:
            return
        own = socket.socket(fileno=descriptors[0])
        if message == b"load":
            left.extend((*_steps(), partial(_loaded, own)))
            continue
        _, niceness, memory = message.split()
        # Where there is too little memory for one, nothing comes over the socket before it is closed.
        with own, suppress(OSError):
            if os.fork() == 0:
                asked.close()
                _work(own, left, int(niceness), int(memory))


def _steps() -> Iterator[Callable[[], None]]:
    """Yield what is to be loaded, in parts that a fork can wait for."""
    for module in sorted({target.partition(":")[0] for target in worker.TASKS.values()}):
        yield partial(_try, partial(import_module, module))
    for part in worker.parts_of_warming():
        yield partial(_try, part)


def _try(part: Callable[[], object]) -> None:
    """Load a part; what fails, the workers that need it tell.

    It is done on another thread, which ends: on the main one some work would leave threads behind.
    """

    def do() -> None:
        with suppress(Exception), compiled_only():
            part()

    with _one_thread(), ThreadPoolExecutor(1) as other:
        other.submit(do).result()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Within this, pieces of work are done where they are."""
    before = os.environ.get("SLEUTH_THREADS")
    os.environ["SLEUTH_THREADS"] = "1"
    try:
        yield
    finally:
        del os.environ["SLEUTH_THREADS"]
        if before is not None:
            os.environ["SLEUTH_THREADS"] = before


def _loaded(own: socket.socket) -> None:
    gc.collect()
    gc.freeze()  # a collection in a worker would copy the memory that it shares
    own.close()


def _work(own: socket.socket, left: deque[Callable[[], None]], niceness: int, memory: int) -> None:
    """Be a worker, in a new process. left: what its parent still has to load, which it drops."""
    status = 1
    try:
        left.clear()  # with the sockets of those who wait for it
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        descriptor = os.pidfd_open(os.getpid())
        socket.send_fds(own, [str(os.getpid()).encode()], [descriptor])
        os.close(descriptor)
        os.dup2(own.fileno(), 0)
        os.dup2(own.fileno(), 1)
        own.close()
        worker.serve(niceness, memory)
        status = 0
    except ConnectionError:  # whoever asked for it has given up
        pass
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


if __name__ == "__main__":
    main()

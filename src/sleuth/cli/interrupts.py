"""Ctrl-C and SIGTERM: one rule for all commands.

Both raise KeyboardInterrupt where a command stands. It prints what is known by then and that it is not
finished, and the process ends with CODE. Where Python does not come to it in time, since something long is
under way that cannot be interrupted (a kernel being compiled, say), a thread ends the process.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import NoReturn, TypeVar

from sleuth.support.errors import Interrupted

T = TypeVar("T")
K = TypeVar("K")

STORING = 20
"""Seconds in which a store of bounds is written, also on a busy machine."""
CODE = 130
"""What an interrupted process ends with."""
# Seconds that a command has to end by itself.
_grace = 1.5
_said = threading.Event()
_listening = threading.Event()


def listen() -> None:
    """Treat SIGTERM as Ctrl-C from now on, and end the process soon after either, whatever it does."""
    _listening.set()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _first)
    come, written = os.pipe()
    os.set_blocking(written, False)
    # Written to as soon as the signal comes; Python's own handlers wait for what runs to return.
    signal.set_wakeup_fd(written, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(come,), name="interrupts", daemon=True).start()


def _first(number: int, frame: object) -> NoReturn:
    """Interrupt; what comes after that would break into the writing of what is known."""
    for other in (signal.SIGINT, signal.SIGTERM):
        # Not SIG_IGN: of one that is under way already Python would say that it ignored it.
        signal.signal(other, _later)
    raise KeyboardInterrupt


def _later(number: int, frame: object) -> None:
    """Do nothing."""


def _watch(come: int) -> None:
    while os.read(come, 1)[0] not in (signal.SIGINT, signal.SIGTERM):
        pass
    time.sleep(_grace)
    if sys.stderr.isatty():
        sys.stderr.write("\x1b[?25h")  # a progress bar hides the cursor
    if not _said.is_set():
        say()
    os._exit(CODE)


def take_time(seconds: float) -> None:
    """Let the command that runs take so long to end by itself when it is interrupted."""
    global _grace
    _grace = seconds


def finished_or_known(call: Callable[[], T], kind: type[K]) -> tuple[T | K, bool]:
    """Return what a call returns, or what is known when it is interrupted, and whether it was.

    Where that is not of this kind, the interrupt goes on its way.
    """
    try:
        return call(), False
    except Interrupted as stop:
        if isinstance(stop.known, kind):
            return stop.known, True
        raise


def leave(json: bool = False) -> NoReturn:
    """End a command that has printed what is known; json: as an object, which says so itself."""
    import typer

    if not json:
        print("not finished: interrupted")
    raise typer.Exit(CODE)


def goodbye() -> NoReturn:
    """End a command that has taken leave of a person itself."""
    import typer

    _said.set()
    raise typer.Exit(CODE)


def begin() -> None:
    """Forget what was said in a run before this one."""
    from sleuth.cli import show

    _said.clear()
    show.begin()


def said() -> bool:
    """Say whether it was told that the command was interrupted."""
    return _said.is_set()


def say() -> None:
    """Say on stderr that the command was interrupted, and how far it was; as JSON where nothing else was."""
    from sleuth.cli import show

    _said.set()
    if "--json" in sys.argv and not show.printed_json():
        show.as_json({"interrupted": True, "progress": show.how_far() or None})
        sys.stdout.flush()
    where = show.how_far()
    print(f"sleuth: interrupted{f' ({where})' if where else ''}", file=sys.stderr, flush=True)

"""Kernels that are compiled while a person uses a command."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from sleuth.cli.show import note

_far: list[tuple[int, int]] = []
"""While a process beside compiles, how many parts it has, and of how many: 0 until it says so."""
_waiting: list[bool] = []
"""Whether a person was told that better advice follows."""
_announced: list[Callable[[], None]] = []
"""What takes back the announcements that the command under way has asked for."""


def provisional() -> str:
    """Return what is to be said of a quick estimate."""
    if not _far:
        return "That is a quick estimate, as the search is not compiled yet; sleuth warmup does that, once."
    _waiting[:] = [True]
    done, total = _far[-1]
    so_far = f" ({done} of {total} parts so far)" if total else ""
    return f"That is a quick estimate; the search is being compiled, once{so_far}, and better advice follows."


def news() -> str:
    """Return, once, that all is compiled where better advice was promised, else nothing."""
    if not _waiting or not _far or not _is_ready(*_far[-1]):
        return ""
    _waiting.clear()
    return "The search is compiled: advice is no longer a quick estimate."


def follow(lines: Iterable[str]) -> None:
    """Note how far the process beside is. lines: what it prints."""
    _far[:] = [(0, 0)]
    for line in lines:
        told = json.loads(line)
        _far[:] = [(told["done"], told["total"])]
    if not _is_ready(*_far[-1]):  # it was ended, or what it compiles cannot be kept
        _far.clear()


def _is_ready(done: int, total: int) -> bool:
    return 0 < total <= done


def announce() -> None:
    """Say once, on stderr, that kernels are being compiled, if they are, and what is not kept of them."""
    from sleuth.warmup import on_first_compilation, on_loss, where_instead

    def tell() -> None:
        elsewhere = where_instead()
        kept = f", and kept in {elsewhere}" if elsewhere else ""
        note(f"compiling kernels, once{kept}; sleuth warmup --all compiles all ahead")

    if not _announced:
        _announced.extend([on_first_compilation(tell), on_loss(note)])


def end_announcing() -> None:
    """Announce nothing more: what compiles after a command is not its business."""
    while _announced:
        _announced.pop()()


@contextmanager
def meanwhile() -> Iterator[None]:
    """Within this, another process compiles what is not compiled yet: where a person sits at the terminal."""
    if not sys.stdin.isatty():
        yield
        return
    command = [sys.executable, "-m", "sleuth.warmup", "10"]
    # In a session of its own, so that Ctrl-C comes to this process alone.
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as other:
        assert other.stdout is not None
        follower = threading.Thread(target=follow, args=(other.stdout,), daemon=True)
        follower.start()
        try:
            yield
        finally:
            other.kill()
            follower.join()

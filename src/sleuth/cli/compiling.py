"""Kernels that are compiled while a person uses a command."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from sleuth.cli.show import note

PROVISIONAL = (
    "That is a quick estimate; the search is being compiled, once, and better advice follows in a minute."
)


def announce() -> None:
    """Say once, on stderr, that kernels are being compiled, if they are, and what is not kept of them."""
    from sleuth.warmup import on_first_compilation, on_loss, where_instead

    def tell() -> None:
        elsewhere = where_instead()
        kept = f", and kept in {elsewhere}" if elsewhere else ""
        note(f"compiling kernels, once{kept}; sleuth warmup compiles all ahead")

    on_first_compilation(tell)
    on_loss(note)


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
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as other:
        try:
            yield
        finally:
            other.terminate()

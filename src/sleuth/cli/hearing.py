"""Whether somebody reads what commands print."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def heard() -> Iterator[None]:
    """Go on where who read the output has gone, as `| head` does: files are still to be written."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        unheard()


def unheard() -> None:
    """Print to nobody from now on."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""Pieces of work under way elsewhere, taken in as they finish."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TypeVar

R = TypeVar("R")
K = TypeVar("K")

# Seconds between looks at how far work is.
_LOOK = 0.2


def settle_each(
    under_way: dict[Future[R], K], settle: Callable[[K, Future[R]], None], look: Callable[[], None]
) -> None:
    """Settle each piece of work once it is finished, and take it out of those under way.

    settle: takes what a piece is called by and its future. look: called some times a second. On Ctrl-C what
    is finished is settled first, and KeyboardInterrupt goes on its way.
    """
    try:
        while under_way:
            for future in wait(under_way, _LOOK, FIRST_COMPLETED).done:
                settle(under_way[future], future)
                del under_way[future]
            look()
    except KeyboardInterrupt:
        for future in [future for future in under_way if future.done()]:
            settle(under_way.pop(future), future)
        raise

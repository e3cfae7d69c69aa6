"""When kernels are compiled: noticing it."""

from collections.abc import Callable
from typing import Any

from numba.core import event


class _Once(event.Listener):
    """Calls back at the first compilation and never again."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def on_start(self, event: Any) -> None:
        callback, self.callback = self.callback, None
        if callback is not None:
            callback()

    def on_end(self, event: Any) -> None:
        pass


def on_first_compilation(callback: Callable[[], None]) -> None:
    """Call back when a kernel is first compiled in this process; one from the disk cache is not."""
    event.register("numba:compile", _Once(callback))  # type: ignore[no-untyped-call]

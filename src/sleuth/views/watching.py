"""Progress of long work for people: a bar in a notebook, a line in a terminal, a line a minute in a log."""

from __future__ import annotations

import shutil
import sys
import time
from html import escape
from typing import Any, Protocol
from weakref import finalize

from sleuth.support.progress import Progress

LINE_EVERY = 60.0
"""Seconds between the lines that tell a log how far a run is."""
_SHOW_EVERY = 0.1


def where(what: str, progress: Progress) -> str:
    """Return how far work is, in words. what: what the work is, if anything is to be said."""
    count = f"{progress.done} of {progress.total}" if progress.total else ""
    told = ", ".join(part for part in (count, progress.remark) if part)
    return ": ".join(part for part in (what, told) if part)


class Bar:
    """What long work tells its progress to, shown as it comes: what `sleuth.progress` returns.

    It ends with the work that it was given to, at close(), or at the end of a with statement.
    """

    def __init__(self, what: str, face: _Face) -> None:
        self._told = _Told(what, face)
        # No __del__: of a bar that is closed nothing runs when it is collected, where Ctrl-C would be lost.
        self._left = finalize(self, self._told.close)

    def __call__(self, progress: Progress) -> None:
        """Show how far the work is."""
        self._told(progress)

    def close(self) -> None:
        """Show what was told last, and no more."""
        self._left.detach()
        self._told.close()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Told:
    """What a bar was told, and what it has shown of that."""

    def __init__(self, what: str, face: _Face) -> None:
        self._what, self._face = what, face
        self._began = time.monotonic()
        self._shown: float | None = None
        self._waiting: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        is_early = self._shown is not None and now - self._shown < _SHOW_EVERY
        self._waiting = progress if is_early else None
        if self._waiting is None:
            self._shown = now
            self._show(progress)

    def close(self) -> None:
        if self._waiting is not None:
            self._show(self._waiting)
        if self._shown is not None:
            self._face.end()
        self._waiting = self._shown = None

    def _show(self, progress: Progress) -> None:
        seconds = time.monotonic() - self._began
        spent = f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
        self._face.show(progress, ", ".join(part for part in (where(self._what, progress), spent) if part))


class _Face(Protocol):
    """Where a bar is shown."""

    def show(self, progress: Progress, text: str) -> None: ...

    def end(self) -> None: ...


class _Cell:
    """The output of a cell of a notebook, in which one bar is written over and over."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, progress: Progress, text: str) -> None:
        from IPython.display import display

        shown = _Shown(progress, text)
        if self._handle is None:
            self._handle = display(shown, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._handle.update(shown)

    def end(self) -> None:
        pass


class _Shown:
    """A bar at some moment, as HTML and as text."""

    def __init__(self, progress: Progress, text: str) -> None:
        self._progress, self._text = progress, text

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        # Without a value it moves to and fro.
        known = f' value="{self._progress.done}" max="{self._progress.total}"' if self._progress.total else ""
        return f"<div><progress{known}></progress> {escape(self._text)}</div>"


class _Terminal:
    """A line on stderr that is written over."""

    def show(self, progress: Progress, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{text[:width]:<{width}}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        print(file=sys.stderr, flush=True)


class _Log:
    """Lines, now and then."""

    def __init__(self) -> None:
        self._told = time.monotonic()

    def show(self, progress: Progress, text: str) -> None:
        now = time.monotonic()
        if now - self._told >= LINE_EVERY:
            self._told = now
            print(text, file=sys.stderr, flush=True)

    def end(self) -> None:
        pass


def progress(what: str = "") -> Bar:
    """Return what shows how far long work is: give it as the `progress` of a call, a new one to each.

    what: what the work is called. In a notebook that is a bar below the cell, without any extension; in a
    terminal a line; elsewhere a line a minute, on stderr.

    >>> import sleuth
    >>> sleuth.prove(sleuth.mastermind(2, 3), progress=sleuth.progress("proving")).proved
    True
    """
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if getattr(shell, "kernel", None) is not None:
        return Bar(what, _Cell())
    return Bar(what, _Terminal() if sys.stderr.isatty() else _Log())

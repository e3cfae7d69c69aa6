"""What notebooks and print() show of a result: the same content as HTML and as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sleuth.support.registry import Registry

RENDERERS: Registry[Callable[[Any], str]] = Registry("way to show a result")
"""What turns a result into a string, by the name of the form."""

RENDERERS.register("html", "sleuth.views.html:of", "a fragment for a notebook: no scripts, nothing loaded")
RENDERERS.register("text", "sleuth.views.text:of", "lines of plain text")


class Shown:
    """A base for results that notebooks show, and print() prints; what is shown stands in sleuth.views."""

    def __str__(self) -> str:
        return RENDERERS.load("text")(self)

    def _repr_html_(self) -> str:
        """Return what Jupyter and its like show."""
        return RENDERERS.load("html")(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Show the text in an IPython terminal."""
        printer.text(repr(self) if cycle else str(self))

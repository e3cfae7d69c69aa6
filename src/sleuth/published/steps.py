"""The pieces of work that a published table is made of: each is done once, and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from sleuth.published.table import Row, Table
from sleuth.support.errors import Interrupted
from sleuth.support.progress import Progress, Watch

T = TypeVar("T")


class Steps:
    """Pieces of work by name, so many in all.

    Attributes:
        total: how many there are; the table says so before it begins.
        known: what pieces came to, by name: plain values, as JSON has them.

    """

    def __init__(
        self,
        watch: Watch,
        known: dict[str, Any] | None = None,
        keep: Callable[[dict[str, Any]], object] = lambda known: None,
    ) -> None:
        """Begin. known: what was found before. keep: called with all that is known after each piece."""
        self.total = 0
        self.known = {} if known is None else known
        self._watch = watch
        self._keep = keep
        self._done = 0

    def tell(self, remark: str) -> None:
        """Tell how far the work is."""
        self._watch(Progress(self._done, self.total, remark))

    def take(self, name: str, find: Callable[[], T], remark: str | None = None) -> T:
        """Return what a piece comes to: found now, or before. remark: what is told, its name if not given."""
        self.tell(name if remark is None else remark)
        if name not in self.known:
            self.known[name] = find()
            self._keep(self.known)
        self._done += 1
        found: T = self.known[name]
        return found

    def table(self, rows: Iterable[Row], table: Callable[[tuple[Row, ...]], Table]) -> Table:
        """Return the table of rows that are made one by one.

        Raises Interrupted, whose `known` is the table of the rows that were whole, where there are any.
        """
        made: list[Row] = []
        try:
            made.extend(rows)
        except KeyboardInterrupt:
            if not made:
                raise
            raise Interrupted(table(tuple(made))) from None
        self.tell("done")
        return table(tuple(made))

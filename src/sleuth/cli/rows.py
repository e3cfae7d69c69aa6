"""Tables that become lists where the terminal is too narrow for their columns."""

from collections.abc import Callable
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Column, Table
from rich.text import Text

# Blanks between columns, and before the first.
_GAP = 3
_INDENT = "  "


class Rows(Table):
    """A table whose numbers and words are never split: in too narrow a terminal each row is a short list."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if len(self.columns) < 2 or _least_width(self.columns) <= options.max_width:
            spare = options.max_width - _least_width(self.columns)
            for column in self.columns:  # rich would take from the widest, also from a word
                least = _widest(column, _least)
                column.width = min(_widest(column, _whole), least + spare)
                spare -= column.width - least
            yield from super().__rich_console__(console, options)
            return
        if self.title:
            yield Text.from_markup(str(self.title), style="italic")
        headings = [_plain(column.header) for column in self.columns]
        for cells in zip(*(list(map(_plain, column.cells)) for column in self.columns), strict=True):
            yield Text(cells[0], "bold")
            pairs = [f"{name} {cell}" for name, cell in zip(headings[1:], cells[1:], strict=True) if cell]
            for line in _filled(pairs, options.max_width - len(_INDENT)):
                yield Text(_INDENT + line)


def _least_width(columns: list[Column]) -> int:
    """Return how wide a table must be: numbers are not split at all, text between words alone."""
    return sum(_widest(column, _least) + _GAP for column in columns)


def _widest(column: Column, width_of: Callable[[RenderableType], int]) -> int:
    return max(map(width_of, [column.header, *column.cells]))


def _whole(cell: RenderableType) -> int:
    return cell_len(_plain(cell))


def _least(cell: RenderableType) -> int:
    return max(map(cell_len, _plain(cell).split()), default=0)


def _plain(cell: Any) -> str:
    return cell.plain if isinstance(cell, Text) else Text.from_markup(str(cell)).plain


def _filled(parts: list[str], width: int) -> list[str]:
    """Return parts in lines of at most a width, as far as they fit."""
    lines: list[str] = []
    for part in parts:
        if lines and cell_len(lines[-1]) + cell_len(part) + 2 <= width:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines

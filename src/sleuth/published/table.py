"""A published table side by side with what Sleuth finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isnan, nan
from typing import Any, Literal

from sleuth.published.chart import Chart, Series
from sleuth.support.tabled import Tabled


@dataclass(frozen=True)
class Cell:
    """One published figure and ours.

    Attributes:
        published: the figure in print, None where there is none.
        paper: ours under the paper's conditions, None where those are not played.
        clean: ours under clean conditions, None where there is none.

    """

    published: float | None
    paper: float | None
    clean: float | None

    @property
    def difference(self) -> float | None:
        """Ours under the paper's conditions less the published figure, None where one is lacking."""
        return None if self.published is None or self.paper is None else self.paper - self.published


@dataclass(frozen=True)
class Column:
    """A column of figures: its name in the CSV file, a title for people, and the decimals in print."""

    name: str
    title: str
    decimals: int = 4


@dataclass(frozen=True)
class Row:
    """What a row is about (an opener, say), and its figures, one for each column of the table."""

    labels: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table(Tabled):
    """A published table and ours.

    Attributes:
        name: the experiment's name.
        title: what the table shows.
        labels: what the labels of the rows are.
        columns: the columns of figures.
        rows: the rows.
        notes: what a reader must know, a paragraph each.
        pictures: charts of it; where none are given, `charts` has bars for each column.

    """

    name: str
    title: str
    labels: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    pictures: tuple[Chart, ...] = ()

    @property
    def charts(self) -> tuple[Chart, ...]:
        """The table as pictures."""
        return self.pictures or tuple(map(self._bars, range(len(self.columns))))

    def _bars(self, at: int) -> Chart:
        """Return a column as bars: ours under either conditions, and what is in print as marks on them."""
        column = self.columns[at]
        cells = {" ".join(row.labels): row.cells[at] for row in self.rows}
        series = [bars("paper's conditions", cells, "paper"), bars("clean conditions", cells, "clean")]
        series = [one for one in series if not all(map(isnan, one.ys))]
        printed = bars("published", cells, "published")
        if not all(map(isnan, printed.ys)):
            series.insert(1, printed)
        return Chart(self.title, ", ".join(self.labels), column.title, tuple(series))

    def worst(self, column: str) -> float:
        """Return the largest absolute difference in a column, 0 where nothing is published."""
        at = [c.name for c in self.columns].index(column)
        differences = (row.cells[at].difference for row in self.rows)
        return max((abs(d) for d in differences if d is not None), default=0.0)

    def to_json(self) -> dict[str, Any]:
        """Return the table as plain values."""
        return {
            "name": self.name,
            "title": self.title,
            "columns": [{"name": c.name, "title": c.title, "decimals": c.decimals} for c in self.columns],
            "rows": [
                {
                    **dict(zip(self.labels, row.labels, strict=True)),
                    "figures": {
                        column.name: {
                            "published": cell.published,
                            "paper": cell.paper,
                            "clean": cell.clean,
                            "difference": cell.difference,
                        }
                        for column, cell in zip(self.columns, row.cells, strict=True)
                    },
                }
                for row in self.rows
            ],
            "notes": list(self.notes),
        }

    def to_records(self) -> list[dict[str, Any]]:
        """Return a row for each figure: the labels of its row, its column, and what Cell has."""
        return [
            {
                **dict(zip(self.labels, row.labels, strict=True)),
                "column": column.name,
                "published": cell.published,
                "paper": cell.paper,
                "clean": cell.clean,
                "difference": cell.difference,
            }
            for row in self.rows
            for column, cell in zip(self.columns, row.cells, strict=True)
        ]

    def to_markdown(self) -> str:
        """Return the table as Markdown: a heading, a table for each column of figures, the notes."""
        parts = [f"## {self.name}: {self.title}"]
        for at, column in enumerate(self.columns):
            heads = [*self.labels, "published", "paper's conditions", "difference", "clean conditions"]
            lines = [
                [
                    *row.labels,
                    shown(row.cells[at].published, column.decimals),
                    shown(row.cells[at].paper, column.decimals),
                    shown(row.cells[at].difference, column.decimals, sign=True),
                    shown(row.cells[at].clean, column.decimals),
                ]
                for row in self.rows
            ]
            parts.append(f"### {column.title}\n\n{_grid(heads, lines, len(self.labels))}")
        parts.extend(self.notes)
        return "\n\n".join(parts)


def bars(name: str, cells: Mapping[str, Cell], of: Literal["published", "paper", "clean"]) -> Series:
    """Return one of the figures of cells as bars, or as marks where it is the one in print."""
    ys = (getattr(cell, of) for cell in cells.values())
    published = of == "published"
    heights = tuple(nan if y is None else float(y) for y in ys)
    return Series(name, tuple(cells), heights, "marks" if published else "bars", published)


def shown(value: float | None, decimals: int, *, sign: bool = False) -> str:
    """Return a figure as text, a dash where there is none; a difference with its sign.

    >>> shown(3.61123, 4), shown(-0.00001, 4, sign=True), shown(None, 4)
    ('3.6112', '0.0000', '–')
    """
    if value is None:
        return "–"
    text = f"{value:{'+' if sign else ''}.{decimals}f}"
    return text[1:] if sign and not text.strip("+-0.") else text


def _grid(heads: list[str], lines: Iterable[list[str]], left: int) -> str:
    """Return a Markdown table whose first columns are flush left and the others flush right."""
    rule = ["---"] * left + ["---:"] * (len(heads) - left)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, rule, *lines])

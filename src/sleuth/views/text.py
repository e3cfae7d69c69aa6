"""Blocks as lines of plain text."""

from __future__ import annotations

from itertools import zip_longest

from sleuth.trees.check import Played, play_all
from sleuth.trees.tree import DecisionTree
from sleuth.views.content import Bars, Figures, Line, Moments, Row, Table, blocks_of
from sleuth.views.numbers import bar_of, percent

_BAR = 40
_LEAST_BAR = 4
_OVER = "  over the limit"
# Columns of the numbers beside a bar.
_BESIDE = 11
LINES = 24
"""The most lines that a tree is given."""


def of(result: object) -> str:
    """Return a result as text."""
    parts: list[str] = []
    for block in blocks_of(result):
        match block:
            case Line():
                parts.append(block.text)
            case Figures():
                parts.append("\n".join(f"{name}: {value}" for name, value in block.values.items()))
            case Table():
                parts.append(table(block))
            case Bars():
                parts.append("\n".join(bars(block)))
            case Moments():
                parts.append(table(_likeliest(block)))
            case _:
                parts.append("\n".join(outline(block.tree)))
    return "\n".join(part for part in parts if part)


def _likeliest(block: Moments) -> Table:
    """Return an episode as a table: what came to pass, and what is likeliest then."""
    names = tuple(dict.fromkeys(name for moment in block.moments for name in moment.facts))
    rows = []
    for moment in block.moments:
        best = max(moment.shares, key=lambda of: of.share, default=None)
        belief = ("not known", "") if best is None else (best.name, percent(best.share))
        rows.append((moment.title, *(moment.facts.get(name, "") for name in names), *belief))
    columns = ("turn", *map(str.lower, names), "likeliest", "share")
    return Table(columns, tuple(rows), left=len(columns) - 1)


def cell(value: str | Row) -> str:
    """Return a cell of a table."""
    return value.shown if isinstance(value, Row) else value


def table(block: Table) -> str:
    """Return a table with aligned columns."""
    rows = [tuple(map(cell, row)) for row in block.rows]
    if any(block.columns):
        rows.insert(0, block.columns)
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return "\n".join(
        "  ".join(
            value.ljust(width) if at < block.left else value.rjust(width)
            for at, (value, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def bars(block: Bars, width: int = 80) -> list[str]:
    """Return a line for each number of guesses, with a bar; failures are marked.

    width: columns that the lines may take, as far as the numbers leave any.
    """
    most = max(block.counts.values())
    over = any(turns > block.max_turns for turns in block.counts)
    bar = max(_LEAST_BAR, min(_BAR, width - _BESIDE - (len(_OVER) if over else 0)))
    lines = []
    for turns in range(1, max(block.counts) + 1):
        count = block.counts.get(turns, 0)
        mark = _OVER if turns > block.max_turns and count else ""
        lines.append(f"{turns:>3} {bar_of(count / most, bar):<{bar}} {count:>6}{mark}")
    return lines


def outline(tree: DecisionTree) -> list[str]:
    """Return a tree by its levels, the largest branches first, as far as LINES lines go."""
    played = play_all(tree)
    children: list[list[int]] = [[] for _ in tree.guess]
    for node in range(1, len(tree.guess)):
        children[tree.parent[node]].append(node)
    # The nodes that have most answers are shown: a node's parent has more.
    order = sorted(range(len(tree.guess)), key=lambda node: (-len(played.at[node]), node))
    chosen = set(order[:LINES])
    lines: list[str] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        lines.append(_line(tree, played, node))
        waiting.extend(sorted(chosen.intersection(children[node]), key=lambda at: len(played.at[at])))
    if len(tree.guess) > LINES:
        lines.append(f"… {len(tree.guess) - LINES} more nodes: save(path) writes them all")
    return lines


def _line(tree: DecisionTree, played: Played, node: int) -> str:
    code = int(tree.code[node])
    before = f"{tree.game.rules.notation.show(code)} " if node else ""
    indent = "  " * (int(tree.turn[node]) - 1)
    return f"{indent}{before}{tree.game.guesses[tree.guess[node]]} ({len(played.at[node])} left)"

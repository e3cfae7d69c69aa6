"""Blocks as a fragment of HTML for notebooks: no scripts, nothing loaded, all text escaped.

Notebooks have light and dark themes of their own, which need not be the browser's: all colours but those of
tiles are made of the text's own.
"""

from __future__ import annotations

import re
from html import escape

from sleuth.games.feedback import MarkNotation
from sleuth.trees.check import play_all
from sleuth.trees.formats.bars import STYLE as BARS
from sleuth.trees.formats.bars import bars
from sleuth.trees.formats.outline import STYLE as OUTLINE
from sleuth.trees.formats.outline import feedback, outline
from sleuth.views.content import Bars, Block, Figures, Line, Row, Table, blocks_of

NODES = 5000
"""The most nodes of a tree that a notebook is given; a file has them all."""

_STYLE = """
.frame { --ink: currentColor; --link: currentColor; --soft: color-mix(in srgb, currentColor 70%, transparent);
  --line: color-mix(in srgb, currentColor 25%, transparent); --bar: #2f9461; max-width: 60rem;
  line-height: 1.5 }
p { margin: .3rem 0 }
dl { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; margin: .4rem 0 }
dt { color: var(--soft); font-size: .85em; font-weight: normal }
dd { margin: 0; font-size: 1.1em; font-variant-numeric: tabular-nums }
table { border-collapse: collapse; margin: .4rem 0; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .75rem .15rem 0; text-align: right; font-weight: normal; background: none }
thead th { color: var(--soft); border-bottom: 1px solid var(--line) }
.words { text-align: left }
"""


def of(result: object) -> str:
    """Return a result as a fragment of HTML."""
    body = "\n".join(map(_block, blocks_of(result)))
    return f'<div class="sleuth frame">\n<style>\n{_SCOPED}\n</style>\n{body}\n</div>\n'


def _scoped(style: str) -> str:
    """Return style sheets whose rules hold within a fragment only."""

    def rule(match: re.Match[str]) -> str:
        selectors = (selector.strip() for selector in match[1].split(","))
        within = (f".sleuth{s}" if s == ".frame" else f".sleuth {s}" for s in selectors)
        return f"{', '.join(within)} {{{match[2]}}}"

    return re.sub(r"\s*([^{}]+)\{([^{}]*)\}", lambda match: f"\n{rule(match)}", style).strip()


_SCOPED = _scoped(f"{_STYLE}\n{BARS}\n{OUTLINE}")


def _block(block: Block) -> str:
    match block:
        case Line():
            text = escape(block.text)
            return f"<p>{f'<strong>{text}</strong>' if block.strong else text}</p>"
        case Figures():
            pairs = (f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in block.values.items())
            return f"<dl>{''.join(pairs)}</dl>"
        case Table():
            return _table(block)
        case Bars():
            return bars(block.counts, block.max_turns)
    tree = block.tree
    return "".join(outline(tree, play_all(tree), NODES))


def _table(block: Table) -> str:
    def words(at: int) -> str:
        return ' class="words"' if at < block.left else ""

    head = "".join(f'<th scope="col"{words(at)}>{escape(name)}</th>' for at, name in enumerate(block.columns))
    rows = (
        "".join(f"<td{words(at)}>{_cell(value)}</td>" for at, value in enumerate(row)) for row in block.rows
    )
    body = "".join(f"<tr>{row}</tr>\n" for row in rows)
    named = f"<thead><tr>{head}</tr></thead>\n" if any(block.columns) else ""
    return f"<table>\n{named}<tbody>\n{body}</tbody>\n</table>"


def _cell(value: str | Row) -> str:
    if isinstance(value, str):
        return escape(value)
    guess = value.game.guesses[value.guess]
    shown = feedback(value.game, guess, value.code)
    if isinstance(value.game.rules.notation, MarkNotation):  # the tiles have the letters of the guess
        return f'<span role="img" aria-label="{escape(value.shown)}">{shown}</span>'
    return f"<bdi>{escape(guess)}</bdi>{shown}"

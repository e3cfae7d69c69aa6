"""Blocks as a fragment of HTML for notebooks: no scripts, nothing loaded, all text escaped.

Notebooks have light and dark themes of their own, which need not be the browser's: all colours but those of
tiles are made of the text's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from sleuth.games.feedback import MarkNotation
from sleuth.trees.check import play_all
from sleuth.trees.formats.bars import STYLE as BARS
from sleuth.trees.formats.bars import bars
from sleuth.trees.formats.outline import STYLE as OUTLINE
from sleuth.trees.formats.outline import feedback, outline
from sleuth.views.content import Bars, Block, Figures, Line, Moment, Moments, Row, Table, blocks_of
from sleuth.views.numbers import percent

NODES = 5000
"""The most nodes of a tree that a notebook is given; a file has them all."""

MOMENTS = 100
"""The most moments of an episode that a notebook is given; a page has more."""
_MOMENTS_OF_A_PAGE = 1000

_PAGE = """
:root { color-scheme: light dark; --page: #fff; --text: #1b1b1b }
@media (prefers-color-scheme: dark) { :root { --page: #161618; --text: #ececec } }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem; background: var(--page);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere }
""".strip()

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
dd { overflow-wrap: anywhere }
.moments { list-style: none; margin: .8rem 0; padding: 0 }
.moment { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr));
  gap: .2rem 1.5rem; margin: 0; padding: .6rem 0; border-top: 1px solid var(--line); break-inside: avoid }
.title { margin: 0; font-weight: 700; overflow-wrap: anywhere }
.belief { width: 100%; table-layout: fixed; margin: 0 }
.belief th { width: 40%; text-align: left; overflow-wrap: anywhere }
.belief td { width: 3.8rem; vertical-align: top }
.belief td:last-child { width: auto; padding: .35rem 0 0 }
.belief bdi { font: inherit }
.true th { font-weight: 700 }
.track { display: block; position: relative; height: .9rem;
  background: color-mix(in srgb, currentColor 10%, transparent) }
.track .bar { height: 100%; min-width: 0 }
.was { position: absolute; top: -.15rem; bottom: -.15rem; width: 2px; margin-left: -1px;
  background: currentColor }
"""


def of(result: object) -> str:
    """Return a result as a fragment of HTML."""
    return _fragment(blocks_of(result), MOMENTS)


def page(title: str, blocks: Iterable[Block]) -> str:
    """Return blocks as a document of its own, light or dark as the browser is."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_PAGE}\n</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{_fragment(blocks, _MOMENTS_OF_A_PAGE)}</main>\n</body>\n</html>\n"
    )


def _fragment(blocks: Iterable[Block], moments: int) -> str:
    body = "\n".join(_block(block, moments) for block in blocks)
    return f'<div class="sleuth frame">\n<style>\n{_SCOPED}\n</style>\n{body}\n</div>\n'


def _scoped(style: str) -> str:
    """Return style sheets whose rules hold within a fragment only."""

    def rule(match: re.Match[str]) -> str:
        selectors = (selector.strip() for selector in match[1].split(","))
        within = (f".sleuth{s}" if s == ".frame" else f".sleuth {s}" for s in selectors)
        return f"{', '.join(within)} {{{match[2]}}}"

    return re.sub(r"\s*([^{}]+)\{([^{}]*)\}", lambda match: f"\n{rule(match)}", style).strip()


_SCOPED = _scoped(f"{_STYLE}\n{BARS}\n{OUTLINE}")


def _block(block: Block, moments: int) -> str:
    match block:
        case Line():
            text = escape(block.text)
            return f"<p>{f'<strong>{text}</strong>' if block.strong else text}</p>"
        case Figures():
            return _figures(block.values)
        case Table():
            return _table(block)
        case Bars():
            return bars(block.counts, block.max_turns)
        case Moments():
            return _moments(block.moments, moments)
    tree = block.tree
    return "".join(outline(tree, play_all(tree), NODES))


def _figures(values: Mapping[str, str]) -> str:
    pairs = (f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in values.items())
    return f"<dl>{''.join(pairs)}</dl>"


def _moments(moments: Sequence[Moment], most: int) -> str:
    shown = "\n".join(map(_moment, moments[:most]))
    left = len(moments) - most
    more = f"\n<p>{left} more are not shown.</p>" if left > 0 else ""
    return f'<ol class="moments">\n{shown}\n</ol>{more}'


def _moment(moment: Moment) -> str:
    rows = []
    for of in (*moment.shares, *([] if moment.rest is None else [moment.rest])):
        was = "" if of.before is None else f'<span class="was" style="left:{100 * of.before:.2f}%"></span>'
        bar = f'<span class="bar" style="width:{100 * of.share:.2f}%"></span>'
        name = f"<bdi>{escape(of.name)}</bdi>{' (true)' if of.true else ''}"
        kind = ' class="true"' if of.true else ""
        rows.append(
            f'<tr{kind}><th scope="row">{name}</th><td>{percent(of.share)}</td>'
            f'<td aria-hidden="true"><span class="track">{bar}{was}</span></td></tr>\n'
        )
    belief = "<p>The belief is not known.</p>"
    if rows:
        label = escape(f"Belief: {moment.title}")
        belief = f'<table class="belief" aria-label="{label}">\n<tbody>\n{"".join(rows)}</tbody>\n</table>'
    facts = _figures(moment.facts) if moment.facts else ""
    return (
        f'<li class="moment"><div><p class="title">{escape(moment.title)}</p>{facts}</div>\n'
        f"<div>{belief}</div></li>"
    )


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

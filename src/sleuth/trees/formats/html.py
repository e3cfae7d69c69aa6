"""A tree as a page: one file, no scripts, nothing loaded from elsewhere.

Branches open and close with <details>, which browsers and screen readers know how to work.
"""

from __future__ import annotations

from html import escape

from sleuth.games.feedback import MarkNotation, PegNotation
from sleuth.games.game import Game
from sleuth.trees.check import check_tree, play_all
from sleuth.trees.formats.bars import bars
from sleuth.trees.formats.outline import outline
from sleuth.trees.tree import DecisionTree, Report

_STYLE = """
:root { color-scheme: light dark; --page: #fff; --ink: #1b1b1b; --soft: #595959; --line: #d0d0d0;
  --bar: #1f6f43; --link: #0b57d0 }
@media (prefers-color-scheme: dark) { :root { --page: #161618; --ink: #ececec; --soft: #b0b0b0;
  --line: #3c3c40; --bar: #4fae7b; --link: #8ab4f8 } }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem; background: var(--page);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem }
dl { display: flex; flex-wrap: wrap; gap: .75rem 2rem; margin: 0 }
dt, small, .left { color: var(--soft); font-size: .875rem }
dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums }
table { border-collapse: collapse; width: 100%; max-width: 36rem; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .75rem .15rem 0; text-align: right; font-weight: normal }
thead th { color: var(--soft); font-size: .875rem }
""".strip()

# On paper every branch is open and runs on as text, so that a whole strategy takes few pages. A second guess
# begins a paragraph; deeper branches stand in brackets. `::details-content` opens what the screen has folded.
_PRINT = """
.print { display: none }
@media print {
  @page { margin: 8mm }
  :root { color-scheme: light; --page: #fff; --ink: #000; --soft: #000; --line: #999; --bar: #555 }
  body { padding: 0; max-width: none; font: 6pt/1.1 system-ui, sans-serif }
  h1 { display: inline; font-size: 8pt; margin: 0 }
  h2, .screen, .tree .row, .tree small, .tree .left, .tree > li > details > summary { display: none }
  .print { display: block; margin: 1pt 0 3pt }
  dl { display: inline; margin-left: 1em }
  dl div { display: inline; margin-right: 1em }
  dt { display: inline; font-size: inherit }
  dt::after { content: ": " }
  dd { display: inline; font-size: inherit }
  .tree { columns: 3; column-gap: 3mm; column-rule: .25pt solid var(--line) }
  .tree, .tree ul { padding: 0; margin: 0; border: 0 }
  .tree details::details-content { display: inline; content-visibility: visible }
  .tree ul, .tree li, .tree details, .tree summary { display: inline; padding: 0 }
  .tree > li, .tree > li > details, .tree > li > details > ul { display: block }
  .tree > li > details > ul > li { display: block; padding-left: 1em; text-indent: -1em }
  .tree ul ul ul::before { content: "["; margin-right: -.2em }
  .tree ul ul ul::after { content: "]"; margin-left: -.2em }
  .tree code { margin: 0 .25em 0 0; font: .86em/1 ui-monospace, monospace; text-transform: lowercase }
  .tree li { overflow-wrap: anywhere }
  .tree bdi { font-weight: normal; margin-right: .1em }
  .tree summary bdi { font-weight: 700 }
}
""".strip()


def to_text(tree: DecisionTree) -> str:
    """Return a tree as an HTML page. Raises TreeError for one that breaks the rules of its game."""
    report, played = check_tree(tree), play_all(tree)
    title = f"{tree.name or 'A strategy'} on {tree.game.name}"
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}\n{_PRINT}\n</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n",
        _figures(tree, report),
        '<h2>Answers by number of guesses</h2>\n<div class="screen">',
        bars(report.histogram, tree.game.max_turns),
        "</div>\n",
        "<h2>The tree</h2>\n",
        _legend(tree.game, tree.opener),
        *outline(tree, played),
        "</main>\n</body>\n</html>\n",
    ]
    return "".join(parts)


def _figures(tree: DecisionTree, report: Report) -> str:
    expected = "Guesses on average" if tree.game.is_uniform else "Guesses expected under the prior"
    figures = {
        expected: f"{report.mean:.4f}",
        "In total": str(report.total),
        "At worst": str(report.worst),
        "Answers": str(report.answers),
        f"Not found in {tree.game.max_turns}": str(report.failures),
        "First guess": tree.opener,
        "Mode": tree.game.mode,
    }
    rows = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>\n" for name, value in figures.items())
    return f"<dl>\n{rows}</dl>\n"


def _legend(game: Game, opener: str) -> str:
    meaning = ""
    notation = game.rules.notation
    if isinstance(notation, MarkNotation):
        meaning = " G, green: the letter is right; Y, yellow: it is elsewhere; B, grey: no more of it."
    elif isinstance(notation, PegNotation):
        example = notation.example
        meaning = f" Feedback {example} means so many symbols: {notation.told(notation.parse(example))}."
    return (
        '<p class="screen">Each line has the feedback to the guess above it, then the next guess and how many'
        f" answers are left. Open a line to go on.{meaning}</p>\n"
        f'<p class="print">The first guess is {escape(opener)}. Each paragraph begins with the feedback to it'
        " and the second guess; then comes the feedback to that with the guess after it, and in brackets"
        f" what follows. Bold guesses may be wrong.{meaning}</p>\n"
    )

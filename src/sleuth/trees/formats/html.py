"""A tree as a page: one file, no scripts, nothing loaded from elsewhere.

Branches open and close with <details>, which browsers and screen readers know how to work.
"""

from __future__ import annotations

from html import escape

from sleuth.games.feedback import MarkNotation, PegNotation
from sleuth.games.game import Game
from sleuth.trees.check import Played, check_tree, play_all
from sleuth.trees.tree import DecisionTree, Report

LISTED = 24
"""The most candidates that are named at a node."""

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
td:last-child, th:last-child { width: 70%; text-align: left; padding-right: 0 }
.bar { display: block; height: 1rem; min-width: 1px; background: var(--bar) }
.lost .bar { background: repeating-linear-gradient(45deg, var(--soft) 0 4px, transparent 4px 8px) }
ul { list-style: none; margin: 0; padding: 0 0 0 1.25rem; border-left: 1px solid var(--line) }
.tree { padding: 0; border: 0 }
summary, .leaf { padding: .2rem .25rem }
summary { cursor: pointer }
summary:hover { background: color-mix(in srgb, var(--ink) 7%, transparent) }
summary:focus-visible { outline: 2px solid var(--link) }
.leaf { padding-left: 1.25rem }
.left { margin: .1rem 0 .3rem 1.25rem; overflow-wrap: anywhere }
.row b { display: inline-block; width: 1.4em; margin-right: 2px; text-align: center; line-height: 1.4;
  color: #fff; text-transform: uppercase; border-radius: 2px }
.row .b { background: #5c6066 } .row .y { background: #f5c518; color: #000 } .row .g { background: #1f7a3d }
code { margin: 0 .5rem; font: .875rem ui-monospace, monospace; color: var(--soft) }
bdi { font-weight: 600 }
""".strip()


def to_text(tree: DecisionTree) -> str:
    """Return a tree as an HTML page. Raises TreeError for one that breaks the rules of its game."""
    report, played = check_tree(tree), play_all(tree)
    title = f"{tree.name or 'A strategy'} on {tree.game.name}"
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n",
        _figures(tree, report),
        _histogram(tree.game, report),
        "<h2>The tree</h2>\n",
        _legend(tree.game),
        *_tree(tree, played),
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


def _histogram(game: Game, report: Report) -> str:
    most = max(report.histogram.values())
    rows = []
    for turns, count in sorted(report.histogram.items()):
        lost = ' class="lost"' if turns > game.max_turns else ""
        bar = f'<span class="bar" style="width:{100 * count / most:.2f}%"></span>'
        rows.append(f'<tr{lost}><th scope="row">{turns}</th><td>{count}</td><td>{bar}</td></tr>\n')
    return (
        '<h2>Answers by number of guesses</h2>\n<table>\n<thead><tr><th scope="col">Guesses</th>'
        '<th scope="col">Answers</th><th scope="col" aria-label="Bar"></th></tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody>\n</table>\n"
    )


def _legend(game: Game) -> str:
    meaning = ""
    if isinstance(game.rules.notation, MarkNotation):
        meaning = " G, green: the letter is right; Y, yellow: it is elsewhere; B, grey: no more of it."
    elif isinstance(game.rules.notation, PegNotation):
        meaning = " Feedback 1,2 means one symbol in the right place, and two right ones in a wrong place."
    return (
        "<p>Each line has the feedback to the guess above it, then the next guess and how many answers are"
        f" left. Open a line to go on.{meaning}</p>\n"
    )


def _tree(tree: DecisionTree, played: Played) -> list[str]:
    """Return the nested lists of the tree, in pieces."""
    game = tree.game
    children: list[list[int]] = [[] for _ in tree.guess]
    for node in range(1, len(tree.guess)):
        children[tree.parent[node]].append(node)
    known: list[list[tuple[int, int]]] = [[] for _ in tree.guess]
    for (node, code), answer in played.ends.items():
        if code != game.solved:
            known[node].append((code, answer))
    parts = ['<ul class="tree">\n']
    waiting: list[int | str] = ["</ul>\n", 0]  # a stack of nodes, and of the text that closes them
    while waiting:
        next_one = waiting.pop()
        if isinstance(next_one, str):
            parts.append(next_one)
            continue
        node = next_one
        guess = game.guesses[tree.guess[node]]
        line = _line(tree, played, node)
        if not children[node] and not known[node]:
            parts.append(f'<li class="leaf">{line}</li>\n')
            continue
        opened = " open" if node == 0 else ""
        parts.append(
            f"<li><details{opened}><summary>{line}</summary>\n"
            f'<p class="left">{_listed(game, played.at[node])}</p>\n<ul>\n'
        )
        waiting.append("</ul></details></li>\n")
        for code, answer in known[node]:
            shown, turns = _feedback(game, guess, code), played.turns[answer]
            word = escape(game.answers[answer])
            parts.append(
                f'<li class="leaf">{shown}<bdi>{word}</bdi> <small>known after {turns}</small></li>\n'
            )
        waiting.extend(reversed(children[node]))
    return parts


def _line(tree: DecisionTree, played: Played, node: int) -> str:
    """Return the feedback that leads to a node, its guess, and how many answers are left before it."""
    game, answers = tree.game, played.at[node]
    parent = int(tree.parent[node])
    before = _feedback(game, game.guesses[tree.guess[parent]], int(tree.code[node])) if parent >= 0 else ""
    answer = played.ends.get((node, game.solved))
    remark = f"{len(answers)} left{'' if answer is None else ', may be right'}"
    if len(answers) == 1 and answer is not None:
        remark = f"right, guess {played.turns[answer]}"
    return f"{before}<bdi>{escape(game.guesses[tree.guess[node]])}</bdi> <small>{remark}</small>"


def _feedback(game: Game, guess: str, code: int) -> str:
    """Return feedback as the game writes it; in Wordle with the guess on coloured tiles before it."""
    shown = escape(game.rules.notation.show(code))
    if not isinstance(game.rules.notation, MarkNotation):
        return f"<code>{shown}</code>"
    marks = game.rules.notation.marks(code)
    tiles = "".join(
        f'<b class="{"byg"[mark]}">{escape(letter)}</b>' for letter, mark in zip(guess, marks, strict=True)
    )
    # Screen readers get the letters of the feedback, not the tiles one by one.
    return f'<span class="row" aria-hidden="true">{tiles}</span><code>{shown}</code>'


def _listed(game: Game, answers: list[int]) -> str:
    words = ", ".join(game.answers[answer] for answer in answers[:LISTED])
    return escape(words + (", …" if len(answers) > LISTED else ""))

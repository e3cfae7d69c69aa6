"""A tree as nested lists of HTML, whose branches open and close with <details>."""

from __future__ import annotations

from html import escape

import numpy as np

from sleuth.games.feedback import MarkNotation
from sleuth.games.game import Game
from sleuth.trees.check import Played
from sleuth.trees.tree import DecisionTree

LISTED = 24
"""The most candidates that are named at a node."""

STYLE = """
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
"""The looks of it; the colours --soft, --line, --ink and --link are those of what it stands in."""


def outline(tree: DecisionTree, played: Played, most: int | None = None) -> list[str]:
    """Return the nested lists of the tree, in pieces.

    most: the most nodes that are shown, whole turns of them; what would follow is told as a number. None for
    all.
    """
    deepest = _deepest(tree, most)
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
        below = len(children[node]) + len(known[node])
        if not below:
            parts.append(f'<li class="leaf">{line}</li>\n')
            continue
        if tree.turn[node] >= deepest:
            parts.append(f'<li class="leaf">{line} <small>… {_branches(below)} not shown</small></li>\n')
            continue
        opened = " open" if node == 0 else ""
        parts.append(
            f"<li><details{opened}><summary>{line}</summary>\n"
            f'<p class="left">{_listed(game, played.at[node])}</p>\n<ul>\n'
        )
        waiting.append("</ul></details></li>\n")
        for code, answer in known[node]:
            shown, turns = feedback(game, guess, code), played.turns[answer]
            word = escape(game.answers[answer])
            parts.append(
                f'<li class="leaf">{shown}<bdi>{word}</bdi> <small>known after {turns}</small></li>\n'
            )
        waiting.extend(reversed(children[node]))
    return parts


def _deepest(tree: DecisionTree, most: int | None) -> int:
    """Return the turn whose guesses are the last that are shown, with nothing below them."""
    if most is None or len(tree.guess) <= most:
        return int(tree.turn.max()) + 1
    nodes = np.cumsum(np.bincount(tree.turn)[1:])
    return max(1, int(np.searchsorted(nodes, most, side="right")))


def _branches(count: int) -> str:
    return "1 branch" if count == 1 else f"{count} branches"


def _line(tree: DecisionTree, played: Played, node: int) -> str:
    """Return the feedback that leads to a node, its guess, and how many answers are left before it."""
    game, answers = tree.game, played.at[node]
    parent = int(tree.parent[node])
    before = feedback(game, game.guesses[tree.guess[parent]], int(tree.code[node])) if parent >= 0 else ""
    answer = played.ends.get((node, game.solved))
    remark = f"{len(answers)} left{'' if answer is None else ', may be right'}"
    if len(answers) == 1 and answer is not None:
        remark = f"right, guess {played.turns[answer]}"
    return f"{before}<bdi>{escape(game.guesses[tree.guess[node]])}</bdi> <small>{remark}</small>"


def feedback(game: Game, guess: str, code: int) -> str:
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

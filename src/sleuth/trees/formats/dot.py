"""A tree as a graph for Graphviz: `dot -Tsvg tree.dot -o tree.svg` draws it."""

from __future__ import annotations

from sleuth.trees.check import check_tree, play_all
from sleuth.trees.tree import DecisionTree


def to_text(tree: DecisionTree) -> str:
    """Return a tree in the DOT language. Raises TreeError for one that breaks the rules of its game.

    A box is a guess, with the number of answers that are still possible; its border is double where the guess
    may itself be the answer. A line has the feedback. An answer known without being guessed has no box.
    """
    game, played = tree.game, play_all(tree)
    report = check_tree(tree)
    title = f"{tree.name or 'a strategy'}: {game.name}, {game.mode}, {report.mean:.4f} guesses on average"
    lines = [
        "digraph tree {",
        f"  graph [label={_quoted(title)}, labelloc=t, rankdir=LR, ranksep=1.2, nodesep=0.1,"
        ' fontname="sans-serif"];',
        '  node [shape=box, fontname="sans-serif"];',
        '  edge [fontname="monospace", fontsize=10];',
    ]
    for node, answers in enumerate(played.at):
        label = _quoted(game.guesses[tree.guess[node]], f"{len(answers)} left" if len(answers) > 1 else "")
        double = ", peripheries=2" if (node, game.solved) in played.ends else ""
        lines.append(f"  n{node} [label={label}{double}];")
    for node in range(1, len(tree.guess)):
        shown = _quoted(game.rules.notation.show(int(tree.code[node])))
        lines.append(f"  n{tree.parent[node]} -> n{node} [label={shown}];")
    for (node, code), answer in played.ends.items():
        if code != game.solved:
            known = f"a{answer}"
            lines.append(f"  {known} [shape=plaintext, label={_quoted(game.answers[answer])}];")
            lines.append(f"  n{node} -> {known} [label={_quoted(game.rules.notation.show(code))}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(*rows: str) -> str:
    """Return text as a quoted DOT string; the rows, empty ones left out, stand under each other."""
    escaped = (row.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") for row in rows if row)
    return '"' + "\\n".join(escaped) + '"'

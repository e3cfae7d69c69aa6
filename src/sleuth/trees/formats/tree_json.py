"""Sleuth's own tree format: JSON that says what it is and which game it is for.

    {"format": "sleuth-tree", "version": 1, "game": "wordle (original)", "mode": "easy",
     "answers": 2315, "guesses": 12972, "digest": "…", "strategy": "exact", "total": 7920,
     "tree": {"guess": "salet", "after": {"BBBBB": {"guess": "courd", "after": {…}}, …}}}

`after` has the feedback as the game writes it, in letters, and is left out where nothing follows: after a
right guess, and where an answer that no guess can name is the only one left. `digest` is the SHA-256 of the
JSON text [[guess, …], [answer, …]], without spaces and with everything outside ASCII escaped.
"""

from __future__ import annotations

import json
from typing import Any

from sleuth.games.game import MODES, Game
from sleuth.games.wordlists import quoted
from sleuth.support.errors import FeedbackError, TreeError, UnknownGuessError
from sleuth.trees.check import check_tree, play_all
from sleuth.trees.formats.assemble import Node, assemble
from sleuth.trees.tree import DecisionTree

FORMAT = "sleuth-tree"
VERSION = 1
DEEPEST = 350
"""The most guesses in a row that the format holds: JSON is read and written by recursion."""


def to_text(tree: DecisionTree) -> str:
    """Return a tree as JSON. Raises TreeError, also for one that is too deep for JSON."""
    game = tree.game
    total = int(play_all(tree).turns.sum())
    if tree.turn.max() > DEEPEST:
        raise TreeError(
            f"the tree is {tree.turn.max()} guesses deep, and JSON holds {DEEPEST}; write it as .html or .dot"
        )
    nodes: list[dict[str, Any]] = [{"guess": game.guesses[guess]} for guess in tree.guess]
    for node in range(1, len(nodes)):
        after = nodes[tree.parent[node]].setdefault("after", {})
        after[game.rules.notation.show(int(tree.code[node]))] = nodes[node]
    header = {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "mode": game.mode,
        "answers": len(game.answers),
        "guesses": len(game.guesses),
        "digest": game.digest,
        "strategy": tree.name,
        "total": total,
        "tree": nodes[0],
    }
    return json.dumps(header, indent=1, ensure_ascii=False) + "\n"


def mode_of(text: str) -> str | None:
    """Return the mode that a JSON text says its tree is for, or None where it says none."""
    mode = _parse(text).get("mode")
    return mode if mode in MODES else None


def from_text(text: str, game: Game, name: str) -> DecisionTree:
    """Return the tree of a JSON text, checked; `name` is for a file that names no strategy.

    Raises TreeError for text that is no such JSON, is for another game, or breaks the rules of the game.
    """
    data = _parse(text)
    if data.get("format") != FORMAT:
        raise TreeError(f'the JSON is not a tree of Sleuth; it needs "format": "{FORMAT}"')
    if data.get("version") != VERSION:
        raise TreeError(f"the tree has version {_shown(data.get('version'))}; version {VERSION} can be read")
    if data.get("digest") != game.digest:
        counts = f"{_shown(data.get('answers'))} answers, {_shown(data.get('guesses'))} guesses"
        raise TreeError(
            f"the tree is for {_shown(data.get('game'))} ({counts}), not for the words of {game.name!r}"
            f" ({len(game.answers)} answers, {len(game.guesses)} guesses)"
        )
    if data.get("mode") not in MODES:
        raise TreeError(f"the tree says mode {_shown(data.get('mode'))}; a mode is {', '.join(MODES)}")
    strategy = data.get("strategy") or name
    tree = assemble(game, _nodes(data.get("tree"), game), str(strategy))
    total = check_tree(tree).total
    if data.get("total") != total:
        raise TreeError(f"the file says {_shown(data.get('total'))} guesses in total, its tree takes {total}")
    return tree


def _parse(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise TreeError(f"line {error.lineno}, column {error.colno}: not JSON ({error.msg})") from None
    except RecursionError:
        raise TreeError("the JSON is nested too deeply to be a tree") from None
    except TreeError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise TreeError(f"not JSON that can be read ({error})") from None
    if not isinstance(data, dict):
        raise TreeError("the JSON is not an object")
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; json.loads itself would drop the first of two values with one key."""
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise TreeError(f"the key {quoted(twice)} is there twice in one object")
    return made


def _nodes(root: Any, game: Game) -> list[Node]:
    """Return the nodes of nested objects, parents first. Raises TreeError."""
    nodes: list[Node] = []
    waiting = [(root, -1, -1, "")]  # a stack in place of recursion
    while waiting:
        item, parent, code, rows = waiting.pop()
        try:
            guess, after = _node(item)
            nodes.append(Node(game.find(guess), parent, code))
            codes = {shown: game.rules.notation.parse(shown) for shown in after}
        except (UnknownGuessError, FeedbackError, TreeError) as error:
            raise TreeError(f"{f'after {rows}' if rows else 'at the first guess'}: {error}") from None
        number = len(nodes) - 1
        for shown, child in after.items():
            waiting.append((child, number, codes[shown], f"{rows}{', ' if rows else ''}{guess} {shown}"))
    return nodes


def _node(item: Any) -> tuple[str, dict[str, Any]]:
    """Return the guess of a node's object and what comes after it, by feedback. Raises TreeError."""
    guess, after = (item.get("guess"), item.get("after", {})) if isinstance(item, dict) else (None, None)
    if not isinstance(guess, str) or not isinstance(after, dict):
        given = f"{_shown(guess)} and {_shown(after)}" if isinstance(item, dict) else _shown(item)
        raise TreeError(f'a node is an object of "guess", a word, and "after", an object; here is {given}')
    return guess, after


def _shown(value: Any) -> str:
    """Return a value of the file for a message, cut where it is too long."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"

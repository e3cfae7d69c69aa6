"""Trees in files: exchanged with other programs, drawn, and shown as a page.

A format is a module with to_text(tree), and from_text(text, game, name) where it can be read back too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sleuth.games.feedback import MarkNotation
from sleuth.support.errors import TreeError
from sleuth.support.files import unwritten, why_not_writable
from sleuth.support.registry import Registry

if TYPE_CHECKING:
    from sleuth.games.game import Game
    from sleuth.trees.tree import DecisionTree

FORMATS: Registry[Callable[[DecisionTree], str]] = Registry("tree format")
"""What a tree may be written as, by the suffix of the file."""

FORMATS.register(
    ".json", "sleuth.trees.formats.tree_json:to_text", "Sleuth's own format, for every game; can be read"
)
for _suffix in (".tree", ".txt"):
    FORMATS.register(
        _suffix, "sleuth.trees.formats.selby:to_text", "Selby's plain text, for Wordle; can be read"
    )
for _suffix in (".dot", ".gv"):
    FORMATS.register(_suffix, "sleuth.trees.formats.dot:to_text", "a graph for Graphviz to draw")
FORMATS.register(".html", "sleuth.trees.formats.html:to_text", "a page to read in a browser, in one file")


def write(tree: DecisionTree, path: Path) -> None:
    """Write a tree in the format that the suffix of the path names, see FORMATS.

    The file is there whole or not at all. Raises TreeError for another suffix, a tree that breaks the rules
    of its game or that the format cannot hold, and a file that cannot be written.
    """
    from sleuth.trees.formats.files import write_text

    check_path(path, tree.game)
    write_text(path, FORMATS.load(path.suffix.lower())(tree))


def check_path(path: Path, game: Game) -> None:
    """Raise TreeError where no tree of the game can be written to the path, before one is made."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise TreeError(
            f"{path}: a tree is not written as {suffix or 'a file without a suffix'};"
            f" the suffix is one of {', '.join(sorted(FORMATS))}"
        )
    if suffix in (".tree", ".txt") and not isinstance(game.rules.notation, MarkNotation):
        raise TreeError(f"{path}: Selby's format is for Wordle, and {game.name} has no mark for each letter")
    why = why_not_writable(path)
    if why is not None:
        raise TreeError(unwritten(path, why))


def stated_mode(path: Path) -> str | None:
    """Return the mode that a tree file says it is for; None where it says none, as Selby's format does not.

    Raises TreeError.
    """
    from sleuth.trees.formats import tree_json
    from sleuth.trees.formats.files import read_text

    text = read_text(path)
    try:
        return tree_json.mode_of(text) if text.lstrip().startswith("{") else None
    except TreeError as error:
        raise TreeError(f"{path}: {error}") from None


def read(path: Path, game: Game) -> DecisionTree:
    """Read a tree of a game, in JSON or in Selby's format: what the file holds decides, not its name.

    The tree is checked (trees/check.py). Raises TreeError, naming the file and where in it the problem is.
    """
    from sleuth.trees.formats import selby, tree_json
    from sleuth.trees.formats.files import read_text

    text = read_text(path)
    if text.lstrip().lower().startswith(("<!doctype", "<html", "digraph")):
        raise TreeError(f"{path}: pages and drawings cannot be read back; write a tree as .json or .txt")
    from_text = tree_json.from_text if text.lstrip().startswith("{") else selby.from_text
    try:
        return from_text(text, game, path.stem)
    except TreeError as error:
        raise TreeError(f"{path}: {error}") from None

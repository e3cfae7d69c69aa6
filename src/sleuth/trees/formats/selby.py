"""The plain text that Alex Selby's Wordle programs print trees in (github.com/alex1770/wordle).

A line goes from the first guess to an answer: each guess and its feedback with the number of the turn, the
last feedback that of a right guess. What a line has in common with the one before is left blank, and
branches are in alphabetical order of their feedback:

    salet BBBBB1 crump BBBBB2 doing BBGBB3 whiff GGGGG4
                                    BBGGB3 whiny GGGGG4

An answer that no guess can name has no right guess: its line ends with the feedback that leaves it alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sleuth.games.feedback import MarkNotation
from sleuth.games.game import Game
from sleuth.games.wordlists import quoted
from sleuth.support.errors import TreeError, UnknownGuessError
from sleuth.trees.check import check_tree, describe_route, play_all
from sleuth.trees.formats.assemble import Node, assemble, level_order
from sleuth.trees.tree import DecisionTree


def to_text(tree: DecisionTree) -> str:
    """Return a tree in Selby's format. Raises TreeError, also for a game that is not Wordle."""
    notation = _notation(tree.game)
    branches: list[list[tuple[str, int]]] = [[] for _ in tree.guess]
    for node, code in play_all(tree).ends:
        branches[node].append((notation.show(code), -1))
    for node in range(1, len(tree.guess)):
        branches[tree.parent[node]].append((notation.show(int(tree.code[node])), node))
    lines: list[str] = []
    before: list[str] = []
    waiting = [(0, [tree.opener])]  # a stack: trees may be deeper than Python calls
    while waiting:
        node, row = waiting.pop()
        if node < 0:
            shared = _shared(before, row)
            lines.append(" " * sum(len(word) + 1 for word in row[:shared]) + " ".join(row[shared:]))
            before = row
            continue
        turn = len(row) // 2 + 1
        for shown, child in sorted(branches[node], reverse=True):
            after = [tree.game.guesses[tree.guess[child]]] if child >= 0 else []
            waiting.append((child, [*row, f"{shown}{turn}", *after]))
    return "\n".join(lines) + "\n"


def from_text(text: str, game: Game, name: str) -> DecisionTree:
    """Return the tree of a text in Selby's format, checked.

    Raises TreeError, naming the line for what cannot be read, and the guesses that lead there for what
    breaks the rules of the game.
    """
    reading = _Reading(game, _notation(game))
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            reading.read_line(number, line.rstrip())
    if not reading.nodes:
        raise TreeError("the file is empty; a tree in Selby's format begins with its first guess")
    tree = assemble(game, reading.nodes, name)
    check_tree(tree)
    _check_leaves(tree, reading)
    return tree


@dataclass
class _Reading:
    """What has been read so far.

    Attributes:
        game, notation: the game and how its feedback is written.
        nodes: the nodes, in the order of the file.
        path: the nodes of the last line, by turn.
        branches: the branches met: node and code.
        leaves: the branches that end there, each with its line.

    """

    game: Game
    notation: MarkNotation
    nodes: list[Node] = field(default_factory=list)
    path: list[int] = field(default_factory=list)
    branches: set[tuple[int, int]] = field(default_factory=set)
    leaves: dict[tuple[int, int], int] = field(default_factory=dict)

    def read_line(self, number: int, line: str) -> None:
        """Take in a line. Raises TreeError."""
        words = line.split()
        indent = len(line) - len(line.lstrip(" "))
        if not self.nodes:
            if indent:
                raise TreeError(f"line {number}: begins with a blank; it begins with the first guess")
            self._add(number, words.pop(0), -1, -1)
        else:
            columns = [_column(turn, self.notation.length) for turn in range(len(self.path))]
            if indent not in columns:
                raise TreeError(
                    f"line {number}: begins in column {indent + 1}, where the line before has no feedback;"
                    f" its feedback begins in column {', '.join(str(column + 1) for column in columns)}"
                )
            del self.path[columns.index(indent) + 1 :]
        if len(words) % 2 == 0:
            raise TreeError(f"line {number}: ends without feedback; a line ends with that of a right guess")
        for shown, word in zip(words[::2], [*words[1::2], None], strict=True):
            self._branch(number, shown, word)

    def _branch(self, number: int, shown: str, word: str | None) -> None:
        """Take in feedback to the last guess and the guess after it, None at the end of the line."""
        node, turn = self.path[-1], len(self.path)
        match = re.fullmatch(rf"([BGY]{{{self.notation.length}}})([0-9]+)", shown)
        if match is None or match[2] != str(turn):
            example = f"{self.notation.example.upper()}{turn}"
            raise TreeError(
                f"line {number}: {quoted(shown)} stands where feedback to guess {turn} belongs:"
                f" {self.notation.length} letters B, G or Y and the number {turn}, for example {example}"
            )
        code = self.notation.parse(match[1])
        if (node, code) in self.branches:
            guess = self.game.guesses[self.nodes[node].guess]
            raise TreeError(f"line {number}: {shown} after {guess} is there twice")
        self.branches.add((node, code))
        if word is None:
            self.leaves[node, code] = number
        elif code == self.game.solved:
            raise TreeError(f"line {number}: {quoted(word)} follows a right guess; that ends a line")
        else:
            self._add(number, word, node, code)

    def _add(self, number: int, word: str, parent: int, code: int) -> None:
        try:
            guess = self.game.find(word)
        except UnknownGuessError as error:
            raise TreeError(f"line {number}: {error}") from None
        self.path.append(len(self.nodes))
        self.nodes.append(Node(guess, parent, code))


def _check_leaves(tree: DecisionTree, reading: _Reading) -> None:
    """Raise TreeError unless the lines end where the answers are found.

    A tree has no nodes there, so that this is known from the file alone.
    """
    ends = play_all(tree).ends
    place = {number: at for at, number in enumerate(level_order(reading.nodes))}
    given = {(place[node], code): number for (node, code), number in reading.leaves.items()}
    for (node, code), number in given.items():
        if (node, code) not in ends:
            raise TreeError(f"line {number}: no answer is found {describe_route(tree, node, code)}")
    for (node, code), answer in ends.items():
        if (node, code) not in given:
            raise TreeError(f"{tree.game.answers[answer]} has no line: {describe_route(tree, node, code)}")


def _notation(game: Game) -> MarkNotation:
    notation = game.rules.notation
    if not isinstance(notation, MarkNotation):
        raise TreeError(f"Selby's format is for Wordle, not for {game.name}; write the tree as .json")
    return notation


def _shared(before: list[str], row: list[str]) -> int:
    """Return how many words two lines have in common from the start."""
    shared = 0
    while shared < min(len(before), len(row)) and before[shared] == row[shared]:
        shared += 1
    return shared


def _column(turn: int, length: int) -> int:
    """Return the column, from 0, of the feedback of a turn, counted from 0."""
    return sum(2 * (length + 1) + len(str(before + 1)) for before in range(turn)) + length + 1

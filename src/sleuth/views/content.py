"""What is shown of a result, apart from how: a list of a few kinds of blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sleuth.games.game import Game
from sleuth.support.registry import Registry
from sleuth.trees.tree import DecisionTree


@dataclass(frozen=True)
class Line:
    """A line of text, or a paragraph."""

    text: str
    strong: bool = False


@dataclass(frozen=True)
class Figures:
    """Names and values."""

    values: dict[str, str]


@dataclass(frozen=True)
class Row:
    """A guess and the code of its feedback, as a cell of a table."""

    game: Game
    guess: int
    code: int

    @property
    def shown(self) -> str:
        """The row in text."""
        return f"{self.game.guesses[self.guess]} {self.game.rules.notation.show(self.code)}"


@dataclass(frozen=True)
class Table:
    """A table whose first `left` columns are text and whose others are numbers.

    Attributes:
        columns: the headings; all empty where there is none.
        rows: the cells, as many as columns each.
        left: how many columns are text.

    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | Row, ...], ...]
    left: int = 1


@dataclass(frozen=True)
class Bars:
    """How many answers take how many guesses, with a bar for each number; those over the limit are marked."""

    counts: dict[int, int]
    max_turns: int


@dataclass(frozen=True)
class Outline:
    """A tree that opens and folds."""

    tree: DecisionTree


@dataclass(frozen=True)
class Share:
    """How likely something is.

    Attributes:
        name: what.
        share: how likely.
        before: how likely it was, where that is known.
        true: whether it is so.

    """

    name: str
    share: float
    before: float | None
    true: bool


@dataclass(frozen=True)
class Moment:
    """A moment of an episode: what came to pass, names and values of it, and what is believed then.

    Attributes:
        title, facts: what came to pass.
        shares: what is believed; empty where it is not known.
        rest: what all that is not listed has together.

    """

    title: str
    facts: dict[str, str]
    shares: tuple[Share, ...]
    rest: Share | None = None


@dataclass(frozen=True)
class Moments:
    """An episode, moment by moment."""

    moments: tuple[Moment, ...]


Block = Line | Figures | Table | Bars | Outline | Moments

VIEWS: Registry[Callable[[Any], list[Block]]] = Registry("kind of result that is shown")
"""What makes blocks of a result, by the name of its class."""

VIEWS.register("Position", "sleuth.views.position:blocks", "where a game stands")
VIEWS.register("Advice", "sleuth.views.advice:blocks", "the best next guesses")
VIEWS.register("Review", "sleuth.views.review:blocks", "a game, move by move")
VIEWS.register("Report", "sleuth.views.tree:report_blocks", "how good a strategy is")
VIEWS.register("Evaluation", "sleuth.views.tree:evaluation_blocks", "the same, and what was measured")
VIEWS.register("DecisionTree", "sleuth.views.tree:blocks", "a strategy")
VIEWS.register("Experiment", "sleuth.views.experiment:blocks", "how strategies do in a study")
VIEWS.register("Episode", "sleuth.views.episode:blocks", "an episode, turn by turn, with its beliefs")
VIEWS.register("Proof", "sleuth.views.proof:blocks", "what is known of the best play")


def blocks_of(result: object) -> list[Block]:
    """Return what is shown of a result, by the nearest of its classes that VIEWS knows."""
    name = next(kind.__name__ for kind in type(result).__mro__ if kind.__name__ in VIEWS)
    return VIEWS.load(name)(result)

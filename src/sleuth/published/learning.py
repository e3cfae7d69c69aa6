"""Weaver (2025): learned players, greedy, against every answer, from the empty board."""

from collections.abc import Iterator
from functools import partial

from sleuth.games.strategy import Strategy
from sleuth.games.wordle import wordle
from sleuth.learning.strategies import Learned, LearnedLetters, LearnedSearch
from sleuth.published.steps import Steps
from sleuth.published.table import Cell, Column, Row, Table
from sleuth.strategies.heuristics import InformationGain
from sleuth.support.specification import specification_of
from sleuth.trees.tree import DecisionTree

COLUMNS = (
    Column("mean", "Mean guesses"),
    Column("wins", "Answers found within six guesses, percent", 2),
)
PUBLISHED = {"document-003": (3.53, 100.0)}
"""Of the document's player, after some 30 million games; the best run in its logs has 3.5244."""
NOTHING = (None, None)
NOTES = (
    "The published figures are the document's own. The networks are those that ship with the package"
    " (their model cards: `src/sleuth/learning/weights/`); all 2315 answers are played once, without chance,"
    " so that clean conditions are the document's.",
    "With constrained=false the network plays without the document's inductive biases, which it has learned"
    " with; information gain is not learned.",
)
PLAYERS: tuple[Strategy, ...] = (
    LearnedLetters(),
    LearnedLetters(constrained=False),
    Learned(),
    LearnedSearch(),
    InformationGain(),
)


def run(steps: Steps) -> Table:
    """Return the table; a few seconds."""
    steps.total = len(PLAYERS)
    title = "learned players (Weaver 2025)"
    return steps.table(_rows(steps), lambda rows: Table("learning", title, ("player",), COLUMNS, rows, NOTES))


def _rows(steps: Steps) -> Iterator[Row]:
    game = wordle("original")

    def play(player: Strategy) -> list[float]:
        report = DecisionTree.build(player, game).report()
        return [report.mean, 100 * (1 - report.failures / len(game.answers))]

    for player in PLAYERS:
        name = specification_of(player)
        ours = steps.take(name, partial(play, player))
        published, paper = (PUBLISHED[name], ours) if name in PUBLISHED else (NOTHING, NOTHING)
        yield Row((name,), tuple(map(Cell, published, paper, ours)))

"""Weaver (2025): learned players, greedy, against every answer, from the empty board."""

from sleuth.games.strategy import Strategy
from sleuth.games.wordle import wordle
from sleuth.learning.strategies import Learned, LearnedLetters, LearnedSearch
from sleuth.published.table import Cell, Column, Row, Table
from sleuth.strategies.heuristics import InformationGain
from sleuth.support.progress import Progress, Watch
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


def run(progress: Watch) -> Table:
    """Return the table; a few seconds."""
    game = wordle("original")
    rows = []
    for done, player in enumerate(PLAYERS):
        name = specification_of(player)
        progress(Progress(done, len(PLAYERS), name))
        report = DecisionTree.build(player, game).report()
        ours = (report.mean, 100 * (1 - report.failures / len(game.answers)))
        published, paper = (PUBLISHED[name], ours) if name in PUBLISHED else (NOTHING, NOTHING)
        rows.append(Row((name,), tuple(map(Cell, published, paper, ours))))
    progress(Progress(len(PLAYERS), len(PLAYERS), "done"))
    return Table("learning", "learned players (Weaver 2025)", ("player",), COLUMNS, tuple(rows), NOTES)

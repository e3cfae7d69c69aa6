"""Document 003: learned players, greedy, against every answer, from the empty board."""

from sleuth.experiments import Progress
from sleuth.experiments.table import Cell, Column, Row, Table
from sleuth.games.wordle import wordle
from sleuth.strategies.base import Strategy
from sleuth.strategies.heuristics import InformationGain
from sleuth.strategies.learned import Document003, Learned, LearnedSearch
from sleuth.tree import DecisionTree

COLUMNS = (
    Column("mean", "Mean guesses"),
    Column("wins", "Answers found within six guesses, percent", 2),
)
PUBLISHED = (3.53, 100.0)
"""Of the document's player, after some 30 million games; the best run in its logs has 3.5244."""
NOTES = (
    "The published figures are the document's own. The networks are those that ship with the package"
    " (their model cards: `src/sleuth/rl/weights/`); all 2315 answers are played once, without chance.",
    "Paper's conditions: guesses keep to the document's inductive biases. Clean conditions: its network"
    " alone, biases left out in play and not in training. The other players have one way to play.",
)


PLAYERS: tuple[tuple[str, Strategy | None, Strategy], ...] = (
    ("document-003", Document003(), Document003(constrained=False)),
    ("learned", None, Learned()),
    ("learned+search", None, LearnedSearch()),
    ("information-gain, not learned", None, InformationGain()),
)
"""What each is called, what plays under the paper's conditions and what under clean ones."""


def figures(tree: DecisionTree) -> tuple[float, float]:
    """Return the mean and the percentage of wins, one figure for each column."""
    report = tree.report()
    return report.mean, 100 * (1 - report.failures / len(tree.game.answers))


def run(progress: Progress) -> Table:
    """Return the table; a few seconds."""
    game = wordle("original")
    rows = []
    for done, (name, paper, clean) in enumerate(PLAYERS):
        progress(done, len(PLAYERS), name)
        published = (None, None) if paper is None else PUBLISHED
        ours = (None, None) if paper is None else figures(DecisionTree.build(paper, game))
        rows.append(Row((name,), tuple(map(Cell, published, ours, figures(DecisionTree.build(clean, game))))))
    progress(len(PLAYERS), len(PLAYERS), "done")
    return Table("learning", "learned players (document 003)", ("player",), COLUMNS, tuple(rows), NOTES)

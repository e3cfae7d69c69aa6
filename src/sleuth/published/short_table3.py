"""Short (2022), Table 3: alpha-optimality when all 12972 words are guesses and answers."""

import numpy as np

from sleuth.games.frontier import Frontier
from sleuth.games.game import Game
from sleuth.games.position import Position
from sleuth.games.strategy import BatchStrategy, choose_all
from sleuth.games.wordle import wordle
from sleuth.published import figures
from sleuth.published.paper_alpha import PaperAlpha
from sleuth.published.splits import Numbers
from sleuth.published.steps import Steps
from sleuth.published.table import Cell, Column, Row, Table
from sleuth.strategies.heuristics import Alpha

COLUMNS = (
    Column("mean", "Mean rounds"),
    Column("failures_6_5", "Words whose expected round is 6.5", 0),
    Column("failures_7plus", "Words that take 7 rounds or more", 0),
)
NOTES = (
    "Paper's conditions: the score of a guess is the expected n^alpha *given that the guess is wrong*, that"
    " is divided by n - 1 for a candidate. Clean conditions: our `alpha`, in which the class of a right guess"
    " counts like any other; the openers are the same. Both count as the paper does: when two candidates are"
    " left, 1.5 more rounds for either.",
    "Means are printed with four decimals: a difference of 0.00005 is 0.65 rounds over all words.",
)


def game() -> Game:
    """Return the game: any of the 12972 words may be the answer, and there is no turn limit."""
    return wordle("original-guesses")


def rounds(strategy: BatchStrategy, game: Game) -> tuple[str, Numbers]:
    """Return the strategy's opener, and the rounds each answer takes as Short (2022, 3.1.4) counts them.

    A right guess ends a game. One candidate left takes one more round, two take 1.5 each. The game has more
    than two answers.
    """
    taken = np.empty(len(game.answers))
    frontier = Frontier.of(Position.start(game))
    opener = ""
    while len(frontier):
        for size, more in ((1, 1.0), (2, 1.5)):
            known = frontier.take(np.flatnonzero(frontier.sizes == size))
            taken[known.candidates] = frontier.turn - 1 + more
        frontier = frontier.take(np.flatnonzero(frontier.sizes > 2))
        guesses = choose_all(strategy, frontier)
        opener = opener or game.guesses[guesses[0]]
        children = frontier.after(guesses)
        taken[children.right[children.right >= 0]] = frontier.turn
        frontier = children.frontier
    return opener, taken


def summary(taken: Numbers) -> tuple[float, float, float]:
    """Return the mean of the rounds, and how many are 6.5, and 7 or more."""
    return float(taken.mean()), float((taken == 6.5).sum()), float((taken >= 7).sum())


def row(game: Game, published: dict[str, str], steps: Steps) -> Row:
    """Return a row of the table. published: the row in print."""
    alpha = float(published["alpha"])

    def ours() -> tuple[str, tuple[float, ...], tuple[float, ...]]:
        (opener, paper), (_, clean) = (rounds(s, game) for s in (PaperAlpha(alpha), Alpha(alpha=alpha)))
        return opener, summary(paper), summary(clean)

    opener, paper, clean = steps.take(f"alpha {published['alpha']}", ours)
    figures_of = zip(COLUMNS, paper, clean, strict=True)
    cells = (Cell(float(published[column.name]), *pair) for column, *pair in figures_of)
    return Row((published["alpha"], published["opener"], opener), tuple(cells))


def run(steps: Steps) -> Table:
    """Return the table; 32 evaluations. The feedback matrix takes 340 MB while it runs."""
    played, published = game(), figures.read("short-table3")
    steps.total = len(published)
    title = "alpha-optimality over 12972 words (Short 2022, Table 3)"
    labels = ("alpha", "published opener", "our opener")
    return steps.table(
        (row(played, line, steps) for line in published),
        lambda rows: Table("short-table3", title, labels, COLUMNS, rows, NOTES),
    )

"""Short (2022), Table 2 and figure 1: alpha-optimality in normal and hard mode, on any list of words."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from math import nan
from pathlib import Path

from sleuth.games.game import Game
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import read
from sleuth.published import figures
from sleuth.published.chart import Chart, Series
from sleuth.published.paper_alpha import PaperAlpha
from sleuth.published.short_table3 import rounds, summary
from sleuth.published.steps import Steps
from sleuth.published.table import Cell, Column, Row, Table
from sleuth.strategies.heuristics import Alpha
from sleuth.support.errors import UnknownNameError, WordListError

ANALOGUE = "original-guesses:5170"
SHOWN = -0.5
"""The alpha of figure 1."""
COLUMNS = (
    Column("normal_mean", "Normal mode: mean rounds"),
    Column("normal_6_5", "Normal mode: words whose expected round is 6.5", 0),
    Column("normal_7plus", "Normal mode: words that take 7 rounds or more", 0),
    Column("hard_mean", "Hard mode: mean rounds"),
    Column("hard_failures", "Hard mode: words that take 7 rounds or more", 0),
)
NOTES = (
    "The published figures are of the author's own dictionary of 5170 words, which is not published, so that"
    " ours cannot be compared with them one by one: without --words they are of as many words, the most"
    " frequent of the 12972 by wordfreq. With `--words FILE` they are of the words of a file.",
    "Every word may be guessed and be the answer. Rounds are counted as the paper does: when two candidates"
    " are left, 1.5 more for either. In normal mode the score of a guess is the expected n^alpha given that"
    " the guess is wrong, as in Table 3; in hard mode every guess is a candidate, which divides all scores"
    " alike. Which words the paper counts as failures in hard mode it does not say: here those of 7 rounds or"
    " more.",
)


def game(words: str | None = None) -> Game:
    """Return the game. words: a word list by name or file, else the analogue. Raises WordListError."""
    if words is None:
        return wordle(ANALOGUE)
    path = Path(words)
    try:
        found = wordle(read(path)) if path.is_file() else wordle(words)
    except UnknownNameError as error:
        raise WordListError(f"{error}; and there is no file {words!r}") from None
    if len(found.answers) < 3 or len(found.guesses) != len(found.answers):
        raise WordListError(
            f"{words}: the table is of lists of three words or more, each of which may be the answer; of the"
            " lists that ship, original-guesses and nyt-guesses are"
        )
    return found


def run(steps: Steps, words: str | None = None) -> Table:
    """Return the table; 32 evaluations. words: see game."""
    normal = game(words)
    lines = figures.read("short-table2")
    steps.total = len(lines)
    title = f"alpha-optimality over {len(normal.answers)} words (Short 2022, Table 2)"
    labels = ("alpha", "published opener", "our opener")
    histograms: dict[str, Histogram] = {}

    def table(rows: tuple[Row, ...]) -> Table:
        charts = (_means(rows), _rounds(histograms)) if histograms else (_means(rows),)
        return Table("short-table2", title, labels, COLUMNS, rows, NOTES, charts)

    return steps.table(_rows(steps, normal, lines, words is None, histograms), table)


Histogram = list[tuple[float, int]]
"""Rounds, and how many words take so many."""


def _rows(
    steps: Steps,
    normal: Game,
    lines: Sequence[dict[str, str]],
    printed: bool,
    histograms: dict[str, Histogram],
) -> Iterator[Row]:
    """Make the rows, and fill in the histograms of either mode at the alpha of figure 1."""
    hard = normal.with_mode("strict")

    def ours(alpha: float) -> tuple[str, list[float], dict[str, Histogram]]:
        opener, taken = rounds(PaperAlpha(alpha), normal)
        _, strictly = rounds(Alpha(alpha=alpha), hard)
        found = [*summary(taken), summary(strictly)[0], summary(strictly)[2]]
        both = {"normal": taken, "hard": strictly}
        return opener, found, {mode: list(Counter(of.tolist()).items()) for mode, of in both.items()}

    for line in lines:
        alpha = float(line["alpha"])
        opener, found, counted = steps.take(f"alpha {line['alpha']}", partial(ours, alpha))
        if alpha == SHOWN:
            histograms.update(counted)
        published = [float(line[column.name]) if printed else None for column in COLUMNS]
        cells = tuple(Cell(figure, None, value) for figure, value in zip(published, found, strict=True))
        yield Row((line["alpha"], line["opener"] if printed else "–", opener), cells)


def _means(rows: Sequence[Row]) -> Chart:
    alphas = tuple(float(row.labels[0]) for row in rows)
    series = []
    for mode in ("normal", "hard"):
        at = [column.name for column in COLUMNS].index(f"{mode}_mean")
        cells = [row.cells[at] for row in rows]
        series.append(Series(f"{mode} mode", alphas, tuple(cell.clean or nan for cell in cells)))
        if cells[0].published is not None:
            ys = tuple(cell.published or nan for cell in cells)
            series.append(Series(f"{mode} mode, published (another list)", alphas, ys, "points", True))
    return Chart("Mean rounds by alpha", "alpha", "mean rounds", tuple(series))


def _rounds(histograms: dict[str, Histogram]) -> Chart:
    """Return figure 1: how many words take so many rounds, in either mode."""
    counts = {mode: Counter(dict(histogram)) for mode, histogram in histograms.items()}
    found = sorted(set().union(*counts.values()))
    labels = tuple(f"{value:g}" for value in found)
    series = tuple(
        Series(f"{mode} mode", labels, tuple(float(count[value]) for value in found), "bars")
        for mode, count in counts.items()
    )
    return Chart(f"Rounds at alpha {SHOWN:g} (figure 1)", "rounds", "words", series)

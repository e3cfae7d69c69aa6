"""Short (2022), Table 2 and figure 1: alpha-optimality in normal and hard mode, on any list of words."""

from collections import Counter
from pathlib import Path

from sleuth.games.game import Game
from sleuth.games.wordle import wordle
from sleuth.games.wordlists import read
from sleuth.published import figures
from sleuth.published.chart import Chart, Series
from sleuth.published.paper_alpha import PaperAlpha
from sleuth.published.short_table3 import rounds, summary
from sleuth.published.splits import Numbers
from sleuth.published.table import Cell, Column, Row, Table
from sleuth.strategies.heuristics import Alpha
from sleuth.support.errors import WordListError
from sleuth.support.progress import Progress, Watch

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
    found = wordle(read(path)) if path.exists() else wordle(words)
    if len(found.answers) < 3 or len(found.guesses) != len(found.answers):
        raise WordListError(
            f"{words}: the table is of lists of three words or more, each of which may be the answer; of the"
            " lists that ship, original-guesses and nyt-guesses are"
        )
    return found


def run(progress: Watch, words: str | None = None) -> Table:
    """Return the table; 32 evaluations. words: see game."""
    normal = game(words)
    hard = normal.with_mode("strict")
    lines = figures.read("short-table2")
    rows, histograms = [], {}
    means: dict[str, list[float]] = {"normal": [], "hard": []}
    for done, line in enumerate(lines):
        alpha = float(line["alpha"])
        progress(Progress(done, len(lines), f"alpha {line['alpha']}"))
        opener, taken = rounds(PaperAlpha(alpha), normal)
        _, strictly = rounds(Alpha(alpha=alpha), hard)
        if alpha == SHOWN:
            histograms = {"normal": taken, "hard": strictly}
        means["normal"].append(float(taken.mean()))
        means["hard"].append(float(strictly.mean()))
        ours = (*summary(taken), means["hard"][-1], summary(strictly)[2])
        printed = [float(line[column.name]) if words is None else None for column in COLUMNS]
        cells = tuple(Cell(figure, None, value) for figure, value in zip(printed, ours, strict=True))
        rows.append(Row((line["alpha"], line["opener"] if words is None else "–", opener), cells))
    progress(Progress(len(lines), len(lines), "done"))
    title = f"alpha-optimality over {len(normal.answers)} words (Short 2022, Table 2)"
    labels = ("alpha", "published opener", "our opener")
    alphas = tuple(float(line["alpha"]) for line in lines)
    charts = (_means(alphas, means, lines if words is None else []), _rounds(histograms))
    return Table("short-table2", title, labels, COLUMNS, tuple(rows), NOTES, charts)


def _means(alphas: tuple[float, ...], means: dict[str, list[float]], printed: list[dict[str, str]]) -> Chart:
    series = [Series(f"{mode} mode", alphas, tuple(found)) for mode, found in means.items()]
    for mode in means if printed else ():
        ys = tuple(float(line[f"{mode}_mean"]) for line in printed)
        series.append(Series(f"{mode} mode, published (another list)", alphas, ys, "points", True))
    return Chart("Mean rounds by alpha", "alpha", "mean rounds", tuple(series))


def _rounds(histograms: dict[str, Numbers]) -> Chart:
    """Return figure 1: how many words take so many rounds, in either mode."""
    counts = {mode: Counter(taken.tolist()) for mode, taken in histograms.items()}
    found = sorted(set().union(*counts.values()))
    labels = tuple(f"{value:g}" for value in found)
    series = tuple(
        Series(f"{mode} mode", labels, tuple(float(count[value]) for value in found), "bars")
        for mode, count in counts.items()
    )
    return Chart(f"Rounds at alpha {SHOWN:g} (figure 1)", "rounds", "words", series)

"""Studies: how the strategies do in each game, and against the baseline."""

from collections.abc import Sequence

from sleuth.studies.played import Experiment, Standing
from sleuth.trees.comparison import Duel
from sleuth.views.content import Block, Line, Table
from sleuth.views.numbers import counted, interval

DUEL = ("difference ± 95 %", "fewer guesses", "as many", "more")
"""What is told of a duel, see duel()."""


def blocks(found: Experiment) -> list[Block]:
    """Return what is shown of a study: a table for each game."""
    told: list[Block] = []
    standings = found.standings()
    for game in dict.fromkeys(standing.game for standing in standings):
        here = [standing for standing in standings if standing.game == game]
        told += [title(found, game), table(here, found.study.baseline)]
    if not found.finished:
        told.append(Line(unfinished(found)))
    told += [Line(problem) for problem in found.problems.values()]
    return told


def title(found: Experiment, game: str) -> Line:
    """Return what stands above the table of a game."""
    played = found.study.games[game]
    weighed = "" if played.is_uniform else ", under a prior that weighs the mean"
    return Line(f"{game}: {counted(len(played.answers), 'answer')}{weighed}", strong=True)


def unfinished(found: Experiment) -> str:
    """Return how many runs are finished, in words."""
    return f"{len(found.played)} of {counted(len(found.study.runs()), 'run')} are finished."


def table(standings: Sequence[Standing], baseline: str | None) -> Table:
    """Return the table of the strategies in a game, compared with a baseline if there is one."""
    columns = ["strategy", "seeds", "mean ± 95 %", "worst", "failures"]
    compared = any(standing.against is not None for standing in standings)
    if compared:
        columns += [f"minus {baseline} ± 95 %", *DUEL[1:]]
    rows = []
    for standing in standings:
        row = [standing.strategy, str(standing.seeds), interval(standing.mean)]
        row += [str(standing.worst), f"{standing.failures:.4g}"]
        if compared:
            row += duel(standing.against) if standing.against is not None else [""] * len(DUEL)
        rows.append((*row, f"{standing.seconds:.2f}"))
    return Table((*columns, "seconds"), tuple(rows))


def duel(found: Duel) -> list[str]:
    """Return the cells of a duel, under the headings DUEL."""
    return [interval(found.difference, "+"), *map(str, (found.wins, found.ties, found.losses))]

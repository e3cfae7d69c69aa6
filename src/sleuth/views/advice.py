"""Advice: the best next guesses and their numbers."""

from collections.abc import Sequence

from sleuth.coaching.advice import Advice
from sleuth.games.strategy import Suggestion
from sleuth.views.content import Block, Line, Row, Table
from sleuth.views.numbers import counted, percent


def blocks(advice: Advice) -> list[Block]:
    """Return what is shown of advice."""
    position = advice.position
    left = f"{counted(len(position.candidates), 'candidate')} left"
    found: list[Block] = [Line(f"{position.game.name}, {position.game.mode} mode, {left}")]
    if position.rows:
        found.append(Table(("",), tuple((Row(position.game, *row),) for row in position.rows)))
    if not advice.suggestions:
        return [*found, Line("No guess is advised.", strong=True)]
    found.append(Line(f"Guess {advice.suggestions[0].guess} (by {advice.method})", strong=True))
    found.append(suggestions(advice.suggestions))
    if advice.provisional:
        found.append(Line("A quick estimate: the search is not compiled on this machine yet."))
    return found


def suggestions(found: Sequence[Suggestion]) -> Table:
    """Return the table of suggestions."""
    kinds = ", ".join(sorted({s.kind for s in found}))
    columns = ("guess", "bits", "left", "worst", "groups", "chance", f"guesses ({kinds})")
    return Table(columns, tuple(_row(s) for s in found))


def _row(s: Suggestion) -> tuple[str, ...]:
    # The proven bound is told where a guess is not known exactly.
    least = "" if s.least is None or s.kind == "proved" else f" (at least {s.least:.4f})"
    return (
        s.guess,
        f"{s.bits:.3f}",
        f"{s.expected_left:.2f}",
        str(s.worst_left),
        str(s.classes),
        percent(s.chance) if s.chance else "-",
        f"{s.expected_guesses:.4f}{least}",
    )

"""Rows of the table of results in words, and all of them as a page of the docs shows them."""

from __future__ import annotations

from collections.abc import Iterable

from sleuth.exact.objective import Value
from sleuth.games.choice import GameChoice
from sleuth.ledger.record import Record
from sleuth.views.numbers import counted


def game(choice: GameChoice) -> str:
    """Return which game is meant: "wordle original, hard mode, 4 turns", with all that is out of the common.

    >>> game(GameChoice("mastermind", pegs=4, colours=6, repeats=False, mode="easy"))
    'mastermind 4x6 without repeats'
    """
    name = choice.game if choice.words is None else f"{choice.game} {choice.words}"
    if choice.pegs is not None:
        name += f" {choice.pegs}" if choice.colours is None else f" {choice.pegs}x{choice.colours}"
    if choice.repeats is False:
        name += " without repeats"
    if choice.black:
        name += ", black pegs"
    mode = "" if choice.mode in (None, "easy") else f", {choice.mode} mode"
    prior = "" if choice.prior == "uniform" else f", prior {choice.prior}"
    return f"{name}{mode}{prior}"


def task(record: Record) -> str:
    """Return what is asked of the game: the objective, the turns and the opener."""
    turns = record.game.max_turns
    within = "in time" if turns is None else f"within {counted(turns, 'turn')}"
    what = {
        "mean": f"least total {within}",
        "worst": "fewest guesses that always suffice",
        "solved": f"most answers {within}",
    }[record.objective]
    return what if record.asked is None else f"{what}, from {record.asked}"


def result(record: Record) -> str:
    """Return what is known: "7920", "7795 to 7920", "5 guesses, total 7926", "14 not found, total 8012"."""
    least, most = record.at_least, record.at_most
    if record.status == "open":
        return "open"
    if record.status == "proved" and most is None:
        return "no strategy finds all in time"
    unit = {"mean": "", "worst": " guesses", "solved": " not found"}[record.objective]
    if least is None or most is None:
        return f"at least {_first(least)}{unit}" if least is not None else f"at most {_first(most)}{unit}"
    found = f"{_span(_first(least), _first(most))}{unit}"
    if record.objective == "mean" or least[0] != most[0] or record.weighted:
        return found
    return f"{found}, total {_span(str(least[-1]), str(most[-1]))}"


def mean(record: Record) -> str:
    """Return the mean of guesses, one number or two, or "" where the bounds do not say it."""
    least, most = record.at_least, record.at_most
    if least is None or most is None or least[:-1] != most[:-1] or not record.scale:
        return ""
    digits = 6 if record.weighted else 4
    return _span(*(f"{value[-1] / record.scale:.{digits}f}" for value in (least, most)))


def seconds(record: Record) -> str:
    """Return the seconds of processors that it took, a dash where they are not known."""
    return "–" if record.cpu_seconds is None else f"{record.cpu_seconds:.1f}"


def markdown(rows: Iterable[Record]) -> str:
    """Return a table in Markdown, a row a record."""
    heads = ("name", "game", "asked", "result", "mean", "opener", "worst", "status", "CPU s", "published")
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for row in rows:
        cells = (
            f"`{row.name}`",
            game(row.game),
            task(row),
            result(row),
            mean(row),
            row.opener or "",
            "" if row.worst is None else str(row.worst),
            row.status,
            seconds(row),
            row.published,
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _first(value: Value | None) -> str:
    return "" if value is None else str(value[0])


def _span(least: str, most: str) -> str:
    return least if least == most else f"{least} to {most}"

"""What rows say of other tasks in the same lists: strategies, and that there are none, hold for several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sleuth.exact.bracket import Bracket
from sleuth.exact.objective import Value
from sleuth.ledger.record import Record

_MODES = ("easy", "hard", "strict")
"""Each allows what the next one does."""


@dataclass(frozen=True)
class _Found:
    """A strategy: what it takes in all, the turns of its longest game, and what it loses within how many."""

    opener: str | None
    total: int
    worst: int
    lost: int
    turns: int


@dataclass(frozen=True)
class _None:
    """There is no strategy that takes less than a total, None for none at all, within so many turns."""

    total: int | None
    turns: int


def implied(record: Record, rows: Iterable[Record]) -> Bracket:
    """Return the bounds of a row's task that follow from the row and from others.

    What is legal in the strict mode is legal in the hard mode, and in the easy one anything is; who finds all
    answers in time does so with more turns; who begins with an opener begins with some opener. Rows that do
    not say within how many turns have nothing to do with others.
    """
    found = Bracket(record.at_least, record.at_most, record.opener, record.worst, record.scale)
    related = [row for row in (record, *rows) if _same_game(row, record)]
    if not related:  # nothing is known of it, or it does not say within how many turns
        return found
    for row in related:
        strategy = _strategy(row)
        if strategy is None or not _as_free(record, row, strategy.opener):
            continue
        value = _value(strategy, record)
        if value is not None and (found.at_most is None or value < found.at_most):
            found = replace(found, at_most=value, opener=strategy.opener, worst=strategy.worst)
    limits = [limit for row in related if _as_free(row, record, record.asked) for limit in _limits(row)]
    return replace(found, at_least=_least(limits, record))


def _same_game(row: Record, record: Record) -> bool:
    """Say whether something is known of a row's task, and both are of the same rules, lists and weights."""
    keys = [(one.digest, one.game.prior, one.scale) for one in (row, record)]
    limited = None not in (row.game.max_turns, record.game.max_turns)
    return keys[0] == keys[1] and limited and row.status != "open"


def _as_free(one: Record, other: Record, opener: str | None) -> bool:
    """Say whether what begins with an opener in the other task may be played in this one, given the turns."""
    modes = [_MODES.index(row.game.mode or _MODES[0]) for row in (one, other)]
    return modes[0] <= modes[1] and one.asked in (None, opener)


def _strategy(row: Record) -> _Found | None:
    """Return the strategy of a row, if it has one and its longest game is known."""
    if row.at_most is None or row.worst is None:
        return None
    lost = row.at_most[0] if row.objective == "solved" else 0
    return _Found(row.opener, row.at_most[-1], row.worst, lost, _turns(row))


def _value(strategy: _Found, record: Record) -> Value | None:
    """Return what a strategy comes to in a task; None where that is not known, or it takes too many turns."""
    in_time = strategy.worst <= _turns(record)
    match record.objective:
        case "worst":
            return (strategy.worst, strategy.total) if in_time else None
        case "solved":
            if in_time:
                return 0, strategy.total
            known = strategy.lost and strategy.turns == _turns(record)
            return (strategy.lost, strategy.total) if known else None
    return (strategy.total,) if in_time else None


def _limits(row: Record) -> Iterator[_None]:
    """Yield what a row says that there is not."""
    turns = _turns(row)
    match row.objective, row.at_least:
        case "mean", None:
            yield _None(None, turns)
        case "mean", (total,):
            yield _None(total, turns)
        case "worst", None:
            yield _None(None, turns)
        case "worst", (most, total):
            yield _None(None, most - 1)
            yield _None(total, most)
        case "solved", (lost, _) if lost:
            yield _None(None, turns)


def _least(limits: list[_None], record: Record) -> Value | None:
    """Return a value that no strategy for a task goes below, None where none finds all answers in time."""
    turns, own = _turns(record), record.at_least
    too_few = max((limit.turns for limit in limits if limit.total is None), default=0)
    if record.objective == "solved":
        # Who loses an answer may take fewer guesses than who loses none: one for each is all that is sure.
        return max(own or (0, 0), (1, record.scale) if too_few >= turns else (0, 0))
    if too_few >= turns:
        return None

    def total(turns: int) -> int:
        return max(
            (one.total for one in limits if one.total is not None and one.turns >= turns),
            default=record.scale,
        )

    if record.objective == "worst":
        return max(own or (0, 0), (too_few + 1, total(too_few + 1)))
    return max(own or (0,), (total(turns),))


def _turns(row: Record) -> int:
    """Return within how many turns answers are to be found: rows of the same game say it."""
    return row.game.max_turns or 0

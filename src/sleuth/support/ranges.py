"""Which numbers a parameter may be, with one wording of what is wrong with others."""

from math import inf, isnan

from sleuth.support.errors import SleuthError

MOST_MEMORY = 2**24
"""The most MiB that a table may be asked to take: 16 TiB."""
MOST_SECONDS = 10**6
"""The longest that a timer is set for: eleven days."""
MOST_TURNS = 10**6
"""The most turns of a game."""


def check_seconds(seconds: float | None) -> None:
    """Raise SleuthError for a time that is none; None is no limit."""
    if seconds is not None:
        check_number("seconds", seconds, least=0)


def check_range(
    parameters: object,
    *names: str,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    below: float | None = None,
    error: type[SleuthError] = SleuthError,
) -> None:
    """Raise the error for the first of the attributes that is out of range, as NaN always is.

    least, most: what they may be at the ends; above, below: what they may not; below = inf: finite.
    """
    for name in names:
        value = getattr(parameters, name)
        check_number(name, value, least=least, above=above, most=most, below=below, error=error)


def check_number(
    name: str,
    value: float,
    *,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    below: float | None = None,
    error: type[SleuthError] = SleuthError,
) -> None:
    """Raise the error for a number of this name that is out of range (see check_range)."""
    inside = (
        (least is None or value >= least)
        and (above is None or value > above)
        and (most is None or value <= most)
        and (below is None or value < below)
    )
    if not inside or isnan(value):
        raise error(f"{name} must be {_wording(least, above, most, below)}, not {value}")


def _wording(least: float | None, above: float | None, most: float | None, below: float | None) -> str:
    if least is not None and most is not None:
        return f"from {least} to {most}"
    ends = ((least, f"{least} or more"), (above, f"more than {above}"), (most, f"{most} or less"))
    upward = (below, "finite" if below == inf else f"less than {below}")
    return " and ".join(words for end, words in (*ends, upward) if end is not None)

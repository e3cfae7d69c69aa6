"""Which numbers a parameter may be, with one wording of what is wrong with others."""

from math import inf
from numbers import Integral, Real
from typing import Any

from sleuth.support.errors import SleuthError

MOST_MEMORY = 2**24
"""The most MiB that a table may be asked to take: 16 TiB."""
MOST_SECONDS = 10**6
"""The longest that a timer is set for: eleven days."""
MOST_TURNS = 10**6
"""The most turns of a game."""


def is_weight(value: object) -> bool:
    """Say whether something is a number that things may be weighed by: finite, and not below zero."""
    return isinstance(value, Real) and 0 <= float(value) < inf


def check_seconds(seconds: float | None) -> None:
    """Raise SleuthError for a time that is none; None is no limit."""
    if seconds is not None:
        check_number("seconds", seconds, least=0)


def check_limits(what: str, count: int | None, seconds: float | None, least: int = 1) -> None:
    """Raise SleuthError for limits of a search that are none, or where there is neither.

    what: what is counted, in the plural, such as "simulations"; count: how many at most, None for no limit.
    """
    check_seconds(seconds)
    if count is not None:
        check_number(what, count, least=least, whole=True)
    elif seconds is None:
        raise SleuthError(f"a search needs a limit of {what} or of seconds")


def limits_of(count: int | None, usual: int, seconds: float | None) -> tuple[int | None, float | None]:
    """Return the limits of a decision: the count that is given, the seconds, or else the usual count."""
    return usual if count is None and seconds is None else count, seconds


def check_seed(seed: int, error: type[SleuthError] = SleuthError) -> None:
    """Raise the error for a seed that is none: seeds are whole numbers from 0."""
    check_number("seed", seed, least=0, whole=True, error=error)


def check_range(
    parameters: object,
    *names: str,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    below: float | None = None,
    whole: bool = False,
    error: type[SleuthError] = SleuthError,
) -> None:
    """Raise the error for the first of the attributes that is no number or out of range, as NaN always is.

    least, most: what they may be at the ends; above, below: what they may not; below = inf: finite. whole:
    whether only whole numbers will do.
    """
    for name in names:
        value = getattr(parameters, name)
        check_number(name, value, least=least, above=above, most=most, below=below, whole=whole, error=error)


def check_number(
    name: str,
    value: Any,
    *,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    below: float | None = None,
    whole: bool = False,
    error: type[SleuthError] = SleuthError,
) -> None:
    """Raise the error for what is no number, or one of this name that is out of range (see check_range)."""
    wording = _wording(least, above, most, below)
    if isinstance(value, bool) or not isinstance(value, Integral if whole else Real):
        from sleuth.support.indices import shown  # it takes NumPy

        kind = "a whole number" if whole else "a number"
        joined = f"{kind}{', ' if wording and not wording.startswith('from ') else ' '}{wording}".strip()
        raise error(f"{name} must be {joined}, not {shown(value)}")
    number: Any = value
    inside = (
        (least is None or number >= least)
        and (above is None or number > above)
        and (most is None or number <= most)
        and (below is None or number < below)
    )
    if not inside or number != number:  # NaN alone is not itself
        raise error(f"{name} must be {wording or 'a number'}, not {_said(number)}")
    if not whole:
        try:
            float(number)
        except OverflowError:
            raise error(f"{name} is too large: {_said(number)}") from None


def _said(number: Any) -> str:
    try:
        return str(number)[:60]
    except ValueError:  # Python writes 4300 digits at most
        return "a number of too many digits"


def _wording(least: float | None, above: float | None, most: float | None, below: float | None) -> str:
    if least is not None and most is not None:
        return f"from {least} to {most}"
    ends = ((least, f"{least} or more"), (above, f"more than {above}"), (most, f"{most} or less"))
    upward = (below, "finite" if below == inf else f"less than {below}")
    return " and ".join(words for end, words in (*ends, upward) if end is not None)

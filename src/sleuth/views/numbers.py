"""Numbers and bars as people read them."""

from math import isfinite

from sleuth.support.estimate import Estimate


def percent(chance: float) -> str:
    """Return a chance in percent, with two digits that count.

    >>> percent(0.25), percent(0.0012), percent(0.0)
    ('25.0%', '0.12%', '0%')
    """
    return "0%" if chance == 0 else f"{chance:.{1 if chance >= 0.01 else 2 if chance >= 0.001 else 4}%}"


def bar_of(share: float, width: int) -> str:
    """Return a bar of blocks, to an eighth of a column; never empty for a positive share."""
    eighths = round(share * width * 8)
    if share > 0:
        eighths = max(eighths, 1)
    full, rest = divmod(eighths, 8)
    return "█" * full + ("" if rest == 0 else "▏▎▍▌▋▊▉"[rest - 1])


def interval(estimate: Estimate, sign: str = "", digits: int = 4) -> str:
    """Return a mean, and how far its 95 % interval reaches, where that is known.

    sign: "+" shows the sign of the mean.
    """
    within = f" ± {estimate.within:.{digits}f}" if isfinite(estimate.within) else ""
    return f"{estimate.value:{sign}.{digits}f}{within}"


def counted(number: int, noun: str) -> str:
    """Return a number of things, as in "1 state" and "2 states"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"

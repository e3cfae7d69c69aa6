"""What is said of values that are refused."""

from collections.abc import Callable
from typing import Any

from sleuth.support.errors import SleuthError


def refusal(use: Callable[..., Any], *values: Any, **named: Any) -> str | None:
    """Return what is said where values are refused; None where they are taken."""
    try:
        use(*values, **named)
    except SleuthError as error:
        return str(error)
    return None

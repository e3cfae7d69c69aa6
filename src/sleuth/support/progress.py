"""How far long work is, told to whoever watches."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far a piece of work is. Work that has more to tell tells a subclass.

    Attributes:
        done, total: how much is done, and of how much; total is 0 where that is not known.
        remark: what else there is to say, in words.

    """

    done: int
    total: int = 0
    remark: str = ""


Watch = Callable[[Progress], None]
"""What long work tells its progress to, now and then, on the thread that it was called on."""

"""What can go wrong with what a person gives: one class a kind, all of them SleuthError.

The message says what was wrong and what is allowed, in one line, so that a face can show it as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class SleuthError(ValueError):
    """Input that Sleuth cannot work with.

    Attributes:
        row: the number of the row that the message is about, from 1; None where it is about no row.
        remedy: how the message ends where that helps only who runs Sleuth, such as what to install.

    """

    row: int | None = None

    def __init__(self, message: str = "", remedy: str = "") -> None:
        super().__init__(message + remedy)
        self.remedy = remedy

    @property
    def for_visitors(self) -> str:
        """The message without its remedy."""
        return str(self).removesuffix(self.remedy)


def installed_by(extra: str) -> str:
    """Return how one of Sleuth's extras is installed."""
    return f"pip install -c constraints.txt '.[{extra}]', in the clone"


@contextmanager
def about_row(row: int) -> Iterator[None]:
    """Note the row in every SleuthError raised within, unless it knows its row already."""
    try:
        yield
    except SleuthError as error:
        if error.row is None:
            error.row = row
        raise


class UnknownNameError(SleuthError):
    """A game, strategy, word list or option that does not exist; the message suggests near ones."""


class WordListError(SleuthError):
    """A word list or file of weights that cannot be used."""


class UnknownGuessError(SleuthError):
    """A guess that the game does not allow."""


class FeedbackError(SleuthError):
    """Feedback that cannot be read or that no answer could give."""


class ContradictionError(FeedbackError):
    """Rows of feedback that no answer explains together; the message names the row."""


class GameTooLargeError(SleuthError):
    """A game whose feedback matrix would not fit the memory allowed."""


class StrategyError(SleuthError):
    """A strategy that cannot play this game or position."""


class UnfinishedError(SleuthError):
    """A search that did not come to an end: in the time that it was given, or as deep as it can go."""


class TreeError(SleuthError):
    """A tree file that cannot be read, or a tree that breaks the rules of its game."""


class StoreError(SleuthError):
    """A store of a long run that cannot be used: of another run, broken, or on a full disk."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or a signal that is treated alike, while work was under way that knows something already.

    Attributes:
        known: what is known: the type that the call would have returned, unless its docstring says another.

    """

    def __init__(self, known: Any) -> None:
        super().__init__("interrupted; `known` holds what is known")
        self.known = known

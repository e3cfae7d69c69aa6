"""Puzzles by number: everyone who asks for the same number of a list gets the same answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from sleuth.support.errors import SleuthError, UnknownGuessError
from sleuth.support.registry import unknown_name

if TYPE_CHECKING:
    from sleuth.coaching.playing.hosts import Host
    from sleuth.games.game import Game

FIRST_DAY = date(2025, 1, 1)
"""The day of puzzle 0: a date of our own, so that no day has the number that a newspaper gives it."""
MOST_BOARDS = 32
VARIANTS: dict[str, str] = {
    "standard": "the answer is fixed and the feedback true",
    "absurdle": "no answer is fixed: every reply keeps as many candidates as it can",
    "fibble": "the answer is fixed, and one mark of every row is a lie",
}
# Absurdle itself sets no limit and Fibble nine guesses.
EXTRA_TURNS = {"standard": 0, "absurdle": 6, "fibble": 3}


def number_of(day: date) -> int:
    """Return the number of a day's puzzle. Raises SleuthError for days before puzzle 0.

    >>> number_of(date(2025, 1, 2))
    1
    """
    if day < FIRST_DAY:
        raise SleuthError(f"there is no puzzle of {day}; the first is of {FIRST_DAY}")
    return (day - FIRST_DAY).days


def today() -> int:
    """Return the number of today's puzzle, by the local date."""
    return number_of(date.today())


def answers_of(answers: tuple[str, ...], number: int, boards: int = 1) -> tuple[str, ...]:
    """Return the answers of a puzzle, one a board, different ones while the list has enough.

    The list is shuffled and dealt out from the front; once it is used up it is shuffled anew. The shuffle is
    the order of the words' SHA-256, so that it depends on no library. Raises SleuthError.

    >>> answers_of(("crane", "slate", "trace"), 0, 2) == answers_of(("trace", "crane", "slate"), 0, 2)
    True
    """
    if number < 0:
        raise SleuthError(f"puzzles are numbered from 0, not {number}")
    if not 1 <= boards <= MOST_BOARDS:
        raise SleuthError(f"a puzzle has 1 to {MOST_BOARDS} boards, not {boards}")
    shuffle, deal = divmod(number, max(1, len(answers) // boards))
    order = _shuffled(answers, shuffle)
    return tuple(order[(deal * boards + board) % len(order)] for board in range(boards))


@lru_cache(maxsize=16)
def _shuffled(answers: tuple[str, ...], shuffle: int) -> tuple[str, ...]:
    return tuple(sorted(answers, key=lambda word: sha256(f"sleuth {shuffle} {word}".encode()).digest()))


@dataclass(frozen=True, eq=False)
class Puzzle:
    """What is played.

    Attributes:
        game: the game; in easy mode where there are several boards or the host lies.
        number: the puzzle's number, or None where the answers are given or nothing is drawn by number.
        boards: how many boards; every guess goes to all that are not solved yet.
        variant: one of VARIANTS.
        given: the answers, one a board, where they are not those of the number; answers or guesses.
        hosts: who replies, one a board.

    Raises SleuthError for what cannot be played.

    """

    game: Game
    number: int | None = None
    boards: int = 1
    variant: str = "standard"
    given: tuple[str, ...] = ()
    hosts: tuple[Host, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise unknown_name("variant", self.variant, VARIANTS)
        if not 1 <= self.boards <= MOST_BOARDS:
            raise SleuthError(f"a puzzle has 1 to {MOST_BOARDS} boards, not {self.boards}")
        if self.number is not None and self.number < 0:
            raise SleuthError(f"puzzles are numbered from 0, not {self.number}")
        if self.variant == "absurdle" and self.boards > 1:
            raise SleuthError("Absurdle is played on one board: on others its replies would be the same")
        if self.variant == "absurdle" and self.given:
            raise SleuthError("Absurdle's host chooses no answer, so none can be given")
        if self.variant != "absurdle" and self.number is None and not self.given:
            raise SleuthError("a puzzle needs a number, or its answers")
        if self.given and len(self.given) != self.boards:
            raise SleuthError(f"every board takes one answer: {len(self.given)} for {self.boards} were given")
        if self.game.mode != "easy" and self.boards > 1:
            raise SleuthError(
                f"several boards are played in easy mode, not {self.game.mode}:"
                " what would be legal on one board could break the rule of another"
            )
        known = self.game.guess_index
        for word in self.given:
            if word not in known and word not in self.game.answers:
                raise UnknownGuessError(
                    f"{word} is not in the word list ({self.game.listed}), so it cannot be the answer"
                )

        object.__setattr__(self, "hosts", self._hosts())

    @property
    def max_turns(self) -> int:
        """Guesses after which the puzzle is lost: one more for every further board."""
        return self.game.max_turns + self.boards - 1 + EXTRA_TURNS[self.variant]

    def _hosts(self) -> tuple[Host, ...]:
        """Return who replies on each board. Raises SleuthError for a game that the variant does not fit."""
        from sleuth.coaching.playing.hosts import AbsurdleHost, FixedHost, fibble_hosts

        if self.variant == "absurdle":
            return (AbsurdleHost(self.game),)
        number = 0 if self.number is None else self.number
        words = self.given or answers_of(self.game.answers, number, self.boards)
        if self.variant == "fibble":
            return fibble_hosts(self.game, words, number)
        return tuple(FixedHost(self.game, word) for word in words)

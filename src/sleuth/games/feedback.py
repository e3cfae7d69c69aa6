"""One feedback value: how it is computed, read from what a person types, and shown.

Feedback is a small unsigned code. What a code means is the business of its notation: Wordle's is a number
in base three (0 absent, 1 present, 2 correct, the first letter the most significant digit), Mastermind's
and Bulls and Cows' is black * (pegs + 1) + white, or black where white is not told.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

from sleuth.support.errors import FeedbackError

Style = Literal["letters", "digits", "emoji"]

_MARKS = {
    **dict.fromkeys("b0.-x_", 0),
    **dict.fromkeys("⬛⬜▪▫◼◻🔲🔳", 0),
    **dict.fromkeys("y1🟨🟦", 1),
    **dict.fromkeys("g2🟩🟧", 2),
}
_SHOWN: Mapping[Style, str] = {"letters": "BYG", "digits": "012", "emoji": "⬛🟨🟩"}


def wordle_marks(guess: str, answer: str) -> tuple[int, ...]:
    """Return Wordle's marks for a guess: 0 absent, 1 present elsewhere, 2 correct.

    Correct letters are marked first; what the answer has left is then handed to the other letters of
    the guess from left to right (Short 2022, section 1).

    >>> wordle_marks("trawl", "weary")
    (0, 1, 2, 1, 0)
    """
    marks = [2 if g == a else 0 for g, a in zip(guess, answer, strict=True)]
    left = [a for a, mark in zip(answer, marks, strict=True) if mark == 0]
    for i, letter in enumerate(guess):
        if marks[i] == 0 and letter in left:
            marks[i] = 1
            left.remove(letter)
    return tuple(marks)


def pegs(guess: str, answer: str) -> tuple[int, int]:
    """Return (black, white): symbols in the right place, and right ones in a wrong place.

    >>> pegs("1122", "1213")
    (1, 2)
    """
    black = sum(g == a for g, a in zip(guess, answer, strict=True))
    common = sum(min(guess.count(symbol), answer.count(symbol)) for symbol in set(guess))
    return black, common - black


class Notation(Protocol):
    """How the codes of a game are written."""

    @property
    def example(self) -> str:
        """A feedback as a person might type it, for messages."""

    def parse(self, text: str) -> int:
        """Return the code. Raises FeedbackError, saying what is allowed."""

    def show(self, code: int, style: Style = "letters") -> str:
        """Return the code as text; a notation without styles ignores `style`."""


def typed(notation: Notation, code: int) -> str:
    """Return a code as people type it: marks in lower case, and labels of a function as they are.

    >>> typed(MarkNotation(5), 26), typed(LabelNotation(("Cold", "Hot")), 1)
    ('bbggg', 'Hot')
    """
    shown = notation.show(code)
    return shown if isinstance(notation, LabelNotation) else shown.lower()


@dataclass(frozen=True)
class MarkNotation:
    """A mark a letter: BYGYB, 01210 or coloured squares."""

    length: int

    @property
    def example(self) -> str:
        return ("bygyb" * 3)[: self.length]

    def parse(self, text: str) -> int:
        marks = [c for c in unicodedata.normalize("NFC", text).lower() if not _ignored(c)]
        wrong = [c for c in marks if c not in _MARKS]
        if wrong or len(marks) != self.length:
            problem = f"has {wrong[0]!r}" if wrong else f"has {len(marks)} marks"
            raise FeedbackError(
                f"feedback {text!r} {problem}; it takes {self.length} marks: b, y, g (black, yellow, green)"
                f" or 0, 1, 2 or ⬛🟨🟩, for example {self.example}"
            )
        code = 0
        for mark in marks:
            code = 3 * code + _MARKS[mark]
        return code

    def show(self, code: int, style: Style = "letters") -> str:
        return "".join(_SHOWN[style][mark] for mark in self.marks(code))

    def marks(self, code: int) -> tuple[int, ...]:
        """Return the marks, 0 to 2, first letter first."""
        return tuple(code // 3**i % 3 for i in reversed(range(self.length)))


def _ignored(character: str) -> bool:
    return character.isspace() or character in "\ufe0e\ufe0f\u200d"


@dataclass(frozen=True)
class PegNotation:
    """Two numbers, right place and wrong place: 2,1 or 2-1 or 2A1B or 2B1W."""

    pegs: int
    kinds: ClassVar[tuple[str, ...]] = ("in the right place", "in a wrong place")
    """What is counted, in the order in which it is written."""

    @property
    def example(self) -> str:
        return "1,2" if self.pegs > 2 else "0,1"  # which two pegs can get

    def parse(self, text: str) -> int:
        match = re.fullmatch(r"\s*(\d+)\s*[,\-ab ]?\s*(\d+)\s*[bw]?\s*", text.lower())
        if match:
            black, white = int(match[1]), int(match[2])
            if black + white <= self.pegs and (black, white) != (self.pegs - 1, 1):
                return black * (self.pegs + 1) + white
        raise FeedbackError(
            f"feedback {text!r} cannot be; it takes two numbers, in the right place and in a wrong place,"
            f" together at most {self.pegs}, for example {self.example}"
        )

    def counts(self, code: int) -> tuple[int, ...]:
        """Return how many pegs there are of each kind."""
        return divmod(code, self.pegs + 1)

    def told(self, code: int) -> str:
        """Return the code in words: "1 in the right place, 2 in a wrong place"."""
        return ", ".join(f"{n} {kind}" for n, kind in zip(self.counts(code), self.kinds, strict=True))

    def show(self, code: int, style: Style = "letters") -> str:
        return ",".join(map(str, self.counts(code)))


@dataclass(frozen=True)
class BlackPegNotation(PegNotation):
    """One number, right place: 2 or 2A or 2B."""

    kinds = PegNotation.kinds[:1]

    @property
    def example(self) -> str:
        return "1"

    def parse(self, text: str) -> int:
        match = re.fullmatch(r"\s*(\d+)\s*[ab]?\s*", text.lower())
        if match and int(match[1]) <= self.pegs:
            return int(match[1])
        raise FeedbackError(
            f"feedback {text!r} cannot be; it takes one number, of those in the right place, at most"
            f" {self.pegs}, for example {self.example}"
        )

    def counts(self, code: int) -> tuple[int, ...]:
        return (code,)


@dataclass(frozen=True)
class LabelNotation:
    """Whatever a feedback function returned, written as str() writes it."""

    labels: tuple[str, ...]
    _codes: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_codes", {label.strip(): code for code, label in enumerate(self.labels)})

    @property
    def example(self) -> str:
        return self.labels[0]

    def parse(self, text: str) -> int:
        if text.strip() not in self._codes:
            shown = ", ".join(self.labels[:8]) + (", …" if len(self.labels) > 8 else "")
            raise FeedbackError(f"feedback {text!r} is none of this game's: {shown}")
        return self._codes[text.strip()]

    def show(self, code: int, style: Style = "letters") -> str:
        return self.labels[code]

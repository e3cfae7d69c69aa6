"""How feedback arises: the rules of a game, apart from what is guessed in it."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sleuth.games import codes as plain
from sleuth.games.codes import Codes, Letters
from sleuth.games.feedback import (
    BlackPegNotation,
    LabelNotation,
    MarkNotation,
    Notation,
    PegNotation,
    pegs,
    wordle_marks,
)
from sleuth.games.labels import MOST_LABELS
from sleuth.support.by_value import ByValue
from sleuth.support.errors import SleuthError
from sleuth.support.parallel import even_slices, map_threads, thread_count

Fill = Callable[[Letters, Letters, int, Codes], None]
"""Fills codes, [guesses, answers], by the letters of guesses and answers, and how many letters there are."""
FEW_LETTERS = 10
"""Letters of the longest words whose kinds of feedback need no labels."""
FEW_PAIRS = 2**20
"""Pairs of guess and answer up to which feedback takes NumPy a few hundredths of a second, and no kernel."""


def code_type(n_codes: int) -> type[np.unsignedinteger[Any]]:
    """Return the smallest dtype that holds the codes 0 to n_codes - 1."""
    return np.uint8 if n_codes <= 2**8 else np.uint16 if n_codes <= 2**16 else np.uint32


class Rules(Protocol):
    """What feedback a guess gets."""

    @property
    def n_codes(self) -> int:
        """How many codes there are: they run from 0 to n_codes - 1."""

    @property
    def solved(self) -> int:
        """The code of a right guess, or n_codes when guesses are no answers."""

    @property
    def notation(self) -> Notation:
        """How codes are written."""

    @property
    def hints(self) -> NDArray[np.int64]:
        """int64 [2, n_codes]: right symbols (in place or not) and symbols in place, or [0, n_codes]."""

    @property
    def has_hard_mode(self) -> bool:
        """Whether the New York Times hard rule makes sense: a mark for each letter."""

    def codes(self, guesses: Sequence[str], answers: Sequence[str]) -> Codes:
        """Return the feedback codes, [guesses, answers]."""

    def code(self, guess: str, answer: str) -> int:
        """Return one feedback code, computed plainly: what trees and kernels are checked against."""


@dataclass(frozen=True)
class WordleRules:
    """Correct, present and absent letters; words of one length."""

    length: int

    @property
    def n_codes(self) -> int:
        return int(3**self.length)

    @property
    def solved(self) -> int:
        return self.n_codes - 1

    @property
    def notation(self) -> MarkNotation:
        return MarkNotation(self.length)

    @cached_property
    def digits(self) -> NDArray[np.uint8]:
        """uint8 [n_codes, length]: the marks of each code."""
        return self.marks(np.arange(self.n_codes))

    def marks(self, codes: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
        """Return the marks of some codes, [...], uint8 [..., length]: 0 absent, 1 present, 2 correct."""
        out = np.empty((*codes.shape, self.length), np.uint8)
        for place in range(self.length):
            out[..., place] = codes // 3 ** (self.length - 1 - place) % 3
        return out

    @property
    def hints(self) -> NDArray[np.int64]:
        if self.n_codes > MOST_LABELS:  # kernels do not know codes of so many kinds
            return np.zeros((0, self.n_codes), np.int64)
        return np.stack([(self.digits > 0).sum(1), (self.digits == 2).sum(1)]).astype(np.int64)

    @property
    def has_hard_mode(self) -> bool:
        return True

    def uses(self, guess: str, code: int, would: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which words use what a guess showed by `code`, bool [words]. would: what it gets for each.

        Greens stay where they are, and a letter comes as often as it was hinted at: hard mode asks for it.
        """
        if self.n_codes > MOST_LABELS:
            kinds, at = np.unique(np.append(would, code), return_inverse=True)
            digits, would, code = self.marks(kinds), at[:-1], at[-1]
        else:
            digits = self.digits
        uses = (digits[:, digits[code] == 2] == 2).all(axis=1)
        for letter in set(guess):
            hinted = (digits[:, [other == letter for other in guess]] > 0).sum(axis=1)
            uses &= hinted >= hinted[code]
        found: NDArray[np.bool_] = uses[would]
        return found

    def code(self, guess: str, answer: str) -> int:
        return int("".join(map(str, wordle_marks(guess, answer))), 3)

    def codes(self, guesses: Sequence[str], answers: Sequence[str]) -> Codes:
        if len(guesses) * len(answers) <= FEW_PAIRS:
            return _filled(plain.wordle_codes, guesses, answers, self.n_codes)
        from sleuth.kernels.feedback import wordle_codes

        return _filled(_by_bytes(wordle_codes), guesses, answers, self.n_codes)


def _by_bytes(kernel: Fill) -> Fill:
    """Return what fills an array of codes by a kernel, which takes it as bytes."""
    from sleuth.kernels.codes import as_bytes

    return lambda guesses, answers, alphabet, out: kernel(guesses, answers, alphabet, as_bytes(out))


def _filled(
    fill: Fill,
    guesses: Sequence[str],
    answers: Sequence[str],
    n_codes: int,
) -> Codes:
    """Return the codes [guesses, answers] that several threads fill in."""
    alphabet, (guess_letters, answer_letters) = letters_of(guesses, answers)
    out = np.empty((len(guesses), len(answers)), code_type(n_codes))

    def some(rows: slice) -> None:
        fill(guess_letters[rows], answer_letters, alphabet, out[rows])

    map_threads(some, even_slices(np.ones(len(guesses), np.int64), 4 * thread_count()))
    return out


def letters_of(*lists: Sequence[str]) -> tuple[int, list[NDArray[np.int32]]]:
    """Return the size of the common alphabet, and each list as int32 [words, length] of its letters."""
    points = [
        np.array(words, dtype=f"U{len(words[0])}").view(np.uint32).reshape(len(words), -1) for words in lists
    ]
    alphabet = np.unique(np.concatenate([p.ravel() for p in points]))
    return len(alphabet), [np.searchsorted(alphabet, p).astype(np.int32) for p in points]


@dataclass(frozen=True)
class PegRules:
    """Symbols in the right place, and right symbols in a wrong place (Mastermind, Bulls and Cows).

    Attributes:
        pegs: how many symbols a code has.
        black: whether feedback tells of those in the right place only.

    """

    pegs: int
    black: bool = False

    @property
    def n_codes(self) -> int:
        return self.pegs + 1 if self.black else (self.pegs + 1) ** 2

    @property
    def solved(self) -> int:
        return self.pegs if self.black else self.pegs * (self.pegs + 1)

    @property
    def notation(self) -> PegNotation:
        return BlackPegNotation(self.pegs) if self.black else PegNotation(self.pegs)

    @property
    def hints(self) -> NDArray[np.int64]:
        counts = np.array([self.notation.counts(code) for code in range(self.n_codes)], np.int64)
        return np.stack([counts.sum(axis=1), counts[:, 0]])

    @property
    def has_hard_mode(self) -> bool:
        return False

    def code(self, guess: str, answer: str) -> int:
        black, white = pegs(guess, answer)
        return black if self.black else black * (self.pegs + 1) + white

    def codes(self, guesses: Sequence[str], answers: Sequence[str]) -> Codes:
        if self.black:  # little to compute: NumPy does for large matrices too
            return _filled(plain.black_codes, guesses, answers, self.n_codes)
        if len(guesses) * len(answers) <= FEW_PAIRS:
            return _filled(plain.peg_codes, guesses, answers, self.n_codes)
        from sleuth.kernels.feedback import peg_codes

        return _filled(_by_bytes(peg_codes), guesses, answers, self.n_codes)


@dataclass(frozen=True, eq=False)
class FunctionRules(ByValue):
    """Feedback by any function of (guess, answer) that returns something hashable."""

    function: Callable[[Any, Any], Hashable]
    items: dict[str, Any]
    results: tuple[Hashable, ...]
    solved: int

    @property
    def n_codes(self) -> int:
        return len(self.results)

    @cached_property
    def notation(self) -> LabelNotation:
        return LabelNotation(tuple(str(result) for result in self.results))

    @property
    def hints(self) -> NDArray[np.int64]:
        return np.zeros((0, self.n_codes), np.int64)

    @property
    def has_hard_mode(self) -> bool:
        return False

    @cached_property
    def _codes(self) -> dict[Hashable, int]:
        return {result: code for code, result in enumerate(self.results)}

    def code(self, guess: str, answer: str) -> int:
        try:
            result = self.function(self.items[guess], self.items[answer])
        except Exception as error:
            raise SleuthError(
                f"the feedback function fails for guess {guess!r} and answer {answer!r}: {error}"
            ) from error
        if result not in self._codes:
            raise SleuthError(
                f"the feedback function returned {result!r} for guess {guess!r} and answer {answer!r},"
                " which it returns for no answer of the game"
            )
        return self._codes[result]

    def codes(self, guesses: Sequence[str], answers: Sequence[str]) -> Codes:
        table = [[self.code(guess, answer) for answer in answers] for guess in guesses]
        return np.array(table, code_type(self.n_codes)).reshape(len(guesses), len(answers))

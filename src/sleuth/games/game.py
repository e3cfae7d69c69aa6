"""A guessing game: what may be guessed, what it may be, what feedback a guess gets."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from sleuth.games.codes import Codes
from sleuth.games.labels import MOST_LABELS, Labels
from sleuth.games.priors import normalise, uniform
from sleuth.games.rules import FunctionRules, PegRules, Rules, WordleRules, code_type, letters_of
from sleuth.games.wordlists import called, quoted
from sleuth.support.by_value import ByValue
from sleuth.support.errors import GameTooLargeError, SleuthError, UnknownGuessError
from sleuth.support.ranges import MOST_MEMORY, MOST_TURNS, check_range
from sleuth.support.registry import unknown_name

if TYPE_CHECKING:
    from sleuth.kernels.types import Legality, Tables

Mode = Literal["easy", "hard", "strict"]
MODES: dict[Mode, str] = {
    "easy": "any allowed word may be guessed",
    "hard": "the New York Times rule: revealed greens stay, revealed yellows are used again",
    "strict": "every guess is consistent with all the feedback so far",
}
DEFAULT_MEMORY = 2 * 2**30
_SHOWN = 40


@dataclass(frozen=True, eq=False, repr=False)
class Game(ByValue):
    """A guessing game. Build one with wordle, mastermind, bulls_and_cows or Game.from_function.

    Games are equal where all attributes are; those of functions need the same function.

    Attributes:
        name: what it is called.
        rules: how feedback arises.
        guesses: what may be guessed.
        answers: what the answer may be; an answer need not be among the guesses, and then it counts as
            found once it is the only one left.
        prior: float64 [answers], in their order, sum 1: how likely each answer is. Any nonnegative weights
            may be given.
        max_turns: guesses after which a game is lost. Strategies play on, and count the failures.
        mode: which guesses are legal, see MODES.
        notes: remarks on how the game came about that a person should see.

    """

    name: str
    rules: Rules
    guesses: tuple[str, ...]
    answers: tuple[str, ...]
    prior: NDArray[np.float64]
    max_turns: int = 6
    mode: Mode = "easy"
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise unknown_name("mode", self.mode, MODES)
        if self.mode == "hard" and not self.rules.has_hard_mode:
            raise SleuthError(f"{self.name} has no hard mode; it can be played easy or strict")
        if not self.answers or not self.guesses:
            raise SleuthError(f"{self.name} needs at least one guess and one answer")
        check_range(self, "max_turns", least=1)
        check_range(self, "max_turns", most=MOST_TURNS)
        for kind, words in (("guess", self.guesses), ("answer", self.answers)):
            if len(set(words)) != len(words):
                twice = next(word for i, word in enumerate(words) if word in words[:i])
                raise SleuthError(f"{self.name} has the {kind} {twice!r} twice")
        if isinstance(self.rules, WordleRules):
            length = self.rules.length
            odd = next((word for word in self.guesses + self.answers if len(word) != length), None)
            if odd is not None:
                raise SleuthError(f"{self.name} takes words of {length} letters, not {odd!r}")
        object.__setattr__(self, "prior", normalise(self.prior, len(self.answers)))

    def __repr__(self) -> str:
        return f"<Game {self.name}: {len(self.answers)} answers, {len(self.guesses)} guesses, {self.mode}>"

    def __hash__(self) -> int:
        return self._hash

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Return the game itself: nothing in it changes, and its matrix may take a gigabyte."""
        return self

    @classmethod
    def from_function(
        cls,
        function: Callable[[Any, Any], Hashable],
        answers: Sequence[Any],
        guesses: Sequence[Any] | None = None,
        *,
        name: str = "custom",
        prior: NDArray[np.float64] | None = None,
        max_turns: int = 6,
        mode: Mode = "easy",
    ) -> Game:
        """Build a game from any feedback function.

        function(guess, answer) returns anything hashable. Guesses and answers may be any objects whose
        str() tells them apart; the guesses are the answers where none are given. Both keep their order, and
        prior, nonnegative weights [answers], is in that of the answers. A right guess must get one feedback
        that no wrong guess gets. Raises SleuthError.

        >>> halves = Game.from_function(lambda g, a: (g > a) - (g < a), range(1, 8), name="higher-lower")
        >>> halves.rules.n_codes
        3
        """
        check_ordered(name, answers, guesses)
        asked = list(answers if guesses is None else guesses)
        if not asked or not len(answers):
            raise SleuthError(f"{name} needs at least one guess and one answer")
        items = {str(item): item for item in [*answers, *asked]}
        labels = [str(item) for item in asked]
        if any(items[str(item)] != item for item in [*answers, *asked]):
            raise SleuthError(f"{name}: guesses and answers must differ in how str() writes them")
        table = {(str(g), str(a)): function(g, a) for g in asked for a in answers}
        for (guess, answer), result in table.items():
            try:
                hash(result)
            except TypeError:
                shown = f"guess {guess} gets {result!r} for answer {answer}"
                said = f"{name}: {shown}, which cannot be hashed; numbers, text and tuples of them can"
                raise SleuthError(said) from None
        results = set(table.values())
        right = {result for (guess, answer), result in table.items() if guess == answer}
        if len(right) > 1:
            shown = ", ".join(sorted(map(str, right))[:3])
            raise SleuthError(f"{name}: a right guess must always get the same feedback, not {shown}")
        for (guess, answer), result in table.items():
            if result in right and guess != answer:
                raise SleuthError(
                    f"{name}: guess {guess} gets {result!r} for answer {answer}, as if it were right"
                )
        written = [str(result).strip() for result in results]
        if len(set(written)) != len(written) or "" in written:
            raise SleuthError(f"{name}: results of the function must differ in how str() writes them")
        ordered = tuple(sorted(results, key=lambda result: (result in right, _order(result))))
        rules = FunctionRules(function, items, ordered, len(ordered) - 1 if right else len(ordered))
        return cls(
            name,
            rules,
            tuple(labels),
            tuple(map(str, answers)),
            uniform(len(answers)) if prior is None else prior,
            max_turns,
            mode,
        )

    def with_mode(self, mode: Mode) -> Game:
        """Return the same game under another rule on legal guesses. Raises SleuthError."""
        if mode == self.mode:
            return self
        other = replace(self, mode=mode)
        kept = _MODELESS if self._labels_are_modeless else _MODELESS - _LABELLED
        other.__dict__.update({k: v for k, v in self.__dict__.items() if k in kept})
        return other

    def with_prior(self, weights: NDArray[np.float64]) -> Game:
        """Return the same game under another prior. Raises WordListError.

        weights: nonnegative numbers [answers], in the order of game.answers, which is alphabetical in Wordle.
        """
        other = replace(self, prior=weights)
        other.__dict__.update({k: v for k, v in self.__dict__.items() if k in _MODELESS - {"tables"}})
        return other

    def part(
        self,
        answers: NDArray[np.integer[Any]],
        guesses: NDArray[np.integer[Any]] | None = None,
        prior: NDArray[np.float64] | None = None,
    ) -> Game:
        """Return the game with some of its answers and, where given, some of its guesses alone.

        answers, guesses: whole numbers, ascending, where they stand in the lists. prior: float64 [answers],
        else that of the game; answers of no weight at all are alike. It is for passing use: nothing keeps it.
        """
        weights = self.prior[answers] if prior is None else prior
        words = {
            "answers": tuple(self.answers[a] for a in answers.tolist()),
            "guesses": self.guesses if guesses is None else tuple(self.guesses[g] for g in guesses.tolist()),
            "prior": normalise(weights if weights.sum() > 0 else uniform(len(answers)), len(answers)),
        }
        part = object.__new__(Game)  # what it is made of was checked
        vars(part).update({one.name: getattr(self, one.name) for one in fields(self)} | words)
        if guesses is None and "guess_index" in vars(self):
            vars(part)["guess_index"] = self.guess_index
        vars(part)["is_part"] = True
        return part

    @cached_property
    def is_part(self) -> bool:
        """Whether it is a part of another game, for passing use."""
        return False

    @cached_property
    def is_large(self) -> bool:
        """Whether all its feedback together takes more than SLEUTH_MEMORY allows: it is played by parts."""
        need = 2 * _matrix_bytes(len(self.guesses), len(self.answers), self.rules.n_codes)
        return "feedback" not in self.__dict__ and need > memory_limit()

    @cached_property
    def room(self) -> int:
        """Of how many answers at most the feedback to all guesses is computed at once, where it is large.

        It takes a quarter of the memory allowed, for exact play and beam search lay it out again.
        """
        return self.room_for(len(self.guesses))

    def room_for(self, words: int) -> int:
        """Return how many answers, or guesses, go with so many of the others in a quarter of the memory."""
        return memory_limit() // 4 // (2 * _matrix_bytes(words, 1, self.rules.n_codes))

    def bare(self) -> Game:
        """Return the game without what was computed of it, which is large: to be sent elsewhere."""
        bare = object.__new__(Game)
        vars(bare).update({one.name: getattr(self, one.name) for one in fields(self)})
        return bare

    def with_answers(self, answers: Sequence[str], prior: NDArray[np.float64]) -> Game:
        """Return the game with the same guesses and rules and other answers, in the order given.

        prior: nonnegative weights [answers], in that order. Raises SleuthError.
        """
        check_ordered(self.name, answers)
        return replace(self, answers=tuple(answers), prior=prior)

    @property
    def listed(self) -> str:
        """What people call its words, such as "original words", or its codes."""
        if isinstance(self.rules, WordleRules):
            words = re.fullmatch(r"wordle \((.*)\)", self.name)
            return called(words[1] if words else self.name)
        colours = re.fullmatch(r"mastermind (\d+)x(\d+)(, black pegs)?", self.name)
        if colours:
            return f"codes of {colours[1]} pegs in {colours[2]} colours"
        digits = re.fullmatch(r"bulls-and-cows (\d+)", self.name)
        return f"codes of {digits[1]} digits" if digits else f"choices of {self.name}"

    @property
    def solved(self) -> int:
        """The code of a right guess."""
        return self.rules.solved

    @cached_property
    def is_uniform(self) -> bool:
        """Whether every answer is equally likely."""
        return bool(np.all(self.prior == self.prior[0]))

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the rules, guesses and answers: what tells games apart."""
        parts = [repr(self.rules.notation), *self.guesses, "", *self.answers]
        return sha256("\n".join(parts).encode()).hexdigest()

    @cached_property
    def _hash(self) -> int:
        """A hash that tells priors apart too, as games are keys of caches; worked out once, as they are long.

        It is the same in every process, for it is sent to others with the game.
        """
        rest = f"{self.digest} {self.mode} {self.max_turns}".encode()
        weights = (self.prior + 0.0).tobytes()  # -0.0 and 0.0 are equal
        return int.from_bytes(sha256(rest + weights).digest()[:8], "little")

    @cached_property
    def guess_index(self) -> dict[str, int]:
        """Where each guess stands among the guesses."""
        return {guess: i for i, guess in enumerate(self.guesses)}

    @cached_property
    def answer_guess(self) -> NDArray[np.int32]:
        """int32 [answers]: the guess that is this answer, or -1."""
        return np.array([self.guess_index.get(answer, -1) for answer in self.answers], np.int32)

    @cached_property
    def guess_answer(self) -> NDArray[np.int32]:
        """int32 [guesses]: the answer that is this guess, or -1."""
        out = np.full(len(self.guesses), -1, np.int32)
        answers = np.flatnonzero(self.answer_guess >= 0)
        out[self.answer_guess[answers]] = answers
        return out

    def find(self, guess: str) -> int:
        """Return the index of a guess. Raises UnknownGuessError."""
        guess = str(guess)  # the games of functions take anything for words
        plain = unicodedata.normalize("NFC", guess.strip().lower())
        index = self.guess_index.get(guess, self.guess_index.get(plain))
        if index is None:
            shown = plain if plain.isalnum() and len(plain) <= _SHOWN else quoted(guess, _SHOWN)
            words, length = isinstance(self.rules, WordleRules), len(self.guesses[0])
            if words and len(plain) != length:
                count = f"{len(plain)} letter{'' if len(plain) == 1 else 's'}"
                raise UnknownGuessError(f"{shown} has {count}; the words here have {length}")
            near = get_close_matches(plain, self.guesses, n=3, cutoff=0.5)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            if words:
                raise UnknownGuessError(f"{shown} is not in the word list ({self.listed}){hint}")
            raise UnknownGuessError(f"{shown} cannot be guessed{self._why_not(plain, hint)}")
        return index

    def _why_not(self, guess: str, hint: str) -> str:
        """Return why something is no guess of a game of codes; of another game, which one it is.

        hint: what is near it, told unless the reason says enough.
        """
        if not isinstance(self.rules, PegRules):
            return f" in {self.name}{hint}"
        length, symbols = len(self.guesses[0]), sorted(set().union(*self.guesses))
        unit = "digits" if symbols[0] == "0" else "pegs"
        if len(guess) != length:
            return f": a code has {length} {unit}, not {len(guess)}"
        if not set(guess) <= set(symbols):
            return f": codes are made of {symbols[0]} to {symbols[-1]}{hint}"
        return f": the {unit} of a code must all differ"

    @cached_property
    def feedback(self) -> Codes:
        """uint8, uint16 or uint32 [guesses, answers]: every feedback code. Raises GameTooLargeError."""
        # The kernels hold it in both orders. Labels take half of what their codes take.
        check_memory(self.name, len(self.guesses), len(self.answers), self.rules.n_codes, copies=2)
        return self._codes(self.guesses, self.answers)

    def feedback_row(self, guess: int) -> Codes:
        """Return the codes of one guess, [answers], without computing the whole matrix."""
        if "feedback" in self.__dict__:
            row: Codes = self.feedback[guess]
            return row
        return self._codes([self.guesses[guess]], self.answers).ravel()

    def some_feedback(self, guesses: NDArray[np.integer[Any]], answers: NDArray[np.integer[Any]]) -> Codes:
        """Return the codes of some guesses and answers, [guesses, answers], computing no others.

        guesses, answers: whole numbers, where they stand in the lists.
        """
        if "feedback" in self.__dict__:
            codes: Codes = self.feedback[np.ix_(guesses, answers)]
            return codes
        if not len(guesses) or not len(answers):
            return np.zeros((len(guesses), len(answers)), code_type(self.rules.n_codes))
        return self._codes([self.guesses[g] for g in guesses], [self.answers[a] for a in answers])

    def feedback_of(self, guesses: NDArray[np.integer[Any]], answers: NDArray[np.integer[Any]]) -> Codes:
        """Return the codes of pairs of a guess and an answer, [pairs]: whole numbers, where they stand."""
        if not self.is_large:
            found: Codes = self.feedback[guesses, answers]
            return found
        codes = np.empty(len(guesses), code_type(self.rules.n_codes))
        order = np.argsort(guesses, kind="stable")
        for pairs in np.split(order, np.flatnonzero(np.diff(guesses[order])) + 1):
            if len(pairs):
                codes[pairs] = self.some_feedback(guesses[pairs[:1]], answers[pairs])[0]
        return codes

    @cached_property
    def guess_codes(self) -> Codes:
        """[guesses, guesses]: the code of each guess if the other were the answer."""
        if self.guesses == self.answers:
            return self.feedback
        check_memory(self.name, len(self.guesses), len(self.guesses), self.rules.n_codes, copies=1)
        return self._codes(self.guesses, self.guesses)

    def codes_as_answers(self, guess: int) -> Codes:
        """Return the codes that one guess would get if each guess were the answer, [guesses]."""
        if "guess_codes" in self.__dict__:
            row: Codes = self.guess_codes[guess]
            return row
        return self._codes([self.guesses[guess]], self.guesses).ravel()

    def _codes(self, guesses: Sequence[str], answers: Sequence[str]) -> Codes:
        """Return the rules' codes, [guesses, answers], as kernels take them. Raises SleuthError."""
        count, shape = self.rules.n_codes, (len(guesses), len(answers))
        codes = np.ascontiguousarray(self.rules.codes(guesses, answers))
        if codes.dtype != code_type(count) or codes.shape != shape:
            raise SleuthError(
                f"{self.name}: rules.codes returns {codes.dtype} {list(codes.shape)}, not"
                f" {code_type(count).__name__} {list(shape)}"
            )
        if codes.max() >= count:
            raise SleuthError(f"{self.name}: rules.codes has feedback {codes.max()}, and n_codes is {count}")
        return codes

    @cached_property
    def _labels(self) -> Labels | None:
        """The labels of [guesses, answers], and then of [guesses, guesses] where kernels need them."""
        if self.rules.n_codes <= MOST_LABELS:
            return None
        alone = self.mode == "easy" or self.guesses == self.answers
        codes = self.feedback if alone else np.hstack([self.feedback, self.guess_codes])
        return Labels.of(codes, self.solved)

    @property
    def _labels_are_modeless(self) -> bool:
        return self.rules.n_codes <= MOST_LABELS or self.guesses == self.answers

    @property
    def labels(self) -> Codes:
        """uint8 or uint16 [guesses, answers]: the feedback as kernels take it, codes or what stands for them.

        Raises SleuthError (see Labels.of).
        """
        return self.feedback if self._labels is None else self._labels.labels[:, : len(self.answers)]

    @property
    def guess_labels(self) -> Codes:
        """[guesses, guesses]: guess_codes as kernels take them, in modes where they need them."""
        return self.guess_codes if self._labels is None else self._labels.labels[:, -len(self.guesses) :]

    @property
    def n_labels(self) -> int:
        """How many labels there are: they run from 0 to n_labels - 1."""
        return self.rules.n_codes if self._labels is None else self._labels.codes.shape[1]

    @property
    def solved_label(self) -> int:
        """The label of a right guess, which no other guess has."""
        return self.solved if self._labels is None else self.n_labels - 1

    def codes_of(self, guesses: NDArray[np.integer[Any]], labels: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the codes that labels of guesses stand for, int32 [pairs]."""
        return labels if self._labels is None else self._labels.codes[guesses, labels].astype(np.int32)

    @cached_property
    def tables(self) -> Tables:
        """The game as the kernels take it. Raises SleuthError for hints that do not fit the codes."""
        from sleuth.kernels.codes import as_bytes

        tables = self.tables_by_guess
        # Pegs tell the same whichever of two codes is the guess, and to turn a large matrix takes seconds.
        alike = isinstance(self.rules, PegRules) and self.guesses == self.answers
        return tables._replace(by_answer=tables.by_guess if alike else as_bytes(self.labels.T))

    @property
    def tables_by_guess(self) -> Tables:
        """The same without the codes by answer, which choosing for sets of many answers does not look at."""
        from sleuth.kernels.codes import as_bytes
        from sleuth.kernels.types import Tables

        labels, hints = self.labels, np.ascontiguousarray(self.rules.hints, np.int64)
        if hints.shape not in ((0, self.rules.n_codes), (2, self.rules.n_codes)):
            raise SleuthError(f"{self.name}: rules.hints must be [2, codes] or [0, codes] in shape")
        if len(hints):
            hints = np.vstack([hints, hints[0] - hints[1]])
        return Tables(
            as_bytes(labels),
            np.zeros((0, 0), np.uint8),
            self.answer_guess,
            self.guess_answer,
            np.empty(0) if self.is_uniform else self.prior,
            hints,
            self.n_labels,
            labels.dtype != np.uint8,
        )

    @cached_property
    def legality(self) -> Legality:
        """The rule on legal guesses as the kernels take it (for the modes hard and strict)."""
        from sleuth.kernels.types import Legality

        letters = np.zeros((0, 0), np.int32)
        digits, stride = np.zeros((0, 0), np.uint8), 0
        if self.mode == "hard" and isinstance(self.rules, WordleRules):
            letters = letters_of(self.guesses)[1][0]
            if self._labels is None:
                digits = self.rules.digits
            else:
                digits, stride = self._digits(self._labels), self.n_labels
        return Legality(letters, digits, stride, self.mode == "hard")

    def _digits(self, labels: Labels) -> NDArray[np.uint8]:
        """Return the marks of all labels, guess after guess, uint8 [guesses * labels, length].

        Raises GameTooLargeError.
        """
        assert isinstance(self.rules, WordleRules)
        need, limit = labels.codes.size * self.rules.length, memory_limit()
        if need > limit:
            raise GameTooLargeError(
                f"hard mode of {self.name} ({len(self.guesses):,} guesses) needs {_bytes(need)} and"
                f" {_bytes(limit)} are allowed; use fewer words",
                remedy=", or set SLEUTH_MEMORY (for example SLEUTH_MEMORY=8G)",
            )
        return self.rules.marks(labels.codes.ravel())


# What does not depend on the mode, and is dear to compute again.
_MODELESS = {"feedback", "guess_codes", "tables", "guess_index", "answer_guess", "guess_answer", "_labels"}
_LABELLED = {"tables", "_labels"}
"""What goes by labels, which are of guesses alone where guesses need none as answers."""


def _order(result: Hashable) -> tuple[str, Any]:
    """Return a key that sorts results of one type by value and puts other types apart."""
    if isinstance(result, int | float | str):
        return type(result).__name__, result
    return "~", str(result)


def check_ordered(name: str, *given: object) -> None:
    """Raise SleuthError for a set: it has no order, which weights follow and ties go by."""
    if any(isinstance(words, set | frozenset) for words in given):
        raise SleuthError(f"{name}: guesses and answers in a set have no order; give a list")


def check_memory(name: str, guesses: int, answers: int, n_codes: int, copies: int) -> None:
    """Raise GameTooLargeError when a feedback matrix would not fit.

    The limit is SLEUTH_MEMORY (bytes, or with a suffix K, M or G), 2 GiB unless set.
    """
    limit = memory_limit()
    need = _matrix_bytes(guesses, answers, n_codes) * copies
    if need > limit:
        raise GameTooLargeError(
            f"the feedback matrix of {name} ({guesses:,} guesses x {answers:,} answers) needs"
            f" {_bytes(need)} and {_bytes(limit)} are allowed; use fewer words",
            remedy=", or set SLEUTH_MEMORY (for example SLEUTH_MEMORY=8G)",
        )


def _matrix_bytes(guesses: int, answers: int, n_codes: int) -> int:
    """Return the bytes of a feedback matrix."""
    return guesses * answers * np.dtype(code_type(n_codes)).itemsize


def _bytes(count: int) -> str:
    """Return a number of bytes as a person reads it."""
    for exponent, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if count >= 2**exponent:
            return f"{count / 2**exponent:.2f} {unit}"
    return f"{count} bytes"


def memory_limit() -> int:
    """Return the bytes that feedback matrices may take. Raises SleuthError on a bad SLEUTH_MEMORY."""
    text = os.environ.get("SLEUTH_MEMORY", "").strip()
    return read_bytes("SLEUTH_MEMORY", text) if text else DEFAULT_MEMORY


def read_bytes(name: str, text: str) -> int:
    """Return an amount of memory such as 500M or 4G in bytes. Raises SleuthError that names the setting."""
    amount = text.strip().upper()
    unit = {"K": 2**10, "M": 2**20, "G": 2**30}.get(amount.rstrip("IB")[-1:], 1)
    digits = amount.rstrip("IBKMG")
    try:
        limit = int(float(digits) * unit)
        if not 0 <= limit <= MOST_MEMORY * 2**20:
            raise ValueError
    except (ValueError, OverflowError):
        raise SleuthError(f"{name} is {text!r}; it takes bytes, or 500M, or 4G, up to 16384G") from None
    return limit
